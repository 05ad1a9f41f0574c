#!/bin/sh
# The gate of examples/ci, whose commands test_docs.sh takes from docs/ci.md, passes its solver and fails one that is less
# accurate, works more or takes longer, each by its own line; what cannot be judged is no pass.
. "$(dirname "$0")/program.sh"
python3 -c 'import json' 2> /dev/null || { echo '1..0 # SKIP no python3'; exit; }
PATH=$(dirname "$program"):$PATH
cp "$root/examples/ci/solver.py" kept.py

# gate NAME STATUS LINES SOLVER: the gate's exit status, and whether its lines say ok (1) or not (0), x for either
gate() {
    name=$1 want=$2 lines=$3
    shift 3
    PAIRS=3 ci/gate.sh "$@" > out 2> err
    status=$?
    found=$(sed -n 's/^ok .*/1/p; s/^not ok .*/0/p' out | tr -d '\n')
    case $found in $lines) ;; *) status="$status, but $found" ;; esac
    [ "$status" = "$want" ]
    verdict "$name: exit status $want" $?
}
cp -r "$root/examples/ci" ci
cp ci/baseline.tsv ours.tsv
while IFS='|' read -r name status lines edit; do
    sed "$edit" ci/solver.py > worse.py
    ! cmp -s ci/solver.py worse.py
    verdict "$name: planted" $?
    gate "$name" "$status" "$lines" 'python3 worse.py' 'python3 kept.py'
    case $name in
    slower*) grep -q '^not ok .* time: .*, more than 1.25 times that$' out; verdict 'and says what is allowed' $? ;;
    more*) grep -q '^not ok .* work: .* before, more than 1.05 times that$' out; verdict 'and says what is allowed' $? ;;
    esac
done << 'END'
a cone too wide by 1 %|1|0|s/mu\[i\] \* pushed/1.01 * &/g
a loose tolerance|1|0|s/^TOLERANCE = 1e-9/TOLERANCE = 1e-4/
more work for digits that nobody asked for|1|10?|s/if moved <=/if moved <= 1e-5 */
slower: four times as long|1|110|s/^    p, iterations = /    sum(range(4000000))\n&/
no iterations in the answers|2|10?|s/, "iterations": iterations//
iterations that are always 0|1|10?|s/"iterations": iterations/"iterations": 0/
END
gate 'a solver that is not there' 2 0 ./nobody 'python3 kept.py'
gate 'a solver whose file is missing' 1 0 'python3 nosuch.py' 'python3 kept.py'
grep -q "^# first reason: crashed: exit status 2; on standard error: .*nosuch.py" out
verdict 'a line says why' $?
sed 's/^for line in sys.stdin:/&\n    raise ValueError("no \\"cone\\" here")/' kept.py > raises.py
gate 'a solver that raises' 1 0 'python3 raises.py' 'python3 kept.py'
grep -q '^# first reason: crashed: exit status 1; on standard error: ValueError: no "cone" here$' out
verdict 'and its last line' $?
gate 'a kept solver that is not there' 2 110 'python3 kept.py' ./nobody
grep -q '^# ./nobody: .*nobody' out
verdict 'a line says why' $?
gate 'a kept solver that is a missing file' 2 110 'python3 kept.py' 'python3 nobody.py'
grep -q '^# python3 nobody.py: first reason: crashed: exit status 2; on standard error: .*nobody.py' out
verdict 'with what it said' $?
gate 'a kept solver that ends without an answer' 2 110 'python3 kept.py' false
grep -q '^# false: first reason: crashed: exit status 1$' out
verdict 'or with its exit status' $?
sed 's/^for line in sys.stdin:/for number, line in enumerate(sys.stdin):\n    assert number != 2/' kept.py > dies.py
gate 'a kept solver that crashes once in a while' 2 110 'python3 kept.py' 'python3 dies.py'
IMPACT=./nobody gate 'no program' 2 0 'python3 kept.py' 'python3 kept.py'
gate 'no kept solver' 2 '' 'python3 kept.py'
for wrong in nan inf abc '' -1 1e3 99999999999999999999 "1723${tab}9" '1723 '; do
    sed "s/[0-9]*\$/$wrong/" ours.tsv > ci/baseline.tsv
    gate "a baseline of \"$wrong\" iterations" 2 '' 'python3 kept.py' 'python3 kept.py'
    complained "ci/gate.sh: ci/baseline.tsv: \"bodies$tab" 'expected a class' && ! ci/gate.sh --write 'python3 kept.py' 2> err
    verdict 'one line says so, and it is not written over' $?
done
cp ours.tsv ci/baseline.tsv
sed -i 's/^bodies/boddies/' ci/baseline.tsv
gate 'an unknown class' 2 0 'python3 kept.py' 'python3 kept.py'
sed -i '/^boddies/d' ci/baseline.tsv
gate 'no class' 2 0 'python3 kept.py' 'python3 kept.py'
cp ci/baseline.tsv before.tsv
ci/gate.sh --write 'python3 kept.py' 2> err
[ $? = 2 ] && complained 'ci/gate.sh: ci/baseline.tsv: the baseline names no class' && cmp -s ci/baseline.tsv before.tsv
verdict "and --write says the same" $?
sed 's/[0-9]*$/0/' ours.tsv > ci/baseline.tsv
gate 'work that the baseline does not know' 1 10? 'python3 kept.py' 'python3 kept.py'
ci/gate.sh --write 'python3 kept.py' && awk -F '\t' '!/^#/ { exit !($4 > 100) }' ci/baseline.tsv
verdict 'the baseline is written' $?
cp ci/baseline.tsv before.tsv
! ci/gate.sh --write ./nobody 2> err && cmp -s ci/baseline.tsv before.tsv
verdict 'not by a solver that says nothing' $?
sed 's/mu\[i\] \* pushed/1.01 * &/g' kept.py > worse.py
ci/gate.sh --write 'python3 worse.py' 2> err
[ $? = 1 ] && grep -q '^ci/gate.sh: bodies: .*, [1-9][0-9]* rejected, .*, expected every answer accepted$' err &&
    [ "$(wc -l < err)" -eq 1 ] && cmp -s ci/baseline.tsv before.tsv
verdict 'nor by one whose answers are wrong' $?
! ci/gate.sh --write 'python3 nosuch.py' 2> err && complained 'ci/gate.sh: bodies: 0 accepted' 'accepted; first reason: crashed: exit status 2; on standard error: '
verdict 'one that does not run: why' $?
printf 'sphere\t1\t20\t0\n' >> ci/baseline.tsv
ci/gate.sh --write 'python3 kept.py' && awk -F '\t' '$1 == "sphere" { exit !($4 > 100) }' ci/baseline.tsv
verdict 'problems of one contact are a class, too' $?
PAIRS=100 ci/gate.sh 'python3 kept.py' 'python3 kept.py' > out 2> err
[ $? = 0 ] && [ "$(grep -c '^ok' out)" -eq 6 ]
verdict 'with which its solver passes' $?
echo "1..$count"
