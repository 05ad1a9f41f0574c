#!/bin/sh
# docs/own-solver.md: its commands, as they stand there, succeed, and the problem that it shows has the answer's shape.
. "$(dirname "$0")/program.sh"
python3 -c 'import json' 2> /dev/null || { echo '1..0 # SKIP no python3'; exit; }
PATH=$(dirname "$program"):$PATH
ln -s "$root/examples" "$root/lib" "$root/benchmarks" "$root/plots" .
ln -s "$(dirname "$program")" build
sed -n 's/^    \$ //p' "$root/docs/own-solver.md" | sed "s/^gcc /${CC:-gcc} /" > commands
while read -r line; do
    (unset -f impact; eval "$line") > out 2> err < /dev/null # the program itself, with its exit status
    verdict "$line" $?
done < commands
[ "$(wc -l < commands)" -ge 7 ]
verdict 'there are commands' $?
[ "$(tail -n +2 solved.tsv | cut -f2 | sort -u)" = ok ] && [ "$(wc -l < solved.tsv)" = 101 ]
verdict 'every problem is solved' $?
grep '^{"kind": "problem"' "$root/docs/own-solver.md" > shown.json
grep '^{"p": ' "$root/docs/own-solver.md" > answer.json
judges 'the answer shown is that of the problem shown' 0 --model coulomb --tol 1e-6 shown.json answer.json
echo "1..$count"
