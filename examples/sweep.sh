#!/bin/sh
# How large may PLUS's intervals be? Its error against the rigid limit over theta_max, on two cores. Prints:
#
#     0.01 rad: error 0.0010, 120 intervals
#     0.1 rad: error 0.0068, 13 intervals
#     0.5 rad: error 0.0248, 4 intervals
program=${1:-$(dirname "$0")/../build/impact}
scene=$(dirname "$0")/../benchmarks/scenes/brick-point.json
"$program" sweep --model plus --variant 'mu 0.125' --over theta_max=0.01,0.1,0.5 --jobs 2 "$scene" |
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["model"] == "plus" { printf "%s rad: error %.4f, %d intervals\n",
                                        $at["theta_max"], $at["v_error_limit"], $at["intervals"] }'
