#!/bin/sh
# `impact audit` and `impact race`: two right solvers pass; eight wrong ones, one fault each, are caught by its name; what hangs,
# prints NaN or forks is counted and contained; every format is one; the same by a seed.
. "$(dirname "$0")/program.sh"
. "$root/tests/running.sh"
CC=${CC:-gcc}
MARK=6$$
# of CLASS COLUMN: that field of the table `out`
of() {
    awk -F '\t' -v class="$1" -v column="$2" '/^#/ { next } !n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 == class { print $at[column] }' out
}
# passes NAME ARGUMENTS, fails NAME ARGUMENTS: of audit
passes() { name=$1; shift; impact audit "$@"; [ $status = 0 ] && [ "$(of all verdict)" = ok ] && [ "$(of all false)" = 0 ]; verdict "$name" $?; }
fails() { name=$1; shift; impact audit "$@"; [ $status = 1 ] && [ "$(of all verdict)" = failed ]; verdict "$name" $?; }

passes 'a model of ours' --model maxdiss -n 2 --seed 1
[ "$(of sphere solved_1e-12)" = 2 ] && [ "$(of wall unsupported)" = 2 ] && [ "$(of wall verdict)" = unsupported ] &&
    [ "$(of all problems)" = 88 ] && grep -q '^impact: maxdiss by maxdiss: ok: 64 of 64 right; --seed 1$' err
verdict 'says what is solved and what it does not take' $?
cp out first
sh -c "$program $(sed -n '1s/^# impact //p' first)" > out 2> err && cmp -s out first
verdict 'its first line repeats it, bit for bit' $?
impact audit --model maxdiss sphere -n 1
sh -c "$program $(sed -n '1s/^# impact //p' out)" > again 2> err && cmp -s out again
verdict 'without --seed too' $?
passes 'many contacts' --model auto bodies loose pile -n 3 --seed 1
passes 'settings in m/s change with the units' --model plus free-box-1 impact-body -n 10 --seed 1
for model in single-phase newton poisson; do
    passes "$model: nothing and a wedge, of a contact with q_n = 0" --model $model zero-closing -n 1 --seed 66795331387394
done
passes 'an answer that is said to have failed is held against no other' --model gauss-seidel-coulomb --tol 1e-8 adversarial -n 60 --seed 2
[ "$(of adversarial modest)" -ge 1 ]
verdict 'though it is right' $?
passes 'a pyramid is turned by quarters' --model anitescu free-box-1 -n 10 --seed 1
passes 'a plane by half turns' --model planar-newton impact-planar -n 10 --seed 1
[ "$(of impact-planar solved_1e-8)" = 10 ] && [ "$(of impact-planar lost)" = 0 ]
verdict 'and stays one' $?
$CC -shared -fPIC -I"$root/lib" "$root/examples/own_solver.c" -o own_solver.so
passes 'a right plugin' --plugin ./own_solver.so --law frictionless -n 4 --seed 2
[ "$(of impact-frictionless solved_1e-12)" = 4 ] && [ "$(of sphere verdict)" = unsupported ]
verdict 'asked only what it takes' $?
impact audit --plugin ./own_solver.so --law frictionless sphere -n 2 --seed 2
[ $status = 1 ] && [ "$(of all verdict)" = unsupported ]
verdict 'one that takes nothing does not pass' $?
impact audit --plugin ./own_solver.so --law frictionless sphere -n 2 --seed 2 --to tap
[ "$(tail -1 out)" = 'not ok 2 - all: 0 of 0 right' ] && grep -q 'ok 1 - sphere: 0 of 0 right # SKIP unsupported' out
verdict 'nor in TAP' $?
mkdir worst
impact audit --model sequential loose masses -n 20 --seed 1 --worst worst
[ "$(find worst -name '*-1-*.json' | wc -l)" = 10 ] && impact check --exec 'true' --law coulomb-bounce "$(find worst -name '*.json' | head -1)"
grep -q '"status":"unsolved"' out
verdict 'the ten worst problems, which check reads' $?
"$program" audit --model sequential loose masses -n 20 --seed 1 --to json 2> err | sed 's/.*"worst"://' |
    grep -o '"residual":[0-9.e-]*' | cut -d: -f2 > out
sort -gr out | cmp -s - out && [ "$(wc -l < out)" = 10 ] && awk 'NR == 1 { exit !($1 > 1e-14) }' out
verdict 'by falling residual' $?
passes 'which of several solutions' --model coulomb several -n 20 --seed 1
[ "$(of several several)" = 20 ] && [ "$(of several most_dissipative)" = 20 ]
verdict 'the most dissipative by default' $?
passes 'or another' --model coulomb --choice least-dissipative several -n 20 --seed 1
[ "$(of several most_dissipative)" = 0 ] && [ $(($(of several zero) + $(of several stick) + $(of several slip) + $(of several segment))) = 20 ]
verdict 'told by its kind' $?

# Formats.
for format in json tap junit html; do
    case $format in junit) suffix=xml ;; *) suffix=$format ;; esac
    impact audit --model maxdiss sphere wall -n 2 --seed 3 -o page.$suffix
    cp page.$suffix page
    [ $status = 0 ] && "$program" audit --model maxdiss sphere wall -n 2 --seed 3 --to $format > out 2> err
    sed '1,/impact audit/!b; s/impact audit [^"<]*//' page > said
    sed '1,/impact audit/!b; s/impact audit [^"<]*//' out > page
    [ -s said ] && cmp -s said page
    verdict "$format, by the suffix or by --to" $?
done
grep -qx '1..3' page.tap && grep -qx 'ok 2 - wall: 0 of 0 right # SKIP unsupported' page.tap && ! grep -q '^not' page.tap
verdict 'TAP' $?
command -v perl > /dev/null && perl -MJSON::PP -e 'local $/; my $a = decode_json <>;
    exit !($a->{verdict} eq "ok" && $a->{classes}[0]{problems} == 2 && @{$a->{classes}} == 3 && $a->{worst}[0]{class} eq "sphere")' page.json
verdict 'JSON' $?
grep -q '<testsuite .* tests="3" failures="0" errors="0" skipped="1">' page.xml && grep -q '<skipped/>' page.xml
verdict 'JUnit' $?
odd=$(printf 'o\377.json')
impact audit --model maxdiss sphere -n 1 --seed 3 -o "$odd"
[ $status = 0 ] && grep -q '"command":"impact audit .* -o '\''o?[.]json'\'' ' "$odd"
verdict 'JSON under a name that is not UTF-8' $?
grep -q '<h1>Audit of maxdiss' page.html && ! grep -Eq 'src=|href=|url\(|http' page.html
verdict 'a page of HTML that needs nothing else' $?

# Race.
impact race maxdiss coulomb auto free-box-1 speed-box wall -n 3 --seed 1 --rows rows.tsv
[ $status = 0 ] && [ "$(grep -vc '^#' out)" = 4 ] && [ "$(of auto problems)" = 6 ] && [ "$(of auto solved)" = 6 ] &&
    grep -q '6 problems raced, 3 not taken by all' err && [ "$(wc -l < rows.tsv)" = 19 ]
verdict 'a race: what each solves' $?

impact race auto gauss-seidel-coulomb redundant -n 12 --seed 2559981577 --rows rows.tsv # one residual between 1e-9 and its bound
[ $status = 0 ] && [ "$(of auto solved)$(of gauss-seidel-coulomb solved)" = 1212 ] && [ "$(of gauss-seidel-coulomb false)" = 0 ] &&
    awk -F '\t' '$3 == "gauss-seidel-coulomb" && $5 > 1e-9 { n++ } END { exit n != 1 }' rows.tsv
verdict 'a race holds a model to its own bound, as an audit does' $?
[ "$(awk -F '\t' '!/^#/ && $1 != "solver" { sum += $9 } END { print (sum >= 1) }' out)" = 1 ] && grep -q ': [0-9]* slower by [0-9]' out
verdict 'whom each loses to' $?
awk -F '\t' 'NR > 1 { if ($4 != "right" || $7 < 1) exit 1; best[$1] += $7 == 1 } END { for (i in best) if (!best[i]) exit 1 }' rows.tsv
verdict 'a row for each problem and solver, ratios to the fastest' $?
impact race maxdiss --plugin own_solver.so --law frictionless impact-frictionless -n 2 --seed 1
[ $status = 0 ] && [ "$(of own-solver solved)" = 2 ]
verdict 'one outside beside ours' $?
cp own_solver.so other.so
impact race frictionless --plugin ./own_solver.so --plugin ./other.so --plugin ./own_solver.so --law frictionless \
    impact-frictionless -n 2 --seed 1 --rows rows.tsv
[ $status = 0 ] && [ "$(grep -v '^#' out | cut -f1 | tr '\n' ' ')" = 'solver frictionless ./own_solver.so ./other.so ./own_solver.so #3 ' ] &&
    [ "$(cut -f3 rows.tsv | sort -u | wc -l)" = 5 ] && [ "$(of ./other.so solved)" = 2 ]
verdict 'several outside, of one name, are told apart' $?
sed 's/"own-solver"/"frictionless"/' "$root/examples/own_solver.c" > namesake.c
$CC -shared -fPIC -I"$root/lib" namesake.c -o namesake.so
impact race frictionless --plugin ./namesake.so --law frictionless impact-frictionless -n 2 --seed 1
[ "$(grep -v '^#' out | cut -f1 | tr '\n' ' ')" = 'solver frictionless ./namesake.so ' ]
verdict 'also from a model of ours' $?
echo 'sleep 0.4; read -r line; echo "{\"p\": [0, 0, 0]}"' > once.sh
impact race coulomb --exec 'sh once.sh' --law coulomb opening -n 2 --seed 1 --rows rows.tsv
awk -F '\t' '$3 == "sh" { n++; if ($6 >= 0.1) late++ } END { exit !(n == 2 && late == 2) }' rows.tsv &&
    "$program" race --help | tr '\n' ' ' | grep -q 'includes the start of its process where a problem waits for one: one after its end'
verdict 'the start of a process is in the time of each problem that waits for one, and --help says so' $?
(echo 'sleep 0.4'; echo 'while read -r line; do echo "{\"p\": [0, 0, 0]}"; done') > slow.sh
impact race coulomb --exec 'sh slow.sh' --law coulomb opening -n 2 --seed 1 --rows rows.tsv
awk -F '\t' '$3 == "sh" { n++; if ($6 >= 0.1) late++ } END { exit !(n == 2 && !late) }' rows.tsv
verdict 'but not that of a program that goes on' $?
cat > keeps.sh << 'END'
while read -r line; do
    echo "$line" | sed 's/"id": *"[0-9]*"//' >> asked
    echo '{"p": [0, 0, 0]}'
done
END
impact race coulomb --exec 'sh keeps.sh' --law coulomb opening -n 3 --seed 1
[ $status = 0 ] && [ "$(of sh solved)" = 3 ] && [ "$(sort -u asked | wc -l)" = 3 ] && [ "$(wc -l < asked)" -gt 3 ] && [ -z "$(uniq -d asked)" ]
verdict 'a problem is put again behind all others, so that what is kept of the last is no help' $?
laws() { grep -v '^#' out | cut -f2,4 | tail -n +2 | tr '\t\n' '  '; }
impact race --plugin ./own_solver.so --law frictionless --plugin ./other.so --law maxdiss impact-frictionless -n 2 --seed 1
[ $status = 0 ] && [ "$(laws)" = 'frictionless 2 maxdiss 2 ' ]
verdict 'each by the law behind it' $?
impact race --plugin ./own_solver.so --plugin ./other.so --law maxdiss impact-frictionless -n 2 --seed 1
[ $status = 0 ] && [ "$(laws)" = 'maxdiss 2 maxdiss 2 ' ]
verdict 'one law is that of all' $?

if command -v python3 > /dev/null && python3 -c 'import json' 2> /dev/null; then
    cp "$root/examples/own_solver.py" right.py
    # shellcheck disable=SC2046
    passes 'a right program' --exec 'python3 right.py' --law coulomb --seed 1 $([ "$LONG" ] || echo --count 1)
    sed 's/not along >/along >/' right.py > wrong.py
    sed "s/^    problem = .*/&\n    os.system('sleep $MARK')/; s/^import sys/&\nimport os/" right.py > sleeps.py
    asked=$([ "$LONG" ] && echo 4 || echo 2)
    impact race coulomb --exec 'python3 right.py' --exec 'python3 wrong.py' --exec 'python3 sleeps.py' --law coulomb \
        --time-limit 3 speed-box -n $asked --seed 1
    [ $status = 0 ] && [ "$(of coulomb problems)" = $asked ] && [ "$(of 'python3 right.py' solved)" = $asked ] &&
        [ "$(of 'python3 wrong.py' false)" -ge $((asked - 1)) ] && [ "$(of 'python3 sleeps.py' timed_out)" = $asked ]
    verdict 'a race of three outside: the right one, the wrong one and the hanging one by name' $?
    of 'python3 wrong.py' loses_to | grep -q "python3 right.py: [0-9]* unsolved" && ! of 'python3 right.py' loses_to | grep -q unsolved &&
        gone
    verdict 'each loses to whom it does, and nothing is left running' $?
    # One planted fault each: law, classes, the fault by name, the residual by name, the edit.
    while IFS='|' read -r fault law classes residual edit; do
        sed "$edit" right.py > wrong.py
        ! cmp -s right.py wrong.py
        verdict "$fault: planted" $?
        # shellcheck disable=SC2086
        fails "$fault: caught" --exec 'python3 wrong.py' --law "$law" -n 8 --seed 1 $classes
        of all faults | grep -q "^claims success falsely: [0-9]*; $fault[^;]*$" && of all residuals | grep -q "^$residual: [0-9]*$"
        verdict "$fault: by its name alone, and by $residual" $?
    done << 'END'
friction along the slip|coulomb|sphere|slip|s/not along >/along >/
cone too wide by up to 1 %|coulomb|sphere|cone|s/mu, e, steps=1000):/&\n    mu *= 1.01/
restitution dropped|maxdiss|impact-sphere|restitution|s/problem\["e"\]\[0\]/0/
wrong sign|coulomb|sphere speed-box|cone|s/"p": p,/"p": p and [-x for x in p],/
wrong scale, 1000 times what is right|coulomb|sphere speed-box|.*|s/"p": p,/"p": p and [1000 * x for x in p],/
inexact, right to [0-9.]*e-0[678]|coulomb|sphere several|.*|s/"p": p,/"p": p and list(struct.unpack("3f", struct.pack("3f", *p))),/; s/^import sys/import struct\n&/
cone too narrow by up to [0-9.]* %|coulomb|sphere speed-box|slip|s/mu, e, steps=1000):/&\n    mu *= mu/
velocity in place of impulse|coulomb|sphere speed-box|.*|s/"p": p,/"p": p and [sum(map(float.__mul__, map(float, w), p)) for w in problem["W"]],/
another restitution|maxdiss|impact-sphere|restitution|s/problem\["e"\]\[0\]/problem["e"][0] ** 2/
only the diagonal of W|coulomb|free-box-1 speed-box|.*|s/mu, e, steps=1000):/&\n    W = [[W[i][j] * (i == j) for j in range(3)] for i in range(3)]/
softened by a share of each entry, 0.02 of the diagonal of W|coulomb|free-box-1 speed-box|.*|s/mu, e, steps=1000):/&\n    W = [[W[i][j] * (1 + 0.02 * (i == j)) for j in range(3)] for i in range(3)]/
wrong frame|coulomb|sphere speed-box|slip|s/"p": p,/"p": p and [p[0], p[2], p[1]],/
wrong frame|coulomb|sphere speed-box|.*|s/"p": p,/"p": p and [p[1], p[2], p[0]],/
wrong frame|coulomb|sphere speed-box|slip|s/"p": p,/"p": p and [p[0], p[1], -p[2]],/
wrong frame|coulomb|sphere speed-box|slip|s/"p": p,/"p": p and [p[0], 0.8 * p[1] - 0.6 * p[2], 0.6 * p[1] + 0.8 * p[2]],/
wrong where q_n = 0|coulomb|sphere zero-closing opening|[a-z]*|s/^    b = .*/    if q[0] == 0:\n        return [1, 0, 0]\n&/
no impulse where a contact closes|coulomb|sphere|signorini|s/^    for k in range(steps):/    return None\n&/; s/"p": p, "status".*/"p": p or [0, 0, 0], "status": "ok"}), flush=True)/
END
    impact audit --exec 'python3 wrong.py' --law coulomb -n 8 --seed 1 sphere --to json
    sed 's/.*"worst"://' out | grep -o '"outcome":"[a-z]*"' | uniq | tr -d '\n' > worst_first
    [ "$(cat worst_first)" = '"outcome":"false""outcome":"right"' ]
    verdict 'the worst problems come first' $?
    sed 's/"p": p,/"p": p and [1e308, 1e308, 0],/' right.py > huge.py
    fails 'velocities that are no numbers' --exec 'python3 huge.py' --law coulomb -n 2 --seed 1 free-box-1
    [ "$(of all residuals)" = 'overflow: 2' ] || [ "$(of all residuals)" = 'overflow: 1; signorini: 1' ]
    verdict 'are an overflow' $?
    sed 's/^    for k in range(steps):/    return None\n&/' right.py > honest.py
    passes 'the same that says so is honest' --exec 'python3 honest.py' --law coulomb -n 8 --seed 1 sphere
    [ "$(of sphere honest)" -ge 1 ]
    verdict 'and is told apart' $?
    right=$(sed -n 's/^impact: .*: ok: \([0-9]*\) of 8 right, .*/\1/p' err)
    passes 'as much is right as is asked for' --exec 'python3 honest.py' --law coulomb -n 8 --seed 1 sphere --least $((100 * right / 8))
    impact audit --exec 'python3 honest.py' --law coulomb -n 8 --seed 1 sphere --least $((100 * right / 8 + 1))
    [ $status = 1 ] && [ "$(of all verdict)" = unsolved ] && grep -q ": unsolved: $right of 8 right, " err
    verdict 'and not more' $?
    # It answers what sticks, and says that it does not take the rest.
    sed 's/^    print(.*/    if not p or math.hypot(p[1], p[2]) >= 0.99 * problem["mu"][0] * p[0]:\
        p = None\
    print(json.dumps({"p": p, "status": "ok" if p else "unsupported"}), flush=True)/' right.py > half.py
    passes 'one may take less than its law does' --exec 'python3 half.py' --law coulomb -n 8 --seed 1 sphere
    [ "$(of sphere unsupported)" = 0 ] && [ "$(of sphere honest)" -ge 1 ] && [ "$(of sphere 'solved_1e-8')" -ge 1 ]
    verdict 'but does not say what is put to it' $?
    impact audit --exec 'python3 half.py' --law coulomb -n 8 --seed 1 sphere --least 95
    [ $status = 1 ] && [ "$(of all verdict)" = unsolved ] && grep -q ' of 8 right, [1-7] honest' err
    verdict 'nor of what --least asks for a share' $?
    impact race coulomb --exec 'python3 half.py' --exec 'python3 right.py' --law coulomb sphere -n 8 --seed 1
    [ $status = 0 ] && [ "$(of coulomb problems)" = 8 ] && [ "$(of coulomb solved)" = 8 ] && [ "$(of 'python3 right.py' solved)" = 8 ] &&
        [ "$(of 'python3 half.py' failed)" -ge 1 ] && [ "$(($(of 'python3 half.py' failed) + $(of 'python3 half.py' solved)))" = 8 ]
    verdict 'nor takes a problem from the others of a race' $?
    sed 's/"ok" if p else/"not-converged" if p else/' right.py > modest.py
    passes 'one that is right and does not know' --exec 'python3 modest.py' --law coulomb -n 4 --seed 1 sphere
    [ "$(of sphere modest)" = 4 ]
    verdict 'is told apart too' $?
    # What is no answer: the column.
    # A hang when it is asked anew is named like one at first.
    sed "s/^    problem = .*/&\n    asked = globals().get('asked', 0) + 1\n    asked % 2 or os.system('sleep $MARK')/; s/^import sys/&\nimport os/" right.py > hangs.py
    fails 'one that hangs on every second question' --exec 'python3 hangs.py' --law coulomb --time-limit 1 -n 1 --seed 1 sphere
    [ "$(of sphere timed_out)" = 0 ] && [ "$(of sphere unanswered)" -ge 1 ] &&
        grep -q '1 of 1 right, [0-9]* unanswered; first reason: timed out: no answer within 1 s; ' err && gone
    verdict 'unanswered: counted and named, and nothing is left running' $?
    while IFS='|' read -r column limit reason edit; do
        sed "s/^    problem = .*/&\n    $edit/; s/^import sys/&\nimport os, time/" right.py > wild.py
        fails "$column: $edit" --exec 'python3 wild.py' --law coulomb --time-limit "$limit" -n 3 --seed 1 sphere
        [ "$(of sphere "$column")" = 3 ] && gone
        verdict "$column: counted, and nothing is left running" $?
        case $(of sphere reason)@$(of all reason) in "$reason"*@"$reason"*) grep -q "; first reason: $reason" err ;; *) false ;; esac
        verdict "$column: and why" $?
    done << END
timed_out|1|timed out: no answer within 1 s|os.system("sleep $MARK")
bad_answer|30|bad answer: its line:1:|print("{\\\\"p\\\\": [NaN, 0, 0]}", flush=True); continue
crashed|30|crashed: signal 6|os.abort()
END
    sed "s/^    problem = .*/&\n    print(end='.', file=open('asked', 'a'))\n    os.path.getsize('asked') % 5 or sys.exit(3)/; s/^import sys/&\nimport os/" \
        right.py > random.py
    fails 'one that crashes on every fifth question' --exec 'python3 random.py' --law coulomb -n 8 --seed 1 sphere
    [ "$(of sphere crashed)" -ge 1 ] && [ "$(of sphere unanswered)" -ge 1 ] && [ "$(of sphere reason)" = 'crashed: exit status 3' ]
    verdict 'has crashed there' $?
    [ "$(for way in units mass frames mirror order repeat sequence; do of sphere $way; done | tr -d '\n')" = 0000000 ]
    verdict 'and breaks nothing else' $?
    impact audit --exec 'python3 random.py' --law coulomb -n 8 --seed 1 sphere --to json
    [ "$(grep -o '"reason":"crashed: exit status 3"' out | wc -l)" = 2 ]
    verdict 'JSON says why, of its class and of all' $?
    impact race coulomb --exec 'python3 random.py' --exec 'python3 right.py' --law coulomb sphere -n 4 --seed 1
    [ $status = 0 ] && [ "$(of 'python3 random.py' failed)" -ge 1 ] && [ "$(of 'python3 random.py' reason)" = 'crashed: exit status 3' ] &&
        [ -z "$(of coulomb reason)$(of 'python3 right.py' reason)" ]
    verdict 'and so does a race' $?
    sed "s/^    problem = .*/&\n    os.system('sleep $MARK \&')/; s/^import sys/&\nimport os/" right.py > forks.py
    passes 'one that forks is right' --exec 'python3 forks.py' --law coulomb -n 2 --seed 1 sphere
    gone
    verdict 'and contained' $?
    sed "s/^    problem = .*/&\n    os.system('sleep $MARK')/; s/^import sys/&\nimport os/" right.py > sleeps.py
    "$program" audit --exec 'python3 sleeps.py' --law coulomb sphere --worst worst -o never > out 2> err &
    waited=$!
    comes
    kill -TERM $waited
    wait $waited 2> /dev/null
    [ $? = 143 ] && [ ! -e never ] && gone
    verdict 'interrupted, it leaves neither half a table nor the solver' $?
    sed 's/^    problem = .*/&\n    asked = globals().get("asked", 0) + 1/; s/"p": p,/"p": p and [x * (1 + 1e-12 * asked) for x in p],/' right.py > moody.py
    fails 'one with a memory' --exec 'python3 moody.py' --law coulomb -n 3 --seed 1 sphere
    [ "$(of sphere repeat)" = 3 ] && [ "$(of sphere sequence)" = 3 ]
    verdict 'has other bits each time' $?
    impact audit --exec 'python3 wrong.py' --law coulomb -n 8 --seed 1 sphere --to tap
    grep -Eq '^not ok 1 - sphere: [0-9] of 8 right, [0-9] false \(signorini: [0-9]; claims success falsely: [0-9]; no impulse where a contact closes: [0-9]\)$' out
    verdict 'TAP says what is wrong' $?
    impact audit --exec 'python3 wrong.py' --law coulomb -n 8 --seed 1 sphere --to junit
    grep -q '<failure message="[0-9] of 8 right, [0-9] false (signorini' out
    verdict 'JUnit too' $?
else
    echo "ok $((count += 1)) - examples/own_solver.py # SKIP no python3"
fi

# Somebody's solvers of one contact, as a plugin.
siconos() {
    $CC -shared -fPIC -I"$root/lib" -isystem /usr/include/siconos -isystem /usr/include/siconos/numerics \
        -DSOLVER=SICONOS_FRICTION_3D_ONECONTACT_"$1" "$root/examples/siconos_plugin.c" -lsiconos_numerics -o siconos.so 2> /dev/null
}
if siconos NSN; then
    fails 'siconos NSN' --plugin ./siconos.so --law coulomb --tol 1e-4 speed-box free-box-1 painleve -n 10 --seed 1
    [ "$(of all false)" -ge 1 ] && of all residuals | grep -q 'slip: ' && [ "$(of all solved_1e-4)" -ge 15 ]
    verdict 'claims answers that are none, and solves others' $?
    siconos QUARTIC
    fails 'siconos QUARTIC' --plugin ./siconos.so --law coulomb --tol 1e-4 sphere -n 10 --seed 1
    [ "$(of sphere bad_answer)" -ge 1 ] && [ "$(of sphere false)" = 0 ]
    verdict 'answers spheres by what is no number' $?
else
    echo "ok $((count += 1)) - siconos # SKIP no libsiconos-numerics-dev"
fi

tested=audit
refused 'no solver' 'no model, expected --model NAME'
refused 'an unknown class' 'unknown class "towr" (did you mean "tower"?)' --model auto towr
refused 'a class twice' 'class "wall" stands twice' --model auto wall wall
refused 'more than all' '--least is "101", expected a whole number from 0 to 100' --model auto --least 101
refused 'an unknown format' '--to is "yaml", expected one of table, json, tap, junit, html' --model auto --to yaml
impact audit --model maxdiss sphere -n 2 --seed 3 -o .json
[ $status = 0 ] && head -1 .json | grep -q '^# impact audit '
verdict 'a hidden file has no suffix' $?
refused 'a suffix of no format' '-o is "x.foo", expected the suffix .tsv, .json, .tap, .xml or .html, or --to' --model auto -o x.foo
refused 'nor one of another command' '-o is "./x.hdf5", expected the suffix' --model auto -o ./x.hdf5
"$program" audit --model auto sphere -n 1 --seed 3 --to table -o x.foo 2> err && "$program" audit --model auto sphere -n 1 --seed 3 -o ./plain 2> err &&
    grep -v '^#' x.foo > want && grep -v '^#' plain | cmp -s - want
verdict 'a suffix of no format beside --to, and none: a table' $?
refused 'HTML under .json' 'is "x.json" but --to is html, expected another suffix than .json' --model auto --to html -o x.json
refused 'a folder that is not there' '--worst is "nowhere", expected a folder' --model auto --worst nowhere
refused 'an output that cannot be' 'no/such/folder' --model maxdiss sphere -o no/such/folder/x.json
refused 'an output that is full' 'No space left on device' --model maxdiss sphere -n 1 -o /dev/full
refused 'two laws' '--law stands twice' --exec a --law coulomb --law moreau
tested=race
refused 'one alone' '1 solver, expected two or more' auto
refused 'no limit, which failures would cost' '--time-limit is 0, expected a limit' auto maxdiss --time-limit 0
refused 'a word that is neither' 'unknown model or class "autt" (did you mean "auto"?)' auto maxdiss autt
refused 'nor with one solver' 'unknown model or class "walll" (did you mean "wall"?)' auto walll
refused 'a file twice, which is not there' '"./new.tsv" is written twice' auto moreau sphere --rows ./new.tsv -o new.tsv
[ ! -e new.tsv ]
verdict 'and it is not made' $?
refused 'a solver twice' 'auto stands twice' auto auto
refused 'an output that is full' 'No space left on device' auto moreau sphere -n 1 -o /dev/full
refused 'a format, which is no tolerance' 'unknown option "--to" (did you mean "--tol"?)' auto moreau --to html
refused 'nine outside' 'more than 8 solvers by --exec and --plugin' --exec a --exec b --exec c --exec d --exec e --exec f --exec g --exec h --exec i
refused 'two laws behind one' '--law moreau is one too many, expected one for all, or one behind each' \
    --exec a --law coulomb --law moreau --exec b
refused 'a law for all and one of its own' '--law moreau is one too many' --law coulomb --exec a --law moreau --exec b
refused 'one without a law among several' 'no law, expected --law NAME' --exec cat --law coulomb --exec cat --exec cat --law moreau
refused 'an unknown law' 'unknown law "moreaux" (did you mean "moreau"?)' --exec cat --law coulomb --exec cat --law moreaux
refused 'nothing for all' 'no problem that all of them take' maxdiss auto wall -n 1
echo "1..$count"
