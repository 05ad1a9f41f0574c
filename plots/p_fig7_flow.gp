# p_fig7_flow.gp - a slice of the small channel from above: four moments, or a frame for each.
width = format eq "frames" ? 400 : 960; height = format eq "frames" ? 176 : 460
load "plots/style.gp"

table = data."p_fig7_flow.tsv"
set datafile nocolumnheaders
set size ratio -1
set xrange [0:30.5]
set yrange [0:13]
unset grid; unset key; unset colorbox
bands = 6; fastest = 1.5 # of colour, m/s
set palette maxcolors bands defined (0 "#21507a", 0.5 "#4ba6e0", 1 "#e69f00")
set cbrange [0:fastest]
set object 1 circle at 8,8 size 2 fs solid 1 noborder fc rgb grey
set object 2 rect from 8,6 to 10,10 fs solid 1 noborder fc rgb grey
in_band(v) = (v < fastest ? int(bands*v/fastest) : bands-1) == b
spheres = "for [b=0:bands-1] table index k+1 using (in_band(column(4)) ? column(1) : NaN):2:((b+0.5)*fastest/bands) \
    with points pt 7 ps size lc palette"
if (format eq "frames") {
    set margins 0,0,0,0
    unset tics
    size = 0.95
    do for [k=0:19] { set output sprintf(target, k); plot @spheres }
} else {
    size = 1.12
    set multiplot layout 2,2 margins 0.06,0.87,0.12,0.93 spacing 0.03,0.14
    set ytics 5
    do for [i=0:3] {
        k = 6*i
        set title sprintf("%d ms", k/2)
        if (i > 1) { set xlabel "x  [mm]" }
        if (i % 2) { unset ylabel; set format y "" } else { set ylabel "y  [mm]"; set format y "%g" }
        if (i == 3) { set colorbox user origin 0.895,0.12 size 0.018,0.81; set cblabel "speed  [m/s]" }
        plot @spheres
    }
    unset multiplot
}
