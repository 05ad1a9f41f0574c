# d_fig6.gp - frames of 27 spheres that drop into a box.
width = 900; height = 300
load "plots/style.gp"

table = data."d_fig6.tsv"
array frame[5] = ["27 QP2 0", "27 QP2 0.2", "27 QP2 0.3", "27 QP2 0.5", "27 QP2 1.5"]
array time[5] = [0, 0.2, 0.3, 0.5, 1.5]
set multiplot layout 1,5 margins 0.06,0.99,0.13,0.9 spacing 0.015
set xrange [-0.18:0.18]
set yrange [0:0.46]
set size ratio -1
set xtics 0.1
set key off
set palette defined (0 "#9fcbe8", 1 "#0072b2")
unset colorbox
set style fill solid 0.55 border lc rgb black
set xlabel "x  [m]"
do for [k=1:5] {
    set title sprintf("t = %g s", time[k])
    if (k == 1) { set ylabel "z  [m]" } else { unset ylabel; set format y "" }
    plot table using (pick(frame[k], "x_m")):(column("z_m")):(0.04):(column("y_m")) with circles fc palette notitle
}
unset multiplot
