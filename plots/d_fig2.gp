# d_fig2.gp - a box on a ramp by the convex model and by the pyramid LCP.
width = 900; height = 400
load "plots/style.gp"

table = data."d_fig2.tsv"
array colour[5] = [blue, green, orange, red, purple]
array label_of[5] = ["A: from rest", "B: from 1 m/s", "C: from 2 m/s, μ = 0.8", "D: slope at 45° to the pyramid", "E: from 1 m/s, spinning"]
array letter[5] = ["A", "B", "C", "D", "E"]
set multiplot layout 1,2
set xlabel "t  [s]"
set ylabel "speed  [m/s]"
set xrange [0:2]
do for [panel=1:2] {
    first_run = panel == 1 ? 1 : 4
    last_run = panel == 1 ? 3 : 5
    set yrange [0:(panel == 1 ? 3 : 4.5)]
    set key top left
    plot for [i=first_run:last_run] table using (pick("QP1 ".letter[i], "t_s")):(column("v_m_per_s")) with lines lw 2 \
            lc rgb colour[i] title label_of[i], \
         for [i=first_run:last_run] table using (int(column(0)) % 8 == 0 ? pick("LCP ".letter[i], "t_s") : NaN):(column("v_m_per_s")) \
            with points pt 6 ps 0.7 lc rgb colour[i] notitle, \
         NaN with points pt 6 ps 0.7 lc rgb black title "pyramid LCP"
}
unset multiplot
