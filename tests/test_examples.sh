#!/bin/sh
# Each program of examples/ that says what it prints is built against the library, runs, and prints that.
[ -z "$SAN$COV$MSAN" ] || { echo '1..0 # SKIP users link the plain build'; exit; }
. "$(dirname "$0")/program.sh"
. "$root/tests/said.sh"
CC=${CC:-gcc}
case $CC in *clang*) CXX=${CXX:-clang++} ;; *) CXX=${CXX:-g++} ;; esac
strict='-Wall -Wextra -Wpedantic -Werror'

for source in "$root"/examples/*.c "$root"/examples/*.cpp "$root"/examples/*.sh; do
    said "$source" > want
    [ -s want ] || continue
    name=${source##*/}
    case $name in
    *.sh) run="sh $source $program" ;;
    *.cpp) run=./example compiler="$CXX -std=c++11" ;;
    *) run=./example compiler="$CC -std=c11" ;;
    esac
    case $name in *.cpp) command -v "$CXX" > /dev/null || { echo "ok $((count += 1)) - $name # SKIP no $CXX"; continue; } ;; esac
    case $name in audit.sh) command -v python3 > /dev/null || { echo "ok $((count += 1)) - $name # SKIP no python3"; continue; } ;; esac
    if [ "$run" = ./example ]; then
        # shellcheck disable=SC2086
        $compiler $strict -I"$root/lib" "$source" "${program%/impact}/libimpact.a" $LIBS -o example 2> err || : > out
    fi
    $run > out 2>> err && cmp -s want out
    verdict "$name" $?
    rm -f example
done
[ "$count" -ge 11 ]
verdict 'there are examples' $?
echo "1..$count"
