#!/bin/sh
# Solvers outside the library in the programs that loop over models: the laws that every model obeys, the matrix, the contest.
# Right ones pass beside ours, wrong ones are named, what crashes or hangs costs no other row and leaves no process.
. "$(dirname "$0")/program.sh"
. "$root/tests/running.sh"
build=$(dirname "$program")
CC=${CC:-gcc}
# plugin NAME EDIT: NAME.so, examples/own_solver.c edited
plugin() {
    sed "s/\"own-solver\"/\"$1\"/; $2" "$root/examples/own_solver.c" > "$1.c"
    $CC -D_GNU_SOURCE -shared -fPIC -I"$root/lib" "$1.c" -o "$1.so" 2> err || { cat err >&2; exit 1; }
}
MARK=5$$
plugin right ''
plugin dropped 's/(1 + e)/(1 + 0 * e)/'
plugin sometimes 's/^    double W/    if (fmod(1e3 * fabs(problem->q[0]), 1) < 0.3) return IMP_NOT_CONVERGED;\n&/; s/^#include.*/&\n#include <math.h>/'
plugin crashes 's/^    double W/    __builtin_trap();\n&/'
plugin hangs "s/^#include.*/&\n#include <unistd.h>/; s/^    double W.*/&\n    execlp(\"sleep\", \"sleep\", \"$MARK\", (char *)0);/"

# The laws.
"$build/tests/test_laws" --plugin right.so --plugin dropped.so --law frictionless > out 2> err
status=$?
[ $status != 0 ] && [ "$(grep -c '^ok .* right: ' out)" = 23 ] && ! grep -q '^not ok .* right: ' out
verdict 'laws: a right plugin obeys all of them' $?
[ "$(grep '^not ok .* dropped: ' out | sed 's/.*dropped: //' | tr '\n' ';')" = "$(printf '%s;' \
    'takes what its descriptor says, and solves every single contact' \
    'a sphere slips or sticks as in closed form' 'without friction, u_n = -e q_n' 'without friction, e = 1 loses nothing')" ]
verdict 'laws: one that drops restitution breaks those that say so' $?
"$build/tests/test_laws" --plugin sometimes.so --law frictionless > out 2> err
status=$?
[ $status != 0 ] && [ "$(grep '^not ok ' out | sed 's/.*sometimes: //; s/[0-9]* unsolved/N unsolved/' | tr '\n' ';')" = "$(printf '%s;' \
    'takes what its descriptor says, and solves every single contact (N unsolved)' 'head on, or nearly (N unsolved)')" ] &&
    grep -q '^ok .* sometimes: a planar problem has a planar answer ([0-9]* unsolved)$' out
verdict 'laws: one that says at times that it has no answer breaks those of solving alone, and it is counted' $?
"$build/tests/test_laws" --plugin none.so --law frictionless > out 2> err
[ $? = 2 ] && [ ! -s out ] && grep -q '^test_laws: none.so: cannot be loaded' err && [ "$(wc -l < err)" = 1 ]
verdict 'laws: a plugin that is not there' $?
"$build/tests/test_laws" --plugin right.so --law > out 2> err
[ $? = 2 ] && grep -q '^test_laws: --law without its value, expected test_laws \[--exec' err && [ "$(wc -l < err)" = 1 ]
verdict 'laws: bad use' $?

# The matrix; scenes are read from the root. cell SCENE MODEL: its status, what is missing, the error in common.
cell() { awk -F '\t' -v scene="$1" -v model="$2" '$1 == scene && $2 == model { print $3, $5, sprintf("%.1g", $6) }' "$work/out"; }
matrix() { (cd "$root" && "$OLDPWD/$build_of/benchmarks/bench_matrix" "$@" > "$work/out" 2> "$work/err"); status=$?; }
build_of=$(realpath --relative-to=. "$build")
matrix --plugin "$work/right.so" --law frictionless ball
[ $status = 0 ] && [ ! -s err ] && [ "$(cell 'ball, no friction' right)" = "$(cell 'ball, no friction' frictionless)" ] &&
    cell 'ball, no friction' right | grep -q '^ok  [0-9]' && [ "$(cell 'ball, grips' right | cut -d' ' -f1)" = unsupported ]
verdict 'matrix: a right plugin has the cells of the model whose law it obeys' $?
cp out alone
matrix --plugin "$work/crashes.so" --plugin "$work/dropped.so" --plugin "$work/hangs.so" --plugin "$work/right.so" --time-limit 0.3 \
    --law frictionless ball
[ $status = 1 ] && [ "$(cell 'ball, no friction' crashes)" = 'crashed common own best plastic energy 0' ] &&
    cell 'ball, no friction' hangs | grep -q '^timed-out common ' && cell 'ball, no friction' dropped | grep -q '^not-certified common'
verdict 'matrix: a crash, a hang and a wrong answer are the statuses of their own cells' $?
grep -v "^[^$tab]*$tab\(crashes\|dropped\|hangs\)$tab" out | cut -f1-11 > others
cut -f1-11 alone | cmp -s - others && gone
verdict 'matrix: all other rows stay, and nothing is left running' $?
matrix --plugin "$work/right.so" --law frictionless bal
[ $status = 2 ] && grep -q '^bench_matrix: unknown scene "bal" (did you mean "ball"?)' err
verdict 'matrix: an unknown scene' $?

# The contest, of several contacts: examples/ci/solver.py.
contest() { (cd "$root" && "$OLDPWD/$build_of/benchmarks/fclib" --made --contacts 8 --seeds 1 --match wall --tol 1e-4 --only auto -o "$work/contest" "$@" > "$work/out" 2> "$work/err"); status=$?; }
if python3 -c 'import json' 2> /dev/null; then
    cp "$root/examples/ci/solver.py" right.py
    sed 's/    scale = .*/&\n    mu = [1.5 * x for x in mu]/' right.py > wide.py
    rows() { cut -f3,7,8 contest/fclib.tsv | tail -n +2; }
    for time in first second; do
        contest --exec "python3 $work/right.py" --exec "python3 $work/wide.py" --exec false --exec "sleep $MARK" --law coulomb-bounce --limit 1
        [ $status = 0 ] && [ "$(sed -n 's/^  \(.*[^ ]\) * solved/\1 solved/p' out | tr '\n' ';')" = "$(printf '%s;' 'auto solved 1 of 1' \
            "python3 $work/right.py solved 1 of 1" "python3 $work/wide.py solved 0 of 1" 'false solved 0 of 1' 'sleep solved 0 of 1')" ]
        verdict "contest: who solves what, the $time time" $?
    done
    [ "$(rows | sort -u)" = "$(printf '%s\t%s\n' auto "ok${tab}1" false "crash${tab}0" "python3 $work/right.py" "ok${tab}1" \
        "python3 $work/wide.py" "ok${tab}0" sleep "time${tab}0" | sort)" ] && [ "$(rows | wc -l)" = 9 ] && gone
    verdict 'contest: each in its row, made anew in every run, and nothing is left running' $?
    python3 -c 'import json; exit(len(json.load(open("contest/fclib.json"))) != 5)'
    verdict 'contest: as JSON' $?
    mkdir path && printf '#!/bin/sh\nexit 3\n' > path/auto && chmod +x path/auto
    PATH=$PWD/path:$PATH contest --exec auto --law coulomb-bounce --limit 1
    [ $status = 0 ] && grep -q '^  auto  *solved 1 of 1' out && grep -q '^  auto #1  *solved 0 of 1' out
    verdict 'contest: one that is called as a model has a row of its own, and is asked' $?
    { echo 'import time; time.sleep(1)'; cat right.py; } > late.py
    contest --exec "python3 $work/late.py" --law coulomb-bounce --limit 10
    awk -F "$tab" 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next } $at["solver"] == "python3" && $at["limit"] == 10 && $at["status"] == "ok" { ms = $at["ms"] }
        END { exit !(ms > 0 && ms < 1000) }' contest/fclib.tsv
    verdict 'contest: the start of a program is in no time of its' $?
else
    echo "ok $((count += 1)) - contest # SKIP no python3"
fi
contest --plugin "$work/none.so"
[ $status = 2 ] && grep -q "^fclib: $work/none.so: cannot be loaded" err && [ "$(wc -l < err)" = 1 ]
verdict 'contest: a plugin that is not there' $?
echo "1..$count"
