# p_open.gp - how often four rules of restitution create energy.
width = 900; height = 430
load "plots/style.gp"

table = data."p_open.tsv"
array rule[4] = ["M4", "M6", "M8", "M9"]
array colour[4] = [blue, green, orange, red]
set multiplot layout 1,2
set logscale y
set format y "10^{%L}"
set xrange [0:1.05]
set yrange [5e-6:1]
set xlabel "restitution coefficient e"
set ylabel "fraction of problems that gain energy"
set key bottom right
do for [class in "bodies SPD"] {
    set title class eq "bodies" ? "six-point bodies" : "SPD, condition 1 to 10^4"
    plot for [i=1:4] table using (pick(class." ".rule[i], "e")):(column("fraction") > 0 ? column("fraction") : NaN) \
            with lines lw 1.8 dt (i == 4 ? 2 : 1) lc rgb colour[i] title rule[i], \
         for [i=1:4] table using (pick(class." ".rule[i], "e")):(column("fraction") > 0 ? column("fraction") : NaN) \
            :(column("low")):(column("high")) with yerrorbars pt 7 ps 0.5 lw 1.2 lc rgb colour[i] notitle
}
unset multiplot
