# l_rows.gp - velocities of touching balls after an impact: Hertz contacts in time, and laws.
width = 900; height = 640
load "plots/style.gp"

table = data."l_rows.tsv"
array law[3] = ["lzb", "sequential", "moreau"]
array label_of[3] = ["lzb", "sequential; plus is the same", "moreau; frictionless is the same"]
array colour[3] = [blue, red, purple]
array shape[3] = [7, 5, 11]
array name[4] = ["equal", "tapered", "two", "columns"]
array title_of[4] = ["ten equal balls, the first flies", "ten balls, each radius 0.95 of the last", \
                     "five equal balls, two fly", "two columns of five beads meet"]
set multiplot layout 2,2
set xlabel "ball"
set ylabel "velocity after, of that before"
do for [panel=1:4] {
    set title title_of[panel]
    set xrange [0.5:(panel == 3 ? 5.5 : 10.5)]
    set xtics 1
    if (panel == 4) { set yrange [*:5] }
    if (panel == 4) { set key top left } else { set key off }
    plot for [i=1:3] table using (pick(name[panel].", ".law[i], "ball")):(column("v")) with linespoints lw 1.2 \
            pt shape[i] ps 0.8 lc rgb colour[i] title label_of[i], \
         table using (pick(name[panel].", compliant", "ball")):(column("v")) with points pt 6 ps 1.5 lw 1.6 lc rgb black \
            title "Hertz contacts in time"
}
unset multiplot
