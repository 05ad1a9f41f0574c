# u_joint.gp - the crank of a linkage that meets a stop, from impact to impact and by steps.
width = 720; height = 380
load "plots/style.gp"

table = data."u_joint_swing.tsv"
array series[3] = ["steps of 5 ms", "steps of 1 ms", "impact to impact"]
array colour[3] = [orange, sky, black]
set xlabel "t  [s]"
set ylabel "angle of the crank  [rad]"
set xrange [0:0.5]
set key top right
plot for [i=1:3] table using (pick(series[i], "t_s")):(column("crank_rad")) with lines lw 1.5 lc rgb colour[i] \
        title series[i]
