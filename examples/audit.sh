#!/bin/sh
# An audit names what is wrong: our own solver, with its friction along the slip. Prints:
#
#     failed: 2 of 4 right, 2 false (slip: 2; claims success falsely: 2; friction along the slip: 2); --seed 1
program=${1:-$(dirname "$0")/../build/impact}
examples=$(dirname "$0")
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
sed 's/not along > 1e-12/not along < -1e-12/' "$examples/own_solver.py" > "$work/wrong.py"
"$program" audit --exec "python3 $work/wrong.py" --law coulomb --seed 1 -n 4 sphere -o "$work/audit.tsv" 2>&1 |
    sed 's/.*failed/failed/'
