# d_fig5_full.gp - 1001 spheres: kinetic energy, contacts, cost.
width = 960; height = 360
load "plots/style.gp"

table = data."d_fig5_full.tsv"
set multiplot layout 1,3
set key off
set xlabel "t  [s]"
set xrange [0:5]
set ylabel "kinetic energy / m  [J/kg]"
set logscale y
set format y "10^{%L}"
plot table using (column("t_s")):(column("kinetic_J_per_kg")) with lines lw 1.8 lc rgb blue
unset logscale y
set format y "%g"
set yrange [0:*]
set ylabel "contacts looked at"
plot table using (column("t_s")):(column("contacts")) with lines lw 1.8 lc rgb green
set ylabel "processor time per step  [s]"
plot table using (column("t_s")):(column("step_s")) with lines lw 1 lc rgb orange
unset multiplot
