# p_order_events.gp - errors of event-driven integration over the longest step.
width = 720; height = 440
load "plots/style.gp"

table = data."p_order_events.tsv"
set logscale xy
set format y "10^{%T}"
set xtics (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
set xlabel "longest step  [s]"
set ylabel "error of the angle  [rad]"
set xrange [0.003:0.25]
set yrange [1e-15:1e-4]
set key top left
plot sample [0.009:0.06] 0.28 * x**5 with lines lw 1.2 dt (6,5) lc rgb black title "order 5", \
     [0.003:0.03] 2e-2 * x**5 with lines lw 1.2 dt (6,5) lc rgb black notitle, \
     [0.03:0.18] 2.4e-3 * x**8 with lines lw 1.2 dt (2,4) lc rgb black title "order 8", \
     table using (pick("rkf45, swings", "h_s")):(column("error")) with points pt 5 ps 0.9 lc rgb blue \
        title "rkf45, swings", \
     table using (pick("rkf45, three impacts", "h_s")):(column("error")) with points pt 9 ps 1 lc rgb red \
        title "rkf45, three impacts", \
     table using (pick("rk8pd, swings", "h_s")):(column("error")) with points pt 7 ps 0.9 lc rgb green \
        title "rk8pd, swings"
