# p_open.gp - how often four rules of restitution create energy.
width = 900; height = 430
load "plots/style.gp"

table = data."p_open.tsv"
seen(name) = column(name) > 0 ? column(name) : NaN
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
    plot for [i=1:3] table using (pick(class." ".rule[i], "e")):(seen("fraction")) with lines lw 1.8 lc rgb colour[i] \
            title rule[i], \
         table using (pick(class." M9", "e")):(seen("fraction")) with lines lw 1.8 dt 2 lc rgb colour[4] title "M9", \
         for [i=1:4] table using (pick(class." ".rule[i], "e")):(seen("fraction")):(column("low")):(column("high")) \
            with yerrorbars pt 7 ps 0.5 lw 1.2 lc rgb colour[i] notitle
}
unset multiplot
