# p_fig8.gp - mean velocity in the channel, from above.
width = 760; height = 400
load "plots/style.gp"

table = data."p_fig8.tsv"
set size ratio -1
set xlabel "x  [cm]"
set ylabel "y  [cm]"
set cblabel "mean velocity  [m/s]"
set cbrange [0:1.45]
set cbtics 0,0.2,1.2
set cbtics add ("1.39" 1.39)
set label 1 "the paper's peaks: 1.39, 1.42" at graph 1.07,1.05 right textcolor rgb black
set palette defined (0 "#f2f7fb", 0.5 "#56b4e9", 1 "#08306b") # a magnitude: from pale to dark
set autoscale fix
set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb grey fillstyle solid 1 noborder # the obstacle
plot table using "x_cm":"y_cm":(strlen(stringcolumn("value")) ? column("value") : NaN) with image notitle
