# d_fig8.gp - an arm that friction must hold: angle and rate of the bicep.
width = 900; height = 440
load "plots/style.gp"

table = data."d_fig8.tsv"
array series[6] = ["Eq. 6 5e-3", "Eq. 6 1e-3", "Eq. 6 1e-4", "Eq. 6 1e-5", "Eq. 6 1e-6", "QP4 1e-2"]
array label_of[6] = ["Eq. 6, h = 5 10^{-3} s", "Eq. 6, h = 10^{-3} s", "Eq. 6, h = 10^{-4} s", "Eq. 6, h = 10^{-5} s", \
    "Eq. 6, h = 10^{-6} s", "QP4, h = 10^{-2} s"]
array colour[6] = [black, red, orange, purple, sky, blue]
wide(i) = i == 6 ? 3 : 1.4
set multiplot layout 1,2 margins 0.07,0.985,0.28,0.97 spacing 0.1
set xlabel "t  [s]"
set xrange [0:2]
set ylabel "bicep rate  [rad/s]"
set key off
plot for [i=2:6] table using (pick(series[i], "t_s")):(column("qd_rad_per_s")) with lines lw wide(i) \
    lc rgb colour[i] title label_of[i]
set ylabel "distance of the bicep from its start  [rad]"
set logscale y
set format y "10^{%L}"
set yrange [1e-6:1e2]
set key at screen 0.5,0.01 center bottom maxrows 2
plot for [i=1:6] table using (pick(series[i], "t_s")):(abs(column("q_rad"))) with lines lw wide(i) \
    lc rgb colour[i] title label_of[i]
unset multiplot
