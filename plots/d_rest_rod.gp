# d_rest_rod.gp - Painleve's rod stepped through by four models.
width = 900; height = 380
load "plots/style.gp"

table = data."d_rest_rod.tsv"
array model[4] = ["drumwright", "anitescu", "gauss-seidel-coulomb", "gauss-seidel-maxdiss"]
array colour[4] = [blue, orange, green, red]
array style_of[4] = [1, 1, 2, 3]
array width_of[4] = [2.2, 4.5, 2.4, 2] # three of them coincide: the widest lies below
set multiplot layout 1,2
set xlabel "t  [s]"
set xrange [0:0.3]
set ylabel "kinetic energy  [J]"
set yrange [0:6.5]
set key top left
plot for [i=1:4] table using (pick(model[i], "t_s")):(column("kinetic_J")) with lines lw width_of[i] dt style_of[i] \
    lc rgb colour[i] title model[i]
set ylabel "slip speed of the tip  [m/s]"
set yrange [*:*]
set key off
plot for [i=1:4] table using (pick(model[i], "t_s")):(abs(column("u_t_m_per_s"))) with lines lw width_of[i] dt style_of[i] \
    lc rgb colour[i] title model[i]
unset multiplot
