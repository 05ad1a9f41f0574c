#!/bin/sh
# impact convert between every two forms: JSON, JSON lines, a table, FCLIB; the numbers come back bit for bit, and what a
# form cannot hold is refused.
. "$(dirname "$0")/program.sh"
tested=convert
"$program" problems free-box-1 -n 1 --seed 1 | sed '/^#/d; s/\(.*\)\t[^\t]*/\1\t0/; 1s/\t0$/\te/' > one.table.tsv
"$program" convert one.table.tsv one.json && "$program" convert one.table.tsv one.jsonl && "$program" convert one.json one.hdf5
verdict 'a table becomes JSON, lines and FCLIB' $?
numbers() { tail -n +2 "$1" | cut -f2-11; }
for from in json jsonl hdf5; do
    impact convert one.$from $from.tsv
    [ $status = 0 ] && [ "$(numbers $from.tsv)" = "$(numbers one.table.tsv)" ]
    verdict "$from becomes a table, bit for bit" $?
done
for from in table.tsv json jsonl hdf5; do
    for to in json jsonl tsv hdf5; do
        impact convert one.$from there.$to
        mine=$("$program" solve --model coulomb one.$from 2> err | "$program" solve --model coulomb there.$to > out)
        [ $status = 0 ] && [ -s out ] && [ -z "$mine" ]
        verdict "$from to $to: can be solved" $?
        "$program" convert there.$to again.tsv 2> err
        [ "$(numbers again.tsv)" = "$(numbers one.table.tsv)" ]
        verdict "$from to $to: and is the same problem" $?
    done
done

# several, with restitution; bodies stay bodies; accelerations
"$program" problems several -n 3 --seed 1 -o three.tsv
"$program" convert three.tsv three.json && "$program" convert three.json three.jsonl && "$program" convert three.jsonl back.tsv
[ "$(wc -l < three.jsonl)" = 3 ] && [ "$(head -c 1 three.json)" = '[' ] && grep -v '^#' three.tsv | cmp -s - back.tsv
verdict 'three problems there and back, ids too' $?
cat > bodies.json << 'END'
{"bodies": [{"name": "brick", "mass": 2, "inertia": [0.1, 0.2, 0.25], "position": [0, 0, 0.5], "velocity": [1, 0, -1]}],
 "contacts": [{"a": "ground", "b": "brick", "point": [0.1, 0.2, 0], "normal": [0, 0, 1], "mu": 0.3}]}
END
"$program" convert bodies.json bodies.jsonl && grep -q '"bodies"' bodies.jsonl && "$program" convert bodies.jsonl brick.tsv
"$program" solve --model coulomb brick.tsv | tail -1 | cut -f3-5 > out
"$program" solve --model coulomb bodies.jsonl | sed 's/.*"p":\[\([^]]*\).*/\1/; s/,/\t/g' | awk '{ printf "%.17g\t%.17g\t%.17g\n", $1, $2, $3 }' |
    cmp -s - out
verdict 'bodies stay bodies in JSON, and become W in a table' $?
sed 's/"mu": 0.3}\]/&, "settings": {"choice": 1}, "p": [9, 0, 0], "lambda": [], "velocities": [], "joint_friction": []/' \
    bodies.json > answered.json
"$program" convert answered.json plain.jsonl && grep -q '"p": \[9' answered.json && cmp -s plain.jsonl bodies.jsonl
verdict 'settings and an answer beside bodies are left out' $?
"$program" convert three.tsv - --to jsonl < /dev/null | "$program" convert - - --to table | cmp -s - back.tsv
verdict 'through standard input and output' $?
{ head -1 back.tsv | tr -d '\n' && printf '\tb1\tb2\tb3\n' && sed -n 2p back.tsv | tr -d '\n' && printf '\t-9.75\t0.5\t0\n'; } > b.tsv
"$program" convert b.tsv b.json && "$program" convert b.json b2.tsv && cmp -s b.tsv b2.tsv
verdict 'accelerations stay' $?
echo '{"id": "x", "W": [[2, 0, 0], [0, 3, 0], [0, 0, 4]], "q": [-1, 5, 0.25], "mu": 0.5, "e": 0, "kappa": 2}' > bound.json
"$program" convert bound.json bound.jsonl && grep -q '"kappa":2' bound.jsonl
verdict 'a bound on the impulses stays' $?
sed 's/"mu": 0.3}\]/&, "kappa": 2/' bodies.json > bound-bodies.json
"$program" convert bound-bodies.json bound.jsonl && grep -q '"kappa": *2' bound.jsonl
verdict 'beside bodies, too' $?
for to in bound.tsv bound.hdf5; do
    refused "and is refused where it cannot: $to" 'has kappa, expected none' bound.json $to
done

# a table of a table: its columns and no others, in their order; all of it or nothing
tail -n +2 back.tsv | awk -F '\t' -v OFS='\t' 'BEGIN { print "note", "e", "q3", "q2", "q1", "W33", "W23", "W22", "W13", "W12", "W11", "mu", "id" }
    { print "# a remark\n"; printf "none"; for (k = NF; k >= 1; k--) printf "\t%s", $k; print "" }' > shuffled.tsv
"$program" convert shuffled.tsv table.tsv && cmp -s back.tsv table.tsv
verdict 'a table of other columns, with remarks, to one of its own' $?
awk -F '\t' -v OFS='\t' 'NR == 4 { $3 = "-1" } 1' back.tsv > indefinite.tsv
echo kept > other.tsv
refused 'a table whose last row is no problem' 'indefinite.tsv:4:' indefinite.tsv other.tsv
[ "$(cat other.tsv)" = kept ]
verdict 'and leaves the output as it was' $?
refused 'a table onto itself' 'is also the input' back.tsv ./back.tsv
"$program" problems wall --seed 1 -o wall.json
refused 'several contacts in a table' 'has several contacts' wall.json wall.tsv
refused 'several problems in FCLIB' 'expected one problem' three.json three.hdf5
head -2 b.tsv > accelerated.tsv
refused 'an acceleration in FCLIB' 'has b, expected none' accelerated.tsv accelerated.hdf5
echo '{"W": [[2, 0, 0], [0, 3, 0], [0, 0, 3]], "q": [-1, 2, 0], "mu": 0.3, "guess": [0.5, 0, 0]}' > guess.json
refused 'a guess in a table' 'has a guess, expected none' guess.json guess.tsv
"$program" convert guess.json guess.hdf5 && "$program" convert guess.hdf5 - --to json < /dev/null | grep -q '"guess":\[0.5,0.0,0.0\]'
verdict 'which FCLIB holds' $?
sed "s/{/{\"id\": \"$(printf '%2000s' '' | tr ' ' x)\", /" guess.json > long.json
"$program" convert long.json long.hdf5 && "$program" convert long.hdf5 - --to json < /dev/null | grep -q '"x\{2000\}"'
verdict 'and an id of any length' $?
"$program" enumerate long.hdf5 2> /dev/null | grep -q '"id":"x\{2000\}"'
verdict 'which is that of its answers, too' $?
{ head -1 back.tsv | sed 's/$/\tgap/' && sed -n 2p back.tsv | sed 's/$/\t1/'; } > gap.tsv
refused 'a column that changes the problem and is not read' 'gap.tsv:1:' gap.tsv gap.json
grep -q 'column gap, expected none' err
verdict 'by its name' $?
echo '{"id": "", "W": [[2, 0, 0], [0, 3, 0], [0, 0, 3]], "q": [-1, 2, 0], "mu": 0.3}' > nameless.json
refused 'an empty id in a table, whose rows have one' 'has an empty id' nameless.json nameless.tsv
{ head -1 back.tsv && sed -n 2p back.tsv | sed "s/^[^\t]*/caf$(printf '\351')/"; } > latin.tsv
refused 'an id in JSON that is not UTF-8' 'has an id that is not UTF-8' latin.tsv latin.json
"$program" convert latin.tsv latin2.tsv && cmp -s latin.tsv latin2.tsv
verdict 'which a table holds' $?
# so many contacts that W is not looked at as a whole; one of two entries that mirror each other is another number then
awk 'BEGIN { printf "{\"mu\": 0.3, \"blocks\": [[0, 1, [0.7,0,0, 0,0,0, 0,0,0]]"
    for (i = 0; i < 1001; i++) { printf ", [%d, %d, [2,0,0, 0,3,0, 0,0,3]]", i, i; q = q (i ? ", " : "") "-1, 0, 0" }
    printf "], \"q\": [%s]}\n", q }' > many.json
"$program" convert many.json many.hdf5 && "$program" convert many.hdf5 again.json
verdict 'many contacts, symmetric' $?
perl -0777 -pe 's/\Q${\pack "d<", 0.7}/pack "d<", 0.6/e' many.hdf5 > crooked.hdf5
refused 'many contacts, asymmetric' 'W is asymmetric (5.0e-02 relative)' crooked.hdf5 crooked.json
echo '[]' > none.json
refused 'no problem' 'none.json: no problem' none.json none.jsonl
refused 'a word that is no form' 'says no format' --to xml three.json -
[ ! -e wall.tsv ] && [ ! -e three.hdf5 ] && [ ! -e none.jsonl ] && [ ! -e accelerated.hdf5 ] && [ ! -e guess.tsv ]
verdict 'what is refused writes nothing' $?
"$program" convert three.json three.JSON && "$program" convert three.json three.Tsv && cmp -s three.json three.JSON &&
    head -1 three.Tsv | grep -q "^id$tab"
verdict 'capitals in a suffix are the same suffix' $?
refused 'a word of --to is no suffix' '"three.table" says no format' three.json three.table
echo "1..$count"
