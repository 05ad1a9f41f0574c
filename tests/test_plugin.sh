#!/bin/sh
# Plugins: the example is certified; wrong ones are caught; whatever else one does is the status of its own row; what is
# no plugin is refused.
. "$(dirname "$0")/program.sh"
. "$root/tests/running.sh"
CC=${CC:-gcc}
export MARK=8$$

# build NAME DEFINITION...: NAME.so
build() {
    name=$1
    shift
    # shellcheck disable=SC2086
    $CC -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -shared -fPIC -I"$root/lib" "$@" -o "$name.so" > err 2>&1 ||
        { cat err >&2; exit 1; }
}
statuses() { tail -n +2 out | cut -f2 | tr '\n' ' '; }

build own_solver "$root/examples/own_solver.c"
"$program" problems impact-frictionless -n 20 --seed 5 -o many.tsv
head -5 many.tsv > three.tsv
echo '{"W": [[2, 0, 0], [0, 3, 0], [0, 0, 4]], "q": [1, 0, 0], "mu": 0}' > opening.json
for law in frictionless maxdiss newton; do
    impact solve --plugin ./own_solver.so --law $law many.tsv
    [ $status = 0 ] && [ "$(statuses | tr -d ' ')" = "$(printf 'ok%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)" ] && [ ! -s err ]
    verdict "examples/own_solver.c is certified by $law" $?
done
judges 'check asks it too' 0 --plugin own_solver.so --law frictionless many.tsv
impact solve --plugin own_solver.so --law maxdiss - << 'END'
{"W": [[2, 0, 0], [0, 3, 0], [0, 0, 4]], "q": [-1, 0, 0], "mu": 0.5}
END
grep -q '"model":"own-solver","status":"unsupported","p":null' out
verdict 'what it does not take is not put to it' $?

# What it does instead with the second problem (mu and e are 0 in none), by FAULT.
cat > faulty.c << 'END'
#include <impact.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const imp_law law = {.name = "frictionless"};
static size_t room(const imp_problem *problem, const void *settings) { return ((const double *)settings)[0] == 3 ? 24 * (size_t)problem->nc : 0; }
static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work, imp_info *info) {
    const double e = problem->e[0];
    double W[9];
    const char *fault = getenv("FAULT"), *mark = getenv("MARK");
    problem->W->kind->block(problem->W, 0, 0, W);
    memset(work, 0, 24); /* of room, by the preset of its setting */
    p[0] = problem->q[0] < 0 ? -(1 + e) * problem->q[0] / W[0] : 0;
    p[1] = p[2] = 0;
    info->iterations = 5;
    printf("chatter\n");
    fflush(stdout);
    if (((const double *)settings)[0] != 3) abort();
    if (!fault || problem->q[0] != atof(getenv("SECOND"))) return IMP_OK;
    if (!strcmp(fault, "crash")) raise(SIGSEGV);
    if (!strcmp(fault, "hang")) for (;;) pause();
    if (!strcmp(fault, "exit")) exit(0);
    if (!strcmp(fault, "nan")) p[2] = 0.0 / p[1];
    if (!strcmp(fault, "status")) return (imp_status)77;
    if (!strcmp(fault, "memory")) return malloc(1u << 30) ? IMP_OK : IMP_NO_MEMORY;
    if (!strcmp(fault, "gives-up")) return IMP_NOT_CONVERGED;
    if (!strcmp(fault, "none")) return p[0] = 0.0 / p[1], IMP_NO_SOLUTION;
    if (!strcmp(fault, "cannot")) return IMP_UNSUPPORTED;
    if (!strcmp(fault, "wrong")) p[0] *= 1.01;
    if (!strcmp(fault, "closes")) for (int fd = 0; fd < 64; fd++) close(fd);
    if (!strcmp(fault, "forks") && fork() == 0) execlp("sleep", "sleep", mark, (char *)0);
    return IMP_OK;
}
#ifndef ABI
#define ABI IMP_PLUGIN_ABI
#endif
#ifndef NO_ABI
const int imp_plugin_abi = ABI;
#endif
static const imp_key keys[] = {{.name = "three", .unit = "-", .preset = 3, .high = 9}, {0}};
#ifdef NAMELESS
const imp_model imp_plugin_model = {.name = "faulty"};
#elif !defined NO_MODEL
#ifndef NAME
#define NAME "faulty"
#endif
const imp_model imp_plugin_model = {.name = NAME, .law = &law, .takes = IMP_TAKES_RESTITUTION | IMP_ONLY_FRICTIONLESS,
                                    .keys = keys, .workspace = room, .solve = solve};
#endif
#ifdef AT_LOAD
__attribute__((constructor)) static void at_load(void) { AT_LOAD; }
#endif
END
sed -i '1i #include <signal.h>' faulty.c
build faulty faulty.c
SECOND=$(awk -F '\t' 'NR == 4 { print $9 }' three.tsv)
export SECOND
impact solve --plugin faulty.so three.tsv
[ $status = 0 ] && [ "$(statuses)" = 'ok ok ok ' ] && [ "$(sort -u err)" = chatter ]
verdict 'the law it names, its workspace, its settings; what it prints is no answer' $?
impact solve --plugin faulty.so - << 'END'
{"W": [[2, 0, 0], [0, 3, 0], [0, 0, 4]], "q": [-1, 0, 0], "mu": 0, "e": 0}
END
grep -q '"model":"faulty","status":"ok","p":\[0.5,0.0,0.0\].*"iterations":5' out
verdict 'its iterations stand in the answer' $?
while IFS='|' read -r fault row said; do
    start=$(date +%s)
    FAULT=$fault impact solve --plugin faulty.so --time-limit 2 three.tsv
    grep -v chatter err > said
    [ $status = 1 ] && [ "$(statuses)" = "ok $row ok " ] &&
        { [ -z "$said" ] || grep -qE "^impact: problem \"impact-frictionless-5-1\": $said" said; }
    verdict "$fault: $row, the other rows ok" $?
    [ $(($(date +%s) - start)) -le 6 ] && gone
    verdict "$fault: in time, and no process is left" $?
    FAULT=$fault impact check --plugin faulty.so --time-limit 2 three.tsv
    [ $status = 1 ] && awk -F '\t' 'NR == 3 { bad = $2 !~ /unsolved|rejected/ || $4 $6 == "" }
        NR == 2 || NR == 4 { bad = bad || $2 != "ok" } END { exit bad }' out
    verdict "$fault: check says it in its row" $?
done << 'END'
crash|crashed|crashed: (signal 11|exit status 1)
hang|timed-out|timed out: no answer within 2 s
exit|crashed|crashed: exit status
nan|bad-answer|bad answer: p\[2\] is -?nan, expected a number
status|bad-answer|bad answer: its status is 77
none|no-solution|it says "no-solution" itself
cannot|unsupported|it says "unsupported" itself
wrong|not-certified|
closes|crashed|crashed: exit status 127
END
FAULT=gives-up impact solve --plugin faulty.so three.tsv
[ "$(statuses)" = 'ok not-converged ok ' ] && FAULT=gives-up "$program" check --plugin faulty.so three.tsv > out 2> err
verdict 'one that gives up with the right impulse: check looks at that' $?
FAULT=forks impact solve --plugin faulty.so three.tsv
[ "$(statuses)" = 'ok ok ok ' ] && gone
verdict 'one that forks a sleeper: its answer counts, the sleeper is gone' $?
if [ -z "$SAN" ]; then # whose memory is not to be limited
    FAULT=memory impact solve --plugin faulty.so --memory-limit 300 three.tsv
    [ "$(statuses)" = 'ok crashed ok ' ] && grep -q 'it says "no-memory" itself' err
    verdict 'a limit of memory is its own' $?
    FAULT=memory impact audit --plugin faulty.so --memory-limit 300 --tol 1e-6 -n 2 --seed 1 sphere
    [ $status = 1 ] && grep -q '^sphere' out
    verdict 'and ends no audit' $?
fi
build named '-DNAME="a\tb\n\303\251\377"' faulty.c
impact solve --plugin named.so opening.json
[ $status = 0 ] && grep -q '"model":"a b ???"' out
verdict 'a name that would break lines and tables, and is no UTF-8, is printed without' $?
impact audit --plugin named.so -n 1 --seed 1 impact-frictionless
[ "$(grep -vcx chatter err)" = 1 ] && grep -q '^impact: a b ??? by frictionless: ' err
verdict 'in the one line of an audit, too' $?

tested=solve
refused 'a plugin that is not there' 'nobody.so: cannot be loaded: No such file' --plugin nobody.so --law maxdiss three.tsv
refused 'a file that is none' 'three.tsv: ' --plugin three.tsv --law maxdiss three.tsv
refused 'no law' 'no law, expected --law NAME' --plugin own_solver.so three.tsv
refused 'a setting of its own' '$.foo: unknown setting of moreau, whose law judges own-solver, expected tolerance, max_sweeps, ' \
    --plugin ./own_solver.so --law moreau --set foo=1 three.tsv
refused 'a setting where the law has none' '$.foo: unknown setting of frictionless, whose law judges own-solver, expected none' \
    --plugin ./own_solver.so --law frictionless --set foo=1 three.tsv
refused 'two solvers' 'several models' --plugin own_solver.so --exec cat --law maxdiss three.tsv
build refusal -DNO_ABI faulty.c
refused 'no imp_plugin_abi' 'exports no imp_plugin_abi' --plugin refusal.so three.tsv
build refusal -DNO_MODEL -Wno-unused-variable -Wno-unused-const-variable -Wno-unused-function faulty.c
refused 'no imp_plugin_model' 'exports no imp_plugin_model' --plugin refusal.so three.tsv
build refusal -DABI=99 faulty.c
refused 'another ABI' 'imp_plugin_abi is 99, expected 1' --plugin refusal.so three.tsv
build refusal -DNAMELESS -Wno-unused-variable -Wno-unused-const-variable -Wno-unused-function faulty.c
refused 'no solve' 'has no name, no solve' --plugin refusal.so three.tsv
build refusal '-DNAME=""' faulty.c
refused 'an empty name' 'has no name, no solve' --plugin refusal.so three.tsv
build needed faulty.c
build refusal -Wl,--no-as-needed faulty.c ./needed.so && rm needed.so
refused 'one whose library is missing' "$work/refusal.so: ./needed.so: cannot open" --plugin refusal.so three.tsv
build refusal '-DAT_LOAD=_exit(9)' faulty.c
refused 'one that ends when it is loaded' 'refusal.so: crashed: exit status 9 when it is loaded' --plugin refusal.so three.tsv
build refusal '-DAT_LOAD=sleep(100)' faulty.c
refused 'one that hangs when it is loaded' 'timed out: no answer within 1 s when it is loaded' --plugin refusal.so --time-limit 1 three.tsv
echo "1..$count"
