# x_matrix_map.gp - velocity error of every model on every scene.
width = 1180; height = 700
load "plots/style.gp"

table = data."x_matrix_map.tsv"
stats table using "column" nooutput
columns = int(STATS_max)+1
stats table using "row" nooutput
rows = int(STATS_max)+1
set lmargin 24; set rmargin 11; set tmargin 1; set bmargin 11
set xrange [-0.5:columns-0.5]
set yrange [rows-0.5:-0.5] reverse
set yrange [rows-0.5:-0.5]
unset grid
set key off
set tics scale 0
set xtics rotate by 40 right
set logscale cb
set cbrange [1e-4:1]
set format cb "%g"
set cbtics ("0.01 %%" 1e-4, "0.1 %%" 1e-3, "1 %%" 1e-2, "10 %%" 1e-1, "100 %%" 1)
set cblabel "velocity error against the rigid limit" offset 1
set palette defined (0 "#0b6e4f", 0.25 "#7fc8a9", 0.5 "#f4f1de", 0.75 "#f2a65a", 1 "#b3261e")
clip(e) = e < 1e-4 ? 1e-4 : e > 1 ? 1 : e
percent(e) = e < 5e-5 ? "0.00" : e < 0.0995 ? sprintf(e < 0.00995 ? "%.2f" : "%.1f", 100*e) : sprintf("%.0f", 100*e)
taken(e) = e >= 0
dark(e) = e < 2e-4 || e > 0.5
plot table using "column":(taken(column("v_limit")) ? NaN : column("row")):(0.5):(0.5) \
        with boxxyerror fs pattern 4 border lc rgb grey fc rgb grey, \
     "" using "column":(taken(column("v_limit")) ? column("row") : NaN):(0.5):(0.5):(clip(column("v_limit"))) \
        with boxxyerror fs solid 1 border lc rgb "white" fc palette, \
     for [k=0:1] "" using "column":(dark(column("v_limit")) == k ? column("row") : NaN): \
        (taken(column("v_limit")) ? percent(column("v_limit")) : "") \
        with labels font ",9" tc rgb (k ? "white" : black), \
     "" using "column":"row":(""):xticlabels(stringcolumn("scene")):yticlabels(stringcolumn("model")) with labels
