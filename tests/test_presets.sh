#!/bin/sh
# What `solve --help` says of every model's settings - names, ranges, presets - is that of tests/presets.txt: a preset
# is part of what users rely on, and its change is reviewed (`tests/test_presets.sh --write`).
cd "$(dirname "$0")/.." || exit 1
impact=${BUILD:-build}/impact
. tests/check.sh

"$impact" models | sed 1d | cut -f 1 | while read -r model; do
    "$impact" solve --model "$model" --help | sed -n '/^Settings of /,$p'
done > "$work/presets.txt"
[ "$1" != --write ] || { cat "$work/presets.txt" > tests/presets.txt; exit; }
check 'settings of every model are those committed' diff tests/presets.txt "$work/presets.txt"
check 'one list a model that has any' test "$(grep -c '^Settings of ' "$work/presets.txt")" -ge 12
echo "1..$count"
