# x_count.gp - how often a closing contact has three Coulomb solutions.
width = 960; height = 480
load "plots/style.gp"

mu = data."x_count_mu.tsv"
ecc = data."x_count_ecc.tsv"
seen(name) = column(name) > 0 ? column(name) : NaN
array class[2] = ["bodies", "SPD"]
array title_of[2] = ["six-point bodies", "SPD, condition 1 to 10^4"]
array colour[2] = [blue, orange]
set multiplot layout 1,2 margins 0.08,0.985,0.3,0.97 spacing 0.07
set logscale y
set format y "10^{%L}"
set yrange [1e-6:0.1]
set ylabel "fraction with three solutions"
set key at screen 0.5,0.01 center bottom maxrows 1
beside = 1.12; aside = 0 # the other count, drawn to the right of ours
set logscale x
set xrange [0.07:150]
set xlabel "friction coefficient μ"
plot for [i=1:2] mu using (pick(class[i], "x")):(seen("frequency")):(column("low")):(column("high")) \
        with yerrorbars pt 7 ps 0.6 lw 1.4 lc rgb colour[i] title title_of[i], \
     for [i=1:2] mu using (beside*pick(class[i], "x")+aside):(seen("published")):(column("published_low")):(column("published_high")) \
        with yerrorbars pt 6 ps 1 lw 1.0 lc rgb colour[i] \
        title i == 1 ? "independent count" : ""
unset key; unset ylabel
unset logscale x
beside = 1; aside = 0.18
set xrange [-0.6:8.6]
set xlabel "eccentricity"
set xtics rotate by -35 ("< 0.5" 0, "0.5-0.75" 1, "0.75-0.9" 2, "0.9-1" 3, "1-1.2" 4, "1.2-1.5" 5, "1.5-2" 6, "2-5" 7, "> 5" 8)
plot for [i=1:2] ecc using (pick(class[i], "x")):(seen("frequency")):(column("low")):(column("high")) \
        with yerrorbars pt 7 ps 0.6 lw 1.4 lc rgb colour[i] title title_of[i], \
     for [i=1:2] ecc using (beside*pick(class[i], "x")+aside):(seen("published")):(column("published_low")):(column("published_high")) \
        with yerrorbars pt 6 ps 1 lw 1.0 lc rgb colour[i] \
        title i == 1 ? "independent count" : ""
unset multiplot
