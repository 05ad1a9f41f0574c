# u_fig8_tumble.gp - a brick that tumbles over the ground: five moments in one picture, or a frame for each.
width = format eq "frames" ? 560 : 960; height = format eq "frames" ? 210 : 330
load "plots/style.gp"

table = data."u_fig8_tumble.tsv"
set datafile nocolumnheaders
array moment[5] = [0, 11, 21, 33, 54]
do for [i=1:(format eq "frames" ? 0 : 5)] { # before there are ranges, which stats would keep to
    stats table index moment[i]+1 using 1:3 name "of" nooutput
    stats table index moment[i]+1 using 2 name "deep" nooutput
    set label i sprintf("%.2f s", 0.02*moment[i]) at of_mean_x, deep_mean, of_max_y+0.22 center front textcolor rgb black
}
set view 72,350,format eq "frames" ? 5.2 : 4.1
set view equal xyz
set xyplane at 0
unset border; unset tics; unset grid; unset key; unset colorbox
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set xrange [-4.3:0.7]
set yrange [-1.2:0.6]
set zrange [0:1.2]
set pm3d depthorder border lc rgb frame lw 0.8
set pm3d lighting primary 0.45 specular 0
set style fill solid 1
do for [x=-4:0] { set arrow 100+x from x,-1.2,0 to x,0.6,0 nohead lc rgb pale back }
do for [y=-2:1] { set arrow 200+y from -4.3,0.6*y,0 to 0.7,0.6*y,0 nohead lc rgb pale back }
if (format eq "frames") {
    do for [k=0:54] {
        set output sprintf(target, k)
        splot table index k+1 using 1:2:3 with polygons fc rgb sky
    }
} else {
    splot for [i=1:5] table index moment[i]+1 using 1:2:3 with polygons fc rgb sky
}
