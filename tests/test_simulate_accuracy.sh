#!/bin/sh
# `impact simulate` whatever the accuracy of its run, the stiffness of its material and the place of its origin: what
# stops, slips and piles up does so there too.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"
scenes=$root/benchmarks/scenes

# v0 / a on a ramp: test_lasting.sh
for accuracy in 1e-13 1e-8 1e-7 1e-5 1e-3 0.1; do
    impact simulate --model poisson --variant block --set run.accuracy=$accuracy "$scenes/lasting.json"
    [ $status = 0 ] && [ "$(events)" = 'start rests sticks end' ] && within "$(when sticks 1)" 1.594928511481503 1e-8
    verdict "a block slides to rest at an accuracy of $accuracy" $?
done
impact simulate --model poisson --variant rod --set run.accuracy=1e-13 "$scenes/lasting.json"
slides=$(when slides 1)
impact simulate --model poisson --variant rod --set run.accuracy=1e-5 "$scenes/lasting.json"
within "$(when slides 1)" "$slides" 1e-10
verdict 'a thin rod turns as accurately as its ends move' $?
# up to where its tip begins to slide, and by so little further that rounding hides it
impact simulate --model poisson --variant rod "$scenes/lasting.json"
slides=$(when slides 1) wrong=
for beyond in 0 1e-15 1e-14 1e-13 1e-12 1e-11; do
    impact simulate --model poisson --variant rod --set "run.until=$(awk -v t="$slides" -v d=$beyond 'BEGIN { printf "%.17g", t + d }')" \
        "$scenes/lasting.json"
    [ $status = 0 ] && [ "$(events | sed 's/.* //')" = end ] || wrong="$wrong $beyond"
done
[ -n "$slides" ] && [ -z "$wrong" ]
verdict 'a run may end just where a slide begins' $?

# A pendulum, a linkage and a brick that comes to rest corner by corner: rows, and the first pile-up
for scene in pendulum four-bar brick-face brick-point; do
    for accuracy in 1e-10 1e-5 1e-3; do
        impact simulate --model gauss-seidel-coulomb --set impact.restitution=0.5 --set run.until=2.1 \
            --set run.accuracy=$accuracy "$scenes/$scene.json"
        [ $accuracy = 1e-10 ] && piled=$(when zeno 1)
        [ $status = 0 ] && within "$(when zeno 1)" "$piled" 1e-8 && [ "$(wc -l < out)" -lt 350 ]
        verdict "$scene: impacts pile up at an accuracy of $accuracy" $?
    done
done
# where a gap is known to 1e-9 m
impact simulate --model newton --set run.accuracy=1e-5 --set 'ground=[{"point": [0, 0, 1e6]}]' \
    --set 'bodies.ball.position=[0, 0, 1000001.1]' "$scenes/bounce.json"
[ $status = 0 ] && within "$(when zeno 1)" 1.35457092295719275 1e-6 && [ "$(wc -l < out)" -lt 25 ]
verdict 'far from the origin a ball comes to rest as well' $?

for stiffness in 1e28 1e50 1e300; do
    impact simulate --model newton --set material.stiffness=$stiffness "$scenes/bounce.json"
    [ $status = 0 ] && within "$(when zeno 1)" 1.35457092295719275 1e-11
    verdict "a material of $stiffness Pa: the same bounces" $?
    impact simulate --model newton --set material.stiffness=$stiffness --set run.accuracy=0.01 "$scenes/bounce.json"
    [ $status = 0 ] && within "$(when zeno 1)" 1.35457092295719275 1e-11
    verdict 'and at a low accuracy' $?
done
impact simulate --model gauss-seidel-coulomb --set impact.restitution=0.5 --set material.stiffness=1e60 \
    --set run.until=1 --set run.max_steps=1000 "$scenes/four-bar.json"
[ $status = 0 ] && within "$(when zeno 1)" 0.6932850214 1e-9
verdict 'and those of a linkage, in steps as long' $?
for stiffness in 1e31 1e50 1e300; do
    impact compare --model newton --set material.stiffness=$stiffness "$scenes/bounce.json"
    [ $status = 1 ] && [ "$(grep -c 'too stiff: it yields by less than rounding' err)" = 3 ] && [ "$(wc -l < err)" = 3 ]
    verdict "$stiffness Pa: compare says that no compliant impact can be followed" $?
done
# A box that falls beside a spinning ball, in metres and in nanometres: the same events in as many steps, the same compliant
# run. An attitude is no length, and what turns without a contact is as large as what it might touch with.
in_units() { # of m, m/s, rad/s, m/s^2, Pa, s/m and s: the exponents of ten
    sed "s/\([0-9]\)m\b/\1e$1/g; s/\([0-9]\)v\b/\1e$2/g; s/\([0-9]\)w\b/\1e$3/g; s/\([0-9]\)g\b/\1e$4/g; s/\([0-9]\)p\b/\1e$5/g; s/\([0-9]\)d\b/\1e$6/g; s/\([0-9]\)s\b/\1e$7/g" << 'END'
{"kind": "scene", "gravity": [0, 0, -9.81g], "material": {"friction": 0.35, "dissipation": 0.1d, "stiffness": 1p}, "ground": [{}],
 "bodies": {"BOX": {"mass": 1.3, "box": [0.4m, 0.3m, 0.2m], "position": [0m, 0m, 0.3m], "velocity": [1v, 0.3v, -1v],
   "spin": [1w, 2w, -1w], "orientation": [0.5, 0.5, 0.5, 0.5], "spheres": [{"radius": 0.02m, "at": "corners"}]},
  "BALL": {"mass": 0.4, "ball": 0.1m, "position": [0.6m, 0.5m, 0.8m], "velocity": [1v, -0.4v, 0v], "spin": [0w, 3w, 9w],
   "spheres": [{"radius": 0.1m, "at": [[0, 0, 0]]}]}},
 "transition": 0.01v, "run": {"until": 0.5s, "apart": 0.001m, "max_steps": 5000}, "impact": {"restitution": 0, "proximity": 1e-6}}
END
}
in_units 0 0 0 0 7 0 0 > metres.json
in_units -9 -3 6 3 28 3 -6 | sed 's/"proximity": 1e-6/"proximity": 1e-15/' > nanometres.json
for unit in metres nanometres; do
    impact simulate --model auto --bodies $unit.bodies $unit.json
    awk -v status=$status '{ print status, $2, $3, $4 } END { print NR }' out > $unit.events
    wc -l < $unit.bodies >> $unit.events
    impact compare --model newton $unit.json
    awk -F '\t' -v status=$status '{ print status, $2, $3, $12, $9 }' out >> $unit.events
done
[ "$(wc -l < metres.bodies)" -gt 100 ] && grep -q '^0 compliant ok' metres.events && cmp metres.events nanometres.events > out 2> err
verdict 'in nanometres as in metres' $?
# Where rounding hides a hundred thousandth of what a ball of 10 m yields: e = 1 of Hertz, in as many steps as elsewhere.
cat > large.json << 'END'
{"kind": "scene", "title": "large", "material": {"stiffness": 1e11}, "ground": [{}], "bodies": {"ball": {"mass": 1e-9, "ball": 10,
 "position": [0, 0, 10], "velocity": [0, 0, -0.1], "spheres": [{"radius": 10, "at": [[0, 0, 0]]}]}}}
END
impact compare --model newton --impulses impulses.tsv large.json
[ $status = 0 ] && within "$(awk -F "$tab" '$2 == "compliant" { print $9 }' impulses.tsv)" 0.1 1e-6 &&
    [ "$(awk -F "$tab" '$2 == "compliant" { print $12 }' out)" -lt 5000 ]
verdict 'a compliant impact that rounding blurs: e = 1' $?

# A top of 200 rad/s on a ball joint at the origin of everything, in steady precession: after 2 pi / W its axis is where it was.
# I1 W^2 cos a - I3 w W + m g l = 0 with I1 = 0.11, I3 = 0.01 kg m^2, m l = 0.3 kg m, a = 30 degrees, w = 200 rad/s.
awk 'BEGIN { c = sqrt(3) / 2; W = (2 - sqrt(4 - 4 * 0.11 * c * 0.3 * 9.81)) / (2 * 0.11 * c); own = 200 - W * c
    printf "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"bodies\": {\"top\": {\"mass\": 1, \"inertia\": [0.02, 0.02, 0.01], \"com\": [0, 0, 0.3], "
    printf "\"turns\": [[\"x\", 30]], \"spin\": [0, %.17g, %.17g]}}, ", -own / 2, W + own * c
    printf "\"joints\": [{\"joint\": \"ball\", \"a\": \"ground\", \"b\": \"top\", \"at\": [0, 0, 0]}], \"run\": {\"until\": %.17g}}\n", 8 * atan2(1, 1) / W }' > top.json
impact simulate --model newton --bodies bodies.tsv top.json
[ $status = 0 ] && awk -F "$tab" '{ w = $6; x = $7; y = $8; z = $9 } END { x0 = 2 * (x * z + w * y); y0 = 2 * (y * z - w * x) + 0.5
        z0 = 1 - 2 * (x * x + y * y) - sqrt(3) / 2; exit !(x0 * x0 + y0 * y0 + z0 * z0 < 1e-14) }' bodies.tsv
verdict 'a top precesses once round' $?
# Centres and joints all at the origin: no arm says how large a miss is rounding, the radii of gyration do.
cat > gimbal.json << 'END'
{"kind": "scene", "gravity": [0, 0, -9.81], "bodies": {"hub": {"mass": 2.7, "inertia": [0.2, 0.3, 0.17], "spin": [3, -2, 7], "turns": [["y", 17]]},
    "wheel": {"mass": 1.3, "inertia": [0.02, 0.03, 0.01], "spin": [-6, 2, 5], "turns": [["x", 40], ["z", 33]]}},
  "joints": [{"joint": "ball", "a": "ground", "b": "hub", "at": [0, 0, 0]}, {"joint": "ball", "a": "hub", "b": "wheel", "at": [0, 0, 0]}],
  "run": {"until": 1}}
END
impact simulate --model newton gimbal.json
[ $status = 0 ] && [ "$(events)" = 'start end' ] && awk -F "$tab" 'NR == 2 { E = $10 } END { exit !($11 != "" && $11 < 1e-15 && ($10 / E - 1) ^ 2 < 1e-20) }' out
verdict 'a wheel in a hub, all at the origin, turns on' $?
# Without contacts the scale of a speed is its own: a flywheel of 1e5 rad/s about an axis that is not the principal one
cat > tumbles.json << 'END'
{"kind": "scene", "bodies": {"wheel": {"mass": 1, "inertia": [1, 2, 2.5], "spin": [1e5, 3e4, -2e4], "velocity": [1e-3, 0, 0]}}, "run": {"until": 0.01}}
END
impact simulate --model newton --bodies bodies.tsv tumbles.json
[ $status = 0 ] && [ "$(wc -l < bodies.tsv)" -lt 10000 ] && within "$(tail -1 bodies.tsv | cut -f 3)" 1e-5 1e-16 &&
    awk -F "$tab" 'NR > 1 { w = $6; x = $7; y = $8; z = $9; a = $13; b = $14; c = $15 # spins in the body, by the conjugate
        p = (1 - 2 * (y * y + z * z)) * a + 2 * (x * y + w * z) * b + 2 * (x * z - w * y) * c
        q = 2 * (x * y - w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z + w * x) * c
        r = 2 * (x * z + w * y) * a + 2 * (y * z - w * x) * b + (1 - 2 * (x * x + y * y)) * c
        E = p * p + 2 * q * q + 2.5 * r * r; L = p * p + 4 * q * q + 6.25 * r * r
        if (NR == 2) { E0 = E; L0 = L } d = (E / E0 - 1) ^ 2 + (L / L0 - 1) ^ 2; if (d > most) most = d } END { exit !(NR > 20 && most < 1e-14) }' bodies.tsv
verdict 'a body tumbles fast and keeps energy and momentum' $?
echo "1..$count"
