#!/bin/sh
# gate.sh SOLVER KEPT: may a change of a contact solver go in? KEPT is the solver as it was before the change.
# gate.sh --write SOLVER: the work of this solver, every answer of which must be right, becomes the baseline; its
# difference is reviewed like code.
#
# For each class of problems in baseline.tsv, which stands beside this script:
#   accuracy  every answer obeys LAW to TOL, judged by impact, whatever the solver says of itself
#   work      the iterations that its answers carry are at most 5 % more than the baseline's, and not none at all
#   time      it takes at most 25 % more processor time than KEPT, both run in turn on this machine, the quickest of each
# Exit status: 0 all hold, 1 one does not, 2 something could not be judged, which is no pass. Lines of TAP say which.
LAW=moreau TOL=1e-6 WORK=1.05 TIME=1.25
: "${IMPACT:=impact}" "${PAIRS:=12}" # the program; how many pairs of runs the time may take
baseline=$(dirname "$0")/baseline.tsv
tab=$(printf '\t')
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
count=0 outcome=0

# verdict STATUS TEXT: a line of TAP; the worst status is that of the gate
verdict() {
    count=$((count + 1))
    [ "$1" = 0 ] && echo "ok $count - $2" || echo "not ok $count - $2"
    [ "$1" -le $outcome ] || outcome=$1
}
# worse A FACTOR B: is A more than FACTOR times B?
worse() { awk -v a="$1" -v f="$2" -v b="$3" 'BEGIN { exit !(a > f * b) }'; }
# iterations SOLVER: of all answers to the class; nothing where one of them says none
iterations() {
    "$IMPACT" solve --exec "$1" --law $LAW --tol $TOL "$work/problems.json" 2> /dev/null |
        grep -o '"iterations":[0-9][0-9]*' | awk -F : -v n="$n" '{ sum += $2 } END { if (NR == n && n > 0) print sum }'
}
# reasons ANSWERS SAID: the first reason that a problem has no answer and the last line that a solver said on standard
# error, beside the lines of impact; or nothing
reasons() {
    why=$(sed -nE 's/.*"reason":"(([^"\\]|\\.)*)".*/first reason: \1/p' "$1" | head -n 1)
    heard=$(grep -v '^impact: ' "$2" | tail -n 1)
    [ -z "$heard" ] || why="${why:+$why; }on standard error: $heard"
    echo "$why"
}
# seconds SOLVER: processor time of one run over the class, its own and its solver's; none where an answer has no impulse:
# it crashed there, hung or gave up, and what the rest took says nothing; $work/why says why
seconds() {
    (
        "$IMPACT" solve --exec "$1" --law $LAW --tol $TOL "$work/problems.json" > "$work/answers" 2> "$work/heard"
        times
    ) | awk 'NR == 2 { gsub("[ms]", " "); print 60 * ($1 + $3) + $2 + $4 }' > "$work/seconds"
    if [ "$(grep -o '"p":\[' "$work/answers" | wc -l)" -eq "$n" ]; then
        cat "$work/seconds"
    else
        why=$(reasons "$work/answers" "$work/heard")
        echo "$1: ${why:-$(tail -n 1 "$work/heard")}" > "$work/why"
        echo none
    fi
}
# quicker A B: the one that is less, a number before none
quicker() { printf '%s\n' "$1" "$2" | sort -n | grep -v none | head -n 1 | grep . || echo none; }

# judged SOLVER: 0 every answer to the class is accepted, 1 one is not, 2 not to be judged; $totals counts them, and $why
# is the first reason that a problem has no answer and the last that the solver said on standard error, or nothing
judged() {
    "$IMPACT" check --exec "$1" --law $LAW --tol $TOL "$work/problems.json" > "$work/said" 2> "$work/totals"
    status=$?
    [ $status -le 2 ] || status=2
    totals=$(tail -n 1 "$work/totals" | sed 's/^impact: //')
    why=$(reasons "$work/said" "$work/totals")
    return $status
}

accuracy() {
    judged "$solver"
    verdict $status "$class: accuracy: $totals"
    [ $status = 0 ] || [ -z "$why" ] || printf '# %s\n' "$why"
    return $status
}

effort() {
    now=$(iterations "$solver")
    if [ -z "$now" ] || [ -z "$before" ]; then
        verdict 2 "$class: work: not every answer has its iterations"
    elif [ "$now" = 0 ] && [ "$before" != 0 ]; then # told nothing, it would pass whatever it costs
        verdict 1 "$class: work: no iterations at all, $before before"
    elif worse "$now" $WORK "$before"; then
        verdict 1 "$class: work: $now iterations, $before before, more than $WORK times that"
    else
        verdict 0 "$class: work: $now iterations, $before before"
    fi
}

# In turn, so that both see the same machine; it ends as soon as the quickest runs are near enough.
duration() {
    ours=none theirs=none pair=0
    while [ $pair -lt $PAIRS ]; do
        pair=$((pair + 1))
        theirs=$(quicker "$(seconds "$kept")" $theirs)
        ours=$(quicker "$(seconds "$solver")" $ours)
        [ "$ours" != none ] && [ "$theirs" != none ] || break
        [ $pair -lt 3 ] || worse "$ours" $TIME "$theirs" || break
    done
    text="$class: time: $ours s, $theirs s before, the quickest of $pair runs each"
    if [ "$ours" = none ] || [ "$theirs" = none ]; then
        verdict 2 "$text: a run left an answer out"
        sed 's/^/# /' "$work/why"
    elif worse "$ours" $TIME "$theirs"; then
        verdict 1 "$text, more than $TIME times that"
    else
        verdict 0 "$text"
    fi
}

# pose: the class's problems, the same ones each time; as JSON, those of one contact too, for answers with iterations
pose() {
    "$IMPACT" problems "$class" -n "$n" --seed "$seed" > "$work/drawn" &&
        "$IMPACT" convert "$work/drawn" "$work/problems.json"
}

[ $# = 2 ] && [ -r "$baseline" ] || { echo "usage: $0 SOLVER KEPT, or --write SOLVER, beside baseline.tsv" >&2; exit 2; }
grep -v '^#' "$baseline" > "$work/classes"
bad=$(grep -Ev "^[^$tab]+$tab[0-9]{1,18}$tab[0-9]{1,9}$tab[0-9]{1,15}\$" "$work/classes" | head -n 1)
[ -z "$bad" ] || { echo "$0: $baseline: \"$bad\", expected a class, and as whole numbers its seed, problems, iterations" >&2; exit 2; }
if [ "$1" = --write ]; then
    while IFS=$tab read -r class seed n before; do
        pose || exit 2
        judged "$2" < /dev/null || { echo "$0: $class: $totals, expected every answer accepted${why:+; $why}" >&2; exit $status; }
        before=$(iterations "$2")
        [ -n "$before" ] || { echo "$0: $class: not every answer has its iterations" >&2; exit 2; }
        printf '%s\t%s\t%s\t%s\n' "$class" "$seed" "$n" "$before"
    done < "$work/classes" > "$work/new" || exit
    [ -s "$work/new" ] || { echo "$0: $baseline: the baseline names no class" >&2; exit 2; }
    { grep '^#' "$baseline"; cat "$work/new"; } > "$work/baseline" && cp "$work/baseline" "$baseline"
    exit
fi
solver=$1 kept=$2
while IFS=$tab read -r class seed n before; do
    if ! pose 2> "$work/totals"; then
        verdict 2 "$class: no problems: $(head -n 1 "$work/totals")"
        continue
    fi
    accuracy < /dev/null || continue # what wrong answers cost says nothing
    effort < /dev/null
    duration < /dev/null
done < "$work/classes"
[ $count -gt 0 ] || verdict 2 'the baseline names no class'
echo "1..$count"
exit $outcome
