# p_fig3.gp - how many random problems reached each leaf of the structogram.
width = 720; height = 380
load "plots/style.gp"

table = data."p_fig3.tsv"
set logscale x
set format x "10^{%L}"
set xrange [10:1e7]
set yrange [8.6:-0.6]
set xlabel "random problems that reached the leaf"
set grid noytics
unset key
set style fill solid 0.85 noborder
plot table using (10):0:(10):4:($0-0.34):($0+0.34):ytic(1) with boxxyerror lc rgb sky, \
     "" using 4:0:(sprintf(" %d", column(4))) with labels left offset 0.5,0 font ",10" textcolor rgb black
