#!/bin/sh
# `impact simulate` with joints that rub: when and where they stop, in closed form; in loops as in trees; at impacts.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"
scene=$root/benchmarks/scenes/rubbing.json

# at TIME BODY FIELD: of the last row of bodies.tsv
at() {
    awk -F "$tab" -v t="$1" -v body="$2" -v field="$3" '$1 == t && $2 == body { x = $field } END { print x }' bodies.tsv
}

of 'without gravity' # I w = 0.24 * 3 against 0.75 N m
[ "$(events)" = 'start sticks end' ] && within "$(when sticks)" 0.96 1e-13 && balance
verdict 'a rod stops after I w / bound' $?
within "$(at 4 rod 8)" "$(awk 'BEGIN { printf "%.15g", sin(atan2(1, 0) / 2 + 0.72) }')" 1e-12 # half of 90 degrees + I w^2 / 2 bound
verdict 'and there it is' $?
of viscous # I / c ln(1 + c w / bound)
within "$(when sticks)" 0.705343997882543 1e-12 && balance
verdict 'with a viscous part' $?
of held # 5.886 N m cos 97 degrees below 0.75, then above
[ "$(events)" = 'start end' ] && awk -F "$tab" 'END { exit !($9 != "" && $9 < 1e-20) }' out
verdict 'a bound holds a rod that hangs askew' $?
of held --set bodies.rod.angle=98
[ "$(events)" = 'start sticks end' ] && awk -v t="$(when sticks)" 'BEGIN { exit !(t > 0.6) }' && balance
verdict 'and one that hangs more not' $?
of slider # 8 N and the weight along 20 degrees
within "$(when sticks)" 0.271915816380709 1e-12 && [ "$(events)" = 'start sticks end' ] && balance
verdict 'a slider stops on its ramp' $?
of slider --set bodies.rod.friction=6
[ "$(events)" = 'start slides end' ] && within "$(when slides)" "$(awk 'BEGIN { printf "%.15g", 2 / (3 + 3.3552176060248105) }')" 1e-12 &&
    within "$(awk -F "$tab" 'END { print $9 }' out)" "$(awk 'BEGIN { t = 4 - 2 / 6.3552176060248105; v = 0.3552176060248105 * t; printf "%.15g", v * v }')" 1e-8
verdict 'with less it goes back' $?
# Between two turning points of a swing gravity gives what friction took: m g l (sin b - sin a) = bound |a - b|
of 'parallelogram as a pendulum'
awk -F "$tab" -v t="$(when slides 1)" -v u="$(when slides 2)" '$2 == "rod" && $1 == t { a = 2 * atan2($8, $6) }
    $2 == "rod" && $1 == u { b = 2 * atan2($8, $6) } END { d = 1.4 * 9.81 * (sin(b) - sin(a)) - 1.5 * (a < b ? b - a : a - b)
        exit !(a != b && d < 1e-9 && -d < 1e-9) }' bodies.tsv
verdict 'a swing loses what friction takes' $?
cp out pendulum && pendulum=$(at 4 rod 8) && stuck=$(when sticks)
of parallelogram
[ "$(events)" = "$(events pendulum)" ] && balance &&
    within "$(at 4 rod 8)" "$pendulum" 1e-10 && within "$(when sticks)" "$stuck" 1e-10 &&
    awk -F "$tab" 'NR > 1 && !($11 != "" && $11 <= 1e-12) { bad = 1 } END { exit bad || NR < 2 }' out
verdict 'a parallelogram with four pins that rub is that pendulum' $?
of 'two rods'
cp bodies.tsv tree && tree=$(when sticks 1) && last=$(when sticks 2) && joint=$(at 4 end 3)
of 'two rods, free bodies'
within "$(when sticks 1)" "$tree" 1e-10 && within "$(when sticks 2)" "$last" 1e-10 && within "$(at 4 end 3)" "$joint" 1e-10 && balance
verdict 'two rods as free bodies are those of the tree' $?
of 'two rods' --set bodies.rod.rate=0.1 --set bodies.rod.friction=3 --set bodies.end.friction=0
[ "$(events)" = 'start sticks end' ] && awk -F "$tab" -v t="$(when sticks)" '
    $2 == "end" && $1 == t { angle = 2 * atan2($8, $6) + $14 * (4 - t) }
    $2 == "end" && $1 == 4 { d = sin(atan2($8, $6) - angle / 2); exit !(d < 1e-9 && -d < 1e-9) }' bodies.tsv
verdict 'on a rod that is held, without gravity, another turns evenly' $?
# Held across gravity, with I w^2 / 2 = m g c (cos a - cos 60 degrees) of the one that swings on it, I = 0.07 about its pin:
# m1 g c1 + 0.6 m (g + c (sin a w' + cos a w^2)) comes to 13 N m
of 'two rods' --set 'gravity=[9.81,0,0]' --set bodies.rod.rate=0 --set bodies.rod.friction=13 --set bodies.end.friction=0 \
    --set bodies.end.angle=-30 --set bodies.end.rate=0
[ "$(events | cut -d ' ' -f 1,2)" = 'start slides' ] && [ "$(tail -n 1 out | cut -f 2)" = end ] && balance &&
    awk -F "$tab" -v t="$(when slides 1)" '$2 == "end" && $1 == t { a = 2 * atan2($8, $6); k = 1.962 / 0.07
        d = 11.772 + 0.12 * k * (2 * cos(a) * (cos(a) - 0.5) - sin(a) * sin(a)) - 13; exit !(d < 1e-9 && -d < 1e-9) }' bodies.tsv
verdict 'a rod that is held gives way where the one that swings on it pulls too hard' $?
of bead
bead=$(when sticks 1) && last=$(when sticks 2) && joint=$(at 4 bead 3)
within "$last" 3.625 1e-12 # the angular momentum 3.625 N m s against 1 N m
verdict 'a rod on which a bead slides out stops by its angular momentum' $?
of 'bead, free bodies'
within "$(when sticks 1)" "$bead" 1e-10 && within "$(when sticks 2)" "$last" 1e-10 && within "$(at 4 bead 3)" "$joint" 1e-10 && balance
verdict 'so is a bead on a rod that turns' $?
# From 0.48 rad at 3 rad/s to the plane, e = 1/2: the impact multiplies the rate whatever the joint's friction
of stop
within "$(when impact)" "$(awk 'BEGIN { a = 0.75 / 0.24; x = atan2(29, sqrt(3600 - 841)); printf "%.15g", (3 - sqrt(9 - 2 * a * x)) / a }')" 1e-9 &&
    within "$(when sticks)" "$(awk 'BEGIN { a = 0.75 / 0.24; x = atan2(29, sqrt(3600 - 841)); w = sqrt(9 - 2 * a * x)
        printf "%.15g", (3 - w) / a + 0.5 * w / a }')" 1e-9 && balance
verdict 'an impact on the way: friction takes nothing in no time' $?
# beside RATE JOINTS: a slider of 1 mg at 1 um/s, which stops after m v / bound = 10 s, beside a rotor that nothing couples to it
beside() {
    cat << END
{"kind": "scene", "bodies": {"slider": {"mass": 1e-6, "inertia": [1e-12, 1e-12, 1e-12]$2, "velocity": [1e-6, 0, 0]},
  "rotor": {"mass": 1e-6, "inertia": [1e-12, 1e-12, 1e-12], "joint": "revolute", "parent": "ground", "at": [0, 1e-3, 0],
    "axis": [0, 0, 1], "rate": $1, "friction": 1e-20}}, $3 "run": {"until": 20}}
END
}
for rate in 0 101 1e6; do
    beside $rate ', "joint": "slider", "parent": "ground", "axis": [1, 0, 0], "friction": 1e-13, "rate": 1e-6' |
        sed 's/, "velocity": [^]]*\]//' > beside.json
    impact simulate --model poisson --bodies bodies.tsv beside.json
    within "$(when sticks)" 10 1e-12 && within "$(at 20 slider 3)" 5e-6 1e-17
    verdict "a slow slider beside what turns at $rate rad/s stops in its own time" $?
    beside $rate '' '"joints": [{"joint": "slider", "a": "ground", "b": "slider", "at": [0, 0, 0], "axis": [1, 0, 0], "friction": 1e-13}],' > beside.json
    impact simulate --model poisson --bodies bodies.tsv beside.json
    within "$(when sticks)" 10 1e-9 && within "$(at 20 slider 3)" 5e-6 1e-14
    verdict 'so does one that a loop holds' $?
done
# Joints at rest that nothing couples, N m beside N, a wheel of 1e-12 kg m^2 beside a bead of 1 kg; no force is asked of them.
cat > apart.json << END
{"kind": "scene", "bodies": {
  "wheel": {"mass": 1, "inertia": [1e-12, 1e-12, 1e-12], "joint": "revolute", "parent": "ground", "axis": [0, 0, 1], "friction": 1e-12},
  "bead": {"mass": 1, "inertia": [1e-12, 1e-12, 1e-12], "joint": "slider", "parent": "ground", "axis": [1, 0, 0], "friction": 1e-6}},
 "run": {"until": 4}}
END
impact simulate --model poisson apart.json
[ $status = 0 ] && [ "$(events)" = 'start end' ]
verdict 'joints at rest stay, whatever their masses and units' $?
# In other units of length nothing happens at another time.
for unit in 1e-6 1e6; do
    python3 - "$scene" $unit > units.json << 'END'
import json, sys
unit = float(sys.argv[2])
power = {'gravity': 1, 'point': 1, 'at': 1, 'meets': 1, 'com': 1, 'radius': 1, 'position': 1, 'velocity': 1, 'inertia': 2}
revolute, slider = {'friction': 2, 'viscous_friction': 2}, {'rate': 1, 'displacement': 1, 'friction': 1}
def scaled(x, n):
    return [scaled(y, n) for y in x] if isinstance(x, list) else x * unit ** n
def convert(x):
    if isinstance(x, list):
        return [convert(y) for y in x]
    if not isinstance(x, dict):
        return x
    powers = {**power, **(slider if x.get('joint') == 'slider' else revolute)}
    return {k: scaled(y, powers[k]) if k in powers and y is not None else convert(y) for k, y in x.items()}
print(json.dumps(convert(json.load(open(sys.argv[1])))))
END
    for variant in 'without gravity' viscous held slider 'two rods' 'two rods, free bodies' bead 'bead, free bodies' parallelogram; do
        of "$variant"
        mv out metres
        (scene=units.json && of "$variant" )
        paste metres out | awk -F "$tab" '{ d = $1 - $12; bad = bad || $2 != $13 || d * d > 1e-20 } END { exit bad || NR < 3 }'
        verdict "lengths times $unit: $variant" $?
    done
done
# An arm that a second joint holds altogether, with what a rate leaves after that: rounding, which decides nothing
arm() {
    cat << END
{"kind": "scene", "gravity": [0, 0, $1], "material": {"friction": 0.3}, "ground": [{}], "bodies": {
  "arm": {"mass": 2, "box": [0.5, 0.1, 0.06], "com": [0.25, 0, 0.01], "joint": "revolute", "parent": "ground", "at": [0, 0, 1],
    "axis": [0.38, -1.88, -0.86], "angle": 12.7, "rate": 0.5$2},
  "ball": {"mass": 1, "ball": 0.1, "position": [2, 0, 1], "velocity": [0, 0, -3], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}},
 "joints": [{"joint": "$3", "a": "ground", "b": "arm", "at": [0.3, 0.2, 0.5]}], $4}
END
}
for gravity in 0 -9.81; do
    for friction in '' ', "friction": 0.5' ', "friction": 0.5, "viscous_friction": 0.04'; do
        for joint in weld ball; do
            arm $gravity "$friction" $joint '"run": {"until": 0.6}, "impact": {"restitution": 0.5}' > arm.json
            impact simulate --model poisson --bodies bodies.tsv arm.json
            [ $status = 0 ] && tail -n 1 out | grep -q "^0.6${tab}end$tab" &&
                awk -F "$tab" '$2 == "arm" { for (k = 10; k <= 15; k++) bad = bad || $k * $k > 1e-24 } END { exit bad || NR < 3 }' bodies.tsv
            verdict "an arm that is held stays, and does not end the run: $gravity m/s^2$friction, $joint" $?
        done
    done
done
arm 0 '' weld '"contacts": [{"body": "arm", "at": [[0.3, 0.1, 0]], "normal": [-0.6, 0, 0.8], "point": [0, 0, 0]}],
 "step": {"h": 0.01, "until": 0.1}' > arm.json
impact simulate --model auto --bodies bodies.tsv arm.json # inside the plane, where an approach by rounding has no answer
[ $status = 0 ] && awk -F "$tab" '$2 == "arm" { for (k = 10; k <= 15; k++) bad = bad || $k != 0 } END { exit bad || NR < 3 }' bodies.tsv
verdict 'nor does a contact with it, in steps' $?
# A joint gives way on an arm that another joint holds: as on an arm that is fixed.
cat > elbow.json << 'END'
{"kind": "scene", "gravity": [0, 0, -9.81], "impact": {"restitution": 0}, "run": {"until": 0.5}, "bodies": {
  "upper": {"mass": 1, "inertia": [1e-5, 0.0033, 0.0033], "com": [0.1, 0, 0], "joint": "revolute", "parent": "ground", "at": [0, 0, 1],
    "axis": [0, 1, 0], "friction": 1000},
  "fore": {"mass": 2, "box": [0.5, 0.05, 0.05], "com": [0.25, 0, 0], "joint": "revolute", "parent": "upper", "at": [0.2, 0, 0],
    "axis": [0, 1, 0], "friction": 14},
  "bob": {"mass": 1, "box": [0.3, 0.03, 0.03], "com": [0.15, 0, 0], "joint": "revolute", "parent": "fore", "at": [0.5, 0, 0],
    "axis": [0, 1, 0]}}}
END
sed 's/"revolute", "parent": "ground"/"weld", "parent": "ground"/; s/"axis": \[0, 1, 0\], "friction": 1000/"turns": []/' elbow.json > fixed.json
impact simulate --model auto fixed.json
slips=$(when slides) sticks=$(when sticks)
impact simulate --model auto elbow.json
[ $status = 0 ] && [ "$(events)" = 'start slides sticks end' ] && within "$(when slides)" "$slips" 1e-9 && within "$(when sticks)" "$sticks" 1e-9
verdict 'an elbow gives way beside a shoulder that holds' $?
# A slider at rest along the axis of a hinge that stops: nothing moves it, and what rounding leaves of its rate is none.
cat > stops.json << 'END'
{"kind": "scene", "gravity": [0, 1, -9.81], "impact": {"restitution": 0}, "run": {"until": 0.4}, "bodies": {
  "arm": {"mass": 1, "box": [0.2, 0.05, 0.05], "com": [0.1, 0, 0], "joint": "revolute", "parent": "ground", "at": [0, 0, 1],
    "axis": [0, 1, 0], "friction": 10, "rate": -1},
  "bead": {"mass": 0.2, "box": [0.3, 0.05, 0.05], "com": [0.15, 0, 0], "joint": "slider", "parent": "arm", "at": [0.2, 0, 0],
    "axis": [0, 1, 0], "friction": 5}}}
END
impact simulate --model auto stops.json
[ $status = 0 ] && [ "$(events)" = 'start sticks end' ]
verdict 'a slider that nothing moves, on an arm that stops' $?
# A fall is faster than both: a wheel where lengths are 1000 km, by rad/s, and a bead where they are 1 mm, by m/s.
slow() {
    cat << END
{"kind": "scene", "gravity": [0, 0, -9.81], "run": {"until": 20}, "bodies": {"slow": {"mass": 1, "inertia": [1, 1, 1], "joint": "$1",
  "parent": "ground", "at": [$2, 0, 0], "axis": [$3], "rate": $4, "friction": $5}}}
END
}
slow revolute 1e6 '0, 0, 1' 1e-6 1e-7 > wheel.json
slow slider 1e-3 '1, 0, 0' 1e-7 1e-8 > bead.json
for kind in wheel bead; do
    impact simulate --model auto $kind.json
    [ $status = 0 ] && within "$(when sticks)" 10 1e-7
    verdict "a slow $kind stops in its own time" $?
done
tested=compare
refused 'joints that rub, of compare' 'a joint with friction, which only simulate takes' --variant held "$scene"
refused 'and of loops' '$.joints[0]' --variant parallelogram --set bodies.rod.friction=0 --set bodies.coupler.friction=0 \
    --set bodies.rocker.friction=0 "$scene"
tested=simulate
refused 'a friction below 0' '$.bodies.rod.friction' --variant held --model poisson --set bodies.rod.friction=-1 "$scene"
echo "1..$count"
