#!/bin/sh
# CONTRIBUTING's steps for adding a model, taken with a toy in a copy of the tree and of what is built of it: nothing but
# the files that the steps name is touched, and the program, the laws, the report, the gate and the machines have
# the model. What the steps ask to be written down is missed where it is forgotten.
cd "$(dirname "$0")/.." || exit 1
root=$PWD build=${BUILD:-build}
[ -z "$SAN$COV" ] || { echo '1..0 # SKIP the plain build is what gets copied'; exit; }
[ -d "$build/lib" ] || { echo '1..0 # SKIP nothing is built'; exit; }
files=$(git ls-files -co --exclude-standard 2> /dev/null)
[ -n "$files" ] || { echo '1..0 # SKIP no git, which knows the sources'; exit; }
. tests/check.sh
tree="$work/tree"

# Sources and objects with their times: make builds again what is touched, and no more.
mkdir "$tree" || exit 1
for file in $files; do [ -f "$file" ] && echo "$file"; done > "$work/sources"
find "$build"/[!m]* -maxdepth 3 \( -name '*.[oad]' -o -path "$build/flags" \) -not -path "$build/lint/*" > "$work/built"
cat "$work/sources" "$work/built" | tar -cf - -T - | tar -xf - -C "$tree" || exit 1
cd "$tree" || exit 1
touch "$work/start"

# The steps as they stand there, by their numbers.
sed -n '/^## Adding a model/,/^## /{/^[0-9]/,/^$/p}' CONTRIBUTING.md > "$work/steps"
check 'there are four steps' test "$(grep -c '^[0-9]\.' "$work/steps")" = 4

# 1. Its file. Of contacts without friction: the impulse that ends the approach.
cat > lib/cone/toy.c << 'END_OF_FILE'
/* toy.c - one contact without friction: the normal impulse that ends the approach. */
#include "cone/convex.h"

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work, imp_info *info) {
    (void)settings, (void)work, (void)info;
    double W[9];
    imp_problem_dense(problem, W);
    p[0] = problem->q[0] < 0 ? -problem->q[0] / W[0] : 0;
    p[1] = p[2] = 0;
    return IMP_OK;
}

const imp_model imp_model_toy = {
    .name = "toy",
    .title = "one contact without friction",
    .citation = "nobody 1687",
    .law = &imp_law_frictionless,
    .takes = IMP_ONLY_FRICTIONLESS | IMP_NEVER_GAINS_ENERGY,
    .solve = solve,
};
END_OF_FILE

# 2. Its test.
cat > tests/test_toy.c << 'END_OF_FILE'
/* The toy against its closed form. */
#include "impact.h"
#include "tap.h"

int main(void) {
    const double W[9] = {2, 0, 0, 0, 3, 0, 0, 0, 3}, q[3] = {-1, 0, 0}, mu = 0;
    const imp_operator dense = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &dense, .q = q, .mu = &mu};
    double p[3];
    ok(imp_solve(imp_model_find("toy"), &problem, NULL, p, NULL) == IMP_OK, "the toy solves");
    is_near(p[0], 0.5, 0, 1e-15, "what stops the approach");
    return tap_done();
}
END_OF_FILE

# 3. Its line in the table: the first, which nothing may lean on.
sed -i '0,/^    X(\([a-z]*\)) /s//    X(toy) X(\1) /' lib/models.c

# The report's matrix of one scene instead of all, so that it takes a second.
sed -i '/^const char \*const matrix_scenes/,/;/c\const char *const matrix_scenes[] = {"ball", NULL};
        /^const char \*const matrix_step_scenes/c\const char *const matrix_step_scenes[] = {NULL};' benchmarks/harness/matrix.c

check 'what is asked is built, with no warning' make -s --no-print-directory CC="${CC:-gcc}" WERROR=1 \
    "$build/impact" "$build/tests/test_toy" "$build/tests/test_laws" "$build/benchmarks/report" \
    "$build/benchmarks/answers" "$build/benchmarks/gate"
check 'its test passes' "$build/tests/test_toy"
"$build/impact" models > "$work/models"
check 'impact models has it' grep -q '^toy	frictionless	' "$work/models"
"$build/impact" compare benchmarks/scenes/ball.json > "$work/compared"
check 'impact compare has it' grep -q '^ball with spin, no friction	toy	ok	' "$work/compared"
"$build/tests/test_laws" > "$work/laws" 2>&1
check 'test_laws passes' test $? -eq 0
check 'and has put it through the laws' test "$(grep -c '^ok [0-9]* - toy: ' "$work/laws")" -gt 10
"$build/benchmarks/report" "$work/report" X-matrix > "$work/reported" 2>&1
check 'the matrix of the report has it, and asks for its bands' \
    grep -q '^ball, no friction	toy	common	.*	no band' "$work/report/data/x_matrix_cells.tsv"
"$build/benchmarks/gate" --only models/toy benchmarks/baseline.tsv > "$work/gate" 2>&1
check 'the gate asks for its baseline' grep -q '^gate: models/toy/residual: .*not in the baseline' "$work/gate"

# 4. Its rows; what holds them against the models finds them forgotten.
# guard TEST...: what the tests find of the toy, which test_manual.sh is asked for alone; whatever else is wrong is theirs to say.
guard() {
    for test in "$@"; do
        BUILD="$build" sh "tests/$test" toy 2> /dev/null | sed -n '/toy/s/^not ok [0-9]* - //p'
    done
}
# finds NAME WANT TEST...: they find just that
finds() {
    want=$2 title=$1
    shift 2
    guard "$@" > "$work/found"
    printf '%s\n' "$want" | grep . > "$work/want"
    check "$title" diff "$work/want" "$work/found"
}
finds 'a promise that is not written down is found' "toy's promise is written down" test_machines.sh
finds 'a missing row of the README is found, and a model without its law' 'toy: the section has the model
toy: the README has its row' test_manual.sh
sed -i 's/^| `maxdiss` |.*/&\n| `toy` | one contact without friction | nobody 1687 | `tests\/test_toy.c` |/' README.md
sed -i 's/^Models: frictionless\./Models: frictionless, toy./' cli/impact-laws.7
sed -i 's/^| `maxdiss`, .*/&\n| `toy` | all | the same bits | one division |/' docs/machines.md
finds 'with it written down nothing is missed' '' test_machines.sh test_manual.sh

# Of the copy only files that the steps name were changed (a new file is named by its pattern).
sums() { (cd "$1" && tr '\n' '\0' < "$work/sources" | xargs -0 cksum); }
sums "$root" > "$work/before"
sums . | diff - "$work/before" | sed -n 's/^< [0-9]* [0-9]* //p' |
    grep -vx benchmarks/harness/matrix.c > "$work/changed"
check 'four files were changed' test "$(tr '\n' ' ' < "$work/changed")" = 'README.md cli/impact-laws.7 docs/machines.md lib/models.c '
for file in $(cat "$work/changed"); do
    check "the steps name $file" grep -qF "$(basename "$file" .md)" "$work/steps"
done
echo "1..$count"
