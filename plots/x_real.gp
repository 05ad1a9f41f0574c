# x_real.gp - recorded impacts: sorted errors on the ellipse, and every model's mean on the three sets.
width = 1080; height = 560
load "plots/style.gp"

shares = data."x_real_shares.tsv"
table = data."x_real.tsv"
models = system("awk -F '\\t' '!/^#/ && $1 == \"ellipse\" { print $2 }' ".table)
place(name) = words(models) - sum [i=1:words(models)] (word(models, i) eq name ? i : 0)
array set[3] = ["ellipse", "cube", "square"]
array colour[6] = [black, green, orange, purple, red, sky]
curves = "floor planar-poisson auto newton maxdiss drumwright"

set multiplot layout 1,2
set lmargin 9; set rmargin 2; set tmargin 2
set title "ellipse, every impact"
set xlabel "share of the impacts"
set ylabel "error |v - v_{measured}|_M / |v_{before}|_M"
set logscale y
set xrange [0:1]
set yrange [2e-3:1.5]
set key at 0.98,0.0025 bottom right
plot for [i=1:words(curves)] shares using 2:(pick(word(curves, i), "error")) with lines lw 1.8 \
     dt 1+(i == 1) lc rgb colour[i] title word(curves, i)

set title "mean, mu and e fitted to others"
set lmargin 24
unset ylabel
set xlabel "mean error and its 95 % interval"
unset logscale y
set logscale x
set xrange [0.02:0.8]
set xtics (0.02, 0.05, 0.1, 0.2, 0.5)
set yrange [-3.5:words(models)-0.3]
set ytics ()
do for [i=1:words(models)] { set ytics add (word(models, i) words(models)-i) }
set key inside bottom right
array hue[3] = [blue, red, green]
y(i) = place(stringcolumn("model")) + 0.24*(2-i)
plot for [i=1:3] table using (pick(set[i], "mean")):(y(i)):(column("mean_low")):(column("mean_high")) \
         with xerrorbars pt 7 ps 0.5 lw 1.4 lc rgb hue[i] title set[i], \
     for [i=1:3] table using (pick(set[i], "floor")):(place(stringcolumn("model"))) with lines dt 2 lw 1.2 \
         lc rgb hue[i] notitle
unset multiplot
