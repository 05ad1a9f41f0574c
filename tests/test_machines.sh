#!/bin/sh
# Small problems need no BLAS, whose buffers are asked for without end where there is no memory; and the program that
# holds answers of one machine against another's notices when they differ.
. "$(dirname "$0")/check.sh"
build="${BUILD:-build}"
# A box of 1 kg on three points.
cat >"$work/box.json" <<'END'
{"bodies": [{"name": "box", "mass": 1, "inertia": [0.2, 0.2, 0.2], "position": [0, 0, 0.5], "velocity": [1, 0, -1]}],
 "contacts": [{"a": "ground", "b": "box", "point": [0.5, 0.5, 0], "normal": [0, 0, 1], "mu": 0.3},
              {"a": "ground", "b": "box", "point": [-0.5, 0.5, 0], "normal": [0, 0, 1], "mu": 0.3},
              {"a": "ground", "b": "box", "point": [0, -0.5, 0], "normal": [0, 0, 1], "mu": 0.3}]}
END
for model in drumwright anitescu plus frictionless auto; do
    case "$build" in
    *san* | *cov*) echo "ok $((count += 1)) - $model # SKIP sanitizers and counters need more memory"; continue ;;
    esac
    friction=0.3
    [ $model = frictionless ] && friction=0
    sed "s/\"mu\": 0.3/\"mu\": $friction/g" "$work/box.json" >"$work/in.json"
    check "$model solves three contacts in 80 MB" sh -c \
        "ulimit -v 80000; OPENBLAS_NUM_THREADS=1 exec timeout 60 '$build/impact' solve --model $model -o '$work/out.json' '$work/in.json'"
    check 'and says ok' grep -q '"status": *"ok"' "$work/out.json"
done
answers="$build/benchmarks/answers"
check 'answers are kept' "$answers" --count 20 --write "$work/kept"
check 'and are the same again' "$answers" --count 20 --against "$work/kept"
# One bit of the last impulse (auto on a hundred contacts).
size=$(wc -c <"$work/kept")
last=$(tail -c 8 "$work/kept" | od -An -tu1 | awk '{print $1}')
# shellcheck disable=SC2059
printf "\\$(printf %o $((last ^ 1)))" | dd of="$work/kept" bs=1 seek=$((size - 8)) conv=notrunc 2>"$work/dd"
"$answers" --count 20 --against "$work/kept" >"$work/table"
check 'one other bit breaks the promise' test $? -eq 1
check 'of that model alone' test "$(grep BROKEN "$work/table" | awk '{print $1}')" = auto
"$answers" --count 40 --against "$work/kept" >"$work/table" 2>"$work/said"
check 'another number of answers is refused' test $? -eq 2
"$answers" --against "$work/none" >"$work/table" 2>"$work/said"
check 'a missing file is refused' test $? -eq 2
sed -n '/^## What is promised/,/^## What was/p' docs/machines.md >"$work/promised"
for model in $("$build/impact" solve --help | sed -n '/^Models:/,$s/^  \([a-z][a-z-]*\)  .*/\1/p'); do
    check "$model's promise is written down" grep -q "^| .*\`$model\`" "$work/promised"
done
echo "1..$count"
