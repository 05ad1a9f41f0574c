#!/bin/sh
# The report program itself: a filter, what it writes, the page's self-containment, bad use.
report=${BUILD:-build}/benchmarks/report
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
count=0
ok() { # ok "name" command...
    count=$((count + 1))
    name=$1
    shift
    if "$@"; then echo "ok $count - $name"; else echo "not ok $count - $name"; fi
}
status() { # status N command...: ends with N; its words in $out/out and $out/err
    want=$1
    shift
    "$@" > "$out/out" 2> "$out/err"
    got=$?
    [ "$got" = "$want" ] || { sed 's/^/# /' "$out/out" "$out/err"; echo "# exit $got, not $want"; return 1; }
}
lines() { [ "$(wc -l < "$2")" -eq "$1" ]; }
no() { ! "$@"; }

ok "two experiments by name" status 0 "$report" "$out/r" P-Tab1 P-Fig2
ok "one line at the end" lines 1 "$out/out"
ok "it counts two experiments" grep -q "report: 2 experiments: .* rows meet numbers printed in a source" "$out/out"
ok "quiet in a pipe" lines 0 "$out/err"
ok "the page names what ran" grep -q 'id="P-Fig2"' "$out/r/index.html"
ok "and nothing else" no grep -q 'id="P-Fig1"' "$out/r/index.html"
ok "pictures are inside" grep -q '<svg id="svg-p_fig2a"' "$out/r/index.html"
ok "data as tables" grep -q "^paper	x3	1.5581" "$out/r/data/p_tab1.tsv"
ok "figures as files" test -s "$out/r/figures/p_fig2a.svg" -a -s "$out/r/figures/p_fig2a.png"
ok "no temporary files" test -z "$(find "$out/r" -name '*.part' -o -name '*.log')"
cp -r "$out/r" "$out/first"
ok "again" status 0 "$report" "$out/r" P-Tab1 P-Fig2
ok "the same bytes" diff -r -x index.html "$out/first" "$out/r"
timeless() { sed '/class="made">commit/d; /class="took"/d' "$1/index.html" > "$1.html"; }
timeless "$out/first"
timeless "$out/r"
ok "the page, too, but for when and how long" cmp "$out/first.html" "$out/r.html"
ok "an unknown experiment" status 2 "$report" "$out/u" P-Tab1 P-Fig99
ok "one line on standard error" lines 1 "$out/err"
ok "nothing on standard output" lines 0 "$out/out"
ok "nothing written" no test -e "$out/u"
ok "no folder named" status 2 "$report"
ok "one line of usage" lines 1 "$out/err"

# The headline is what rows.tsv holds.
rows() { awk -F'\t' -v reference="$1" -v verdict="$2" '$3 == reference && $7 == verdict' "$out/r/rows.tsv" | wc -l; }
headline="$(rows printed pass) rows meet numbers printed in a source, $(rows stated pass) its statements,"
headline="$headline $(rows independent pass) an independent computation, $(rows 'own bound' pass) our own bounds"
ok "the headline equals the rows" grep -q ": $headline, " "$out/first/index.html"
ok "and no row is without a reference" test "$(awk -F'\t' '$3 == ""' "$out/r/rows.tsv" | wc -l)" = 0

# A planted number fails its row: one law's volume fractions in the kept run, 5 per cent up.
root=$PWD
case $report in /*) ;; *) report=$root/$report ;; esac
plant() { # plant FACTOR: a folder to run in
    rm -rf "$out/plant" && mkdir -p "$out/plant/reference/data" && ln -s "$root/benchmarks" "$root/plots" "$out/plant"
    awk -F'\t' -v OFS='\t' -v factor="$1" '$1 == "maxdiss" { $3 *= factor } { print }' \
        reference/data/preclik2017_offcentre.tsv > "$out/plant/reference/data/preclik2017_offcentre.tsv"
}
planted() { (cd "$out/plant" && "$report" r P-Diff); }
plant 1
ok "the kept run as it is" status 0 planted
plant 1.05
ok "a planted difference" status 1 planted
ok "fails that row" grep -q "^P-Diff	volume fraction.*	kept run	.*	fail	" "$out/plant/r/rows.tsv"
ok "and no other" test "$(grep -c '	fail	' "$out/plant/r/rows.tsv")" = 1

# A row without a reference does not compile.
compiles() { ${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -Ilib -Werror -Wall -Wextra -x c -fsyntax-only - > /dev/null 2>&1; }
body() { printf '#include "benchmarks/harness/report.h"\nvoid f(report *r);\nvoid f(report *r) { %s }\n' "$1"; }
says() { body "$1" | compiles; }
ok "a row with a reference compiles" says 'report_count(r, OWN_BOUND, "a count", 7, 7, NULL);'
for row in 'near(r, "q", 1, 1, 1e-3, NULL)' 'printed(r, "q", "1", (double[]){1}, 1, NULL)' 'count(r, "q", 7, 7, NULL)' \
    'at_most(r, "q", 1, 1, NULL)' 'within(r, "q", "1", 1, 0, 2, NULL)' 'judge(r, "q", "a", "a", "", 1, NULL)' \
    'shown(r, "q", "a", "a", NULL)' 'vector(r, "q", (double[]){1}, (double[]){1}, 1, 1e-3, NULL)'; do
    ok "without one report_${row%%(*} does not" no says "report_$row;"
done
echo "1..$count"
