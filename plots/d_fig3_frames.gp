# d_fig3_frames.gp - frames of the four-cylinder engine.
width = 1000; height = 270
load "plots/style.gp"

table = data."d_fig3_frames.tsv"
set multiplot layout 1,5 margins 0.065,0.99,0.2,0.9 spacing 0.02
set xrange [-0.06:0.42]
set yrange [-0.06:0.22]
set size ratio -1
unset key
set xlabel "x  [m]"
set xtics 0.2
set style fill solid 0.35
do for [k=0:4] {
    time = 0.025*k
    set title sprintf("t = %g ms", 1000*time)
    if (k > 0) { set format y ""; unset ylabel } else { set format y "%g"; set ylabel "y  [m]" }
    plot table using (abs(column("t_s")-time) < 1e-9 ? column("x_m") : NaN):(column("y_m")) with linespoints pt 7 ps 0.5 lw 3 lc rgb blue, \
         "" using (abs(column("t_s")-time) < 1e-9 && column("y_m") > 0.09 ? column("x_m") : NaN):(column("y_m")):(0.04):(0.025) \
            with boxxyerror lc rgb orange
}
unset multiplot
