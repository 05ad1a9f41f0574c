# u_fig12.gp - friction over normal impulse of the points of a brick that lands flat.
width = 900; height = 420
load "plots/style.gp"

table = data."u_fig12.tsv"
array panel[2] = ["a", "b"]
array place[2] = ["behind (left in the paper)", "in front (right)"]
set multiplot layout 1,2 margins 0.09,0.985,0.14,0.92 spacing 0.06
set xrange [0:8]
set yrange [0:1.5]
set xlabel "normal impulse π_z  [N s]"
set key bottom right
do for [k=1:2] {
    set title "(".panel[k].")  point ".place[k]
    if (k == 1) { set ylabel "friction impulse π_x  [N s]" } else { unset ylabel }
    of(model, what) = panel[k]." ".model." ".what
    plot table using (pick(of("compliant", "path"), "pi_z")):(column("pi_x")) with lines lw 2.2 lc rgb blue \
            title "compliant", \
         table using (pick(of("plus", "path"), "pi_z")):(column("pi_x")) with lines lw 2 dt (6,5) lc rgb black \
            title "PLUS", \
         table using (pick(of("compliant", "total"), "pi_z")):(column("pi_x")) \
            with points pt 6 ps 1.4 lw 1.8 lc rgb blue title "total, compliant", \
         table using (pick(of("plus", "total"), "pi_z")):(column("pi_x")) \
            with points pt 4 ps 1.4 lw 1.5 lc rgb black title "total, PLUS", \
         table using (pick(of("compliant", "compressed"), "pi_z")):(column("pi_x")) \
            with points pt 3 ps 1.3 lw 1.6 lc rgb blue title "compression ends", \
         table using (pick(of("plus", "compressed"), "pi_z")):(column("pi_x")) \
            with points pt 3 ps 1.3 lw 1.6 lc rgb black notitle, \
         table using (pick(of("compliant", "sticks"), "pi_z")):(column("pi_x")) \
            with points pt 8 ps 1.4 lw 1.8 lc rgb blue title "sliding ends", \
         table using (pick(of("plus", "sticks"), "pi_z")):(column("pi_x")) \
            with points pt 8 ps 1.4 lw 1.6 lc rgb black notitle
}
unset multiplot
