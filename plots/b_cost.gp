# b_cost.gp - CPU time over size, one panel per kind of cost.
width = 1000; height = 560
load "plots/style.gp"

table = data."b_cost.tsv"
array name[6] = ["problems", "contacts", "particles", "intervals", "stiffness", "stiffness"]
array title[6] = ["batch of maximum dissipation", "sweep of Gauss-Seidel", "granular step", "impact by PLUS", \
                  "compliant impact: time", "compliant impact: work"]
array axis[6] = ["problems", "contacts", "particles", "intervals", "stiffness E  [Pa]", \
                 "stiffness E  [Pa]"]
set logscale xy
set format xy "10^{%L}"
set xrange [*:*]
set yrange [*:*]
set multiplot layout 2,3
do for [i=1:6] {
    set title title[i]
    set xlabel axis[i]
    set ylabel (i == 6 ? "force evaluations" : i % 3 == 1 ? "CPU time  [μs]" : "")
    set key top left
    if (i >= 5) { set yrange [5e2:3e4]; set key off }
    plot table using (pick(name[i], "size")):(i < 5 ? pick(name[i], "linear_us") : NaN) with lines dt (6,5) \
         lc rgb black title (i < 5 ? "slope 1" : ""), \
         table using (pick(name[i], "size")):(i < 6 ? pick(name[i], "time_us") : NaN) with linespoints pt 7 ps 0.5 lw 1.6 lc rgb blue \
         title "CPU time", \
         table using (pick(name[i], "size")):(i == 6 ? pick(name[i], "work") : NaN) with linespoints pt 7 ps 0.5 lw 1.6 \
         lc rgb red notitle
}
unset multiplot
