# u_fig10.gp - tangential velocity paths of PLUS with coarser and coarser intervals.
width = 680; height = 400
load "plots/style.gp"

table = data."u_fig10.tsv"
array theta[3] = ["0.01", "0.15", "0.25"]
array count[3]
do for [i=1:3] { # before there are ranges, which stats would keep to; a path has a point more than intervals
    stats table using (pick("plus ".theta[i], "v_x")) name "of" nooutput
    count[i] = of_records - 1
}
stats table using (pick("v_transition", "v_x")) name "rolls" nooutput
set size ratio -1
set xrange [-5.2:0.9]
set yrange [-0.3:2.8]
set xlabel "v_x  [m/s]"
set ylabel "v_y  [m/s]"
set key top left
set object 1 circle at 0,0 size rolls_max fs empty border rgb black lw 1.2
path(i) = sprintf("PLUS, %s rad: %d intervals", theta[i], count[i])
plot table using (pick("compliant", "v_x")):(pick("compliant", "v_y")) with lines lw 2.4 lc rgb blue \
        title "compliant", \
     table using (pick("plus 0.01", "v_x")):(pick("plus 0.01", "v_y")) with lines lw 1.6 dt (6,5) lc rgb black \
        title path(1), \
     table using (pick("plus 0.15", "v_x")):(pick("plus 0.15", "v_y")) with linespoints lw 1.4 pt 7 ps 0.6 \
        lc rgb orange title path(2), \
     table using (pick("plus 0.25", "v_x")):(pick("plus 0.25", "v_y")) with linespoints lw 1.4 pt 5 ps 0.7 \
        lc rgb red title path(3), \
     NaN with points pt 6 ps 1.3 lc rgb black title sprintf("v_{transition}, %g m/s: below it PLUS rolls", rolls_max)
