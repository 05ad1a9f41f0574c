# d_fig9_error.gp - error of the falling arm against the time step.
width = 640; height = 400
load "plots/style.gp"

table = data."d_fig9_error.tsv"
set logscale xy
set format x "10^{%L}"
set format y "10^{%L}"
set xrange [5e-7:2e-2]
set xlabel "h  [s]"
set ylabel "largest error of the bicep  [rad]"
set key top left
plot table using (pick("Eq. 6", "h_s")):(column("bicep_rad")) with linespoints pt 7 lw 1.8 lc rgb red title "Eq. 6", \
     "" using (pick("QP4", "h_s")):(column("bicep_rad")) with linespoints pt 7 lw 1.8 lc rgb blue title "QP4", \
     [1e-6:1e-2] 5*x with lines dt 2 lc rgb grey title "first order"
