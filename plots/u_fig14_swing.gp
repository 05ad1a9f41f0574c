# u_fig14_swing.gp - five balls on strings: six moments of a period, or a frame for each.
width = format eq "frames" ? 500 : 900; height = format eq "frames" ? 280 : 360
load "plots/style.gp"

table = data."u_fig14_swing.tsv"
set datafile nocolumnheaders
set size ratio -1
unset border; unset tics; unset grid; unset key
set xrange [-3.3:1.3]
set yrange [-0.4:1.8]
set arrow 1 from -2.3,1.5 to 0.3,1.5 nohead lw 3 lc rgb frame
strings = "table index k+1 using 1:2:(column(3)-column(1)):(column(4)-column(2)) with vectors nohead lc rgb frame"
balls = "'' index k+1 using 3:4:(0.25) with circles fs solid 1 border lc rgb frame fc rgb wash"
if (format eq "frames") {
    set margins 0,0,0,0
    do for [k=0:39] { set output sprintf(target, k); plot @strings, @balls }
} else {
    set multiplot layout 2,3 margins 0.01,0.99,0.01,0.94 spacing 0.01,0.08
    array moment[6] = [0, 8, 12, 20, 28, 32]
    do for [i=1:6] {
        k = moment[i]
        set label 1 sprintf("%.2f s", 0.06325*k) at -1, 1.72 center textcolor rgb black
        plot @strings, @balls
    }
    unset multiplot
}
