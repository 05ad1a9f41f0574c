# p_fig4.gp - the academic body against its plane; gnuplot projects.
width = 760; height = 330
load "plots/style.gp"

table = data."p_fig4.tsv"
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set view 66, 28, 4.4, 1
set view equal xyz
set xrange [-11:13]
set yrange [-5:5]
set zrange [-5:5]
unset border
unset tics
unset grid
set key at screen 0.02, 0.42 left top
splot table using (pick("plane", "x")):(column("y")):(column("z")) with lines lw 0.8 lc rgb grey title "plane", \
      "" using (pick("rod", "x")):(column("y")):(column("z")) with lines lw 2 lc rgb black title "massless rods", \
      "" using (pick("mass", "x")):(column("y")):(column("z")):(0.6+0.3*column("mass")**(1./3)) \
         with points pt 7 ps variable lc rgb "#5a6673" title "mass points", \
      "" using (pick("normal", "x")):(column("y")):(column("z")):(column("dx")):(column("dy")):(column("dz")) \
         with vectors head filled size 0.5,20 lw 2 lc rgb blue title "normal n", \
      "" using (pick("velocity", "x")):(column("y")):(column("z")):(column("dx")):(column("dy")):(column("dz")) \
         with vectors head filled size 0.5,20 lw 2 lc rgb green title "velocity  (4 m per m/s)", \
      "" using (pick("impulse", "x")):(column("y")):(column("z")):(column("dx")):(column("dy")):(column("dz")) \
         with vectors head filled size 0.5,20 lw 2.5 lc rgb red title "impulse on the body  (0.5 m per N s)"
