# m_box.gp - normal velocity over normal impulse of a box's corner.
width = 640; height = 400
load "plots/style.gp"

table = data."m_box.tsv"
set xlabel "p_n  [N s]"
set ylabel "u_n  [m/s]"
set xzeroaxis lw 1 lc rgb black
set key left top
plot table using (pick("path", "p_n_Ns")):(pick("path", "u_n_mps")) with lines lw 2.4 lc rgb blue title "u_n(p_n)"
