#!/bin/sh
# Every program of benchmarks, and of peers where one is built, says what it is by --help, what it knows by --list, and
# refuses what it does not take: one line, exit status 2, nothing done.
. "$(dirname "$0")/check.sh"
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=$(cd "${BUILD:-build}" && pwd) || exit 1
cd "$work" || exit 1
ulimit -t 60 # s of each program, should one not end

# said PROGRAM ARGUMENTS: its exit status in $status, what it says in out and err
said() {
    "$@" > out 2> err < /dev/null
    status=$?
}
# complained: exit 2, nothing in out, one line "PROGRAM: ..." in err; without a process, since it is asked hundreds of times
complained() {
    line= more=
    [ "$status" = 2 ] && [ ! -s out ] && { IFS= read -r line && ! IFS= read -r more && [ -z "$more" ]; } < err || return 1
    case $line in "$own: "*) ;; *) return 1 ;; esac
}
# refused NAME PROGRAM ARGUMENTS
refused() {
    what=$1
    shift
    said "$@"
    check "$what" complained
}
helps() { [ $status = 0 ] && [ ! -s err ] && head -1 out | grep -q "^usage: $own" && grep -q '^Options:$' out && [ "$(wc -l < out)" -ge 6 ]; }
lists() { [ $status = 0 ] && [ ! -s err ] && [ -s out ] && ! cut -f1 out | sort | uniq -d | grep -q .; }

for source in "$root"/benchmarks/*.c; do
    [ -x "$build/benchmarks/$(basename "$source" .c)" ] || echo "$source"
done > missing
check 'every program of benchmarks is built' test ! -s missing
for program in "$root"/benchmarks/*.c "$build"/peers/*; do
    case $program in *.c) program=${program##*/} program=$build/benchmarks/${program%.c} ;; esac
    [ -f "$program" ] && [ -x "$program" ] || continue
    file=$(basename "$program")
    own=$file
    case $program in
    */peers/steps-*) own=steps ;;
    */peers/siconos | */peers/simbody | */peers/liggghts) ;;
    */peers/*) own=peers ;;
    esac
    said "$program" --help
    check "$file: --help" helps
    cp out help
    if grep -q '^  --list ' help; then
        said "$program" --list
        check "$file: --list" lists
    else
        refused "$file: nothing to list" "$program" --list
    fi
    refused "$file: an unknown option" "$program" --no-such-option
    refused "$file: help for a full device" sh -c '"$1" --help > /dev/full' sh "$program"
    arguments=$(sed -n "1s/^usage: $own *//p" help)
    case $arguments in
    DIR*) refused "$file: an unknown name" "$program" folder no-such-name ;;
    FOLDER) refused "$file: no folder" "$program" ;;
    *) refused "$file: an unknown word" "$program" no-such-word ;;
    esac
    case $arguments in
    *COUNT\] | *COUNT\]\ * | \[COUNT*) for number in 0 nan '' ${LONG:+-1 1e99 1.5}; do refused "$file: COUNT is '$number'" "$program" "$number"; done ;;
    \[SIDE* | \[CONTACTS* | \[JOINTS*) for number in 0 1e99 1.5; do refused "$file: $number of them" "$program" $number; done ;;
    esac
done
refused_by() { # NAME ARGUMENTS: of that program
    own=$1
    shift
    refused "$own: $*" "$build/benchmarks/$own" "$@"
}
for option in --json --only --kernel; do refused_by gate $option; done
refused_by gate one two
refused_by gate --kernel none-such
refused_by answers --count
refused_by answers --count 0
refused_by answers --write no/such/folder
for option in --exec --plugin --law --tol --time-limit --memory-limit; do refused_by bench_matrix $option; done
refused_by bench_matrix --tol -1
refused_by bench_matrix --exec a --law b --law c
refused_by fclib --tol 0
refused_by fclib --made --only autoo
check 'the nearest name' grep -q '"autoo" (did you mean "auto"?)' err
refused_by report folder SCALE=half
rm -f missing help out err said
check 'and nothing is left' test -z "$(ls -A)"
echo "1..$count"
