#!/bin/sh
# The gate passes on the committed baseline and fails, with a line per metric, when every solver is made worse.
gate="${BUILD:-build}/benchmarks/gate"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
check() {
    name=$1
    shift
    count=$((count + 1))
    if "$@"; then echo "ok $count - $name"; else echo "not ok $count - $name"; fi
}
case "${BUILD:-build}" in
*san* | *cov*) echo "1..0 # SKIP the gate measures the optimised build"; exit 0 ;;
esac
"$gate" --worse --json "$work/worse.json" benchmarks/baseline.tsv >"$work/out" 2>"$work/err"
check 'solvers made worse fail the gate' test $? -eq 1
measured=$(grep -c '^\(not \)\?ok' "$work/out")
skipped=$(grep -c SKIP "$work/out")
violations=$(grep -c '^gate: .*: was .*, is .*, allowed ' "$work/err")
check 'every metric says what, was, is, allowed' test "$violations" -eq $((measured - skipped))
check 'and JSON carries them' grep -q '"ok": false' "$work/worse.json"
"$gate" "$work/none.tsv" >/dev/null 2>"$work/err"
check 'no baseline: exit 2' test $? -eq 2
check 'one line' test "$(wc -l <"$work/err")" -eq 1
printf 'name\tkind\tvalue\nmaxdiss/spd-8/residual\taccuracy\t0\n' >"$work/old.tsv"
"$gate" "$work/old.tsv" >/dev/null 2>"$work/err"
check 'a metric the baseline does not have fails' grep -q 'not in the baseline' "$work/err"
echo "1..$count"
