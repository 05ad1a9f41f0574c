#!/bin/sh
# `impact problems`: what it makes is read back by solve, is the same for a seed and other for another, and says its seed.
. "$(dirname "$0")/program.sh"

impact problems
[ $status = 0 ] && [ "$(head -1 out)" = "class${tab}contacts${tab}about" ] && [ "$(wc -l < out)" -ge 40 ]
verdict 'without CLASS the classes are listed' $?
tail -n +2 out > classes
awk -F '\t' '$1 == "" || $2 == "" || $3 == "" || NF != 3' classes > out
[ ! -s out ]
verdict 'each with its contacts and what it is' $?

while IFS="$tab" read -r class contacts about; do
    "$program" problems "$class" -n 4 --seed 5 > made 2> err &&
        "$program" problems --seed=5 --count 4 -o again "$class" 2>> err && cmp -s made again &&
        "$program" problems "$class" -n 4 --seed 6 > other && ! cmp -s made other && [ ! -s err ]
    verdict "$class: the same by a seed, other by another" $?
    # unsolved ones are no fault of the file: exit 1; a file that cannot be read is 2
    "$program" solve --model auto made > out 2> err
    [ $? -lt 2 ] && [ "$(grep -o "$class-5-[0-9]*" out | sort -u | wc -l)" = 4 ]
    verdict "$class: solve reads all of it, by ids that say class and seed" $?
    [ "$contacts" = 1 ] || { "$program" problems "$class" --seed 8 | sed 's/{/\n{/g' | grep -c '"n":1,' > out; [ "$(cat out)" = 0 ]; }
    verdict "$class: of as many contacts as it says ($contacts; $about)" $?
done < classes

impact problems sphere -n 3 --seed 9
[ "$(head -1 out)" = '# impact problems sphere -n 3 --seed 9' ]
verdict 'a table says how it was made' $?
impact problems sphere
cp out one
impact problems sphere
! cmp -s one out && grep -Eq '^sphere-[0-9]+-0' out
verdict 'without --seed a new one' $?
sh -c "$program $(sed -n '1s/^# impact //p' one)" > out 2> err && cmp -s one out
verdict 'which its first line repeats' $?
"$program" problems tower --seed 6 -o tower.json 2> err && "$program" convert tower.json tower.hdf5 2>> err &&
    "$program" solve --model auto -o solved.hdf5 tower.hdf5 2>> err
verdict 'one of many contacts becomes FCLIB by convert' $?

refused 'an unknown class' 'unknown class "towr" (did you mean "tower"?)' problems towr
refused 'two classes' '"wall" is one argument too many' problems tower wall
refused 'no problems' '-n is "0", expected a whole number from 1 to 1000000000' problems wall -n 0
refused 'half a problem' '-n is "1.5"' problems wall -n 1.5
refused 'a seed that is none' '--seed is "x"' problems wall --seed x
for seed in 9007199254740993 9007199254740992.5 9007199254740991.9 9.007199254740993e15; do
    refused "a seed that would become another: $seed" "--seed is \"$seed\", expected a whole number from 0 to 9007199254740992" problems wall --seed $seed
done
impact problems wall --seed 9007199254740992
[ $status = 0 ] && grep -q 'wall-9007199254740992-0' out
verdict 'the largest' $?
refused 'a seed below 0' '--seed is "-1", expected a whole number from 0 to 9007199254740992' problems wall --seed -1
refused 'an output that cannot be' 'no/such/folder' problems wall -o no/such/folder/x.json
echo "1..$count"
