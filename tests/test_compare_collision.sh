#!/bin/sh
# What `impact compare` holds models against: the same collision for the compliant run and for its limit, whatever frames its
# bodies have and however its steps fall.
. "$(dirname "$0")/program.sh"
tested=compare

# field ROW COLUMN: of `out`, the row named in its second column
field() {
    awk -F "$tab" -v row="$1" -v column="$2" \
        'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i } $2 == row { print $at; exit }' out
}
near() { # NUMBER WANTED TOLERANCE
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a - b; exit !(a != "" && d <= t && -d <= t) }'
}
less() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 < b + 0) }'
}
ball() { # NAME X Y Z VELOCITY...: of radius 0.1
    printf '"%s": {"mass": 1, "ball": 0.1, "position": [%s, %s, %s], "velocity": [%s, %s, %s], "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}' "$@"
}

# The first of three balls moves, the others are 1 mm and .5 mm apart: all is handed on, one impact after the other
echo "{\"kind\": \"scene\", \"bodies\": {$(ball a 0 0 0 1 0 0), $(ball b 0.201 0 0 0 0 0), $(ball c 0.4015 0 0 0 0 0)}, \"impact\": {\"restitution\": 1}}" > chain.json
for friction in 0 0.01; do # which nothing slips by
    impact compare --model moreau --set material.friction=0.3 --set material.viscous_friction=$friction chain.json
    [ $status = 0 ] && near "$(field compliant v_error_limit)" 0 1e-8 && near "$(field moreau v_error_limit)" 1.41421356 1e-3
    verdict "the limit has the impacts that follow, as the run has (viscous friction $friction)" $?
done
impact compare --model moreau --set run.apart=0 chain.json
[ $status = 0 ] && near "$(field moreau v_error)" 0 1e-8 && near "$(field moreau v_error_limit)" 0 1e-8
verdict 'both are of the first alone where none is waited for' $?

# So soft that the second meets the third, 1.2 mm away, while it is pushed: what is stiffer does not
sed 's/0[.]4015/0.4022/' chain.json > soft.json
impact compare --model moreau --set material.stiffness=1e5 soft.json
[ $status = 0 ] && [ "$(field limit status)" = not-converged ] && [ -z "$(field moreau v_error_limit)" ]
verdict 'no limit where the run has impacts that it has not' $?
impact compare --model moreau --set material.stiffness=1e12 soft.json
[ $status = 0 ] && [ "$(field limit status)" = ok ] && near "$(field compliant v_error_limit)" 0 1e-8
verdict 'but where it has none' $?

# A spinning ball, whose body has its origin at its centre and elsewhere
for aside in 0 0.5; do
    echo "{\"kind\": \"scene\", \"material\": {\"stiffness\": 1e6}, \"ground\": [{}], \"bodies\": {\"b\": {\"mass\": 1,
        \"inertia\": [0.004, 0.004, 0.004], \"com\": [0, $aside, 0], \"position\": [0, -$aside, 0.1001], \"velocity\": [0, 0, $(awk "BEGIN { print -1 - 10 * $aside }")],
        \"spin\": [10, 0, 0], \"spheres\": [{\"radius\": 0.1, \"at\": [[0, $aside, 0]]}]}}, \"impact\": {\"restitution\": 1}}" > origin.json
    impact compare --model moreau --impulses impulses.tsv origin.json
    [ $status = 0 ] && near "$(field moreau v_error)" 0 1e-9 &&
        near "$(awk -F "$tab" '$2 == "compliant" { print $9 }' impulses.tsv)" 1 1e-9 &&
        near "$(awk -F "$tab" '$2 == "compliant" { print $11 }' impulses.tsv)" 1 1e-9
    verdict "a body's origin $aside m from its centre of mass" $?
done

# A ball bounces, and another passes it nearer than run.apart: when the run sees that it has is no part of the collision
echo "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"material\": {\"stiffness\": 1e7}, \"ground\": [{}],
    \"bodies\": {$(ball a 0 0 0.1 0 0 -1), $(ball b -0.0145 0.2005 0.1005 1 0 0.3)}, \"impact\": {\"restitution\": 1, \"proximity\": 1e-6}}" > passes.json
for accuracy in 1e-6 1e-8 1e-10 1e-12; do
    impact compare --model moreau --set run.accuracy=$accuracy passes.json
    [ $status = 0 ] && near "$(field compliant energy)" -0.02667569 1e-7
    verdict "the collision ends where its contact does, at accuracy $accuracy" $?
done

# Two balls fall far from each other, the second nearer to the ground by less than the proximity: the run has both impacts
echo "{\"kind\": \"scene\", \"material\": {\"friction\": 0.3}, \"ground\": [{}], \"run\": {\"until\": 2},
    \"bodies\": {$(ball a 0 0 0.2 0.5 0 -1), $(ball b 5 0 0.2000005 0.5 0 -1)}}" > both.json
impact compare --model moreau both.json
[ "$(field moreau contacts)" = 2 ] && near "$(field moreau v_error)" 0 2e-4
verdict 'a ball that is about to land is no other impact' $?

# Two bodies on a pin that is askew to their spin, by either of them as the one that the other hangs on, and both free on a joint that
# closes a loop; two that are welded, so and as one body
ends='"material": {"stiffness": 1e6}, "ground": [{}], "impact": {"restitution": 1}'
ball='"spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]'
r='"mass": 1, "inertia": [0.004, 0.004, 0.004]' c='"mass": 0.5, "ball": 0.05, "com": [0.1, 0, 0]'
moves='"velocity": [0, 0, -1], "spin": [10, 0, 0]' pin='"joint": "revolute", "axis": [0, 0.6, 0.8]' loop='"at": [0.2, 0, 0], "meets": [0, 0, 0]'
echo "{\"kind\": \"scene\", $ends, \"bodies\": {\"r\": {$r, \"position\": [0, 0, 0.1001], $moves, $ball},
    \"c\": {$c, $pin, \"parent\": \"r\", \"at\": [0.2, 0, 0]}}}" > pinned-first.json
echo "{\"kind\": \"scene\", $ends, \"bodies\": {\"c\": {$c, \"position\": [0.2, 0, 0.1001], $moves},
    \"r\": {$r, $pin, \"parent\": \"c\", \"at\": [0, 0, 0], \"com\": [-0.2, 0, 0], ${ball%%0, 0, 0*}-0.2, 0, 0]]}]}}}" > pinned-second.json
echo "{\"kind\": \"scene\", $ends, \"bodies\": {\"r\": {$r, \"position\": [0, 0, 0.1001], $moves, $ball},
    \"c\": {$c, \"position\": [0.2, 0, 0.1001], $moves}}, \"joints\": [{$pin, $loop, \"a\": \"r\", \"b\": \"c\"}]}" > pinned-third.json
echo "{\"kind\": \"scene\", $ends, \"bodies\": {\"r\": {$r, \"position\": [0, 0, 0.1001], $moves, $ball},
    \"w\": {\"mass\": 3, \"ball\": 0.05, \"joint\": \"weld\", \"parent\": \"r\", \"at\": [0.3, 0, 0.4]}}}" > welded-first.json
echo "{\"kind\": \"scene\", $ends, \"bodies\": {\"r\": {\"mass\": 4, \"com\": [0.225, 0, 0.3], \"position\": [0, 0, 0.1001], $moves, $ball,
    \"inertia\": [[0.127, 0, -0.09], [0, 0.1945, 0], [-0.09, 0, 0.0745]]}}}" > welded-second.json
arm='"parent": "r", "at": [0.2, 0, 0]'
echo "{\"kind\": \"scene\", $ends, \"bodies\": {\"r\": {$r, \"position\": [0, 0, 0.1001], $moves, $ball}, \"c\": {\"mass\": 0.25,
    \"inertia\": [0.001, 0.001, 0.001], \"com\": [0.1, 0, 0.1], $pin, $arm},
    \"d\": {\"mass\": 0.25, \"inertia\": [0.001, 0.001, 0.001], \"joint\": \"weld\", \"parent\": \"c\", \"at\": [0.1, 0, -0.1]}}}" > fork-first.json
echo "{\"kind\": \"scene\", $ends, \"bodies\": {\"r\": {$r, \"position\": [0, 0, 0.1001], $moves, $ball}, \"c\": {\"mass\": 0.5,
    \"inertia\": [0.007, 0.007, 0.002], \"com\": [0.1, 0, 0], $pin, $arm}}}" > fork-second.json
for form in pinned-second pinned-third welded-second fork-second; do
    impact compare --model moreau "${form%-*}-first.json"
    [ $status = 0 ] && error=$(field moreau v_error) && impact compare --model moreau $form.json
    [ $status = 0 ] && near "$(field moreau v_error)" "$error" 1e-6 && less 1e-3 "$error"
    verdict "two bodies, $form" $?
done

# Two balls that fall side by side do not matter to a third, whether they touch, rest beside each other, or close so slowly that
# the run ends before they meet
for beside in 'apart 0.2001 0 1' 'touching 0.2 0 1' 'resting 0.2005 0 1' 'closing 0.2009 0.0005 0.15'; do
    # shellcheck disable=SC2086
    set -- $beside
    echo "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"material\": {\"stiffness\": 1e9}, \"ground\": [{}],
        \"bodies\": {$(ball a 0 0 0.1 0 0 -1), $(ball c 5 0 30 "$3" 0 0), $(ball d "5$(echo "$2" | cut -c2-)" 0 30 0 0 0)},
        \"run\": {\"until\": $4}, \"impact\": {\"restitution\": 1}}" > beside.json
    impact compare --model moreau beside.json
    [ $status = 0 ] && near "$(field moreau v_error_limit)" 0 1e-8 && near "$(field moreau v_error)" 0.024 0.0001 &&
        near "$(field compliant energy)" 0.00029 1e-5 && { [ "$1" != resting ] || [ "$(field moreau limit_doubt)" = 0 ]; }
    verdict "what falls elsewhere, $1" $?
done

# Friction with and without history does not mix
sed 's/"ground": \[{}\]/"ground": [{"material": {"static_friction": 0.9, "tangential_compliance": 0}}]/
    s/"stiffness": 1e7/"stiffness": 1e7, "friction": 0.3, "tangential_compliance": 1/' passes.json > held.json
refused 'a surface that gives beside one with static friction' 'expected one coefficient of friction for both' --model moreau held.json
echo "1..$count"
