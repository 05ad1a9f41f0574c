#!/bin/sh
# `impact simulate` where all contacts slide: every choice of those that press is looked at. What the choices of these
# scenes come to was found in NumPy, all 8 of a tripod and all 64 of a box along a floor and a wall.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"

# box FRICTION WALLS BODY FEET: a body on a floor, to box.json
box() {
    cat > box.json << END
{"kind": "scene", "material": {"friction": $1}, "ground": [{}$2], "impact": {"restitution": 0}, "run": {"until": 0.3}, $3, "spheres": [$4]}}}
END
}
# wall FRICTION: upright, to the left
wall() {
    printf ', {"normal": [1, 0, 0], "material": {"friction": %s}}' "$1"
}

box 1.5 '' '"gravity": [-0.076, -0.29, -6.3], "bodies": {"box": {"mass": 1.1, "inertia": [0.12, 0.24, 0.16],
  "position": [0.411, 0, 0.521], "velocity": [-0.12, 0.95, 0], "spin": [0, 0, -0.17]' \
    '{"radius": 0.021, "at": [[-0.39, -0.43, -0.5], [-0.39, 0.43, -0.5], [0.37, 0.18, -0.5]]}'
impact simulate --model auto box.json
[ $status = 1 ] && [ "$(events)" = 'start no-force' ] && grep -q 'box.json: at 0 s: no force of the contacts that last obeys' err
verdict 'a tripod that no force holds' $?

# Four feet that slide and spin: their loads may be shared in many ways, none of which obeys.
box 1.5 '' '"gravity": [2.71, -2.9, -9.8], "bodies": {"box": {"mass": 2.04, "inertia": [0.11, 0.11, 0.159],
  "position": [0, 0, 0.362], "turns": [["z", 29.6]], "velocity": [0.987, 0.908, 0], "spin": [0, 0, -0.524]' \
    '{"radius": 0.02, "at": [[0.232, 0.163, -0.342], [0.232, -0.163, -0.342], [-0.232, 0.163, -0.342], [-0.232, -0.163, -0.342]]}'
impact simulate --model auto box.json
[ $status = 1 ] && [ "$(events)" = 'start no-force' ]
verdict 'four feet that no force holds' $?

# A foot that slides up to where friction takes all that a push gives: W_nn = mu W_nt, and no force lifts it.
box 2 "$(wall 1)" '"gravity": [1, 0, -8], "bodies": {"box": {"mass": 1, "inertia": [1, 1, 1], "position": [1.125, 0, 1], "velocity": [0, 1, 0]' \
    '{"radius": 0.125, "at": [[0, 1, -0.875], [-1, 0, 0]]}'
impact simulate --model auto box.json
[ $status = 1 ] && [ "$(events)" = 'start no-force' ]
verdict 'a foot that no force lifts' $?

# Forces by the impulses of the first 10 ns.
box 1 "$(wall 0.3)" '"gravity": [-4.7, 1.6, -9], "bodies": {"box": {"mass": 0.65, "inertia": [0.18, 0.13, 0.16],
  "position": [0.343, 0, 0.473], "velocity": [0, -0.55, 0]' \
    '{"radius": 0.043, "at": [[-0.3, -0.21, -0.43], [-0.3, 0.21, -0.43], [-0.3, 0, 0.1677], [0.12, -0.29, -0.43]]}'
impact simulate --model auto --set run.until=1e-8 --contacts contacts.tsv box.json
[ $status = 0 ] && [ "$(events)" = 'start rests end' ] &&
    [ "$(awk -F "$tab" 'NR > 1 { printf "%s%.4f", (NR > 2 ? " " : ""), $5 * 1e8 }' contacts.tsv)" = '0.3501 3.1745 6.4990' ]
verdict 'one choice of 64' $?
impact simulate --model auto box.json
[ $status = 0 ] && [ "$(events | sed 's/.* //')" = end ]
verdict '  and the box goes on' $?

# Three choices obey, under which the box moves in three ways.
box 1.5 "$(wall 0.3)" '"gravity": [-3, 1.1, -5.6], "bodies": {"box": {"mass": 1.1, "inertia": [0.22, 0.18, 0.19],
  "position": [0.375, 0, 0.365], "velocity": [0, -1, 0]' \
    '{"radius": 0.045, "at": [[-0.33, -0.31, -0.32], [-0.33, 0.31, -0.32], [-0.33, 0, 0.1504], [0.49, -0.32, -0.32]]}'
impact simulate --model auto box.json
[ $status = 1 ] && [ "$(events)" = 'start undetermined' ]
verdict 'three choices of 64, each another motion' $?

# Loads of four feet, shared by three of them or by three others: friction turns the box by one share and by the other.
box 1 '' '"gravity": [-0.647, 0.923, -9.8], "bodies": {"box": {"mass": 0.729, "inertia": [0.136, 0.213, 0.13],
  "position": [0, 0, 0.302], "turns": [["z", 79.6]], "velocity": [-0.0303, 0.191, 0], "spin": [0, 0, 1.02]' \
    '{"radius": 0.02, "at": [[0.236, 0.113, -0.282], [0.236, -0.113, -0.282], [-0.236, 0.113, -0.282], [-0.236, -0.113, -0.282]]}'
impact simulate --model auto box.json
[ $status = 1 ] && [ "$(events)" = 'start undetermined' ]
verdict 'four feet that three hold, or three others' $?

# A ball between two plates may be squeezed by any force: none that presses does, and it goes on.
box 0.5 ', {"point": [0, 0, 0.25], "normal": [0, 0, -1]}' '"gravity": [0, 0, 0], "bodies": {"box": {"mass": 1, "ball": 0.125,
  "position": [0, 0, 0.125], "velocity": [1, 0, 0]' '{"radius": 0.125, "at": [[0, 0, 0]]}'
impact simulate --model auto --bodies bodies.tsv box.json
[ $status = 0 ] && [ "$(events)" = 'start end' ] && [ "$(tail -n 1 bodies.tsv | cut -f 10)" = 1 ]
verdict 'a ball between two plates' $?

# Beside a joint at rest, whose friction holds, or not to one side or the other: 24 choices, and none.
box 1.5 '' '"gravity": [2.83, 1.79, -9.8], "joints": [{"joint": "revolute", "a": "box", "b": "other", "at": [0.5, 0, 0.493],
  "axis": [0, 1, 0], "friction": 0.924}], "bodies": {"other": {"mass": 2.41, "inertia": [0.231, 0.124, 0.187], "position": [1, 0, 0.523],
  "velocity": [-0.217, -0.708, 0], "spheres": [{"radius": 0.03, "at": [[0.0865, 0.0774, -0.493]]}]},
  "box": {"mass": 2.94, "inertia": [0.0543, 0.0808, 0.0788], "position": [0, 0, 0.523], "velocity": [-0.217, -0.708, 0]' \
    '{"radius": 0.03, "at": [[0.208, 0.0822, -0.493], [0.29, -0.203, -0.493]]}'
impact simulate --model auto box.json
[ $status = 1 ] && [ "$(events)" = 'start no-force' ]
verdict 'no force beside a joint at rest, whatever it does' $?
# One foot: it presses where the joint holds, and where the joint slips.
box 1.5 '' '"gravity": [0, 0, -9.8], "joints": [{"joint": "revolute", "a": "box", "b": "hung", "at": [0, 0, -0.2],
  "axis": [0, 1, 0], "friction": 20}], "bodies": {
  "hung": {"mass": 2, "inertia": [0.3, 0.3, 0.3], "position": [0, 0, 0.32], "velocity": [1, 0, 0]},
  "box": {"mass": 1, "inertia": [0.05, 0.05, 0.05], "position": [0, 0, 0.52], "velocity": [1, 0, 0]' \
    '{"radius": 0.02, "at": [[0.1, 0, -0.5]]}'
impact simulate --model auto box.json
[ $status = 1 ] && [ "$(events)" = 'start undetermined' ]
verdict '  one foot and such a joint, which holds or slips' $?
# A joint that slips and turns back while what it joins slides on.
roll='"spin": [0, 0, 0], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]'
cat > train.json << END
{"kind": "scene", "gravity": [1.0326724690750007, 1.4577276238935388, -9.645968989487383], "material": {"friction": 0.1}, "ground": [{}],
 "impact": {"restitution": 0}, "run": {"until": 0.8}, "bodies": {
  "b0": {"mass": 1.61, "inertia": [0.00665, 0.00648, 0.00596], "position": [0, 0, 0.1], "velocity": [0.3, 0, 0], $roll},
  "b1": {"mass": 1.99, "inertia": [0.00698, 0.011, 0.0106], "position": [0.4, 0, 0.1], "velocity": [0.3, 0, 0], $roll},
  "b2": {"mass": 1.31, "inertia": [0.00597, 0.00433, 0.00617], "position": [0.8, 0, 0.1], "velocity": [0.3, 0, 0], $roll}},
 "joints": [{"joint": "revolute", "a": "b0", "b": "b1", "at": [0.2, 0, -0.0595], "axis": [-0.647, 0.837, 0.906]},
  {"joint": "revolute", "a": "b1", "b": "b2", "at": [0.2, 0, 0.039], "axis": [-1.06, 0.214, -1.15], "friction": 0.536}]}
END
impact simulate --model newton train.json
[ $status = 0 ] && [ "$(events)" = 'start rests slides slides sticks end' ]
verdict 'a joint that turns back between balls that slide' $?

# A contact comes to rest and begins to slip in the same instant, while what is left of its slip points elsewhere.
box 0.6 "$(wall 1.2)" '"gravity": [-3.4, -1.9, -6.7], "bodies": {"box": {"mass": 0.99, "inertia": [0.26, 0.14, 0.13],
  "position": [0.329, 0, 0.429], "velocity": [0, -0.76, 0]' \
    '{"radius": 0.039, "at": [[-0.29, -0.39, -0.39], [-0.29, 0.39, -0.39], [-0.29, 0, 0.1521], [0.49, 0.39, -0.39]]}'
impact simulate --model auto box.json
[ $status = 0 ] && [ "$(events | sed 's/.* //')" = end ]
verdict 'a slip that begins where another ends' $?
echo "1..$count"
