#!/bin/sh
# `impact simulate`: times of impact in closed form, how a course ends, the time stepper's scenes; what it refuses.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"
. "$root/tests/quick_scenes.sh"
tested=simulate
scenes=$root/benchmarks/scenes

# field ROW COLUMN: of `out`, rows counted from 0 behind the header
field() {
    awk -F "$tab" -v row="$1" -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == row + 2 { print $at[name] }' out
}
last() {
    tail -1 out | cut -f 2
}

# A ball dropped from 1 m: impacts at t1 (1 + 2 e + 2 e^2 + ...), which pile up before t1 (1 + e) / (1 - e) = 3 t1
impact simulate --model newton --bodies bodies.tsv --contacts contacts.tsv "$scenes/bounce.json"
[ $status = 0 ] && [ "$(last)" = end ] &&
    awk -F "$tab" '$2 == "impact" { t1 = sqrt(2 / 9.81); want = k++ ? want + 2 * t1 * 0.5 ^ (k - 1) : t1
        d = $1 - want; worst = d > worst ? d : -d > worst ? -d : worst } END { exit !(k >= 15 && worst <= 1e-12) }' out
verdict 'a ball of e = 1/2: times of impact to 1e-12 s' $?
within "$(when zeno 1)" 1.35457092295719275 1e-11 && [ "$(tail -2 out | head -1 | cut -f 2,3)" = "zeno${tab}1" ]
verdict 'and the instant at which they pile up, from which on it rests' $?
within "$(tail -1 out | cut -f 10)" 0.981 1e-12 &&
    awk -F "$tab" -v from="$(when impact)" '$1 > 1.3545709 && $2 == "ground" { sum += $5 } END { d = sum - 9.81 * (3 - from); exit !(d < 1e-9 && -d < 1e-9) }' contacts.tsv
verdict 'held by its weight times the time' $?
t1=$(awk 'BEGIN { printf "%.15g", sqrt(2 / 9.81) }')
for until in 9 1e3 1e9; do # whatever comes behind them
    impact simulate --model newton --set impact.restitution=0.9 --set run.until=$until "$scenes/bounce.json"
    awk -F "$tab" '$2 == "impact" { n++ } END { exit !(n > 120) }' out && within "$(when zeno 1)" "$(awk -v t="$t1" 'BEGIN { printf "%.15g", 19 * t }')" 1e-10
    verdict "of e = 9/10, watched for $until s: as many impacts, the same end of them" $?
done
impact simulate --model newton --bodies bodies.tsv --contacts contacts.tsv "$scenes/bounce.json"
within "$(field 1 lost)" 7.3575 1e-9 && within "$(field 1 energy)" 3.4335 1e-9
verdict 'three quarters of the energy are lost' $?
[ "$(sed -n 2p contacts.tsv | cut -f 2,3)" = "ground${tab}ball" ] &&
    within "$(sed -n 2p contacts.tsv | cut -f 5)" 6.64417037710503 1e-11 &&
    within "$(sed -n 2p contacts.tsv | cut -f 8)" 2.21472345903501 1e-11
verdict 'impulse and velocity of the first, 3/2 and 1/2 of sqrt(2 g)' $?
awk -F "$tab" 'NR > 1 { z = 1.1 - 9.81 * $1 ^ 2 / 2; if (z < 0.1) exit; n++; if ($5 - z > 1e-12 || z - $5 > 1e-12) bad = 1 } END { exit bad || n < 3 }' \
    bodies.tsv
verdict 'bodies on their parabola' $?
impact simulate --model newton --every 5 --bodies few.tsv "$scenes/bounce.json"
[ $status = 0 ] && [ "$(wc -l < few.tsv)" -lt "$(wc -l < bodies.tsv)" ]
verdict 'every fifth step of the free motion' $?
# Rows of bodies begin with the start, once: of a flight, on the ground, and of a joint that rubs, every step or few
arm='"mass": 1, "inertia": [1, 1, 1], "joint": "revolute", "parent": "ground", "axis": [0, 1, 0], "rate": 1, "friction": 0.1'
echo '{"kind": "scene", "bodies": {"arm": {'"$arm"'}}, "run": {"until": 0.1}, "impact": {"restitution": 0}}' > arm.json
good=0
for scene in "$scenes/bounce.json" "$scenes/bounce.json --set bodies.ball.position=[0,0,0.1]" arm.json; do
    for every in 1 1000; do
        impact simulate --model newton --every $every --bodies bodies.tsv $scene # words
        [ $status = 0 ] && [ "$(sed -n 2p bodies.tsv | cut -f 1)" = 0 ] && [ "$(cut -f 1 bodies.tsv | grep -cx 0)" = 1 ] || good=1
    done
done
verdict 'bodies from the start on' $good
impact simulate --model poisson --variant 'e = 0' "$scenes/bounce.json"
[ $status = 0 ] && [ "$(wc -l < out)" = 5 ] && [ "$(last)" = end ] && within "$(when rests 1)" 0.45152364098573 1e-13
verdict 'e = 0: it rests at once' $?
impact simulate --model poisson --set impact.restitution=1e-4 "$scenes/bounce.json"
[ $status = 0 ] && [ "$(grep -c impact out)" = 2 ] && within "$(when rests 1)" 0.451613945713927 1e-11
verdict 'e = 1e-4: a small bounce, the next is none' $?
impact simulate --model poisson --variant 'e = 1' --set run.until=10 "$scenes/bounce.json"
[ $status = 0 ] && [ "$(last)" = end ] && [ "$(grep -c impact out)" = 11 ] && within "$(tail -1 out | cut -f 10)" 10.791 1e-9 &&
    [ "$(tail -1 out | cut -f 1)" = 10 ]
verdict 'e = 1: eleven impacts in 10 s, no energy lost' $?
# A wall that is no support: with e = 0 the ball keeps its fall, and the end of its time comes
sed 's/"ground": \[{}\]/"ground": [{"point": [0.2, 0, 0], "normal": [-1, 0, 0]}]/; s/"position"/"velocity": [1, 0, 0], "position"/' \
    "$scenes/bounce.json" > wall.json
impact simulate --model newton --variant 'e = 0' wall.json
[ $status = 0 ] && [ "$(last)" = end ] && [ "$(grep -c impact out)" = 1 ] && [ "$(tail -1 out | cut -f 1)" = 3 ]
verdict 'e = 0 against a wall: it falls on' $?
# What joints do not let near one another, or hardly: a cart on a rail over a floor, two wheels on axles, and a pendulum over a
# floor beside a wall, which touches as if the wall were not there
body='"mass": 1, "ball": 0.2, "parent": "ground"'
sphere() { echo "\"spheres\": [{\"radius\": $1, \"at\": [[0, 0, $2]]}]"; }
cart="\"cart\": {$body, \"joint\": \"slider\", \"axis\": [1, 0, 0], \"at\": [0, 0, 0.5], \"rate\": 1, $(sphere 0.2 0)}"
wheel() { echo "\"$1\": {$body, \"joint\": \"revolute\", \"axis\": [0, 1, 0], \"at\": [$2, 0, 1], \"rate\": 1, $(sphere 0.2 0)}"; }
bob="\"bob\": {$body, \"com\": [0, 0, -0.5], \"joint\": \"revolute\", \"at\": [0, 0, 1], \"axis\": [0, 1, 0], \"angle\": 60, \"rate\": 1,
    $(sphere 0.1 -0.95)}"
held() { # GROUND BODIES
    echo "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], $1 \"bodies\": {$2}, \"run\": {\"until\": 0.5, \"max_steps\": 2000}}" > held.json
}
held '"ground": [{}],' "$cart" && impact simulate --model auto held.json
[ $status = 0 ] && [ "$(last)" = end ] && within "$(tail -1 out | cut -f 9)" 0.5 1e-12
verdict 'a cart on a rail over a floor goes on' $?
for tilt in 1e-6 1e-9 1e-12 1e-15; do # the cart gains 9.81 tilt m/s^2, against its way
    impact simulate --model auto --set "bodies.cart.axis=[1, 0, $tilt]" held.json
    [ $status = 0 ] && [ "$(last)" = end ] &&
        within "$(tail -1 out | cut -f 9)" "$(awk "BEGIN { printf \"%.12f\", (1 - 9.81 * 0.5 * $tilt) ^ 2 / 2 }")" 1e-11
    verdict "so on one that is $tilt from level" $?
done
held '' "$(wheel a 0), $(wheel b 0.5)" && impact simulate --model auto held.json
[ $status = 0 ] && [ "$(last)" = end ] && within "$(tail -1 out | cut -f 9)" 0.016 1e-14
verdict 'two wheels that never meet turn' $?
held '"ground": [{}],' "$bob" && impact simulate --model auto held.json
free=$(field 1 time)
held '"ground": [{}, {"point": [0, -1, 0], "normal": [0, 1, 0]}],' "$bob" && impact simulate --model auto held.json
[ $status = 0 ] && [ "$(last)" = end ] && within "$free" 0.380986777484 1e-11 && within "$(field 1 time)" "$free" 1e-11
verdict 'a pendulum touches the floor beside a wall as without it' $?
impact compare --model auto held.json
[ $status = 0 ]
verdict 'and with compliant contacts' $?
held '"ground": [{"point": [0, 0, -1e4]}],' "$bob" && impact simulate --model auto --set run.max_steps=20 held.json
[ $status = 1 ] && [ "$(last)" = stopped ] && grep -qx 'impact: held.json: at 0[.0-9]* s: the integration stopped: step limit' err
verdict 'what stops a run is said' $?
held '' "\"wheel\": {$body, \"com\": [0.1, 0, 0], \"joint\": \"revolute\", \"axis\": [0, 1, 0], \"rate\": 1, \"friction\": 0.1, \"viscous_friction\": 1e20}"
timeout 20 "$program" simulate --model auto held.json > out 2> err
[ $? = 1 ] && [ "$(last)" = stopped ] && grep -q 'run.max_steps were made$' err
verdict 'max_steps are of all flights and stretches: time that hardly passes ends' $?
echo '{"kind": "scene", "bodies": {"top": {"mass": 1, "ball": 0.1, "spin": [0, 0, 1]}}, "run": {"until": 1e200}}' > long.json
impact simulate --model auto long.json
[ $status = 1 ] && [ "$(last)" = stopped ] && grep -q 'the integration stopped: beyond the numbers that a double holds$' err
verdict 'a motion that ends beyond doubles is no answer' $?
# A direction of any length is one: sqrt(2 0.9 / 9.81)
for length in 1 3e-162 1e200; do
    cat > dropped.json << END
{"kind": "scene", "gravity": [0, 0, -9.81], "ground": [{"normal": [0, 0, $length]}], "run": {"until": 0.5},
 "bodies": {"ball": {"mass": 1, "ball": 0.1, "position": [0, 0, 1], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]},
            "arm": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "joint": "revolute", "parent": "ground", "axis": [0, $length, 0]}}}
END
    impact simulate --model auto dropped.json
    [ $status = 0 ] && within "$(field 1 time)" 0.428352936878119 1e-12
    verdict "a normal and an axis of length $length" $?
done
impact simulate --model plus "$scenes/cradle.json"
[ $status = 0 ] && [ "$(field 1 event)" = impact ] && [ "$(field 1 contacts)" = 4 ] && [ "$(last)" = end ]
verdict 'a cradle: one impact of four contacts' $?
impact compare --model plus --impulses all.tsv "$scenes/pendulum.json" > /dev/null
impact simulate --model plus --contacts own.tsv "$scenes/pendulum.json"
[ "$(awk -F "$tab" '$2 == "plus" && !k++ { print $6, $7, $8 }' all.tsv)" = "$(sed -n 2p own.tsv | cut -f 5-7 | tr '\t' ' ')" ]
verdict 'the first impact is that of compare' $?

# Steps
impact simulate --contacts contacts.tsv --bodies bodies.tsv "$scenes/ramp.json"
[ $status = 0 ] && [ "$(wc -l < out)" = 202 ] && [ "$(wc -l < bodies.tsv)" = 202 ] && [ "$(wc -l < contacts.tsv)" = 801 ] &&
    within "$(tail -1 bodies.tsv | cut -f 3)" 0.637807222245 1e-10
verdict 'a box on a ramp, 200 steps: where it is after 2 s' $?
awk -F "$tab" '$1 == 2 { sum += $5 } END { d = sum - 0.08495709211125344; exit !(d < 1e-10 && -d < 1e-10) }' contacts.tsv
verdict 'its weight on four contacts' $?
# Rows that wait for the files beside them are more than a pipe holds
{ "$program" simulate --bodies bodies.tsv --set step.h=5e-4 "$scenes/ramp.json" 2> err; echo $? > code; } | head -n 1 > out
quiet() { if [ "$(cat code)" = 2 ]; then grep -q 'cannot be written: Broken pipe' err; else [ "$(cat code)" = 141 ] && [ ! -s err ]; fi; }
quiet
verdict 'a reader that goes away: quiet, unless whoever started it ignores SIGPIPE' $?
perl -e 'pipe R, W; close R; open STDOUT, ">&", W; exec @ARGV' "$program" simulate --model newton "$scenes/bounce.json" 2> err
echo $? > code
quiet
verdict 'and so is one that was never there, of rows without files beside them' $?
impact simulate --set step.h=0.005 --set step.until=1 --model auto --set tolerance=1e-6 --every 100 "$scenes/ramp.json"
[ $status = 0 ] && [ "$(cut -f 1 out | tr '\n' ' ')" = 'time 0 0.5 1 ' ]
verdict 'another step, time, model, setting of that; rows of some steps' $?
"$program" simulate --model auto "$scenes/ramp.json" > by-option
impact simulate --set step.model=auto "$scenes/ramp.json"
[ $status = 0 ] && cmp -s out by-option && ! "$program" simulate "$scenes/ramp.json" | cmp -s - out
verdict 'the model as a key of the step' $?
impact simulate --set step.model=auto --set tolerance=1e-6 --set step.until=0.1 "$scenes/ramp.json"
[ $status = 0 ]
verdict 'and a setting of that' $?
refused 'a later value counts' '9, expected a number from 1e-05 to 1.5' --model plus --set theta_max=0.1 --set impact.settings.plus.theta_max=9 "$scenes/ball.json"
impact simulate --set max_sweeps=1 --set tolerance=1e-12 --model gauss-seidel-coulomb "$scenes/ten-boxes.json"
[ $status = 1 ] && grep -q 'not-converged' out
verdict 'a step that is not solved: exit status 1' $?
for model in frictionless drumwright; do # gaps of 1e-17 m are rounding of places at 0.1 m
    impact simulate --model $model --set bores.clearance=0 --set step.until=0.002 "$scenes/engine.json"
    [ $status = 0 ] && [ ! -s err ]
    verdict "pins without play do not collide by rounding: $model" $?
done

# Joints: a wheel of 0.5 kg m^2 at 10 rad/s; semi-implicit steps lead by half a step's way
of_wheel() {
    impact simulate --variant "$@" --bodies bodies.tsv "$scenes/joints.json"
}
# spin TIME: of the wheel
spin() {
    awk -F "$tab" -v t="$1" '$1 == t { print $15 }' bodies.tsv
}
rubbed() {
    awk -F "$tab" '{ sum += $8 } END { printf "%.12g", sum }' out
}
of_wheel dry
[ $status = 0 ] && within "$(spin 1)" 6 1e-10 && within "$(spin 2.499)" 0.004 1e-10 && within "$(spin 2.501)" 0 1e-15 && within "$(rubbed)" 25 1e-9 &&
    within "$(awk -F "$tab" '$1 == 3 { printf "%.12g", 2 * atan2($9, $6) + 16 * atan2(1, 1) }' bodies.tsv)" 12.495 1e-9
verdict 'a wheel runs down under dry friction in I w / tau: 12.5 rad, all its energy rubbed' $?
for every in 1 7 1000; do # of 3000 steps
    of_wheel dry --set step.h=0.001 --every $every
    awk -F "$tab" 'NR > 2 { d = before - $10 - $7; worst = d > worst ? d : -d > worst ? -d : worst; sum += $7 } { before = $10 }
        END { exit !(NR > 3 && worst <= 1e-9 && sum > 25 - 1e-9 && sum < 25 + 1e-9) }' out
    verdict "from row to row it falls by what is lost, a row every $every steps" $?
done
of_wheel explicit
[ $status = 0 ] && within "$(spin 1)" 6 1e-10 && within "$(spin 2.499)" 0.004 1e-10 && within "$(rubbed)" 25 1e-5 &&
    awk -F "$tab" 'NR == 1 { next } $1 > 2.6 && ($15 - last) ^ 2 > 0.0039 ^ 2 { back = 1 } { last = $15 } $1 > 2.6 && ($15 < -0.0041 || $15 > 0.0041) { bad = 1 } END { exit bad || !back }' bodies.tsv
verdict 'by Eq. 6 too, but then it goes to and fro by h tau / I' $?
of_wheel viscous
within "$(spin 2)" 1.353352832366127 1.4e-3 && awk -v a="$(spin 2)" 'BEGIN { exit !(a < 1.3533) }' && cp bodies.tsv whole.tsv &&
    of_wheel viscous --set step.h=0.0005 && awk -v a="$(awk -F "$tab" '$1 == 2 { print $15 }' whole.tsv)" -v b="$(spin 2)" \
        'BEGIN { r = (1.353352832366127 - a) / (1.353352832366127 - b); exit !(r > 1.99 && r < 2.01) }'
verdict 'viscous: 10 exp(-c t / I), to first order in the step' $?
of_wheel slope
within "$(awk -F "$tab" '$1 == 3 { print $10 }' bodies.tsv)" 7.5474113939804 1e-9 && within "$(rubbed)" "$(awk 'BEGIN { print 4 * 13.0725 }')" 1e-6
verdict 'a slider on a slope: g sin 30 - F / m, and F times its way' $?
of_wheel held
[ "$(tail -n +2 out | cut -f 8-10 | sort -u)" = "0${tab}0${tab}0" ]
verdict 'a crank that friction holds does not move at all' $?
of_wheel held --set bodies.crank.friction=5.8
awk -F "$tab" '$1 == 3 && $8 > 1e-3 { moved = 1 } END { exit !moved }' bodies.tsv
verdict 'with less than its weight asks for, it does' $?
cat > top.json << END
{"kind": "scene", "bodies": {"rests": {"mass": 1, "ball": 1},
  "top": {"mass": 3, "inertia": [1, 2, 2.9], "com": [0.3, 0, 0], "spin": [4e4, 9e4, 2e3]}}, "step": {"h": 1, "until": 30}}
END
impact simulate top.json
[ $status = 0 ] && awk -F "$tab" 'NR > 1 { d = $9 / 9999840000 - 1; bad = bad || d * d > 1e-20 } END { exit bad || NR != 32 }' out
verdict 'a body that turns by 1e5 rad in a step beside its centre keeps its energy' $?
impact simulate --set step.h=20 top.json
[ $status = 1 ] && [ "$(cat err)" = 'impact: top.json: at 20 s: top turns by more than 2^20 rad in a step, expected a smaller $.step.h (from the command line: --set step.h=20)' ]
verdict 'by more than 2^20 rad the line names it' $?
# A wheel that reaches into the cart its axle is on, and one into the ground: along their normals nothing moves but rounding
cat > hub.json << END
{"kind": "scene", "material": {"friction": 0}, "step": {"h": 0.001, "until": 0.1}, "bodies": {
  "cart": {"mass": 2, "ball": 0.3, "position": [0.1, 0.2, 0.3], "velocity": [1, 0, 0.5], "spin": [0.2, 0.1, -0.3], "spheres": [{"radius": 0.3, "at": [[0, 0, 0]]}]},
  "wheel": {"mass": 1, "ball": 0.1, "joint": "revolute", "parent": "cart", "axis": [2, -2, 1], "at": [0.133, 0.266, 0.266], "rate": 3, "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]},
  "stone": {"mass": 1, "ball": 0.1, "position": [-0.03667, -0.07333, 0.02667], "velocity": [2, 2, 3], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}}}
END
for model in drumwright auto newton; do
    impact simulate --model $model --every 100 hub.json
    before=$(tail -1 out | cut -f 9)
    impact simulate --model $model --every 100 --set step.push_out=0.001 hub.json
    pushed=$(tail -1 out | cut -f 9)
    [ $status = 0 ] && impact simulate --model $model --every 100 --set 'bodies.wheel.spheres=[]' hub.json
    [ $status = 0 ] && within "$before" "$(tail -1 out | cut -f 9)" 1e-10 && within "$pushed" "$before" 1e-10
    verdict "a wheel overlaps what carries it: no impulse, and the stone's is its own, $model" $?
done
cat > axle.json << END
{"kind": "scene", "ground": [{"normal": [0.3, -0.5, 0.7]}], "step": {"h": 0.001, "until": 0.1, "push_out": 0.001}, "bodies": {
  "wheel": {"mass": 1, "ball": 0.1, "joint": "revolute", "parent": "ground", "axis": [1, 2, 3], "at": [0.7327, 0.3454, -0.0176], "rate": 3, "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}}}
END
# The same axle as a joint besides those of bodies
cat > loop.json << END
{"kind": "scene", "ground": [{"normal": [0.3, -0.5, 0.7]}], "step": {"h": 0.001, "until": 0.1, "push_out": 0.001}, "bodies": {
  "wheel": {"mass": 1, "ball": 0.1, "position": [7.3197, 3.2834, -0.8123], "spin": [1, 2, 3], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}},
 "joints": [{"joint": "revolute", "a": "ground", "b": "wheel", "at": [7.3197, 3.2834, -0.8123], "axis": [1, 2, 3]}]}
END
turns_on() { # SCENE J MODEL
    impact simulate --model "$3" "$1.json"
    [ $status = 0 ] && [ "$(awk -F "$tab" 'NR > 2 { print $3 }' out | sort -u)" = 1 ] && within "$(tail -1 out | cut -f 9)" "$2" 1e-12
    verdict "an axle over the ground that its wheel is in, $1: it turns on, $3" $?
}
# 6e4 m along the ground, where places round to 1e-11 m
sed 's/0.7327, 0.3454/50000.7327, 30000.3454/' axle.json > axle-far.json
sed 's/7.3197, 3.2834/50007.3197, 30003.2834/g' loop.json > loop-far.json
for model in drumwright auto newton; do
    turns_on axle 0.018 $model
    turns_on loop 0.028 $model
    turns_on axle-far 0.018 $model
    turns_on loop-far 0.028 $model
done
refused 'friction of a joint below 0' '$.bodies.wheel.friction' --set bodies.wheel.friction=-1 "$scenes/joints.json"
refused 'another way of friction' '$.step.joint_friction' --set step.joint_friction=qp5 "$scenes/joints.json"

impact simulate --every 1000 --bodies bodies.tsv "$scenes/box-steps.json"
awk -F "$tab" '$1 == 1 { x[$2] = $3; z[$2] = $5 } END {
    exit !(x["stays"] < -0.0499 && x["stays"] > -0.0501 && z["stays"] > 0.24999 && z["stays"] < 0.25001 &&
           x["falls"] > 0.25 && z["falls"] > 0.04999 && z["falls"] < 0.05001 && z["box"] > 0.09999 && z["box"] < 0.10001) }' bodies.tsv
verdict 'on a box one ball stays, another rolls off its edge down to the ground' $?
impact compare --model auto --impulses impulses.tsv "$scenes/ball-on-box.json"
[ $status = 0 ] && [ "$(awk -F "$tab" '$2 == "auto" && $4 == "box" && $5 == "ball"' impulses.tsv | wc -l)" = 3 ] &&
    [ "$(awk -F "$tab" '$2 == "auto" && $4 == "ground" && $5 == "box"' impulses.tsv | wc -l)" = 12 ]
verdict 'a ball meets a box by its face, edge and vertex, the box the ground by its corners' $?
refused 'no model' 'no model' "$scenes/bounce.json"
refused 'two models' 'expected one model' --model plus,newton "$scenes/bounce.json"
refused 'one contact alone, for steps' 'maxdiss takes one contact' --model maxdiss "$scenes/ramp.json"
# What a model does not take may come to light on the way: the run ends there, its last row says so, and a line says why.
impact simulate --model maxdiss -o out.tsv "$scenes/cradle.json"
[ $status = 1 ] && [ ! -s out ] && complained "impact: $scenes/cradle.json" 'does not take the impact: several contacts' &&
    [ "$(tail -1 out.tsv | cut -f 2,4-8)" = "unsolved${tab}unsupported${tab}${tab}${tab}${tab}0" ]
verdict 'several contacts for a model of one: unsolved' $?
for model in lzb frictionless; do
    impact simulate --model $model --bodies bodies.tsv "$scenes/ramp.json"
    [ $status = 1 ] && [ "$(cat err)" = "impact: $scenes/ramp.json: at 0.01 s: the model does not take the contacts: friction" ] &&
        [ "$(wc -l < out)" = 3 ] && [ "$(tail -1 out)" = "0.01${tab}step${tab}4${tab}unsupported${tab}${tab}${tab}${tab}0${tab}${tab}${tab}" ] &&
        [ "$(cut -f 1 bodies.tsv | sort -u | tr '\n' ' ')" = '0 time ' ]
    verdict "friction for $model, in steps: unsupported" $?
done
cat > viscous.json << END
{"kind": "scene", "bodies": {"ball": {"mass": 1, "ball": 0.1, "position": [0, 0, 0.1]}}, "step": {"h": 0.01, "until": 0.1, "model": "auto"},
 "contacts": [{"body": "ball", "at": [[0, 0, 0]], "radius": 0.1, "viscous_friction": 0.5}]}
END
impact simulate viscous.json
[ $status = 1 ] && complained 'impact: viscous.json: at 0.01 s' 'does not take the contacts: viscous friction'
verdict 'viscous friction for auto, in steps: unsupported, and named' $?
refused 'an unknown variant' 'no variant "x", expected one of e = 1/2, e = 0, e = 1' --model plus --variant x "$scenes/bounce.json"
refused 'a variant of a scene without any' 'no variant "x", expected none: it names no variants' --model plus --variant x "$scenes/arm.json"
refused 'a setting that is none' 'expected a setting' --model plus --set hop=1 "$scenes/bounce.json"
refused 'a step of no length' 'step.h' --set step.h=0 "$scenes/ramp.json"
between_walls > between.json # no answer, and the run goes on
impact simulate --every 5 between.json
[ $status = 1 ] && [ "$(wc -l < out)" = 3 ] && [ "$(sed -n '$p' out | cut -f1,4)" = "0.05${tab}no-solution" ] &&
    [ "$(cat err)" = 'impact: between.json: at 0.01 s: no-solution, where 2 overlaps are to part by $.step.push_out at once; such steps are made with the best that frictionless has' ]
verdict 'a step without an answer: standard error says where it was first, and of overlaps to be pushed out' $?
# Two links that swing faster than their steps can follow: rows while they can, then a line.
cat > swing.json << 'END'
{"kind": "scene", "gravity": [0, 0, -9.81], "step": {"h": 0.1, "until": 20}, "bodies": {
 "a": {"mass": 1, "box": [0.3, 0.05, 0.05], "com": [0.15, 0, 0], "parent": "ground", "joint": "revolute", "axis": [0, 1, 0], "at": [0, 0, 1]},
 "b": {"mass": 1, "box": [0.3, 0.05, 0.05], "com": [0.15, 0, 0], "parent": "a", "joint": "revolute", "axis": [0, 1, 0], "at": [0.3, 0, 0]}}}
END
impact simulate swing.json
[ $status = 1 ] && grep -qx 'impact: swing.json: at [12].[0-9]* s: not-finite, expected a smaller \$.step.h' err && [ "$(wc -l < err)" = 1 ] &&
    awk -F "$tab" 'NR > 1 { bad = bad || ended || !(ended = $4 == "not-finite") && !($9 != "" && $10 + 0 < 1e308) || ended && $5 $6 $7 $9 $10 $11 != "" }
        END { exit bad || !ended || NR < 10 }' out
verdict 'a motion that outgrows double ends the run, rows before have numbers' $?
sed 's/"bodies": {/&"ball": {"mass": 1, "ball": 0.1, "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}, /
     s/"step": {/"ground": [{"point": [0, 0, -0.05]}, {"point": [0, 0, 0.05], "normal": [0, 0, -1]}], &"push_out": 0.01, /' swing.json > jam.json
impact simulate jam.json
[ $status = 1 ] && [ "$(wc -l < err)" = 2 ] && grep -qx 'impact: jam.json: at [12].[0-9]* s: not-finite, expected contacts that have an answer (from 0.1 s on they had none) or a smaller \$.step.h' err
verdict 'behind steps without an answer the line names these, too' $?
impact simulate --set step.h=0.002 swing.json
[ $status = 0 ] && awk -F "$tab" 'NR > 1 && !($10 > 19.3 && $10 < 19.9) { bad = 1 } END { exit bad }' out
verdict 'with shorter steps it keeps its energy, for 20 s' $?
for every in 0 1.5 x ''; do
    refused "every '$every'" '--every' --every "$every" "$scenes/ramp.json"
done
refused 'a file written twice' 'written twice' --bodies b.tsv --contacts b.tsv "$scenes/ramp.json"
impact simulate --model plus --set impact.proximity=1e-20 "$scenes/corners.json"
[ $status = 1 ] && [ "$(tail -1 out | cut -f 2,4)" = "unsolved${tab}bad-argument" ] && [ "$(cat err)" = "impact: $scenes/corners.json: cube on its corners, one: at 0 s: no pair is as near as impact.proximity, expected more of it" ]
verdict 'a proximity that rounding exceeds: one line says so' $?
sed '/"title"/d' "$scenes/corners.json" > untitled.json
impact simulate --model plus --variant one --set impact.proximity=1e-20 untitled.json
[ "$(cat err)" = 'impact: untitled.json: one: at 0 s: no pair is as near as impact.proximity, expected more of it' ]
verdict 'of a scene without a title, too' $?
echo '{"kind": "scene", "ground": [{}], "material": {"friction": 0.3}, "bodies": {"ball": {"mass": 1, "ball": 0.1, "clearance": 0.01,
 "velocity": [0, 0, -1], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}}}' > nameless.json
impact simulate --model lzb nameless.json
[ $status = 1 ] && [ "$(cat err)" = 'impact: nameless.json: at 0.01 s: the model does not take the impact: friction' ]
verdict 'nor a variant' $?

# A ball of 1 kg meets a plane across n: m dv is p in the frame that docs/formats-scene.md says; t is any multiple of T.
framed() { # WHAT N T: N and T of any length, "x y z"
    awk -F "$tab" -v N="$2" -v T="$3" 'function unit(a) { s = sqrt(a[1]^2 + a[2]^2 + a[3]^2); for (k = 1; k < 4; k++) a[k] /= s }
        BEGIN { split(N, n, " "); split(T, t, " "); unit(n); unit(t)
            o[1] = n[2] * t[3] - n[3] * t[2]; o[2] = n[3] * t[1] - n[1] * t[3]; o[3] = n[1] * t[2] - n[2] * t[1] }
        FNR == 1 { next }
        NR == FNR { for (k = 1; k < 4; k++) p[k] += $5 * n[k] + $6 * t[k] + $7 * o[k]; hits += $5 > 0; next }
        FNR == 2 { for (k = 1; k < 4; k++) v[k] = $(9 + k) }
        { for (k = 1; k < 4; k++) d[k] = $(9 + k) - v[k] - p[k] }
        END { exit !(hits == 1 && d[1]^2 + d[2]^2 + d[3]^2 < 1e-24) }' contacts.tsv bodies.tsv
    verdict "$1: the frame of n = $2" $?
}
struck() { # N ARGUMENT...: a plane across N through the origin
    normal=$(echo "$1" | tr ' ' ,)
    shift
    impact simulate "$@" --bodies bodies.tsv --contacts contacts.tsv --set "ground=[{\"normal\": [$normal]}]" tilted.json
}
echo '{"kind": "scene", "material": {"friction": 0.3}, "ground": [{}], "bodies": {"ball": {"mass": 1, "ball": 0.1, "clearance": 0.2,
 "velocity": [-3, -2, -1], "spin": [1, 2, 5], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}}, "run": {"until": 0.3}}' > tilted.json
struck '2 3 6' --model newton
framed 'an impact' '2 3 6' '45 -6 -12'
struck '12 3 4' --model newton
framed 'an impact' '12 3 4' '-36 160 -12'
sed 's/"run".*/"step": {"h": 0.3, "until": 0.3}}/' tilted.json > "tilted by step" && mv "tilted by step" tilted.json
struck '2 3 6' --model auto
framed 'a step' '2 3 6' '87 -6 -26'
struck '12 3 4' --model auto
framed 'a step' '12 3 4' '77 -36 -204'

# A ball that rolls: it moves on and turns within the step, and has no velocity where it touches.
echo '{"kind": "scene", "gravity": [0, 0, -10], "material": {"friction": 0.5}, "ground": [{}], "bodies": {"ball": {"mass": 1, "ball": 0.1,
 "clearance": 0, "velocity": [2, 0, 0], "spin": [0, 20, 0], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}}, "step": {"h": 0.01, "until": 0.1}}' > roll.json
impact simulate --model auto --contacts contacts.tsv roll.json
[ $status = 0 ] && awk -F "$tab" 'NR > 1 { for (k = 5; k <= 10; k++) { d = $k - (k == 5 ? 0.1 : 0); if (d > 1e-12 || d < -1e-12) bad = 1 } }
    END { exit bad || NR != 11 }' contacts.tsv
verdict 'a ball that rolls has no velocity where it touches' $?

# An arm of 1 m on the ground turns, at 1 rad/s, until its ball meets one of a post that stands there: two radii of .1 m apart
cat > post.json << 'JSON'
{"kind": "scene", "bodies": {
 "post": {"mass": 1, "ball": 0.1, "joint": "weld", "parent": "ground", "at": [0, 1, 0], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]},
 "arm": {"mass": 1, "ball": 0.1, "com": [1, 0, 0], "joint": "revolute", "parent": "ground", "axis": [0, 0, 1], "rate": 1,
  "spheres": [{"radius": 0.1, "at": [[1, 0, 0]]}]}}, "run": {"until": 2}, "impact": {"restitution": 1}}
JSON
impact simulate --model moreau post.json
[ $status = 0 ] && within "$(when impact 1)" 1.37046148447178 1e-9 && [ "$(grep -c "${tab}impact$tab" out)" = 1 ]
verdict 'a post on the ground stops what turns on the ground' $?

# It stands on a bracket that is welded to another, as one piece that its pin may overlap; so on a pin that closes a loop
welded() { printf '"%s": {"mass": 1, "ball": 0.1, "joint": "weld", "parent": "%s", "at": [0, 0, 0], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}, ' "$@"; }
sed "s/\"arm\": {/$(welded foot ground bracket foot)&/
    s/\"joint\": \"revolute\", \"parent\": \"ground\"/\"joint\": \"revolute\", \"parent\": \"bracket\"/
    s/\"at\": ..1, 0, 0../\"at\": [[1, 0, 0], [0.15, 0, 0]]/" post.json > bracket.json
impact simulate --model moreau bracket.json
[ $status = 0 ] && within "$(when impact 1)" 1.37046148447178 1e-9
verdict 'what is welded to what stands there is one piece with it' $?
sed 's/"joint": "revolute", "parent": "ground", "axis": .0, 0, 1., "rate": 1/"position": [0, 0, 0], "velocity": [0, 0, 0], "spin": [0, 0, 1]/
    s/"run":/"joints": [{"joint": "revolute", "a": "ground", "b": "arm", "at": [0, 0, 0], "axis": [0, 0, 1]}], &/' post.json > pinned.json
impact simulate --model moreau pinned.json
[ $status = 0 ] && within "$(when impact 1)" 1.37046148447178 1e-9
verdict 'a post stops what a joint of a loop holds on the ground, too' $?
sed "s/\"arm\": {/$(welded foot ground)&/; s/\"a\": \"ground\"/\"a\": \"foot\"/
    s/\"at\": ..1, 0, 0../\"at\": [[1, 0, 0], [0.15, 0, 0]]/" pinned.json > footed.json
impact simulate --model moreau footed.json
[ $status = 0 ] && within "$(when impact 1)" 1.37046148447178 1e-9
verdict 'but not what that joint holds on it' $?

# Two balls pass each other by less than the proximity, far from a third that falls on the ground
ball() { printf '"%s": {"mass": 1, "ball": 0.1, "position": [%s], "velocity": [%s], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}' "$@"; }
echo "{\"kind\": \"scene\", \"material\": {\"friction\": 0}, \"ground\": [{}], \"run\": {\"until\": 2}, \"impact\": {\"restitution\": 1},
    \"bodies\": {$(ball one '-5, 0, 0.2' '0, 0, -1'), $(ball two '4.8995, 0, 2.2000003' '1, 0, 0'), $(ball three '5, 0, 2' '0, 0, 0')}}" > pass.json
impact simulate --model moreau --bodies bodies.tsv pass.json
[ $status = 0 ] && [ "$(events)" = 'start impact end' ] && [ "$(field 1 contacts)" = 1 ] &&
    awk -F "$tab" '$2 == "two" { z = $5 } END { exit !(z == 2.2000003) }' bodies.tsv
verdict 'what is near, but coupled with nothing that closes, is not struck by an impact elsewhere' $?

# What is near is coupled through what is near: a column of three; what rests elsewhere touches, too
echo "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"ground\": [{}], \"run\": {\"until\": 0.2}, \"impact\": {\"restitution\": 0},
    \"bodies\": {$(ball low '0, 0, 0.2' '0, 0, -1'), $(ball middle '0, 0, 0.4000005' '0, 0, -1'), $(ball high '0, 0, 0.600001' '0, 0, -1'),
    $(ball aside '5, 0, 0.1' '0, 0, 0')}}" > column.json
impact simulate --model moreau column.json
[ $status = 0 ] && [ "$(awk -F "$tab" '$2 == "impact" { print $3; exit }' out)" = 4 ]
verdict 'all of a column, and what rests beside it, are contacts of its impact' $?
for far in 1e7 3e8; do # metres, where places round by more than a thousandth of the proximity
    echo "{\"kind\": \"scene\", \"ground\": [{\"point\": [0, 0, $far]}], \"run\": {\"until\": 1}, \"impact\": {\"restitution\": 1},
        \"bodies\": {$(ball one "0, 0, $(awk -v z=$far 'BEGIN { printf "%.2f", z + 0.33 }')" '0, 0, -1')}}" > far.json
    impact simulate --model moreau far.json
    [ $status = 0 ] && [ "$(events)" = 'start impact end' ]
    verdict "a ball that meets the ground at $far m" $?
done

# A body is put on the ground at its clearance, in scenes of both kinds
for run in '"run": {"until": 0.01}' '"step": {"h": 0.01, "until": 0.03}'; do
    echo "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"ground\": [{\"point\": [0, 0, 1]}], $run, \"bodies\": {\"b\": {\"mass\": 1, \"ball\": 0.1,
        \"position\": [0, 0, 5], \"turns\": [[\"x\", 90]], \"clearance\": 0.25, \"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0.2, 0], [0, -0.3, 0]]}]}}}" > clear.json
    impact simulate --model moreau --bodies bodies.tsv clear.json
    [ $status = 0 ] && within "$(sed -n 2p bodies.tsv | cut -f 5)" 1.65 1e-12
    verdict "clearance, with $run" $?
    sed 's/"ground": [^]]*[]][^]]*[]],//' clear.json > floorless.json
    refused 'and without ground' 'clearance: a scene without ground, expected one' --model moreau floorless.json
done
echo "1..$count"
