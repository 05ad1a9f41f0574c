#!/bin/sh
# `impact compare`: its table, its exit statuses, and what it says about scenes that are wrong.
. "$(dirname "$0")/program.sh"
tested=compare
scenes=$root/benchmarks/scenes

# field ROW COLUMN: of `out`, the row named in its second column
field() {
    awk -F "$tab" -v row="$1" -v column="$2" \
        'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i } $2 == row { print $at; exit }' out
}

less() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 < b + 0) }'
}

# beside: of the scene `name`, compared into `out`: impulses.tsv, history.tsv and problems.json
beside() {
    awk -F "$tab" 'NR > 1 && !($1 in seen) { seen[$1]; print $1 "|" $4 }' out > scenes
    perl -MJSON::PP -e 'print map { "$_->{id}|$_->{n}\n" } @{decode_json join "", <>}' problems.json | cmp -s - scenes &&
        "$program" solve --model auto problems.json > answers 2> err
    verdict "$name: a problem per variant, which solve reads and answers" $?
    # the compliant run ends with the same impulses in the one table and in the other, which has those that press
    awk -F "$tab" '$2 == "compliant" && $6 != 0 { print $1, $3, $6, $7, $8 }' impulses.tsv | sort > ends
    awk -F "$tab" 'NR > 1 && $4 != "" { last[$1 " " $4] = $11 == 0 ? "" : $1 " " $4 " " $11 " " $12 " " $13 }
        END { for (i in last) if (last[i] != "") print last[i] }' history.tsv | sort > lasts
    [ -s ends ] && cmp -s ends lasts
    verdict "$name: the history ends with the impulses" $?
    # of all normal impulses, force times time by trapezia; forces push, and only while there is a depth
    awk -F "$tab" 'NR > 1 { pair = $1 "/" $3
            if (pair in time) sum[$1] += ($2 - time[pair]) * ($8 + force[pair]) / 2
            time[pair] = $2; force[pair] = $8; p[pair] = $11; scene[pair] = $1; if ($7 > 0) pressed[pair]
            if ($8 < 0 || $8 > 0 && $7 <= 0) bad = 1 }
        END { for (i in p) { total[scene[i]] += p[i]; if (!(i in pressed)) bad = 1 }
            for (s in total) if (sum[s] < 0.9 * total[s] || sum[s] > 1.1 * total[s]) { bad = 1; print s, sum[s], total[s] }
            exit bad }' history.tsv > err
    verdict "$name: the forces of the history push, and add up to its impulses" $?
}

models=$("$program" models | tail -n +2 | wc -l)
for scene in "$scenes"/*.json; do
    case $scene in */arm.json | */lasting.json) continue ;; esac # nothing strikes
    case $LONG$scene in /*/stack.json | /*/wheel.json | /*/rod.json | /*/cradle.json | /*/ball-on-box.json | /*/bounce.json | \
        /*/brick-face.json | /*/brick-point.json | /*/corners.json | /*/oblique.json | /*/double-pendulum.json | \
        /*/box.json | /*/note.json) continue ;; esac # seconds
    impact compare --impulses impulses.tsv --history history.tsv --problems problems.json "$scene"
    name=$(basename "$scene" .json)
    case $scene in *-problem.json)
        [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && grep -q 'expected scene\|expected an object with "kind": "scene"' err
        verdict "$name: is no scene, one line, exit 2" $?
        continue
        ;;
    esac
    if grep -q '"step":' "$scene"; then
        [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && grep -q '\$.step: a scene for the time stepper' err
        verdict "$name: is for the time stepper, one line, exit 2" $?
        impact solve --model drumwright "$scene"
        [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && grep -q '\$.kind: "scene", expected problem' err
        verdict "$name: and no problem to solve" $?
        continue
    fi
    if [ "$name" = rubbing ]; then
        [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && grep -q 'a joint with friction, which only simulate takes' err
        verdict "$name: is for simulate, one line, exit 2" $?
        continue
    fi
    [ $status = 0 ] && [ ! -s err ]
    verdict "$name: compared, exit 0" $?
    awk -F "$tab" -v models="$models" 'NF != 22 { bad = 1 }
        NR > 1 { rows[$1]++ } END { for (s in rows) { n++; if (rows[s] != models + 2) bad = 1 } exit bad || !n }' out
    verdict "$name: a row per model, the compliant run and the limit, in each variant" $?
    awk -F "$tab" 'NR > 1 && $2 == "limit" && !($10 != "" && $10 < 0.01) { bad = 1 }
        NR > 1 && $2 == "limit" && $3 != "ok" && $1 !~ /gap/ { bad = 1 } END { exit bad }' out
    verdict "$name: the limit is known" $?
    beside
done

impact compare --variant 'mu 0.125' "$scenes/brick-point.json"
[ "$(cut -f 1 out | tail -n +2 | sort -u)" = 'brick on one point, mu 0.125' ]
verdict "one variant only" $?
less "$(field limit p_error)" 0.002
verdict "the compliant brick is near its rigid limit" $?
less "$(field maxdiss p_error)" 0.04
verdict "a model is near the compliant brick" $?
[ "$(field compliant p_error)" = 0 ] && [ "$(field limit p_error_limit)" = 0 ]
verdict "each reference agrees with itself" $?
sed 's/"restitution": 0.392/"restitution": 0.39212345678/' "$scenes/brick-point.json" > digits.json
impact compare --variant 'mu 0.125' digits.json
digits=$(awk -F "$tab" 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
    { for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) {
        number = $i; sub(/e.*/, "", number); gsub(/[-.]/, "", number); sub(/^0+/, "", number)
        if (length(number) > most[i]) most[i] = length(number) } }
    END { for (i = 1; i <= 21; i++) if (name[i] ~ /^(e|e_own|e_best|energy|p_error|v_error.*|microseconds)$/) printf " %s %d", name[i], most[i] }' out)
[ "$digits" = " e 6 p_error 4 v_error 4 v_error_limit 4 energy 9 microseconds 3 e_own 9 v_error_own 4 e_best 6 v_error_best 4 v_error_plastic 4" ]
verdict "as many digits as a column has:$digits" $?
impact compare --variant flat "$scenes/brick-face.json"
[ -z "$(field anitescu p_error)" ] && less "$(field anitescu v_error)" 0.1
verdict "four points: velocities, no impulses" $?
impact compare -o table.tsv --model newton "$scenes/swing.json"
[ $status = 0 ] && [ ! -s out ] && head -1 table.tsv | grep -q "^scene${tab}model${tab}status"
verdict "a table in a file" $?
"$program" compare --model newton - < "$scenes/swing.json" > out 2> err
verdict "a scene from standard input" $?

pressed='expected a time when nothing presses: what comes to rest under gravity has none'
ball='"mass": 1, "ball": 0.1, "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]'
# scene BODY REST: one ball
scene() {
    echo "{\"kind\": \"scene\", \"ground\": [{}], \"bodies\": {\"ball\": {$1}}$2}" > scene.json
}
scene "$ball, \"clearance\": 0.01, \"velocity\": [0, 0, -1]" ', "run": {"max_steps": 10}'
impact compare scene.json
[ $status = 1 ] && grep -q 'the compliant run ended after .* s: step limit' err
verdict "a run that ends early: exit 1 and the time reached" $?
scene "$ball, \"clearance\": 0.01, \"velocity\": [0, 0, -1]" ', "run": {"until": 0.0101}'
impact compare scene.json
[ $status = 1 ] && grep -q 'scene.json: \$.run.until: 0.0101, expected a time' err
verdict "a run cut off in the midst of an impact: exit 1, and the key" $?
title=$(printf '%0600d' 0)
scene "$ball, \"clearance\": 0.01, \"velocity\": [0, 0, -1]" ", \"title\": \"$title\", \"run\": {\"until\": 0.0101}"
impact compare scene.json
[ $status = 1 ] && grep -q '^impact: scene.json: 0*: \$.run.until: 0.0101, expected a time' err
verdict "of a scene of a long title" $?
impact sweep --over transition=0.1,0.2 --model plus scene.json
[ $status = 1 ] && [ "$(tail -n +2 out | cut -f 2,17 | sort -u)" = "$title$tab\$.run.until: 0.0101, $pressed" ]
verdict "and in a sweep" $?
# What comes to rest presses on, and friction stops what slid: impulses that grow with run.until.
damped=', "material": {"stiffness": 1e8, "dissipation": 100, "friction": 0.3}'
for velocity in '[0, 0, -1]' '[1, 0, -1]'; do
    scene "$ball, \"position\": [0, 0, 0.1], \"velocity\": $velocity" "$damped, \"gravity\": [0, 0, -9.81]"
    impact compare --model moreau scene.json
    [ $status = 1 ] && grep -q "scene.json: \$.run.until: 1, $pressed" err
    verdict "at $velocity to rest, or rolling, under gravity: exit 1, and the key" $?
done
impact compare --model moreau --set 'gravity=[0, 0, 0]' scene.json
[ $status = 0 ] && awk -F "\t" 'NR == 3 { exit !($2 == "limit" && $9 == 0) }' out
verdict "and without it: the impact" $?
scene "$ball, \"clearance\": 0.01, \"velocity\": [0, 0, 1]" ', "run": {"until": 0.5}'
impact compare scene.json
[ $status = 1 ] && grep -q 'nothing touches before 0.5 s' err
verdict "nothing touches: exit 1" $?
[ "$(tail -n +2 out | cut -f 2,3,22)" = "compliant${tab}no-solution${tab}nothing touches before 0.5 s" ]
verdict "and a row says why" $?

# What touches at the start without an approach.
# pair REST: a ball that touches the ground, and one that falls on it elsewhere
pair() {
    echo "{\"kind\": \"scene\", \"ground\": [{}], \"bodies\": {\"rests\": {$ball, \"position\": [0, 0, 0.1]},
        \"falls\": {$ball, \"position\": [5, 0, 0.3], \"velocity\": [0, 0, -1]}}$1}" > scene.json
}
pair ', "gravity": [0, 0, -9.81]'
impact compare scene.json
[ $status = 1 ] && [ "$(tail -n +2 out | cut -f 2,3,22)" = "compliant${tab}no-solution${tab}$(sed 's/.*scene.json: //' err)" ] &&
    grep -q 'bodies that met without an approach press on each other before the first impact' err
verdict "a ball rests under its weight while another falls: exit 1, and that in a row" $?
impact compare --set run.apart=1 scene.json
[ $status = 1 ] && grep -q 'bodies that met without an approach' err
verdict "also of a run that waits for both" $?
pair ''
impact compare --model newton --set bodies.rests.position='[0, 0, 0.100000000001]' --set bodies.rests.velocity='[0, 0, -1e-9]' scene.json
[ $status = 0 ] && less "$(field newton v_error)" 1e-9
verdict "one that comes too slowly to press, without weight: the first touch is the other's" $?
scene "$ball, \"position\": [0.1, 0, 0.3], \"velocity\": [0, 0, -1]" ', "gravity": [0, 0, -9.81]'
impact compare --model newton --set ground='[{}, {"normal": [1, 0, 0]}]' scene.json
[ $status = 0 ] && [ "$(field newton contacts)" = 2 ] && less "$(field newton v_error)" 1e-9
verdict "one that falls along a wall: the touch with the ground" $?
cat > rod.json << END
{"kind": "scene", "gravity": [0, 0, -9.81], "material": {"friction": 0.5}, "ground": [{}], "run": {"until": 2},
 "bodies": {"rod": {"mass": 1, "inertia": [0.001, 0.09, 0.09], "turns": [["y", 20]], "clearance": 0,
  "spheres": [{"radius": 0.02, "at": [[-0.5, 0, 0], [0.5, 0, 0]]}]}}}
END
impact compare --model newton rod.json
[ $status = 1 ] && grep -q 'bodies that met without an approach' err
verdict "a rod tips over the end that it stands on" $?
impact compare --model newton --set bodies.rod.clearance=1e-12 rod.json
[ $status = 1 ] && grep -q 'bodies come to more than twice the energy they touch with' err
verdict "and after a touch: its other end is another impact" $?
impact compare --model newton --set 'bodies.rod.spheres=[{"radius": 0.02, "at": [[0.5, 0, 0]]}]' --set bodies.rod.clearance=1e-12 \
    rod.json
[ $status = 1 ] && grep -q 'bodies come to more than twice the energy they touch with' err
verdict "without another end, too" $?

# At 5 mm/s plus captures whatever its e, or gives back all.
scene "$ball, \"position\": [0, 0, 0.1], \"velocity\": [0, 0, -0.005]" ', "material": {"dissipation": 200}'
impact compare --model plus,newton scene.json
[ $status = 0 ] && [ -z "$(field plus e_own)$(field plus v_error_own)" ] && less "$(field newton v_error_own)" 1e-9
verdict "no e of its own for a law that none brings to the rebound" $?

# A double pendulum that strikes the ground with its tip: a tree turned about the upright, and in `joints`.
cat > pendulum.json << END
{"kind": "scene", "gravity": [0, 0, -9.81], "material": {"stiffness": 1e9, "friction": 0.4}, "ground": [{"point": [0, 0, -0.75]}],
 "impact": {"restitution": 0.5}, "bodies": {
  "a": {"mass": 2, "inertia": [0.02, 0.04, 0.04], "com": [0.25, 0, 0], "joint": "revolute", "parent": "ground",
        "axis": [0, 1, 0], "angle": 30, "rate": 1.5},
  "b": {"mass": 1, "inertia": [0.01, 0.02, 0.02], "com": [0.25, 0, 0], "joint": "revolute", "parent": "a", "at": [0.5, 0, 0],
        "axis": [0, 1, 0], "angle": 30, "rate": 2, "spheres": [{"radius": 0.02, "at": [[0.5, 0, 0]]}]}}}
END
cat > joints.json << END
{"kind": "scene", "gravity": [0, 0, -9.81], "material": {"stiffness": 1e9, "friction": 0.4}, "ground": [{"point": [0, 0, -0.75]}],
 "impact": {"restitution": 0.5}, "bodies": {
  "a": {"mass": 2, "inertia": [0.02, 0.04, 0.04], "com": [0.25, 0, 0], "orientation": [0.9659258262890683, 0, 0.25881904510252074, 0],
        "spin": [0, 1.5, 0]},
  "b": {"mass": 1, "inertia": [0.01, 0.02, 0.02], "com": [0.25, 0, 0], "orientation": [0.8660254037844386, 0, 0.5, 0],
        "position": [0.4330127018922193, 0, -0.25], "velocity": [-0.375, 0, -0.649519052838329], "spin": [0, 3.5, 0],
        "spheres": [{"radius": 0.02, "at": [[0.5, 0, 0]]}]}},
 "joints": [{"joint": "revolute", "a": "ground", "b": "a", "at": [0, 0, 0], "axis": [0, 1, 0]},
            {"joint": "revolute", "a": "a", "b": "b", "at": [0.5, 0, 0], "axis": [0, 1, 0]}]}
END
# alike: `out` has the rows of `first`, numbers to 1e-3
alike() {
    tail -n +2 first | cut -f 2-9 | paste - /dev/null > one
    tail -n +2 out | cut -f 2-9 | paste one - | awk -F "$tab" '{ for (i = 1; i <= 8; i++) { d = $i - $(i + 9)
        if (i < 3 ? $i != $(i + 9) : d * d > 1e-6 * $i * $i + 1e-18) bad = 1 } } $2 != "ok" { bad = 1 } END { exit bad || NR != 7 }'
}
models=darboux-stronge,maxdiss,coulomb,auto,newton
"$program" compare --model $models pendulum.json > first
for turn in 30 77 90; do
    impact compare --model $models --set "bodies.a.turns=[[\"z\", $turn]]" pendulum.json
    alike
    verdict "a double pendulum turned by $turn degrees: every model has the same answer" $?
done
impact compare --model $models joints.json
alike
verdict "and in joints instead of a tree" $?

# An arm that whirls a ball against a pin while another pair presses softly: steps that the soft pair
# allows would pass over the hit.
arm='"soft": {"mass": 100, "ball": 1, "position": [0, 0, 1], "velocity": [0, 0, -0.05], "spheres": [{"radius": 1, "at": [[0, 0, 0]]}]},
 "arm": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [10, 0, 5], "spin": [0, 200, 0], "spheres": [{"radius": 0.005, "at": [[0.5, 0, 0]]}]},
 "pin": {"mass": 1, "ball": 0.005, "position": [10.269610850628201, 0, 4.5801059785808595], "spheres": [{"radius": 0.005, "at": [[0, 0, 0]]}]}'
cat > arm.json << END
{"kind": "scene", "title": "arm", "material": {"stiffness": 1e10}, "ground": [{"material": {"stiffness": 2e4}}],
 "bodies": {$arm}, "run": {"until": 2, "apart": 0.001}}
END
whirls() { impact compare --model coulomb --set run.max_step="$1" arm.json; cut -f 7 out | tail -1 | tr -d '\n'; }
long=$(whirls 1) short=$(whirls 5e-5)
[ "$long" = "$short" ] && [ "$(cut -f 3 out | sed -n 2p)" = ok ]
verdict "a whirling ball meets a pin, in long steps as in short ones ($long, $short)" $?
# Three balls in a row, the last 1e-10 m away: the soft contact bridges that gap, an infinitely stiff one does not, and no
# limit is told. balls PLACE [SPEED [MORE]]
balls() {
    cat > balls.json << END
{"kind": "scene", "title": "gap", "bodies": {
 "a": {"mass": 1, "ball": 0.05, "velocity": [${2:-2}, 0, 0], "spheres": [{"radius": 0.05, "at": [[0, 0, 0]]}]},
 "b": {"mass": 0.5, "ball": 0.05, "position": [0.1, 0, 0], "spheres": [{"radius": 0.05, "at": [[0, 0, 0]]}]},
 "c": {"mass": 2, "ball": 0.05, "position": [$1, 0, 0], "spheres": [{"radius": 0.05, "at": [[0, 0, 0]]}]}$3}}
END
    impact compare --model moreau balls.json
}
balls 0.2
[ $status = 0 ] && [ "$(cut -f 3 out | sed -n 3p)" = ok ] && [ -n "$(cut -f 10 out | sed -n 3p)" ]
verdict "balls that touch have a limit of infinite stiffness" $?
balls 0.2000000001
[ "$(cut -f 3 out | sed -n 3p)" = not-converged ] && [ -z "$(cut -f 10 out | sed -n 2,4p | tr -d '\n')" ]
verdict "and none across a gap that these contacts bridge" $?
balls 0.2000009 1e-4
[ "$(cut -f 3 out | sed -n 3p)" = ok ]
verdict "but one where they yield by less than the gap" $?
# The limit is that of no transition speed, too: a stiffer ball that grips stays as far from it as its transition allows.
# creeps TRANSITION STIFFNESS
creeps() {
    cat > creeps.json << END
{"kind": "scene", "title": "creeps", "transition": $1, "material": {"stiffness": $2, "friction": 0.3}, "ground": [{}],
 "bodies": {"ball": {"mass": 1, "ball": 0.1, "clearance": 0, "velocity": [0.05, 0, -0.1], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}}}
END
    impact compare --model coulomb creeps.json
    field compliant v_error_limit
}
wide=$(creeps 0.01 1e12)
less 0.001 "$wide" && less "$(creeps 0.0001 1e12)" 1e-5 && grep -q 'stiffness grows' "$root/cli/impact.1" &&
    "$program" compare --help | grep -q 'limit has a transition'
verdict "the limit of a gripping ball has no transition speed, and the manual says so ($wide)" $?
# One contact bridges no gap, though the root of a flight that ends in it leaves one beyond rounding.
said=
for spin in 0.3 0.5 0.7 0.9 1.1 1.9; do
    cat > falls.json << END
{"kind": "scene", "title": "falls", "material": {"dissipation": 0.1, "friction": 0.3, "viscous_friction": 0.001}, "ground": [{}],
 "bodies": {"rod": {"mass": 1, "box": [0.1, 0.1, 1], "position": [0, 0, 3], "turns": [["x", 40]], "velocity": [0.2, 0, -1],
                    "spin": [0.3, $spin, 0.5], "spheres": [{"radius": 0.02, "at": [[0, 0, -0.5]]}]}}, "run": {"until": 9}}
END
    impact compare --model darboux-stronge falls.json
    said="$said$(cut -f 3 out | sed -n 3p) "
done
[ "$said" = "ok ok ok ok ok ok " ]
verdict "what tumbles down to one contact has a limit ($said)" $?
balls 0.2 2 ',
 "d": {"mass": 1, "ball": 0.05, "position": [0, 0.1000005, 0], "spheres": [{"radius": 0.05, "at": [[0, 0, 0]]}]}'
[ "$(cut -f 3 out | sed -n 3p)" = ok ] && [ "$(cut -f 4 out | sed -n 3p)" = 3 ]
verdict "and where nothing meets across it" $?

# A ball that is struck away from another faster than that can follow: the push ends while they still overlap, and with it the
# collision, not with the step that sees them part.
cat > away.json << 'END'
{"kind": "scene", "title": "away", "gravity": [0, 0, -10], "material": {"stiffness": 1e10}, "bodies": {
 "a": {"mass": 1, "ball": 0.1, "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]},
 "b": {"mass": 1, "ball": 0.1, "position": [0, 0, 0.2], "velocity": [0, 0, -1],
       "spheres": [{"radius": 0.1, "at": [[0, 0, 0]], "material": {"stiffness": 1e6, "dissipation": 2}}]},
 "c": {"mass": 1, "ball": 0.1, "position": [0.2, 0, 0.07], "velocity": [-5, 0, -2], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}}}
END
impact compare --model moreau --history away.tsv away.json
awk -F "$tab" 'NR > 1 { if ($2 != now) { before = pushed; pushed = 0; overlapped = 0 } now = $2
        if ($8 > 0) pushed = 1
        if ($7 > 1e-6) overlapped = 1 }
    END { exit !(before && !pushed && overlapped) }' away.tsv
verdict "a collision ends as its last push does" $?

# A tumbling rod whose ball dips 2 nm into one that is welded, between the ends of a step: not seen on the cubic between them.
cat > graze.json << 'END'
{"kind": "scene", "title": "graze", "material": {"stiffness": 1e10}, "bodies": {
 "pin": {"mass": 1, "ball": 3, "joint": "weld", "parent": "ground", "at": [1.9449954066825628, -3.0145204380656163, -5.696675794972352],
  "spheres": [{"radius": 3, "at": [[0, 0, 0]]}]},
 "rod": {"mass": 1, "inertia": [0.11544123403876501, 0.1852018650438062, 0.2532549656514699],
  "com": [0.03652935699904183, -0.15916415000477765, -0.10686767567084927],
  "orientation": [-0.37308952294221653, -0.7678879364996077, -0.14731395744634856, 0.4994506209733041],
  "spin": [81.32517776221679, -34.72518334167773, 46.694508283440946],
  "spheres": [{"radius": 3, "at": [[0.09576916420633819, -0.17557508226527832, 0.9797967430415148]]}]}},
 "run": {"until": 0.02, "apart": 0}}
END
impact compare --model frictionless graze.json
[ $status = 0 ] && [ "$(cut -f 3 out | sed -n 2p)" = ok ]
verdict "a tumbling ball grazes another between the ends of a step" $?

scene "$ball, \"colour\": \"red\"" ''
refused "an unknown key" 'scene.json: $.bodies.ball.colour: unknown key, expected' scene.json
scene '"mass": -1, "ball": 0.1' ''
refused "a negative mass" 'scene.json: $.bodies.ball.mass: -1, expected a number > 0' scene.json
scene '"mass": 1, "inertia": [1, 1, 2.5]' ''
refused "an inertia against the triangle inequality" 'scene.json: $.bodies.ball.inertia: moments 1, 1, 2.5' scene.json
scene "$ball, \"position\": [0, 0, 0.0999]" ''
refused "an overlapping start" 'scene.json: $.bodies.ball: overlaps the ground by 0.0001 m at the start' scene.json
scene "$ball, \"clearance\": 1" ', "variants": {"good": {}, "bad": {"gravity": 9.81}}'
refused "a variant that is wrong, before anything is written" '(bad): $.gravity: 9.8' scene.json
refused "a missing file" 'nowhere.json' nowhere.json
refused "a problem" '$.kind: "problem", expected scene' "$scenes/note-problem.json"
refused "an unknown variant" 'no variant "mu 7"' --variant 'mu 7' "$scenes/brick-point.json"
echo '{"kind": "scene",' > scene.json
refused "broken JSON" 'scene.json:2:' scene.json
refused "no file" 'expected impact compare' --variant x
echo "1..$count"
