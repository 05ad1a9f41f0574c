# u_fig9.gp - tangential over normal impulse during three impacts of a brick's vertex.
width = 1080; height = 400
load "plots/style.gp"

table = data."u_fig9.tsv"
array panel[3] = ["a", "b", "c"]
array mu[3] = ["0.125", "0.225", "0.325"]
array name[2] = ["pi_x", "pi_y"]
array shown[2] = ["π_x", "π_y"]
array colour[2] = [blue, red]
set multiplot layout 1,3 margins 0.06,0.985,0.14,0.92 spacing 0.045
set xrange [0:17]
set yrange [-3.1:2.3]
set xlabel "normal impulse π_z  [N s]"
set key bottom left
# Each panel's key names a part of what all three show.
entry(k, text) = panel_number == k ? text : ""
do for [k=1:3] {
    panel_number = k
    set title "(".panel[k].")  μ = ".mu[k]
    if (k == 1) { set ylabel "tangential impulse  [N s]" } else { unset ylabel }
    of(model, what) = panel[k]." ".model." ".what
    plot for [i=1:2] table using (pick(of("compliant", "path"), "pi_z")):(column(name[i])) \
            with lines lw 2 lc rgb colour[i] title entry(1, "compliant ".shown[i]), \
         for [i=1:2] table using (pick(of("plus", "path"), "pi_z")):(column(name[i])) \
            with lines lw 2 dt (6,5) lc rgb black title i == 1 ? entry(1, "PLUS") : "", \
         for [i=1:2] table using (pick(of("compliant", "total"), "pi_z")):(column(name[i])) \
            with points pt 6 ps 1.3 lw 1.6 lc rgb colour[i] title i == 1 ? entry(2, "total, compliant") : "", \
         for [i=1:2] table using (pick(of("plus", "total"), "pi_z")):(column(name[i])) \
            with points pt 4 ps 1.3 lw 1.3 lc rgb black title i == 1 ? entry(2, "total, PLUS") : "", \
         for [i=1:2] table using (pick(of("compliant", "compressed"), "pi_z")):(column(name[i])) \
            with points pt 3 ps 1.1 lw 1.4 lc rgb colour[i] notitle, \
         for [i=1:2] table using (pick(of("plus", "compressed"), "pi_z")):(column(name[i])) \
            with points pt 3 ps 1.1 lw 1.4 lc rgb black title i == 1 ? entry(3, "compression ends") : "", \
         for [i=1:2] table using (pick(of("compliant", "sticks"), "pi_z")):(column(name[i])) \
            with points pt 8 ps 1.2 lw 1.6 lc rgb colour[i] notitle, \
         for [i=1:2] table using (pick(of("plus", "sticks"), "pi_z")):(column(name[i])) \
            with points pt 8 ps 1.2 lw 1.6 lc rgb black title i == 1 ? entry(3, "sliding ends") : ""
}
unset multiplot
