#!/bin/sh
# `impact solve` on a table goes through the batch solver: the answers of the same problems one by one, in their order.
impact="${BUILD:-build}/impact"
. "$(dirname "$0")/check.sh"
# 700 problems, two of the program's blocks of rows and a rest; every 50th opens, every 70th rests, every 90th has mu = 0;
# some ids are long
awk 'BEGIN {
    print "id\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3\te"
    long = "x"
    while (length(long) < 4000) long = long long
    for (i = 0; i < 700; i++) {
        q = i % 50 == 49 ? 1 : i % 70 == 69 ? 0 : -1 - (i % 7) / 8
        printf "%s\t%.17g\t2\t%.17g\t%.17g\t3\t%.17g\t%.17g\t%g\t%.17g\t%.17g\t%g\n", (i % 6 == 5 ? i long : i), (i % 90 ? (i % 11) / 8 : 0), sin(i), cos(i), \
            sin(3 * i) / 2, 4 + cos(2 * i), q, 3 * sin(5 * i), 3 * cos(7 * i), (i % 4 ? 0 : (i % 9) / 8)
    }
}' >"$work/in.tsv"
awk -F '\t' 'BEGIN { print "[" } NR > 1 {
    printf "%s{\"id\": \"%s\", \"W\": [[%s,%s,%s],[%s,%s,%s],[%s,%s,%s]], \"q\": [%s,%s,%s], \"mu\": [%s], \"e\": [%s]}", (NR > 2 ? ",\n" : ""), \
        $1, $3, $4, $5, $4, $6, $7, $5, $7, $8, $9, $10, $11, $2, $12
} END { print "]" }' "$work/in.tsv" >"$work/in.json"
"$impact" solve --model maxdiss "$work/in.tsv" >"$work/out.tsv"
check 'a table of 700 rows is solved' test $? -eq 0
"$impact" solve --model maxdiss "$work/in.json" >"$work/out.json"
check 'and the same problems as JSON' test $? -eq 0
# id, p and u of both, in the order of the input
awk -F '\t' 'NR > 1 { print $1, $3 + 0, $4 + 0, $5 + 0, $6 + 0, $7 + 0, $8 + 0 }' OFMT=%.17g CONVFMT=%.17g "$work/out.tsv" >"$work/rows"
sed -n 's/^\[\{0,1\}{"id":"\([^"]*\)".*"p":\[\([^]]*\)\],"u":\[\([^]]*\)\].*/\1,\2,\3/p' "$work/out.json" |
    awk -F , '{ print $1, $2 + 0, $3 + 0, $4 + 0, $5 + 0, $6 + 0, $7 + 0 }' OFMT=%.17g CONVFMT=%.17g >"$work/objects"
check 'all rows are there' test "$(wc -l <"$work/rows")" -eq 700
check 'with the same ids, impulses and velocities' cmp -s "$work/rows" "$work/objects"
check 'and residuals at rounding' awk -F '\t' 'NR > 1 && !($10 != "" && $10 + 0 <= 1e-14) { exit 1 }' "$work/out.tsv"
mkdir "$work/failed"
"$impact" solve --model maxdiss --dump-failed "$work/failed" "$work/in.tsv" | cut -f 1-9 >"$work/single"
cut -f 1-9 "$work/out.tsv" >"$work/batch"
check 'row by row (--dump-failed) the same text but for the residual' cmp -s "$work/single" "$work/batch"
# near a singular W rounding decides the path: the table says what the problem alone says, never ok
printf 'id\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3\te\na\t0.21741710271956616\t1.5668856751220044e-09\t-6781.0092235402481\t-2.3275881907113243e-09\t52428464561986856\t-3509.7933860923886\t1.1555323833162184e-08\t-21669.968961601429\t-0.045182515812595365\t-9.058540463212168\t0.86394724817707391\n' >"$work/far.tsv"
"$impact" solve --model darboux-stronge "$work/far.tsv" >"$work/far"
check 'a row whose certificate does not hold is exit 1' test $? -eq 1
check 'with the status not-certified' grep -q '^a	not-certified	' "$work/far"
awk -F '\t' 'NR == 1 || NR == 40' "$work/in.tsv" | awk -F '\t' -v OFS='\t' 'NR == 2 { for (i = 3; i < 9; i++) $i *= 1e-150; for (i = 9; i < 12; i++) $i *= 1e200 } 1' \
    OFMT=%.17g CONVFMT=%.17g >"$work/huge.tsv"
"$impact" solve --model maxdiss "$work/huge.tsv" >"$work/huge"
check 'an unsolved row is exit 1' test $? -eq 1
check 'with the status overflow' grep -q '	overflow	' "$work/huge"
"$impact" solve --model maxdiss --dump-failed "$work/failed" "$work/huge.tsv" >"$work/single"
check 'and the same text row by row' cmp -s "$work/single" "$work/huge"
# the Darboux-Keller batch agrees with the solver for one contact to rounding, not to the bit
for law in stronge poisson newton; do
    "$impact" solve --model "darboux-$law" "$work/in.tsv" >"$work/out.tsv"
    check "darboux-$law: a table of 700 rows is solved" test $? -eq 0
    "$impact" solve --model "darboux-$law" --dump-failed "$work/failed" "$work/in.tsv" >"$work/single"
    check "darboux-$law: as row by row, to 1e-12" awk -F '\t' '
        function far(a, b) { return a - b > 1e-12 * size || b - a > 1e-12 * size }
        NR == FNR { row[NR] = $0; next }
        { split(row[FNR], one); size = 1 + $3
          for (k = 3; FNR > 1 && k < 10; k++) if (far($k, one[k])) exit 1
          if ($1 != one[1] || $2 != one[2]) exit 1 }
        END { if (FNR != 701) exit 1 }' "$work/single" "$work/out.tsv"
    check "darboux-$law: residuals at rounding" awk -F '\t' 'NR > 1 && !($10 != "" && $10 + 0 <= 1e-13) { exit 1 }' "$work/out.tsv"
done
# so does the batch of Coulomb solutions; every row without restitution here, and 60 problems that have three solutions
awk -F '\t' -v OFS='\t' 'NR > 1 { $12 = 0 } 1
    END { for (i = 0; i < 60; i++) print "three" i, 3.7, 0.8619907007924331 + i * 1e-5, 0.06728378728753967, 0.21418622456684303, \
        0.7204236485359465, 0.016803312596771158, 0.0575660138703038, -0.05993709905167472, 0.7120527367338957, 0.04503143398862389, 0 }
    ' OFMT=%.17g CONVFMT=%.17g "$work/in.tsv" >"$work/many.tsv"
for choice in most-dissipative middle least-dissipative zero-first slip-slowest slip-fastest; do
    "$impact" solve --model coulomb --choice "$choice" "$work/many.tsv" >"$work/out.tsv"
    check "coulomb, $choice: a table of 760 rows is solved" test $? -eq 0
    "$impact" solve --model coulomb --choice "$choice" --dump-failed "$work/failed" "$work/many.tsv" >"$work/single"
    cut -f 1-9 "$work/single" >"$work/one"
    check "coulomb, $choice: row by row the same text but for the residual" sh -c "cut -f 1-9 '$work/out.tsv' | cmp -s - '$work/one'"
    check "coulomb, $choice: all rows" test "$(wc -l <"$work/out.tsv")" -eq 761
    check "coulomb, $choice: residuals at rounding" awk -F '\t' 'NR > 1 && !($10 != "" && $10 + 0 <= 1e-13) { exit 1 }' "$work/out.tsv"
    awk -F '\t' '/^three/ { print $3 }' "$work/out.tsv" | sort -u >"$work/choice-$choice"
done
check 'and the choice matters' test "$(cat "$work"/choice-* | sort -u | wc -l)" -ge 120
"$impact" solve --model coulomb "$work/in.tsv" >"$work/out.tsv"
check 'restitution is not for coulomb: exit 1' test $? -eq 1
check 'and unsupported in these rows alone' awk -F '\t' 'NR == FNR { e[$1] = $12; next }
    FNR > 1 && ($2 == "unsupported") != (e[$1] > 0) { exit 1 }' "$work/in.tsv" "$work/out.tsv"
echo "1..$count"
