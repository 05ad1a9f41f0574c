# u_fig13.gp - penetration over time of a brick that lands flat.
width = 640; height = 400
load "plots/style.gp"

table = data."u_fig13.tsv"
set xrange [0:*]
set yrange [0:0.9]
set xlabel "time from the touch  [ms]"
set ylabel "penetration  [mm]"
set key top right
plot table using (pick("trailing", "t_ms")):(column("depth_mm")) with lines lw 2.4 lc rgb blue \
        title "behind (left in the paper)", \
     table using (pick("leading", "t_ms")):(column("depth_mm")) with lines lw 2.4 dt (8,5) lc rgb red \
        title "in front (right)"
