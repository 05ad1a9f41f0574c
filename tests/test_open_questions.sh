#!/bin/sh
# docs/open-questions.md says what its experiments find now: counts, intervals and orders, as the report writes them.
report=${BUILD:-build}/benchmarks/report
. "$(dirname "$0")/check.sh"
case "${BUILD:-build}" in
*san* | *cov*) echo "1..0 # SKIP the experiments are those of the optimised build"; exit 0 ;;
esac
rows=$work/r/rows.tsv page=$work/page
tr -s '\n' ' ' < docs/open-questions.md > "$page"
# found TEXT, over ends of lines, and no part of a longer number
found() {
    TEXT=$1 perl -0ne 'exit !/(?<![0-9.])\Q$ENV{TEXT}\E(?!\.?[0-9])/' "$page" || { echo "not on the page: $1"; return 1; }
}
# ours QUANTITY: what the row that begins with it found
ours() { awk -F'\t' -v begin="$1" 'index($2, begin) == 1 && !n++ { print $5 } END { if (!n) print "nowhere-in-the-report" }' "$rows"; }

check 'the experiments run' "$report" "$work/r" P-Diff P-Order P-Select U-Active U-Stop X-Oblique
# The table of U-Active, from its data: how many have two answers, that share, how far apart, and how many agree.
awk -F'\t' 'FILENAME ~ /rows/ && $1 == "U-Active" && $2 ~ /agree to 1 %/ { name = $2; sub(/:.*/, "", name); sub(/.*: /, "", $5); agree[name] = $5 }
    FILENAME !~ /rows/ && $1 in agree { printf "| %s | %d | %d, %.3f to %.3f | %.2g, %.2g | %s |\n", $1, $2, $3, $4, $5, $6, $7, agree[$1] }' \
    "$rows" "$work/r/data/u_active.tsv" > "$work/active"
check 'U-Active has five rows' test "$(wc -l < "$work/active")" -eq 5
while IFS= read -r line; do
    check "U-Active: $line" grep -qxF -e "$line" docs/open-questions.md
done < "$work/active"
# Orders, each by its interval; two phases without a row of their own stand in one.
awk -F'\t' '($1 == "P-Order" && $2 ~ /order/ && $2 !~ /^ball, slides: / || $1 == "U-Stop" && $2 ~ /^steps: /) { print $1, $2 "\t" $5 }' "$rows" > "$work/orders"
check 'there are orders' test "$(wc -l < "$work/orders")" -ge 19
while IFS="$(printf '\t')" read -r name order; do
    check "$name: $order" found "$order"
done < "$work/orders"
awk -F'\t' '$1 == "P-Diff" && $2 ~ /less Coulomb/ { name = $2; sub(/[,:].*/, "", name); print name "\t" $5 }' "$rows" > "$work/differences"
check 'P-Diff has eight values' test "$(wc -l < "$work/differences")" -eq 8
while IFS="$(printf '\t')" read -r name difference; do
    check "P-Diff, $name: $difference" found "| $difference % |"
done < "$work/differences"
for quantity in 'Table 1 at' 'a map of approaches, those with three solutions: x1'; do
    check "P-Select, $quantity" found "x1 in $(ours "$quantity")"
done
check 'P-Select, at random' found "x1 in $(ours 'stiffness, dissipation, transition speed and approach at random: x1' | cut -d ' ' -f 1)"
check 'X-Oblique: sliding' found "yes, to $(printf %.4f "$(ours '39.4° to 60.0°: rigid off')")"
check 'X-Oblique: 20 degrees' found "off by $(ours '20.0°: the nearest of all rigid')"
check 'X-Oblique: below 10 degrees' found "by up to $(ours 'the same below 10°')"
echo "1..$count"
