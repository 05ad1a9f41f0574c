#!/bin/sh
# `impact simulate` of bodies that have nothing to do with each other: each moves as it does alone.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"

# balls RADIUS APART HEIGHT...: balls of that radius whose lowest points are so high, with e = 0.5 to 0.5 s
balls() {
    awk 'BEGIN { printf "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"material\": {\"stiffness\": 1e9, \"friction\": 0}, \"ground\": [{}], \"bodies\": {\n"
        for (i = 3; i < ARGC; i++) printf "%s\"b%d\": {\"mass\": 1, \"ball\": %s, \"position\": [%.17g, 0, %.17g], \"spheres\": [{\"radius\": %s, \"at\": [[0, 0, 0]]}]}", (i > 3 ? ",\n" : ""), i, ARGV[1], (i - 3) * ARGV[2], ARGV[1] + ARGV[i], ARGV[1]
        print "},\n\"run\": {\"until\": 0.5}, \"impact\": {\"restitution\": 0.5}}" }' "$@" > balls.json
}
# After the first impact, at T = sqrt(2 H / 9.81), they rise at 9.81 T / 2: all of them at 0.5 s, RADIUS and COUNT being theirs.
rebounded() {
    [ $status = 0 ] && [ "$(events | tr ' ' '\n' | grep -c impact)" -le "$2" ] && awk -F "$tab" -v r="$1" -v count="$2" '
        $1 == 0.5 { late[$2] = $5 }
        END { T = sqrt(1 / 9.81); t = 0.5 - T; want = r + 9.81 * T / 2 * t - 9.81 * t * t / 2
            for (i in late) { n++; d = late[i] - want; if (d > 1e-7 || -d > 1e-7) exit 1 }
            exit n != count }' bodies.tsv
}
balls 100 250 0.5 0.50000001 0.5000000175 0.500000023125 0.50000002734375 0.5000000305078125 0.500000032880859 0.500000034660644 0.500000035995483
impact simulate --model poisson --bodies bodies.tsv balls.json
rebounded 100 9
verdict 'nine balls that strike the ground ever sooner after each other' $?
for far in 1e6 1e8; do
    balls 0.1 $far 0.5 0.500000002
    impact simulate --model poisson --bodies bodies.tsv balls.json
    rebounded 0.1 2
    verdict "two balls $far m apart, of which one strikes 0.6 ns after the other" $?
done
balls 0.1 1 0.5 0.500000000001
impact simulate --model poisson --set impact.proximity=1e-10 --bodies bodies.tsv balls.json
rebounded 0.1 2
verdict 'two balls whose gaps as they strike are larger than impact.proximity' $?
impact simulate --model poisson --set impact.proximity=1e-13 --bodies bodies.tsv balls.json
[ $status = 1 ] && grep -q 'no pair is as near as impact.proximity, expected more of it' err
verdict 'and much larger: one line says so' $?

# A ball that bounces to rest, beside four bars that friction comes to hold
cat > bars.json << 'END'
{"kind": "scene", "gravity": [0, 0, -9.81], "material": {"friction": 0.5}, "ground": [{}], "bodies": {
"ball": {"mass": 1, "ball": 0.1, "position": [0, 0, 0.61], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]},
"crank": {"mass": 1, "inertia": [0.001, 0.004, 0.004], "com": [0.1, 0, 0], "joint": "revolute", "parent": "ground", "at": [0, 20, 3], "axis": [0, -1, 0], "angle": 60, "rate": 4, "friction": 0.1},
"coupler": {"mass": 1, "inertia": [0.001, 0.02, 0.02], "com": [0.25, 0, 0], "joint": "revolute", "parent": "crank", "at": [0.2, 0, 0], "axis": [0, -1, 0], "angle": -33.38155228977496, "rate": -4.756290365647593, "friction": 0.1},
"rocker": {"mass": 1, "inertia": [0.001, 0.02, 0.02], "com": [0.2, 0, 0], "joint": "revolute", "parent": "ground", "at": [0.5, 20, 3], "axis": [0, -1, 0], "angle": 83.25143474099329, "rate": 1.3176130238132573, "friction": 0.1}},
"joints": [{"joint": "revolute", "a": "coupler", "b": "rocker", "at": [0.5, 0, 0], "meets": [0.4, 0, 0], "axis": [0, -1, 0], "friction": 0.1}],
"run": {"until": 1.1}, "impact": {"restitution": 0.5}}
END
impact simulate --model poisson --bodies bodies.tsv bars.json
[ $status = 0 ] && awk -F "$tab" '$2 == "ball" { z = $5 } END { exit !(z - 0.1 < 2e-9 && 0.1 - z < 2e-9) }' bodies.tsv
verdict 'a ball comes to rest on the ground, and not on its way there' $?

# A body that tumbles, by steps, beside a rod on a pin that stands in "joints"
for off in 0 0.3; do
    body="\"tumbles\": {\"mass\": 2, \"inertia\": [0.1, 0.2, 0.25], \"position\": [0, 0, 5], \"com\": [$off, 0, 0], \"spin\": [3, 1, 2]}"
    step='"step": {"h": 0.004, "until": 0.4, "model": "auto"}'
    echo "{\"kind\": \"scene\", \"bodies\": {$body}, $step}" > alone.json
    echo "{\"kind\": \"scene\", \"bodies\": {$body, \"rod\": {\"mass\": 2, \"inertia\": [0.01, 0.06, 0.06], \"position\": [0, 30, 0], \"com\": [0.3, 0, 0]}}, $step,
\"joints\": [{\"joint\": \"revolute\", \"a\": \"ground\", \"b\": \"rod\", \"at\": [0, 30, 0], \"meets\": [0, 0, 0], \"axis\": [0, 1, 0]}]}" > beside.json
    impact simulate --bodies alone.tsv alone.json
    impact simulate --bodies beside.tsv beside.json
    grep tumbles alone.tsv > alone.rows
    [ $status = 0 ] && [ -s alone.rows ] && grep tumbles beside.tsv | cmp -s - alone.rows
    verdict "a body that tumbles beside a joint of another, its centre $off m off: the same bits" $?
done

# A rod on a pin, and the pin at a tip that is welded to the rod, each with half of what it weighs
pinned() {
    echo "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"bodies\": {$1},
\"joints\": [{\"joint\": \"revolute\", \"a\": \"ground\", \"b\": \"$2\", \"at\": [0, 0, 0], \"meets\": [$3, 0, 0], \"axis\": [0, 1, 0]}],
\"step\": {\"h\": 0.004, \"until\": 0.4, \"model\": \"auto\"}}"
}
half='"mass": 1, "inertia": [0.005, 0.03, 0.03]'
pinned '"rod": {"mass": 2, "inertia": [0.01, 0.06, 0.06], "com": [0.3, 0, 0]}' rod 0 > rod.json
pinned "\"rod\": {$half, \"com\": [0.3, 0, 0]},
\"tip\": {$half, \"com\": [-0.2, 0, 0], \"joint\": \"weld\", \"parent\": \"rod\", \"at\": [0.5, 0, 0]}" tip -0.5 > tip.json
for pin in rod tip; do
    impact simulate --bodies $pin.tsv $pin.json
    grep "${tab}rod$tab" $pin.tsv > $pin.rows
done
[ $status = 0 ] && paste rod.rows tip.rows | awk '
    { for (i = 3; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if (d > 1e-12 || -d > 1e-12) exit 1 } rows++; low = $5 }
    END { exit !(rows > 90) }'
verdict 'a pin at what is welded to a rod: the motion of the rod on its pin' $?
echo "1..$count"
