# p_fig2a.gp - a hyperbola and the contours of the objective, in the plane of maximum compression.
width = 640; height = 660
load "plots/style.gp"

table = data."p_fig2a.tsv"
set size ratio -1
set xrange [-4:4]
set yrange [-4.2:3]
set xlabel "x_t  [N s]"
set ylabel "x_o  [N s]"
set key outside bottom center horizontal maxrows 2
plot table using (pick("contour", "x_t")):(pick("contour", "x_o")) with lines lw 0.8 lc rgb grey title "contours", \
     "" using (pick("zero", "x_t")):(pick("zero", "x_o")) with lines lw 1.4 lc rgb black title "zero contour", \
     "" using (pick("conic", "x_t")):(pick("conic", "x_o")) with lines lw 2.2 lc rgb blue title "friction cone", \
     "" using (pick("unconstrained", "x_t")):(pick("unconstrained", "x_o")) with points pt 2 ps 1.3 lw 2 lc rgb black \
        title "unconstrained", \
     "" using (pick("local", "x_t")):(pick("local", "x_o")) with points pt 6 ps 1.3 lw 2 lc rgb orange \
        title "other local minimum", \
     "" using (pick("global", "x_t")):(pick("global", "x_o")) with points pt 2 ps 1.5 lw 3 lc rgb red title "x*"
