# u_fig14.gp - five balls after the impact, by compliant contact, PLUS and a single phase.
width = 820; height = 690
load "plots/style.gp"

table = data."u_fig14.tsv"
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set size ratio -1
unset border
unset tics
unset grid
set key off
set label 1 "velocities after the impact [m/s], and as arrows; the first ball came from the right with -2 m/s" \
    at -3.5,2.95 left tc rgb black
set xrange [-3.55:0.4]
set yrange [-0.35:3.05]
step = 0.62  # from row to row, in the unit of the balls' places
scale = 0.17 # m drawn per m/s
y(h) = step*column(h)
plot table using (column("x")):(y("height")):(0.25) with circles fs solid 1 fc rgb wash lc rgb frame, \
     "" using (column("x")):(y("height")+0.08):(sprintf("%.3f", column("v")+0)) with labels font ",10" tc rgb black, \
     "" using (column("x")):(y("height")-0.08):(abs(column("v")) > 0.005 ? scale*column("v") : NaN):(0) \
        with vectors head filled size 0.04,22 lw 2 lc rgb red, \
     "" using (-3.5):(y("height")):(column("x") == 0 ? stringcolumn("row") : "") with labels left tc rgb black
