#!/bin/sh
# What the program does with the names it is given: outputs over inputs, under foreign suffixes, over files with modes
# and several names; help and suggestions; options twice; whole settings; answers beyond double; no memory.
. "$(dirname "$0")/program.sh"

{
    printf 'id\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3\n'
    printf 'stick\t0.5\t2\t0.5\t-0.25\t3\t0.75\t4\t-4\t-0.1\t-0.2\n'
} > p.tsv
cat > p.json << 'END'
{"W": [[2, 0.5, -0.25], [0.5, 3, 0.75], [-0.25, 0.75, 4]], "q": [-4, -0.1, -0.2], "mu": [0.5]}
END
"$program" convert p.json p.hdf5

# An output is never the input, under whatever name
ln -s p.tsv link.tsv
ln p.tsv name.tsv
cp p.tsv kept.tsv
for name in p.tsv link.tsv name.tsv ./p.tsv; do
    refused "-o $name, the input" 'is also the input' solve --model maxdiss -o $name p.tsv
done
refused '-o the input on standard input' 'is also the input' solve --model maxdiss -o p.tsv - < p.tsv
refused 'enumerate over its input' 'is also the input' enumerate -o p.tsv p.tsv
"$program" solve --model maxdiss p.tsv > a.tsv
cp a.tsv kept-answer.tsv
refused 'check over the solution' 'is also the input' check --model maxdiss -o a.tsv p.tsv a.tsv
refused 'convert over its input' 'is also the input' convert --to hdf5 p.json p.json
cmp -s p.tsv kept.tsv && cmp -s a.tsv kept-answer.tsv
verdict 'and nothing was written' $?
rm name.tsv link.tsv

# Files that the program names in a folder it is given are neither the input nor another output
mkdir dumps
echo '[{"W": [[2,0,0],[0,3,0],[0,0,3]], "q": [-1,2,0], "mu": 0.3, "id": "one"},
  {"W": [[2,0,0],[0,3,0],[0,0,3]], "q": [-1,2,0], "mu": 0.3, "e": 0.5, "id": "two"}]' > two.json
cp two.json dumps/coulomb-1.json
ln dumps/coulomb-1.json name.json
ln -s dumps again
for file in dumps/coulomb-1.json name.json again/coulomb-1.json; do
    refused "a dump over $file, the input" 'dumps/coulomb-1.json", which is to be written, is also the input, expected another folder' \
        solve --model coulomb --dump-failed dumps $file
done
refused 'a dump over standard input' 'is also the input' solve --model coulomb --dump-failed dumps - < dumps/coulomb-1.json
cmp -s two.json dumps/coulomb-1.json
verdict 'and is not written' $?
rm dumps/coulomb-1.json
ln -s dumps/coulomb-1.json way.json
for file in dumps/coulomb-1.json ./again/coulomb-1.json way.json; do
    refused "a dump that is $file, the output" '"dumps/coulomb-1.json" is written twice, expected another file' \
        solve --model coulomb --dump-failed dumps -o $file two.json
done
refused 'a worst problem that is the output' '"dumps/masses-1-0.json" is written twice' \
    audit --model newton -n 1 --seed 1 --worst dumps -o dumps/masses-1-0.json masses
[ -z "$(ls dumps)" ]
verdict 'and none is written' $?
impact solve --model coulomb --dump-failed dumps -o dumps/coulomb-0.json.json two.json
[ "$(ls dumps | tr '\n' ' ')" = 'coulomb-0.json.json coulomb-1.json ' ]
verdict 'a dump beside the output' $?
rm -r dumps again name.json way.json

# Nor what standard output leads to, in a file or a pipe; nothing is written then
scene=$root/benchmarks/scenes/bounce.json
for name in both.tsv ./both.tsv /dev/stdout /proc/self/fd/1; do
    "$program" simulate --model poisson --bodies $name "$scene" > both.tsv 2> err
    [ $? = 2 ] && [ ! -s both.tsv ] && grep -qx "impact: simulate: \"$name\" is also standard output, expected another file" err
    verdict "--bodies $name, where the table of events goes" $?
done
"$program" simulate --model poisson --keep both.tsv "$scene" > both.tsv 2> err
[ $? = 2 ] && [ ! -s both.tsv ]
verdict '--keep there' $?
[ -z "$("$program" simulate --model poisson --bodies /dev/stdout "$scene" 2> err | cat)" ] && grep -q 'also standard output' err
verdict 'in a pipe' $?
mkdir dumps
"$program" solve --model coulomb --dump-failed dumps two.json > dumps/coulomb-1.json 2> err
[ $? = 2 ] && [ ! -s dumps/coulomb-1.json ] && grep -q '"dumps/coulomb-1.json" is also standard output' err
verdict 'a dump there' $?
"$program" simulate --model poisson --bodies both.tsv -o events.tsv "$scene" > both.tsv && [ -s both.tsv ] &&
    "$program" simulate --model poisson --bodies /dev/null "$scene" > /dev/null
verdict 'beside -o, or with both in /dev/null, it is none' $?
cp "$program" solver.so
refused 'an output over a plugin' '"solver.so" is also the input' solve --plugin ./solver.so --law coulomb -o solver.so p.tsv
cmp -s solver.so "$program"
verdict 'which stays' $?
rm -r dumps both.tsv solver.so events.tsv

# Suffixes
refused 'HDF5 under .json' 'the answer to p.hdf5 is HDF5, expected another suffix than .json' solve --model auto -o a.json p.hdf5
refused 'JSON under .hdf5' 'is JSON, expected another suffix than .hdf5' solve --model auto -o a.hdf5 p.json
refused 'a table under .json' 'is a table, expected' solve --model maxdiss -o a.json p.tsv
refused 'JSON under .tsv' 'is JSON, expected' enumerate -o b.tsv p.json
refused 'a table of classes under .json' 'is a table, expected' problems -o a.json
refused 'a table of problems under .json' 'is a table, expected' problems sphere -o a.json
refused 'problems of many contacts under .tsv' 'is JSON, expected' problems wall -o b.tsv
refused 'a command of tables under .json' 'is a table, expected' models -o a.json
refused 'JSON under .tsv, converted' 'OUT is "b.tsv" but the output is JSON, expected' convert --to json p.tsv b.tsv
refused 'a table under .jsonl' 'is a table, expected' solve --model maxdiss -o a.jsonl p.tsv
refused 'a completion under .json' 'is text, expected' completion -o a.json bash
scene=$root/benchmarks/scenes/ball.json
for option in impulses history; do
    refused "--$option under .json" "--$option is \"a.json\" but it is a table" compare --model auto --$option a.json "$scene"
done
refused '--problems under .tsv' '--problems is "b.tsv" but it is JSON' compare --model auto --problems b.tsv "$scene"
refused '--plot under .tsv' '--plot is "b.tsv" but it is a gnuplot script' sweep --model auto --over material.friction=0.1 --plot b.tsv "$scene"
for option in bodies contacts; do
    refused "--$option under .json" "--$option is \"a.json\" but it is a table" \
        simulate --model poisson --$option a.json "$root/benchmarks/scenes/bounce.json"
done
refused '--rows under .json' '--rows is "a.json" but it is a table' race --rows a.json auto coulomb sphere
# Names that are none, devices, pipes
refused 'no name to read' 'an empty name, expected a file to read' solve --model maxdiss ''
refused 'no name to write' 'an empty name, expected a file to write' solve --model maxdiss -o '' p.tsv
bounce=$root/benchmarks/scenes/bounce.json
refused 'no name of a table' 'an empty name, expected a file to write' simulate --model newton --bodies '' "$bounce"
refused 'no folder' 'an empty name, expected a folder' simulate --model newton --vtk '' "$bounce"
refused 'a folder that is a file' 'p.tsv: cannot be made a folder' simulate --model newton --vtk p.tsv "$bounce"
# "-" is standard output, and never a file of that name
for asked in 'solve --model maxdiss p.tsv' 'solve --model maxdiss p.json' 'check --model maxdiss p.tsv a.tsv' 'enumerate p.tsv' \
    models 'problems sphere --seed 1' "simulate --model newton $bounce" 'completion bash' \
    'audit --model maxdiss sphere -n 1 --seed 1'; do
    "$program" $asked 2> err | grep -v '^# impact' > want
    impact $asked -o -
    grep -v '^# impact' out | cmp -s - want && [ -s want ] && [ ! -e - ]
    verdict "-o -: standard output of ${asked%% *}" $?
done
while read -r option asked; do
    refused "$option -" "$option is \"-\", expected a f" $asked $option -
    [ ! -e - ]
    verdict "$option -: nothing is made" $?
done << END
--dump-failed solve --model maxdiss p.tsv
--impulses compare --model newton $scene
--problems compare --model newton $scene
--bodies simulate --model newton $bounce
--vtk simulate --model newton $bounce
--keep sweep --model newton --over material.friction=0.1 $scene
--plot sweep --model newton --over material.friction=0.1 $scene
--rows race auto coulomb sphere -n 1
--worst audit --model maxdiss sphere -n 1
END
for device in /dev/zero /dev/full /dev/urandom; do
    [ ! -c $device ] || refused "$device, which has no end" 'is a device, expected a file' solve --model maxdiss $device
done
"$program" convert --to json p.tsv /dev/stdout 2> err | cat > out
"$program" convert --to json p.tsv - 2> err | cmp -s - out && [ -s out ]
verdict 'a pipe by the name /dev/stdout' $?
for line in "convert --to json p.tsv /dev/stdout" "solve --model maxdiss -o /dev/stdout p.tsv"; do
    "$program" $line 2> err >&-
    [ $? = 2 ] && [ "$(wc -l < err)" = 1 ] && grep -q '^impact: /dev/stdout: cannot be' err
    verdict "${line%% *} to a standard output that is closed, by its name" $?
done
if [ -w /dev/full ]; then
    refused 'a plot on a full device, no row' '/dev/full: cannot be written' \
        sweep --model newton --over material.friction=0.1,0.5 --plot /dev/full "$scene"
    for option in bodies contacts; do
        refused "--$option on a full device, no row" '/dev/full: cannot be written' \
            simulate --model newton --$option /dev/full "$bounce"
    done
fi
[ ! -e a.json ] && [ ! -e a.jsonl ] && [ ! -e a.hdf5 ] && [ ! -e b.tsv ]
verdict 'none of them is made' $?
for pair in p.hdf5:a.hdf5 p.hdf5:a.h5 p.json:a.json p.tsv:b.tsv p.tsv:answers p.json:a.txt; do
    impact solve --model coulomb -o "${pair#*:}" "${pair%:*}"
    [ $status = 0 ] && [ -s "${pair#*:}" ]
    verdict "$pair is written" $?
done

# Several objects are a list, and in .jsonl each is a line; one is itself
# lines NAME: NAME.jsonl has the objects of the list NAME.json, a line each
lines() {
    [ "$(wc -l < "$1.jsonl")" -ge 2 ] && [ "$(head -c 2 "$1.json")" = '[{' ] &&
        sed '1s/^\[//; $s/\]$//; s/},$/}/' "$1.json" | cmp -s - "$1.jsonl"
    verdict "$1: lines, or a list" $?
}
for form in json jsonl; do
    "$program" problems bodies -n 3 --seed 1 -o problems.$form
    "$program" solve --model auto -o solved.$form problems.json
    "$program" check --model auto -o judged.$form problems.json solved.$form 2> err
    "$program" enumerate -o all.$form problems.json 2> err
    "$program" compare --model auto --problems impacts.$form -o out "$root/benchmarks/scenes/ball.json"
    "$program" solve --model coulomb -o one.$form p.json
done
for name in problems solved judged all impacts; do lines $name; done
cmp -s one.json one.jsonl && [ "$(wc -l < one.json)" = 1 ]
verdict 'one answer is itself in both' $?
echo '[]' | "$program" solve --model auto -o empty.jsonl - && [ ! -s empty.jsonl ]
verdict 'none are no line' $?

# Faults of --set say so, those of the file do not
# Of several for a key the one is named whose value is said; of no value, the last.
for order in 'steps=4 steps=0' 'steps=0 steps=4'; do
    refused "the one at fault of $order" '(from the command line: --set steps=0)' solve --model maxdiss $(printf -- '--set %s ' $order) p.tsv
done
refused 'what replaces the object of a key' '$.step: 3, expected an object (from the command line: --set step=3)' \
    simulate --set step.h=0.1 --set step=3 "$root/benchmarks/scenes/ramp.json"
refused 'an item of a list' '$.bodies.ball.spheres[0].radius: -1, expected a number > 0 (from the command line: --set bodies.ball.spheres.0.radius=-1)' \
    simulate --model newton --set bodies.ball.spheres.0.radius=-1 "$root/benchmarks/scenes/bounce.json"
refused 'within an item' '$.ground[0].normal[1]: "x", expected a number (from the command line: --set ground.0.normal=[0,"x",1])' \
    simulate --model newton --set 'ground.0.normal=[0,"x",1]' "$root/benchmarks/scenes/bounce.json"
refused 'a list around an item' '$.ground[0].colour: unknown key, expected point, normal or material (from the command line: --set ground=[{"colour":1}])' \
    simulate --model newton --set 'ground=[{"colour":1}]' "$root/benchmarks/scenes/bounce.json"
sed 's/\[{}\]/[{"colour": 1}, {}]/' "$root/benchmarks/scenes/bounce.json" > coloured.json
refused 'not of another item' '$.ground[0].colour: unknown key' simulate --model newton --set ground.1.point=[0,0,0] coloured.json
! grep -q 'command line' err
verdict 'is blamed on it' $?
refused 'the last of two lists' '(from the command line: --set gravity=[1,2])' simulate --set 'gravity=[1]' --set 'gravity=[1,2]' "$root/benchmarks/scenes/ramp.json"
given='(from the command line: --set material.friction='
refused 'a setting given' '$.foo: unknown setting of coulomb, expected choice (from the command line: --set foo=1)' \
    solve --model coulomb --set foo=1 p.tsv
refused 'a value given to a scene' "expected a number >= 0 ${given}x)" compare --set transition=1 --set material.friction=x "$scene"
for key in stepx stev; do
    sed "s/\"step\"/\"$key\"/" "$root/benchmarks/flows/channel-small.json" > flow.json
    refused "$key, in the file" "\$.$key: unknown key" flow --set step=1e-5 flow.json
    ! grep -q 'command line' err
    verdict 'and is not blamed on the command line' $?
done

# The file that is replaced
echo before > old
chmod 640 old
ln -s old way
impact solve --model maxdiss -o way p.tsv
[ $status = 0 ] && [ "$(stat -c %a old)" = 640 ] && [ -L way ] && cmp -s old a.tsv
verdict 'keeps its mode, and the symbolic link to it' $?
echo before > old
ln old another
chmod 604 old
impact solve --model maxdiss -o old p.tsv
[ $status = 0 ] && [ old -ef another ] && cmp -s another a.tsv && [ "$(stat -c %a another)" = 604 ]
verdict 'has the new content under each of its names' $?
[ "$(ls | grep -c part)" = 0 ]
verdict 'nothing is left beside it' $?
if command -v strace > /dev/null && strace -o trace true 2> /dev/null && [ -z "$SAN" ]; then
    strace -f -o trace -e trace=fsync,rename "$program" solve --model maxdiss -o old2 p.tsv 2> err
    [ "$(grep -c -m1 'fsync.* = 0' trace)" = 1 ] && [ "$(grep -n fsync trace | cut -d: -f1)" -lt "$(grep -n rename trace | cut -d: -f1)" ]
    verdict 'an output is on the disk before it has its name' $?
else
    count=$((count + 1))
    echo "ok $count # SKIP no strace"
fi

# Help and suggestions
impact help
cp out help
impact --help
[ $status = 0 ] && cmp -s out help && grep -q 'usage: impact' out
verdict 'impact help' $?
impact help help
[ $status = 0 ] && cmp -s out help && impact help --help && [ $status = 0 ] && cmp -s out help
verdict 'impact help help, help --help' $?
impact help solve
cp out help
impact solve --help
[ $status = 0 ] && cmp -s out help && grep -q 'usage: impact solve' out
verdict 'impact help solve' $?
refused 'help for a misspelt command' 'did you mean "enumerate"?' help enumrate
refused 'help for two' 'one argument too many' help solve check
refused 'a misspelt command' '(did you mean "check"?)' chekc
refused 'a misspelt model' '(did you mean "anitescu"?)' solve --model antiescu p.tsv
refused 'a misspelt option' '(did you mean "--model"?)' solve --modle maxdiss p.tsv
refused 'a misspelt option with its value' '(did you mean "--output"?)' solve --outptu=x p.tsv
impact xyzzy
! grep -q 'did you mean' err
verdict 'a word like no other: no suggestion' $?
refused 'two models' '--model stands twice' solve --model maxdiss --model coulomb p.tsv
refused 'two outputs' '--output stands twice' solve --model maxdiss -o a --output b p.tsv
impact solve --model plus --set alpha_min=1e-5 --set theta_max=0.02 p.json
[ $status = 0 ]
verdict 'settings may be several' $?

# Whole settings
for key in auto:max_sweeps anitescu:max_pivots drumwright:max_iterations drumwright:polish gauss-seidel-coulomb:parts; do
    refused "half a ${key#*:}" '1.5, expected a whole number from' solve --model ${key%:*} --set ${key#*:}=1.5 p.json
done
impact solve --model auto --set max_sweeps=20.0 p.json
[ $status = 0 ]
verdict 'a whole number may be written 20.0' $?
refused 'an odd pyramid' '$.edges: 5, expected an even number from 4 to 64' solve --model anitescu --set edges=5 p.json
refused 'in the file too' '$.settings.max_sweeps: 1.5, expected a whole number' solve --model auto - << 'END'
{"W": [[2, 0, 0], [0, 3, 0], [0, 0, 4]], "q": [-4, 0, 0], "mu": 0.5, "settings": {"max_sweeps": 1.5}}
END

# Contact normals are unit vectors
# body NORMAL: a brick on the ground
body() {
    echo '{"bodies": [{"name": "brick", "mass": 2, "inertia": [0.1, 0.2, 0.25], "position": [0, 0, 0.5], "velocity": [1, 0, -1]}],
      "contacts": [{"a": "ground", "b": "brick", "point": [0.1, 0, 0], "normal": '"$1"', "mu": 0.4}]}' > body.json
}
for normal in '[0, 0, 2]' '[0, 0, 0]' '[0, 0, 1.00001]' '[0, 0, 1e-300]' '[1e200, 1e200, 0]'; do
    body "$normal"
    refused "a normal $normal" '$.contacts[0].normal: [' solve --model maxdiss body.json
done
body '[0, 0, 1.0000001]'
impact solve --model maxdiss body.json
[ $status = 0 ]
verdict 'a normal of six right digits' $?

# Beyond double: p = 0 is a number even where an impulse would not be; an impulse that is none is no answer
{
    printf 'id\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3\n'
    printf 'open\t1.6712737641912876\t4.957867988064424e-269\t-4.759579696426943e-269\t-2.0676086152743639e-269\t1.6518945915681943e-268\t-1.6049451804317718e-269\t2.8345205188803029e-268\t9.1008305017158256e+282\t-4.6783083403185673e+282\t-5.1287772457195267e+283\n'
} > far.tsv
impact enumerate far.tsv
[ $status = 0 ] && grep -q "^open${tab}1${tab}0${tab}zero${tab}0${tab}0${tab}0${tab}9.1" out
verdict 'enumerate: an opening contact far out has the impulse 0' $?
impact solve --model coulomb far.tsv
[ $status = 0 ] && grep -q "^open${tab}ok${tab}0${tab}0${tab}0${tab}9.1" out
verdict 'solve: likewise' $?
sed 's/9.1008305017158256e+282/-9.1008305017158256e+282/; s/^open/hit/' far.tsv > hit.tsv
impact enumerate hit.tsv
[ $status = 1 ] && grep -q "^hit${tab}0${tab}0${tab}overflow${tab}${tab}" out
verdict 'enumerate: an impulse beyond double is an overflow' $?
{ head -n 1 far.tsv; printf 'hit\t0.5\t1e-150\t0\t0\t3e-150\t0\t3e-150\t-1e155\t0\t0\n'; } > energy.tsv
impact enumerate energy.tsv
[ $status = 1 ] && grep -q "^hit${tab}0${tab}0${tab}overflow${tab}${tab}" out
verdict 'enumerate: an energy beyond double too' $?
echo "1..$count"
