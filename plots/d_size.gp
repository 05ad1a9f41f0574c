# d_size.gp - what solvers take by the number of contacts.
width = 1080; height = 380
load "plots/style.gp"

table = data."d_size.tsv"
set multiplot layout 1,3
set logscale xy
set format y "10^{%T}"
set xlabel "contacts"
set xrange [7:1100]
set key top left
set ylabel "multiply-adds"
set yrange [1e2:1e14]
plot table using (column("contacts")):(column("lemke_madds")) with points pt 7 ps 0.9 lc rgb orange \
         title "Lemke on 6n", \
     table using (column("contacts")):(column("projection_madds")) with points pt 9 ps 0.9 lc rgb green \
         title "gradient projection"
set ylabel "iterations, mean of islands"
set yrange [1:1e3]
plot table using (column("contacts")):(column("convex_iterations")) with points pt 5 ps 0.8 lc rgb blue \
         title "interior point"
set ylabel "processor time  [ms]"
set yrange [1e-3:1e7]
plot table using (column("contacts")):(column("lemke_ms")) with points pt 7 ps 0.9 lc rgb orange \
         title "Lemke on 6n", \
     table using (column("contacts")):(column("projection_ms")) with points pt 9 ps 0.9 lc rgb green \
         title "gradient projection", \
     table using (column("contacts")):(column("convex_ms")) with points pt 5 ps 0.8 lc rgb blue \
         title "convex program"
unset multiplot
