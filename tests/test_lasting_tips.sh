#!/bin/sh
# `impact simulate` of tall boxes that tip over an edge: two corners hold them, stick, and begin to slip.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"

# tall WIDTH DEPTH HEIGHT MU VELOCITY SPIN: a box on its four lower corners, to box.json
tall() {
    cat > box.json << END
{"kind": "scene", "title": "box", "gravity": [0, 0, -9.81], "material": {"friction": $4}, "ground": [{}],
 "bodies": {"box": {"mass": 1, "box": [$1, $2, $3], "clearance": 0, "velocity": [$5, 0, 0], "spin": [0, $6, 0],
   "spheres": [{"radius": 0.01, "at": "corners"}]}},
 "run": {"until": 3}, "impact": {"restitution": 0}}
END
    impact simulate --model auto box.json
}

# Each goes to its end, on four corners at rest, and no event gives it energy.
for case in '0.15 0.2 0.6 0.3 1.2 1.5' '0.2 0.1 0.8 0.45 -1.6 -2' '0.12 0.25 0.7 0.55 0.9 2.4' '0.25 0.15 0.9 0.7 -0.7 -2.8' \
    '0.1 0.3 0.95 0.35 1.9 1' '0.18 0.18 0.55 0.9 1.4 2'; do
    tall $case
    [ $status = 0 ] && awk -F "$tab" 'NR > 2 && $10 > before * (1 + 1e-9) { bad = 1 } { before = $10; last = $2 }
        END { exit !(!bad && last == "end" && before > 0) }' out
    went=$?
    verdict "a box of $case tips over and goes to its end: $(events)" $went
done
echo "1..$count"
