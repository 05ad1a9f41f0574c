#!/bin/sh
# The table of the peers names every case in which a peer without failures is quicker or closer than all of ours.
. "$(dirname "$0")/check.sh"
row() { printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$@" >>"$work/rows"; }
row q won 'impact, a' 10 1e-16 0 ''
row q won peer 20 1e-15 0 ''
row q quicker 'impact, a' 10 1e-16 0 ''
row q quicker peer 5 1e-6 0 ''
row q failing 'impact, a' 10 1e-16 0 ''
row q failing peer 5 1e-6 3 ''
row q closer 'impact, a' 10 1e-3 0 ''
row q closer peer 20 1e-4 0 ''
row q unsolved 'impact, a' 10 1 100 ''
row q unsolved peer 20 1e-4 0 ''
row q apart 'impact, a' 10 1e-3 0 'another law'
row q apart 'impact, b' 30 1e-12 0 ''
row q apart peer 20 1e-12 0 ''
awk -f benchmarks/peers/table.awk "$work/rows" >"$work/table"
lost() { grep -q "^- q, $1 .*$2" "$work/table"; }
not() { ! "$@"; }
check 'a case won is not listed' not lost won ''
check 'a quicker peer is' lost quicker 'peer quicker (5 ns)'
check 'one that fails is not' not lost failing ''
check 'a closer one is' lost closer 'peer closer (1e-4)'
check 'a case that none of ours solves is' lost unsolved 'ours: none.*peer solves it'
check 'a row of another law does not compete' lost apart 'ours: 30 ns.*peer quicker'
check 'failures stand in the table' grep -q '3 % fail' "$work/table"
check 'one row a solver' test "$(grep -c '^| impact, a' "$work/table")" -eq 1
echo "1..$count"
