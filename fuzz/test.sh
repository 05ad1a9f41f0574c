#!/bin/sh
# make fuzz-test: run.sh: readers with a mistake each (fuzz/planted.c) are found out, those without are not; what it cannot run is a
# line.
. "$(dirname "$0")/../tests/program.sh"
if ! echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' |
    clang -x c - -fsanitize=fuzzer,address -o none 2> /dev/null; then
    echo '1..0 # SKIP no clang with libFuzzer'
    exit
fi
clang -std=c11 -g -O1 -D_GNU_SOURCE -I"$root" -I"$root/lib" -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    "$root"/fuzz/fuzz.c "$root"/fuzz/planted.c "$root"/lib/io/json_load.c "$root"/lib/io/json_write.c "$root"/lib/io/error.c \
    -ljansson -lm -o planted > out 2> err
verdict 'it builds' $?
# run SECONDS TARGET...: from a file in which nothing is wrong
run() {
    seconds=$1
    shift
    for target in "$@"; do
        mkdir -p "found/$target" &&
            echo '{"most_sweeps": 1, "split": 2, "until": 3, "sweeps": 4, "step": 1}' > "found/$target/begin"
    done
    TIMEOUT=1 ASAN_OPTIONS='' sh "$root/fuzz/run.sh" ./planted "$program" "$seconds" found "$@" > out 2> err
}
for target in overread leak undefined hang broken; do
    run 60 $target
    [ $? = 1 ] && grep -q "^$target: something found, .*/found/$target-[a-z]*-[0-9a-f]*; " out &&
        ! ./planted --target=$target -timeout=1 found/$target-*-* > err 2>&1
    verdict "a reader's mistake is found in a minute, and again in the file that is left: $target" $?
done
run 1 sound && grep -Eq '^sound: nothing found, inputs: [0-9]{3,}$' out
verdict 'nothing is found in a reader without' $?
run 1 nothing
[ $? = 2 ] && grep -q '^fuzz: expected --list, or --target=NAME' err
verdict 'refused: a reader that is not there' $?
[ "$(./planted --list | tr '\n' ' ')" = 'overread leak undefined hang broken sound ' ]
verdict 'its readers are listed' $?
echo "1..$count"
