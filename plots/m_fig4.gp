# m_fig4.gp - slip trajectories, rays of constant sliding, and the two basins.
width = 620; height = 660
load "plots/style.gp"

table = data."m_fig4.tsv"
basin = data."m_fig4_basin.tsv"
$printed << END # degrees
"angle"
87
209
281
323
END
set size ratio -1
set xrange [-1.3:1.3]
set yrange [-1.3:1.3]
set xlabel "u_t  [m/s]"
set ylabel "u_o  [m/s]"
set key outside bottom center horizontal maxrows 3
edge(a) = 1.3 / (abs(cos(a)) > abs(sin(a)) ? abs(cos(a)) : abs(sin(a))) # the frame, seen from the origin
inside(a) = column("end") == 1 ? edge(a) : 0
plot basin using (inside(column(1))*cos(column(1))):(inside(column(1))*sin(column(1))) \
        with filledcurves closed fc rgb wash title "basin of the origin", \
     table using (pick("ray", "u_t_mps")):(pick("ray", "u_o_mps")) with lines dt 3 lw 1.6 lc rgb black \
        title "rays of constant sliding", \
     "" using (pick("away", "u_t_mps")):(pick("away", "u_o_mps")) with lines lw 1.8 lc rgb red title "runs off", \
     "" using (pick("origin", "u_t_mps")):(column("u_o_mps") <= 0 ? column("u_o_mps") : NaN) with lines lw 1.8 lc rgb blue \
        title "ends at the origin", \
     "" using (pick("origin", "u_t_mps")):(column("u_o_mps") >= 0 ? column("u_o_mps") : NaN) with lines dt (4,4) lw 1.8 \
        lc rgb blue title "and leaves it", \
     "" using (pick("start", "u_t_mps")):(pick("start", "u_o_mps")) with points pt 6 ps 1 lw 1.5 lc rgb black title "start", \
     $printed using (1.22*cos($1*pi/180)):(1.22*sin($1*pi/180)) with points pt 4 ps 1.3 lw 1.6 lc rgb green \
        title "rays as printed"
