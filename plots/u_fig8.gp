# u_fig8.gp - tangential velocity paths, compliant and by PLUS.
width = 680; height = 510
load "plots/style.gp"

table = data."u_fig8.tsv"
array mu[3] = ["0.125", "0.225", "0.325"]
array colour[3] = [blue, green, red]
stats table using (pick("v_transition", "v_x")) name "rolls" nooutput
set size ratio -1
set xrange [-5.2:0.7]
set yrange [-0.4:4]
set xlabel "v_x  [m/s]"
set ylabel "v_y  [m/s]"
set key top left
set object 1 circle at 0,0 size rolls_max fs empty border rgb black lw 1.2
plot for [i=1:3] table using (pick("compliant ".mu[i], "v_x")):(pick("compliant ".mu[i], "v_y")) \
        with lines lw 2 lc rgb colour[i] title "μ = ".mu[i].", compliant", \
     for [i=1:3] table using (pick("plus ".mu[i], "v_x")):(pick("plus ".mu[i], "v_y")) \
        with lines lw 2 dt (6,5) lc rgb black title i == 1 ? "PLUS" : "", \
     NaN with points pt 6 ps 1.3 lc rgb black title sprintf("v_{transition} of PLUS, %g m/s", rolls_max)
