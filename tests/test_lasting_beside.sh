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
echo "1..$count"
