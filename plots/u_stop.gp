# u_stop.gp - a double pendulum against a stop: its course, and what stiffness and steps leave.
width = 960; height = 420
load "plots/style.gp"

table = data."u_stop.tsv"
swing = data."u_stop_swing.tsv"
set multiplot
set size 0.38,1
set origin 0,0
set xlabel "t  [s]"
set ylabel "angle of the outer link  [rad]"
set xrange [0:2.3]
set yrange [-2.5:1.7]
set xtics 0.5
set key top right
plot swing using (pick("compliant", "t_s")):(column("outer_rad")) with lines lw 1.5 lc rgb orange \
         title "compliant, 1 MPa", \
     swing using (pick("impact to impact", "t_s")):(column("outer_rad")) with lines lw 1.2 lc rgb black \
         title "impact to impact"
set logscale xy
set xtics autofreq
set format "10^{%T}"
set key bottom left
set size 0.33,1
set origin 0.37,0
set xlabel "E  [Pa]"
set ylabel "off after 2.3 s  [rad, rad/s]"
set xrange [1e7:1e13]
set xtics 100
set yrange [1e-5:1]
plot sample [1e7:1e13] 30 * x**(-0.4) with lines lw 1.2 dt (6,5) lc rgb black title "E^{-2/5}", \
     table using (pick("smooth, dissipative", "x")):(column("angle_rad")) with points pt 5 ps 0.8 lc rgb blue \
         title "smooth, angles", \
     table using (pick("smooth, dissipative", "x")):(column("rate_radps")) with points pt 4 ps 0.8 lc rgb blue \
         title "smooth, rates", \
     table using (pick("rough, elastic", "x")):(column("angle_rad")) with points pt 7 ps 0.8 lc rgb red \
         title "rough, angles", \
     table using (pick("rough, elastic", "x")):(column("rate_radps")) with points pt 6 ps 0.8 lc rgb red \
         title "rough, rates"
set key bottom right
set size 0.3,1
set origin 0.7,0
set xlabel "step  [s]"
unset ylabel
set xrange [5e-5:1e-2]
set xtics autofreq
set yrange [1e-3:1]
plot sample [5e-5:1e-2] 80 * x with lines lw 1.2 dt (6,5) lc rgb black title "order 1", \
     table using (pick("steps", "x")):(column("angle_rad")) with points pt 5 ps 0.8 lc rgb green title "angles", \
     table using (pick("steps", "x")):(column("rate_radps")) with points pt 4 ps 0.8 lc rgb green title "rates"
unset multiplot
