#!/bin/sh
# Commands in which an allocation fails, alone or with all after it: one line that says no memory and exit 2, with nothing written
# over; or the answer, which may say no-memory of a problem. Here a few of each command, in the long form many; the campaign has all.
. "$(dirname "$0")/program.sh"
. "$root/tests/quick_scenes.sh"
failing=$(dirname "$program")/campaign/failing.so
program=$(dirname "$program")/campaign/impact
[ -z "$SAN" ] && [ -f "$failing" ] && LD_PRELOAD=$failing "$program" --version > /dev/null 2>&1 || {
    echo '1..0 # SKIP an allocator of its own, or none that fails'
    exit 0
}
export OMP_NUM_THREADS=1 IMPACT_DATA=.
scenes=$root/benchmarks/scenes
sparse=${LONG:+60}

mkdir inputs && cd inputs || exit 1
"$program" problems --seed 1 -n 3 -o one.tsv impact-planar
"$program" problems --seed 2 -n 1 -o few.json loose
"$program" problems --seed 1 -n 1 bodies | sed 's/,"e":\[[^]]*\]//' > many.json
"$program" convert many.json many.hdf5
for solved in one.tsv few.json many.json; do "$program" solve --model auto -o $solved.answer $solved; done
"$program" solve --model auto -o answer.hdf5 many.hdf5
cp "$root"/reference/data/fclib/BoxesStack-fclib-test_local.hdf5 local.hdf5
mkdir asked answered
cp many.json asked
cp many.json.answer answered/many.json
echo '{"W": [[1.0000000000000000000000000000000000000000000000000000000000000001, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [0, 1, 0], "mu": 0.5, "b": [-9, 0, 0]}' > forces.json
cat > cart.json << 'END'
{"bodies": [{"name": "cart", "mass": 2, "inertia": [1, 1, 1], "position": [0, 0, 0], "velocity": [-3, 0, 0]}],
 "contacts": [{"a": "ground", "b": "cart", "point": [-1, 0, 0], "normal": [1, 0, 0], "mu": 0}],
 "constraints": [{"joint": "slider", "a": "ground", "b": "cart", "point": [0, 0, 0], "axis": [1, 0, 0], "friction": 1.5}]}
END
above_ground '"title": "a ball", "impact": {"restitution": 0.5}, "run": {"until": 0.2}' > bounce.json
above_ground '"title": "a ball", "step": {"h": 0.05, "until": 0.15, "model": "auto"}' > steps.json
between_planes > wedge.json
cat > flow.json << 'END'
{"kind": "flow", "friction": 0.4, "step": 2e-5, "until": 0.0002, "threads": 1,
 "box": {"low": [0, 0, 0], "high": [0.01, 0.004, 0.004]}, "shapes": [{"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}],
 "spheres": {"radius": 0.00047, "density": 2650, "spacing": 0.001, "speed": 1, "disturbance": 0.5, "seed": 1},
 "fill": {"low": [0, 0, 0], "high": [0.003, 0.004, 0.004]},
 "output": {"folder": "here", "rows_every": 5, "checkpoint_every": 5, "vtk_every": 10}}
END
for name in bounce steps; do
    "$program" simulate $([ $name = steps ] || echo --model newton) --keep $name.half -o rows $name.json
    head -c $(($(wc -c < $name.half) * 2 / 3)) $name.half > rows && mv rows $name.half
done
"$program" flow -o rows flow.json && mv here/flow.check start.check && rm -r here rows
cd ..

# fails COMMAND: its allocations fail, some of them; `table` is what it writes, and is there
fails() {
    command=$1
    rm -rf work && cp -R inputs work && cd work || exit 1
    echo before > table
    FAILING_COUNT=../count LD_PRELOAD=$failing "$program" $command > ../out 2> ../err
    want=$?
    { cat ../out table; cat here/*.pvd there/*.pvd 2> /dev/null; } > ../whole
    calls=$(cat ../count) all=${most:-2} at=0 wrong=
    [ $want -lt 2 ] && [ "$calls" -gt 0 ] || wrong="exit $want, $calls allocations"
    [ "$calls" -gt "$all" ] || all=$calls
    for k in $(seq 0 $((all - 1))); do
        at=$((k * calls / all))
        for on in '' +; do
            [ "$COV" ] && [ "$on" ] && continue # counts of lines are written with the allocator that fails
            cp ../inputs/*.half . && rm -rf kept here there && echo before > table # what commands leave or go on from
            FAILING=$at$on LD_PRELOAD=$failing "$program" $command > ../out 2> ../err
            status=$?
            # so gcov ends without memory for its counts, in a process of --jobs, too
            [ "$COV" ] && { [ $status = 139 ] || grep -q 'ended by signal 11' ../err; } && continue
            if [ $status = 2 ]; then
                [ "$(wc -l < ../err)" = 1 ] && grep -q '^impact: .*\(no memory\|no-memory\|Cannot allocate memory\)' ../err &&
                    [ "$(cat table)" = before ] || wrong="$wrong $at$on:2"
            elif [ $status = 1 ] && grep -q 'no.memory' ../out table; then
                continue
            else
                [ $status = $want ] && { cat ../out table; cat here/*.pvd there/*.pvd 2> /dev/null; } | { [ "${timed:-}" ] || cmp -s - ../whole; } || wrong="$wrong $at$on:$status"
            fi
        done
    done
    cd ..
    [ -z "$wrong" ] || { mv err said; { echo "$wrong"; cat said; } > err; }
    [ -z "$wrong" ]
    verdict "impact $command" $?
}

most=${LONG:+1000}
most=${most:-40}
fails 'enumerate --forces -o table forces.json' # all of it: the reader of JSON stops at an assertion of its own
most=$sparse
fails 'solve --model plus -o table few.json'
fails 'solve --model plus --path --facts -o table few.json'
fails 'solve --model coulomb -o table one.tsv'
fails 'solve --model auto --explain -o table many.json'
fails 'solve --model coulomb --explain -o table one.tsv'
fails 'solve --model auto -o table cart.json'
fails 'solve --model springs -o table cart.json' # judged again where contact and joint come no nearer to each other
fails 'solve --model gauss-seidel-coulomb --set max_sweeps=1 --set tolerance=1e-14 --dump-failed answered -o table many.json'
fails 'enumerate -o table few.json'
fails 'check --model auto -o table many.json many.json.answer'
fails 'check --model auto -o table one.tsv one.tsv.answer'
fails 'check --model auto -o table asked answered'
fails 'check --model auto --facts -o table many.hdf5 answer.hdf5'
fails 'check --model auto -o table local.hdf5'
fails 'convert --to hdf5 many.json table'
fails 'convert --to json many.hdf5 table'
fails 'convert --to hdf5 local.hdf5 table'
fails 'convert --to jsonl one.tsv table'
fails 'solve --model auto --facts -o table many.hdf5'
fails 'simulate --keep kept -o table steps.json'
fails 'simulate --keep steps.half -o table steps.json'
fails 'simulate --vtk there --bodies bodies --contacts contacts -o table steps.json'
fails 'simulate --model newton --keep kept --bodies bodies -o table bounce.json'
fails 'simulate --model newton --keep bounce.half -o table bounce.json'
most=${LONG:+1000}
fails 'flow -o table flow.json' # all of it: an index of pictures without some of them looks like any other
most=$sparse
fails 'flow --resume start.check -o table flow.json'
fails 'ranks --set ranks=[2,1,1] --set bricks=[4,2,2] -o table flow.json'
fails 'sweep --jobs 1 --model plus --over theta_max=0.1,0.2 --keep kept --plot plot -o table wedge.json'
fails 'audit --model moreau -n 1 --seed 3 -o table sphere'
fails 'problems -n 1 --seed 3 -o table bodies'
fails 'models -o table'
fails 'completion bash -o table'
fails 'help solve'
timed=yes
fails 'compare --impulses impulses --history history --problems p.json -o table wedge.json'
fails 'race -n 1 --seed 3 --rows rows -o table plus auto loose'
echo "1..$count"
