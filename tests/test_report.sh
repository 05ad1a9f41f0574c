#!/bin/sh
# The report program itself: a filter, what it writes, the page's self-containment, bad use.
report=${BUILD:-build}/benchmarks/report
. "$(dirname "$0")/check.sh"
status() { # status N command...: ends with N; its words in $work/out and $work/err
    want=$1
    shift
    "$@" > "$work/out" 2> "$work/err"
    got=$?
    [ "$got" = "$want" ] || { sed 's/^/# /' "$work/out" "$work/err"; echo "# exit $got, not $want"; return 1; }
}
lines() { [ "$(wc -l < "$2")" -eq "$1" ]; }
no() { ! "$@"; }

check "two experiments by name" status 0 "$report" "$work/r" P-Tab1 P-Fig2
check "one line at the end" lines 1 "$work/out"
check "it counts two experiments" grep -q "report: 2 experiments: .* rows meet numbers printed in a source" "$work/out"
check "quiet in a pipe" lines 0 "$work/err"
check "the page names what ran" grep -q 'id="P-Fig2"' "$work/r/index.html"
check "and nothing else" no grep -q 'id="P-Fig1"' "$work/r/index.html"
check "pictures are inside" grep -q '<svg id="svg-p_fig2a"' "$work/r/index.html"
check "data as tables" grep -q "^paper	x3	1.5581" "$work/r/data/p_tab1.tsv"
check "figures as files" test -s "$work/r/figures/p_fig2a.svg" -a -s "$work/r/figures/p_fig2a.png"
check "no temporary files" test -z "$(find "$work/r" -name '*.part' -o -name '*.log')"
cp -r "$work/r" "$work/first"
check "again" status 0 "$report" "$work/r" P-Tab1 P-Fig2
check "the same bytes" diff -r -x index.html "$work/first" "$work/r"
timeless() { sed '/class="made">commit/d; /class="took"/d' "$1/index.html" > "$1.html"; }
timeless "$work/first"
timeless "$work/r"
check "the page, too, but for when and how long" cmp "$work/first.html" "$work/r.html"
check "an unknown experiment" status 2 "$report" "$work/u" P-Tab1 P-Fig99
check "one line on standard error" lines 1 "$work/err"
check "nothing on standard output" lines 0 "$work/out"
check "nothing written" no test -e "$work/u"
check "no folder named" status 2 "$report"
check "one line of usage" lines 1 "$work/err"
report=$(cd "$(dirname "$report")" && pwd)/report root=$PWD
for word in P-Tab1 SCALE=full; do
    check "$word where a folder was to be" status 2 timeout 5 env --chdir="$work" "$report" "$word"
    check "one line says so" grep -q "^report: no folder before \"$word\"" "$work/err"
    check "one line says so" lines 1 "$work/err"
    check "and no such folder" no test -e "$work/$word"
done

# The headline is what rows.tsv holds.
rows() { awk -F'\t' -v reference="$1" -v verdict="$2" '$3 == reference && $7 == verdict' "$work/r/rows.tsv" | wc -l; }
headline="$(rows printed pass) rows meet numbers printed in a source, $(rows stated pass) its statements,"
headline="$headline $(rows independent pass) an independent computation, $(rows 'own bound' pass) our own bounds"
check "the headline equals the rows" grep -q ": $headline, " "$work/first/index.html"
check "and no row is without a reference" test "$(awk -F'\t' '$3 == ""' "$work/r/rows.tsv" | wc -l)" = 0

# A planted number fails its row: one law's volume fractions in the kept run, 2 per cent up: less than the 3 that are negligible, but seen.
plant() { # plant FACTOR: a folder to run in
    rm -rf "$work/plant" && mkdir -p "$work/plant/reference/data" && ln -s "$root/benchmarks" "$root/plots" "$work/plant"
    awk -F'\t' -v OFS='\t' -v factor="$1" '$1 == "maxdiss" { $3 *= factor } { print }' \
        reference/data/preclik2017_offcentre.tsv > "$work/plant/reference/data/preclik2017_offcentre.tsv"
}
planted() { (cd "$work/plant" && "$report" r P-Diff); }
if [ -n "$LONG" ]; then # of the planted one no other row fails
    plant 1
    check "the kept run as it is" status 0 planted
fi
plant 1.02
check "a planted difference" status 1 planted
check "fails that row" grep -q "^P-Diff	volume fraction.*	kept run	.*	fail	" "$work/plant/r/rows.tsv"
check "and no other" test "$(grep -c '	fail	' "$work/plant/r/rows.tsv")" = 1

# A row without a reference does not compile.
compiles() { ${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -Ilib -Werror -Wall -Wextra -x c -fsyntax-only - > /dev/null 2>&1; }
body() { printf '#include "benchmarks/harness/report.h"\nvoid f(report *r);\nvoid f(report *r) { %s }\n' "$1"; }
says() { body "$1" | compiles; }
check "a row with a reference compiles" says 'report_count(r, OWN_BOUND, "a count", 7, 7, NULL);'
for row in 'near(r, "q", 1, 1, 1e-3, NULL)' 'printed(r, "q", "1", (double[]){1}, 1, NULL)' 'count(r, "q", 7, 7, NULL)' \
    'at_most(r, "q", 1, 1, NULL)' 'within(r, "q", "1", 1, 0, 2, NULL)' 'judge(r, "q", "a", "a", "", 1, NULL)' \
    'shown(r, "q", "a", "a", NULL)' 'vector(r, "q", (double[]){1}, (double[]){1}, 1, 1e-3, NULL)'; do
    check "without one report_${row%%(*} does not" no says "report_$row;"
done
echo "1..$count"
