# x_matrix_plastic.gp - the map without restitution, of the scenes with one contact.
name = "x_matrix_plastic"
height = 700
load "plots/x_matrix_map.gp"
