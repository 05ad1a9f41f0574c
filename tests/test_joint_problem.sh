#!/bin/sh
# Friction of joints in JSON problems: closed forms, what is answered beside p, what check makes of wrong answers, refusals.
. "$(dirname "$0")/program.sh"
. "$root/tests/linkage.sh"

parallelogram "$(pins 0.25)" 0 > rubs.json # four pins at the rate 1 take 1 N m s of 8/3
for model in auto drumwright moreau poisson plus anitescu gauss-seidel-coulomb sequential; do
    impact solve --model $model rubs.json
    tangents='0 0' # the pins hold the tip along them: what begins at 0 stays there, an interior point ends inside the cone
    [ $model = drumwright ] && tangents=
    [ $status = 0 ] && near p 1.6666666666666667 $tangents && near u 0 0 0 && grep -q '"gain":0.0}' out
    verdict "four pins that rub before a stop: $model" $?
done
parallelogram "$(pins 1)" 0 > held.json
impact solve --model auto held.json
[ $status = 0 ] && near p 0 0 0 && near u 0 0 0 && near velocities 0 0 0 0 0 0 &&
    numbers joint_friction | awk '{ d = $1 - $2 + $3 + $4 + 8 / 3; exit !(NF == 4 && d * d < 1e-24 && $1 * $1 <= 1 && $2 * $2 <= 1) }'
verdict 'pins that hold what comes leave the contact nothing' $?
for bound in 0.2 0.25 0.3; do # away from the stop: 8/3 w = 8/3 - 4 bound
    parallelogram "$(pins $bound)" 0 | sed 's/"normal": \[1/"normal": [-1/' > apart.json
    impact solve --model auto apart.json
    [ $status = 0 ] && near p 0 0 0 && near velocities "$(awk -v b=$bound 'BEGIN { printf "%.17g", -0.5 * (1 - 1.5 * b) }')" &&
        near joint_friction -$bound $bound -$bound -$bound
    verdict "away from it they brake by $bound each" $?
done
awk '{ gsub(/"revolute"/, "\"slider\""); gsub(/"axis": \[0, 0, 1\]/, "\"axis\": [1, 0, 0]"); print }' > slider.json << END
{"bodies": [{"name": "cart", "mass": 2, "inertia": [1, 1, 1], "position": [0, 0, 0], "velocity": [-3, 0, 0]}],
 "contacts": [{"a": "ground", "b": "cart", "point": [-1, 0, 0], "normal": [1, 0, 0], "mu": 0}],
 "constraints": [{"joint": "revolute", "a": "ground", "b": "cart", "point": [0, 0, 0], "axis": [0, 0, 1], "friction": 1.5}]}
END
impact solve --model auto slider.json
[ $status = 0 ] && near p 4.5 && near joint_friction 1.5
verdict 'a cart on rails that rub: 6 N s, of which they take 1.5' $?
grep -o '"energy":[^,]*' out | head -1 | awk -F : '{ d = $2 + 4.5 * 2.25 / 2; exit !(d * d < 1e-24) }' # J, the speed 2.25 m/s that they leave
verdict 'and the energy is that of p behind them' $?

# Two rods that turn as one: what stops the tip bends the joint between them, which was at rest, and it rubs against that.
rods() {
    cat << END
{"bodies": [
  {"name": "rod", "mass": 2, "inertia": [0.01, 0.06, 0.06], "position": [0.3, 0, 0], "velocity": [0, 0, -0.9], "spin": [0, 3, 0]},
  {"name": "end", "mass": 1, "inertia": [0.01, 0.03, 0.03], "position": [0.8, 0, 0], "velocity": [0, 0, -2.4], "spin": [0, 3, 0]}],
 "contacts": [{"a": "ground", "b": "end", "point": [1, 0, 0], "normal": [0, 0, 1], "mu": 0.3}],
 "constraints": [{"joint": "revolute", "a": "ground", "b": "rod", "point": [0, 0, 0], "axis": [0, 1, 0], "friction": $1},
   {"joint": "revolute", "a": "rod", "b": "end", "point": [0.6, 0, 0], "axis": [0, 1, 0], "friction": $2}]}
END
}
for model in auto drumwright moreau poisson; do
    rods 0.1 0.05 > rods.json
    impact solve --model $model rods.json
    [ $status = 0 ] && near joint_friction -0.1 0.05
    verdict "a joint at rest that the impact bends rubs against that: $model" $?
done
rods 0 10 > rods.json # 0.24 + 0.03 + 0.64 kg m^2 about the ground, at 3 rad/s and 1 m
impact solve --model auto rods.json
[ $status = 0 ] && near p 2.73 && numbers joint_friction | awk '{ exit !(NF == 1 && $1 * $1 > 0.01 && $1 * $1 < 100) }'
verdict 'held fast it is one rod' $?
# a ball against a rod on a pin, whose friction of 0 is none
cat > pinned.json << 'END'
{"bodies": [
  {"name": "rod", "mass": 2, "inertia": [0.01, 0.06, 0.06], "position": [0.3, 0, 0]},
  {"name": "ball", "mass": 1, "inertia": [0.01, 0.01, 0.01], "position": [0.5, 0, 0.1], "velocity": [1, 0.5, -2]}],
 "contacts": [{"a": "rod", "b": "ball", "point": [0.5, 0, 0], "normal": [0, 0, 1], "mu": 0.3, "e": 0.2}],
 "constraints": [{"joint": "revolute", "a": "ground", "b": "rod", "point": [0, 0, 0], "axis": [0, 1, 0], "friction": 0}]}
END
sed 's/, "friction": 0//' pinned.json > smooth.json
"$program" solve --model poisson smooth.json > want
impact solve --model poisson pinned.json
[ $status = 0 ] && cmp -s out want
verdict 'a friction of 0 is none, beside restitution' $?
"$program" convert smooth.json want.tsv && "$program" convert pinned.json pinned.tsv && cmp -s pinned.tsv want.tsv
verdict 'and in a table' $?

# Two bodies that are welded together touch: nothing moves there, whatever the pin's friction rounds to along that contact.
welded() {
    cat << END
{"bodies": [
  {"name": "rod", "mass": 2, "inertia": [0.01, 0.06, 0.06], "position": [0.3, 0.1, 0], "velocity": [0, 0, -0.9], "spin": [0, 3, 0]},
  {"name": "end", "mass": 1, "inertia": [0.01, 0.03, 0.03], "position": [0.8, 0.2, 0.1], "velocity": [0.3, 0, -2.4], "spin": [0, 3, 0]}],
 "contacts": [{"a": "ground", "b": "end", "point": [1, 0.1, 0], "normal": [0, 0, 1], "mu": 0.3}$1],
 "constraints": [{"joint": "revolute", "a": "ground", "b": "rod", "point": [0, 0, 0], "axis": [0.1, 1, 0.3], "friction": 0.1},
   {"joint": "weld", "a": "rod", "b": "end", "point": [0.6, 0, 0]}]}
END
}
welded > alone.json
for model in auto drumwright; do
    impact solve --model $model alone.json
    alone=$(numbers p)
    for where in '0.5, 0.3, 0.1], "normal": [0.6, 0, 0.8' '0.7, 0.3, 0.1], "normal": [0.6, 0, 0.8' '0.7, 0.3, 0.1], "normal": [0, 1, 0'; do
        welded ", {\"a\": \"rod\", \"b\": \"end\", \"point\": [$where], \"mu\": 0.3}" > welded.json
        impact solve --model $model welded.json
        [ $status = 0 ] && near p $alone 0 0 0
        verdict "a contact within what is welded together, at $where: $model" $?
    done
done

impact solve --model auto -o answer.json rubs.json
judges 'what was answered' 0 --model auto rubs.json answer.json
sed 's/"joint_friction":[^]]*\],//; s/"lambda":[^]]*\],//; s/"velocities":\[\[.*\]\],//' answer.json > bare.json
judges 'p alone: the rest follows' 0 --model auto rubs.json bare.json
# plant NAME FRICTION REASON: of the answer away from the stop, where velocities and lambda are those that follow
parallelogram "$(pins 0.25)" 0 | sed 's/"normal": \[1/"normal": [-1/' > apart.json
plant() {
    echo "{\"p\": [0, 0, 0], \"joint_friction\": [$2]}" > wrong.json
    judges "$1" 1 --model auto apart.json wrong.json
    grep -q "\"reason\":\"$3\"" out
    verdict "$1: the reason" $?
}
plant 'friction along the motion' '0.25, -0.25, 0.25, 0.25' 'a joint does not rub against its motion, or not enough'
plant 'bounds doubled' '-0.5, 0.5, -0.5, -0.5' 'a joint rubs beyond its bound'
plant 'friction dropped' '0, 0, 0, 0' 'a joint does not rub against its motion, or not enough'
plant 'one joint of four' '-0.25, 0.25, -0.25, 0' 'a joint does not rub against its motion, or not enough'
sed 's/"p":\[[^,]*/"p":[2.6666666666666665/' answer.json > wrong.json
judges 'the impulse without friction' 1 --model auto rubs.json wrong.json
sed 's/"velocities":\[\[[^,]*/"velocities":[[0.001/' answer.json > wrong.json
judges 'a body that moves otherwise' 1 --model auto rubs.json wrong.json

tested=solve
parallelogram "$(pins 0.25)" 0.5 > bad.json
refused 'restitution' 'friction of joints beside restitution, expected e = 0' --model poisson bad.json
parallelogram "$(pins -1)" 0 > bad.json
refused 'a friction below 0' '$.constraints[0].friction: -1' --model auto bad.json
parallelogram "$(pins 0.25)" 0 | sed 's/"revolute"/"ball"/; s/, "axis": \[0, 0, 1\]//' > bad.json
refused 'a ball joint that rubs' '$.constraints[0].friction: beside a joint that has not one way to move' --model auto bad.json
tested=
refused 'enumerate' 'friction of joints, expected none' enumerate rubs.json
refused 'a solver that is asked' 'friction of joints, expected none' check --exec cat --law coulomb rubs.json
refused 'HDF5' 'has friction of joints' convert rubs.json out.hdf5
refused 'a table' 'friction of joints' convert slider.json out.tsv
echo '{"p": [0, 0, 0], "joint_friction": [1]}' > wrong.json
refused 'another number of joints' '1 in joint_friction' check --model auto rubs.json wrong.json
impact convert rubs.json same.json && "$program" solve --model auto same.json > other && cmp -s other answer.json
verdict 'JSON keeps it' $?
impact solve --model auto --explain rubs.json
[ $status = 0 ] && grep -q 'p = 1.66666667' out
verdict 'and explain says the same' $?

# A wheel that friction of 0.400012 N m s would stop, given 0.399988: it goes on at 3e-5 of its spin. And a body of a gram
# that its joint leaves moving, beside an impact of 1e12 N s, which has nothing to do with it.
apart='{"mass": 1, "inertia": [1, 1, 1], "position": [5, 0, 0.5], "velocity": [0, 0, -1]}'
touches='"contacts": [{"a": "ground", "b": 1, "point": [5, 0, 0], "normal": [0, 0, 1]}], "mu": 0, "e": 0, "p": [1, 0, 0]'
wheel() {
    cat > wheel.json << END
{"bodies": [{"mass": 1, "inertia": [0.4, 0.4, 0.4], "position": [0, 0, 0], "spin": [0, 0, 1]}, $apart], $touches,
 "constraints": [{"joint": "revolute", "a": "ground", "b": 0, "point": [0, 0, 0], "axis": [0, 0, 1], "friction": 0.400012}],
 "joint_friction": [$1]}
END
    impact check --model auto wheel.json
}
wheel -0.4
[ $status = 0 ]
verdict 'a joint that rubs stops a wheel' $?
wheel -0.399988
[ $status = 1 ] && grep -q '"status":"rejected"' out
verdict 'and is not taken for one that leaves it 3e-5 of its spin' $?
light() {
    cat > light.json << END
{"bodies": [{"mass": 1e-3, "inertia": [1e-3, 1e-3, 1e-3], "position": [0, 0, 0], "velocity": [0.3, 0.2, 0.1]},
  {"mass": 1e9, "inertia": [1e9, 1e9, 1e9], "position": [5, 0, 0.5], "velocity": [0, 0, -1000]}],
 "contacts": [{"a": "ground", "b": 1, "point": [5, 0, 0], "normal": [0, 0, 1]}],
 "constraints": [{"joint": "ball", "a": "ground", "b": 0, "point": [0, 0, 0]}], "mu": 0, "e": 0, "p": [1e12, 0, 0],
 "lambda": [$1], "velocities": [[$2, 0, 0, 0], [0, 0, 0, 0, 0, 0]]}
END
    impact check --model auto light.json
}
light '-3e-4, -2e-4, -1e-4' '0, 0, 0'
[ $status = 0 ]
verdict 'a light body at a joint, beside a heavy impact' $?
light '0, 0, 0' '0.3, 0.2, 0.1'
[ $status = 1 ] && grep -q '"status":"rejected"' out
verdict 'whose joint does nothing' $?
echo "1..$count"
