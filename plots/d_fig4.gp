# d_fig4.gp - time per solve over simulated time in the engine.
width = 960; height = 400
load "plots/style.gp"

table = data."d_fig4.tsv"
array name[3] = ["1 cylinder, K = 6, 54 rows", "1 cylinder, K = 12, 102 rows", "4 cylinders, K = 6, 174 rows"]
set multiplot layout 1,3
set logscale y
set format y "10^{%L}"
set yrange [0.003:1e5]
set xlabel "simulated time  [s]"
set key top right
array end_of[3] = [0.3, 0.3, 0.1]
do for [i=1:3] {
    set title name[i]
    set xrange [0:end_of[i]]
    every = i == 3 ? 0.05 : 0.1
    set xtics every
    if (i == 3) {
        set arrow 1 from 0.0025,0.003 to 0.0025,1e5 nohead dt (4,4) lc rgb grey
        set label 1 "the paper's Lemke\nstops: 2.5 ms" at 0.006,6 left tc rgb black
    }
    if (i == 1) { set ylabel "time per solve  [ms]" } else { unset ylabel }
    plot table using (pick(name[i], "t_s")):(column("pyramid_failed") == 1 ? NaN : column("pyramid_ms")) \
             with points pt 7 ps 0.6 lc rgb red title "Lemke, 6n", \
         "" using (pick(name[i], "t_s")):(column("pyramid_failed") == 1 ? column("pyramid_ms") : NaN) \
             with points pt 2 ps 1.2 lw 2 lc rgb black title "not solved", \
         "" using (pick(name[i], "t_s")):(column("normal_ms")) with lines lw 1.3 lc rgb orange title "Lemke, n", \
         "" using (pick(name[i], "t_s")):(column("qp3_ms")) with lines lw 1.3 lc rgb blue title "QP3"
}
unset multiplot
