# p_graze.gp - which impulse a compliant rod that grazes comes to, by the transition speed of friction and the approach.
width = 720; height = 460
load "plots/style.gp"

table = data."p_graze.tsv"
set logscale xy
set format xy "10^{%T}"
set lmargin at screen 0.11
set rmargin at screen 0.82
set tmargin at screen 0.96
set bmargin at screen 0.13
set xlabel "slip at which friction is fully there / slip"
set ylabel "approach / slip"
set cblabel "impulse / Λ_0"
set xrange [1e-3:10]
set yrange [1e-6:1e-2]
set cbrange [0:1]
set palette defined (0 "#f2f7fb", 0.5 "#56b4e9", 1 "#08306b")
unset grid
set label 1 "Λ_0" at 0.01,1e-4 center front textcolor rgb on_dark
set label 2 "0" at 5,1e-4 center front textcolor rgb on_light
unset key
edge = data."p_graze_edge.tsv"
set pm3d map corners2color c1
splot table using "transition":"approach":"size" with pm3d, \
      edge using "transition":"approach":(0) with lines lw 2.4 lc rgb red
