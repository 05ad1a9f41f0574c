#!/bin/sh
# The audits, with fewer problems: every answer certified; bad use is one line and exit 2.
audit=$BUILD/benchmarks/audit
count=400000
[ -n "$SAN" ] && count=40000
[ -n "$COV" ] && count=40000
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

if "$audit" $count >"$out/table" 2>"$out/errors"; then echo "ok 1 - $count random problems solved and certified"
else echo "not ok 1 - $count random problems solved and certified"; fi
sed 's/^/# /' "$out/table"
sed 's/^/# /' "$out/errors" | head -20

rows=$(grep -c -v -e '^class' -e '^pass' -e '^FAIL' "$out/table")
[ "$rows" -eq 16 ] && echo "ok 2 - in all 16 classes" || echo "not ok 2 - in all 16 classes, not $rows"

refuses() {
    "$audit" $2 >"$out/stdout" 2>"$out/stderr"
    status=$?
    if [ $status -eq 2 ] && [ ! -s "$out/stdout" ] && [ "$(wc -l <"$out/stderr")" -eq 1 ]; then echo "ok $1 - refuses $2"
    else echo "not ok $1 - refuses $2 (exit $status)"; fi
}
refuses 3 "10 no-such-class"
refuses 4 "-3"
refuses 5 "10x"
audit=${audit}_coulomb
if "$audit" $((count / 4)) >"$out/table" 2>"$out/errors"; then echo "ok 6 - the batch of Coulomb solutions finds what the search finds"
else echo "not ok 6 - the batch of Coulomb solutions finds what the search finds"; fi
sed 's/^/# /' "$out/table" "$out/errors"
refuses 7 "-3"
refuses 8 "10x"
audit=${audit%_coulomb}_convex
if "$audit" $((count / 100)) 300 >"$out/table"; then echo "ok 9 - the convex model solves loose bodies, masses a million apart"
else echo "not ok 9 - the convex model solves loose bodies, masses a million apart"; fi
sed 's/^/# /' "$out/table"
refuses 10 "0"
refuses 11 "10 10x"
refuses 12 "10 10 -1"
refuses 13 "10 10 10 10"
echo 1..13
