# d_fig6_full.gp - frames of 1001 spheres that drop into a box: those that are seen, the far ones first.
width = 720; height = 600
load "plots/style.gp"

table = data."d_fig6_full.tsv"
array time[2] = [0.5, 1]
set multiplot layout 1,2 margins 0.11,0.98,0.1,0.94 spacing 0.015
set xrange [-0.42:0.42]
set yrange [0:1.35]
set size ratio -1
set xtics 0.3
set key off
set xlabel "x  [m]"
size = 4.7 # of a sphere of 4 cm in radius, in units of gnuplot's marks
slabs = 21; deep = 0.84/slabs # m, in which a sphere is drawn over those behind it
seen(l) = (column("t_s") == time[k] && int((0.42-column("y_m"))/deep) == l) ? column("x_m") : NaN
mix(c, a, b, s) = int(a+s*(b-a))*c
shade(s) = mix(65536, 0x2f, 0xd8, s**4)+mix(256, 0x5f, 0xea, s**4)+mix(1, 0x86, 0xf8, s**4)
do for [k=1:2] {
    set title sprintf("t = %g s", time[k])
    if (k == 1) { set ylabel "z  [m]" } else { unset ylabel; set format y "" }
    plot for [l=0:slabs-1] table using (seen(l)):(column("z_m")) with points pt 7 ps size lc rgb shade((l+0.5)/slabs)
}
unset multiplot
