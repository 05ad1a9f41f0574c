# u_fig6.gp - a brick that lands a little tilted: spin, and distance from compliant contact, by the tilt.
width = 960; height = 360
load "plots/style.gp"

table = data."u_fig6.tsv"
set multiplot layout 1,2
set logscale x
set format x "10^{%T}"
set xlabel "tilt  [rad]"
set xrange [1e-9:0.1]
set xtics 100
set key top left
set ylabel "spin after  [v / L]"
set yrange [0:3.4]
plot table using (pick("compliant", "tilt_rad")):(column("spin")) with lines lw 2.2 lc rgb black title "compliant, 10 GPa", \
     table using (pick("all within 1 mm", "tilt_rad")):(column("spin")) with points pt 7 ps 0.7 lc rgb blue \
         title "PLUS, all within 1 mm", \
     table using (pick("those that touch", "tilt_rad")):(column("spin")) with points pt 9 ps 0.7 lc rgb red \
         title "PLUS, those that touch", \
     table using (pick("one after another", "tilt_rad")):(column("spin")) with points pt 6 ps 1 lc rgb orange \
         title "PLUS, one after another"
set ylabel "off compliant, of the speed before"
set yrange [0:1.3]
unset key
plot table using (pick("all within 1 mm", "tilt_rad")):(column("off")) with points pt 7 ps 0.7 lc rgb blue, \
     table using (pick("those that touch", "tilt_rad")):(column("off")) with points pt 9 ps 0.7 lc rgb red, \
     table using (pick("one after another", "tilt_rad")):(column("off")) with points pt 6 ps 1 lc rgb orange
unset multiplot
