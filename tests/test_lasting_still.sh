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
awk -F "$tab" 'END { exit !($9 != "" && $9 < 1e-30) }' out
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
# A corner that separates only because its neighbour moves, which comes to rest.
cat > corners.json << 'END'
{"kind": "scene", "gravity": [0, 0, -9.81], "material": {"friction": 0.8, "stiffness": 1e9}, "ground": [{}, {"point": [-0.5, 0, 0], "normal": [1, 0, 0]}],
 "impact": {"restitution": 0.3}, "run": {"until": 1.147, "max_steps": 4000}, "bodies": {
 "box": {"mass": 2.7430345024239386, "box": [0.2551371380490387, 0.14504143799811836, 0.16003325698224508], "position": [0, 0, 0.35],
   "orientation": [0.038605575499091487, 0.8602707289352264, -0.3159424293264338, -0.3982766172259546],
   "velocity": [0.4898420501851982, 0.35688700816006075, 0.10541424899789856],
   "spin": [-3.7218721788328186, -0.11700728985309396, 2.7812127778331512], "spheres": [{"radius": 0.027471068907925236, "at": "corners"}]},
 "ball": {"mass": 2.4816547980343824, "ball": 0.11968501984040748, "position": [0.05, 0.02, 0.85],
   "orientation": [-0.6436577150999974, -0.43657215840588914, -0.6235181924916441, -0.07958994866832601],
   "velocity": [-1.2674464814437032, 0.2712643588217015, 0.15675108662422516],
   "spin": [-1.1215856677797262, -15.100558264923079, -3.2321573750798196], "spheres": [{"radius": 0.11968501984040748, "at": [[0, 0, 0]]}]}}}
END
ends 'a box on its corners, in the digits in which it was found' corners.json
# A parallelogram of free bodies that its joints bring to rest where nothing falls: what rounding leaves of it is none.
cat > linkage.json << 'END'
{"kind": "scene", "gravity": [0, 0, 0], "bodies": {
  "a": {"mass": 1, "box": [1, 0.1, 0.1], "position": [0, 0.5, 0], "turns": [["z", 90]], "spin": [0, 0, 0.3], "velocity": [-0.15, 0, 0]},
  "b": {"mass": 1.3, "box": [1.1, 0.1, 0.1], "position": [0.55, 1, 0], "velocity": [-0.3, 0, 0]},
  "c": {"mass": 1, "box": [1, 0.1, 0.1], "position": [1.1, 0.5, 0], "turns": [["z", 90]], "spin": [0, 0, 0.3], "velocity": [-0.15, 0, 0]}},
 "joints": [{"joint": "revolute", "a": "ground", "b": "a", "at": [0, 0, 0], "axis": [0, 0, 1], "friction": 0.3},
  {"joint": "revolute", "a": "a", "b": "b", "at": [0, 1, 0], "axis": [0, 0, 1]},
  {"joint": "revolute", "a": "b", "b": "c", "at": [1.1, 1, 0], "axis": [0, 0, 1]},
  {"joint": "revolute", "a": "ground", "b": "c", "at": [1.1, 0, 0], "axis": [0, 0, 1]}],
 "run": {"until": 10, "max_step": 0.005}}
END
ends 'a linkage that its joints stop, in short steps' linkage.json
echo "1..$count"
