# p_rod_map.gp - what maximum dissipation answers to the rod, over angle and friction.
width = 700; height = 480
load "plots/style.gp"

map = data."p_rod_map.tsv"
curve = data."p_rod_curve.tsv"
set xrange [0:1.5708]
set yrange [0:5]
set xlabel "θ  [rad]"
set ylabel "μ"
set cblabel "Λ_{0,n}  [N s]"
set cbrange [0:0.4]
set palette defined (0 "#e8f1fa", 0.5 "#56b4e9", 1 "#08306b")
set grid front
set label 1 "x* = Λ_0\nCoulomb: 0 and Λ_0" at 0.82, 3.6 center front textcolor rgb on_dark
set label 2 "x* = 0\nCoulomb: 0 only" at 0.85, 0.75 center front textcolor rgb black
set label 3 "(atan 2, 4/3)" at 1.13, 1.12 left front
set key at graph 0.03, 0.05 left bottom
plot map using 1:2:(column(3) > 0 ? column(3) : NaN) with image notitle, \
     curve using 1:2 with lines lw 2.2 lc rgb red title "μ*(θ)", \
     "+" using (atan(2)):(4./3) every ::0::0 with points pt 7 ps 0.9 lc rgb red notitle
