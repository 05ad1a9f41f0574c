# x_drawn.gp - how far each law is from the rigid limit of compliant contact, on drawn impacts of eleven kinds.
width = 1180; height = 1380
load "plots/style.gp"

table = data."x_drawn.tsv"
stats table using "row" nooutput
rows = int(STATS_max)+1
stats table using "panel" nooutput
panels = int(STATS_max)+1
array title[panels]
array model[rows]
stats table using (model[int(column("row"))+1] = stringcolumn("model"), column("row")) nooutput
stats table using (title[int(column("panel"))+1] = stringcolumn("kind"), column("panel")) nooutput

set multiplot layout 4,3 margins 0.165,0.985,0.055,0.955 spacing 0.02,0.042
set label 97 "velocity error, of the speed before" at screen 0.735,0.17
set label 98 "● middle of these draws" at screen 0.735,0.145 tc rgb blue
set label 99 "○ middle of other draws" at screen 0.735,0.12 tc rgb red
set label 96 "bars: all but a tenth at either end" at screen 0.735,0.095
set label 95 "at the left edge: 0.002 % and less" at screen 0.735,0.07
set logscale x
set xrange [2e-5:1.2]
set yrange [rows-0.4:-0.6]
set xtics ("0.01 %%" 1e-4, "0.1 %%" 1e-3, "1 %%" 1e-2, "10 %%" 1e-1, "100 %%" 1)
set ytics scale 0
set key off
in(p, x) = column("panel") == p ? x : NaN
least(x) = x < 2.2e-5 ? 2.2e-5 : x
do for [p=0:panels-1] {
    set title title[p+1] offset 0,-0.6
    set ytics ("" 0)
    do for [k=1:rows] { set ytics add ((p % 3 == 0 ? model[k] : "") k-1) }
    plot table using (in(p, least(column("low")))):"row":(column("high")-least(column("low"))):(0) with vectors nohead lw 5 \
            lc rgb pale, \
        "" using (in(p, least(column("formed")))):"row" with points pt 6 ps 0.7 lc rgb red, \
        "" using (in(p, least(column("middle")))):"row" with points pt 7 ps 0.6 lc rgb blue
    unset label 95; unset label 96; unset label 97; unset label 98; unset label 99
}
unset multiplot
