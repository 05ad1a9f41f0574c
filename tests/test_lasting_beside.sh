#!/bin/sh
# `impact simulate` where some bodies rest and roll while others fly: their impacts in closed form, and none missed; in a frame of
# any direction.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"

# beside V D: one ball flies past another at V m/s so that they overlap by D m, from 3 m away, while a third rolls
beside() {
    awk -v v="$1" -v d="$2" 'BEGIN { printf "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"material\": {\"stiffness\": 1e9, \"friction\": 0.2}, \"ground\": [{}], \"bodies\": {\n"
        ball = "\"mass\": 1, \"ball\": 0.1, \"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]"
        printf "\"flies\": {%s, \"position\": [-3, %.17g, 1e4], \"velocity\": [%.17g, 0, 0]},\n", ball, 0.2 - d, v
        printf "\"falls\": {%s, \"position\": [0, 0, 1e4]},\n\"rolls\": {%s, \"position\": [0, 50, 0.1], \"velocity\": [0, 1, 0]}},\n", ball, ball
        printf "\"run\": {\"until\": %.17g}, \"impact\": {\"restitution\": 0.5}}\n", 6 / v }' > beside.json
    awk -v v="$1" -v d="$2" 'BEGIN { printf "%.15g", (3 - sqrt(0.4 * d - d * d)) / v }'
}
for speed in 1 30 1000; do
    met=true
    for depth in 0.1 0.01 0.001 1e-6 1e-8; do
        touch=$(beside $speed $depth)
        impact simulate --model poisson beside.json
        [ $status = 0 ] && within "$(when impact 1)" "$touch" 1e-9 || met=false
    done
    $met
    verdict "balls that graze at $speed m/s beside one that rolls: when" $?
done

# A block at 50 um/s slows by mu g = 1e-10 m/s^2, whatever flies by; with looser steps, too.
for speed in 6000 1e9; do
    for accuracy in 1e-10 1e-6; do
        cat > slow.json << END
{"kind": "scene", "gravity": [0, 0, -0.1], "material": {"friction": 1e-9}, "ground": [{}], "bodies": {
  "block": {"mass": 1, "box": [0.2, 0.2, 0.2], "clearance": 0, "velocity": [5e-5, 0, 0], "spheres": [{"radius": 0.01, "at": "corners"}]},
  "bullet": {"mass": 1e-3, "ball": 0.01, "position": [0, 50, 50], "velocity": [$speed, 0, 0], "spheres": [{"radius": 0.01, "at": [[0, 0, 0]]}]}},
 "run": {"until": 10, "accuracy": $accuracy}, "impact": {"restitution": 0}}
END
        impact simulate --model poisson --bodies bodies.tsv slow.json
        [ "$(events)" = 'start rests end' ] && within "$(awk -F "$tab" '$2 == "block" { x = $3 } END { print x }' bodies.tsv)" 4.99995e-4 1e-12
        verdict "a slow block slides on beside what flies at $speed m/s, steps to $accuracy" $?
    done
done

# A ball slides down a wall that it hardly touches, g t^2 / 2 along it, while a tripod spins so fast that its feet turn with 4e8 m/s^2.
cat > whirl.json << END
{"kind": "scene", "gravity": [0, 0, -9.81], "material": {"friction": 0}, "ground": [{}, {"point": [-50, 0, 0], "normal": [1, 0, 0.02]}],
 "bodies": {
  "ball": {"mass": 1, "ball": 0.1, "position": [$(awk 'BEGIN { size = sqrt(1 + 0.02 ^ 2); printf "%.17g, 0, %.17g", -50.1 + 0.1 / size, 5 + 0.002 / size }')],
    "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]},
  "tripod": {"mass": 1, "inertia": [0.5, 0.5, 1], "position": [0, 0, 0.1], "spin": [0, 0, 2e4],
    "spheres": [{"radius": 0.1, "at": [[1, 0, 0], [-0.5, 0.75, 0], [-0.5, -0.75, 0]]}]}},
 "run": {"until": 1e-4}, "impact": {"restitution": 0}}
END
impact simulate --model poisson --bodies bodies.tsv whirl.json
[ $status = 0 ] && [ "$(events)" = 'start rests end' ] && within "$(awk -F "$tab" '$2 == "ball" { z = $5 } END { print z }' bodies.tsv)" \
    "$(awk 'BEGIN { size = sqrt(1 + 0.02 ^ 2); printf "%.17g", 5 + 0.002 / size - 9.81e-8 / 2 / size ^ 2 }')" 1e-14
verdict 'a ball slides down a wall beside what spins at 20000 rad/s' $?

# Two balls at rest, one so much heavier, do not know of each other.
cat > far.json << END
{"kind": "scene", "gravity": [0, 0, -10], "material": {"friction": 0.5}, "ground": [{}], "bodies": {
  "heavy": {"mass": 1e8, "ball": 0.1, "position": [0, 0, 0.1], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]},
  "light": {"mass": 1e-8, "ball": 0.1, "position": [5, 0, 0.1], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}},
 "run": {"until": 2}, "impact": {"restitution": 0}}
END
impact simulate --model poisson far.json
[ $status = 0 ] && [ "$(events)" = 'start rests end' ]
verdict 'a ball of 100000 t and one of 10 ug rest' $?

# A ball rests where another falls, in frames whose directions round: sqrt(2 (h - r) / g), and the second rests, too.
for axis in '[0, 0, 1]' '[0.3, -0.5, 0.8]' '[-0.7, 0.2, 0.1]' '[0.6, 0.6, -0.53]'; do
    awk -v axis="$axis" 'BEGIN { split(axis, n, /[][, ]+/); size = sqrt(n[2] ^ 2 + n[3] ^ 2 + n[4] ^ 2)
        for (k = 1; k < 4; k++) n[k] = n[k + 1] / size
        size = sqrt(n[1] ^ 2 + n[2] ^ 2); t[1] = size ? -n[2] / size : 1; t[2] = size ? n[1] / size : 0
        ball = "\"mass\": 1, \"ball\": 0.1, \"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]"
        printf "{\"kind\": \"scene\", \"gravity\": [%.17g, %.17g, %.17g], \"material\": {\"stiffness\": 1e9, \"friction\": 0.3}, ", -9.81 * n[1], -9.81 * n[2], -9.81 * n[3]
        printf "\"ground\": [{\"normal\": [%.17g, %.17g, %.17g]}], \"bodies\": {", n[1], n[2], n[3]
        printf "\"lies\": {%s, \"position\": [%.17g, %.17g, %.17g], \"velocity\": [%.17g, %.17g, 0]},", ball, 0.1 * n[1], 0.1 * n[2], 0.1 * n[3], t[1], t[2]
        printf "\"falls\": {%s, \"position\": [%.17g, %.17g, %.17g]}},", ball, 1.1 * n[1] - 2 * t[1], 1.1 * n[2] - 2 * t[2], 1.1 * n[3]
        print "\"run\": {\"until\": 2}, \"impact\": {\"restitution\": 0.5}}" }' > turned.json
    for model in poisson auto gauss-seidel-coulomb moreau; do
        impact simulate --model $model turned.json
        [ $status = 0 ] && within "$(when impact 1)" 0.451523640985731 1e-12 && within "$(when zeno)" 1.35457092295719 1e-9
        verdict "a ball that falls beside one that rolls, up is $axis: $model" $?
    done
done
# apart X Y Z: a ball falls beside a box that tips with a link on it, on a ground through that place
apart() {
    awk -v x="$1" -v y="$2" -v z="$3" 'BEGIN {
        printf "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"material\": {\"friction\": 0.8}, \"ground\": [{\"point\": [%g, %g, %g]}], \"bodies\": {\n", x, y, z
        printf "\"ball\": {\"mass\": 2.22, \"ball\": 0.2, \"position\": [%.17g, %.17g, %.17g], \"velocity\": [-1.98, 0.76, 1.15], \"spin\": [1.42, 1.83, -3.78], \"spheres\": [{\"radius\": 0.2, \"at\": [[0, 0, 0]]}]},\n", x + 0.22, y + 0.14, z + 0.42
        printf "\"box\": {\"mass\": 2.49, \"box\": [0.3, 0.4, 0.2], \"position\": [%.17g, %.17g, %.17g], \"turns\": [[\"x\", -63], [\"y\", 51], [\"z\", -113]], \"velocity\": [-0.57, -1.34, -0.32], \"spin\": [1.82, -1.91, 0.59], \"spheres\": [{\"radius\": 0.02, \"at\": \"corners\"}]},\n", x + 0.91, y + 0.12, z + 0.44
        link = "\"inertia\": [0.02, 0.03, 0.03], \"com\": [0.05, -0.03, 0.01], \"spheres\": [{\"radius\": 0.08, \"at\": [[0.15, 0, 0]]}]"
        printf "\"link\": {\"mass\": 1.59, %s, \"joint\": \"revolute\", \"parent\": \"box\", \"at\": [-0.14, -0.09, 0.03], \"axis\": [0.49, -0.61, -0.62], \"rate\": 0.92, \"angle\": 22.01, \"turns\": [[\"x\", -3], [\"y\", 48], [\"z\", 141]]},\n", link
        printf "\"end\": {\"mass\": 2.56, %s, \"joint\": \"weld\", \"parent\": \"link\", \"at\": [-0.06, 0.03, 0.07], \"turns\": [[\"x\", -172], [\"y\", 23], [\"z\", -88]]}},\n", link
        print "\"run\": {\"until\": 0.4}, \"impact\": {\"restitution\": 0}}" }' > apart.json
}
# Places round the more the farther the world's origin is, and so do velocities of what turns; no model takes that for an impact.
for model in newton poisson single-phase; do
    apart 0 0 0
    impact simulate --model $model apart.json
    [ $status = 0 ] && [ "$(when impact 4)" ]
    same=$?
    here=$(events) touch=$(when impact 4)
    for place in '2658 68 2857' '1830 1848 92' '2221 -1279 619' '-802 -1804 -2469'; do
        apart $place
        impact simulate --model $model apart.json
        [ $status = 0 ] && [ "$(events)" = "$here" ] && within "$(when impact 4)" "$touch" 1e-9 || same=1
    done
    [ $same = 0 ]
    verdict "a ball that falls beside a box that tips, km from the world's origin: $model" $?
done
# A ball comes down slowly where another spins, far away and touching the ground or above it: it rebounds as it does alone.
# slow OTHER: at 1e-6 m/s, beside the bodies OTHER
slow() {
    ball='"ball": 0.1, "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]'
    printf '{"kind": "scene", "material": {"friction": 0.3}, "ground": [{}], "bodies": {"slow": {"mass": 1, %s, "position": [0, 0, 0.1], ' "$ball" > slow.json
    printf '"velocity": [0, 0, -1e-6]}%s}, "run": {"until": 0.1}, "impact": {"restitution": 0.5}}\n' "${1:+, $1}" >> slow.json
}
spinning='"spins": {"mass": 1e-9, "ball": 0.001, "spin": [0, 0, 1000], "spheres": [{"radius": 0.001, "at": [[0, 0, 0]]}]'
for model in moreau poisson auto; do
    slow
    impact simulate --model $model --bodies alone.tsv slow.json
    [ $status = 0 ] && [ "$(when impact 1)" = 0 ]
    same=$?
    for height in 0.001 1; do
        slow "$spinning, \"position\": [1e6, 0, $height]}"
        impact simulate --model $model --bodies bodies.tsv slow.json
        [ $status = 0 ] && [ "$(events)" = "start impact end" ] || same=1
        awk '$2 == "slow"' alone.tsv | tail -n 1 > alone
        [ -s alone ] && awk '$2 == "slow"' bodies.tsv | tail -n 1 | cmp -s - alone || same=1
    done
    [ $same = 0 ]
    verdict "a ball that comes down slowly beside one that spins, far away: $model" $?
done
# A box slides to rest, in as few steps beside a grain that flies far away, however small.
awk 'BEGIN { print "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"material\": {\"friction\": 0.3}, \"ground\": [{}], \"bodies\": {"
    print "\"box\": {\"mass\": 1, \"box\": [0.2, 0.2, 0.2], \"clearance\": 0, \"velocity\": [2, 0, 0], \"spheres\": [{\"radius\": 0.01, \"at\": \"corners\"}]},"
    print "\"grain\": {\"mass\": 1e-6, \"ball\": 0.01, \"position\": [1000, 0, 500], \"velocity\": [10, 0, 0], \"spheres\": [{\"radius\": 0.01, \"at\": [[0, 0, 0]]}]}},"
    print "\"run\": {\"until\": 1, \"max_steps\": 1000}}" }' > grain.json
for radius in 0.01 1e-4 1e-6; do
    impact simulate --model auto --set bodies.grain.spheres.0.radius=$radius grain.json
    [ $status = 0 ] && within "$(when sticks)" 0.67957866123 1e-9
    verdict "a box slides to rest where a grain of $radius m flies, 1 km away" $?
done
# A small ball falls from rest on one that stands 15 m below, beside one that rolls slowly: it is not through in a step.
for speed in 0 0.01; do
    awk -v speed="$speed" 'BEGIN { ball = "\"mass\": 1, \"ball\": 0.01, \"spheres\": [{\"radius\": 0.01, \"at\": [[0, 0, 0]]}]"
        print "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"material\": {\"friction\": 0.2}, \"ground\": [{}], \"bodies\": {"
        printf "\"falls\": {%s, \"position\": [0, 0, 200]}, \"post\": {%s, \"joint\": \"weld\", \"parent\": \"ground\", \"at\": [0, 0, 185]},\n", ball, ball
        printf "\"rolls\": {%s, \"position\": [0, 50, 0.01], \"velocity\": [0, %g, 0]}},\n", ball, speed
        print "\"run\": {\"until\": 2}, \"impact\": {\"restitution\": 0.5}}" }' > post.json
    impact simulate --model poisson post.json
    [ $status = 0 ] && within "$(when impact 1)" 1.747577324059736 1e-9
    verdict "a ball that falls on one that stands, beside one that rolls at $speed m/s" $?
done
echo "1..$count"
