# p_fig9.gp - mean angular velocity in the channel, from above.
width = 760; height = 400
load "plots/style.gp"

table = data."p_fig9.tsv"
set size ratio -1
set xlabel "x  [cm]"
set ylabel "y  [cm]"
set cblabel "mean angular velocity  [rad/ms]"
set cbrange [0:2] # the end of the paper's scale
set palette defined (0 "#f2f7fb", 0.5 "#56b4e9", 1 "#08306b") # a magnitude: from pale to dark
set autoscale fix
set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb grey fillstyle solid 1 noborder # the obstacle
plot table using "x_cm":"y_cm":(strlen(stringcolumn("value")) ? column("value") : NaN) with image notitle
