# p_tab2.gp - the whole channel from its start: volume fraction, contacts, penetration.
width = 960; height = 340
load "plots/style.gp"

table = data."p_tab2.tsv"
set multiplot layout 1,3 margins 0.065,0.985,0.16,0.96 spacing 0.08
set xlabel "t  [s]"
set xrange [0:*]
set ylabel "volume fraction  [%]"
set yrange [42:62]
set key top left
plot table using "t_s":"fraction" with lines lw 2 lc rgb blue title "ours", \
     57.2 with lines dt (4,4) lc rgb black title "printed: 57.2"
set ylabel "contacts per particle"
set yrange [0:6.4]
set key top left
plot table using "t_s":"close" with lines lw 2 lc rgb blue title "gap < 0.5 μm", \
     "" using "t_s":"touching" with lines lw 2 lc rgb orange title "gap < 0", \
     "" using "t_s":"loaded" with lines lw 2 lc rgb green title "with an impulse", \
     2.59 with lines dt (4,4) lc rgb black title "printed: 2.59"
set ylabel "deepest penetration  [μm]"
set yrange [0:62]
set key top left
plot table using "t_s":"penetration_um" with lines lw 2 lc rgb red title "ours", \
     39.1 with lines dt (4,4) lc rgb black title "printed, per law", \
     46.5 with lines dt (4,4) lc rgb black notitle
unset multiplot
