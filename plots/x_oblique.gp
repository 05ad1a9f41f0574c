# x_oblique.gp - tangential restitution over the angle of approach, measured and by three kinds of contact.
width = 720; height = 440
load "plots/style.gp"

table = data."x_oblique.tsv"
set xlabel "angle of approach from the normal  [degrees]"
set ylabel "tangential velocity after / before, e_t"
set xrange [0:70]
set yrange [0.52:1]
set key bottom right
plot table using (pick("rigid", "angle_deg")):(column("e_t")) with lines lw 2.4 lc rgb black title "rigid, Coulomb", \
     table using (pick("stiff", "angle_deg")):(column("e_t")) with lines lw 2 dt (7,5) lc rgb sky \
        title "compliant along the normal alone", \
     table using (pick("gives", "angle_deg")):(column("e_t")) with lines lw 2.4 lc rgb red \
        title "compliant along the surface, too", \
     table using (pick("measured", "angle_deg")):(column("e_t")) with points pt 7 ps 0.9 lc rgb blue \
        title "measured"
