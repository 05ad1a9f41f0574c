# p_rod_forces.gp - how many contact forces the sliding rod has, over angle and friction.
width = 700; height = 480
load "plots/style.gp"

map = data."p_rod_forces.tsv"
curve = data."p_rod_edge.tsv"
set xrange [0:1.5708]
set yrange [0:5]
set xlabel "θ  [rad]"
set ylabel "μ"
set cbrange [0:3]
set palette defined (0 "#f3b7b3", 1 "#e8f1fa", 2 "#cfeadf", 3 "#f6dfa8") maxcolors 4
unset colorbox
set grid front
edge = asin(0.8)
set arrow 1 from edge, 0 to edge, 5 nohead front lw 2.2 lc rgb blue
set label 1 "none:\nimpact without\ncollision" at 0.66, 3.9 center front textcolor rgb on_light
set label 2 "two:\nundetermined" at 1.16, 3.9 center front textcolor rgb on_light
set label 3 "one: presses, slides on" at 0.46, 0.75 center front textcolor rgb on_light
set label 4 "zero alone: separates" at 1.25, 0.75 center front textcolor rgb on_light
set key outside top center horizontal
plot map using 1:2:3 with image notitle, \
     curve using 1:2 with lines lw 2.2 lc rgb red title "A = 0: μ*(θ)", \
     NaN with lines lw 2.2 lc rgb blue title "b_n = 0: ω^2 sin θ = g"
