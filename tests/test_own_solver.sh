#!/bin/sh
# docs/own-solver.md: the answer that it shows is that of the problem that it shows. (Its commands: test_docs.sh.)
. "$(dirname "$0")/program.sh"
grep '^{"kind": "problem"' "$root/docs/own-solver.md" > shown.json
grep '^{"id": ' "$root/docs/own-solver.md" > answer.json
judges 'the answer shown is that of the problem shown' 0 --model coulomb --tol 1e-6 shown.json answer.json
echo "1..$count"
