# p_select.gp - which Coulomb solution compliant contact and maximum dissipation are nearest to, by the approach.
width = 900; height = 440
load "plots/style.gp"

table = data."p_select.tsv"
set xlabel "direction of the slip  [degrees]"
set xrange [45:105]
set yrange [-2:-0.5]
set format y "10^{%g}"
set ytics 0.5
unset grid
unset colorbox
set cbrange [-1:2]
set palette defined (-1 "#eef2f6", -0.5 "#eef2f6", -0.5 blue, 0.5 blue, 0.5 orange, 1.5 orange, 1.5 red, 2 red)
set label 1 "one solution" at 50,-1.9 front textcolor rgb on_light
set multiplot layout 1,2
set ylabel "approach / slip"
set title "compliant, end of compression" offset 0,-0.5
set key top left textcolor rgb on_light
plot table using "turn_deg":"steep":"which" with image notitle, \
     "+" using (86.4):(-1.09) every ::0::0 with points pt 7 ps 0.9 lc rgb on_light title "Table 1", \
     NaN with points pt 5 ps 1.5 lc rgb blue title "x1, least dissipative", \
     NaN with points pt 5 ps 1.5 lc rgb orange title "x2", \
     NaN with points pt 5 ps 1.5 lc rgb red title "x3, most dissipative"
set title "maximum dissipation"
unset key
unset ylabel
plot table using "turn_deg":"steep":"most" with image notitle, \
     "+" using (86.4):(-1.09) every ::0::0 with points pt 7 ps 0.9 lc rgb on_light notitle
unset multiplot
