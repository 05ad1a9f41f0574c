# d_fig5.gp - kinetic energy and contacts of spheres that drop into a box.
width = 900; height = 420
load "plots/style.gp"

table = data."d_fig5.tsv"
array series[3] = ["27 LCP", "27 QP2", "96 QP2"]
array label_of[3] = ["27 spheres, pyramid LCP", "27 spheres, QP2", "96 spheres, QP2"]
array colour[3] = [orange, blue, green]
stats table using (pick("96 QP2", "t_s")):(column("contacts")) nooutput
last = STATS_max_x; contacts = STATS_max_y # where the run of the 96 spheres ends
set multiplot layout 1,2
set xlabel "t  [s]"
set xrange [0:1.5]
set logscale y
set format y "10^{%L}"
set yrange [1e-6:1e4]
set ylabel "kinetic energy / m  [J/kg]"
set key top right
plot for [i=1:3] table using (pick(series[i], "t_s")):(column("kinetic_J_per_kg")) with lines lw 1.8 lc rgb colour[i] \
        title label_of[i], \
     table using (column("solved") == 0 ? pick("27 LCP", "t_s") : NaN):(column("kinetic_J_per_kg")) \
        with points pt 2 ps 1.2 lw 2 lc rgb red title "not solved by Lemke"
unset logscale y
set format y "%g"
set yrange [0:500]
set ylabel "contacts looked at"
set key off
set label 1 sprintf("run to %g s only", last) at last+0.04,contacts left tc rgb black
plot for [i=1:3] table using (pick(series[i], "t_s")):(column("contacts")) with lines lw 1.8 lc rgb colour[i] title label_of[i], \
     "+" using (last):(contacts) every ::0::0 with points pt 7 ps 0.7 lc rgb green
unset multiplot
