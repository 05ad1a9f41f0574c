#!/bin/sh
# `impact simulate` between impacts: what slides, rolls, sticks, tips and leaves, in closed form; and where forces are
# none, or not determined.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"
scene=$root/benchmarks/scenes/lasting.json

# at TIME FIELD: of the last row of bodies.tsv at that time
at() {
    awk -F "$tab" -v t="$1" -v field="$2" '$1 == t && $2 != "hill" { x = $field } END { print x }' bodies.tsv
}

# v0 = 2 m/s on 20 degrees, a = g (mu cos 20 - sin 20): v0 / a, v0^2 / 2a
of block
[ $status = 0 ] && [ "$(events)" = 'start rests sticks end' ] && within "$(when sticks)" 1.594928511481503 1e-9 &&
    within "$(at 2 3)" 1.594928511481503 1e-9
verdict 'a block slides to rest on a ramp: when and where' $?
balance && within "$(awk -F "$tab" '{ sum += $8 } END { printf "%.12g", sum }' out)" 14.7026644441 1e-9
verdict 'friction takes what it loses' $?
for stepper in semi-explicit-euler implicit-euler; do # of compliant runs and free motion
    of block --set run.stepper=$stepper
    [ $status = 0 ] && [ "$(events)" = 'start rests sticks end' ] && within "$(when sticks)" 1.594928511481503 1e-9
    verdict "and with $stepper" $?
done
of block
awk -F "$tab" 'NR > 1 { n += $5; s += $6 } END { n -= 2 * 2 * 9.218384609909762; s += 2 * (2 * 3.3552176060248105 + 2)
    exit !(n < 1e-8 && -n < 1e-8 && s < 1e-8 && -s < 1e-8) }' contacts.tsv
verdict 'and the impulses of its corners are those of weight and braking' $?
of 'block, mu 0.3'
[ "$(events)" = 'start rests slides end' ] && within "$(when slides)" 0.32675824996697 1e-9 &&
    within "$(at 2 10)" "$(awk 'BEGIN { print (2 - 0.326758249967) * (3.3552176060248105 - 0.3 * 9.218384609909762) }')" 1e-5 && balance
verdict 'less friction: up, and down again' $?
of ball
[ "$(events)" = 'start rests sticks end' ] && within "$(when sticks)" 0.4368719965050240 1e-12 && within "$(at 2 10)" 2.142857142857143 1e-12 && balance
verdict 'a ball slides 2 v0 / (7 mu g), and rolls on at 5/7 v0' $?
of rod
[ "$(events)" = 'start rests slides impact sticks end' ] && balance
verdict 'a rod tips over on its end, slips, and lies down' $?
# 3/4 sin (3 cos - 2 cos 5) = - mu (1 - 3/4 sin^2 - 3/2 (cos 5 - cos) cos) with mu = 1/2
awk -v x="$(at "$(when slides)" 6)" -v y="$(at "$(when slides)" 8)" 'BEGIN { c = x * x - y * y; s = 2 * x * y; c0 = 0.99619469809174555
    f = 0.75 * s * (3 * c - 2 * c0)
    n = 1 - 0.75 * s * s - 1.5 * (c0 - c) * c
    d = -f / n - 0.5; exit !(n > 0 && d < 1e-4 && d > -1e-4) }'
verdict 'the angle at which it slips' $?
# On a ball of 0.5 m from rest at 10 degrees: 2 sin = mu (17 cos - 10 cos 10), and without friction cos = 2/3 cos 10
of hill
[ "$(events)" = 'start rests slides leaves end' ] &&
    within "$(awk -v x="$(at "$(when slides)" 3)" -v z="$(at "$(when slides)" 5)" 'BEGIN { printf "%.12f", z / sqrt(x * x + z * z) }')" 0.7380599005623293 1e-9 && balance
verdict 'a ball rolls down a ball until it slips' $?
of 'hill, smooth'
[ "$(events)" = 'start rests leaves end' ] &&
    within "$(awk -v x="$(at "$(when leaves)" 3)" -v z="$(at "$(when leaves)" 5)" 'BEGIN { printf "%.12f", z / sqrt(x * x + z * z) }')" 0.6565385020081387 1e-9 && balance
verdict 'without friction it slides, and leaves at two thirds of its height' $?
of 'rod, mu 2'
[ $status = 1 ] && [ "$(events)" = 'start no-force' ] && [ "$(wc -l < err)" = 1 ] &&
    grep -q ', rod, mu 2: at 0 s: no force of the contacts that last obeys the law$' err
verdict "a rod that friction presses into the plane (Painleve): no force" $?
of 'rod, mu 2, turning'
[ $status = 1 ] && [ "$(events)" = 'start undetermined' ] && [ "$(wc -l < err)" = 1 ] &&
    grep -q ': at 0 s: different forces obey the law, under which the bodies move differently$' err
verdict 'turning fast: two forces' $?
# A block that slides and turns shares its weight among four corners in more ways than one.
of block --set 'bodies.block.spin=[0,0,1]'
[ $status = 1 ] && [ "$(events)" = 'start undetermined' ]
verdict 'a block that slides and turns on four corners: undetermined' $?
of ball --set 'run.until=1' --every 7
[ "$(events)" = 'start rests sticks end' ] &&
    awk -F "$tab" 'NR > 1 { sum += $5 } END { d = sum - 9.81; exit !(d < 1e-9 && -d < 1e-9) }' contacts.tsv
verdict 'every seventh step: no impulse is missed' $?
# A rod of 1 kg on its ball at one end, pinned at the height of the ground below the other by a joint beside the tree: m g / 2
cat > pinned.json << 'END'
{"kind": "scene", "title": "pinned rod", "gravity": [0, 0, -9.81], "material": {"stiffness": 1e9, "friction": 0}, "ground": [{}],
 "bodies": {"rod": {"mass": 1, "inertia": [0.08333333333333333, 0.08333333333333333, 0.001], "turns": [["y", 90]],
   "position": [0, 0, 0.1], "spheres": [{"radius": 0.1, "at": [[0, 0, 0.5]]}]}},
 "joints": [{"joint": "revolute", "a": "rod", "b": "ground", "at": [0.1, 0, -0.5], "axis": [0, 1, 0]}],
 "run": {"until": 1}, "impact": {"restitution": 0}}
END
impact simulate --model poisson --contacts contacts.tsv pinned.json
[ $status = 0 ] && [ "$(events)" = 'start rests end' ] &&
    within "$(awk -F "$tab" 'NR > 1 { sum += $5 } END { printf "%.15g", sum }' contacts.tsv)" 4.905 1e-9
verdict 'a rod held by a joint and by a contact: each bears half' $?
# The same pinned at the height of its centre: the contact has no friction, and pushes along its normal alone.
sed 's/\[0.1, 0, -0.5\]/[0, 0, -0.5]/' pinned.json > higher.json
impact simulate --model poisson --contacts contacts.tsv higher.json
[ $status = 0 ] && [ "$(events)" = 'start rests end' ] &&
    within "$(awk -F "$tab" 'NR > 1 { sum += $5 } END { printf "%.15g", sum }' contacts.tsv)" 4.905 1e-9 &&
    awk -F "$tab" 'NR > 1 && ($6 != 0 || $7 != 0) { exit 1 }' contacts.tsv
verdict 'and without friction no share of it along the ground' $?
# Balls that overlap about a joint beside the tree, which pairs of it leave alone: they fall as one.
cat > joined.json << 'END'
{"kind": "scene", "title": "joined balls", "gravity": [0, 0, -9.81], "material": {"stiffness": 1e9}, "bodies": {
 "a": {"mass": 1, "ball": 0.1, "position": [0, 0, 1], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]},
 "b": {"mass": 1, "ball": 0.1, "position": [0.15, 0, 1], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}},
 "joints": [{"joint": "ball", "a": "a", "b": "b", "at": [0.075, 0, 0]}], "run": {"until": 0.3}}
END
impact simulate --model poisson joined.json
[ $status = 0 ] && [ "$(events)" = 'start end' ]
verdict 'what a joint beside the tree joins does not touch' $?
# A box that rests; a ball of half its mass falls 0.25 m onto its face, bounces, and comes again twice sqrt(2 h / g) e later.
on_box() {
    impact simulate --model poisson --set 'gravity=[0,0,-9.81]' --set 'bodies.ball.velocity=[0,0,0]' \
        --set 'bodies.ball.position=[0.05,0.03,0.5]' --set impact.restitution=0.5 --set "run.until=$1" \
        "$root/benchmarks/scenes/ball-on-box.json"
}
on_box 0.5
[ $status = 0 ] && [ "$(events)" = 'start rests impact impact end' ] && within "$(when impact 1)" 0.225761820492865 1e-9
verdict 'a ball that bounces off a box is no contact that lasts' $?
on_box 1
[ $status = 1 ] && [ "$(events | sed 's/.* //')" = unsolved ]
verdict 'what rests on the face of a box is not followed' $?
cat > skate.json << 'END'
{"kind": "scene", "gravity": [0, 0, -9.8], "material": {"friction": 0.2}, "impact": {"restitution": 0}, "run": {"until": 0.1}, "bodies": {
 "box": {"mass": 10, "box": [2, 2, 1], "rounding": 0.05, "joint": "slider", "parent": "ground", "at": [0, 0, -0.5], "axis": [0, 1, 0]},
 "a": {"mass": 1, "ball": 0.1, "position": [0.3, 0, 0.1], "velocity": [1, 0, 0], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]},
 "b": {"mass": 1, "ball": 0.1, "position": [-0.3, 0, 0.1], "velocity": [-1, 0, 0], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}}}
END
for mu in 0.2 0; do
    impact simulate --model auto --set material.friction=$mu skate.json
    [ $status = 1 ] && [ "$(events)" = 'start unsolved' ]
    verdict "what slides on the face of a box is not followed, friction $mu" $?
done
impact simulate --model gauss-seidel-coulomb --set max_sweeps=1 --set tolerance=1e-13 "$root/benchmarks/scenes/wedge.json"
[ $status = 1 ] && [ "$(events | sed 's/.* //')" = unsolved ] && [ "$(wc -l < err)" = 1 ] && grep -q ': at 0 s: not-converged$' err
verdict 'an impact without an answer: why' $?
# An eccentric drives three balls in a row, without gravity: what they are pushed by has its size from the first contact alone.
awk 'BEGIN { ball = "\"ball\": 0.125, \"spheres\": [{\"radius\": 0.125, \"at\": [[0, 0, 0]]}]"; arm = sqrt(0.005)
    print "{\"kind\": \"scene\", \"gravity\": [0, 0, 0], \"material\": {\"friction\": 0}, \"run\": {\"until\": 0.01}, \"bodies\": {"
    print "\"cam\": {\"mass\": 50, \"inertia\": [6, 6, 10], \"joint\": \"revolute\", \"parent\": \"ground\", \"axis\": [0, 0, 1], \"rate\": 10,"
    printf "\"spheres\": [{\"radius\": 0.125, \"at\": [[%.17g, %.17g, 0]]}]}", -arm, -arm
    for (i = 1; i <= 3; i++) printf ",\n\"%d\": {\"mass\": %g, \"position\": [%.17g, %.17g, 0], \"velocity\": [%.17g, 0, 0], %s}",
        i, 0.7 + 0.3 * i, i / 4 - arm, -arm, 10 * arm, ball
    print "}}" }' > row.json
impact simulate --model poisson --bodies bodies.tsv row.json
[ $status = 0 ] && [ "$(events)" = 'start rests end' ] && balance && tail -n 4 bodies.tsv | awk -F "$tab" '
    $2 == "cam" { x = 0.1 * ($6 * 2 * $9 - 1 + 2 * $9 * $9) * sqrt(0.5); y = -0.1 * (2 * $6 * $9 + 1 - 2 * $9 * $9) * sqrt(0.5) }
    $2 != "cam" { apart = sqrt(($3 - x)^2 + ($4 - y)^2) - 0.25; bad += apart > 1e-9 || apart < -1e-9; x = $3; y = $4; v = $10 }
    END { exit !(bad == 0 && v > 0.75) }'
verdict 'a row of balls that is pushed from one end' $?
echo "1..$count"
