#!/bin/sh
# Options and files that a command cannot take, each refused in one line: what the tests of the commands do not ask for.
. "$(dirname "$0")/program.sh"
scenes=$root/benchmarks/scenes

long=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz
"$program" problems --seed 1 -n 2 -o one.tsv impact-planar
"$program" problems --seed 1 -n 1 bodies | sed 's/,"e":\[[^]]*\]//' > many.json
"$program" convert many.json many.hdf5
cat > cart.json << 'END'
{"bodies": [{"name": "cart", "mass": 2, "inertia": [1, 1, 1], "position": [0, 0, 0], "velocity": [-3, 0, 0]}],
 "contacts": [{"a": "ground", "b": "cart", "point": [-1, 0, 0], "normal": [1, 0, 0], "mu": 0}],
 "constraints": [{"joint": "slider", "a": "ground", "b": "cart", "point": [0, 0, 0], "axis": [1, 0, 0], "friction": 1.5}]}
END
one='"W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [-1, 1, 0], "mu": 0.5'
echo "{$one, \"e\": 0.5}" > bounces.json
echo "{$one, \"mu_v\": 0.1}" > viscous.json
echo "[{$one, \"b\": [-9, 0, 0]}, {$one}]" > mixed.json
echo "[{$one}, {$one, \"b\": [-9, 0, 0]}]" > mixed-after.json
printf '{%s, "id": "a\\tb"}\n' "$one" > tab.json
echo "{$one, \"id\": \"#1\"}" > hash.json
echo '{"G": [[1, 0, 0]], "q": [-1, 0, 0], "mu": 0}' > singular.json
echo '[]' > none.json

# What a form cannot hold
tested=convert
refused 'friction of joints in a table' 'friction of joints, expected none: JSON alone holds it' --to table cart.json x
refused 'friction of joints in FCLIB' 'has friction of joints, expected none: JSON alone holds it' cart.json x.hdf5
refused 'restitution in FCLIB' 'contact 0 has restitution, expected e = 0: FCLIB files hold none' bounces.json x.hdf5
refused 'viscous friction in a table' 'has viscous friction or gaps, expected none' viscous.json x.tsv
refused 'viscous friction in FCLIB' 'has viscous friction or gaps, expected none: FCLIB files hold neither' viscous.json x.hdf5
refused 'b in the first alone' 'has b, or none, unlike the first, expected it in all or in none' mixed.json x.tsv
refused 'b in the second alone' 'has b, or none, unlike the first' mixed-after.json x.tsv
refused 'an id with a tab' 'an id that breaks a row' tab.json x.tsv
refused 'an id that begins as comments do' 'an id that makes a row a comment' hash.json x.tsv
refused 'a singular W in a table' 'a singular W, expected a definite one, as tables have it: JSON holds its G' singular.json x.tsv
refused 'no problem in FCLIB' 'none.json: no problem, expected one problem' none.json x.hdf5
refused 'a name without a suffix' '"x" says no format, expected OUT to end in' one.tsv x
refused 'a missing file' 'cannot be opened' missing.json x.json
refused 'no folder' 'cannot be written' many.json no/x.hdf5
refused 'a full device' 'No space left on device' --to hdf5 many.json /dev/full
refused 'a full device, for rows' 'No space left on device' --to table one.tsv /dev/full
refused 'a table named as JSON' 'expected another suffix than .json' --to table one.tsv x.json
[ ! -e x ] && [ -z "$(ls x.* 2> /dev/null)" ]
verdict 'nothing is written' $?

# Command lines
tested=solve
refused 'a model of a long name' "unknown model \"$(echo $long | cut -c1-60)" --model $long one.tsv
refused 'an option of a long name' 'unknown option "--abcdefghij' --$long --model plus one.tsv
refused 'a letter that is none, before others' 'unknown option "-b"' --model plus -bo one.tsv one.tsv
refused 'the beginning of an option' 'unknown option "--mod"' --mod plus one.tsv
refused 'and with its value' 'unknown option "--mod=plus", expected one of impact solve --help' --mod=plus one.tsv
refused 'an option twice' '--model stands twice, expected it once' --model plus --model auto one.tsv
refused 'a tolerance without a solver outside' '--tol stands alone, expected it beside --exec or --plugin' --model plus --tol 1e-3 one.tsv
for limit in time-limit memory-limit law; do
    refused "--$limit alone" "--$limit stands alone, expected it beside --exec or --plugin" --model plus --$limit $([ $limit = law ] && echo coulomb || echo 1) one.tsv
done
refused 'memory that is no number' '--memory-limit is "x", expected' --exec cat --law coulomb --memory-limit x one.tsv
refused 'no memory at all' '--memory-limit is "0", expected a whole number from 1' --exec cat --law coulomb --memory-limit 0 one.tsv
refused 'time that is no number' '--time-limit is "1s", expected' --exec cat --law coulomb --time-limit 1s one.tsv
"$program" audit --model coulomb --seed 1 -n 1 -o a.HTML sphere 2> err && head -1 a.HTML | grep -qi '<!doctype html>'
verdict 'capitals in a suffix of audit are the same suffix' $?
refused 'a model beside a solver outside' 'several models, expected --model NAME' --model plus --exec cat --law coulomb one.tsv
refused 'a plugin that is none' 'one.tsv: invalid ELF header, expected a shared object' --plugin one.tsv --law coulomb one.tsv
refused 'a plugin that is not there' 'nowhere.so' --plugin ./nowhere.so --law coulomb one.tsv
refused 'a path that is no folder' '--dump-failed is "nowhere", expected a folder' --model plus --dump-failed nowhere one.tsv
refused 'an answer to a table as JSON' 'the answer to one.tsv is a table, expected another suffix than .json' --model plus -o x.json one.tsv
refused 'a setting without a value' 'setting' --model plus --set theta_max one.tsv
refused 'a path in a table' '--path: a table is answered by one' --model plus --path one.tsv
echo '{"W": [[2, 0, 0], [0, 3, 0], [0, 0, 3]], "q": [-1, 0.1, 0], "mu": 0.9}' > one.json
"$program" convert one.json one.hdf5
refused 'a path in FCLIB' '--path: a file of FCLIB is answered by one' --model auto --path -o answer.hdf5 one.hdf5
refused 'facts in a table' '--facts: a table is answered by one' --model plus --facts one.tsv
refused 'facts in a table, with dumps' '--facts: a table is answered by one' --model plus --facts --dump-failed . one.tsv
refused 'a path in a table, with dumps' '--path: a table is answered by one' --model plus --path --dump-failed . one.tsv
for option in --sett '--sett=1'; do refused "$option" 'did you mean "--set"?' --model plus $option one.tsv; done
"$program" solve --help | grep -q '^  --tol TOL  *with --exec or --plugin: largest' && "$program" check --help | grep -q '^  --tol TOL  *largest'
verdict 'of whom --tol is' $?
tested=convert
refused 'an option of other commands' 'unknown option "-o" (did you mean "--to"?)' -o one.tsv x
tested=enumerate
refused 'friction of joints' 'friction of joints, expected none: solve, and check of answers in a file, alone take it' cart.json
tested=check
refused 'friction of joints, asked outside' 'friction of joints' --exec cat --law coulomb cart.json
refused 'facts in a table' '--facts: verdicts in a table have no room for it' --model plus --facts one.tsv one.tsv
refused 'facts in a table, asked outside' '--facts: verdicts in a table have no room' --exec cat --law coulomb --facts one.tsv
refused 'problems in place of answers' 'bounces.json: $.p: missing' --model auto many.json bounces.json
tested=help
refused 'two commands' '"check" is one argument too many' solve check
refused 'an unknown command' 'unknown command "sovle" (did you mean "solve"?)' sovle
tested=
refused 'a command of a long name' 'unknown command "abcdefg' $long

# Scenes and flows
sed 's/"until": 3/"until": -3/' "$scenes/bounce.json" > course.json
sed 's/"h": *[0-9.e-]*/"h": -1/' "$scenes/ramp.json" > steps.json
tested=simulate
refused 'a run that ends before it begins' '$.run.until: -3, expected a number > 0' --model newton course.json
"$program" simulate --set step.h=.01 "$scenes/ramp.json" > short 2> err && "$program" simulate --set step.h=0.01 "$scenes/ramp.json" | cmp -s - short
verdict 'a number as tables have it: .01' $?
refused 'a step backwards' '$.step.h: -1, expected a number > 0' steps.json
refused 'a step backwards, by a model that is named' '$.step.h: -1, expected a number > 0' --model plus steps.json
refused 'pictures in a file' 'steps.json: cannot be made a folder' --vtk steps.json "$scenes/ramp.json"
refused 'pictures in nothing' 'an empty name, expected a folder' --vtk '' "$scenes/ramp.json"
refused 'pictures in no folder' 'no/such: cannot be made a folder' --vtk no/such "$scenes/ramp.json"
refused 'bodies in JSON' '--bodies is "b.json" but it is a table, expected another suffix than .json' --bodies b.json "$scenes/ramp.json"
refused 'contacts in no folder' 'no/c: ' --contacts no/c "$scenes/ramp.json"
refused 'a folder to keep in' '.: cannot be written' --keep . "$scenes/ramp.json"
refused 'no folder to keep in' 'no/kept: cannot be written' --keep no/kept "$scenes/ramp.json"
refused 'a scene that is none' 'expected an object with "kind": "scene"' --model newton none.json
refused 'a table for a scene' 'expected JSON' --model newton one.tsv
printf '{"title": "a\\u0000b"}' > nul.json
refused 'a text with a zero in it' 'nul.json:1:' --model newton nul.json
grep -q 'u0000, expected JSON without it' err
verdict 'in words of its own' $?
tested=compare
refused 'an output that cannot be' 'no/x: ' -o no/x --model plus "$scenes/bounce.json"
refused 'a full device' 'No space left on device' -o /dev/full --model plus "$scenes/bounce.json"
refused 'contacts nearer than rounding' 'brick on a face, flat: $.impact.proximity: 9.99989e-321, expected more: no pair is so near' --model plus --set impact.proximity=1e-320 "$scenes/brick-face.json"
refused 'impulses in JSON' '--impulses is "i.json" but it is a table' --impulses i.json --model plus "$scenes/bounce.json"
refused 'problems in a table' '--problems is "p.tsv" but it is JSON' --problems p.tsv --model plus "$scenes/bounce.json"
refused 'a scene without a body' '$.bodies' --set 'bodies={}' --model plus "$scenes/bounce.json"
refused 'a mass beside which others vanish' 'not-positive-definite: $.bodies: some are so heavy beside others that rounding hides these, expected masses' \
    --set bodies.coupler.mass=1e300 --model plus "$scenes/four-bar.json"
tested=ranks
refused 'no grid' 'no grid of ranks, expected --set ranks=[16,10,4]' "$root/benchmarks/flows/channel-small.json"
refused 'too many' 'more than 1e6 ranks, expected fewer' --set ranks=[1000,1000,10] --set bricks=[1000,1000,10] "$root/benchmarks/flows/channel-small.json"
refused 'ranks without a brick' '$.ranks: 2 along x, but 1 brick, expected bricks at least as fine, as [4,2,2] (from the command line: --set ranks=[2,1,1])' \
    --set ranks=[2,1,1] --set bricks=[1,1,1] "$root/benchmarks/flows/channel-small.json"
refused 'ranks across slabs' '$.ranks: 3 along y, but 1 brick, expected' --set ranks=[2,3,1] "$root/benchmarks/flows/channel-small.json"
refused 'more ranks than bricks' '$.ranks: 3 along z, but 2 bricks, expected' --set ranks=[1,1,3] --set bricks=[1,1,2] "$root/benchmarks/flows/channel-small.json"
refused 'a checkpoint that is not there' '--resume nowhere: cannot be opened' --resume nowhere --set ranks=[1,1,1] "$root/benchmarks/flows/channel-small.json"
refused 'an output that cannot be' 'no/x: ' -o no/x --set ranks=[1,1,1] "$root/benchmarks/flows/channel-small.json"
tested=models
refused 'an output that cannot be' 'no/x: ' -o no/x
refused 'a full device' 'No space left on device' -o /dev/full
refused 'a file' '"x" is one argument too many' x
tested=completion
refused 'a completion in a table' 'expected another suffix than .tsv' -o x.tsv bash
refused 'one in no folder' 'no/x: ' -o no/x bash
tested=problems
refused 'a table named as JSON' 'expected another suffix than .json' -o x.json impact-planar
refused 'classes in JSON' 'expected another suffix than .json' -o x.json
refused 'problems of no class' 'problems: no CLASS, expected one beside -n' -n 3
refused 'the same by its name' 'problems: no CLASS, expected one beside --count' --count 3
refused 'a count that is none' '-n is "abc", expected a decimal number' -n abc wall
refused 'the same by its name' '--count is "abc", expected a decimal number' --count abc wall
refused 'a letter twice' 'problems: -o stands twice, expected it once' --output x -o y wall
refused 'a suffix, by the name' '--output is "x.tsv" but' --output x.tsv wall
refused 'a suffix, by the letter' '-o is "x.tsv" but' -ox.tsv wall
refused 'a seed of no class' 'problems: no CLASS, expected one beside --seed' --seed 3 -o x.tsv

# What fails beside the answers
tested=
printf '{"id": "a\\nb\\u001b[31m", "W": [[2, 0, 0], [0, 3, 0], [0, 0, 3]], "q": [-1, 2, 0], "mu": 0.3, "e": 0.5}' > broken.json
for command in enumerate 'solve --exec false --law moreau'; do
    impact $command broken.json
    [ $status = 1 ] && complained 'impact: problem "a?b?[31m": '
    verdict "an id with the end of a line and a colour is one line: $command" $?
done
impact solve --model coulomb --explain broken.json
[ "$(head -1 out)" = 'problem a?b?[31m: 1 contact' ]
verdict 'and one of an explanation' $?
impact solve --model gauss-seidel-coulomb --set max_sweeps=1 --set tolerance=1e-14 --dump-failed . -o a.hdf5 many.hdf5
[ $status = 1 ] && impact check --model gauss-seidel-coulomb gauss-seidel-coulomb-0.hdf5 a.hdf5
[ $status = 1 ] && grep -q '"status": *"rejected"' out
verdict 'an FCLIB problem that is not solved is dumped as one' $?
mkdir -p dumps/gauss-seidel-coulomb-0.hdf5
refused 'a dump over a folder' 'gauss-seidel-coulomb-0.hdf5' solve --model gauss-seidel-coulomb --set max_sweeps=1 --set tolerance=1e-14 --dump-failed dumps \
    -o b.hdf5 many.hdf5
[ ! -e b.hdf5 ]
verdict 'and there is no answer then' $?
impact enumerate --forces many.json
[ $status = 2 ] && complained 'impact: ' 'has no b'
verdict 'forces of a problem without accelerations' $?
impact enumerate bounces.json
[ $status = 1 ] && complained 'impact: problem "0": unsupported: restitution, expected one contact with e = 0 and a definite W'
verdict 'restitution is not enumerated, which is said' $?
impact enumerate many.json
[ $status = 1 ] && complained 'impact: problem "bodies-1-0": unsupported: several contacts, expected one contact'
verdict 'nor are several contacts' $?
echo '{"W": [[1, 1, 0], [1, 1, 0], [0, 0, 4]], "q": [-1, 2, 1], "mu": 0.5}' > flat.json
impact enumerate flat.json
[ $status = 1 ] && complained 'impact: problem "0": unsupported: directions that do not move (W has no full rank), expected'
verdict 'nor is one of less than full rank, which has no joints' $?
refused 'an explanation with facts' '--explain' solve --model plus --explain --facts one.tsv
refused 'an explanation of a missing file' 'missing.tsv: cannot be opened' solve --model plus --explain missing.tsv
refused 'an explanation into no folder' 'no/x: ' solve --model plus --explain -o no/x one.tsv
refused 'one file of two' '1 file given, expected impact convert' convert one.tsv
refused 'traffic without ranks' '--traffic' flow --traffic t "$root/benchmarks/flows/channel-small.json"
refused 'a checkpoint from a pipe, and no parameters' 'cannot be opened' flow missing.json
(
    ulimit -n 20
    "$program" sweep --jobs 64 --model plus --over material.friction=0.1,0.2 "$scenes/box.json" > out 2> err
    echo $? > ended
)
[ "$(cat ended)" = 2 ] && [ ! -s out ] && complained 'impact: ' 'Too many open files'
verdict 'refused: more processes than files can be opened for' $?

impact audit --exec "/bin/false 'a b'" --law coulomb -n 1 --seed 3 sphere
[ $status = 1 ] && grep -qF "impact audit --exec '/bin/false '\''a b'\''' --law coulomb" out
verdict 'the command line of an audit, as a shell reads it' $?

# forces: an answer in JSON for every problem, with its id where it has one
cat > forces.json << 'END'
[{"id": "rests", "W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [0, 0, 0], "mu": 0.5, "b": [-9, 0, 0]},
 {"W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [0, 0, 0], "mu": 0.5, "b": [9, 0, 0]},
 {"W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [-1, 0, 0], "mu": 0.5, "b": [-9, 0, 0]},
 {"W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [0, 0, 0], "mu": 0.5, "gap": 0.5, "b": [-9, 0, 0]}]
END
impact enumerate --forces forces.json
[ $status = 1 ] && [ "$(grep -o '"id"' out | wc -l)" = 1 ] && grep -q '"follows":"sticks"' out &&
    grep -q '"follows":"collides","count":0' out && grep -q '"status":"unsupported","follows":null' out
verdict 'forces in JSON: what follows, of a contact that collides none, and of one with a gap nothing' $?
complained 'impact: problem "3": unsupported: viscous friction or gaps, expected one contact with a definite W'
verdict 'and why, which is said' $?
# two NAME=VALUE ROWS: on two threads; `displays` counts the starts of an OpenMP program
two() {
    env -u OMP_WAIT_POLICY "$1" OMP_DISPLAY_ENV=true "$program" flow --set threads=2 --set until=0.0002 --set output.checkpoint_every=0 \
        --set output.vtk_every=0 -o "$2" "$root/benchmarks/flows/channel-small.json" > out 2> err
    status=$?
    displays=$(grep -c 'DISPLAY ENVIRONMENT BEGIN' err)
}
two OMP_WAIT_POLICY=passive one.rows
first=$status once=$displays
two NOTHING=told two.rows
[ $status = $first ] && [ $first -lt 2 ] && cmp -s one.rows two.rows && [ "$displays" = $((2 * once)) ]
verdict 'two threads, told how to wait or starting again to sleep: the same rows' $?

# Answers with more than their problem has
echo "{$one}" > single.json
tested=check
echo '{"p": [1, -0.5, 0], "velocities": [[0, 0, 0, 0, 0, 0]]}' > more.json
refused 'velocities of no bodies' 'more.json: velocities for problem "0", which has no "constraints"' --model coulomb single.json more.json
echo '{"p": [1, -0.5, 0], "lambda": [1]}' > more.json
refused 'impulses of no constraints' 'more.json: lambda for problem "0", which has no "constraints"' --model coulomb single.json more.json
echo '{"p": [1, -0.5, 0], "joint_friction": [1]}' > more.json
refused 'friction of no joints' 'more.json: 1 in joint_friction for problem "0", expected 0' --model coulomb single.json more.json
echo '{"p": [6, 0, 0], "joint_friction": [1, 2]}' > more.json
refused 'friction of two joints where one rubs' 'more.json: 2 in joint_friction for problem "0", expected 1' --model auto cart.json more.json
mkdir answers
cp single.json answers
refused 'answers to a folder in no folder' 'nowhere: is no folder, expected one with the answers to answers' --model coulomb answers nowhere
refused 'answers to a folder in a file' 'single.json: is no folder, expected one with the answers to answers' --model coulomb answers single.json
refused 'joints that rub, to a solver outside' 'friction of joints, expected none' --exec cat --law coulomb cart.json
tested=audit
refused 'a file for a folder' '--worst is "single.json", expected a folder' --worst single.json --model maxdiss sphere -n 1
impact audit --model maxdiss --worst answers --to json -o audit.json -n 1 --seed 1 sphere
[ $status = 0 ] && grep -q '"verdict"' audit.json
verdict 'a format that is named twice alike' $?
tested=replay
refused 'a set twice' 'replay: ellipse stands twice, expected it once' --model newton ellipse ellipse
refused 'friction below 0' '--set is "mu=-1", expected a number >= 0' --set mu=-1 --model newton ellipse
refused 'restitution above 1' '--set is "e=2", expected a number from 0 to 1' --set e=2 --model newton ellipse

# A device that is full while rows are on their way, and no standard output
"$program" problems --seed 1 -n 3000 -o rows.tsv impact-planar
"$program" convert rows.tsv rows.json
"$program" solve --model coulomb -o solved.tsv rows.tsv
mkfifo passage
while read -r command; do
    # shellcheck disable=SC2086
    impact $command -o /dev/full
    [ $status = 2 ] && complained 'impact: ' '/dev/full: cannot be written: No space left on device'
    verdict "$command: a full device" $?
    # shellcheck disable=SC2086
    (ulimit -f 2 && impact $command -o grown && exit $status) # libomp needs a kilobyte itself
    [ $? = 2 ] && complained 'impact: ' 'File too large' && [ ! -e grown ] && ! ls | grep -q part
    verdict "$command: a file that may not grow: one line, nothing of it" $?
    # shellcheck disable=SC2086
    (trap '' PIPE; exec 3<> passage 4> passage 3<&-; "$program" $command 2> err >&4)
    [ $? = 2 ] && complained 'impact: ' 'standard output: cannot be written: Broken pipe'
    verdict "$command: a reader that has gone, where its signal is ignored" $?
done << END
completion bash
completion zsh
completion fish
solve --model coulomb rows.tsv
solve --model coulomb rows.json
solve --model coulomb --explain rows.tsv
problems -n 3000 --seed 1 impact-planar
enumerate rows.tsv
enumerate rows.json
check --model coulomb rows.tsv solved.tsv
simulate --every 1 --model newton $scenes/cradle-swing.json
simulate --model plus $scenes/ramp.json
compare $scenes/ball.json
sweep --model plus --over material.friction=lin:0:0.5:300 $scenes/box.json
END
for words in --help -h --version 'solve --help' problems 'help solve'; do
    # shellcheck disable=SC2086
    "$program" $words > /dev/full 2> err
    status=$?
    [ $status = 2 ] && complained 'impact: ' 'standard output: cannot be written'
    verdict "$words: to a full device" $?
    # shellcheck disable=SC2086
    "$program" $words 2> err >&-
    status=$?
    [ $status = 2 ] && complained 'impact: ' 'standard output: '
    verdict "$words: to none" $?
done
tested=
refused 'a word behind --version' '"x" is one argument too many, expected impact --version alone' --version x
refused 'a word behind --help' '"solve" is one argument too many, expected impact --help alone' --help solve
echo "1..$count"
