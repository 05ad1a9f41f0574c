# b_work.gp - error against CPU time, one panel per kind of approximation.
width = 960; height = 720
load "plots/style.gp"

table = data."b_work.tsv"
array panel[4] = ["plus", "process", "compliant", "sweeps"]
array title[4] = ["PLUS over θ_{max}", "impact process", "compliant contact over accuracy", "sweeps over a wall"]
array error[4] = ["impulse error, relative", "impulse error, relative", "impulse error, relative", "natural-map error"]
array first[4] = ["PLUS", "Euler", "Merson", "Gauss-Seidel"]
array second[4] = ["", "series", "Dormand-Prince 8", "auto"]
of(i, method, name) = stringcolumn(1) eq panel[i] && stringcolumn(2) eq method ? column(name) : NaN
set logscale xy
set format xy "10^{%L}"
set yrange [*:*]
set multiplot layout 2,2 margins 0.085,0.985,0.085,0.95 spacing 0.1,0.13
set xlabel "CPU time  [μs]"
do for [i=1:4] {
    set title title[i]
    set ylabel error[i]
    if (i == 3) { set key bottom left } else { set key top right }
    if (i == 3) { set xrange [300:1e4] } else { set xrange [*:*] }
    plot table using (of(i, first[i], "time_us")):(of(i, first[i], "error")) with linespoints pt 7 ps 0.6 lw 1.6 \
         lc rgb blue title first[i], \
         table using (i > 1 ? of(i, second[i], "time_us") : NaN):(i > 1 ? of(i, second[i], "error") : NaN) \
         with linespoints pt 7 ps (i == 2 ? 1.2 : 0.6) lw 1.6 lc rgb red title second[i]
}
unset multiplot
