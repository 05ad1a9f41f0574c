# p_order.gp - errors of the time stepper over its step, against closed forms.
width = 900; height = 540
load "plots/style.gp"

table = data."p_order.tsv"
set logscale xy
set format "10^{%T}"
set xlabel "step  [s]"
set xrange [2e-5:0.04]
motions = "'ball, slides' 'ball, slides and rolls' 'ball, falls' 'ball, three impacts' 'ball, to rest' ".\
          "'pendulum, swings' 'pendulum, three impacts' 'pendulum, to rest'"
colours = blue." ".blue." ".green." ".red." ".orange." ".green." ".red." ".orange
dots = "4 6 1 5 7 2 9 13"
set multiplot
set yrange [1e-7:1]
set key at screen 0.5,0.01 center bottom maxrows 3 samplen 1.6 width 2
set size 0.5,0.82
set origin 0,0.18
set ylabel "place, largest error"
plot sample [2e-5:0.04] 10 * x with lines lw 1.6 dt (6,5) lc rgb black title "order 1", \
     for [k=1:8] table using (pick(word(motions, k), "h_s")):(column("place")) with linespoints \
         lc rgb word(colours, k) pt int(word(dots, k)) ps 0.6 lw 0.8 title word(motions, k)
set origin 0.5,0.18
set ylabel "velocity, mean error"
set yrange [1e-8:1]
unset key
plot sample [2e-5:0.04] 40 * x with lines lw 1.6 dt (6,5) lc rgb black, \
     [2e-5:0.04] 10 * x**2 with lines lw 1.2 dt (2,4) lc rgb black, \
     for [k=4:8] table using (pick(word(motions, k), "h_s")):(column("mean_rate")) with linespoints \
         lc rgb word(colours, k) pt int(word(dots, k)) ps 0.6 lw 0.8
unset multiplot
