# p_fig2b.gp - the objective along the boundary, over the polar angle.
width = 640; height = 450
load "plots/style.gp"

table = data."p_fig2b.tsv"
set xrange [*:*] noextend
set yrange [-4:8]
set xlabel "α  [rad]"
set ylabel "f_{obj}(α)  [J]"
set key at screen 0.55, screen 0.02 center bottom horizontal maxrows 2
set bmargin at screen 0.27
set xzeroaxis lw 1 lc rgb black
plot table using (pick("infeasible", "alpha")):(2):(pick("infeasible", "alpha")):(pick("infeasible", "f_obj")):(-4):(8) \
        with boxxyerror fill solid 1 noborder fc rgb pale title "no feasible point", \
     "" using (pick("pole", "alpha")):(-4):(0):(12) with vectors nohead dt 3 lw 1.6 lc rgb black title "poles", \
     "" using (pick("objective", "alpha")):(pick("objective", "f_obj")) with lines lw 2.2 lc rgb blue title "f_{obj}", \
     "" using (pick("local", "alpha")):(pick("local", "f_obj")) with points pt 6 ps 1.3 lw 2 lc rgb orange \
        title "other local minimum", \
     "" using (pick("global", "alpha")):(pick("global", "f_obj")) with points pt 2 ps 1.5 lw 3 lc rgb red title "x*"
