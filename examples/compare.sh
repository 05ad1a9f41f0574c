#!/bin/sh
# Which models are nearest to compliant contact, of a brick that strikes with a vertex? Prints:
#
#     plus: 0.003 of the speed before off
#     single-phase: 0.003 of the speed before off
#     darboux-poisson: 0.003 of the speed before off
program=${1:-$(dirname "$0")/../build/impact}
scene=$(dirname "$0")/../benchmarks/scenes/brick-point.json
"$program" compare --variant 'mu 0.125' "$scene" |
    awk -F '\t' 'NR > 1 && $2 !~ /compliant|limit/ && $7 != "" { print $7, $2 }' | sort -g | head -3 |
    awk '{ printf "%s: %.3f of the speed before off\n", $2, $1 }'
