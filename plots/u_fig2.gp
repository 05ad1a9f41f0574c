# u_fig2.gp - restitution over the approach speed.
width = 900; height = 380
load "plots/style.gp"

table = data."u_fig2.tsv"
set multiplot layout 1,2 margins 0.085,0.985,0.2,0.96 spacing 0.07
set yrange [-0.04:1.08]
set xlabel "approach speed -v_z  [m/s]"
set ylabel "coefficient of restitution e"
set xrange [0:0.16]
set xtics ("v_{capture}\n0.01" 0.01, "0.05" 0.05, "v_{plastic}\n0.1" 0.1, "0.15" 0.15)
set xlabel offset 0,-0.6
set key off
set arrow 1 from 0.1,-0.04 to 0.1,0.392 nohead dt (4,4) lc rgb grey
set arrow 2 from 0,0.392 to 0.1,0.392 nohead dt (4,4) lc rgb grey
set arrow 3 from 0,1 to 0.01,0.9392 nohead dt (4,4) lc rgb grey
set label 1 "e_{min} = 0.392" at 0.004,0.44 left
plot table using (pick("captured", "speed")):(column("e")) with lines lw 2.6 lc rgb blue, \
     table using (pick("plus", "speed")):(column("e")) with lines lw 2.6 lc rgb blue
unset arrow 1; unset arrow 2; unset arrow 3; unset label 1
set logscale x
set xrange [1e-3:10]
set xtics autofreq
set format x "10^{%L}"
unset ylabel
set key bottom left at graph 0.03, 0.12
plot table using (pick("captured", "speed")):(column("e")) with lines lw 2.6 lc rgb blue notitle, \
     table using (pick("plus", "speed")):(column("e")) with lines lw 2.6 lc rgb blue title "PLUS", \
     table using (pick("compliant", "speed")):(column("e")) with lines lw 2.2 dt (8,5) lc rgb red \
        title "compliant, c = 0.26 s/m"
unset multiplot
