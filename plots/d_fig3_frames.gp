# d_fig3_frames.gp - frames of the four-cylinder engine.
width = 1000; height = 235
load "plots/style.gp"

table = data."d_fig3_frames.tsv"
set multiplot layout 1,5 margins 0.075,0.99,0.24,0.9 spacing 0.02
set xrange [-0.06:0.42]
set yrange [-0.06:0.22]
set size ratio -1
unset key
set datafile nocolumnheaders
set xlabel "x  [m]"
set xtics 0.2; set ytics 0.1
set style fill solid 0.35
do for [k=0:4] {
    set title sprintf("t = %d ms", 25*k)
    if (k > 0) { set format y ""; unset ylabel } else { set format y "%g"; set ylabel "y  [m]" }
    plot table index k+1 using 2:3 with lines lw 3 lc rgb blue, \
         "" index k+1 using 2:3 with points pt 7 ps 0.5 lc rgb blue, \
         "" index k+1 using (column(3) > 0.09 ? column(2) : NaN):3:(0.04):(0.025) with boxxyerror lc rgb orange
}
unset multiplot
