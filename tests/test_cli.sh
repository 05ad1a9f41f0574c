#!/bin/sh
# The program `impact`: what it answers, what it refuses and how, in both formats; exit statuses; outputs whole or not
# at all; a million rows in constant memory; files damaged at random; dumps replayed.
. "$(dirname "$0")/program.sh"
manual=$root/cli/impact.1

skip() {
    count=$((count + 1))
    echo "ok $count # SKIP $1"
}

# ends NAME STATUS ARGUMENTS: the exit status, and nothing on standard error
ends() {
    name=$1 want=$2
    shift 2
    impact "$@"
    [ $status = "$want" ] && [ ! -s err ]
    verdict "$name" $?
}

# says NAME TEXT: standard output holds the text
says() {
    grep -qF -e "$2" out
    verdict "$1" $?
}

# heads NAME COLUMN...: the first line of standard output is these columns
heads() {
    name=$1
    shift
    [ "$(head -1 out)" = "$(echo "$@" | tr ' ' '\t')" ]
    verdict "$name" $?
}

header="id${tab}mu${tab}W11${tab}W12${tab}W13${tab}W22${tab}W23${tab}W33${tab}q1${tab}q2${tab}q3"
# row ID MU W11 ... q3
row() {
    printf '%s' "$1"
    shift
    printf '\t%s' "$@"
    printf '\n'
}
good="0.5 2 0.5 -0.25 3 0.75 4 -4 -0.1 -0.2"   # sticks
slides="0.3 1 0 0 3.5 0 3.5 -1 -5 3"           # a sphere, sliding

{ echo '# two contacts'; echo "$header"; row stick $good; row slide $slides; row open 0.5 2 0 0 3 0 4 1 0 0; } > p.tsv
cat > p.json << 'END'
{"W": [[2, 0.5, -0.25], [0.5, 3, 0.75], [-0.25, 0.75, 4]], "q": [-4, -0.1, -0.2], "mu": [0.5], "e": [0]}
END
cat > many.json << 'END'
[{"id": "pair", "n": 2, "blocks": [[0, 0, [2,0,0, 0,3,0, 0,0,3]], [1, 1, [2,0,0, 0,3,0, 0,0,3]],
  [0, 1, [0.1,0,0, 0,0.2,0, 0,0,0]]], "q": [-1, 0.5, 0, -1, 0, 0.5], "mu": 0.3},
 {"bodies": [{"name": "brick", "mass": 2, "inertia": [0.1, 0.2, 0.25], "position": [0, 0, 0.5], "velocity": [1, 0, -1]}],
  "contacts": [{"a": "ground", "b": "brick", "point": [0.1, 0, 0], "normal": [0, 0, 1], "mu": 0.4}]}]
END

# Help
ends 'impact --help' 0 --help
says 'names the commands' enumerate
ends 'impact --version' 0 --version
says 'is a version' 'impact '
for command in models solve enumerate check; do
    ends "$command --help" 0 $command --help
    says 'shows its use' "usage: impact $command"
done
ends 'solve --help with a model' 0 solve --model coulomb --help
says 'lists its settings' 'choice'
impact solve --help
says 'without a model lists them' maxdiss
ends models 0 models
heads 'models: the columns' name law takes citation
says 'models: coulomb judged by its law' "coulomb${tab}coulomb${tab}"

# Tables
ends 'solve a table' 0 solve --model maxdiss p.tsv
heads 'the columns' id status p1 p2 p3 u1 u2 u3 energy residual
says 'a sticking contact is solved' "stick${tab}ok${tab}2.12819767441860"
says 'an opening one has no impulse' "open${tab}ok${tab}0${tab}0${tab}0${tab}1${tab}0${tab}0${tab}0${tab}0"
[ "$(cut -f1 out | tr '\n' ' ')" = 'id stick slide open ' ]
verdict 'in input order' $?
awk -F '\t' 'NR == 3 { p = sqrt($4^2 + $5^2); bad = (p - 0.3)^2 > 1e-28 || ($3 - 1)^2 > 1e-28 || $4 < 0 || $5 > 0 }
    END { exit bad || NR != 4 }' out
verdict 'the sliding sphere is at the cone, against its slip' $?
cp out want
ends 'a pipe' 0 solve --model maxdiss - < p.tsv
cat p.tsv | "$program" solve --model maxdiss - > out 2> err && cmp -s out want
verdict 'a pipe gives the same bits' $?
awk -F '\t' -v OFS='\t' '/^#/ { print; next } { for (i = NF; i > 0; i--) printf "%s\t", $i; printf "note\r\n" }' p.tsv > turned
ends 'columns turned round, one more, CRLF' 0 solve --model maxdiss turned
cmp -s out want
verdict 'the same bits' $?
ends 'solve -o' 0 solve --model maxdiss -o written p.tsv
cmp -s written want && [ ! -s out ]
verdict 'writes the same to the file' $?
printf '%s\n' "$header" > none.tsv
ends 'a table without rows' 0 solve --model maxdiss none.tsv
[ "$(wc -l < out)" = 1 ]
verdict 'has an answer without rows' $?
{ printf '%s\te\n' "$header"; row a $good 0; row b $good 0.5; } > e.tsv
ends 'a problem a model does not take' 1 solve --model coulomb e.tsv
says 'is unsupported, with empty fields' "b${tab}unsupported${tab}${tab}${tab}${tab}${tab}${tab}${tab}${tab}"
says 'the other one is solved' "a${tab}ok${tab}2.128"

# JSON
ends 'solve a JSON problem' 0 solve --model maxdiss p.json
says 'one object' '{"model":"maxdiss","status":"ok","p":[2.12819767441860'
says 'with residuals by name' '"stationarity":'
says 'the first of them' '"residuals":{"signorini":'
ends 'a list of one' 0 solve --model maxdiss - << END
[$(cat p.json)]
END
[ "$(head -c 2 out)" = '[{' ] && [ "$(tail -c 3 out)" = '}]' ]
verdict 'is answered by a list' $?
ends 'an empty list' 0 solve --model maxdiss - << END
[]
END
[ "$(cat out)" = '[]' ]
verdict 'is answered by an empty list' $?
ends 'several contacts and bodies' 0 solve --model anitescu many.json
says 'the id is repeated' '{"id":"pair","model":"anitescu","status":"ok","p":['
mv out many.answer
judges 'check several contacts' 0 --model anitescu many.json many.answer
ends 'one contact from bodies' 1 solve --model maxdiss many.json
says 'several contacts are too many for maxdiss' '"status":"unsupported","p":null,"u":null,"energy":null,"residual":null'

# enumerate
{ echo "$header"; row table1 3.7 0.8619907007924331 0.06948554307697678 0.22119513085718578 0.7683445489547382 \
    0.01792102975013237 0.06139517081676399 -0.05993709905167472 0.7353535391811253 0.04650501662254124; } > three.tsv
ends 'enumerate' 0 enumerate three.tsv
heads 'the columns of enumerate' id count index kind p1 p2 p3 u1 u2 u3 energy
[ "$(grep -c "^table1${tab}3${tab}[012]${tab}slip" out)" = 3 ] && awk -F '\t' 'NR > 2 && $11 < last { exit 1 } { last = $11 }' out
verdict 'three slips by rising energy' $?
"$program" solve --model coulomb three.tsv | cut -f3-5 > most
sed -n 2p out | cut -f5-7 > first
[ "$(sed -n 2p most)" = "$(cat first)" ]
verdict 'the first is what coulomb chooses' $?
ends 'enumerate JSON' 0 enumerate p.json
says 'JSON has the proof' '"proven":true'
impact enumerate e.tsv
[ $status = 1 ] && grep -q "^b${tab}0${tab}0${tab}unsupported" out && [ "$(wc -l < err)" = 1 ]
verdict 'restitution cannot be enumerated' $?

# enumerate --forces: A = 15 - 3 mu along (3, 4)
forces() { # ID MU V_N B_N
    row "$1" "$2" 15 3 4 200 0 200 "$3" 3 4 | tr -d '\n'
    printf '\t%s\t0.5\t0\n' "$4"
}
{
    printf '%s\tb1\tb2\tb3\n' "$header"
    forces slides 1 0 -10
    forces none 4 0 -10
    forces two 4 0 10
    forces ray 3 0 0
    forces hits 1 -1 0
    forces leaves 1 1 0
} > forces.tsv
ends 'enumerate --forces' 0 enumerate --forces forces.tsv
heads 'its columns' id count index status follows kind motion f1 f2 f3 a1 a2 a3 power residual
says 'one force against the slip' "slides${tab}1${tab}0${tab}ok${tab}slides-on${tab}slip${tab}slides-on${tab}1${tab}-0.59999999999999998${tab}-0.8"
says 'Painleve' "none${tab}0${tab}0${tab}ok${tab}impact-without-collision${tab}${tab}${tab}${tab}"
says 'two forces' "two${tab}2${tab}1${tab}ok${tab}undetermined${tab}zero${tab}separates${tab}0"
says 'a ray' "ray${tab}2${tab}0${tab}ok${tab}undetermined${tab}ray${tab}slides-on${tab}1${tab}-1.7999999999999998"
says 'a collision' "hits${tab}0${tab}0${tab}ok${tab}collides${tab}"
says 'a separation' "leaves${tab}1${tab}0${tab}ok${tab}separates${tab}zero${tab}separates${tab}0"
awk -F '\t' 'NR > 1 && $2 > 0 && !($15 != "" && $15 <= 1e-15) { exit 1 }' out
verdict 'each with its certificate' $?
cp out from-file
"$program" enumerate --forces - < forces.tsv | cmp -s - from-file
verdict 'the same from a pipe' $?
echo '{"W": [[15, 3, 4], [3, 200, 0], [4, 0, 200]], "q": [0, 3, 4], "mu": 1, "b": [-10, 0.5, 0]}' > force.json
ends 'enumerate --forces JSON' 0 enumerate --forces force.json
says 'what follows, with proof' '"status":"ok","follows":"slides-on","count":1,"proven":true,"A":10.0'
says 'its residuals' '"residuals":{"signorini":'
ends 'b stands beside a problem for solve' 0 solve --model maxdiss force.json
refused 'a table without b' 'problem "stick" has no b, expected the acceleration' enumerate --forces p.tsv
refused 'JSON without b' 'has no b, expected the acceleration' enumerate --forces p.json
refused 'without b, from a pipe' 'has no b, expected the acceleration' enumerate --forces - < p.tsv
echo "[$(cat force.json), $(cat p.json)]" > bad.json
refused 'the second of a list without b' 'problem "1" has no b, expected the acceleration' enumerate --forces bad.json
cut -f 1-13 forces.tsv > bad.tsv
refused 'two of three columns' 'bad.tsv:1:43: 2 of the columns b1, b2 and b3, expected all or none' enumerate --forces bad.tsv
sed '3s/0.5.0$/0.5m\t0/' forces.tsv > bad.tsv
refused 'b2 is no number' 'bad.tsv:3:35: b2 is "0.5m", expected a decimal number' enumerate --forces bad.tsv
sed 's/-10, 0.5, 0/-10, 0.5/' force.json > bad.json
refused 'b too short' '$.b: an array of 2, expected an array of 3' enumerate --forces bad.json
{ printf '%s\te\tb1\tb2\tb3\n' "$header"; forces e 1 0 -10 | sed "s/${tab}-10${tab}/${tab}0.5&/"; } > restitution.tsv
impact enumerate --forces restitution.tsv
[ $status = 0 ] && [ ! -s err ] && grep -q "^e${tab}1${tab}0${tab}ok${tab}slides-on${tab}slip${tab}slides-on${tab}1${tab}-0.59999999999999998${tab}-0.8" out
verdict 'restitution has no part in forces' $?

# check
"$program" solve --model maxdiss p.tsv > a.tsv
judges 'check what solve wrote' 0 --model maxdiss p.tsv a.tsv
heads 'its columns' id status residual worst contact reason signorini restitution cone pressure stationarity energy
grep -q '^impact: 3 accepted, 0 rejected, 0 not judged, 0 unsolved; ' err
verdict 'its totals' $?
awk -v OFS="$tab" 'NR > 1 { $3 = $4 = $5 = 1e308 } 1' FS="$tab" a.tsv > beyond.tsv
judges 'impulses whose velocities overflow' 1 --model maxdiss p.tsv beyond.tsv
grep -q '^impact: 0 accepted, 3 rejected, 0 not judged, 0 unsolved; worst residual inf$' err && grep -q 'its velocities overflow' out
verdict 'have no residual that would be a small one' $?
{ printf 'p2\tid\tp3\tp1\n'; printf '0\topen\t0\t0\n'; printf '%s\n' "0.257${tab}slide${tab}-0.154${tab}1" \
    "-0.38517441860465118${tab}stick${tab}0.25523255813953488${tab}2.1281976744186047"; } > s.tsv
impact check --model maxdiss p.tsv s.tsv
[ $status = 1 ] && grep -q "^stick${tab}ok" out && grep -q "^slide${tab}rejected" out && grep -q "^open${tab}ok" out
verdict 'rows matched by id; the rounded one is rejected' $?
judges 'and accepted at its own accuracy' 0 --model maxdiss --tol 1e-2 p.tsv s.tsv
"$program" problems loose -n 6 --seed 5 -o loose.json && "$program" solve --model springs -o sprung.json loose.json 2> err
judges 'what solve calls ok is accepted' 0 --model springs loose.json sprung.json
judges 'and held to less where that is asked' 1 --model springs --tol 1e-13 loose.json sprung.json
echo '{"W": [[2, -1, 0], [-1, 3, 0.5], [0, 0.5, 4]], "q": [-1, 2, 1], "mu": 0.5, "settings": {"solver": "golden-section"}}' > golden.json
"$program" solve --model maxdiss -o searched.json golden.json
judges 'so it is by settings that stand in the file' 0 --model maxdiss golden.json searched.json
judges 'which the command line changes' 1 --model maxdiss --set solver=analytic golden.json searched.json
# of a problem whose answer rounding of W decides, columns and certificate must say the same
for class in impact-spd spd-8 adversarial; do
    "$program" problems $class -n 400 --seed 5 -o drawn.tsv
    for law in stronge poisson newton; do
        "$program" solve --model darboux-$law -o columns.tsv drawn.tsv
        "$program" check --model darboux-$law drawn.tsv columns.tsv > judged.tsv 2> err
        paste columns.tsv judged.tsv | awk -F '\t' 'NR > 1 && $2 == "ok" && $12 != "ok"' > differ
        [ ! -s differ ] && grep -c "${tab}ok${tab}" columns.tsv > count
        verdict "darboux-$law, $class: a table's ok is the certificate's" $?
    done
done
"$program" solve --model coulomb e.tsv > u.tsv
impact check --model coulomb e.tsv u.tsv
[ $status = 1 ] && grep -q "^b${tab}unsolved" out
verdict 'no impulse: unsolved' $?
{ printf 'id\tp1\tp2\tp3\n'; cut -f1 e.tsv | tail -n +2 | sed "s/$/${tab}1${tab}0${tab}0/"; } > ones.tsv
impact check --model coulomb e.tsv ones.tsv
[ $status = 1 ] && grep -q "^b${tab}not-judged${tab}${tab}${tab}${tab}not taken: restitution" out &&
    grep -q ' 1 not judged' err
verdict 'a law that says nothing of a problem judges nothing' $?
"$program" enumerate three.tsv | awk -F '\t' -v OFS='\t' 'NR == 1 { print "id", "p1", "p2", "p3" } NR > 1 { print $1, $5, $6, $7 }' > each
for k in 1 2 3; do
    { sed -n 1p each; sed -n $((k + 1))p each; } > given.tsv
    judges "solution $k of three is accepted" 0 --model coulomb three.tsv given.tsv
    says 'and told from the others' "${tab}$k of 3${tab}slip"
done
printf '{"p": [%s]}' "$(sed -n 3p each | cut -f2-4 | tr '\t' ,)" > given.json
sed -n 2p three.tsv | awk -F '\t' '{ printf "{\"W\": [[%s,%s,%s],[%s,%s,%s],[%s,%s,%s]], \"q\": [%s,%s,%s], \"mu\": [%s]}",
    $3, $4, $5, $4, $6, $7, $5, $7, $8, $9, $10, $11, $2 }' > three.json
judges 'in JSON too' 0 --model coulomb three.json given.json
says 'JSON names it' '"solution":{"rank":2,"count":3,"kind":"slip"}'
# answers with their path
cat > chain.json << 'END'
[{"n": 2, "blocks": [[0, 0, [2,0.1,0, 0.1,3,0, 0,0,3]], [0, 1, [-1,0,0, 0,0.5,0, 0,0,0.5]], [1, 1, [2,0,0, 0,3,0, 0,0,3]]],
  "q": [-1, 0.5, 0.2, -0.5, 2, 0], "mu": 0.3, "e": 0.5}]
END
for model in plus single-phase newton poisson anitescu drumwright gauss-seidel-maxdiss gauss-seidel-coulomb auto; do
    ends "$model with its path" 0 solve --model $model --path -o path.json chain.json
    judges "$model: judged along its path" 0 --model $model --tol 1e-8 chain.json path.json
    "$program" solve --model $model -o bare.json chain.json
    judges "$model: and without" 0 --model $model --tol 1e-8 chain.json bare.json
    says "$model: by its distance from the library's answer" '"from-model":'
    sed 's/"p":\[[-0-9.e]*,/"p":[1000,/' bare.json > wrong.json
    judges "$model: a thousandfold push is rejected" 1 --model $model --tol 1e-8 chain.json wrong.json
    says "$model: as such" '"status":"rejected"'
done
refused 'a path with letters of its own' '$[0].path.steps[0].phase: "Q", expected 1 of the letters CXO' check --model plus p.json - << 'END'
[{"p": [0, 0, 0], "path": {"steps": [{"round": 1, "share": 1, "impulse": [0, 0, 0], "phase": "Q", "motion": "s"}]}}]
END
refused 'a path of other contacts' '$[0].path.steps[0].impulse' check --model plus p.json - << 'END'
[{"p": [0, 0, 0], "path": {"steps": [{"round": 1, "share": 1, "impulse": [0, 0], "phase": "C", "motion": "s"}]}}]
END
echo '{"p": [2.1281976744186047, -0.38517441860465118, 0.25523255813953488]}' > a.json
judges 'check JSON' 0 --model maxdiss p.json a.json
says 'status and name of the worst' '"status":"ok","residual":'
echo '{"p": [2.1281976744186047, 0.38517441860465118, 0.25523255813953488]}' > flipped.json
impact check --model maxdiss p.json flipped.json
[ $status = 1 ] && grep -q '"status":"rejected"' out
verdict 'a flipped sign is rejected' $?
judges 'a table against JSON, by position' 0 --model maxdiss p.tsv - << END
[{"p": [2.1281976744186047, -0.38517441860465118, 0.25523255813953488]},
 {"p": [1, 0.25724787771376325, -0.15434872662825795]}, {"p": [0, 0, 0]}]
END
head -3 s.tsv > less.tsv
refused 'a solution missing' 'no solution of problem "stick"' check --model maxdiss p.tsv less.tsv
{ cat a.tsv; sed -n 2p a.tsv; } > double.tsv
refused 'a solution twice' ':5:1: id "stick" stands here again' check --model maxdiss p.tsv double.tsv
{ cat a.tsv; sed -n '2s/stick/more/p' a.tsv; } > more.tsv
refused 'a solution too many' ':5:1: no problem has the id "more"' check --model maxdiss p.tsv more.tsv
{ cat p.tsv; row stick $good; } > twice.tsv
refused 'two problems of one id' 'two problems have the id "stick"' check --model maxdiss twice.tsv a.tsv
refused 'an impulse of the wrong length' '3 impulses for problem "0", expected 6' check --model anitescu - a.json << 'END'
{"n": 2, "blocks": [[0, 0, [2,0,0, 0,3,0, 0,0,3]], [1, 1, [2,0,0, 0,3,0, 0,0,3]]], "q": [1, 0, 0, 1, 0, 0], "mu": 0.3}
END
refused 'standard input twice' '- stands for both files' check --model maxdiss - -
refused 'nothing on standard input' 'standard input:1:1: the file is empty' check --model maxdiss - < /dev/null
refused 'a table without answers' 'p1' check --model maxdiss p.tsv
refused 'three files' '"p.tsv" is one argument too many' check --model maxdiss p.tsv a.tsv p.tsv
refused 'answers as output' '"a.tsv" is also the input' check --model maxdiss -o a.tsv p.tsv a.tsv
refused 'a tolerance that is none' '--tol is "1e"' check --model maxdiss --tol 1e p.tsv a.tsv
refused 'a negative tolerance' 'a number >= 0' check --model maxdiss --tol -1 p.tsv a.tsv

# A JSON object a line: problems, answers, or both of a problem in its line.
cat > lines.jsonl << 'END'
{"id": "a", "W": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], "q": [-1, 0, 0], "mu": 0.5, "p": [0.5, 0, 0]}

{"id": "b", "W": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], "q": [-1, 0, 0], "mu": 0.5, "p": [0.25, 0, 0]}
{"id": "c", "W": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], "q": [-1, 0, 0], "mu": 0.5, "p": null}
END
sed '/^$/d; s/.*\("p".*\)/{\1/' lines.jsonl > answers.jsonl
sed '/^$/d; s/, "p".*/}/' lines.jsonl > asked.jsonl
for files in lines.jsonl 'asked.jsonl answers.jsonl' 'lines.jsonl answers.jsonl'; do
    judges "judged: $files" 1 --model coulomb $files
    [ "$(grep -o '"status":"[a-z]*"' out | cut -d '"' -f4 | tr '\n' ' ')" = 'ok rejected unsolved ' ]
    verdict "judged: $files: each line" $?
done
judges 'problems and their answers on standard input' 1 --model coulomb - < lines.jsonl
cp out redirected
judges 'behind a byte order mark' 1 --model coulomb - << END
$(printf '\357\273\277')$(cat lines.jsonl)
END
cp out marked
{ read -r line; impact check --model coulomb -; } < lines.jsonl
[ "$(grep -o '"id":"."' out | tr -d '\n')" = '"id":"b""id":"c"' ]
verdict 'from where it stands' $?
cat lines.jsonl | "$program" check --model coulomb - > piped 2> err
"$program" check --model coulomb lines.jsonl > out 2> err
cmp -s redirected out && cmp -s piped out && cmp -s marked out
verdict 'as by its name, from a file or a pipe' $?
mkfifo named && { cat lines.jsonl > named & }
timeout 20 "$program" check --model coulomb named > piped 2> err
cmp -s redirected piped
verdict 'and from a named pipe, which is read once' $?
cat lines.jsonl | "$program" check --model coulomb /dev/stdin > piped 2> err
cmp -s redirected piped
verdict 'or one that has a name without being one' $?
head -1 lines.jsonl > one.jsonl
judges 'one line' 0 --model coulomb one.jsonl
ends 'solve lines' 0 solve --model coulomb - < asked.jsonl
[ "$(tr -d '\n' < out | cut -c1)$(grep -c '"p":\[0.5,' out)" = '[3' ]
verdict 'lines are answered by a list' $?
sed '4s/"p"/"p:/' lines.jsonl > bad.jsonl
refused 'a fault in the fourth line' 'bad.jsonl:4:' solve --model coulomb bad.jsonl
sed '1h; 1d; 2G' answers.jsonl | sed 's/{"p": \[0.25/{"id": "b", "p": [0.25/; s/{"p": \[0.5/{"id": "a", "p": [0.5/' > swapped.jsonl
refused 'answers in another order, by their ids' 'swapped.jsonl: $[0].id: "b", expected "a", the problem'"'"'s' check --model coulomb asked.jsonl swapped.jsonl
sed 's/"id": "[abc]", //' asked.jsonl > nameless.jsonl
judges 'ids beside problems that have none' 1 --model coulomb nameless.jsonl swapped.jsonl
refused 'a key that no answer has' '$.pth: unknown key (did you mean "path"?), expected p, path,' check --model coulomb one.jsonl - << 'END'
{"p":[0.5,-0.15,0],"pth":3,"status":"banana","model":"foo","foo":1}
END
impact solve --model coulomb --facts --path -o whole.json one.jsonl
[ $status = 0 ] && complained 'impact: warning: --path: no answer has one: coulomb finds impulses of such problems without'
verdict 'solve, with all that it says, and that it has no path' $?
judges 'what solve says beside p' 0 --model coulomb one.jsonl whole.json
"$program" check --model coulomb --facts -o verdict.json one.jsonl 2> /dev/null
refused 'a verdict as an answer' 'verdict.json: $.p: missing' check --model coulomb one.jsonl verdict.json
"$program" enumerate -o all.json one.jsonl
refused 'a list of answers as one' 'all.json: $.p: missing' check --model coulomb one.jsonl all.json
sed 's/}$/, "b": [-9, 0, 0]}/' one.jsonl > pressed.json
"$program" enumerate --forces -o forces.json pressed.json
refused 'forces as an answer' 'forces.json: $.p: missing' check --model coulomb one.jsonl forces.json
for p in '[1]' '[1, 2, "3"]' 1; do
    sed "s/\"p\": .*/\"p\": $p}/" one.jsonl > short.json
    for command in solve 'check'; do
        refused "$command: p that is none: $p" 'short.json: $.p' $command --model coulomb short.json
    done
done
refused 'a line without its answer' 'asked.jsonl: $[0].p: missing' check --model coulomb asked.jsonl

# Bad use
refused 'no command' 'expected models, solve, enumerate, check, convert, compare, simulate, sweep, flow, ranks, problems, replay, audit, race or completion'
refused 'unknown command' 'unknown command "slove" (did you mean "solve"?), expected' slove p.tsv
refused 'no model' 'expected --model NAME' solve p.tsv
refused 'unknown model' 'unknown model "maxdis" (did you mean "maxdiss"?), expected one of ' solve --model maxdis p.tsv
refused 'no file' '0 files given' solve --model maxdiss
refused 'two files' '"q.tsv" is one argument too many' solve --model maxdiss p.tsv q.tsv
refused 'unknown option' 'unknown option "--fast"' solve --model maxdiss --fast p.tsv
refused 'option without value' 'option "--model" without its value' solve --model
refused 'unknown setting' '$.speed: unknown setting of coulomb, expected choice' solve --model coulomb --set speed=1 none.tsv
sed 's/"mu"/"mu_v": 0.1, "kappa": 1e-3, "p": [0, 0, 0], "mu"/' p.json > drag.json
for command in solve 'solve --explain' check; do
    # shellcheck disable=SC2086
    refused "$command: mu_v of a problem and of --set" 'problem "0": has mu_v of its own beside --set mu_v=0.3' \
        $command --model drumwright --set mu_v=0.3 drag.json
done
ends 'a kappa too small' 1 solve --model drumwright drag.json
says 'has no solution' '"status":"no-solution"'
ends 'that of the command line goes before it' 0 solve --model drumwright --set kappa=10 drag.json
refused 'unknown choice' '$.choice: "worst", expected' solve --model coulomb --choice worst p.tsv
refused 'not a folder' 'expected a folder' solve --model maxdiss --dump-failed p.tsv p.tsv
refused 'unwritable output' 'cannot be written' solve --model maxdiss -o none/where p.tsv
refused 'a directory' 'is a directory, expected a file' solve --model maxdiss .
refused 'a missing file' 'missing.tsv: cannot be opened' solve --model maxdiss missing.tsv
if [ "$(id -u)" = 0 ]; then
    skip 'unreadable file: root reads everything'
else
    : > locked && chmod 0 locked
    refused 'an unreadable file' 'cannot be opened' solve --model maxdiss locked
fi

# bad_row NAME TEXT VALUES: a table whose second row has these values
bad_row() {
    { echo "$header"; row a $good; row b $3; } > bad.tsv
    refused "$1" "bad.tsv:3:$2" solve --model maxdiss bad.tsv
    refused "$1, enumerated" "bad.tsv:3:$2" enumerate bad.tsv
    refused "$1, from a pipe" "standard input:3:$2" solve --model maxdiss - < bad.tsv
}
bad_row 'NaN' '3: mu is "nan", expected a decimal number' 'nan 2 0.5 -0.25 3 0.75 4 -4 -0.1 -0.2'
bad_row 'Inf' '7: W11 is "-inf", expected a decimal number' '0.5 -inf 0.5 -0.25 3 0.75 4 -4 -0.1 -0.2'
bad_row 'hexadecimal' '7: W11 is "0x2", expected a decimal number' '0.5 0x2 0.5 -0.25 3 0.75 4 -4 -0.1 -0.2'
bad_row 'out of range' '7: W11 is "2e308", expected a number below' '0.5 2e308 0.5 -0.25 3 0.75 4 -4 -0.1 -0.2'
bad_row 'not positive definite' '7: W is not positive definite' '0.5 2 3 -0.25 3 0.75 4 -4 -0.1 -0.2'
bad_row 'negative mu' '3: mu is "-0.5", expected a number >= 0' '-0.5 2 0.5 -0.25 3 0.75 4 -4 -0.1 -0.2'
bad_row 'ragged, short' '31: fewer than 11 fields' '0.5 2 0.5 -0.25 3 0.75 4 -4 -0.1'
bad_row 'ragged, long' '41: more than 11 fields' "$good 7"
bad_row 'trailing junk' '36: q3 is "-0.2m", expected a decimal number' "${good}m"
sed '2s/.W13//' p.tsv > bad.tsv
refused 'a column missing' 'bad.tsv:2:1: no column W13' solve --model maxdiss bad.tsv
sed '2s/W13/W12/' p.tsv > bad.tsv
refused 'a column twice' 'bad.tsv:2:15: column W12 stands here again' solve --model maxdiss bad.tsv
: > empty
refused 'an empty file' 'empty:1:1: the file is empty, expected a table, a JSON problem or an FCLIB file' solve --model maxdiss empty
refused 'nothing on a pipe' 'standard input:1:1: the file is empty' solve --model maxdiss - < empty
printf 'null\n' > null.json
refused 'null, which is JSON' 'null.json: $: null, expected an object' solve --model maxdiss null.json
printf null > null.json
refused 'and as an answer' 'null.json: $: null, expected an answer' check --model maxdiss p.tsv null.json
refused 'an empty solution' 'empty:1:1: the file is empty, expected a table, JSON answers or an FCLIB file' check --model maxdiss p.tsv empty
printf 'id\tmu\0' > binary
refused 'a binary file' 'binary:1:6: byte 0x00, expected text' solve --model maxdiss binary
printf '\357\273\277{"W": [[2,0,0],[0,3,0],[0,0,3]], "q": [-1,0,0], "mu": 0.3}' > marked.json
impact solve --model maxdiss marked.json
[ $status = 0 ] && grep -q '"status":"ok"' out
verdict 'a byte order mark is passed over' $?
refused 'a program' 'expected a table, a JSON problem or an FCLIB file' solve --model maxdiss "$program"
printf '\211HDF\r\n\032\n' > hdf5
refused 'HDF5' 'damaged, expected an HDF5 file' solve --model maxdiss hdf5
{ cat p.tsv; printf 'b\0\n'; } > bad.tsv
refused 'a byte that is no text' 'bad.tsv:6:2: byte 0x00, expected text' solve --model maxdiss bad.tsv

# bad_json NAME TEXT JSON
bad_json() {
    printf '%s' "$3" > bad.json
    refused "$1" "bad.json:$2" solve --model maxdiss bad.json
    refused "$1, enumerated" "bad.json:$2" enumerate bad.json
}
one='"q": [-1, 0, 0], "mu": 0.5'
bad_json 'truncated JSON' '1:' '{"W": [[2, 0, 0], [0, 2'
bad_json 'JSON with more behind it' '1:5: end of file expected' '[]  []'
bad_json 'NaN in JSON' '1:' '{"W": [[NaN, 0, 0], [0, 2, 0], [0, 0, 2]], '"$one}"
bad_json 'out of range in JSON' '1:' '{"W": [[1e999, 0, 0], [0, 2, 0], [0, 0, 2]], '"$one}"
bad_json 'a key twice' '1:' '{"mu": 1, "mu": 1}'
bad_json 'a wrong type' ' $[1].W[2][1]: "x", expected a number' \
    '['"$(cat p.json)"', {"W": [[2, 0, 0], [0, 2, 0], [0, "x", 2]], '"$one}]"
bad_json 'a wrong length' ' $.W[1]: an array of 2, expected an array of 3' '{"W": [[2, 0, 0], [0, 2], [0, 0, 2]], '"$one}"
bad_json 'an unknown key' ' $.Q: unknown key (did you mean "q"?), expected kind' '{"W": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], "Q": 1, '"$one}"
bad_json 'W not symmetric' ' $.W[1][0]: 0, expected 1 as in W[0][1]' '{"W": [[2, 1, 0], [0, 2, 0], [0, 0, 2]], '"$one}"
bad_json 'W not positive semidefinite in JSON' ' $: W is not positive semidefinite' '{"W": [[2, 3, 0], [3, 2, 0], [0, 0, 2]], '"$one}"
bad_json 'negative mu in JSON' ' $.mu[0]: -1, expected a number >= 0' \
    '{"W": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], "q": [1, 0, 0], "mu": [-1]}'
bad_json 'an unknown setting' ' $.settings.speed: unknown setting' \
    '{"W": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], "settings": {"speed": 1}, '"$one}"
bad_json 'not a problem' ' $[0]: 7, expected an object' '[7]'
bad_json 'a missing body' ' $.contacts[0].b: "brick", expected the name' \
    '{"bodies": [], "contacts": [{"a": "ground", "b": "brick"}]}'
awk 'BEGIN { for (i = 0; i < 300000; i++) printf "[" }' > deep.json
refused 'deep nesting' 'maximum parsing depth' solve --model maxdiss deep.json
printf '{"n": 1000000000, "blocks": [], "q": [1, 0, 0], "mu": 0}' > bad.json
refused 'a size that is not there' '$.blocks: no block [0, 0]' solve --model maxdiss bad.json

# Outputs whole or not at all
echo before > target
refused 'a fault leaves the target' 'mu is "nan"' solve --model maxdiss -o target - << END
$header
$(row b nan 2 0 0 3 0 4 -1 0 0)
END
[ "$(cat target)" = before ] && [ "$(ls | grep -c part)" = 0 ]
verdict 'as it was, and nothing beside it' $?
if [ -w /dev/full ]; then
    "$program" solve --model maxdiss p.tsv > /dev/full 2> err
    [ $? = 2 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'standard output: cannot be written: No space left' err
    verdict 'a full disk' $?
    "$program" --help > /dev/full 2> err
    [ $? = 2 ] && [ "$(wc -l < err)" = 1 ]
    verdict 'a full disk for --help' $?
else
    skip 'no /dev/full'
    skip 'no /dev/full'
fi
"$program" solve --model maxdiss p.tsv >&- 2> err
[ $? = 2 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'standard output: cannot be written' err
verdict 'no standard output' $?
cat p.tsv | "$program" solve --model maxdiss - 2> err >&-
[ $? = 2 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'standard output: cannot be written' err
verdict 'nor where the copy of a pipe could take its place' $?
"$program" solve --model maxdiss - <&- > out 2> err
[ $? = 2 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'standard input: cannot be read: Bad file descriptor' err
verdict 'no standard input' $?
{ echo "$header"; yes "$(row a $good)" | head -n 20000; } > long.tsv
{ "$program" solve --model maxdiss long.tsv 2> err; echo $? > code; } | head -n 1 > out
if [ "$(cat code)" = 2 ]; then grep -q 'cannot be written: Broken pipe' err; else [ "$(cat code)" = 141 ] && [ ! -s err ]; fi
verdict 'a reader that goes away: quiet, unless whoever started it ignores SIGPIPE' $?
{ (trap '' PIPE; exec "$program" solve --model maxdiss long.tsv 2> err; ); echo $? > code; } | head -n 1 > out
[ "$(cat code)" = 2 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'cannot be written: Broken pipe' err
verdict 'which makes it a failed write' $?

yes "$(row a $good)" | head -n 300000 >> long.tsv
# ended SIGNAL: sent to a process that is writing; $code is how it ended
ended() {
    "$program" solve --model maxdiss -o target long.tsv &
    pid=$!
    tries=0
    while [ $tries -lt 1000 ] && kill -0 $pid 2> /dev/null && ! writes; do
        sleep 0.01
        tries=$((tries + 1))
    done
    kill -"$1" $pid 2> /dev/null
    wait $pid 2> /dev/null
    code=$?
}
# writes: does the process have a file in this folder open, without a name?
writes() {
    find /proc/$pid/fd -lname "$PWD/#*" 2> /dev/null | grep -q .
}
for signal in 'TERM 143' 'KILL 137'; do
    ended "${signal% *}"
    ls target.*.part > /dev/null 2>&1 && code=trace
    case $code in
        "${signal#* }") [ "$(cat target)" = before ] ;;
        0) [ "$(wc -l < target)" = 320001 ] && echo before > target ;; # it was quicker than the signal
        *) false ;;
    esac
    verdict "ended by ${signal% *}: the target as it was, or whole, and nothing beside it" $?
done
rm -f long.tsv target

# Dumps
mkdir dumps
ends 'unsolved problems are dumped' 1 solve --model coulomb --dump-failed dumps e.tsv
[ "$(ls dumps)" = coulomb-1.json ]
verdict 'one file each, named by model and position' $?
ends 'a dump replays' 1 solve --model coulomb dumps/coulomb-1.json
says 'with the same status' '"status":"unsupported"'
"$program" solve --model maxdiss e.tsv | sed -n '3p' | cut -f3- | tr '\t' '\n' > a
"$program" solve --model maxdiss dumps/coulomb-1.json | tr -d '"' |
    sed 's/.*p:\[\([^]]*\)\],u:\[\([^]]*\)\],energy:\([^,]*\),residual:\([^,]*\),.*/\1,\2,\3,\4/' | tr ',' '\n' > b
paste a b | awk 'NR < 8 ? $1 != $2 : ($1 - $2) ^ 2 > 1e-28 * $1 ^ 2 { bad = 1 } END { exit bad || NR != 8 }'
verdict 'p, u and energy in the same bits, the residual to rounding' $?

# three sweeps from a guess, which is of each problem
"$program" problems wall -n 1 --seed 3 -o wall.json
perl -0777 -pe 's/"q":\[([^]]*)\]/"$&,\"guess\":[" . join(",", map { $_ % 3 ? 0 : 1 } 0 .. ($1 =~ tr{,}{})) . "]"/e' wall.json > guessed.json
ends 'too few sweeps from a guess' 1 solve --model gauss-seidel-coulomb --set start=guess --set max_sweeps=3 --dump-failed dumps guessed.json
tr -d '[]\n' < out > of-list
ends 'their dump' 1 solve --model gauss-seidel-coulomb dumps/gauss-seidel-coulomb-0.json
tr -d '[]\n' < out | cmp -s - of-list
verdict 'begins at the same guess' $?

# A million rows: the peak of resident memory, read while the answer is still being written, does not grow
# rows COUNT: prints the peak in kB
peak() {
    mkfifo "answers$1"
    { echo "$header"; yes "$(row a 0.51234567890123456 $(echo $good | cut -d ' ' -f 2-))" | head -n "$1"; } |
        "$program" solve --model maxdiss - > "answers$1" 2> err &
    pid=$!
    { head -n $(($1 / 2)) > /dev/null; sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status"; tail -n 1 > last; } < "answers$1"
    wait $pid || echo failed
}
if [ -r /proc/self/status ]; then
    few=$(peak 20000)
    if [ -n "$SAN$COV" ]; then many=$(peak 50000); elif [ -n "$LONG" ]; then many=$(peak 1000000); else many=$(peak 100000); fi
    echo "# peak memory: $few kB for 20000 rows, $many kB for many"
    [ "$few" -gt 0 ] && [ "$many" -lt $((few + 4096)) ] && grep -q "^a${tab}ok" last
    verdict 'many rows in constant memory' $?
else
    skip 'no /proc'
fi

# Files damaged at random: exit 0, 1 or 2 and never a signal; with 2 one line and nothing on standard output
cat > damage.pl << 'END'
my ($program, $rounds, @files) = @ARGV;
srand 2026;
my @noise = ("\0", "\t", "\n", "\r", '"', '{', '}', '[', ']', ',', ':', '-', '.', 'e9', '0', 'nan', '#', "\xff", '1e999');
my (%ends, $bad);
for my $round (1 .. $rounds) {
    my $file = $files[$round % @files];
    open my $in, '<:raw', $file or die; local $/; my $bytes = <$in>;
    if ($round % 2) { # half of them only differ in digits
        for (1 .. 3) { my $at = int rand length $bytes; substr($bytes, $at, 1) =~ s/\d/int rand 10/e; }
    }
    else {
        my ($at, $run, $kind) = (int rand length $bytes, int rand 40, int rand 4);
        substr($bytes, $at, 1) = $noise[rand @noise] if $kind == 0;
        substr($bytes, $at) = '' if $kind == 1 && $at > 0;
        substr($bytes, $at, $run) = '' if $kind == 2;
        substr($bytes, $at, 0) = substr($bytes, int rand length $bytes, $run) if $kind == 3;
    }
    open my $out, '>:raw', 'damaged' or die; print $out $bytes; close $out;
    my $command = ('solve --model maxdiss', 'solve --model anitescu', 'enumerate', 'check --model coulomb s.tsv')[$round / @files % 4];
    my $code = system "'$program' $command damaged > damaged.out 2> damaged.err";
    my ($end, $lines) = ($code & 127 ? 'signal' : $code >> 8, 0);
    open my $err, '<:raw', 'damaged.err' or die; my $said = <$err> // ''; $lines = () = $said =~ /\n/g;
    $ends{$end}++;
    next if ($end eq '0' || $end eq '1') || ($end eq '2' && $lines == 1 && -z 'damaged.out');
    $bad++; print STDERR "# $command: ends with $end: $said"; rename 'damaged', "bad$bad";
}
print '# ', join(', ', map { "$ends{$_} ended with $_" } sort keys %ends), "\n";
exit($bad || keys %ends < 3 ? 1 : 0);
END
rounds=${LONG:+500}
[ -z "$SAN$COV" ] || rounds=150
perl damage.pl "$program" ${rounds:-100} p.tsv p.json many.json e.tsv dumps/coulomb-1.json
verdict 'damaged files' $?

for option in $("$program" solve --help | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
    grep -q "Fl \(o , \)\?-$option" "$manual"
    verdict "the manual page has --$option" $?
done
echo "1..$count"
