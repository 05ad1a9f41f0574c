# m_fig2.gp - normal velocity over normal impulse in a collision with two compressions.
width = 640; height = 400
load "plots/style.gp"

table = data."m_fig2.tsv"
set xlabel "p_n  [N s]"
set ylabel "u_n  [m/s]"
set xzeroaxis lw 1 lc rgb black
set key left top
plot table using (pick("path", "p_n_Ns")):(pick("path", "u_n_mps")) with lines lw 2.4 lc rgb blue title "u_n(p_n)", \
     "" using (pick("end", "p_n_Ns")):(pick("end", "u_n_mps")) with points pt 7 ps 0.8 lc rgb red \
        title "ends of the phases, e = 0.9", \
     "" using (pick("printed", "p_n_Ns")):(pick("printed", "u_n_mps")) with points pt 6 ps 1.4 lw 1.4 lc rgb black \
        title "zeros as printed: 14.6, 29.8, 56.0"
