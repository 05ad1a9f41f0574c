# x_matrix_map.gp - velocity error of every model on every scene; scenes are rows, models are columns in three panels:
# models of motion in space, in the plane, without friction. `name` is the table (its own without any).
if (!exists("name")) name = "x_matrix_map"
table_name = name.".tsv"
if (!exists("height")) height = 1240
width = 1240
load "plots/style.gp"

table = data.table_name
stats table using "row" nooutput
rows = int(STATS_max)+1
array first[4]; last_column = -1
gap = 0.6 # of a column, between panels
do for [p=0:2] {
    stats table using (column("panel") == p ? column("column") : NaN) nooutput
    first[p+1] = p == 0 ? 0 : last_column+1+gap
    last_column = first[p+1]+STATS_max
}
at(p, c) = first[int(p)+1]+c

set lmargin 30; set rmargin 10; set tmargin 10; set bmargin 2
set xrange [-0.5:last_column+0.5]
set yrange [rows-0.5:-0.5]
unset grid; unset border
set key off
set tics scale 0
unset xtics
set label 1 "any motion" at first first[1]-0.5,rows-0.1 font ",10" tc rgb frame
set label 2 "in the plane" at first first[2]-0.5,rows-0.1 font ",10" tc rgb frame
set label 3 "frictionless" at first first[3]-0.5,rows-0.1 font ",10" tc rgb frame
set x2range [-0.5:last_column+0.5]
set x2tics rotate by 40 left offset 0,0
set ytics offset 0.6,0
set logscale cb
set cbrange [1e-4:10]
set format cb "%g"
set cbtics ("0.01 %%" 1e-4, "0.1 %%" 1e-3, "1 %%" 1e-2, "10 %%" 1e-1, "100 %%" 1, "1000 %%" 10)
set cblabel "velocity error, of the speed before the impact" offset 1.5
set palette defined (0 "#0b6e4f", 0.2 "#7fc8a9", 0.4 "#f4f1de", 0.6 "#f2a65a", 0.8 "#b3261e", 1 "#4a0d2a")
clip(e) = e < 1e-4 ? 1e-4 : e > 10 ? 10 : e
percent(e) = e < 5e-5 ? "0" : e < 0.0995 ? sprintf(e < 0.00995 ? "%.2f" : "%.1f", 100*e) : sprintf("%.0f", 100*e)
taken(e) = e >= 0
dark(e) = e < 2e-4 || e > 0.5
plot table using (at(column("panel"), column("column"))):(taken(column("error")) ? NaN : column("row")):(0.48):(0.47) \
        with boxxyerror fs solid 1 noborder fc rgb void, \
     "" using (at(column("panel"), column("column"))):(taken(column("error")) ? NaN : column("row")):(stringcolumn("why")) \
        with labels font ",7" tc rgb frame, \
     "" using (at(column("panel"), column("column"))):(taken(column("error")) ? column("row") : NaN):(0.48):(0.47): \
        (clip(column("error"))) with boxxyerror fs solid 1 noborder fc palette, \
     for [k=0:1] "" using (at(column("panel"), column("column"))):(dark(column("error")) == k ? column("row") : NaN): \
        (taken(column("error")) ? percent(column("error")) : "") with labels font ",9" tc rgb (k ? on_dark : on_light), \
     "" using (at(column("panel"), column("column"))):"row":(""):x2ticlabels(stringcolumn("model")): \
        yticlabels(stringcolumn("scene")) axes x2y1 with labels
