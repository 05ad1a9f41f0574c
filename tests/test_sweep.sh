#!/bin/sh
# `impact sweep`: its points are those of compare; the same table for any number of processes and after an interruption.
. "$(dirname "$0")/program.sh"
tested=sweep
scenes=$root/benchmarks/scenes
brick=$scenes/brick-point.json
ball='"mass": 1, "ball": 0.1, "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}], "clearance": 0.01, "velocity": [0, 0, -1]'
echo "{\"kind\": \"scene\", \"ground\": [{}], \"bodies\": {\"ball\": {$ball}}, \"run\": {\"until\": 0.5}}" > ball.json

# column NAME...: of `out`, the columns of these names
column() {
    awk -F "$tab" -v names="$*" 'BEGIN { n = split(names, name, " ") }
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { for (k = 1; k <= n; k++) printf "%s%s", $at[name[k]], k < n ? "|" : "\n" }' out
}

# running: how many processes of a sweep work here
running() {
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/cwd" 2> /dev/null)" = "$work" ] && tr '\0' ' ' < "$process/cmdline" && echo
    done 2> /dev/null | grep -c 'impact[ ]sweep'
}

# Every point is what compare says of it
shared='scene model status contacts e p_error v_error p_error_limit v_error_limit limit_doubt energy evaluations iterations intervals rounds why'
impact sweep --over material.dissipation=0.1,0.2 --over theta_max=0.01,0.3 --model plus,auto,planar-newton "$brick"
[ $status = 0 ] && [ ! -s err ] && head -1 out | grep -q "^material.dissipation${tab}theta_max${tab}scene${tab}model${tab}status"
verdict 'a table, quiet in a pipe' $?
column scene material.dissipation theta_max model | head -21 | sed 's/brick on one point, //' | tr '\n' ' ' > err
[ "$(cut -d ' ' -f 1-32 err)" = "$(for d in 0.1 0.2; do for t in 0.01 0.3; do
    for m in compliant limit plus auto planar-newton; do printf 'mu 0.125|%s|%s|%s ' $d $t $m; done; done; done | cut -d ' ' -f 1-32)" ]
verdict 'the last key varies fastest, the variants slowest' $?
column $shared > swept
: > compared
for variant in 'mu 0.125' 'mu 0.225' 'mu 0.325' 'straight down, mu 0.02'; do
    for d in 0.1 0.2; do
        for t in 0.01 0.3; do
            impact compare --variant "$variant" --set material.dissipation=$d --set theta_max=$t --model plus,auto,planar-newton "$brick"
            column $shared >> compared
        done
    done
done
[ "$(wc -l < swept)" = 80 ] && cmp -s swept compared
verdict 'point by point what compare says' $?
impact sweep --over run.accuracy=1e-6,1e-9 --set material.friction=0.25 --variant 'mu 0.125' --model maxdiss "$brick"
column $shared > swept
for a in 1e-6 1e-9; do
    impact compare --set run.accuracy=$a --set material.friction=0.25 --variant 'mu 0.125' --model maxdiss "$brick"
    column $shared
done > compared
cmp -s swept compared
verdict 'with --set and --variant' $?

# Values
values() {
    impact sweep --over "$1" --variant 'mu 0.125' --model maxdiss "$brick"
    tail -n +2 out | cut -f 1 | uniq | tr '\n' ' '
}
[ "$(values material.friction=lin:0.1:0.4:4)" = '0.1 0.2 0.3 0.4 ' ]
verdict 'the same difference' $?
[ "$(values material.stiffness=log:1e8:1e11:4)" = '100000000 1000000000 10000000000 100000000000 ' ]
verdict 'the same ratio' $?
[ "$(values material.friction=lin:0.1:0.4:1)" = '0.1 ' ]
verdict 'one value' $?
[ "$(values 'material.friction= 0.1 , 0.2')" = '0.1 0.2 ' ] && "$program" sweep --over 'material.friction= lin:0.1:0.2:2' --variant 'mu 0.125' --model maxdiss "$brick" | cmp -s - out
verdict 'blanks around a value do not count' $?
[ "$(values material.friction=log:1e-300:1e300:3)" = '1e-300 1 1e+300 ' ]
verdict 'ends whose ratio is no double' $?
[ "$(values bodies.brick.velocity.0=lin:-1:2:4)" = '-1 0 1 2 ' ] && [ "$(values bodies.brick.velocity.0=lin:-2:1:7)" = '-2 -1.5 -1 -0.5 0 0.5 1 ' ]
verdict 'the zero between two signs' $?
[ "$(values material.friction=lin:0.12345678901234567:1:2 | awk '{ printf "%.17g %s", $1, $2 }')" = '0.12345678901234566 1' ] &&
    [ "$(values material.friction=log:.3:0.123456789012345:2)" = '0.3 0.123456789012345 ' ]
verdict 'the ends as they are typed' $?
[ "$(values run.stepper=rk8pd,merson)" = 'rk8pd merson ' ]
verdict 'words' $?
[ "$(values 'bodies.brick.velocity=[-5, 0, -1],[-5,0,-2]')" = '[-5, 0, -1] [-5,0,-2] ' ]
verdict 'lists' $?
[ "$(values 'title="a\",b","c"')" = '"a\",b" "c" ' ]
verdict 'a quote that is escaped' $?

# The same bytes for any number of processes
n=$([ "$LONG" ] && echo 7 || echo 3) # points of a model are 12 n
run="--over material.friction=lin:0:0.6:$n --over theta_max=log:1e-3:0.3:3 --model plus,maxdiss"
"$program" sweep $run --jobs 1 "$brick" > one.tsv 2> err
[ $? = 0 ] && [ "$(wc -l < one.tsv)" = $((48 * n + 1)) ]
verdict "$((12 * n)) points on one process" $?
for jobs in 2 3 8 100; do
    "$program" sweep $run --jobs $jobs "$brick" 2> err | cmp -s - one.tsv
    verdict "the same table on $jobs" $?
done
impact sweep $run "$brick"
cmp -s out one.tsv
verdict 'and on as many as there are cores' $?

# Kept points
"$program" sweep $run --keep kept -o new.tsv "$brick" 2> err
[ $? = 0 ] && cmp -s new.tsv one.tsv && [ "$(grep -c '^[0-9]* 0 [0-9]* [0-9]*$' kept)" = $((12 * n)) ]
verdict '--keep: the same table, every point kept' $?
size=$(wc -c < kept)
for part in 0 1 30 44 ${LONG:+100 1000} 5000 $((size - 1)) $size; do
    head -c $part kept > again
    impact sweep $run --keep again -o new.tsv "$brick"
    if [ $part = 0 ] || [ $part -ge 44 ]; then
        [ $status = 0 ] && cmp -s new.tsv one.tsv && [ "$(wc -c < again)" = "$size" ]
    else
        [ $status = 2 ] && grep -q 'again: is not of this run' err && [ "$(wc -c < again)" = $part ]
    fi
    verdict "$part bytes of it: the same table, or refused" $?
done
sed '20s/[0-9]$/x/' kept > again
impact sweep $run --keep again -o new.tsv "$brick"
[ $status = 0 ] && cmp -s new.tsv one.tsv
verdict 'a point that is damaged is computed again' $?
awk '/^[0-9]+ 0 [0-9]+ [0-9]+$/ && !done { print; getline; sub(/ok/, "OK"); done = 1 } { print }' kept > again
impact sweep $run --keep again -o new.tsv "$brick"
[ $status = 0 ] && cmp -s new.tsv one.tsv
verdict 'by its sum' $?
cp one.tsv before.tsv
for change in '--set transition=0.02' '--model auto' '--over transition=0.02' '--variant x'; do
    cp kept again
    impact sweep $run $change --keep again "$brick"
    [ $status = 2 ] && [ ! -s out ] && cmp -s again kept
    verdict "refused, and left alone: another sweep, $change" $?
done
sed 's/-5.74/-5.75/' "$brick" > other.json
refused 'another scene' 'again: is not of this run' $run --keep again other.json
refused 'a table to keep points in' 'one.tsv: is not of this run' $run --keep one.tsv "$brick"
cmp -s one.tsv before.tsv
verdict 'which stays' $?
refused 'the table, which is not there' 'expected another file than those written' $run --keep new -o ./new "$brick"
refused 'nor the script' 'expected another file than those written' $run --keep new --plot ./new "$brick"
for suffix in svg png pdf; do
    refused "a script named as a picture, .$suffix" "--plot is \"x.$suffix\" but it is a gnuplot script, expected another suffix than .$suffix" \
        $run --plot x.$suffix "$brick"
done
refused 'a table named as one' '-o is "x.svg" but the output is a table, expected another suffix than .svg' $run -o x.svg "$brick"
refused 'a folder' '.: cannot be written' $run --keep . "$brick"
refused 'a device' 'is no regular file' $run --keep /dev/null "$brick"
refused 'the scene' 'is also the input' $run --keep other.json other.json
refused 'the output' '--keep is "again"' $run --keep again -o again "$brick"

# Interrupted: nothing is there but what is kept, no process is left, and it goes on
many=$([ "$LONG" ] && echo 600 || echo 300)
long="--over material.friction=lin:0:0.6:$many --model plus --variant mu_0.125"
sed 's/"mu 0.125"/"mu_0.125"/' "$brick" > long.json
"$program" sweep $long long.json > whole.tsv 2> err
[ "$(sh -c 'kill -HUP $$; echo ignored' 2> /dev/null)" ] && hup= || hup=HUP # under nohup all ignore it
for signal in TERM $hup KILL; do
    for attempt in 1 2 3 4 5; do # a sweep that was faster than the signal shows nothing
        rm -f kept ended.tsv
        setsid "$program" sweep $long --jobs 2 --keep kept -o ended.tsv long.json > out 2> err &
        child=$!
        for wait in $(seq 50); do
            sleep 0.02
            [ -e kept ] && [ "$(wc -c < kept)" -gt 2000 ] && break
        done
        kill -$signal $child
        wait $child 2> /dev/null
        [ -e ended.tsv ] || break
    done
    some=$(grep -c '^[0-9]* 0 [0-9]* [0-9]*$' kept)
    [ ! -e ended.tsv ] && [ "$some" -gt 2 ] && [ "$some" -lt $many ]
    verdict "ended by $signal: $some of $many points are kept, no table" $?
    sleep 1
    left=$(running)
    [ "$left" = 0 ]
    verdict "and $left processes are left" $?
    impact sweep $long --jobs 1 --keep kept long.json
    [ $status = 0 ] && cmp -s out whole.tsv
    verdict 'and it goes on to the same table' $?
done
"$program" sweep --over run.until=100,200 --jobs 2 "$scenes/arm.json" > out 2> err &
sleep 0.5
[ "$(running)" = 3 ] && kill -KILL $!
sleep 0.5
[ "$(running)" = 0 ]
verdict 'in the middle of long points too' $?
rm -f kept *.part
longer="--over material.friction=lin:0:0.6:${many}0 --model plus --variant mu_0.125"
"$program" sweep $longer --jobs 2 --keep kept -o ended.tsv long.json > out 2> err &
child=$!
for wait in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    sleep 0.2
    [ -e kept ] && [ "$(wc -c < kept)" -gt 2000 ] && break
done
impact_of_another=$("$program" sweep $longer --keep kept long.json 2>&1 > /dev/null)
[ "$impact_of_another" = 'impact: kept: another run is writing it, expected a file of this one' ]
verdict 'one run at a time' $?
set -- $(cat /proc/$child/task/$child/children)
kill -KILL "$1"
wait $child 2> /dev/null
[ $? = 2 ] && [ ! -e ended.tsv ] && grep -q '^impact: --jobs: a process ended by signal 9' err && [ "$(wc -l < err)" = 1 ]
verdict 'a process that dies ends the sweep, in one line' $?
if [ -z "$LONG" ]; then
    echo "ok $((count += 1)) - on a terminal # SKIP in the long form; test_terminal_progress.sh watches it"
elif command -v script > /dev/null; then
    script -qec "$program sweep $run --set run.accuracy=1e-13 --over material.dissipation=lin:0.1:0.3:8 --jobs 1 $brick" /dev/null \
        > terminal 2> err < /dev/null
    grep -q 'of 672 points, [0-9.]* points/s, [0-9]* s left' terminal
    verdict 'on a terminal: points, rate, time left' $?
else
    count=$((count + 1))
    echo "ok $count # SKIP no script"
fi

# Points without an answer
impact sweep --over bodies.ball.velocity.2=-1,1 --model maxdiss ball.json
[ $status = 1 ] && [ "$(column model status why | tr '\n' ' ')" = 'compliant|ok| limit|ok| maxdiss|ok| compliant|no-solution|nothing touches before 0.5 s ' ]
verdict 'nothing touches: a row that says so, exit 1' $?
impact sweep --over run.max_steps=10,100000 --model maxdiss --keep few ball.json
cp out first
[ $status = 1 ] && column why | head -1 | grep -q '^the compliant run ended after .* s: step limit$'
verdict 'a run that ends early' $?
impact sweep --over run.max_steps=2 --model maxdiss ball.json
[ $status = 1 ] && [ "$(column model status why)" = 'compliant|not-converged|the run to the first touch did not get there: step limit' ]
verdict 'before it touches' $?
impact sweep --over run.max_steps=10,100000 --model maxdiss --keep few ball.json
[ $status = 1 ] && cmp -s out first
verdict 'also when it is kept' $?

# The figure
"$program" sweep $run --plot one.gp --jobs 1 -o x.tsv "$brick" && "$program" sweep $run --plot two.gp --jobs 2 "$brick" | cmp -s - x.tsv
[ $? = 0 ] && cmp -s one.gp two.gp && sed -n '/^\$table/,/^END_OF_TABLE/p' one.gp | sed '1d;$d' | cut -f 3- | cmp -s - x.tsv
verdict 'a figure, with the table in it' $?
sed -n '/^\$table/,/^END_OF_TABLE/p' one.gp | sed '1d;$d' | awk -F "$tab" 'NR > 1 { key = $4 "/" $5
        if (key in curve && curve[key] != $1 || $2 != $3) bad = 1
        if (!(key in curve)) n++; curve[key] = $1; of[$1] = key }
    END { for (c in of) m++; exit bad || n != 12 || m != 12 || of[2] != "0.0173205080757/brick on one point, mu 0.125" }'
verdict 'a curve for each theta_max and variant' $?
sed -n '/^array label/s/^[^=]*= //p' one.gp | tr -d '[]"' | sed 's/, brick/\nbrick/g' | sed -n '1p;5p;12p' > labels
[ "$(cat labels)" = 'brick on one point, mu 0.125, theta_max=0.001
brick on one point, mu 0.225, theta_max=0.0173205080757
brick on one point, straight down, mu 0.02, theta_max=0.3' ]
verdict 'and a row of panels that says which' $?
if command -v gnuplot > /dev/null; then
    # drawn TITLE PANELS MODELS: gnuplot draws one.gp without a word, and the key has each model once
    drawn() {
        gnuplot one.gp > one.svg 2> err
        [ $? = 0 ] && [ ! -s err ] && grep -q '</svg>' one.svg && [ "$(grep -c '>against the limit<' one.svg)" = "$2" ] &&
            [ "$(sed -n 's/.*<title>\([a-z-]*\)<.*/\1/p' one.svg | sort | tr '\n' ' ')" = "$(printf '%s\n' $3 | sort | tr '\n' ' ')" ]
        verdict "gnuplot draws $1" $?
    }
    for over in material.friction=0.1,0.2 theta_max=log:0.01:0.1:2 run.stepper=rk8pd,merson theta_max=0.1 material.friction=0; do
        "$program" sweep --over "$over" --over material.dissipation=0.1,0.2 --set 'title=say "a\b"' --plot one.gp --model plus,maxdiss,planar-newton "$brick" > out 2> err
        drawn "$over" 8 'compliant plus maxdiss'
        ! grep -q planar one.svg && [ "$(grep -c '>say .*, material.dissipation=0.[12]<' one.svg)" = 8 ]
        verdict 'with the row of each variant, without a model that has no answer' $?
    done
    "$program" sweep --over theta_max=0.01,0.1 --plot one.gp "$scenes/corners.json" > out 2> err
    drawn 'every model of several contacts' 3 "compliant $(awk -F "$tab" '$4 == "ok" && $3 != "limit" && $3 != "compliant" { print $3 }' out | sort -u)"
    "$program" sweep --over run.until=0.001,0.002 --plot one.gp ball.json > out 2> err
    drawn 'where nothing has an answer' 1 compliant
    "$program" sweep --over theta_max=0.1 --set 'title=`touch owned`' --plot one.gp --model plus "$brick" > out 2> err
    drawn 'a title with backticks' 4 'compliant plus'
    [ ! -e owned ] && grep -q '>`touch owned`, mu' one.svg
    verdict 'which are no command' $?
else
    count=$((count + 1))
    echo "ok $count # SKIP no gnuplot"
fi

# Wrong from the start
refused 'no --over' 'sweep: nothing to vary, expected --over KEY=VALUES' "$brick"
refused 'no values' '"material.friction", expected KEY=VALUE,... or KEY=lin:FROM:TO:N' --over material.friction "$brick"
refused 'an empty value' '--over: material.friction has the value "", expected one' --over material.friction=0.1,,0.2 "$brick"
refused 'blanks for a value' '--over: material.friction has the value "", expected one' --over 'material.friction=0.1, ' "$brick"
refused 'a value twice' '--over: material.friction has the value "0.1" twice, expected it once' --over material.friction=0.1,0.2,0.1 "$brick"
refused 'a value twice, written in two ways' '--over: material.friction has the value "' --over material.friction=0.10,0.2,1e-1 "$brick"
refused 'a word twice' '--over: run.stepper has the value "merson" twice' --over run.stepper=merson,rk8pd,merson "$brick"
refused 'a range of one value' '--over: material.friction has the value "0.1" twice' --over material.friction=lin:0.1:0.1:3 "$brick"
refused 'half a range' 'lin:0:1, expected lin:FROM:TO:N' --over material.friction=lin:0:1 "$brick"
refused 'a range of texts' 'expected lin:FROM:TO:N, numbers and a count' --over material.friction=lin:a:1:3 "$brick"
refused 'more values than a sweep has points' 'lin:0:1:1000001, expected lin:FROM:TO:N, numbers and a count from 1 to 1000000' \
    --over material.friction=lin:0:1:1000001 "$brick"
refused 'no value at all' 'log:1:2:0, expected log:FROM:TO:N, numbers > 0 and a count from 1 to 1000000' \
    --over material.friction=log:1:2:0 "$brick"
refused 'a longer range' 'expected lin:FROM:TO:N' --over material.friction=lin:0:1:3:4 "$brick"
refused 'no points' 'expected lin:FROM:TO:N' --over material.friction=lin:0:1:0 "$brick"
refused 'half a point' 'expected lin:FROM:TO:N' --over material.friction=lin:0:1:2.5 "$brick"
refused 'ratios from 0' 'expected log:FROM:TO:N, numbers > 0 and a count' --over material.friction=log:0:1:3 "$brick"
refused 'a key twice' 'material.friction stands twice' --over material.friction=1 --over material.friction=2 "$brick"
refused 'a key that is set, too' '--set: "material.friction=0.3" sets what --over material.friction varies, expected one of the two' --over transition=0.1 --over material.friction=0.1,0.2 --set material.friction=0.3 "$brick"
refused 'a key that begins alike' '$.material.frictions: unknown key' --over material.friction=0.1,0.2 --set material.frictions=1 "$brick"
refused 'a key that is set by its other name' '--set: "impact.settings.plus.theta_max=0.5" sets what --over impact.settings.plus.theta_max varies' --over theta_max=0.1,0.2 --model plus --set impact.settings.plus.theta_max=0.5 "$brick"
refused 'and the other way round' '--set: "impact.settings.plus.theta_max=0.5" sets what --over' --over impact.settings.plus.theta_max=0.1,0.2 --model plus --set theta_max=0.5 "$brick"
refused 'a part of it' '"material.friction=0.3" sets what --over material varies' --over 'material={"friction":0.1}' --set material.friction=0.3 "$brick"
impact sweep --over material.friction=0.1,0.2 --set 'material={"stiffness":1e9}' --variant 'mu 0.125' --model maxdiss "$brick"
[ $status = 0 ] && [ "$(wc -l < out)" = 7 ]
verdict 'taken: the rest of what is varied' $?
refused 'a key within a later one' '"material={"stiffness":1e9}" sets anew what "material.friction=0.1" has set' --over material.friction=0.1,0.2 --over 'material={"stiffness":1e9}' "$brick"
refused 'a setting by two names' '"impact.settings.plus.theta_max=0.1" sets anew what "impact.settings.plus.theta_max=0.2" has set' --over theta_max=0.2,0.3 --over impact.settings.plus.theta_max=0.1 "$brick"
refused 'an item by two numbers' '"bodies.brick.velocity.00=-3", expected key=value, key a member of an object or the number of an item' --over bodies.brick.velocity.0=-1,-2 --over bodies.brick.velocity.00=-3 "$brick"
impact sweep --over 'material={"stiffness":1e9}' --over material.friction=0.1,0.2 --variant 'mu 0.125' --model maxdiss "$brick"
[ $status = 0 ] && [ "$(wc -l < out)" = 7 ]
verdict 'taken: a key within an earlier one' $?
refused 'too many points' 'makes 1002001 points, expected at most 1000000' --over transition=lin:1:2:1001 --over material.friction=lin:1:2:1001 --variant 'mu 0.125' "$brick"
set --
for key in a b c d e f g h i; do set -- "$@" --over $key=1; done
refused 'too many keys' '"i=1" is one too many, expected 8' "$@" "$brick"
refused 'a key that nobody has' 'setting: "theta_min=1", expected a setting of a model' --over theta_min=1,2 "$brick"
refused 'a value that is none, at its point' '$.material.friction: -1, expected a number >= 0' --over transition=0.1 --over material.friction=0.1,-1 "$brick"
grep -q '(at transition=0.1, material.friction=-1)' err
verdict 'which is named' $?
refused 'a figure that is too high' '--plot: 64 rows of panels, one for each variant and point of all --over but the first, expected at most 60' \
    --over theta_max=0.1,0.2 --over material.friction=lin:0.1:0.4:16 --plot x "$brick"
refused 'no jobs' '--jobs is "0", expected a whole number from 1 to 1024' --jobs 0 --over transition=1 "$brick"
refused 'half a job' '--jobs is "1.5"' --jobs 1.5 --over transition=1 "$brick"
refused 'many jobs' '--jobs is "x"' --jobs x --over transition=1 "$brick"
refused 'a figure over the table' 'written twice' --over transition=1 -o x --plot x "$brick"
refused 'a scene to step' '$.step: a scene for the time stepper' --over transition=1 "$scenes/ramp.json"
[ ! -e x ] && [ "$(ls | grep -c part)" = 0 ]
verdict 'and nothing is left' $?
echo "1..$count"
