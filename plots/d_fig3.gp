# d_fig3.gp - energy of a coasting engine with polygonal bearings.
width = 700; height = 400
load "plots/style.gp"

table = data."d_fig3.tsv"
set xlabel "t  [s]"
set ylabel "kinetic energy  [J]"
set xrange [0:0.3]
set yrange [0.395:0.435]
set key bottom left
plot 0.42938 with lines dt 2 lw 1.5 lc rgb black title "ideal mechanism", \
     table using (pick("coast, K = 6", "t_s")):(column("kinetic_J")) with lines lw 2 lc rgb blue title "K = 6", \
     "" using (pick("coast, K = 12", "t_s")):(column("kinetic_J")) with lines lw 2 lc rgb green title "K = 12", \
     "" using (pick("coast, K = 24", "t_s")):(column("kinetic_J")) with lines lw 2 lc rgb orange title "K = 24", \
     "" using (pick("coast, K = 6, overlaps left", "t_s")):(column("kinetic_J")) with lines lw 1.5 dt 3 lc rgb red \
        title "K = 6, overlaps not pushed out"
