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
row q untimed 'impact, a' '' 1e-3 0 ''
row q untimed peer '' 1e-4 0 ''
row q unasked 'impact, a' '' 1 100 ''
row q unasked peer '' 1e-4 0 ''
awk -f benchmarks/peers/table.awk "$work/rows" >"$work/table"
lost() { grep -q "^- q, $1 .*$2" "$work/table"; }
not() { ! "$@"; }
check 'a case won is not listed' not lost won ''
check 'a quicker peer is' lost quicker 'peer quicker (5 ns)'
check 'one that fails is not' not lost failing ''
check 'a closer one is' lost closer 'peer closer (1e-4)'
check 'a case that none of ours solves is' lost unsolved 'ours: none.*peer solves it'
check 'a row of another law does not compete' lost apart 'ours: 30 ns.*peer quicker'
check 'without times the errors compete' lost untimed '(ours: 0.001); peer closer (1e-4)'
check 'and failures' lost unasked 'ours: none.*peer solves it (1e-4)'
check 'an error without a time stands alone' grep -q '^| peer |.*| 1e-4 | 1e-4 |$' "$work/table"
check 'failures stand in the table' grep -q '3 % fail' "$work/table"
check 'one row a solver' test "$(grep -c '^| impact, a' "$work/table")" -eq 1

# An engine that does nothing is right in no scene, though in some the bodies ought to stay where they are.
cat >"$work/nothing.c" <<'END'
#include "benchmarks/peers/engines/engine.h"
#include <string.h>
static peer_scene scene;
static void *start(const peer_scene *s) { return memcpy(&scene, s, sizeof scene); }
static void pass(void *world) { (void)world; }
static void look(void *world, int body, double position[3], double velocity[6]) {
    (void)world;
    memcpy(position, scene.body[body].position, 3 * sizeof *position);
    memcpy(velocity, scene.body[body].velocity, 6 * sizeof *velocity);
}
const peer_engine peer_engines[] = {{"nothing", "none", 1, start, pass, pass, look, pass, NULL}, {0}};
END
engines=benchmarks/peers/engines
$(cat "${BUILD:-build}/flags") "$work/nothing.c" $engines/trial.c $engines/trial_run.c \
    $engines/argued.c $engines/scenes.c "${BUILD:-build}/librooms.a" "${BUILD:-build}/libimpact.a" $LIBS -o "$work/nothing"
"$work/nothing" >"$work/rows"
check 'an engine that does nothing fails every row' awk -F '\t' '!/^#/ && $6 != 100 { bad = 1; print } END { exit bad || NR < 21 }' \
    "$work/rows"

# The table of the steps: two engines, one of which ends by an error; of five steps one is right, two nearly, two with
# their friction turned.
cat >"$work/steps-odd" <<'END'
#!/bin/sh
cat >"$1/odd.jsonl" <<'LINES'
{"id": "a", "n": 1, "W": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], "q": [-1, 1, 0], "mu": [0.5], "e": [0], "p": [0.5, -0.25, 0]}
{"id": "b", "n": 1, "W": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], "q": [-1, 1, 0], "mu": [0.5], "e": [0], "p": [0.500001, -0.2500005, 0]}
{"id": "c", "n": 1, "W": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], "q": [-1, 1, 0], "mu": [0.5], "e": [0], "p": [0.501, -0.2505, 0]}
{"id": "d", "n": 1, "W": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], "q": [-1, 1, 0], "mu": [0.5], "e": [0], "p": [0.5, 0.25, 0]}
{"id": "e", "n": 1, "W": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], "q": [-1, 1, 0], "mu": [0.5], "e": [0], "p": [0.5, 0.2, 0]}
LINES
printf '# odd: as it is\n%s\todd\tscene\t5\t1e-3\n' "$1/odd.jsonl"
END
printf '#!/bin/sh\nexit 3\n' >"$work/steps-lost"
chmod +x "$work/steps-odd" "$work/steps-lost"
sh benchmarks/peers/steps.sh "${BUILD:-build}/impact" "$work/steps" "$work/steps-odd" "$work/steps-lost" >"$work/audited"
check 'steps: how many obey the law, and what the others break' \
    grep -q '^| odd | scene | 5 | 1e-3 | 60, 40, 20 % | slip | [0-9]*, [0-9]*, [0-9]* % | 100 % |$' "$work/audited"
check 'steps: the settings stand in the head' grep -qx -- '- odd: as it is' "$work/audited"
check 'steps: an engine that ended is named' grep -qx -- '- lost: ended by an error' "$work/audited"
echo "1..$count"
