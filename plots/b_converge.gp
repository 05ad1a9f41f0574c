# b_converge.gp - residual against sweeps, one panel per kind of problem.
width = 1000; height = 560
load "plots/style.gp"

table = data."b_converge.tsv"
array kind[5] = ["spheres", "wall", "box", "chain", "tables"]
array method[4] = ["gauss-seidel", "symmetric", "jacobi", "auto"]
array colour[4] = [blue, green, orange, red]
two(k, m) = stringcolumn(1) eq k && stringcolumn(2) eq m ? column("error") : NaN
set logscale xy
set format y "10^{%L}"
set format x "10^{%L}"
set xrange [1:1e5]
set yrange [1e-13:10]
set multiplot layout 2,3
do for [i=1:5] {
    set title kind[i]
    set xlabel (i > 2 ? "sweeps" : "")
    set ylabel (i % 3 == 1 ? "natural-map error" : "")
    unset key
    plot for [j=1:4] table using (column("sweeps")):(two(kind[i], method[j])) with linespoints pt 7 ps 0.3 lw 1.6 \
         lc rgb colour[j] title method[j]
}
unset title; unset border; unset tics; unset xlabel; unset ylabel; unset grid
set key center
plot for [j=1:4] NaN with linespoints pt 7 ps 0.3 lw 1.6 lc rgb colour[j] title method[j]
unset multiplot
