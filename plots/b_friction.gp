# b_friction.gp - pivots of Lemke's method for each contact, by the contacts, one curve for each friction.
width = 760; height = 480
load "plots/style.gp"

table = data."b_friction.tsv"
set logscale y
set xlabel "contacts"
set ylabel "pivots for each contact"
set key top left
array colour[5] = [blue, sky, green, orange, red]
plot for [k=1:5] table using ((abs(column("mu") - (0.2*k - 0.1)) < 0.01) ? column("contacts") : NaN):(column("each")) \
         with linespoints pt 7 ps 0.7 lw 1.4 lc rgb colour[k] title sprintf("mu %.1f", 0.2*k - 0.1)
