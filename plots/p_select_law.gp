# p_select_law.gp - how far a compliant contact ends from x1, over stiffness, dissipation and transition speed.
width = 960; height = 380
load "plots/style.gp"

table = data."p_select_law.tsv"
set logscale xy
set format xy "10^{%T}"
set xlabel "friction is fully there at  [m/s]"
set xrange [1e-5:1]
set yrange [1e4:1e12]
set cbrange [0:0.7]
set cblabel "off x1, of the change of velocity"
set palette defined (0 "#e8f1fa", 0.15 "#56b4e9", 1 "#08306b")
unset grid
unset key
set pm3d map corners2color mean
losses = "0 5 1000"
set multiplot
set tmargin at screen 0.88
set bmargin at screen 0.18
do for [k=1:3] {
    set lmargin at screen 0.08 + 0.27 * (k - 1)
    set rmargin at screen 0.31 + 0.27 * (k - 1)
    set title "dissipation ".word(losses, k)." s/m" offset 0,-0.5
    if (k == 1) { set ylabel "modulus  [Pa]"; unset colorbox } else { unset ylabel; set format y "" }
    if (k == 3) { set colorbox }
    splot table using "transition":"stiffness":(column("dissipation") == real(word(losses, k)) ? column("off") : NaN) \
        with pm3d
}
unset multiplot
