# p_fig6.gp - the slender rod grazing along a plane.
width = 640; height = 430
load "plots/style.gp"

table = data."p_fig6.tsv"
set size ratio -1
set xrange [-0.9:2.1]
set yrange [-0.25:1.75]
set xlabel "x = t  [m]"
set ylabel "y = n  [m]"
set key left top
set object 1 rectangle from graph 0, first -0.25 to graph 1, first 0 fillstyle solid 1 noborder fillcolor rgb pale behind
set label 1 "θ" at 0.5, 0.24
plot table using (pick("rod", "x")):(column("y")):(column("dx")):(column("dy")) with vectors nohead lw 5 lc rgb black \
        title "rod, 1 kg, 2 m", \
     "" using (pick("angle", "x")):(pick("angle", "y")) with lines lw 1 lc rgb black notitle, \
     "" using (pick("velocity", "x")):(column("y")):(column("dx")):(column("dy")) with vectors filled lw 2 lc rgb green \
        title "velocity v_0  (0.6 m per m/s)", \
     "" using (pick("impulse", "x")):(column("y")):(column("dx")):(column("dy")) with vectors filled lw 2.5 lc rgb red \
        title "impulse Λ_0"
