#!/bin/sh
# `impact simulate --keep`: interrupted anywhere it goes on, and writes the same bytes.
. "$(dirname "$0")/program.sh"
. "$root/tests/quick_scenes.sh"
tested=simulate
scenes=$root/benchmarks/scenes

# same NAME STATUS ARGUMENTS: with --keep as without, from nothing, from each part of the file that is kept, and from all of it
same() {
    name=$1 want=$2
    shift 2
    rm -rf whole again kept cut
    mkdir whole again
    impact simulate "$@" --bodies whole/bodies --contacts whole/contacts${pictures:+ --vtk whole/seen} -o whole/table
    [ $status = "$want" ] || echo "exit $status" > wrong
    cp err whole/said
    for size in 0 $([ "$LONG" ] && echo 30 77 96 || echo 77) 100; do
        [ $size = 0 ] || head -c $(($(wc -c < kept) * size / 100)) kept > cut
        [ $size = 0 ] && : > cut
        rm -rf again
        mkdir again
        impact simulate "$@" --bodies again/bodies --contacts again/contacts${pictures:+ --vtk again/seen} -o again/table --keep cut
        cp err again/said
        [ $status = "$want" ] && diff -r whole again > differs || echo "$size: exit $status" >> wrong
        [ $size = 0 ] && cp cut kept
        cmp -s cut kept || echo "$size: another file is kept" >> wrong
    done
    [ ! -s wrong ] && [ "$(wc -c < kept)" -gt 300 ]
    verdict "$name: the same bytes from any part of what was kept" $?
    rm -f wrong
}
pictures=yes
same 'impacts that pile up, and rest' 0 --model newton --every 20 "$scenes/bounce.json"
pictures=
same 'a rod that tips, slips and lies down' 0 --model poisson --variant rod "$scenes/lasting.json"
same 'a ball from slip to roll, some rows' 0 --model poisson --variant ball --every 7 "$scenes/lasting.json"
same 'no steps left' 1 --model poisson --variant ball --set run.max_steps=40 "$scenes/lasting.json"
same 'steps' 0 --every 3 "$scenes/ramp.json"
same 'steps that begin with the last answer' 0 --model gauss-seidel-coulomb --set start=guess --set tolerance=1e-3 --set step.until=0.3 "$scenes/ten-boxes.json"
same 'steps less than solved' 1 --model gauss-seidel-coulomb --set max_sweeps=1 --set tolerance=1e-12 --set step.until=0.2 "$scenes/ten-boxes.json"
between_walls > between.json
same 'a ball between walls that close' 1 between.json
same 'pairs that come late' 0 --every 10 --set step.until=0.5 "$scenes/spheres.json"
same 'joints' 0 --variant dry --every 100 "$scenes/joints.json"
same 'joints that rub' 0 --model poisson --variant parallelogram "$scenes/rubbing.json"
cat > swing.json << 'END'
{"kind": "scene", "gravity": [0, 0, -9.81], "step": {"h": 0.1, "until": 20}, "bodies": {
 "a": {"mass": 1, "box": [0.3, 0.05, 0.05], "com": [0.15, 0, 0], "parent": "ground", "joint": "revolute", "axis": [0, 1, 0], "at": [0, 0, 1]},
 "b": {"mass": 1, "box": [0.3, 0.05, 0.05], "com": [0.15, 0, 0], "parent": "a", "joint": "revolute", "axis": [0, 1, 0], "at": [0.3, 0, 0]}}}
END
same 'a step that has no answer' 1 swing.json
same 'an impact that has none' 1 --model frictionless "$scenes/ratchet.json"

# Interrupted on its way
run="--set step.until=20000 --every 100000 --model plus"
"$program" simulate $run --keep way -o ended.tsv "$scenes/ramp.json" 2> err &
runs=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -f way ] && [ "$(wc -c < way)" -gt 400 ] && break
    sleep 0.5
done
kill -TERM $runs
wait $runs
[ $? -gt 128 ] && [ ! -e ended.tsv ] && [ -s way ]
verdict 'interrupted: no table, what is done is kept' $?

impact simulate --model newton --keep kept "$scenes/bounce.json"
[ $status = 2 ] && grep -q 'is not of this run' err
verdict 'of another scene, refused' $?
impact simulate --model newton --keep mine "$scenes/bounce.json"
for change in '--model poisson' '--model newton --every 2' '--model newton --set run.until=2' '--model newton --bodies b.tsv'; do
    refused "of $change" 'mine: is not of this run' $change --keep mine "$scenes/bounce.json"
done
cp "$scenes/bounce.json" own.json
refused 'a table' '--keep is "both"' --model newton --keep both --bodies both "$scenes/bounce.json"
refused 'the scene' 'is also the input' --model newton --keep own.json own.json
echo "1..$count"
