#!/bin/sh
# Outside solvers, by --exec and --plugin: right ones are certified, wrong ones caught by the residual that names their
# fault; whatever else one does is the status of its own row, and leaves no process behind.
. "$(dirname "$0")/program.sh"
. "$root/tests/running.sh"
CC=${CC:-gcc}

# Processes that sleep so long: the one with this argument.
# statuses: of the rows of out, in one line
statuses() { tail -n +2 out | cut -f2 | tr '\n' ' '; }

# Without friction, by hand: p_n = -(1 + e) q_n / W_nn; what it does instead with the problem of a number is MODE.
cat > solver << 'END'
#!/bin/sh
# by the shell alone, as all of it that hundreds of problems go through
number() {
    number=${line#*\"$1\":}
    while [ "$number" != "${number#[}" ]; do number=${number#[}; done
    number=${number%%[],\}]*}
}
[ "$MODE" != greets ] || echo '{"id": "0", "p": [0, 0, 0]}'
while read -r line; do
    id=${line#*\"id\":\"} && id=${id%%\"*}
    case $MODE-$id in
    hang-2) sleep $MARK ;;
    unended-2) printf '{"id": "2", "p": [0, 0, 0]}'; sleep $MARK ;;
    itself-2) exec sleep $MARK ;;
    forks-*) sleep $MARK & ;;
    nan-2) echo '{"id": "2", "p": [NaN, 0, 0]}'; continue ;;
    null-2) echo '{"id": "2", "p": [null, 0, 0]}'; continue ;;
    infinite-2) echo '{"id": "2", "p": [1e999, 0, 0]}'; continue ;;
    little-2) echo '{"id": "2", "p": [1, 0]}'; continue ;;
    much-2) echo '{"id": "2", "p": [1, 0, 0, 0]}'; continue ;;
    none-2) echo '{"id": "2", "status": "ok"}'; continue ;;
    list-2) echo '[1, 0, 0]'; continue ;;
    garbage-2) echo 'Segmentation fault'; continue ;;
    empty-2) echo; continue ;;
    flood-2) yes | tr -d '\n' ;;
    other-2) echo '{"id": "1", "p": [1, 0, 0]}'; continue ;;
    longer-2) echo '{"id": "2x", "p": [1, 0, 0]}'; continue ;;
    number-2) echo '{"id": 2, "p": [1, 0, 0]}'; continue ;;
    claims-2) echo '{"id": "2", "p": [1, 0, 0], "residual": "little"}'; continue ;;
    says-2) echo '{"id": "2", "p": null, "status": "no-solution"}'; continue ;;
    gives-up-2) echo '{"id": "2", "p": [1, 0, 0], "status": "not-converged", "iterations": 7}'; continue ;;
    boasts-2) echo '{"id": "2", "p": [1, 0, 0], "status": "success"}'; continue ;;
    crash-2) kill -SEGV $$ ;;
    leaves-2) exit 3 ;;
    speaks-2) echo here >&2 || exit 3 ;;
    breaks-off-2) [ -e broke-off ] || { : > broke-off; printf '{"id": "2", "p": ['; exit 0; } ;;
    parent-2) sleep $MARK & exit 3 ;;
    closes-2) exec > /dev/null; sleep $MARK ;;
    esac
    number q && q=$number && number e && e=$number && number W
    p=$(awk "BEGIN { q = $q; printf \"%.17g\", q < 0 ? -(1 + $e) * q / $number : 0 }")
    p="{\"id\": \"$id\", \"p\": [$p, 0, 0], \"seconds\": 0.1}" # of its own
    [ "$MODE" != nameless ] || p="{${p#*, }"
    [ "$MODE" != twice ] || p=$(printf '%s\n%s' "$p" "$p")
    echo "$p"
    case $MODE in later) sleep 0.02 ;; esac
    case $MODE in again | later) echo "$p" ;; esac
    case $MODE in one) exit 0 ;; fails) exit 1 ;; falls) kill -SEGV $$ ;; esac
done
END
chmod +x solver
export MODE=right MARK=7$$
"$program" problems impact-frictionless -n 3 --seed 4 -o three.tsv

# Right ones.
impact solve --exec ./solver --law frictionless three.tsv
[ $status = 0 ] && [ "$(statuses)" = 'ok ok ok ' ] && [ ! -s err ] &&
    [ "$(head -1 out)" = "$("$program" solve --model frictionless three.tsv | head -1)" ]
verdict 'a shell script is certified, its answer a table as any' $?
cp out solved
judges 'its answers, kept' 0 --model frictionless three.tsv solved
judges 'check asks it itself' 0 --exec './solver' --law frictionless three.tsv
[ "$(statuses)" = 'ok ok ok ' ] && grep -q 'signorini' out
verdict 'and says the residuals' $?
sed 's/^\([^\t]*\)\t\(.*\)\t[0-9.e-]*$/\1\t\2\t0/' three.tsv > plastic.tsv
judges 'a law that is a process: its distance from the library'"'"'s own answer' 0 --exec ./solver --law newton plastic.tsv
grep -q 'from-model' out
verdict 'is named' $?
"$program" problems bodies -n 12 --seed 3 -o sharp.json
echo "while read -r line; do echo \"\$line\" | '$program' solve --model springs --set tolerance=1e-12 - | sed 's/^\\[//; s/]\$//' | grep .; done" > sharp
judges 'answers sharper than the library at its presets' 0 --exec 'sh sharp' --law springs sharp.json
cat > pair.json << 'END'
{"id": "pair", "n": 2, "blocks": [[0, 0, [2, 0, 0, 0, 2, 0, 0, 0, 2]], [0, 1, [1, 0, 0, 0, 0, 0, 0, 0, 0]], [1, 1, [2, 0, 0, 0, 2, 0, 0, 0, 2]]],
 "q": [-1, 0.1, 0, -1, 0.1, 0], "mu": 0.3, "settings": {"max_steps": 1}}
END
echo 'while read -r line; do echo "{\"id\": \"$((k += 1))\", \"p\": [$*]}"; done' > constant # by hand: one contact, then the other
impact check --exec 'sh constant 0.5, -0.05, 0, 0.25, -0.05, 0' --law sequential pair.json
said='the law is a process, and the library has no answer to compare with'
[ $status = 1 ] && grep -q "\"status\":\"not-judged\",\"reason\":\"$said\"" out
verdict 'where the library has none: not judged' $?
impact solve --exec 'sh constant 0.5, -0.05, 0, 0.25, -0.05, 0' --law sequential pair.json
[ $status = 1 ] && grep -q "\"status\":\"not-certified\".*\"reason\":\"not judged: $said\"" out &&
    complained 'impact: problem "pair": ' "not judged: $said"
verdict 'where the library has none: not certified, and why' $?
impact solve --exec 'sh constant 0, 0, 0, 0, 0, 0' --law sequential pair.json
[ $status = 1 ] && grep -q '"status":"not-certified".*"signorini":[^0]' out && [ ! -s err ] && ! grep reason out
verdict 'but what breaks the law is not certified by its residuals' $?
sed 's/, "settings": {"max_steps": 1}//' pair.json > free.json
impact solve --exec 'sh constant 0, 0, 0, 0, 0, 0' --law newton free.json
[ $status = 1 ] && grep -q '"status":"not-certified".*"signorini":[^0]' out && ! grep -q from-model out
verdict 'and the library is not asked for its own answer, which may take long' $?
echo 'while read -r line; do echo hello; done' > garbled
impact solve --exec 'sh garbled' --law coulomb - << 'END'
{"W": [[2, 0, 0], [0, 3, 0], [0, 0, 4]], "q": [-1, 0, 0], "mu": 0.5}
{"n": 2, "blocks": [[0, 0, [1, 0, 0, 0, 1, 0, 0, 0, 1]], [1, 1, [1, 0, 0, 0, 1, 0, 0, 0, 1]]], "q": [-1, 0, 0, -1, 0, 0], "mu": 0.5}
END
[ "$(grep -c reason out)" = 1 ] && grep '"status":"bad-answer".*"reason"' out > asked && [ -s asked ] && grep -q unsupported out
verdict 'the reason is of the problem that it was asked' $?
echo '{"W": [[2, 0, 0], [0, 3, 0], [0, 0, 4]], "q": [1, 0, 0], "mu": 0.5}' > opening.json
echo 'while read -r line; do echo "{\"id\": \"1\", \"p\": [0, 0, 0]$*}"; done' > counting
for said in 0 3; do
    impact solve --exec "sh counting ', \"iterations\": $said'" --law coulomb opening.json
    [ $status = 0 ] && grep -q "\"iterations\":$said[,}]" out
    verdict "the iterations that it says: $said" $?
done
for said in 0.5 null; do
    impact solve --exec "sh counting ', \"residual\": $said'" --law coulomb opening.json
    [ $status = 0 ] && grep -q '"residual":0\.0,' out
    verdict "the residual that it says ($said) is not taken for ours" $?
done
impact solve --exec 'sh counting' --law coulomb opening.json
[ $status = 0 ] && grep -q '"p":\[0' out && ! grep -q iterations out
verdict 'none said, none in the answer' $?
impact solve --exec "sh counting ', \"iterations\": null, \"status\": null'" --law coulomb opening.json
[ $status = 0 ] && grep -q '"p":\[0' out && ! grep -q iterations out
verdict 'null says none' $?
echo 'while read -r line; do seq 1 20000 >&2; echo "{\"p\": [0, 0, 0]}"; done' > talking
seq 1 20000 > talked
impact solve --exec 'sh talking' --law coulomb opening.json
[ $status = 0 ] && cmp -s err talked
verdict 'its standard error is that of the program, all of it' $?
long=$(printf '%s' a é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é) # 65 bytes
ln -s "$(command -v sh)" "$long"
impact solve --exec "./$long counting" --law coulomb opening.json
[ $status = 0 ] && grep -q '"model":"aééééééééééééééééééééééééééééé",' out
verdict 'a name is cut at a whole character' $?
rest=$(printf '\200%.0s' $(seq 70))
ln -s "$(command -v sh)" "$rest"
impact solve --exec "./$rest counting" --law coulomb opening.json
[ $status = 0 ] && grep -q '"model":"????????????????????????????????????????' out
verdict 'a name of bytes that are no character is cut, too, and not to nothing' $?
for mode in one fails falls; do
    MODE=$mode impact solve --exec ./solver --law frictionless three.tsv
    [ $status = 0 ] && [ "$(statuses)" = 'ok ok ok ' ] && [ ! -s err ]
    verdict "one that answers once ($mode): the next one is started for the next problem" $?
done
impact solve --exec ./solver --law frictionless --time-limit 0 three.tsv
[ "$(statuses)" = 'ok ok ok ' ] && [ ! -s err ]
verdict 'a limit of 0 is none, as for models of the library' $?
MODE=breaks-off impact solve --exec ./solver --law frictionless three.tsv
[ $status = 1 ] && [ "$(statuses)" = 'ok crashed ok ' ] && grep -q '"impact-frictionless-4-1": crashed: exit status 0, behind [0-9]* bytes of a line without its end' err
verdict 'one that ends within its answer has crashed there, and is not asked again' $?
MODE=nameless impact solve --exec ./solver --law frictionless three.tsv
[ "$(statuses)" = 'ok ok ok ' ] && [ ! -s err ]
verdict 'answers without an id' $?
"$program" problems pile --seed 2 -o pile.json # longer than a pipe holds
impact solve --time-limit 100 --exec ./solver --law coulomb-bounce pile.json
grep -q '"status":"bad-answer".*"reason":"bad answer: its line: $.p: an array of 3, expected an array of [0-9]* numbers"' out ||
    grep -q '"status":"bad-answer","p":null' out
verdict 'a long problem is given whole' $?
impact solve --exec true --law coulomb-bounce pile.json
[ $status = 1 ] && grep -q '"status":"crashed","p":null.*"reason":"crashed: exit status 0"' out
verdict 'one that reads nothing of it: crashed' $?

# What is no answer: MODE, the status of its row, what is said of it.
while IFS='|' read -r mode row said; do
    start=$(date +%s)
    MODE=$mode impact solve --exec ./solver --law frictionless --time-limit 2 three.tsv
    [ $status = 1 ] && [ "$(statuses)" = "ok $row ok " ] && [ "$(wc -l < err)" = 1 ] &&
        grep -qF -e "impact: problem \"impact-frictionless-4-1\": $said" err
    verdict "$mode: $row, the other rows ok" $?
    [ $(($(date +%s) - start)) -le 8 ] && gone
    verdict "$mode: in time, and no process is left" $?
    MODE=$mode impact check --exec ./solver --law frictionless --time-limit 2 three.tsv
    [ $status = 1 ] && awk -F '\t' -v said="$said" 'NR == 3 { bad = $2 !~ /unsolved|rejected/ || index($6, said) != 1 && $2 == "unsolved" }
        NR == 2 || NR == 4 { bad = bad || $2 != "ok" } END { exit bad }' out
    verdict "$mode: check says it in its row" $?
done << 'END'
hang|timed-out|timed out: no answer within 2 s
unended|timed-out|timed out: no answer within 2 s, behind 27 bytes of a line without its end
crash|crashed|crashed: signal 11
leaves|crashed|crashed: exit status 3
parent|crashed|crashed: exit status 3
closes|crashed|crashed: closed its output
nan|bad-answer|bad answer: its line:1:
null|bad-answer|bad answer: its line: $.p[0]: null, expected a number
infinite|bad-answer|bad answer: its line:1:
little|bad-answer|bad answer: its line: $.p: an array of 2, expected
much|bad-answer|bad answer: its line: $.p: an array of 4, expected
none|bad-answer|bad answer: its line: $.p: missing, expected
list|bad-answer|bad answer: its line: $: an array of 3, expected an object with "p"
garbage|bad-answer|bad answer: its line:1:
empty|bad-answer|bad answer: an empty line
flood|bad-answer|bad answer: longer than any can be
other|bad-answer|bad answer: its line: $.id: "1", expected "2"
longer|bad-answer|bad answer: its line: $.id: "2x", expected "2"
number|bad-answer|bad answer: its line: $.id: 2, expected "2"
claims|bad-answer|bad answer: its line: $.residual: "little", expected a number
says|no-solution|it says "no-solution" itself
gives-up|not-converged|it says "not-converged" itself
boasts|bad-answer|bad answer: its line: $.status: "success", expected ok, not-converged,
END
# A line too many, whenever it comes, is the answer to the next problem.
"$program" problems impact-frictionless -n 9 --seed 4 -o nine.tsv
for mode in greets twice again later; do
    right=ok k=1 expected=2 got=1 same=0
    [ $mode != greets ] || right=bad-answer k=0 expected=1 got=0
    { for pair in 1 2 3 4; do printf '%s bad-answer ' $right; done && echo "$right "; } > want
    echo "impact: problem \"impact-frictionless-4-$k\": bad answer: its line: \$.id: \"$got\", expected \"$expected\", the problem's" >> want
    for try in 1 2 ${LONG:+3 4 5 6}; do
        MODE=$mode impact solve --exec ./solver --law frictionless nine.tsv
        { statuses && echo && cat err; } | cmp -s want - || same=1
    done
    verdict "$mode: the same verdicts, each time" $same
done
MODE=speaks "$program" solve --exec ./solver --law frictionless three.tsv > out 2>&-
[ $? = 0 ] && [ "$(statuses)" = 'ok ok ok ' ]
verdict 'a closed standard error: what it writes there goes nowhere, and its answers count' $?
MODE=forks impact solve --exec ./solver --law frictionless three.tsv
[ "$(statuses)" = 'ok ok ok ' ] && gone
verdict 'one that forks sleepers: its answers count, the sleepers are gone' $?
ulimit -c 0
for signal in TERM-143 QUIT-131; do
    # a shell lets what it starts beside itself ignore SIGQUIT
    MODE=hang env --default-signal=QUIT "$program" solve --exec ./solver --law frictionless -o never three.tsv 2> err &
    waited=$!
    comes
    kill -${signal%-*} $waited
    wait $waited 2> /dev/null
    [ $? = ${signal#*-} ] && [ ! -e never ] && gone
    verdict "interrupted by SIG${signal%-*}, the program takes the solver and what it started with it" $?
done

MODE=itself "$program" solve --exec ./solver --law frictionless three.tsv > out 2> err &
waited=$!
comes && kill -KILL $waited
wait $waited 2> /dev/null
[ $? = 137 ] && gone
verdict 'killed, the program takes the solver with it' $?

# Wrong ones, one fault each: the class, the law, the fault, the residual that names it.
if command -v python3 > /dev/null && python3 -c 'import json'; then
    cp "$root/examples/own_solver.py" right.py
    for class in sphere free-box-1 speed-box; do
        "$program" problems $class -n 20 --seed 1 -o $class.tsv
        judges "examples/own_solver.py is certified: $class" 0 --law coulomb --exec 'python3 right.py' $class.tsv
    done
    "$program" problems impact-sphere -n 20 --seed 1 -o impact-sphere.tsv
    judges 'with restitution' 0 --law maxdiss --exec 'python3 right.py' impact-sphere.tsv
    while IFS='|' read -r fault class law residual edit; do
        sed "$edit" right.py > wrong.py
        ! cmp -s right.py wrong.py
        verdict "$fault: planted" $?
        impact check --law "$law" --exec 'python3 wrong.py' "$class.tsv"
        [ $status = 1 ] && cut -f2,4 out | grep -qx "rejected$tab$residual" &&
            ! cut -f2,4 out | grep "^rejected" | grep -qv "$tab$residual\$"
        verdict "$fault: rejected, by $residual alone" $?
        impact solve --law "$law" --exec 'python3 wrong.py' "$class.tsv"
        [ $status = 1 ] && statuses | grep -q not-certified && ! statuses | sed 's/ok\|not-certified//g' | grep -q '[a-z]'
        verdict "$fault: not-certified" $?
    done << 'END'
friction along the slip|sphere|coulomb|slip|s/not along >/along >/
a cone too wide by 1 %|sphere|coulomb|cone|s/mu, e, steps=1000):/&\n    mu *= 1.01/
no restitution|impact-sphere|maxdiss|restitution|s/problem\["e"\]\[0\]/0/
success claimed always|sphere|coulomb|signorini|s/^    print.*/    print(json.dumps({"id": problem["id"], "p": [0, 0, 0], "status": "ok"}), flush=True)/
END
    impact compare --law maxdiss --exec 'python3 right.py' "$root/benchmarks/scenes/ball.json"
    [ $status = 0 ] && [ ! -s err ] && awk -F '\t' '{ print $3, $6 != "" ? sprintf("%.3g %.3g", $6, $7) : "" > $2 }' out && cmp -s maxdiss python3 &&
        [ "$(tail -1 out | cut -f2)" = python3 ] && [ "$(wc -l < python3)" = "$(wc -l < maxdiss)" ] && [ -s python3 ]
    verdict 'compare has its row, with the errors of the model whose law it obeys' $?
    mkdir path && printf '#!/bin/sh\nexec sh garbled\n' > path/coulomb && chmod +x path/coulomb
    PATH=$PWD/path:$PATH impact compare --model frictionless --law plus --exec coulomb --set theta_max=0.3 "$root/benchmarks/scenes/ball.json"
    [ $status = 0 ] && [ ! -s err ]
    verdict 'a setting of its law, whatever it calls itself' $?
    [ "$(tail -1 out | cut -f2)" = 'coulomb #1' ]
    verdict 'and a command that is the name of a model is told apart from it' $?
    impact compare --model plus --law plus --exec 'sh garbled' --set theta_max=0.3 "$root/benchmarks/scenes/ball.json"
    [ $status = 0 ] && grep -q "${tab}bad-answer${tab}.*${tab}bad answer: its line" out && [ ! -s err ]
    verdict 'a setting of its law stands beside it, and its fault in its row' $?
    cat > hungry.py << 'END'
import sys
for k, line in enumerate(sys.stdin, 1): bytes(1 << 30); print('{"id": "%d", "p": [0, 0, 0]}' % k, flush=True)
END
    impact solve --law frictionless --exec 'python3 hungry.py' --memory-limit 400 three.tsv
    grep -q crashed out && ! grep -q not-certified out
    verdict 'one that takes more memory than it may: crashed' $?
    impact solve --law frictionless --exec 'python3 hungry.py' three.tsv
    ! grep -q crashed out
    verdict 'without the limit it may' $?
else
    echo "ok $((count += 1)) - examples/own_solver.py # SKIP no python3"
fi

tested=solve
refused 'no law' 'no law, expected --law NAME' --exec ./solver three.tsv
refused 'no law, of a program that would write' 'no law, expected --law NAME' --exec 'touch started' three.tsv
[ ! -e started ]
verdict 'which nobody started' $?
refused 'an unknown law' 'unknown law "columb" (did you mean "coulomb"?), expected one of maxdiss, coulomb' \
    --exec ./solver --law columb three.tsv
refused 'a program that is not there' './nobody: cannot be started: No such file' --exec './nobody x' --law coulomb three.tsv
refused 'a file that is no program' 'three.tsv: cannot be started: Permission denied' --exec ./three.tsv --law coulomb three.tsv
refused 'an empty command' '--exec is empty' --exec ' ' --law coulomb three.tsv
refused 'a plugin without a name' '--plugin is empty' --plugin '' --law coulomb three.tsv
refused 'a quote that does not end' "--exec is \"'x\", expected a program and its arguments" --exec "'x" --law coulomb three.tsv
refused 'a pipeline' '--exec is "cat | cat", expected a program' --exec 'cat | cat' --law coulomb three.tsv
refused 'a model and a program' 'several models' --model coulomb --exec ./solver --law coulomb three.tsv
refused 'a law without a solver' '--law stands alone, expected it beside --exec or --plugin' --model coulomb --law coulomb three.tsv
refused 'a limit without a solver' '--time-limit stands alone' --model coulomb --time-limit 3 three.tsv
refused 'a tolerance for a model' '--tol stands alone' --model coulomb --tol 3 three.tsv
refused 'no time' '--time-limit is "-1"' --exec ./solver --law coulomb --time-limit -1 three.tsv
refused 'half a MiB' '--memory-limit is "0.5"' --exec ./solver --law coulomb --memory-limit 0.5 three.tsv
tested=check
refused 'answers beside a solver' '"solved" is one argument too many' --exec ./solver --law frictionless three.tsv solved
echo "1..$count"
