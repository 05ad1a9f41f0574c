#!/bin/sh
# run.sh FUZZ IMPACT SECONDS FOLDER [TARGET ...]: libFuzzer (the program FUZZ) on each reader, or those that are named, for
# that long, from files of the project, such as the program IMPACT writes, and fuzz/corpus (corpus.sh). What it learns stays in FOLDER/TARGET, for
# the next time; what it finds, as FOLDER/TARGET-*. An input may take 10 seconds and 2 GB (TIMEOUT=10). SEED=1:
# the same draws each time. Exit 1: it found something; 2: it could not be run.
fuzz=$(realpath "$1") impact=$(realpath "$2") seconds=$3 folder=$4
shift 4
root=$(cd "$(dirname "$0")/.." && pwd)
targets=${*:-$("$fuzz" --list)}
[ "$targets" ] || exit 2
outcome=0

# seeds TARGET: in this folder, files to begin with; none larger than MOST bytes
MOST=30000
seeds() {
    case $1 in
    problem)
        for class in bodies redundant wedges singular; do
            "$impact" problems $class -n 2 --seed 1 -o $class.json && "$impact" problems $class -n 2 --seed 2 -o $class.jsonl || return
        done
        for class in sphere impact-thin; do
            "$impact" problems $class -n 3 --seed 3 -o $class.tsv || return
        done
        for n in 0 1; do
            "$impact" problems bodies -n 1 --seed $n -o one.json && "$impact" convert one.json one$n.hdf5 || return
        done
        cp "$root"/benchmarks/scenes/*-problem.json . || return
        ;;
    solution)
        for class in sphere bodies; do
            "$impact" problems $class -n 2 --seed 1 -o to-solve
            "$impact" solve --model auto to-solve > $class || return
            rm -f to-solve
        done
        "$impact" problems bodies -n 2 --seed 1 -o to-solve
        "$impact" solve --model plus --path to-solve > path || return
        rm -f to-solve
        ;;
    scene) cp "$root"/benchmarks/scenes/*.json . && rm -f ./*-problem.json || return ;;
    flow) cp "$root"/benchmarks/flows/*.json . || return ;;
    settings)
        printf 'bodies.ball.mass=2\ntheta_max=0.1\nground=[{"point": [0, 0, 1]}]\n' > lines
        for model in $("$impact" models | tail -n +2 | cut -f 1); do
            "$impact" solve --model "$model" --help | sed -n '/^Settings of/,$s/^  \([a-z_]*\) .*/\1=1/p'
        done | sort -u > keys && [ -s keys ] || return
        ;;
    protocol)
        echo '{"id": "1", "p": [1, 0, 0, 1, 0, 0], "status": "ok", "iterations": 3, "residual": 1e-9}' > answer
        ;;
    replay) # of each set, behind its number: a corner that falls and leaves again
        { echo '0i,vx0,vy0,om0,vx1,vy1,om1,n_x,n_y,n_th,d_x,d_y,d_th' && echo '1,1,-2,3,0.7,1,2,0,1,0.01,1,0,0.03'; } > rows
        perl -e 'print "1CUBE0001", pack "V3 f<*", 1, 13, 20, map { $t = ($_ - 9.5) / 148; $v = $t < 0 ? -1.5 : 0.7;
            (0, 0, 0.0908 + $v * $t - 4.905 * $t * $t, 0.8881, 0.3251, -0.3251, 0, 0, 0, $v - 9.81 * $t, 0, 0, 0) } 0 .. 19' > solid
        perl -e 'print "2SQRD0001", pack "V3 f<*", 1, 6, 20, map { $t = ($_ - 9.5) / 250; $v = $t < 0 ? -1.5 : 0.7;
            (0, 0.0424 + $v * $t - 4.905 * $t * $t, 0.785, 0, $v - 9.81 * $t, 0) } 0 .. 19' > plane
        ;;
    kept)
        "$impact" sweep --over material.friction=0.1,0.2 --keep all "$root/benchmarks/scenes/ball.json" > table || return
        tail -n +2 all > records && rm -f all
        ;;
    esac
    printf '\020\001aaaaaaaa' > bytes
    echo '{}' > object
    find . -size +${MOST}c -type f -exec rm {} +
}
# words FILE: libFuzzer's dictionary, of the keys that stand in files of the project
words() {
    cat "$root"/benchmarks/scenes/*.json "$root"/benchmarks/flows/*.json "$root"/lib/io/*.[ch] "$root"/scene/*.[ch] |
        grep -o '"[a-z_]*"' | sort -u | sed 's/"\(.*\)"/"\\"\1\\""/' > "$1"
}

# libhdf5 asks for as much as a damaged file says, and takes no for an answer.
export ASAN_OPTIONS="allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export LSAN_OPTIONS="suppressions=$root/tests/leaks.supp:print_suppressions=0"
mkdir -p "$folder" && folder=$(cd "$folder" && pwd) && words "$folder/words" || exit 2
for target in $targets; do
    mkdir -p "$folder/$target" && if [ -f "$root/fuzz/corpus/$target.tar.gz" ]; then
        tar -xzf "$root/fuzz/corpus/$target.tar.gz" -C "$folder/$target" || exit 2
    fi
    (cd "$folder/$target" && seeds "$target") > "$folder/$target.log" 2>&1 ||
        { echo "$target: no files to begin with: $folder/$target.log" >&2 && exit 2; }
    "$fuzz" "--target=$target" -dict="$folder/words" -max_total_time="$seconds" -max_len=$MOST -seed="${SEED:-0}" \
        -timeout="${TIMEOUT:-10}" -rss_limit_mb=2048 -keep_seed=1 -use_value_profile=1 -print_final_stats=1 \
        -artifact_prefix="$folder/$target-" "$folder/$target" > "$folder/$target.log" 2>&1
    case $? in
    0)
        sed -n "s/^stat::number_of_executed_units: */$target: nothing found, inputs: /p" "$folder/$target.log" | grep . ||
            { echo "$target: no input was run: $folder/$target.log" >&2 && exit 2; }
        ;;
    2) cat "$folder/$target.log" >&2 && exit 2 ;;
    *)
        echo "$target: something found, $(ls "$folder/$target"-* 2> /dev/null | tail -n 1); $folder/$target.log"
        outcome=1
        ;;
    esac
done
exit $outcome
