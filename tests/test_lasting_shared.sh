#!/bin/sh
# `impact simulate` of bodies whose contacts share a load in more ways than one: where all of them move the body alike, it
# slides, turns and comes to rest as closed forms say.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"

# box POINTS TURN MU GRAVITY VELOCITY SPIN: on that many points of an ellipse below it, to box.json
box() {
    cat > box.json << END
{"kind": "scene", "title": "box", "gravity": [$4], "material": {"stiffness": 1e9, "friction": $3}, "ground": [{}],
 "bodies": {"box": {"mass": 2, "box": [1, 0.8, 0.3], "clearance": 0, "turns": [["z", $2]], "velocity": [$5], "spin": [0, 0, $6],
   "spheres": [{"radius": 0.05, "at": [$(awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++)
     printf "%s[%.17g, %.17g, -0.15]", i ? ", " : "", 0.5 * cos((i + 0.5) * 6.283185307179586 / n), 0.4 * sin((i + 0.5) * 6.283185307179586 / n) }')]}]}},
 "run": {"until": 3}, "impact": {"restitution": 0}}
END
    impact simulate --model poisson --bodies bodies.tsv --contacts contacts.tsv box.json
}
# near FILE EXPRESSION WANT: of the last row of the file, to 1e-9
near() {
    awk -F "$tab" -v want="$3" "$2 { d = $4 - want; near = d <= 1e-9 && -d <= 1e-9 } END { exit !near }" "$1"
}

# v0 / a and v0^2 / 2a with a = g (mu cos - sin) along the slope. With mu 1.3 its least shares of the load would pull.
for points in 3 4 ${LONG:+5} 6 ${LONG:+7} 8; do
    wrong=
    for turn in $([ "$LONG" ] && echo 45 133 || echo $((points % 4 ? 45 : 133))); do
        for case in 0.2$turn,0 0.2$turn,0.1 1.3,0; do
            mu=${case%,*} slope=${case#*,}
            [ $points$mu = 31.3 ] && continue # it tips
            values=$(awk -v mu=$mu -v slope=$slope 'BEGIN { a = 9.81 * (mu * cos(slope) - sin(slope)); v = 1.7
                printf "%.17g %.17g %.17g,0,%.17g", v / a, v * v / 2 / a, 9.81 * sin(slope), -9.81 * cos(slope) }')
            set -- $values
            box $points $turn $mu "$3" '1.7, 0, 0' 0
            [ $status = 0 ] && [ "$(events)" = 'start rests sticks end' ] && near out '$2 == "sticks"' "$1" '$1' &&
                near bodies.tsv '$2 == "box"' "$2" '$3' && near bodies.tsv '$2 == "box"' 0 '$4' || wrong="$wrong $turn/$case"
        done
    done
    [ -z "$wrong" ] || echo "#$wrong"
    [ -z "$wrong" ]
    verdict "on $points points it slides v0^2 / 2a in v0 / a, and rests" $?
done

# Too steep to rest on: it slides on with a < 0
box 6 17 0.2 "$(awk 'BEGIN { printf "%.17g, 0, %.17g", 9.81 * sin(0.3), -9.81 * cos(0.3) }')" '1.7, 0, 0' 0
[ $status = 0 ] && [ "$(events)" = 'start rests end' ] &&
    near bodies.tsv '$2 == "box"' "$(awk 'BEGIN { printf "%.17g", 1.7 * 3 + 4.5 * 9.81 * (sin(0.3) - 0.2 * cos(0.3)) }')" '$3'
verdict 'on a slope steeper than its friction it slides on' $?

# Turning about its centre on four corners, r away: w I / (mu m g r)
box 4 17 0.2 '0, 0, -9.81' '0, 0, 0' 3
[ $status = 0 ] && [ "$(events)" = 'start rests sticks end' ] &&
    near out '$2 == "sticks"' "$(awk 'BEGIN { printf "%.17g", 3 * 1.64 / 12 / (0.2 * 9.81 * sqrt(0.205)) }')" '$1'
verdict 'turning in place it comes to rest' $?

# On three points the loads are determined, whatever the slips: it turns about one that stops before the others, and energy falls.
box 3 17 0.2 '0, 0, -9.81' '1.7, 0, 0' 3
[ $status = 0 ] && [ "$(events)" = 'start rests sticks sticks end' ] &&
    awk -F "$tab" 'NR > 2 { if ($10 > before) bad = 1; lost += $8 } { before = $10 } END { exit !(!bad && $9 < 1e-12 && lost > 0) }' out
verdict 'sliding and turning on three points it comes to rest' $?

# On four they are not: the loads of two diagonals turn it differently.
box 4 17 0.2 '0, 0, -9.81' '1.7, 0, 0' 3
[ $status = 1 ] && [ "$(events)" = 'start undetermined' ]
verdict 'sliding and turning on four points: undetermined' $?

# A box at rest on a slope, friction all but enough for it, or just: x = (sin a - mu cos a) g t^2 / 2 of its four corners
for angle in 10 30 45; do
    for share in 0.99 0.999 0.9999 0.999999 0.9999999 1.0001 1.000001; do
        awk -v angle=$angle -v share=$share 'BEGIN { a = angle * atan2(1, 1) / 45
            printf "{\"kind\": \"scene\", \"gravity\": [%.17g, 0, %.17g], \"ground\": [{}], ", 9.81 * sin(a), -9.81 * cos(a)
            printf "\"material\": {\"stiffness\": 1e9, \"friction\": %.17g}, \"run\": {\"until\": 1}, \"impact\": {\"restitution\": 0}, ", share * sin(a) / cos(a)
            print "\"bodies\": {\"box\": {\"mass\": 1, \"box\": [0.4, 0.3, 0.1], \"position\": [0, 0, 0.051], \"spheres\": [{\"radius\": 0.001, \"at\": \"corners\"}]}}}" }' > slope.json
        impact simulate --model auto --set run.max_steps=1000 --bodies bodies.tsv slope.json
        [ $status = 0 ] && [ "$(events)" = 'start rests end' ] && within "$(tail -1 bodies.tsv | cut -f 3)" \
            "$(awk -v angle=$angle -v share=$share 'BEGIN { printf "%.15g", share < 1 ? 4.905 * (1 - share) * sin(angle * atan2(1, 1) / 45) : 0 }')" 1e-9
        verdict "a box on a slope of $angle degrees, friction $share of what holds it" $?
    done
done

# lawful MU N: every row of contacts.tsv presses, within its cone of friction, and their normal impulses add up to N
lawful() {
    awk -F "$tab" -v mu="$1" -v want="$2" 'NR > 1 { n += $5; if (!($5 >= 0 && sqrt($6 ^ 2 + $7 ^ 2) <= mu * $5 * (1 + 1e-9) + 1e-12)) bad = 1 }
        END { exit !(!bad && NR > 1 && n - want < 1e-8 && want - n < 1e-8) }' contacts.tsv
}
# cube GRAVITY VELOCITY MU: on its four corners, for 0.1 s
cube() {
    cat > cube.json << END
{"kind": "scene", "gravity": [$1], "ground": [{}], "material": {"friction": $3}, "impact": {"restitution": 0}, "run": {"until": 0.1},
 "bodies": {"box": {"mass": 1, "box": [0.2, 0.2, 0.2], "position": [0, 0, 0.11], "velocity": [$2], "spheres": [{"radius": 0.01, "at": "corners"}]}}}
END
    impact simulate --model coulomb --contacts contacts.tsv cube.json
}
# The least shares of the load would pull at one corner, and leave the cone at others.
cube '5, 5, -9.81' '0, 0, 0' 0.8
[ $status = 0 ] && [ "$(events)" = 'start rests end' ] && lawful 0.8 0.981
verdict 'a cube that rests leaning on a corner is pulled by none' $?
cube '0, 0, -9.81' '2, 2, 0' 0.8
[ $status = 0 ] && [ "$(events)" = 'start rests end' ] && lawful 0.8 0.981
verdict 'nor one that slides' $?

# rod ANGLE MU GRAVITY: hinged at its end, its tip on the ground: its contact has one direction
rod() {
    awk -v angle="$1" -v mu="$2" -v g="$3" 'BEGIN { h = sin(angle * atan2(1, 1) / 45)
        printf "{\"kind\": \"scene\", \"gravity\": [%s], \"ground\": [{}], \"material\": {\"friction\": %.17g}, ", g, mu
        printf "\"impact\": {\"restitution\": 0}, \"run\": {\"until\": 0.1, \"max_steps\": 1000}, \"bodies\": {\"rod\": {\"mass\": 1, "
        printf "\"inertia\": [0.01, 0.08, 0.08], \"com\": [0.5, 0, 0], \"joint\": \"revolute\", \"parent\": \"ground\", \"at\": [0, 0, %.17g], ", h + 0.01
        printf "\"axis\": [0, 1, 0], \"angle\": %.17g, \"spheres\": [{\"radius\": 0.01, \"at\": [[1, 0, 0]]}]}}}\n", angle }' > rod.json
    impact simulate --model coulomb --contacts contacts.tsv rod.json
}
# It is pressed on, and rests, whatever the friction; the force may lie anywhere in the cone.
for angle in 45 84 88 89.9; do
    wrong=
    for mu in 0 0.05 0.3 2 20; do
        for gravity in '0, 0, -9.81' '-9.81, 0, 0' '-9, 0, -1'; do
            rod $angle $mu "$gravity"
            [ $status = 0 ] && [ "$(events)" = 'start rests end' ] && awk -F "$tab" -v mu=$mu 'NR > 1 &&
                !($5 > 0 && sqrt($6 ^ 2 + $7 ^ 2) <= mu * $5 * (1 + 1e-9)) { bad = 1 } END { exit bad }' contacts.tsv || wrong="$wrong $mu/$gravity"
        done
    done
    [ -z "$wrong" ] || echo "#$wrong"
    [ -z "$wrong" ]
    verdict "a hinged rod at $angle degrees rests on its tip" $?
done
# Lifted off, it may as well be jammed where friction holds more than its one direction has of the normal: 1.01 cos 80 / sin 80 = .178.
rod 80 0.17 '9.81, 0, 0'
[ $status = 0 ] && [ "$(events)" = 'start end' ]
verdict 'a hinged rod that is lifted leaves' $?
rod 80 0.19 '9.81, 0, 0'
[ $status = 1 ] && [ "$(events)" = 'start undetermined' ]
verdict 'or, with friction, it may be jammed: undetermined' $?

# Joints that rub hold what one contact leaves: the force along which its W gives is nobody's.
cat > jam.json << 'END'
{"kind": "scene", "gravity": [0, 0, -9.81], "material": {"friction": 0.8}, "ground": [{}], "impact": {"restitution": 0}, "run": {"until": 0.5},
 "bodies": {"near": {"mass": 1, "box": [0.5, 0.05, 0.06], "com": [0.25, 0, 0], "joint": "revolute", "parent": "ground", "at": [0, 0, 0.55],
   "axis": [0.2, 1, 0.3], "angle": 10, "friction": 0.2}, "far": {"mass": 0.7, "box": [0.3, 0.04, 0.05], "com": [0.15, 0, 0], "joint": "revolute",
   "parent": "near", "at": [0.5, 0, 0], "axis": [0.5, 1, -0.7], "angle": 20, "friction": 0.3, "spheres": [{"radius": 0.05, "at": [[0.3, 0, 0]]}]}}}
END
impact simulate --model auto jam.json
[ $status = 0 ] && [ "$(events | sed 's/.* //')" = end ] && awk -F "$tab" 'END { exit !($9 != "" && $9 < 1e-20) }' out
verdict 'two links that lean on the ground with joints that rub stand' $?

# corner GRAVITY MASS INERTIA MU POSITION RADIUS POINTS [RUN]: a box at rest on a floor, against a rough wall, that touches both
corner() {
    cat > corner.json << END
{"kind": "scene", "gravity": [$1], "material": {"friction": $4}, "ground": [{}, {"normal": [1, 0, 0], "material": {"friction": 0.8}}],
 "impact": {"restitution": 0}, "run": {"until": 0.1, "max_steps": 3000},
 "bodies": {"box": {"mass": $2, "inertia": [$3], "position": [$5], "spheres": [{"radius": $6, "at": [$7]}]}}}
END
    impact simulate --model auto --contacts contacts.tsv corner.json
}
# It may rest; and turn, under other forces. The least forces of rest obey no law, and lead to those.
corner '4.9, 1.4, -8.4' 0.8 '0.08, 0.043, 0.11' 1 '0.42, 0, 0.17' 0.05 \
    '[-0.37, -0.43, -0.12], [-0.37, 0.43, -0.12], [-0.37, 0, 0.062], [0.38, 0.37, -0.12]'
[ $status = 1 ] && [ "$(events)" = 'start undetermined' ]
verdict 'a box in a corner, where rest is not the only motion: undetermined' $?
# Whole steps from contact to contact go in a circle; shorter ones find the forces under which it tips over.
corner '1, -2.3, -9.5' 3 '0.28, 0.24, 0.13' 0.6 '0.22, 0, 0.46' 0.02 \
    '[-0.2, -0.23, -0.44], [-0.2, 0.23, -0.44], [-0.2, 0, 0.22], [0.21, 0.2, -0.44]'
[ $status = 0 ] && [ "$(events | sed 's/.* //')" = end ]
verdict 'a box in a corner whose forces are hard to find' $?
# After a slide whole steps go in a circle, also from no forces on.
cat > along.json << 'END'
{"kind": "scene", "gravity": [-3.7, 1.9, -7.2], "material": {"friction": 0.6}, "ground": [{}, {"normal": [1, 0, 0], "material": {"friction": 1.2}}],
 "impact": {"restitution": 0}, "run": {"until": 0.3, "max_steps": 3000},
 "bodies": {"box": {"mass": 1.1, "inertia": [0.28, 0.2, 0.21], "position": [0.558, 0, 0.288], "velocity": [0, -0.38, 0],
   "spheres": [{"radius": 0.058, "at": [[-0.5, -0.29, -0.23], [-0.5, 0.29, -0.23], [-0.5, 0, 0.1127], [0.25, -0.31, -0.23]]}]}}}
END
impact simulate --model auto along.json
[ $status = 0 ] && [ "$(events | sed 's/.* //')" = end ]
verdict 'a box that slides along a wall, whose forces only shorter steps find' $?

# On six feet, sliding: between two rows of time m dv = m g dt + the impulses of the contacts, which the least forces share with a pull.
momentum() {
    awk -F "$tab" -v mass="$1" -v gravity="$2" 'BEGIN { split(gravity, g, ", ") } FNR == 1 { next }
        NR == FNR { p[1, $1] += $6; p[2, $1] += $7; p[3, $1] += $5; next }
        (1, $1) in p && $1 != before && before != "" { rows++
            for (k = 1; k <= 3; k++) {
                off = mass * ($(9 + k) - v[k] - g[k] * ($1 - before)) - p[k, $1]
                worst = off > worst ? off : -off > worst ? -off : worst
            } }
        { before = $1; for (k = 1; k <= 3; k++) v[k] = $(9 + k) } END { exit !(rows > 3 && worst <= 1e-7) }' contacts.tsv bodies.tsv
}
cat > feet.json << 'END'
{"kind": "scene", "gravity": [-1.3, 2.7, -9.4], "material": {"friction": 0.6}, "ground": [{}], "impact": {"restitution": 0},
 "run": {"until": 0.7}, "bodies": {"box": {"mass": 1.7, "inertia": [0.086, 0.18, 0.16], "position": [0, 0, 0.33],
   "turns": [["z", 57]], "velocity": [-0.84, -0.37, 0], "spheres": [{"radius": 0.02, "at": [[0.444, 0.073, -0.31], [0.097, 0.232, -0.31],
     [-0.347, 0.159, -0.31], [-0.444, -0.073, -0.31], [-0.097, -0.232, -0.31], [0.347, -0.159, -0.31]]}]}}}
END
impact simulate --model auto --bodies bodies.tsv --contacts contacts.tsv feet.json
[ $status = 0 ] && momentum 1.7 '-1.3, 2.7, -9.4'
verdict 'a box that slides on six feet: its impulses are what its momentum and weight leave' $?

if [ "$LONG" ]; then # seconds
# Sliding it hops, plastic impact after impact, ever lower until rounding hides the hops; then it rests.
cat > hops.json << 'END'
{"kind": "scene", "gravity": [-0.69, 0.097, -9.8], "material": {"friction": 0.6}, "ground": [{}], "impact": {"restitution": 0},
 "run": {"until": 0.7, "max_steps": 4000}, "bodies": {"box": {"mass": 2.9, "inertia": [0.23, 0.29, 0.15], "position": [0, 0, 0.49],
   "turns": [["z", 53]], "velocity": [0.59, 0.76, 0], "spheres": [{"radius": 0.05,
     "at": [[0.34, 0.21, -0.44], [0.34, -0.21, -0.44], [-0.34, 0.21, -0.44], [-0.34, -0.21, -0.44]]}]}}}
END
impact simulate --model auto hops.json
[ $status = 0 ] && [ "$(tail -1 out | cut -f 2,3)" = "end${tab}4" ] && awk -F "$tab" 'END { exit !($9 != "" && $9 < 1e-12) }' out
verdict 'a box that tips, falls back and slides comes to rest' $?
fi

# Where hops that rounding hides are no rest, which no force would hold, they are not taken for one.
cat > rocks.json << 'END'
{"kind": "scene", "gravity": [-0.908, -0.00695, -4.64], "material": {"friction": 1.5}, "ground": [{}], "impact": {"restitution": 0.3},
 "run": {"until": 0.7, "max_steps": 4000}, "bodies": {"box": {"mass": 1.24, "inertia": [0.211, 0.168, 0.152],
   "position": [0, 0, 0.4659], "turns": [["z", 59.8]], "velocity": [0.39, 0.185, 0], "spheres": [{"radius": 0.02,
     "at": [[-0.403, -0.334, -0.411], [-0.267, 0.229, -0.411], [0.396, -0.119, -0.411]]}]}}}
END
impact simulate --model auto rocks.json
[ $status = 0 ] && [ "$(events | sed 's/.* //')" = end ]
verdict 'a tripod that tips and slides goes on' $?
echo "1..$count"
