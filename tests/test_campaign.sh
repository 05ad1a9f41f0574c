#!/bin/sh
# build/campaign/campaign: nothing found in a share of its problems (in the short form of the quick inquiries; of the others nothing
# but what is spoiled); with answers spoiled every inquiry finds it, in files
# that are solved again; what was ended or killed goes on, to the same counts whatever the processes; bad use is a line.
. "$(dirname "$0")/program.sh"
campaign=$(dirname "$program")/campaign/campaign
inquiries=$("$campaign" --list | cut -d ' ' -f 1)
planted=$(echo "$inquiries" | grep -vx "${LONG:-stress}") # of stress in the short form by test_stress.c
quick=$([ "$LONG" ] || echo coulomb maxdiss darboux convex rewritten laws) # the others take a second and more
rows() { "$campaign" --rows "$@" | grep -v '^stress' | sed 's/ [^ ]*$//'; } # without the last column: stress' is time

"$campaign" --problems 1 --seed 3 --found wrong $quick > out 2> err
verdict 'no fault in a lot of each inquiry' $?
asked=$(echo ${quick:-$inquiries} | wc -w)
[ "$(cut -f 1 campaign.tsv | sort -u | wc -l)" = "$asked" ] && [ "$(wc -l < out)" -gt $((2 * asked)) ]
verdict 'each has its line in the log, and its rows' $?
"$campaign" --problems 1 --seed 3 --plant --log plant.tsv --found found $planted > out 2> told
[ $? = 1 ] && grep -q '^FAIL: ' out
verdict 'of spoiled answers it says so' $?
# Every 101st answer is spoiled; of the inquiries that spoil otherwise each problem may be a fault.
awk -F '\t' '{ problems = faults = 0
        for (k = 9; k <= NF; k++) { split(substr($k, index($k, "=") + 1), n, ","); problems += n[1]; faults += n[2] }
        if ($1 !~ /^(memory|files|kills|rewritten|stress)$/ && faults > problems / 80) { print $1, faults, problems; bad = 1 } }
    END { exit bad }' plant.tsv > err
verdict 'and of no others' $?
for i in $planted; do
    case $i in memory | files | kills) # sanitisers have their own allocator, containers may forbid to trace
        grep "^$i$tab" plant.tsv | grep -q = || { echo "# $i: nothing can be posed here" && continue; }
        ;;
    esac
    "$campaign" --rows --log plant.tsv "$i" > out 2> err
    [ $? = 1 ] && grep -q '^FAIL: ' out && grep -q "^$i: .*, number [0-9]*: ." told
    verdict "$i finds them" $?
done
bad=0
for file in found/*.json; do
    "$program" solve --model auto "$file" > out 2> err
    [ $? -le 1 ] && [ -s out ] || { bad=1 && break; }
done
verdict 'the files are problems that impact solve reads' $bad
smaller=0
for small in found/*-small.json; do
    [ "$(wc -c < "$small")" -lt "$(wc -c < "${small%-small.json}.json")" ] && smaller=$((smaller + 1))
done
[ "$smaller" -ge $([ "$LONG" ] && echo 9 || echo 8) ] && [ "$smaller" = "$(ls found/*-small.json | wc -l)" ]
verdict "and beside one of each inquiry lies a smaller one with its fault: $smaller" $?

# what is killed goes on
many=$([ "$LONG" ] && echo 400000 || echo 200000)
"$campaign" --problems $many --seed 5 --jobs 1 --log one.tsv coulomb maxdiss > /dev/null 2> err
"$campaign" --problems $many --seed 5 --jobs 2 --log two.tsv coulomb maxdiss > /dev/null 2> err &
pid=$!
while [ ! -s two.tsv ] && kill -0 $pid; do sleep 0.02; done
kill -9 $pid
wait $pid 2> /dev/null
cut -c 1-40 two.tsv | head -n 1 | tr -d '\n' >> two.tsv
before=$(grep -c . two.tsv)
"$campaign" --problems $many --seed 5 --jobs 2 --log two.tsv coulomb maxdiss > /dev/null 2> err
[ "$(grep -c . two.tsv)" = "$(grep -c . one.tsv)" ] && [ "$before" -lt "$(grep -c . one.tsv)" ]
verdict 'killed while it wrote, it goes on to the same number of lots' $?
rows --log one.tsv > one && rows --log two.tsv > two && [ "$(wc -l < one)" -gt 30 ] && cmp -s one two
verdict 'with the same counts, by one process or two' $?
"$campaign" --problems $many --seed 6 --log two.tsv coulomb > /dev/null 2> err &&
    "$campaign" --table --log two.tsv coulomb > out && grep -q '^| `coulomb` .* | 5 6 | 0 | [0-9.]* |$' out
verdict 'another seed is added to it' $?
awk -F '\t' -v OFS='\t' '{ $4 = "another" } 1' one.tsv > other.tsv
"$campaign" --table --log one.tsv > out && counts=$(awk -F '|' '/^. `(coulomb|maxdiss)`/ { print $2, $4 }' out | tr -d '` ')
"$campaign" --table --log other.tsv > out && ! grep -q '^| `coulomb` | [a-z]' out &&
    [ "$(awk -F '|' '$3 ~ /another/ && $5 == 0 { print $2, $4 }' out | tr -d '` ' | sort)" = "$(echo "$counts" | sort)" ]
verdict 'lots of other code are said apart' $?
"$campaign" --problems $many --seed 5 --log other.tsv coulomb > out 2> err && grep -q 'of other code and are left aside$' err &&
    rows --log one.tsv coulomb > one && rows --log other.tsv coulomb > other && cmp -s one other
verdict 'and done again' $?
awk -F '\t' '$5 < 0 || $6 <= 0 || $6 > 100 * $5 + 1 { bad = 1 } END { exit bad }' one.tsv
verdict 'a lot has its seconds, and those of processors' $?

# In fewer lines it says the same, and is gone on from.
{ grep another other.tsv && cat two.tsv; } > all.tsv
"$campaign" --compact --log all.tsv > few.tsv && [ "$(grep -vc another few.tsv)" = 3 ] &&
    [ "$(grep -c another few.tsv)" = 2 ] && [ "$(grep -c another all.tsv)" -gt 2 ]
verdict 'compacted it has a line for each seed, and one for each inquiry by other code' $?
now=$(awk -F '\t' '$1 == "coulomb" { print $4; exit }' one.tsv)
sed "s/another/$now/" few.tsv > back.tsv && "$campaign" --problems $many --seed 5 --log back.tsv coulomb > out 2> err &&
    "$campaign" --compact --log back.tsv | grep -c '~' | grep -qx 2
verdict 'what was summed stays so when that code comes back' $?
"$campaign" --table --log all.tsv | sort > all && "$campaign" --table --log few.tsv | tr -d '~' | sort > few && cmp -s all few &&
    rows --log all.tsv > all && rows --log few.tsv > few && cmp -s all few
verdict 'and the same sums' $?
last=$(awk -F '\t' '$1 == "maxdiss" && $2 == 5 { sub("0-", "", $3); print $3 }' few.tsv) before=$(wc -l < few.tsv)
"$campaign" --problems $((2 * many)) --seed 5 --log few.tsv maxdiss > out 2> err
awk -F '\t' -v n="$before" -v last="$last" 'NR > n { more++; if ($3 <= last) bad = 1 } END { exit bad || !more }' few.tsv
verdict 'and is gone on from' $?

# A lot whose process dies is counted, with its problem, and the others go on.
"$campaign" --problems 400000 --seed 7 --jobs 1 --log died.tsv maxdiss > out 2> err &
pid=$!
until child=$(cat /proc/$pid/task/$pid/children) && [ -n "$child" ] || ! kill -0 $pid; do sleep 0.02; done
kill -SEGV $child
wait $pid
[ $? = 1 ] && grep -q '^1 lots crashed, 0 hung$' out && grep -q '^FAIL: 1 faults$' out &&
    grep -q '^campaign: maxdiss, number [0-9]*: crashed$' err && [ "$(wc -l < died.tsv)" = 3 ]
verdict 'a lot that dies is a fault, and the next ones are done' $?

# refuses TEXT ARGUMENTS: a line with the text, exit 2
refuses() {
    text=$1
    shift
    "$campaign" "$@" > out 2> err
    [ $? = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && grep -qF -e "$text" err
    verdict "refused: $*" $?
}
refuses 'problems' --problems -3
refuses 'hours' --hours soon
refuses 'jobs' --jobs 0
refuses 'nothing' nothing
refuses '--nothing' --nothing
refuses 'no.tsv' --table --log no.tsv
{ head -n 1 one.tsv && head -n 1 one.tsv; } > twice.tsv
refuses 'line 2' --compact --log twice.tsv
head -n 1 one.tsv | awk -F '\t' -v OFS='\t' '{ $3 = " 4" } 1' > bad.tsv
refuses 'line 1' --compact --log bad.tsv
refuses 'takes no maxdiss' --compact --log one.tsv maxdiss
refuses 'line 1' --problems 1 --log "$root/README.md" coulomb
refuses 'nowhere/log' --problems 1 --log nowhere/log coulomb
"$campaign" --help > out && grep -q '^usage: campaign' out
verdict '--help' $?
echo "1..$count"
