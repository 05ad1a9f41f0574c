# p_diff.gp - values of runs under two laws, each over the mean of all runs.
width = 820; height = 380
load "plots/style.gp"

table = data."p_diff.tsv"
set ylabel "value of a run / mean of all"
set xrange [-0.6:7.6]
set xtics ("fraction" 0, "contacts" 1, "speed" 2, "peak speed" 3, "spin" 4, "power" 5, "depth" 6, "penetration" 7)
set key top left
law(name, shift) = stringcolumn("law") eq name ? column("value") + shift : NaN
plot 1 with lines dt 3 lc rgb black notitle, \
     table using (law("maxdiss", -0.12)):"over_mean" with points pt 7 ps 0.7 lc rgb blue title "maximum dissipation", \
     "" using (law("coulomb", 0.12)):"over_mean" with points pt 7 ps 0.7 lc rgb red title "Coulomb"
