# b_cost.gp - CPU time over size, one panel per kind of cost.
width = 1000; height = 560
load "plots/style.gp"

table = data."b_cost.tsv"
array name[5] = ["problems", "contacts", "particles", "intervals", "stiffness"]
array title[5] = ["batch of maximum dissipation", "sweep of Gauss-Seidel", "granular step", "impact by PLUS", \
                  "compliant impact"]
array axis[5] = ["problems", "contacts", "particles", "intervals", "stiffness E  [Pa]"]
set logscale xy
set format xy "10^{%L}"
set xrange [*:*]
set yrange [*:*]
set multiplot layout 2,3
do for [i=1:5] {
    set title title[i]
    set xlabel axis[i]
    set ylabel (i == 5 ? "force evaluations, CPU time  [μs]" : i % 3 == 1 ? "CPU time  [μs]" : "")
    set key top left
    if (i == 5) { set yrange [5e2:3e4] }
    plot table using (pick(name[i], "size")):(i < 5 ? pick(name[i], "linear_us") : NaN) with lines dt (6,5) \
         lc rgb black title (i < 5 ? "slope 1" : ""), \
         table using (pick(name[i], "size")):(pick(name[i], "time_us")) with linespoints pt 7 ps 0.5 lw 1.6 lc rgb blue \
         title "CPU time", \
         table using (pick(name[i], "size")):(i == 5 ? pick(name[i], "work") : NaN) with linespoints pt 7 ps 0.5 lw 1.6 \
         lc rgb red title (i == 5 ? "force evaluations" : "")
}
unset multiplot
