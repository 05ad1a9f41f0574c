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
# One answer of many that is no number, where each metric looks: another may not hide it.
cat >"$work/nan.c" <<'END'
#include "impact.h"
#include <math.h>
static int calls, solving;
#define WRAPS(result, name, arguments)                                                               \
    result __real_##name arguments;                                                                  \
    result __wrap_##name arguments;                                                                  \
    result __wrap_##name arguments
WRAPS(imp_status, imp_certify, (const imp_problem *x, const imp_law *law, const void *settings, const double *p,
                                const imp_path *path, imp_certificate *c)) {
    const imp_status status = __real_imp_certify(x, law, settings, p, path, c);
    if (++calls == 3) c->worst = NAN;
    return status;
}
WRAPS(imp_status, imp_solve_certified, (const imp_model *model, const imp_problem *x, const void *settings, double *p,
                                        imp_path *path, imp_certificate *c, imp_info *info)) {
    solving++;
    const imp_status status = __real_imp_solve_certified(model, x, settings, p, path, c, info);
    solving--;
    if (c && ++calls == 3) c->worst = NAN;
    return status;
}
WRAPS(void, imp_natural_error, (const imp_problem *x, const double *p, double *field, double *scale_free)) {
    static int errors;
    __real_imp_natural_error(x, p, field, scale_free);
    if (!solving && ++errors == 3) *scale_free = NAN; /* by which solvers stop */
}
WRAPS(imp_status, imp_maxdiss_batch, (const imp_batch_columns *columns, size_t n, const imp_batch_settings *settings)) {
    const imp_status status = __real_imp_maxdiss_batch(columns, n, settings);
    columns->residual[2] = NAN;
    return status;
}
WRAPS(imp_status, imp_step, (imp_stepper *s, const imp_step_settings *settings)) {
    static double kept;
    double *v = s->world->v;
    if (++calls == 4) v[0] = kept;
    const imp_status status = __real_imp_step(s, settings);
    kept = v[0];
    if (calls == 3) v[0] = NAN;
    return status;
}
END
wrapped='imp_certify imp_solve_certified imp_natural_error imp_maxdiss_batch imp_step'
$(cat "${BUILD:-build}/flags") -c "$work/nan.c" -o "$work/nan.o"
# shellcheck disable=SC2046,SC2086
$CC "$gate.o" "$work/nan.o" $(printf ' -Wl,--wrap=%s' $wrapped) "${BUILD:-build}/librooms.a" "${BUILD:-build}/libimpact.a" $LIBS -o "$work/nan"
for metric in maxdiss/spd-8/residual maxdiss-batch/spd-8/residual planar-stronge/residual drumwright/bodies/residual \
    auto/bodies/natural-error step/cube-slides/error models/planar-poisson/residual; do
    "$work/nan" --only $metric benchmarks/baseline.tsv >"$work/out" 2>"$work/err"
    check "$metric: an answer that is no number fails" grep -q "^gate: $metric: was .*, is inf, allowed " "$work/err"
done
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
printf 'name\tkind\tvalue\n' >"$work/empty.tsv"
for none in empty.tsv single; do # a table without rows, a folder
    "$gate" --only planar-poisson/unsolved "$work/$none" >"$work/out" 2>"$work/err"
    check "$none is no baseline: exit 2" test $? -eq 2
    check 'one line says so' test "$(cat "$work/err")" = "gate: $work/$none: has no rows, expected the baseline that \`make baseline\` writes"
done
printf 'name\tkind\tvalue\nmaxdiss/spd-8/residual\taccuracy\t0\n' >"$work/old.tsv"
"$gate" --only newton/residual "$work/old.tsv" >/dev/null 2>"$work/err"
check 'a metric the baseline does not have fails' grep -q 'not in the baseline' "$work/err"
# refused LINE NAME ROW...: a baseline of these rows is none; the line of standard error has LINE
refused() {
    line=$1 name=$2
    shift 2
    { printf 'name\tkind\tvalue\n' && printf '%b\n' "$@"; } >"$work/bad.tsv"
    "$gate" --only planar-poisson/unsolved "$work/bad.tsv" >"$work/out" 2>"$work/err"
    check "a baseline with $name: exit 2" test $? -eq 2
    check "one line says $line" test "$(cat "$work/err")" = "gate: $work/bad.tsv:$line"
}
row='models/planar-poisson/unsolved\twork\t0'
for value in inf nan 1e400 0x 1,5; do
    refused "2: \"a	work	$value\", expected a finite number for its value" "$value" "a\twork\t$value"
done
refused '3: "models/planar-poisson/unsolved	work	0", expected each name once' 'a row twice' "$row" "$row"
refused '3: "a 5", expected name, kind and value between tabs' 'a row of one word' "$row" 'a 5'
refused "2: \"models/planar-poisson/unsolved	accuracy	0\", expected the metric's own kind" 'a kind that is another' \
    'models/planar-poisson/unsolved\taccuracy\t0'
"$gate" --only planar-poisson/unsolved --json "$work/none/where.json" benchmarks/baseline.tsv >"$work/out" 2>"$work/err"
check 'JSON that cannot be written: exit 2' test $? -eq 2
check 'one line says so' grep -q '^gate: .*/none/where.json: cannot be written' "$work/err"
"$gate" --only planar-poisson/unsolved --json - benchmarks/baseline.tsv >"$work/out" 2>"$work/err"
check 'JSON among the tests: exit 2' test $? -eq 2
check 'one line says so' grep -q '^gate: --json -, expected a file: standard output has the tests' "$work/err"
"$gate" --only no-such-metric benchmarks/baseline.tsv >"$work/out" 2>"$work/err"
check 'a text in no name: exit 2' test $? -eq 2
check 'one line says so' test "$(cat "$work/err")" = 'gate: --only "no-such-metric": in no metric'"'s name"
printf "name\tkind\tvalue\n$row\nmodels/gone/work\twork\t5\n" >"$work/gone.tsv"
"$gate" --only planar-poisson/unsolved "$work/gone.tsv" >"$work/out" 2>"$work/err"
check 'a row that no metric has passes where others are asked for' test $? -eq 0
if [ "$LONG" ]; then
    { cat benchmarks/baseline.tsv && printf 'models/gone/work\twork\t5\n'; } >"$work/gone.tsv"
    "$gate" "$work/gone.tsv" >"$work/out" 2>"$work/err"
    check 'and fails where all are' test $? -eq 1
    check 'one line says so' test "$(cat "$work/err")" = 'gate: models/gone/work: in the baseline, but no metric'
    check 'it is a test of its own' grep -q '^not ok [0-9]* - models/gone/work' "$work/out"
fi
printf 'name\tkind\tvalue\nmodels/planar-poisson/residual\taccuracy\t1e-3\n' >"$work/high.tsv"
"$gate" --only planar-poisson/residual "$work/high.tsv" >"$work/out" 2>"$work/err"
check 'far below the baseline passes' test $? -eq 0
check 'and is told' grep -q '^# models/planar-poisson/residual: .*e-1[0-9] of the baseline' "$work/out"
cp benchmarks/baseline.tsv "$work/kept.tsv"
"$gate" --write --only planar-poisson/unsolved "$work/kept.tsv" >"$work/out" 2>"$work/err"
check 'a baseline of some metrics is not written: exit 2' test $? -eq 2
check 'one line says so' grep -q '^gate: --write beside --only, expected all metrics' "$work/err"
PATH=$work "$gate" --only maxdiss/speed-box/2000 benchmarks/baseline.tsv >"$work/out" 2>"$work/err"
check 'without valgrind no instructions are counted' test $? -eq 0 -a "$(grep -c '^ok 1 .*SKIP' "$work/out")" = 1
PATH=$work "$gate" --only maxdiss/speed-box/2000 "$work/high.tsv" >"$work/out" 2>"$work/err"
check 'but their row is asked for' test $? -eq 1 -a "$(cat "$work/err")" = 'gate: maxdiss/speed-box/2000: not in the baseline'
if command -v valgrind >/dev/null && "$gate" --only maxdiss/speed-box/2000 benchmarks/baseline.tsv | grep '^ok 1' | grep -qv SKIP; then
    mkdir "$work/broken" && printf '#!/bin/sh\nexit 1\n' >"$work/broken/valgrind" && chmod +x "$work/broken/valgrind"
    PATH=$work/broken:$PATH "$gate" --only maxdiss/speed-box/2000 benchmarks/baseline.tsv >"$work/out" 2>"$work/err"
    check 'a valgrind that fails is none to go without' test $? -eq 1 -a "$(grep -c 'is nan' "$work/err")" = 1
fi
PATH=$work "$gate" --write "$work/kept.tsv" >"$work/out" 2>"$work/err"
check 'a baseline is not written without valgrind: exit 2' test $? -eq 2
check 'one line says so' grep -q '^gate: .*/kept.tsv: not written: no instructions, ' "$work/err"
check 'and the old one stays' cmp benchmarks/baseline.tsv "$work/kept.tsv"
echo "1..$count"
