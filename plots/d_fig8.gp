# d_fig8.gp - an arm that friction must hold: angle and rate of the bicep.
width = 900; height = 400
load "plots/style.gp"

table = data."d_fig8.tsv"
array series[5] = ["Eq. 6 1e-3", "Eq. 6 1e-4", "Eq. 6 1e-5", "Eq. 6 1e-6", "QP4 1e-2"]
array label_of[5] = ["Eq. 6, h = 10^{-3} s", "Eq. 6, h = 10^{-4} s", "Eq. 6, h = 10^{-5} s", "Eq. 6, h = 10^{-6} s", "QP4, h = 10^{-2} s"]
array colour[5] = [red, orange, purple, sky, blue]
set multiplot layout 1,2
set xlabel "t  [s]"
set xrange [0:2]
set ylabel "bicep rate  [rad/s]"
set key off
plot for [i=1:5] table using (pick(series[i], "t_s")):(column("qd_rad_per_s")) with lines lw (i == 5 ? 3 : 1.4) \
    lc rgb colour[i] title label_of[i]
set ylabel "bicep angle  [rad]"
set yrange [-0.45:0.35]
set key top left
plot for [i=1:5] table using (pick(series[i], "t_s")):(column("q_rad")) with lines lw (i == 5 ? 3 : 1.4) \
    lc rgb colour[i] title label_of[i]
unset multiplot
