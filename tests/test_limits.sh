#!/bin/sh
# What docs/accuracy.md says that readers take: at each limit read, beyond it a line. (Of HDF5: test_fclib_hostile.c.)
. "$(dirname "$0")/program.sh"
printf 'id\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3\te\na\t0.5\t2\t0\t0\t2\t0\t2\t-1\t0\t0\t0\n' > table.tsv
cp "$root/benchmarks/flows/cube.json" flow.json
# many N WORD: it so many times
many() { awk -v n="$1" -v word="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", word }'; }

# reads NAME ARGUMENTS: with an answer
reads() {
    name=$1
    shift
    impact "$@"
    verdict "read: $name" $status
}

{ printf '#' && many 1048574 x && echo && cat table.tsv; } > longest.tsv
{ printf '#' && many 1048575 x && echo && cat table.tsv; } > longer.tsv
reads 'a line of 1048576 bytes, its end among them' solve --model maxdiss longest.tsv
refused 'one more' 'longer.tsv:1:1: a line of more than 1048576 bytes' solve --model maxdiss longer.tsv
{ many 2048 '[' && many 2048 ']'; } > deepest.json
{ many 2049 '[' && many 2049 ']'; } > deeper.json
refused 'a list 2048 deep, for what it holds' '$[0]' solve --model maxdiss deepest.json
refused 'one deeper, for its depth' 'deeper.json:1:2049: maximum parsing depth reached' solve --model maxdiss deeper.json

title=$(many 255 x)
reads 'a title of 255 bytes' flow --set until=1e-5 --set "title=$title" flow.json
refused 'one more' '$.title: too long, expected' flow --set until=1e-5 --set "title=x$title" flow.json
plane='{"plane": {"point": [0, 0, 0], "normal": [0, 0, 1], "velocity": [0, 0, 0]}, "friction": 0.3}'
reads '12 shapes' flow --set until=1e-5 --set "shapes=[$(many 11 "$plane, ")$plane]" flow.json
refused 'one more' '$.shapes: an array of 13, expected at most 12 shapes' flow --set until=1e-5 --set "shapes=[$(many 12 "$plane, ")$plane]" flow.json
refused 'more than 1024 threads' '$.threads: 1025, expected a whole number from 1 to 1024' flow --set threads=1025 flow.json

# answers N: one of N bytes, its end of line among them
answers() {
    { echo '#!/bin/sh' && echo 'while read -r line; do cat answer; done'; } > solver && chmod +x solver
    { printf '{"p": [0, 0, 0]}' && many $(($1 - 17)) ' ' && echo; } > answer
    impact solve --law maxdiss --exec ./solver --time-limit 20 table.tsv
}
answers 67537
cut -f 2 out | grep -q '^not-certified$'
verdict 'of a solver outside an answer of 65536 bytes, 2000 for each contact and its end is read' $?
answers 67538
cut -f 2 out | grep -q '^bad-answer$'
verdict 'one more: a bad answer' $?
solvers=$(many 8 '--exec true --law coulomb ')
impact race $solvers table.tsv
! grep -q 'at most' err
verdict '8 solvers outside' $?
refused 'one more' '8 solvers' race $solvers --exec true --law coulomb table.tsv
echo "1..$count"
