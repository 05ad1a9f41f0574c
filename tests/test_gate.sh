#!/bin/sh
# The gate passes on the committed baseline and fails, with a line per metric, when every solver is made worse.
gate="${BUILD:-build}/benchmarks/gate"
. "$(dirname "$0")/check.sh"
case "${BUILD:-build}" in
*san* | *cov*) echo "1..0 # SKIP the gate measures the optimised build"; exit 0 ;;
esac
only=$([ "$LONG" ] || echo '--only maxdiss/sp') # one of each kind: all take a minute
# shellcheck disable=SC2086
"$gate" --worse $only --json "$work/worse.json" benchmarks/baseline.tsv >"$work/out" 2>"$work/err"
check 'solvers made worse fail the gate' test $? -eq 1
measured=$(grep -c '^\(not \)\?ok' "$work/out")
skipped=$(grep -c SKIP "$work/out")
violations=$(grep -c '^gate: .*: was .*, is .*, allowed ' "$work/err")
check 'every metric says what, was, is, allowed' test "$violations" -eq $((measured - skipped))
check 'and JSON carries them' grep -q '"ok": false' "$work/worse.json"
# One solver built worse, and the gate with it: the slide's root and its polish are driven much further than they need.
mkdir "$work/single"
sed 's/COARSE = 3e-3/COARSE = 3e-13/; s/fill(1e8)/fill(1e30)/' lib/single/maxdiss_lanes.h >"$work/single/maxdiss_lanes.h"
check 'there is a solver to make worse' test "$(diff lib/single/maxdiss_lanes.h "$work/single/maxdiss_lanes.h" | grep -c '^>')" -eq 2
$(cat "${BUILD:-build}/flags") -iquote "$work" -c lib/single/maxdiss.c -o "$work/maxdiss.o"
cp "${BUILD:-build}/libimpact.a" "$work"
ar r "$work/libimpact.a" "$work/maxdiss.o"
# shellcheck disable=SC2086
$CC "$gate.o" "${BUILD:-build}/librooms.a" "$work/libimpact.a" $LIBS -o "$work/gate"
"$work/gate" --only maxdiss/speed-box benchmarks/baseline.tsv >"$work/out" 2>"$work/err"
check 'a solver built worse fails the gate' test $? -eq 1
check 'by its steps' grep -q '^gate: maxdiss/speed-box/steps: was .*, is .*, allowed ' "$work/err"
case "$(cat "$work/out")" in
*SKIP*) echo "ok $((count += 1)) - its instructions # SKIP not counted here" ;;
*) check 'and by its instructions' grep -q '^gate: maxdiss/speed-box/2000: was ' "$work/err" ;;
esac
"$gate" --only maxdiss/speed-box benchmarks/baseline.tsv >"$work/out" 2>"$work/err"
check 'as it is, it passes' test $? -eq 0
# A value that is worse than a better baseline, of what is measured of every model and of the stepper.
awk -F'\t' -v OFS='\t' '/^(models|step)\// { $3 = $2 == "work" ? $3 / 2 - 1 : $3 / 2 - 1e-15 } { print }' \
    benchmarks/baseline.tsv >"$work/better.tsv"
"$gate" --only planar-poisson/work "$work/better.tsv" >"$work/out" 2>"$work/err"
check 'a model that works more than it did fails' grep -q '^gate: models/planar-poisson/work: was .*, is .*, allowed ' "$work/err"
"$gate" --only newton/residual "$work/better.tsv" >"$work/out" 2>"$work/err"
check 'a model less accurate than it was fails' grep -q '^gate: models/darboux-newton/residual: was ' "$work/err"
"$gate" --only step/cube-slides/error "$work/better.tsv" >"$work/out" 2>"$work/err"
check 'a stepper less accurate than it was fails' grep -q '^gate: step/cube-slides/error: was ' "$work/err"
models=$("${BUILD:-build}/impact" solve --help | sed -n '/^Models:/,/^$/p' | grep -c '^  [a-z]')
check 'every model of the program is measured' test "$(grep -c '^models/.*/residual' benchmarks/baseline.tsv)" -eq "$models"
"$gate" "$work/none.tsv" >/dev/null 2>"$work/err"
check 'no baseline: exit 2' test $? -eq 2
check 'one line' test "$(wc -l <"$work/err")" -eq 1
printf 'name\tkind\tvalue\nmaxdiss/spd-8/residual\taccuracy\t0\n' >"$work/old.tsv"
"$gate" --only newton/residual "$work/old.tsv" >/dev/null 2>"$work/err"
check 'a metric the baseline does not have fails' grep -q 'not in the baseline' "$work/err"
echo "1..$count"
