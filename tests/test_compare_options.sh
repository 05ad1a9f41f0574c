#!/bin/sh
# `impact compare`: which models, with which settings; its problems, solved, are its impulses; several outputs at once.
. "$(dirname "$0")/program.sh"
tested=compare
scenes=$root/benchmarks/scenes
brick=$scenes/brick-point.json

# column NAME...: of `out`, the columns of these names
column() {
    awk -F "$tab" -v names="$*" 'BEGIN { n = split(names, name, " ") }
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { for (k = 1; k <= n; k++) printf "%s%s", $at[name[k]], k < n ? "|" : "\n" }' out
}
# untimed: `out` without its times
untimed() {
    awk -F "$tab" -v OFS="$tab" '{ $16 = "" } 1' out
}

impact compare --variant 'mu 0.125' --model plus,maxdiss --model newton "$brick"
[ $status = 0 ] && [ "$(column model | tr '\n' ' ')" = 'compliant limit plus maxdiss newton ' ]
verdict 'the models that are named, in their order' $?
impact compare --model plus,plux "$brick"
[ $status = 2 ] && grep -q 'unknown model "plux" (did you mean "plus"?)' err
verdict 'a misspelt model of several' $?
refused 'a model twice' '--model names plus twice' --model plus --model maxdiss,plus "$brick"
refused 'a model without a name' 'unknown model ""' --model plus, "$brick"
impact compare --help --model plus,auto
[ $status = 0 ] && grep -q '^Settings of plus:' out && grep -q '^Settings of auto:' out && ! grep -q '^Models:' out
verdict 'help with the settings of several models' $?

# What is assigned is what stands in a file
sed 's/"run":/"impact": {"settings": {"plus": {"theta_max": 0.3, "active_set": "exhaustive"}, "newton": {"active_set": "exhaustive"}, "poisson": {"active_set": "exhaustive"}}}, "run":/
    s/"dissipation": 0.26/"dissipation": 0.2/; s/-5, 0, -5.74/-5, 0.5, -5.74/' "$brick" > own.json
impact compare --variant 'mu 0.125' --model plus,newton,poisson,auto own.json
untimed > own
impact compare --variant 'mu 0.125' --model plus,newton,poisson,auto --set theta_max=0.3 --set active_set=exhaustive --set material.dissipation=0.2 \
    --set bodies.brick.velocity.1=0.5 "$brick"
[ $status = 0 ] && untimed | cmp -s - own
verdict 'settings of models, keys of the scene, items of a list' $?
impact compare --variant 'mu 0.125' --model plus,newton,poisson,auto --set impact.settings.plus.theta_max=0.3 \
    --set impact.settings.plus.active_set=exhaustive --set impact.settings.newton.active_set=exhaustive \
    --set impact.settings.poisson.active_set=exhaustive --set 'bodies.brick.velocity=[-5, 0.5, -5.74]' \
    --set material.dissipation=0.7 --set material.dissipation=0.2 "$brick"
[ $status = 0 ] && untimed | cmp -s - own
verdict 'a setting of one model; a list; the last of two' $?
impact compare --variant 'mu 0.125' --model plus "$brick"
column intervals > few
impact compare --variant 'mu 0.125' --model plus --set theta_max=0.001 "$brick"
! column intervals | cmp -s - few
verdict 'and they change what is computed' $?
impact compare --variant 'mu 0.125' --model maxdiss --set material.friction=0.3 --problems p.json "$brick"
[ $status = 0 ] && grep -q '"mu":\[0.29999999999999999\]' p.json
verdict 'a key of the scene is set behind the variant' $?
impact compare --model maxdiss --set run.stepper=merson "$brick"
[ $status = 0 ] && [ "$(column scene | sort -u | wc -l)" = 4 ]
verdict 'a word, in every variant' $?
for stepper in merson:50 semi-explicit-euler:100 implicit-euler:1000; do # with the least evaluations of each
    impact compare --variant 'relative angles' --model plus --set run.accuracy=1e-3 --set "run.stepper=${stepper%:*}" \
        "$scenes/pendulum.json"
    [ $status = 0 ] && [ "$(column evaluations | head -n 1)" -ge "${stepper#*:}" ] &&
        [ "$(column evaluations | head -n 1)" -lt "${stepper#*:}0" ]
    verdict "the compliant run by ${stepper%:*}" $?
done
refused 'a setting that nobody has' 'setting: "theta_min=1", expected a setting of a model that is asked or a key of the scene' \
    --set theta_min=1 "$brick"
refused 'a setting of a model that is not asked' 'setting: "theta_max=1"' --model maxdiss --set theta_max=1 "$brick"
refused 'a setting out of its range' '$.impact.settings.plus.theta_max: 7, expected a number from 1e-05 to 1.5' --set theta_max=7 "$brick"
refused 'an unknown key' '(mu 0.125): $.material.frictoin: unknown key' --set material.frictoin=1 "$brick"
refused 'a key of a number' 'setting: "transition.x=1", expected key=value, key a member of an object' --set transition.x=1 "$brick"
refused 'an item that is not there' 'setting: "ground.1.normal=1", expected key=value' --set ground.1.normal=1 "$brick"
refused 'the variants' 'setting: "variants.x=1"' --set variants.x=1 "$brick"
refused 'no value' 'setting: "transition"' --set transition "$brick"

# Every model's problem, solved, has the impulses and the velocities of the comparison
"$program" models | tail -n +2 | cut -f 1 > models
place=0 # in the short form a third of the models each
for scene in brick-point wedge academic; do
    place=$((place + 1))
    if [ "$LONG" ]; then cp models asked; else sed -n "$place~3p" models > asked; fi
    case $scene in brick-point) variant='mu 0.125' ;; academic) variant='mu 3.7' ;; *) variant= ;; esac
    wrong= answered=0
    while read -r model; do
        case $model in plus | single-phase) set=theta_max=0.05 ;; anitescu) set=edges=6 ;; *) set=impact.proximity=1e-6 ;; esac
        impact compare ${variant:+--variant "$variant"} --model "$model" --set $set --impulses i.tsv --problems p.json "$scenes/$scene.json"
        "$program" solve --model "$model" p.json > solved.json 2> err
        awk -F "$tab" -v model="$model" '$2 == model { print $6, $7, $8, $9, $10, $11 }' i.tsv > rows
        perl -MJSON::PP -e 'my ($a) = @{decode_json join "", <STDIN>}; my $n = @{$a->{p} // []} / 3;
            printf "%.17g %.17g %.17g %.17g %.17g %.17g\n", @{$a->{p}}[3 * $_ .. 3 * $_ + 2], @{$a->{u}}[3 * $_ .. 3 * $_ + 2] for 0 .. $n - 1' \
            < solved.json > solved
        awk 'NR == FNR { for (k = 1; k <= 6; k++) want[FNR, k] = $k; n = FNR; next }
            { for (k = 1; k <= 6; k++) { d = $k - want[FNR, k]; if (k <= 3 ? $k != want[FNR, k] : d * d > 1e-20) bad = 1 } }
            END { exit bad || FNR != n && n > 0 }' rows solved || wrong="$wrong $model"
        [ -s rows ] && [ -s solved ] && answered=$((answered + 1))
        [ -s rows ] || ! [ -s solved ] || wrong="$wrong $model"
    done < asked
    echo "$scene: $answered answers; not the same:$wrong" > err
    [ -z "$wrong" ] && [ $answered -ge $([ "$LONG" ] && echo 7 || echo 2) ]
    verdict "$scene: what solve answers to the problem of each model is what was compared" $?
done

# A solver that answers the head-on impact, and with the restitution of the scene; the others are late.
cat > tardy.py << 'END'
import json, sys, time
for line in sys.stdin:
    problem = json.loads(line)
    W, e = problem["W"], problem["e"][0]
    open("asked.txt", "a").write("%g\n" % e)
    if W[1][1] != W[0][0] and e != 0.5:
        time.sleep(100)
    print(json.dumps({"p": [-(1 + e) * problem["q"][0] / W[0][0], 0, 0]}), flush=True)
END
cat > tardy.json << 'END'
{"kind": "scene", "ground": [{}], "impact": {"restitution": 0.5}, "material": {"dissipation": 0.1},
 "bodies": {"ball": {"mass": 1, "ball": 0.1, "position": [0, 0, 0.1], "velocity": [0, 0, -1],
  "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}}}
END
impact compare --model newton --exec 'python3 tardy.py' --law moreau --time-limit 0.3 tardy.json
[ $status = 0 ] && [ "$(column model status e_best why | tail -1)" = 'python3|ok||no e_best: late ten times running' ] &&
    [ "$(wc -l < asked.txt)" -lt 200 ]
verdict 'a fit is given up where a solver outside is late ten times running' $?

# Several outputs: all of them or none
impact compare -o t.tsv --impulses i2.tsv --history h2.tsv --problems p2.json --variant touching "$scenes/cradle.json"
[ $status = 0 ] && [ ! -s out ] && [ -s t.tsv ] && [ -s i2.tsv ] && [ -s h2.tsv ] && [ -s p2.json ]
verdict 'four files' $?
refused 'one file for two' 'written twice' --impulses x --history x "$brick"
ln -s t.tsv way
refused 'under two names' 'written twice' -o t.tsv --impulses way "$brick"
cp "$brick" brick.json
refused 'over the input' 'is also the input' --problems brick.json brick.json
refused 'into no folder' 'nowhere/x: ' -o t2.tsv --history nowhere/x "$brick"
[ ! -e t2.tsv ] && [ ! -e x ] && cmp -s brick.json "$brick"
verdict 'and nothing was written' $?
"$program" compare -o t3.tsv --impulses i3.tsv --set run.until=1e9 "$scenes/arm.json" > out 2> err &
sleep 0.5
[ "$(find /proc/$!/fd -lname "$PWD/#*" -o -lname "$PWD/*.part" | wc -l)" = 2 ]
verdict 'while it runs, two that are not there yet' $?
kill -TERM $!
wait $! 2> /dev/null
[ $? = 143 ] && [ ! -e t3.tsv ] && [ ! -e i3.tsv ] && [ "$(ls | grep -c part)" = 0 ]
verdict 'interrupted: neither is there' $?
echo "1..$count"
