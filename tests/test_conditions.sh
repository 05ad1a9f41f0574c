#!/bin/sh
# What `make conditions` says of a house with one room whose tests leave a condition that was never seen to decide: its
# figures, and a list of exceptions that is right, too long, without a reason, or of another source.
root=$(cd "$(dirname "$0")/.." && pwd)
CC=
for n in 18 19 20 21 22; do
    command -v clang-$n > /dev/null && command -v llvm-cov-$n > /dev/null && command -v llvm-profdata-$n > /dev/null && CC=clang-$n
done
[ -n "$CC" ] || { echo "1..0 # SKIP no clang from 18 on, with its llvm-cov and llvm-profdata"; exit; }
export CC
. "$root/tests/check.sh"
mkdir -p "$work/house/lib/toy" "$work/house/tests" "$work/house/out/tests" && cd "$work/house" || exit 1
cat > lib/toy/toy.h <<'END'
static inline int inside(int x) {
    return x > 0 && x < 9;
}
END
cat > lib/toy/toy.c <<'END'
#include "toy.h"
int toy(int x, int y);
int toy(int x, int y) {
    if (x > 3 ||
        y > 3)
        return 2;
    return inside(x);
}
END
# Two tests with an object each: the one shows y > 3 and inside's x > 0, the other x > 3.
for test in 0 1; do
    cat > main.c <<END
int toy(int x, int y);
int main(void) {
    return $test ? toy(4, 0) + toy(1, 0) == 3 ? 0 : 1 : toy(1, 4) + toy(1, 0) + toy(-1, 0) == 3 ? 0 : 1;
}
END
    $CC -O0 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -Ilib/toy main.c lib/toy/toy.c -o out/tests/test_$test || exit 1
done
run() {
    rm -rf out/profiles
    for test in "$@"; do LLVM_PROFILE_FILE=out/profiles/%m.profraw out/tests/test_$test || exit 1; done
}
say() { perl "$root/tests/conditions.pl" out lib/toy > said 2> complained; }
row() { awk '$1 == "lib/toy" { print $2, $3, $4, $5 }' said; }
cannot() { printf 'lib/toy/toy.h\t%s\t%s\t%s\n' "$1" "$2" "$3" > tests/conditions.tsv; }

run 0 1
: > tests/conditions.tsv && say
check 'a condition that was not seen to decide fails' test $? -eq 1 -a "$(row)" = '2 4 3 0'
check 'it alone' grep -qx 'make conditions: lib/toy/toy.h:2: condition 2 is not shown: return x > 0 && x < 9;' complained
check 'and no other' test "$(wc -l < complained)" -eq 1
cannot 'return x > 0 && x < 9;' 2 'a reason' && say
check 'an exception passes' test $? -eq 0 -a "$(row)" = '2 4 3 1'
cannot 'return x > 0 && x < 9;' 1,2 'a reason' && say
check 'one that was shown fails' test $? -eq 1
check 'and says so' grep -q 'condition 1 is shown: lib/toy/toy.h' complained
cannot 'return x > 1;' 2 'a reason' && say
check 'one that is not in the source fails' grep -q 'no decision in lib/toy/toy.h: return x > 1;' complained
cannot 'return x > 0 && x < 9;' 2,3 'a reason' && say
check 'one of a condition that is not there fails' grep -q 'no condition 3 in lib/toy/toy.h' complained
cannot 'return x > 0 && x < 9;' 2 '' && say
check 'and one without a reason' grep -q 'no reason' complained
cannot 'return x > 0 && x < 9;' 2 'a reason' && run 0 && say
check 'what no test shows any more fails' test $? -eq 1
check 'by its place, where the decision begins' grep -q 'lib/toy/toy.c:4: condition 1 is not shown: if (x > 3 ||' complained
rm -rf out/profiles && say
check 'nothing counted fails' test $? -ne 0
echo "1..$count"
