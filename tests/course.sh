# course.sh - for the tests of `impact simulate` from impact to impact, which read it after program.sh: what its tables say.

# within A B MOST: |A - B| <= MOST
within() {
    awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { d = a - b; exit !(d <= most && -d <= most && a != "") }'
}
# of VARIANT [OPTION]...: of $scene, to out, bodies.tsv and contacts.tsv
of() {
    variant=$1
    shift
    impact simulate --model poisson --variant "$variant" --bodies bodies.tsv --contacts contacts.tsv "$@" "$scene"
}
# when EVENT [COUNT]: the time of the last of that name, or of that one
when() {
    awk -F "$tab" -v event="$1" -v count="$2" '$2 == event && (count == "" || ++n == count) { t = $1 } END { print t }' out
}
# events [FILE]: of all rows
events() {
    awk -F "$tab" 'NR > 1 { printf "%s%s", (NR == 2 ? "" : " "), $2 }' "${1:-out}"
}
# Kinetic and potential energy change by what impacts and friction take.
balance() {
    awk -F "$tab" 'NR > 2 { d = before - $10 - $7 - $8; worst = d > worst ? d : -d > worst ? -d : worst } { before = $10 }
        END { exit !(NR > 2 && worst <= 2e-9) }' out
}
