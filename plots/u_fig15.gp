# u_fig15.gp - CPU time and error of a triple pendulum's impact over stiffness, by integrator.
width = 960; height = 440
load "plots/style.gp"

table = data."u_fig15.tsv"
array method[4] = ["Runge-Kutta-Merson", "Dormand-Prince 8(7)", "semi-explicit Euler", "implicit Euler"]
array colour[4] = [blue, green, orange, red]
at(m, name) = strcol("integrator") eq method[m] ? pick("relative angles", name) : NaN
set multiplot layout 1,2 margins 0.085,0.985,0.15,0.96 spacing 0.09
set logscale xy
set format xy "10^{%L}"
set xrange [0.007:140]
set xlabel "stiffness E  [GPa]"
set ylabel "CPU time  [μs]"
set yrange [0.1:1e6]
set key top left
plot for [m=1:4] table using (at(m, "E_Pa")/1e9):(column("equal_us")) \
        with linespoints pt 7 ps 0.8 lw 1.8 lc rgb colour[m] notitle, \
     for [m=1:4] table using (at(m, "E_Pa")/1e9):(column("held_us")) \
        with linespoints pt 6 ps 0.8 lw 1.2 lc rgb colour[m] notitle, \
     NaN with linespoints pt 7 ps 0.8 lw 1.8 lc rgb black title "error of 1 % (colours: at right)", \
     NaN with linespoints pt 6 ps 0.8 lw 1.2 lc rgb black title "accuracy 10^{-5}", \
     table using (at(1, "E_Pa")/1e9):(column("plus_us")) with lines lw 2 dt (7,5) lc rgb black title "PLUS"
set ylabel "error of the sphere's height 0.1 s later"
set yrange [1e-4:10]
plot for [m=1:4] table using (at(m, "E_Pa")/1e9):(column("error")) \
        with linespoints pt 7 ps 0.8 lw 1.8 lc rgb colour[m] title method[m], \
     table using (at(1, "E_Pa")/1e9):(column("plus_error")) \
        with linespoints pt 4 ps 0.9 lw 1.8 dt (7,5) lc rgb black title "PLUS", \
     0.01 with lines lw 1.2 dt (3,3) lc rgb black title "1 %"
unset multiplot
