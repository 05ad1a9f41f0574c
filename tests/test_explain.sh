#!/bin/sh
# impact solve --explain: what it says agrees with what solve, enumerate and --facts say to programs.
. "$(dirname "$0")/program.sh"
tested=solve
"$program" problems several -n 1 --seed 1 -o several.tsv
# a sphere that slides, one that bounces and sticks, one that leaves, one that hits far faster than it slides
{
    echo 'id mu W11 W12 W13 W22 W23 W33 q1 q2 q3 e'
    echo 'slides 0.3 1 0 0 3.5 0 3.5 -1 -5 3 0'
    echo 'bounces 0.3 1 0 0 3.5 0 3.5 -1 0.1 0 0.5'
    echo 'leaves 0.3 1 0 0 3.5 0 3.5 1 0.1 0 0.5'
    echo 'creeps 1e-11 1 0 0 1 0 1 -1e10 1 0 0'
} | tr ' ' '\t' > one.tsv
says() { # NAME TEXT: a line of the explanation
    grep -qxF -e "$2" out
    verdict "$1" $?
}

# FCLIB files hold no restitution at all
impact convert several.tsv several.hdf5 && impact solve --model coulomb --explain several.hdf5
[ $status = 0 ] && grep -q '^  contact .* e 0$' out && grep -q '^  solutions  3 ' out
verdict 'an FCLIB file of one contact is explained' $?
impact solve --model coulomb --choice middle --explain several.tsv
[ $status = 0 ] && [ ! -s err ] && [ "$(grep -c '^problem ' out)" = 1 ]
verdict 'one of several solutions is explained' $?
sed -n 's/^             \([a-z]*\)  *\(-[0-9.]*\) J.*/\1 \2/p' out > listed
"$program" enumerate several.tsv | tail -n +2 | awk -F '\t' '{ printf "%s %.9g\n", $4, $11 }' | cmp -s - listed
verdict 'the solutions are those of enumerate' $?
[ "$(grep -c '(the answer)$' out)" = 1 ] && [ "$(sed -n '/(the answer)$/=' out)" = "$(($(sed -n '/^  solutions/=' out) + 2))" ]
verdict 'the answer is the middle one' $?
says 'their number' "  solutions  3 of Coulomb's law, proven to be all"
impact solve --model maxdiss --explain several.tsv
answer=$(sed -n 's/.*p = \(.*\) N s (the answer)$/\1/p' out)
[ "$answer" ] && [ "$answer" = "$(sed -n 's/^  impulse    p = \(.*\) N s$/\1/p' out)" ]
verdict 'maximum dissipation is the one of them that was found' $?
cat > nothing.py << 'END'
import json, sys
for line in sys.stdin:
    print(json.dumps({"p": [0] * len(json.loads(line)["q"])}), flush=True)
END
echo '{"W": [[2, 0, 0], [0, 3, 0], [0, 0, 3]], "q": [-1, 0.1, 0], "mu": 0.9}' > stick.json
for law in maxdiss coulomb; do
    impact solve --exec 'python3 nothing.py' --law $law --explain stick.json
    [ $status = 1 ] && grep -q 'stick  *-0.25166' out && ! grep -q '(the answer)' out
    verdict "a wrong answer from outside is none of them: $law" $?
    says 'what it leaves' '  contact    approaches without an impulse, mu 0.9, e 0'
done
echo 'while read -r line; do echo nonsense; done' > garbled
impact solve --exec 'sh garbled' --law coulomb --explain stick.json
[ $status = 1 ]
says 'what was wrong with what it said' "  fault      bad answer: its line:1:8: invalid token near 'nonsense', expected JSON"

impact solve --model maxdiss --explain one.tsv
[ $status = 0 ] && [ "$(grep -c '^problem ' out)" = 4 ]
verdict 'every problem of a table' $?
says 'the leaf' '  model      maxdiss: ok, leaf slide-ellipse'
says 'a contact that slides' '  contact    slides, mu 0.3, e 0'
says 'one that slides slowly beside its approach' '  contact    slides, mu 1e-11, e 0'
says 'one that sticks' '  contact    sticks, mu 0.3, e 0.5'
says 'one that opens' '  contact    opens, or touches without an impulse, mu 0.3, e 0.5'
says 'the impulse' '  impulse    p = 1 0.257247878 -0.154348727 N s'
says 'no count of solutions with restitution' '  solutions  not counted: they are of one contact without restitution'
says 'W' '  W          3 rows, rank 3, condition 3.5, asymmetry 0.0e+00'

"$program" problems pile --seed 1 -o pile.json
impact solve --model auto --facts pile.json
cp out facts
impact solve --model auto --explain pile.json
rank=$(sed 's/.*"rank":\([0-9]*\).*/\1/' facts) rows=$(sed 's/.*"rows":\([0-9]*\).*/\1/' facts)
grep -q "^  W          $rows rows, rank $rank, condition " out
verdict 'rank of W as by --facts' $?
sed -n 's/^  contacts   \([0-9]*\) without an impulse, \([0-9]*\) stick, \([0-9]*\) slide/\1 \2 \3/p' out |
    awk -v rows="$rows" '{ exit !(3 * ($1 + $2 + $3) == rows) }'
verdict 'every contact is counted' $?
energy=$(sed 's/.*"energy":\(-[0-9.e+-]*\).*/\1/' facts)
says 'the energy' "  energy     $(awk -v e="$energy" 'BEGIN { printf "%.9g", e }') J"

printf '{"W": [[1,0,0],[0,1,0],[0,0,1]], "q": [-1,-2,0], "mu": [0.5], "e": 0.5}' > bounce.json
impact solve --model plus --set theta_max=0.3 --explain bounce.json
[ $status = 0 ] && grep -q 'plus: ok' out
verdict 'a setting counts' $?
impact solve --model anitescu --set max_pivots=1 --explain pile.json
[ $status = 1 ] && grep -q '^  model      anitescu: ' out && ! grep -q '^  model      anitescu: ok' out
verdict 'an answer that is none: exit 1' $?
# contacts 2 and 0 are two walls that close on a body; 1 is of another
cat > walls.json << 'END'
{"n": 3, "W": [[1,0,0,0,0,0,-1,0,0], [0,1,0,0,0,0,0,1,0], [0,0,1,0,0,0,0,0,-1],
               [0,0,0,1,0,0,0,0,0], [0,0,0,0,1,0,0,0,0], [0,0,0,0,0,1,0,0,0],
               [-1,0,0,0,0,0,1,0,0], [0,1,0,0,0,0,0,1,0], [0,0,-1,0,0,0,0,0,1]],
 "q": [-1,0.1,0, -1,0,0, -1,0.1,0], "mu": [0.5, 0.5, 0.5]}
END
impact solve --model plus --explain walls.json
says 'the contacts that exclude an answer' \
    '  excluded   by contacts 0, 2: impulses along their normals that move nothing do work on their approaches'
sed 's/-1,0.1,0\], "mu"/2,0.1,0], "mu"/' walls.json > open.json
impact solve --model plus --explain open.json
[ $status = 0 ] && ! grep -q '^  excluded' out
verdict 'and none where one goes away faster' $?
sed 's/-1,0.1,0\], "mu"/1,0.1,0], "e": 0.5, "mu"/' walls.json > bounce.json
impact solve --model moreau --explain bounce.json
[ $status = 1 ] && grep -q 'moreau: no-solution' out && grep -q '^  excluded   by contacts 0, 2: .* do work on what Moreau' out
verdict 'those that exclude what Moreau asks of a restitution' $?
impact solve --model anitescu --explain walls.json
grep -q 'anitescu: not-converged' out && grep -q '^  excluded   by contacts 0, 2: ' out
verdict 'and where a model did not converge' $?
# a cradle of three balls: nothing sticks or slides where there is no friction
cat > cradle.json << 'END'
{"n": 2, "q": [-1,0,0, 0,0,0], "mu": 0, "e": 1, "blocks": [[0,0,[2,0,0,0,2,0,0,0,2]], [0,1,[-1,0,0,0,-1,0,0,0,-1]], [1,1,[2,0,0,0,2,0,0,0,2]]]}
END
impact solve --model lzb --explain cradle.json
says 'contacts without friction' '  contacts   0 without an impulse, 2 without friction, 0 stick, 0 slide'
# 23 contacts push a body to one side, the last to the other
awk 'BEGIN {
    n = 24
    printf "{\"n\": %d, \"W\": [", n
    for (i = 0; i < 3 * n; i++) {
        printf "%s[", i ? "," : ""
        for (j = 0; j < 3 * n; j++)
            printf "%s%d", j ? "," : "", i % 3 || j % 3 ? i == j : (i == 3 * n - 3) == (j == 3 * n - 3) ? 1 : -1
        printf "]"
    }
    printf "], \"q\": [-1,0,0"
    for (i = 1; i < n; i++) printf ",-1,0,0"
    printf "], \"mu\": 0}\n"
}' > press.json
impact solve --model plus --explain press.json
grep -q '^  excluded   by contacts 0, 1, .*, 9 and 14 more: ' out
verdict 'as many as fit a line' $?
for more in '"gap": 0.1|viscous friction or gaps' '"mu_v": 0.1|viscous friction or gaps' '"e": 0, "gap": 0.1|viscous friction or gaps' \
    '"e": 0.5|restitution'; do
    echo "{\"W\": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], \"q\": [-1, 0, 0], \"mu\": 0.5, ${more%|*}}" > more.json
    "$program" solve --model coulomb --explain more.json > out
    grep -qx "  not taken  ${more#*|}" out
    verdict "why coulomb does not take ${more%|*}" $?
done
echo '{"W": [[2, 0, 0.5], [0, 2, 0], [0.5, 0, 2]], "q": [-1, 0, 1], "mu": 0.5}' > space.json
sed 's/"mu"/"e": 0.5, "mu"/' space.json > bounces.json
"$program" solve --model planar-stronge --explain bounces.json > out
grep -qx '  not taken  not planar' out
verdict 'what a model takes is no reason' $?
for more in 'lzb|friction' 'planar-stronge|not planar'; do
    "$program" solve --model ${more%|*} --explain space.json > out
    grep -qx "  not taken  ${more#*|}" out
    verdict "why ${more%|*} does not take a problem in space" $?
done
# recorded, in the plane; one of two entries that mirror each other is another number then
echo '{"W": [[2, 0.7, 0], [0.7, 3, 0], [0, 0, 3]], "q": [-1, 0.2, 0], "mu": 0.3}' > flat.json
"$program" convert flat.json flat.hdf5
perl -0777 -pe 's/\Q${\pack "d<", 0.7}/pack "d<", 0.6/e' flat.hdf5 > crooked.hdf5
for model in maxdiss planar-stronge; do
    "$program" solve --model $model --explain crooked.hdf5 > out
    grep -qx '  not taken  a W that is asymmetric or indefinite' out
    verdict "why $model does not take an asymmetric W" $?
done
# touching and separating, of which the test of eccentricity says nothing
for q in -1 0 1; do
    echo '{"W": [[2, 0.5, 0], [0.5, 3, 0], [0, 0, 4]], "q": ['"$q"', 2, 1], "mu": 0.3}' > q.json
    "$program" enumerate q.json | grep -o '"unique":[a-z]*' > unique
    impact solve --model coulomb --explain q.json
    where=$([ $q = -1 ] || echo ' where q_n < 0')
    grep -qx "  eccentricity 0.075 of the friction conic; below [0-9.]* one solution is certain$where" out &&
        [ "$(cat unique)" = "\"unique\":$([ $q = -1 ] && echo true || echo false)" ]
    verdict "when one solution is certain, q_n = $q" $?
done
# one contact without restitution of which coulomb speaks not
echo '{"W": [[2, 0, 0], [0, 3, 0], [0, 0, 0]], "q": [-1, 1, 0], "mu": 0.5}' > held.json
impact solve --model auto --explain held.json
says 'why no solutions are counted where W has no full rank' \
    '  solutions  not counted: directions that do not move (W has no full rank)'
says 'W of less than full rank' '  W          3 rows, rank 2, condition 1.5, asymmetry 0.0e+00'
echo '{"W": [[2, 0, 0], [0, 3, 0], [0, 0, 1]], "q": [-1, 1, 0], "mu": 0.5, "gap": 0.1}' > near.json
impact solve --model drumwright --explain near.json
says 'nor beside a gap' '  solutions  not counted: viscous friction or gaps'
sed 's/"gap": 0.1/"gap": -0.1, "e": 0.5/; s/"mu": 0.5/"mu": 0/' near.json > deep.json
for model in frictionless drumwright; do
    impact solve --model $model --explain deep.json
    says "why $model is not certified beside an overlap" '  not judged restitution beside overlaps'
    impact solve --model $model --path deep.json
    grep -q '"status":"not-certified","reason":"restitution beside overlaps"' out
    verdict 'which solve says, too' $?
    cp out deep.answer
    "$program" check --model $model deep.json deep.answer > out 2> err
    grep -q '"status":"not-judged","reason":"restitution beside overlaps"' out
    verdict '  and check' $?
done
echo '{"W": [[0, 0, 0], [0, 0, 0], [0, 0, 0]], "q": [1, 0, 0], "mu": 0.5}' > still.json
impact solve --model auto --explain still.json
says 'no condition of rank 0' '  W          3 rows, rank 0, asymmetry 0.0e+00'
refused 'beside --path' 'expected it without' --model coulomb --explain --path one.tsv
refused 'as JSON' 'expected another suffix than .json' --model coulomb --explain -o x.json one.tsv
echo '{"W": 1}' > bad.json
refused 'what is no problem' 'bad.json' --model coulomb --explain bad.json
echo "1..$count"
