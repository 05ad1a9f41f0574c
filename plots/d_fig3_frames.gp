# d_fig3_frames.gp - frames of the four-cylinder engine.
width = 960; height = 210
load "plots/style.gp"

table = data."d_fig3_frames.tsv"
set multiplot layout 1,5 margins 0.05,0.99,0.12,0.88 spacing 0.02
set xrange [-0.06:0.42]
set yrange [-0.06:0.22]
set size ratio -1
unset key
set xtics 0.2
set style fill solid 0.35
do for [k=0:4] {
    time = 0.025*k
    set title sprintf("t = %g ms", 1000*time)
    if (k > 0) { set format y "" } else { set format y "%g" }
    plot table using (abs(column("t_s")-time) < 1e-9 ? column("x_m") : NaN):(column("y_m")) with linespoints pt 7 ps 0.5 lw 3 lc rgb blue, \
         "" using (abs(column("t_s")-time) < 1e-9 && column("y_m") > 0.09 ? column("x_m") : NaN):(column("y_m")):(0.04):(0.025) \
            with boxxyerror lc rgb orange
}
unset multiplot
