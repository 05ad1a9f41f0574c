#!/bin/sh
# The program on FCLIB files: solve, check, convert, warm starts, standard input; what it refuses, in one line.
. "$(dirname "$0")/program.sh"
collection=${IMPACT_DATA:-$root/../shared/data}/fclib

# ends NAME STATUS ARGUMENTS
ends() {
    name=$1 want=$2
    shift 2
    "$program" "$@" > out 2> err
    status=$?
    [ $status = "$want" ] && [ ! -s err ]
    verdict "$name" $?
}

says() {
    grep -qF -e "$2" out
    verdict "$1" $?
}

cat > pair.json << 'END'
{"id": "pair", "n": 2, "blocks": [[0, 0, [2,0,0, 0,3,0, 0,0,3]], [1, 1, [2,0,0, 0,3,0, 0,0,3]],
  [0, 1, [0.1,0,0, 0,0.2,0, 0,0,0]]], "q": [-1, 0.5, 0, -1, 0, 0.5], "mu": [0.3, 0.7], "guess": [0.5,0,0, 0.5,0,0]}
END
ends 'convert JSON to FCLIB' 0 convert pair.json pair.hdf5
ends 'and back' 0 convert pair.hdf5 back.json
ends 'solve --model auto, JSON' 0 solve --model auto back.json
cp out from-back
"$program" solve --model auto pair.json > out && cmp -s out from-back
verdict 'the way there and back changes no bit of the answer' $?
grep -q '"guess":\[0.5,' back.json && grep -q '"id":"pair"' back.json
verdict 'guess and id come along' $?
for model in auto gauss-seidel-coulomb gauss-seidel-maxdiss anitescu plus; do
    ends "solve --model $model, FCLIB" 0 solve --model $model -o solved.hdf5 pair.hdf5
    [ "$(head -c 4 solved.hdf5 | tail -c 3)" = HDF ]
    verdict "$model answers an FCLIB file by one" $?
    case $model in auto | gauss-seidel-*) judges "check $model" 0 --model $model --tol 1e-8 pair.hdf5 solved.hdf5 ;; esac
done
ends 'a JSON problem against an FCLIB solution' 0 solve --model auto -o solved.hdf5 pair.hdf5
judges 'is judged' 0 --model auto --tol 1e-8 --facts pair.json solved.hdf5
says 'ok' '"status":"ok"'
says 'with both errors' '"error_scale_free"'
says 'rank' '"rank":6'
says 'asymmetry' '"asymmetry":0.0'
ends 'an FCLIB answer with facts' 0 solve --model auto --facts -o facts.hdf5 pair.hdf5
grep -qa W_rank facts.hdf5 && ! grep -qa W_rank solved.hdf5
verdict 'holds them, others do not' $?
"$program" solve --model auto - < pair.hdf5 > piped.hdf5 2> err && [ ! -s err ]
verdict 'standard input and output' $?
cat pair.hdf5 | "$program" solve --model auto - > piped2.hdf5 2> err && [ ! -s err ]
verdict 'a pipe' $?
judges 'the piped solution is good' 0 --model auto --tol 1e-8 pair.hdf5 piped2.hdf5
ends 'a solved file can be solved again' 0 solve --model auto -o again.hdf5 solved.hdf5
cat > rest.json << 'END'
{"W": [[2,0,0,1,0,0],[0,3,0,0,0,0],[0,0,3,0,0,0],[1,0,0,2,0,0],[0,0,0,0,3,0],[0,0,0,0,0,3]],
 "q": [-4,0,0,-5,0,0], "mu": [0.3,0.3], "guess": [1,0,0,2,0,0]}
END
ends 'from rest' 0 solve --model auto rest.json
says 'takes sweeps' '"iterations":'
ends 'from the answer as guess' 0 solve --model auto --set start=guess rest.json
! grep -q iterations out
verdict 'takes none' $?
sed 's/, "guess".*/}/' rest.json > bare.json
impact solve --model auto --set start=guess bare.json
[ $status = 0 ] && complained 'impact: warning: --set start=guess: ' 'no problem has a guess to begin with'
verdict 'a guess that no problem has' $?
impact solve --model auto --set start=guess --set start=rest bare.json
[ $status = 0 ] && [ ! -s err ]
verdict 'nor is one asked for where rest stands last' $?
ends 'a model that takes one contact' 1 solve --model maxdiss -o open.hdf5 pair.hdf5
judges 'leaves a file without solution' 1 --model auto pair.hdf5 open.hdf5
says 'which says so' unsolved
ends '--to' 0 convert --to hdf5 pair.json -
"$program" enumerate pair.hdf5 > out 2> err
[ $? = 1 ] && grep -q unsupported out
verdict 'enumerate answers in JSON' $?
mkdir kept
ends 'out of work' 1 solve --model auto --set max_sweeps=1 --set tolerance=1e-15 --dump-failed kept -o few.hdf5 pair.hdf5
ends 'the dump is an FCLIB file that solves' 0 solve --model auto -o few.hdf5 kept/auto-0.hdf5

ends 'FCLIB to FCLIB' 0 convert pair.hdf5 other.hdf5
cmp -s pair.hdf5 other.hdf5
verdict 'is the same file where it is local and has no answer' $?
"$program" solve --model auto -o answered.hdf5 pair.hdf5 && ends 'an answered one' 0 convert answered.hdf5 bare.hdf5
cmp -s pair.hdf5 bare.hdf5 && ! cmp -s answered.hdf5 bare.hdf5
verdict 'comes without its answer' $?
global=$root/reference/data/fclib/Spheres-i099-356-679_global.hdf5
ends 'a global one' 0 convert "$global" local.hdf5
"$program" solve --model auto -o by-local.hdf5 local.hdf5
judges 'is local then, and its answer one of the global one' 0 --model auto --tol 1e-6 "$global" by-local.hdf5
refused 'no format' 'says no format' convert pair.json other.txt
refused 'several problems' 'expected one problem' convert - many.hdf5 << 'END'
[{"W": [[2,0,0],[0,3,0],[0,0,3]], "q": [-1,0,0], "mu": 0.3}, {"W": [[2,0,0],[0,3,0],[0,0,3]], "q": [-1,0,0], "mu": 0.3}]
END
refused 'restitution' 'restitution' convert - e.hdf5 << 'END'
{"W": [[2,0,0],[0,3,0],[0,0,3]], "q": [-1,0,0], "mu": 0.3, "e": 0.5}
END
refused 'gaps' 'viscous friction or gaps' convert - e.hdf5 << 'END'
{"W": [[2,0,0],[0,3,0],[0,0,3]], "q": [-1,0,0], "mu": 0.3, "gap": 0.5}
END
refused 'a guess of another length' '$.guess' solve --model auto - << 'END'
{"W": [[2,0,0],[0,3,0],[0,0,3]], "q": [-1,0,0], "mu": 0.3, "guess": [1]}
END
size=$(wc -c < pair.hdf5)
for part in 9 100 $((size / 2)) $((size - 1)); do
    head -c $part pair.hdf5 > cut.hdf5
    refused "cut at $part" cut.hdf5 solve --model auto cut.hdf5
done
: > empty.hdf5
refused 'an empty file' 'empty' solve --model auto empty.hdf5
printf '\211HDF\r\n\032\nnothing' > false.hdf5
refused 'a signature alone' 'damaged' solve --model auto false.hdf5
refused 'a damaged solution' 'cut.hdf5' check --model auto pair.hdf5 cut.hdf5
# renamed inside the file: the name of a data set, of the group
sed 's/spacedim/spacedam/g' pair.hdf5 > no-dimension.hdf5
refused 'no spacedim' 'spacedim: missing data set' solve --model auto no-dimension.hdf5
sed 's/fclib_local/fclib_lokal/g' pair.hdf5 > foreign.hdf5
refused 'another kind of HDF5' 'expected a group fclib_local or fclib_global' solve --model auto foreign.hdf5
sed 's/vectors/vektors/g' pair.hdf5 > no-vectors.hdf5
refused 'no vectors' 'missing data set' solve --model auto no-vectors.hdf5

# HDF5 answers hold no time of day
"$program" solve --model auto -o first.hdf5 pair.hdf5
sleep 1.1
"$program" solve --model auto -o second.hdf5 pair.hdf5
cmp -s first.hdf5 second.hdf5
verdict 'the same answer a second later has the same bytes' $?

# The race: what it keeps belongs to a limit, a tolerance, a solver and this very program
race=$(dirname "$program")/benchmarks/fclib
hard=$root/reference/data/fclib
# raced STATUS ROWS ARGUMENTS: ends with it, and the table has so many rows then
raced() {
    want=$1 rows=$2
    shift 2
    "$race" "$@" -o raced > out 2> err
    status=$?
    [ $status = "$want" ] && [ "$(grep -c '^BoxesStack' raced/fclib.tsv)" = "$rows" ]
    verdict "fclib $* leaves $rows rows" $?
}
raced 0 1 "$hard" --match BoxesStack --only auto --tol 1e-4 --limit 5
head -n 2 raced/fclib.tsv > once
raced 0 1 "$hard" --match BoxesStack --only auto --tol 1e-4 --limit 5
cmp -s once raced/fclib.tsv
verdict 'the same again is not run again' $?
says 'but summed up' 'solved 1 of 1'
raced 0 2 "$hard" --match BoxesStack --only auto --tol 1e-4 --limit 2
raced 0 3 "$hard" --match BoxesStack --only auto --tol 1e-6 --limit 2
raced 0 4 "$hard" --match BoxesStack --only gauss-seidel-coulomb --tol 1e-4 --limit 1e-3
says 'only rows of this limit are summed up' 'gauss-seidel-coulomb     solved'
! grep -q ' auto ' out
verdict 'no others' $?
awk -F '\t' -v OFS='\t' 'NR > 1 { $6 = "another"; $8 = 0 } { print }' raced/fclib.tsv > others
cp others raced/fclib.tsv
raced 0 5 "$hard" --match BoxesStack --only auto --tol 1e-4 --limit 5
says "another program's rows do not count" 'solved 1 of 1'
"$race" --made --match box-40-1 --only single-phase --tol 1e-4 -o none > out 2> err
[ $? = 0 ] && [ "$(tail -1 none/fclib.tsv | cut -f 1,7,8,11)" = "box-40-1${tab}no-solution${tab}0${tab}nan" ]
verdict "what its model does not call an answer is neither solved nor certified" $?
"$race" --made --contacts 30 --contacts 60 --seeds 2 --match chain --only auto --tol 1e-4 -o sizes > out 2> err
[ $? = 0 ] && [ "$(cut -f 1 sizes/fclib.tsv | tr '\n' ' ')" = 'problem chain-30-1 chain-30-2 chain-60-1 chain-60-2 ' ]
verdict 'fclib --contacts, --seeds: sizes and how many of each' $?
[ "$(cut -f 1-6 sizes/growth.tsv | tail -n +2)" = "$(printf 'auto\tchain\t0.0001\t4\t4\t59')" ]
verdict 'and it says how many were solved, and how the time grows' $?
"$race" --made --first 21 --match box-40 --only auto --tol 1e-4 -o made > out 2> err
[ $? = 0 ] && [ "$(cut -f 1 made/fclib.tsv | tr '\n' ' ')" = 'problem box-40-21 box-40-22 box-40-23 ' ]
verdict 'fclib --first: three seeds from it on, a row each' $?
# raced_not NAME TEXT ARGUMENTS: exit 2, nothing on standard output, one line
raced_not() {
    name=$1 text=$2
    shift 2
    "$race" "$@" > out 2> err
    [ $? = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && grep -qF -e "$text" err
    verdict "fclib refuses $name" $?
}
raced_not 'an unknown solver' 'unknown solver "foo"' "$hard" --only foo -o no
raced_not 'an unknown option' '--fast' "$hard" --fast -o no
raced_not 'an option without its value' '--limit' "$hard" -o no --limit
raced_not 'a limit that is none' '--limit' "$hard" --limit -1 -o no
raced_not 'half a contact' '--contacts' --made --contacts 1.5 -o no
for seed in 0 -1 1.5 2x 1e10 ''; do
    raced_not "the seed '$seed'" '--first' --made --first "$seed" -o no
done
raced_not 'two folders' "$hard" "$work" "$hard" -o no
raced_not 'a folder that is not there' 'nowhere: No such file' nowhere -o no
IMPACT_DATA=$work raced_not 'a collection that is not there' 'fclib: No such file' --only auto -o no
[ ! -e no ]
verdict 'and makes no folder' $?
mkdir old
echo 'problem	contacts' > old/fclib.tsv
raced_not 'a table of other columns' 'other columns' "$hard" -o old
raced_not_matching=$("$race" "$hard" --match nothing -o raced 2>&1 > out)
[ $? = 2 ] && echo "$raced_not_matching" | grep -q 'no problem matches nothing'
verdict 'fclib says that nothing matches' $?
if ldd "$race" | grep -q siconos_numerics; then ! grep -q siconos err; else
    "$race" "$hard" --match BoxesStack --only auto --tol 1e-4 --limit 5 -o raced 2> err > out
    grep -qx 'fclib: built without siconos: ours alone' err
fi
verdict 'fclib says whether siconos is in it' $?

if [ -d "$collection" ]; then
    ends 'a recorded asymmetric problem' 0 solve --model auto -o rover.hdf5 "$collection/Rover1039_local.hdf5"
    judges 'is solved' 0 --model auto --tol 1e-6 --facts "$collection/Rover1039_local.hdf5" rover.hdf5
    grep -q '"asymmetry":0.000[1-9]' out
    verdict 'its asymmetry is said' $?
    ends 'a model that needs symmetry' 1 solve --model anitescu -o open.hdf5 "$collection/Rover1039_local.hdf5"
    refused 'asymmetric W in JSON' 'asymmetric' convert "$collection/Rover1039_local.hdf5" rover.json
    ends 'a global problem' 0 solve --model auto -o wall.hdf5 "$collection/gen_wall3x3_global.hdf5"
    judges 'is solved' 0 --model auto --tol 1e-6 "$collection/gen_wall3x3_global.hdf5" wall.hdf5
    judges 'zeros in the file are no solution' 1 --model auto "$collection/Box_Stacks-i0035-31-0_global.hdf5" \
        "$collection/Box_Stacks-i0035-31-0_global.hdf5"
else
    count=$((count + 1))
    echo "ok $count # SKIP no collection of FCLIB problems (IMPACT_DATA)"
fi
echo "1..$count"
