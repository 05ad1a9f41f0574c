# u_fig14_times.gp - velocities of five balls in time, touching and with gaps.
width = 940; height = 400
load "plots/style.gp"

table = data."u_fig14_times.tsv"
array variant[2] = ["touching", "gap 0.1 mm"]
array shown[2] = ["touching", "gaps of 0.1 mm"]
array colour[5] = [blue, sky, green, orange, red]
set multiplot layout 1,2 margins 0.075,0.885,0.15,0.92 spacing 0.06
set xrange [0:1.3]
set yrange [-2.15:0.35]
set xlabel "time from the touch  [ms]"
do for [k=1:2] {
    set title shown[k]
    if (k == 1) { set ylabel "velocity  [m/s]"; set key off } else { unset ylabel; set key at screen 0.89, 0.92 left top }
    plot for [i=1:5] table using (pick(variant[k], "t_ms")):(column(sprintf("v%d", i))) \
        with lines lw 2 lc rgb colour[i] title sprintf("ball %d", i)
}
unset multiplot
