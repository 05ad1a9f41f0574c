# d_fig6.gp - frames of spheres that drop into a box, from the far ones to the near.
width = 960; height = 640
load "plots/style.gp"

table = data."d_fig6.tsv"
array frame[6] = ["27 QP2 0", "27 QP2 0.2", "27 QP2 0.3", "27 QP2 0.5", "27 QP2 1.5", "96 QP2 0.5"]
array what[6] = ["27, 0 s", "0.2 s", "0.3 s", "0.5 s", "1.5 s", "96, 0.5 s"]
# The view, and how far a place is from the eye, in slabs of which the nearer is drawn over the farther.
angle = 25*pi/180; tilt = 72*pi/180
far(x, y, z) = (y*cos(angle)-x*sin(angle))*sin(tilt)-z*cos(tilt)
deepest = 0.3; slabs = 30; deep = 0.7/slabs
slab(x, y, z) = int((deepest-far(x, y, z))/deep)
size = 5 # of a sphere of 4 cm in radius, in units of gnuplot's marks
mix(c, a, b, s) = int(a+s*(b-a))*c
shade(s) = mix(65536, 0x9f, 0, s)+mix(256, 0xcb, 0x72, s)+mix(1, 0xe8, 0xb2, s)
set view 72,25
set view equal xyz
set xyplane at 0
set xrange [-0.42:0.42]
set yrange [-0.42:0.42]
set zrange [-0.05:0.52]
unset border; unset tics; unset grid; unset key
# The box's floor and walls, as high as the picture; its width.
edge(n, x, y, u, v, z, w) = sprintf("set arrow %d from %g,%g,%g to %g,%g,%g nohead lc rgb grey back", n, x, y, z, u, v, w)
inside(l) = stringcolumn("frame") eq frame[k] && slab(column("x_m"), column("y_m"), column("z_m")) == l ? column("x_m") : NaN
set multiplot layout 2,3 margins 0.02,0.98,0.02,0.95 spacing 0.02,0.06
do for [k=1:6] {
    b = k < 6 ? 0.17 : 0.22
    do for [n=0:3] {
        x = n == 0 || n == 3 ? -b : b; y = n < 2 ? -b : b
        u = n < 2 ? b : -b; v = n == 0 || n == 3 ? -b : b
        eval edge(1+n, x, y, u, v, 0, 0)
        eval edge(5+n, x, y, x, y, 0, 0.45)
    }
    set label 1 sprintf("%g m", 2*b) at 0,-b-0.06,-0.02 center textcolor rgb black
    set title what[k] offset 0,-1
    splot for [l=0:slabs-1] for [m=0:1] table using (inside(l)):(column("y_m")):(column("z_m")): \
        (m == 0 ? 0x6b7681 : shade((l+0.5)/slabs)) with points pt 7 ps size*(1-0.07*m) lc rgb variable
}
unset multiplot
