# fclib_profile.gp - Dolan-More performance profile of solvers on a collection of problems.
width = 760; height = 420
load "plots/style.gp"

if (!exists("table")) { table = data."fclib_profile.tsv" }
solvers = "auto ".system("awk -F '\\t' '!/^#/ && $1 != \"solver\" && $1 != \"auto\" && !seen[$1]++ { print $1 }' ".table)
set logscale x
set xrange [1:1000]
set yrange [0:1.02]
set xlabel "time over the best time τ"
set ylabel "share of problems solved within τ"
set key outside right
array colour[6] = [red, blue, green, orange, purple, sky]
plot for [i=1:words(solvers)] table using 2:(pick(word(solvers, i), "share")) with steps lw 1.8 dt 1+(i-1)/6 \
     lc rgb colour[1+(i-1)%6] title word(solvers, i)
