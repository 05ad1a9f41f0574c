#!/bin/sh
# Problems given by G of W = G'G: the impact of a linkage, whose joints leave one direction, from compare through solve and
# check; several contacts beside the same W; to and from other forms; a solver of one's own, which is given W; refusals.
. "$(dirname "$0")/program.sh"
tested=

# What compare writes of a linkage is what it solves
"$program" compare --model auto --problems linkage.json --impulses impulses.tsv "$root/benchmarks/scenes/four-bar.json" > table.tsv
[ "$(grep -o '"G"' linkage.json | wc -l)" = 2 ] && ! grep -q '"W"' linkage.json
verdict 'compare --problems: G, of one row, for a contact that moves in one direction' $?
impact solve --model auto -o solved.json linkage.json
[ $status = 0 ] && [ "$(grep -o '"status":"ok"' solved.json | wc -l)" = 2 ]
verdict 'it is solved' $?
awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["model"] == "auto" { print $at["p1"] + 0, $at["p3"] + 0 }' \
    impulses.tsv > theirs
sed 's/.*"p":\[\([^]]*\)\].*/\1/' solved.json | awk -F , '{ print $1 + 0, $3 + 0 }' | cmp -s - theirs && [ -s theirs ]
verdict 'with the impulses that compare has' $?
judges 'and accepted' 0 --model auto linkage.json solved.json
sed 's/"p":\[[0-9]/"p":[9/' solved.json > turned.json
judges 'another impulse is not' 1 --model auto linkage.json turned.json
impact enumerate linkage.json
[ $status = 1 ] && [ "$(grep -o '"status":"unsupported"' out | wc -l)" = 2 ] && grep -q ': unsupported: restitution, expected' err
verdict 'enumerate: unsupported, all solutions of a singular W' $?
impact solve --model maxdiss linkage.json
[ $status = 1 ] && grep -q '"status":"unsupported","p":null' out
verdict 'a model that needs all three directions: unsupported' $?

# Through the other forms
for to in json jsonl; do
    "$program" convert linkage.json there.$to && "$program" convert there.$to - --to jsonl > out &&
        sed 's/^\[//; s/},$/}/; s/]$//' linkage.json | cmp -s - out
    verdict "to $to and back: the same digits" $?
done
refused 'to a table, which holds no singular W' 'has a singular W, expected a definite one' convert linkage.json there.tsv
[ ! -e there.tsv ]
verdict 'and nothing is written' $?
sed -n '1{s/^\[//; s/"e":\[[^]]*\]/"e":[0]/; s/},$/}/p}' linkage.json > plain.json
"$program" convert plain.json plain.hdf5 && "$program" solve --model auto -o solved.hdf5 plain.hdf5 &&
    "$program" check --model auto plain.hdf5 solved.hdf5 2> err > out
verdict 'to FCLIB, solved and judged there' $?

# And back, where W is all that FCLIB has: G by rows of Cholesky's, the sign of which is free
"$program" convert plain.hdf5 back.json && [ "$(grep -o '"G":\[\[[^]]*\]\]' back.json | tr -d -)" = \
    "$(grep -o '"G":\[\[[^]]*\]\]' plain.json | tr -d -)" ]
verdict 'from FCLIB: G again' $?
cat > planes.json << 'END'
{"G": [[1, 0.5, 0], [0.25, 2, 0]], "q": [-1, 0.25, 0], "mu": 0.25}
END
"$program" convert planes.json planes.hdf5 && "$program" convert planes.hdf5 back.json &&
    "$program" solve --model auto -o solved.json planes.json
judges 'of two rows: an answer to the one is one to the other' 0 --model auto back.json solved.json
refused 'nor from FCLIB to a table' 'has a singular W, expected a definite one' convert plain.hdf5 there.tsv

# Joints hold two directions of a contact still, but for what a projection rounds below 0
row() { echo "{\"W\": [[2, $2, 0, 1, 0, 0], [$2, $1, 0, 0, $2, 0], [0, 0, 3, 0, 0, 0],
 [1, 0, 0, 2, 0, 0], [0, $2, 0, 0, 2, 0], [0, 0, 0, 0, 0, 2]], \"q\": [-1, 0, 1, -1, 1, 0], \"mu\": 0.3}"; }
row 0 0 > held.json
row -1e-15 1e-16 > rounded.json
"$program" solve --model auto held.json > held.out && "$program" solve --model auto rounded.json > out
cmp -s held.out out
verdict 'a direction that rounding leaves below 0 is still' $?
row -1e-8 0 > rounded.json
refused 'not one of more than 1e-10 of the trace' 'W is not positive semidefinite at contact 0' solve --model auto rounded.json

# A solver of one's own is given W
cat > own.sh << 'END'
while read -r problem; do
    printf '%s\n' "$problem" > given
    echo '{"id": "1", "p": [0, 0, 0]}'
done
END
impact solve --exec 'sh own.sh' --law coulomb-bounce plain.json
[ $status = 1 ] && grep -q '"W":\[\[' given && ! grep -q '"G"' given && grep -q '"status":"not-certified"' out
verdict 'a solver of its own: W, and its answer is judged' $?

# Two contacts by G, and by the W that it makes, in numbers that are exact
cat > two.json << 'END'
{"G": [[1, 0.5, 0, 0.25, 0, 0], [0, 1, 0, 0, 0.5, 0], [0.25, 0, 1, 1, 0, 0], [0.5, 0, 0, 0, 1, 0.5]],
 "q": [-1, 0.25, 0, -0.5, 0.125, 0], "mu": 0.25}
END
cat > same.json << 'END'
{"W": [[1.3125, 0.5, 0.25, 0.5, 0.5, 0.25], [0.5, 1.25, 0, 0.125, 0.5, 0], [0.25, 0, 1, 1, 0, 0],
       [0.5, 0.125, 1, 1.0625, 0, 0], [0.5, 0.5, 0, 0, 1.25, 0.5], [0.25, 0, 0, 0, 0.5, 0.25]],
 "q": [-1, 0.25, 0, -0.5, 0.125, 0], "mu": 0.25}
END
"$program" convert two.json two.jsonl && "$program" convert same.json same.jsonl && cmp -s two.jsonl same.jsonl
verdict 'two contacts: W is the product' $?
for model in auto moreau plus; do
    "$program" solve --model $model -o by-G.json two.json && "$program" solve --model $model -o by-W.json same.json
    verdict "$model solves both" $?
    judges "the answer to W is one to G" 0 --model $model two.json by-W.json
    judges "the answer to G is one to W" 0 --model $model same.json by-G.json
done
{ cat plain.json && cat same.jsonl && tr -d '\n' < two.json && echo && cat plain.json && cat same.jsonl; } > mixed.jsonl
impact solve --model auto mixed.jsonl
[ $status = 0 ] && [ "$(grep -o '"status":"ok"' out | wc -l)" = 5 ]
verdict 'one form after another in one file' $?

# One contact by W alone, singular: as by the G whose product it is, whichever model is asked
echo '{"G": [[1, 1, 0], [0, 0, 1]], "q": [-1, 2, 0], "mu": 0.3}' > product.json
echo '{"W": [[1, 1, 0], [1, 1, 0], [0, 0, 1]], "q": [-1, 2, 0], "mu": 0.3}' > dense.json
echo '{"blocks": [[0, 0, [1, 1, 0, 1, 1, 0, 0, 0, 1]]], "q": [-1, 2, 0], "mu": 0.3}' > block.json
for model in $("$program" models | sed 1d | cut -f1); do
    "$program" solve --model $model product.json > by-G.json
    for form in dense block; do
        "$program" solve --model $model $form.json > by-W.json && good=0 || good=$?
        [ $good -lt 2 ] && cmp -s by-G.json by-W.json
        verdict "$model: $form" $?
    done
done
impact solve --model moreau -o solved.json dense.json
[ $status = 0 ] && grep -q '"status":"ok"' solved.json
verdict 'moreau takes it' $?
judges 'and its answer is one to the product' 0 --model auto product.json solved.json
judges 'and to W' 0 --model auto dense.json solved.json
"$program" convert dense.json root.jsonl && "$program" convert root.jsonl - --to json | grep -q '"G"'
verdict 'which is what it is converted to' $?
# An eigenvalue below 0 by rounding, and beyond, in several units
for scale in 1 1e-200 1e200 5e307; do
    for below in 1e-13 1e-11 1e-9; do
        awk "BEGIN { s = $scale; printf \"{\\\"W\\\": [[%.17g, %.17g, 0], [%.17g, %.17g, 0], [0, 0, %.17g]], \\\"q\\\": [-1, 2, 0], \\\"mu\\\": 0.3}\\n\",
            s, s, s, s * (1 - $below), s }" > below.json
        impact solve --model auto below.json
        case $below in 1e-9) [ $status = 2 ] && grep -q 'W is not positive semidefinite' err ;; *) [ $status != 2 ] && ! grep -qi nan out ;; esac
        verdict "W times $scale, a direction of -$below: $status" $?
    done
done

# Two directions whose W rounding makes definite, closing by more than these move, with more friction
# than lets them: what holds that is 1e16 N s, all of whose velocities are rounding
cat > rounded.json << 'END'
{"W": [[0.24862902121298983, 1.2734900010932022, -0.18615571627338559],
       [1.2734900010932022, 6.5307414229441338, -0.8739349228985529],
       [-0.18615571627338559, -0.8739349228985529, 0.94442708210448933]],
 "q": [-0.71045392483774328, 1.3728811383602217, -0.72421643807878611], "mu": 0.82657940685379083}
END
for model in maxdiss coulomb plus auto moreau gauss-seidel-coulomb gauss-seidel-maxdiss sequential anitescu; do
    impact solve --model $model rounded.json
    [ $status = 1 ] && grep -q '"status":"no' out
    verdict "$model: not ok by rounding, $(grep -o '"status":"[a-z-]*"' out)" $?
done

# No G
no() {
    printf '%s\n' "$3" > no.json
    refused "$1" "no.json: $2" solve --model auto no.json
}
rest='"q": [-1, 0, 0], "mu": 0.3}'
no 'a short row' '$.G[1]: an array of 2, expected an array of 3' "{\"G\": [[1, 0, 0], [0, 1]], $rest"
no 'a row that is none' '$.G[0]: 1, expected an array of 3' "{\"G\": [1, 0, 0], $rest"
no 'no array' '$.G: an object, expected an array' "{\"G\": {}, $rest"
no 'text for a number' '$.G[0][0]: "NaN", expected a number' "{\"G\": [[\"NaN\", 0, 0]], $rest"
no 'null for a number' '$.G[0][2]: null, expected a number' "{\"G\": [[1, 0, null]], $rest"
no 'a product that overflows' '$: W or q is beyond 1.8e308' "{\"G\": [[1e200, 0, 0]], $rest"
no 'another number of contacts' '$.n: 2, expected 1, the number of contacts' "{\"n\": 2, \"G\": [[1, 0, 0]], $rest"
awk 'BEGIN { printf "{\"mu\": 1, \"q\": [0"; for (i = 1; i < 60000; i++) printf ",0"
    printf "], \"G\": [[]"; for (i = 1; i < 60000; i++) printf ",[]"; print "]}" }' > no.json
refused 'rows that would take far more room than the file' '$.G[0]: an array of 0, expected an array of 60000' solve --model auto no.json
no 'G beside W' '$.G: stands beside "W", expected one of' "{\"W\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], \"G\": [[1, 0, 0]], $rest"
no 'G beside bodies' '$.bodies: stands beside "G", expected one of' '{"G": [[1, 0, 0]], "bodies": [], "contacts": []}'
no 'G without q' '$.q: missing, expected an array' '{"G": [[1, 0, 0]], "mu": 0.3}'
for G in '[]' '[[0, 0, 0]]' '[[1e-200, 0, 0]]' '[[0, 1, 0]]'; do
    printf '{"G": %s, %s\n' "$G" "$rest" > still.json
    impact solve --model auto still.json
    [ $status = 1 ] && grep -q '"status":"no-solution"' out && [ ! -s err ]
    verdict "G $G, whose normal nothing moves: there is none" $?
done
echo "1..$count"
