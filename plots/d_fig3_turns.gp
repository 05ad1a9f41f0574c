# d_fig3_turns.gp - the engine of one cylinder: six moments, or a frame for each.
width = format eq "frames" ? 190 : 900; height = format eq "frames" ? 340 : 330
load "plots/style.gp"

table = data."d_fig3_turns.tsv"
set datafile nocolumnheaders
set size ratio -1
unset border; unset tics; unset grid; unset key
set xrange [-0.075:0.075]
set yrange [-0.055:0.225]
set arrow 1 from -0.042,0.1 to -0.042,0.22 nohead lw 3 lc rgb frame
set arrow 2 from 0.042,0.1 to 0.042,0.22 nohead lw 3 lc rgb frame
set object 1 circle at 0,0 size 0.04 fs empty border lc rgb pale lw 1.5
part = "table index k+1 using"
piston = "(column(3) > 0.09 ? column(2) : NaN):3:(0.04):(0.02) with boxxyerror fs solid 1 border lc rgb frame fc rgb wash"
bars = "2:3 with lines lw 5 lc rgb blue"
pins = "2:3 with points pt 7 ps 1.1 lc rgb frame"
if (format eq "frames") {
    set margins 0,0,0,0
    do for [k=0:42] { set output sprintf(target, k); plot @part @piston, @part @bars, @part @pins }
} else {
    set multiplot layout 1,6 margins 0.01,0.99,0.02,0.92 spacing 0.01
    do for [i=0:5] {
        k = 8*i
        set title sprintf("%d ms", 7*k)
        plot @part @piston, @part @bars, @part @pins
    }
    unset multiplot
}
