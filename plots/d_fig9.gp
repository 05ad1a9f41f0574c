# d_fig9.gp - a falling arm with joint friction: angle and rate of the bicep.
width = 900; height = 400
load "plots/style.gp"

table = data."d_fig9.tsv"
array series[4] = ["Eq. 6 1e-3", "Eq. 6 1e-4", "QP4 1e-2", "QP4 1e-3"]
array label_of[4] = ["Eq. 6, h = 10^{-3} s", "Eq. 6, h = 10^{-4} s", "QP4, h = 10^{-2} s", "QP4, h = 10^{-3} s"]
array colour[4] = [red, orange, sky, blue]
array width_of[4] = [1.3, 6, 3.5, 1.4] # the last three nearly coincide
set multiplot layout 1,2
set xlabel "t  [s]"
set xrange [0:2]
set ylabel "bicep rate  [rad/s]"
set yrange [-8:8]
set key off
plot for [i=1:4] table using (pick(series[i], "t_s")):(column("qd_rad_per_s")) with lines lw width_of[i] lc rgb colour[i] \
        title label_of[i], \
     table using (pick("reference", "t_s")):(column("qd_rad_per_s")) with points pt 6 ps 0.7 lc rgb black title "reference"
set ylabel "bicep angle  [rad]"
set yrange [-2.2:2.2]
set key top right
plot for [i=1:4] table using (pick(series[i], "t_s")):(column("q_rad")) with lines lw width_of[i] lc rgb colour[i] \
        title label_of[i], \
     table using (pick("reference", "t_s")):(column("q_rad")) with points pt 6 ps 0.7 lc rgb black title "reference"
unset multiplot
