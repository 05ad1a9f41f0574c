# p_fig7.gp - the plan of the channel.
width = 760; height = 380
load "plots/style.gp"

table = data."p_fig7.tsv"
set size ratio -1
set xrange [-1:17]
set yrange [-0.5:7]
set xlabel "x  [cm]"
set ylabel "y  [cm]"
unset key
set arrow 1 from 0.2, 3.25 to 1.6, 3.25 linewidth 2 linecolor rgb red front
set label 1 "1 m/s" at 0.5, 2.75 textcolor rgb red
set label 2 "open" at 15.1, 3.25
plot table using (pick("obstacle", "x_cm")):(pick("obstacle", "y_cm")) with filledcurves closed lc rgb grey, \
     "" using (pick("wall", "x_cm")):(pick("wall", "y_cm")) with lines lw 3 lc rgb black, \
     "" using (pick("plane", "x_cm")):(pick("plane", "y_cm")) with lines lw 3 lc rgb red
