#!/bin/sh
# `impact simulate` where bodies come to rest on several contacts: what separates or slips at about the speed that counts
# as still, and hops that would go on for ever.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"

# ends NAME SCENE: the course goes to run.until
ends() {
    impact simulate --model auto "$2"
    [ $status = 0 ] && [ "$(events | sed 's/.* //')" = end ]
    verdict "$1" $?
}

cat > tripod.json << 'END'
{"kind": "scene", "gravity": [0, 0, -9.81], "material": {"friction": 0.27}, "ground": [{}], "run": {"until": 1.5}, "impact": {"restitution": 0},
 "bodies": {"tripod": {"mass": 1.3, "inertia": [0.026, 0.033, 0.039], "position": [0, 0, 0.0664], "turns": [["z", 3.1]],
   "velocity": [-0.86, -0.68, 0], "spin": [0, 0, 1.9], "spheres": [{"radius": 0.02,
     "at": [[0.22, -0.21, -0.0464], [-0.14, 0.27, -0.0464], [-0.062, -0.29, -0.0464]]}]}}}
END
ends 'a tripod that slides and spins to rest, one foot a little later than the others' tripod.json
awk -F "$tab" 'END { exit !($9 < 1e-30) }' out
verdict 'stands' $?

# What separates beside a contact that comes to rest may not separate any more once that one does not move.
cat > hinged.json << 'END'
{"kind": "scene", "gravity": [0, 0, -9.81], "material": {"friction": 0.8}, "ground": [{}], "impact": {"restitution": 0.3}, "run": {"until": 1.1, "max_steps": 20000},
 "bodies": {"a": {"mass": 1.3, "box": [0.24, 0.23, 0.2], "position": [0, 0, 0.4], "turns": [["z", 78], ["x", 140]], "velocity": [0.62, 0.025, 0],
   "spin": [0.061, -3.2, -6], "spheres": [{"radius": 0.024, "at": "corners"}]},
  "b": {"mass": 2.2, "box": [0.11, 0.26, 0.15], "position": [0.5, 0, 0.45], "turns": [["z", 84], ["x", 7.6]], "velocity": [1, 0.48, 0],
   "spin": [4.5, 1.4, -5.6], "spheres": [{"radius": 0.023, "at": "corners"}]}},
 "joints": [{"joint": "revolute", "a": "a", "b": "b", "at": [0.25, 0, 0], "axis": [0, 1, 0.3]}]}
END
ends 'two boxes on a hinge' hinged.json
awk -F "$tab" '$2 == "impact" { impacts++ } END { exit !(impacts > 50 && impacts < 400) }' out
verdict 'do not hop at one height for ever' $?

cat > beside.json << 'END'
{"kind": "scene", "gravity": [0, 0, -9.81], "material": {"friction": 0.8}, "ground": [{}], "impact": {"restitution": 0.3}, "run": {"until": 1.09},
 "bodies": {"box": {"mass": 1.7, "box": [0.2, 0.18, 0.19], "position": [0, 0, 0.4], "turns": [["z", 150], ["x", 120]],
   "velocity": [-0.48, 0.27, 0], "spin": [-5.9, -2.4, -2], "spheres": [{"radius": 0.021, "at": "corners"}]},
  "ball": {"mass": 1.6, "ball": 0.1, "position": [0.05, 0.02, 0.85], "velocity": [0.58, 0.91, 0], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}}}
END
ends 'a box that tumbles to rest beside a ball' beside.json
echo "1..$count"
