# u_fig15.gp - CPU time and error of a triple pendulum's impact over stiffness.
width = 960; height = 440
load "plots/style.gp"

table = data."u_fig15.tsv"
array reading[2] = ["relative angles", "absolute angles"]
array colour[2] = [blue, red]
set multiplot layout 1,2 margins 0.085,0.985,0.15,0.96 spacing 0.09
set logscale xy
set format xy "10^{%L}"
set xrange [0.007:140]
set xlabel "stiffness E  [GPa]"
set ylabel "CPU time  [μs]"
set yrange [0.1:1e5]
set key top left
plot for [i=1:2] table using (pick(reading[i], "E_Pa")/1e9):(column("equal_us")) \
        with linespoints pt 7 ps 0.8 lw 1.8 lc rgb colour[i] title "compliant at 1 % error, ".reading[i], \
     for [i=1:2] table using (pick(reading[i], "E_Pa")/1e9):(column("fixed_us")) \
        with linespoints pt 6 ps 0.8 lw 1.2 lc rgb colour[i] title "compliant at accuracy 10^{-5}, ".reading[i], \
     for [i=1:2] table using (pick(reading[i], "E_Pa")/1e9):(column("plus_us")) \
        with lines lw 2 dt (7,5) lc rgb colour[i] title "PLUS, ".reading[i]
set ylabel "error of the sphere's height 0.1 s later"
set yrange [1e-4:10]
plot for [i=1:2] table using (pick(reading[i], "E_Pa")/1e9):(column("error")) \
        with linespoints pt 7 ps 0.8 lw 1.8 lc rgb colour[i] title "compliant, ".reading[i], \
     for [i=1:2] table using (pick(reading[i], "E_Pa")/1e9):(column("plus_error")) \
        with linespoints pt 4 ps 0.9 lw 1.8 dt (7,5) lc rgb colour[i] title "PLUS, ".reading[i], \
     0.01 with lines lw 1.2 dt (3,3) lc rgb black title "1 %"
unset multiplot
