# x_matrix_common.gp - the map with one restitution for all laws.
name = "x_matrix_common"
load "plots/x_matrix_map.gp"
