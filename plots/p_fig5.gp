# p_fig5.gp - three Coulomb solutions and the maximally dissipative one, on the ellipse of the academic contact.
width = 960; height = 470
load "plots/style.gp"

table = data."p_fig5.tsv"
printed = data."p_fig5_printed.tsv"
set size ratio -1
set xlabel "x_o  [N s]"
set key at screen 0.98, 0.03 right bottom maxrows 2 width -2
set multiplot
set label 1 "x_t  [N s]" at screen 0.015, 0.61 center rotate by 90 front
set lmargin at screen 0.08
set rmargin at screen 0.66
set tmargin at screen 0.97
set bmargin at screen 0.25
set xrange [-7.6:0.9]
set yrange [-3.2:1.4]
set object 1 rectangle from -5.95, -1.2 to -5.55, -0.85 fillstyle empty border lc rgb black lw 1 front
plot table using (pick("contour", "x_o")):(pick("contour", "x_t")) with lines lw 0.8 lc rgb grey title "contours", \
     "" using (pick("zero", "x_o")):(pick("zero", "x_t")) with lines lw 1.4 lc rgb black title "zero contour", \
     "" using (pick("conic", "x_o")):(pick("conic", "x_t")) with lines lw 2.2 lc rgb blue title "constraint set", \
     "" using (pick("coulomb", "x_o")):(pick("coulomb", "x_t")) with points pt 6 ps 1.3 lw 2.2 lc rgb red \
        title "Coulomb solutions x1, x2, x3", \
     "" using (pick("best", "x_o")):(pick("best", "x_t")) with points pt 2 ps 1.4 lw 3 lc rgb red title "x*", \
     printed using "x_o":"x_t":"half_o":"half_t" with boxxyerror lw 1.4 lc rgb green title "as printed, Table 1"
unset object 1
unset label 1
set lmargin at screen 0.73
set rmargin at screen 0.99
set xrange [-5.95:-5.55]
set yrange [-1.2:-0.85]
set xtics 0.1
set ytics 0.1
unset key
replot
unset multiplot
set label 1 "x_t  [N s]" at screen 0.015, 0.61 center rotate by 90 front
