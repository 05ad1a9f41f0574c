# p_fig3.gp - the structogram, as the paper draws it, with how many random problems reached each of its leaves.
width = 1000; height = 430
load "plots/style.gp"

table = data."p_fig3.tsv"
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set xrange [-0.05:9.05]
set yrange [-0.05:7.75]
unset border; unset tics; unset grid; unset key

# Nine leaves side by side, the tests above them: test k lies over the leaves from[k] .. to[k], and splits after split[k].
tests = 6
array from[tests] = [0, 1, 2, 3, 3, 4]
array to[tests] = [9, 9, 9, 9, 6, 6]
array split[tests] = [1, 2, 3, 6, 4, 5]
array top[tests] = [7.7, 6.7, 5.7, 4.7, 3.7, 2.7]
array question[tests] = ["b_n < 0 ?", "μ = 0 ?", "P1: x_0 in the cone ?", "b_n = 0 ?", "P2: A_{nn} > μ|a| ?", "r* > 0 ?"]
do for [k=1:tests] {
    set object k rectangle from from[k],top[k]-1 to to[k],top[k] fillcolor rgb ground fillstyle solid 1 border lc rgb frame
    set arrow 2*k from from[k],top[k] to split[k],top[k]-1 nohead lc rgb frame front
    set arrow 2*k+1 from to[k],top[k] to split[k],top[k]-1 nohead lc rgb frame front
    set label 3*k question[k] at 0.5*(from[k]+to[k])+0.12*(k < 4),top[k]-0.32 center front tc rgb black
    set label 3*k+1 "yes" at from[k]+0.06,top[k]-0.86 left front font ",9" tc rgb frame
    set label 3*k+2 "no" at to[k]-0.06,top[k]-0.86 right front font ",9" tc rgb frame
}
set object 10 rectangle from 6,2.7 to 9,3.7 fillcolor rgb ground fillstyle solid 1 border lc rgb frame
set label 40 "A_{nn} against μ|a|" at 7.5,3.38 center front tc rgb black
array sign[3] = ["greater", "equal", "less"]
do for [k=1:3] { set label 40+k sign[k] at 5.5+k,2.9 center front font ",9" tc rgb frame }
array ends[9] = [6.7, 5.7, 4.7, 2.7, 1.7, 1.7, 2.7, 2.7, 2.7] # of each leaf, upwards
braced(s, at) = at > 0 ? s[1:at+1]."{nn}".s[at+4:*] : s # A_nn, both letters below the line
answer(s) = braced(s, strstrt(s, "A_nn"))
leaf(n) = sprintf("%s\n%s\n\n%d", stringcolumn("leaf"), answer(stringcolumn("answer")), n)
plot table using ($0+0.5):(0.5*ends[int($0)+1]):(0.5):(0.5*ends[int($0)+1]) with boxxyerror fs empty lc rgb frame, \
     "" using ($0+0.5):(1.2):(leaf(column("problems"))) with labels font ",10" tc rgb black
