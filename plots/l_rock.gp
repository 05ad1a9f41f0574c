# l_rock.gp - spin of a rocking block after it struck, over its slenderness.
width = 960; height = 380
load "plots/style.gp"

table = data."l_rock.tsv"
set multiplot layout 1,2
set xlabel "height / width"
set xrange [0:6.3]
set ylabel "spin after / before"
set yrange [-1.2:2.1]
set key top right
plot table using (pick("compliant", "slenderness")):(column("spin")) with lines lw 2.2 lc rgb black title "Hertz contacts", \
     table using (pick("lzb", "slenderness")):(column("spin")) with points pt 7 ps 0.9 lc rgb blue title "lzb", \
     table using (pick("sequential", "slenderness")):(column("spin")) with points pt 4 ps 1.1 lc rgb orange title "sequential", \
     table using (pick("plus", "slenderness")):(column("spin")) with points pt 9 ps 1 lc rgb green title "plus", \
     table using (pick("moreau", "slenderness")):(column("spin")) with points pt 2 ps 0.9 lc rgb red title "moreau", \
     table using (pick("frictionless", "slenderness")):(column("spin")) with points pt 6 ps 1.4 lc rgb purple title "frictionless"
set yrange [-0.2:1.2]
set key bottom right spacing 1.9
plot table using (pick("Housner", "slenderness")):(column("spin")) with linespoints pt 7 ps 0.9 lw 1.4 lc rgb blue title "Housner; auto, moreau,\nanitescu, poisson", \
     table using (pick("damped", "slenderness")):(column("spin")) with points pt 4 ps 1.2 lc rgb orange title "damped contacts"
unset multiplot
