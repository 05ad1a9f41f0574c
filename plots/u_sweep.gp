# u_sweep.gp - error and cost of PLUS over theta_max, and of compliant contact over stiffness.
width = 960; height = 760
load "plots/style.gp"

theta = data."u_sweep_theta.tsv"
stiff = data."u_sweep_stiffness.tsv"
array mu[3] = ["0.125", "0.225", "0.325"]
array colour[3] = [blue, green, red]
set multiplot layout 2,2 margins 0.085,0.985,0.085,0.97 spacing 0.1,0.11
set logscale xy
set format xy "10^{%L}"
series(i, name) = (stringcolumn("mu") eq mu[i] ? column(name) : NaN)

set xlabel "θ_{max}  [rad]"
set xrange [6e-5:0.6]
set ylabel "impulse error of PLUS  [N s]"
set key top left
plot for [i=1:2] theta using "theta_rad":(series(i, "error_Ns")) with linespoints pt 7 ps 0.6 lw 1.6 lc rgb colour[i] \
        title "μ = ".mu[i], \
     1.1*x with lines dt (6,5) lc rgb black title "θ_{max}"
set ylabel "cost of PLUS"
set key top right
plot for [i=1:3] theta using "theta_rad":(series(i, "intervals")) with linespoints pt 7 ps 0.6 lw 1.6 \
        lc rgb colour[i] title "intervals, μ = ".mu[i], \
     for [i=1:3] theta using "theta_rad":(series(i, "time_us")) with linespoints pt 6 ps 0.7 lw 1.2 dt (4,4) \
        lc rgb colour[i] title i == 1 ? "CPU time  [μs]" : ""
set xlabel "stiffness E  [Pa]"
set xrange [6e6:1.6e13]
set ylabel "distance from the rigid limit  [N s]"
plot for [i=1:3] stiff using "E_Pa":(series(i, "error_Ns")) with linespoints pt 7 ps 0.6 lw 1.6 lc rgb colour[i] \
        title "μ = ".mu[i], \
     0.06*(x/1e10)**(-0.4) with lines dt (6,5) lc rgb black title "E^{-2/5}"
set ylabel "cost of compliant contact"
set yrange [1e2:1e6]
set key top left
plot for [i=1:3] stiff using "E_Pa":(series(i, "evaluations")) with linespoints pt 7 ps 0.6 lw 1.6 lc rgb colour[i] \
        title "force evaluations, μ = ".mu[i], \
     for [i=1:3] stiff using "E_Pa":(series(i, "time_us")) with linespoints pt 6 ps 0.7 lw 1.2 dt (4,4) \
        lc rgb colour[i] title i == 1 ? "CPU time  [μs]" : ""
unset multiplot
