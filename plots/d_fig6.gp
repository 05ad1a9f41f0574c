# d_fig6.gp - frames of 27 spheres that drop into a box, from the far ones to the near.
width = 960; height = 360
load "plots/style.gp"

table = data."d_fig6.tsv"
array frame[5] = ["27 QP2 0", "27 QP2 0.2", "27 QP2 0.3", "27 QP2 0.5", "27 QP2 1.5"]
array time[5] = [0, 0.2, 0.3, 0.5, 1.5]
set multiplot layout 1,5 margins 0.07,0.99,0.15,0.92 spacing 0.015
set xrange [-0.18:0.18]
set yrange [0:0.46]
set size ratio -1
set xtics 0.1
set key off
set xlabel "x  [m]"
size = 4 # of a sphere of 4 cm in radius, in units of gnuplot's marks
slabs = 12; deep = 0.36/slabs # m, in which a sphere is drawn over those behind it
slab(l) = (pick(frame[k], "x_m") == pick(frame[k], "x_m") && int((0.18-column("y_m"))/deep) == l) ? column("x_m") : NaN
mix(c, a, b, s) = int(a+s*(b-a))*c
shade(s) = mix(65536, 0x9f, 0, s)+mix(256, 0xcb, 0x72, s)+mix(1, 0xe8, 0xb2, s)
do for [k=1:5] {
    set title sprintf("t = %g s", time[k])
    if (k == 1) { set ylabel "z  [m]" } else { unset ylabel; set format y "" }
    plot for [l=0:slabs-1] for [m=0:1] table using (slab(l)):(column("z_m")): \
        (m == 0 ? 0x6b7681 : shade((l+0.5)/slabs)) with points pt 7 ps size*(1-0.07*m) lc rgb variable
}
unset multiplot
