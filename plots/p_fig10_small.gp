# p_fig10_small.gp - the radial distribution function near the exit of the small channel.
width = 700; height = 430
load "plots/style.gp"

table = data."p_fig10_small.tsv"
set xlabel "r / d"
set ylabel "g(r)"
set xrange [0:*]
set yrange [0:*]
plot 1 with lines dt 3 lc rgb black title "no order", \
     table using "r_over_d":"g_paper" with lines lw 1.4 lc rgb grey title "normalised as in the paper", \
     "" using "r_over_d":"g_room" with lines lw 2 lc rgb blue title "by the room of the region"
