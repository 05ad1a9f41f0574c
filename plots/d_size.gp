# d_size.gp - what solvers take by the number of contacts.
width = 960; height = 380
load "plots/style.gp"

table = data."d_size.tsv"
set multiplot layout 1,2
set logscale xy
set format y "10^{%T}"
set xlabel "contacts"
set xrange [7:1100]
set key top left
set ylabel "multiply-adds; iterations; products"
set yrange [1:1e16]
plot table using (column("contacts")):(column("lemke_madds")) with points pt 7 ps 0.9 lc rgb orange \
         title "Lemke on 6n: multiply-adds", \
     table using (column("contacts")):(column("projection_products")) with points pt 9 ps 0.9 lc rgb green \
         title "gradient projection: products", \
     table using (column("contacts")):(column("convex_iterations")) with points pt 5 ps 0.8 lc rgb blue \
         title "interior point: iterations"
set ylabel "processor time  [ms]"
set yrange [1e-3:1e7]
plot table using (column("contacts")):(column("lemke_ms")) with points pt 7 ps 0.9 lc rgb orange \
         title "Lemke on 6n", \
     table using (column("contacts")):(column("projection_ms")) with points pt 9 ps 0.9 lc rgb green \
         title "gradient projection, phase I", \
     table using (column("contacts")):(column("convex_ms")) with points pt 5 ps 0.8 lc rgb blue \
         title "convex program"
unset multiplot
