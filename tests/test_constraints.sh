#!/bin/sh
# The program on bodies under constraints: linkages, rows of one's own, what is answered beside p, what check makes of it,
# and what is refused.
. "$(dirname "$0")/program.sh"
. "$root/tests/linkage.sh"

joints=$(pins)
parallelogram "$joints" 0.5 > linkage.json

# p_n = (1 + e) 8/3 against a tip at 1 m/s; whatever friction adds changes nothing
for model in plus single-phase poisson newton; do
    impact solve --model $model linkage.json
    [ $status = 0 ] && near p 4 0 0 && near u 0.5 0 0 && near velocities 0.25 0 0
    verdict "a linkage against a stop: $model" $?
done
parallelogram "$joints" 0 > plastic.json
for model in auto drumwright gauss-seidel-coulomb moreau anitescu sequential; do
    impact solve --model $model plastic.json
    [ $status = 0 ] && near p 2.6666666666666665 && near u 0 0 0
    verdict "the same without restitution: $model" $?
done
grep -q '"constraints":{"rank":17,' out
verdict 'of 20 rows 17 are independent' $?
[ "$(numbers lambda | awk '{ print NF }')" -ge 20 ]
verdict 'an impulse for each row' $?
for model in maxdiss coulomb darboux-stronge; do
    impact solve --model $model plastic.json
    [ $status = 1 ] && grep -q '"status":"unsupported"' out
    verdict "$model needs a contact with three directions" $?
done
impact enumerate plastic.json
[ $status -lt 2 ] && grep -q '"status":"unsupported"' out
verdict 'and so does enumerate' $?

# one joint alone leaves a rocker and a free tip
parallelogram "$(revolute ground rocker 2,0), {\"joint\": \"ball\", \"a\": \"crank\", \"b\": \"coupler\", \"point\": [0, 1, 0]}" 0.5 > loose.json
parallelogram '{"terms": [{"body": "rocker", "velocity": [0, 1, 0], "spin": [0, 0, 0.5]}, {"body": 0, "spin": [0, 0, 1]}], "rate": 1.5}' 0.5 > row.json
while read -r model file; do
    impact solve --model $model -o answer.json $file.json
    [ $status = 0 ]
    verdict "$model solves $file.json" $?
    judges "and check takes its answer" 0 --model $model $file.json answer.json
done << END
plus loose
auto loose
plus row
auto row
maxdiss row
darboux-stronge row
END

# A body of 1e6 kg and one of a gramme, welded to the ground: the body that hangs from them moves as from the ground.
cat > uneven.json << 'END'
{"bodies": [{"mass": 1e-3, "inertia": [4e-4, 4e-4, 4e-4], "position": [0.1, -0.7, 0.3], "velocity": [0.2, -0.4, 0.9], "spin": [0.3, 0.1, -0.8]},
            {"mass": 1e6, "inertia": [4e5, 4e5, 4e5], "position": [-0.6, 0.2, 0.5], "velocity": [-0.3, 0.7, 0.1], "spin": [0.9, -0.2, 0.6]},
            {"mass": 1, "inertia": [0.4, 0.4, 0.4], "position": [0.8, 0.4, -0.9], "velocity": [0.5, -0.1, -0.7], "spin": [-0.4, 0.6, 0.2]}],
 "constraints": [{"joint": "weld", "a": 0, "b": 1, "point": [0.3, 0.9, -0.2]}, {"joint": "ball", "a": 1, "b": 2, "point": [-0.7, 0.1, 0.6]},
                 {"joint": "weld", "a": "ground", "b": 0, "point": [0.4, -0.5, 0.7]}],
 "contacts": [{"a": "ground", "b": 2, "point": [0, 0, 0], "normal": [0, 0, 1], "mu": 0.3}]}
END
cat > held.json << 'END'
{"bodies": [{"mass": 1, "inertia": [0.4, 0.4, 0.4], "position": [0.8, 0.4, -0.9], "velocity": [0.5, -0.1, -0.7], "spin": [-0.4, 0.6, 0.2]}],
 "constraints": [{"joint": "ball", "a": "ground", "b": 0, "point": [-0.7, 0.1, 0.6]}],
 "contacts": [{"a": "ground", "b": 0, "point": [0, 0, 0], "normal": [0, 0, 1], "mu": 0.3}]}
END
impact solve --model auto held.json
sed 's/.*"p":\[\([0-9.e-]*\),.*/\1/' out > alone
impact solve --model auto uneven.json
[ $status = 0 ] && sed 's/.*"p":\[\([0-9.e-]*\),.*/\1/' out | paste - alone | awk '{ exit !($1 > 0 && ($1 - $2) ^ 2 <= (1e-12 * $2) ^ 2) }'
verdict 'a body that hangs from others of masses 1e9 apart, which are held' $?
# Hinges hold the first contact, to which nothing but rounding of friction at the second gets through.
cat > still.json << 'END'
{"bodies": [{"mass": 2, "inertia": [0.25, 0.25, 0.25], "position": [1, 0, 1], "velocity": [0, 0, -1]},
            {"mass": 2, "inertia": [0.5, 0.5, 0.5], "position": [3, 0, 1], "velocity": [0, 0, -2]}],
 "constraints": [{"joint": "revolute", "a": "ground", "b": 0, "point": [0, 0, 1], "axis": [0, 0, 1]},
                 {"joint": "ball", "a": 0, "b": 1, "point": [2, 0, 1]}],
 "contacts": [{"a": "ground", "b": 0, "point": [2, 0, 0], "normal": [0, 0, 1], "mu": 1},
              {"a": "ground", "b": 1, "point": [3, 0, 0], "normal": [0, 0, 1], "mu": 1}]}
END
impact solve --model drumwright still.json
[ $status = 0 ]
verdict 'friction that is rounding slides nowhere' $?
# A rod of 5e-7 kg between the ground and 1e7 kg: rounding of what it weighs hides how fast these go on.
cat > far.json << 'END'
{"bodies": [{"mass": 5e-7, "inertia": [5e-7, 5e-7, 5e-7], "position": [0.43, 0.65, 0.07], "velocity": [-0.7, 0.62, -0.47], "spin": [-0.8, -0.34, -1.5]},
            {"mass": 1e7, "inertia": [1e7, 1e7, 1e7], "position": [1.5, 0.41, 1.3], "velocity": [-0.47, 0.43, 1.1], "spin": [1, -1.8, -0.14]}],
 "constraints": [{"joint": "ball", "a": 0, "b": 1, "point": [1.05, 0.78, 1.07]}, {"joint": "ball", "a": "ground", "b": 0, "point": [0.74, 0.04, 1.42]}],
 "contacts": [{"a": 1, "b": 0, "point": [0.11, 0.33, -0.15], "normal": [0, 1, 0], "mu": 0.3}]}
END
impact solve --model auto far.json
[ $status = 1 ] && grep -Eq '"status":"not-certified".*"reason":"bodies and contacts move apart by [0-9.]+e-[0-9]+, up to 1e-09 is ok"' out
verdict 'what constraints are missed by is the reason why an answer is not certified' $?
missed=$(sed -n 's/.*apart by \([^,]*\),.*/\1/p' out)
impact solve --model auto --explain far.json
[ $status = 1 ] && grep -qx "  reason     bodies and contacts move apart by $missed, up to 1e-09 is ok" out &&
    grep -qx "  missed     of constraints: velocity [0-9.e+-]*, momentum [0-9.e+-]*" out
verdict 'and so it is explained' $?
impact solve --model auto --explain plastic.json
[ $status = 0 ] && grep -q '^  missed     of constraints: velocity ' out && ! grep -q '^  reason' out
verdict 'one that keeps them has none' $?
impact solve --model plus -o answer.json linkage.json
judges 'the answer of a linkage' 0 --model plus linkage.json answer.json
refused 'a verdict on it that cannot be written, without totals' 'No space left on device' check --model plus -o /dev/full linkage.json answer.json
sed 's/"lambda":\[[^,]*,/"lambda":[0.125,/' answer.json > wrong.json
judges 'another impulse of a joint is rejected' 1 --model plus linkage.json wrong.json
grep -q '"the impulses of its constraints do not balance the momentum"' out
verdict 'with the reason' $?
sed 's/"lambda":\[[^,]*,/"lambda":[/' answer.json > short.json
refused 'too few impulses of rows' '19 in lambda for problem "0", expected 20' check --model plus linkage.json short.json

# velocities, of 3 bodies, beside p
sed 's/"velocities":\[\[[^,]*,/"velocities":[[0.251,/' answer.json > moved.json
judges 'another velocity of a body is rejected' 1 --model plus linkage.json moved.json
grep -q '"its velocities do not keep the constraints"' out
verdict 'as the joints are not kept' $?
sed 's/"lambda":\[[^]]*\],//; s/"velocities":\[\[[^]]*\],\[[^]]*\],\[[^]]*\]\]/"velocities":[[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0]]/' \
    answer.json > still.json
judges 'velocities that keep the joints, of other impulses' 1 --model plus linkage.json still.json
grep -q '"its velocities are not those that its impulses give"' out && ! grep -q lambda still.json
verdict 'are named' $?
sed 's/"velocities":\[\[[^]]*\],/"velocities":[/' answer.json > two.json
refused 'velocities of two of three bodies' '2 velocities for problem "0", expected 3, one for each body' check --model plus linkage.json two.json
sed 's/"velocities":\[\[[^,]*,/"velocities":[[/' answer.json > five.json
refused 'five numbers of a body' '$.velocities[0]: an array of 5, expected an array of 6 numbers' check --model plus linkage.json five.json
echo '{"W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [-1, 0, 0], "mu": 0, "p": [1, 0, 0], "velocities": [[0, 0, 0, 0, 0, 0]]}' > free.json
refused 'velocities where nothing is constrained' 'velocities for problem "0", which has no "constraints"' check --model auto free.json
sed 's/"constraints": .*/"constraints": []}/' linkage.json > loose.json
impact solve --model plus -o answer.json loose.json
judges 'the answer of bodies under no constraints' 0 --model plus loose.json answer.json
sed 's/"lambda":\[\]/"lambda":[1]/' answer.json > one.json
refused 'impulses of rows that are none' '1 in lambda for problem "0", expected 0' check --model plus loose.json one.json
impact solve --model plus -o answer.json linkage.json
# the answer beside the problem itself, in one line
beside() { tr -d '\n' < linkage.json | sed 's/}$/, /'; sed 's/.*\("p":\[[^]]*\]\).*\("lambda":\[[^]]*\],"velocities":.*\),"constraints".*/\1,\2}/' "$1"; }
beside answer.json > one.json
judges 'lambda and velocities may stand beside p in a problem' 0 --model plus one.json
for plant in wrong moved still; do
    [ $plant = still ] && sed 's/"velocities"/"lambda":[],&/' still.json | sed 's/"lambda":\[\]/'"$(grep -o '"lambda":\[[^]]*\]' answer.json)"'/' > still2.json
    beside $( [ $plant = still ] && echo still2.json || echo $plant.json) > one.json
    judges "and are judged there: $plant.json" 1 --model plus one.json
done
impact solve --model plus one.json
[ $status = 0 ] && "$program" solve --model plus linkage.json | cmp -s out -
verdict 'solve reads such a problem, and answers as without them' $?

mkdir kept
impact solve --model maxdiss --dump-failed kept linkage.json
[ $status = 1 ] && "$program" solve --model plus kept/maxdiss-0.json > again 2> err && sed 's/.*"p"/"p"/' again > p && sed 's/.*"p"/"p"/' answer.json | cmp -s - p
verdict 'a dump keeps bodies and constraints' $?

# Slow is not rounding beside what is fast elsewhere, or would be by itself. takes NAME P FILE: the push of the only contact
takes() {
    impact solve --model auto "$3"
    [ $status = 0 ] && sed 's/.*"p":\[\([^,]*\),.*/\1/' out | awk -v want="$2" '{ d = $1 / want - 1; exit !(d < 1e-6 && -d < 1e-6) }'
    verdict "$1" $?
}
contact='"contacts": [{"a": "ground", "b": %d, "point": [0, 0, %s], "normal": [0, 0, 1], "mu": 0, "e": 0}]'
body() { printf '{"mass": %s, "inertia": [%s], "position": [0, 0, %s], "velocity": [%s]}' "$@"; }
term() { printf '{"body": %d, "velocity": [%d, 0, 0]}' "$@"; }
printf "{\"bodies\": [$(body 1 '0.1, 0.1, 5e-13' 0 '1, 0, -3e-8')], $contact, \"constraints\": [{\"terms\": [$(term 0 1)]}]}" 0 -0.5 > needle.json
takes 'a needle that closes by 3e-8 of what a row stops' 3e-8 needle.json
printf "{\"bodies\": [$(body 1e13 '1, 1, 1' 0 '1, 0, 0'), $(body 1e-13 '1, 1, 1' 1 '0, 0, -1')], $contact, \"constraints\": [
    {\"terms\": [$(term 0 1)]}, {\"terms\": [$(term 0 1), $(term 1 -1)]}]}" 1 0.5 > light.json
takes 'a light body beside a heavy one that a row stops' 1e-13 light.json
printf "{\"bodies\": [$(body 1 '1, 1, 1' 0 '0, 0, -1'), $(body 1e-14 '1e-14, 1e-14, 1e-14' -1 '0, 0, -1')], $contact, \"constraints\": [
    {\"joint\": \"weld\", \"a\": 0, \"b\": 1, \"point\": [0, 0, -0.5]},
    {\"joint\": \"slider\", \"a\": \"ground\", \"b\": 1, \"point\": [0, 0, -1], \"axis\": [0, 0, 1], \"friction\": 0.3}]}" 1 -1.5 > tip.json
takes 'a light tip of a heavy body, on a slider that rubs' 0.7 tip.json

tested=solve
# rejected NAME CONSTRAINT TEXT
rejected() {
    parallelogram "$2" 0 > bad.json
    refused "$1" "$3" --model auto bad.json
}
rejected 'no kind of constraint' '{"a": "ground"}' '$.constraints[0]: an object, expected either "joint" or "terms" in it'
rejected 'another joint' '{"joint": "hinge", "a": 0, "b": 1}' '$.constraints[0].joint: "hinge", expected ball, revolute, slider or weld'
rejected 'a joint of one body' '{"joint": "ball", "a": 1, "b": "coupler", "point": [0, 0, 0]}' '$.constraints[0].b: "coupler", expected another body than "a"'
rejected 'no axis' '{"joint": "slider", "a": 0, "b": 1, "point": [0, 0, 0]}' '$.constraints[0].axis: missing'
rejected 'an axis of no direction' '{"joint": "slider", "a": 0, "b": 1, "point": [0, 0, 0], "axis": [0, 0, 0]}' '$.constraints[0].axis: [0, 0, 0], expected a direction'
rejected 'an axis of a weld' '{"joint": "weld", "a": 0, "b": 1, "point": [0, 0, 0], "axis": [0, 0, 1]}' '$.constraints[0].axis: a weld has none'
rejected 'no point' '{"joint": "ball", "a": 0, "b": 1}' '$.constraints[0].point: missing'
rejected 'a row without terms' '{"terms": []}' '$.constraints[0].terms: an array of 0, expected at least one term'
rejected 'a term of the ground' '{"terms": [{"body": "ground", "spin": [1, 0, 0]}]}' '$.constraints[0].terms[0].body: "ground", expected a body, not the ground'
rejected 'a term of nothing' '{"terms": [{"body": 0}]}' '$.constraints[0].terms[0]: an object, expected "velocity" or "spin" in it'
rejected 'an unknown key' '{"terms": [{"body": 0, "spn": [1, 0, 0]}]}' '$.constraints[0].terms[0].spn: unknown key'
weld='{"joint": "weld", "a": "ground", "b": "crank", "point": [0, 0, 0]}'
rejected 'rows that contradict' "$weld, {\"terms\": [{\"body\": 0, \"spin\": [0, 0, 1]}], \"rate\": 1}" ': contradicts the others, expected velocities that keep all'
rejected 'rows that are almost the same' '{"terms": [{"body": 0, "spin": [0, 0, 1]}]}, {"terms": [{"body": 0, "spin": [0, 1e-10, 1]}]}' ': almost follows from the others'
echo '{"W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [-1, 0, 0], "mu": 0, "constraints": []}' > bad.json
refused 'constraints without bodies' '$.constraints: stands without "bodies", expected both' --model auto bad.json
echo "1..$count"
