# p_tab2.gp - the whole channel from its start: volume fraction, contacts, penetration.
width = 960; height = 340
load "plots/style.gp"

table = data."p_tab2.tsv"
set multiplot layout 1,3
set xlabel "t  [s]"
set xrange [0:*]
set ylabel "volume fraction  [%]"
set key off
plot table using "t_s":"fraction" with lines lw 2 lc rgb blue, 57.2 with lines dt 3 lc rgb black
set ylabel "contacts per particle"
set yrange [0:5.2]
set key top right
plot table using "t_s":"close" with lines lw 2 lc rgb blue title "gap < 0.5 μm", \
     "" using "t_s":"touching" with lines lw 2 lc rgb orange title "gap < 0", \
     "" using "t_s":"loaded" with lines lw 2 lc rgb green title "with an impulse", \
     2.59 with lines dt 3 lc rgb black notitle
set ylabel "deepest penetration  [μm]"
set yrange [0:*]
set key off
plot table using "t_s":"penetration_um" with lines lw 2 lc rgb red, \
     39.1 with lines dt 3 lc rgb black, 46.5 with lines dt 3 lc rgb black
unset multiplot
