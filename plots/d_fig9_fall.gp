# d_fig9_fall.gp - the falling arm with joint friction: six moments, or a frame for each.
width = format eq "frames" ? 380 : 960; height = format eq "frames" ? 360 : 500
load "plots/style.gp"

table = data."d_fig9_fall.tsv"
set datafile nocolumnheaders
set view 74,30,format eq "frames" ? 1.6 : 1.55
set view equal xyz
set xyplane at -0.48
unset border; unset tics; unset grid; unset key
set xrange [-0.36:0.36]
set yrange [-0.36:0.36]
set zrange [-0.48:0.16]
do for [i=-3:3] {
    set arrow 10+i from 0.12*i,-0.36,-0.48 to 0.12*i,0.36,-0.48 nohead lc rgb pale back
    set arrow 20+i from -0.36,0.12*i,-0.48 to 0.36,0.12*i,-0.48 nohead lc rgb pale back
}
arm = "table index k+1 using"
shadow = "1:2:(-0.48) with lines lw 3 lc rgb grey"
links = "1:2:3 with lines lw 5 lc rgb blue"
joints = "1:2:3 with points pt 7 ps 0.9 lc rgb frame"
shoulder = "every ::0:0:0:0 using 1:2:3 with points pt 5 ps 1.6 lc rgb red"
if (format eq "frames") {
    set margins 0,0,0,0
    do for [k=0:50] {
        set output sprintf(target, k)
        splot @arm @shadow, @arm @links, @arm @joints, table index k+1 @shoulder
    }
} else {
    set multiplot layout 2,3 margins 0.0,1,0.05,0.93 spacing 0.0,0.09
    array moment[6] = [0, 6, 9, 13, 17, 50]
    do for [i=1:6] {
        k = moment[i]
        set title sprintf("%.2f s", 0.04*k)
        splot @arm @shadow, @arm @links, @arm @joints, table index k+1 @shoulder
    }
    unset multiplot
}
