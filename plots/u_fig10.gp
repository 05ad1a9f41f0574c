# u_fig10.gp - tangential velocity paths of PLUS with coarser and coarser intervals.
width = 680; height = 400
load "plots/style.gp"

table = data."u_fig10.tsv"
set size ratio -1
set xrange [-5.2:0.9]
set yrange [-0.3:2.5]
set xlabel "v_x  [m/s]"
set ylabel "v_y  [m/s]"
set key top left
set object 1 circle at 0,0 size 0.1 fs empty border rgb black lw 1.2
plot table using (pick("compliant", "v_x")):(pick("compliant", "v_y")) with lines lw 2.4 lc rgb blue \
        title "compliant", \
     table using (pick("plus 0.01", "v_x")):(pick("plus 0.01", "v_y")) with lines lw 1.6 dt (6,5) lc rgb black \
        title "PLUS, 0.01 rad; 116 intervals, as printed", \
     table using (pick("plus 0.15", "v_x")):(pick("plus 0.15", "v_y")) with linespoints lw 1.4 pt 7 ps 0.6 \
        lc rgb orange title "PLUS, 0.15 rad; 11, as printed", \
     table using (pick("plus 0.25", "v_x")):(pick("plus 0.25", "v_y")) with linespoints lw 1.4 pt 5 ps 0.7 \
        lc rgb red title "PLUS, 0.25 rad; 8, as printed"
