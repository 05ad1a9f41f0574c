#!/bin/sh
# What `make coverage` says of a house with one room, whose tests leave a branch and a line: its figures, a fall below those
# that are kept, and a list of branches that nothing can reach which is right, too short, too long, or of another source.
root=$(cd "$(dirname "$0")/.." && pwd)
for tool in gcc gcov; do
    command -v $tool > /dev/null || { echo "1..0 # SKIP no $tool"; exit; }
done
. "$root/tests/check.sh"
mkdir -p "$work/house/lib/toy" "$work/house/tests" "$work/house/out/lib/toy" && cd "$work/house" || exit 1
cat > lib/toy/toy.h <<'END'
static inline int sign(int x) {
    return x < 0 ? -1 : 1;
}
END
cat > lib/toy/toy.c <<'END'
#include "toy.h"
int toy(int x, int y);
int toy(int x, int y) {
    if (x > 0 && y > 0)
        return 2;
    return sign(x);
}
END
cat > main.c <<'END'
int toy(int x, int y);
int main(int count, char **words) {
    (void)words;
    return toy(count - 2, 0) + toy(-1, -1) < 0 ? 0 : toy(1, -1);
}
END
gcc -O0 --coverage -Ilib/toy -c lib/toy/toy.c -o out/lib/toy/toy.o && gcc --coverage main.c out/lib/toy/toy.o -o out/run || exit 1
./out/run # toy(-1, 0), toy(-1, -1): of the condition x > 0 one way, of y > 0 none, of the sign one
say() { perl "$root/tests/coverage.pl" "$@" out lib lib/toy nowhere > said 2> complained; }
kept() { printf 'lib\t%s\t%s\nlib/toy\t%s\t%s\n' "$1" "$2" "$1" "$2" > tests/coverage.tsv; }
cannot() { printf 'lib/toy/toy.c\ttoy\t%s\t%s\ta reason\n' "$2" "$1" > tests/unreachable.tsv; }
row() { awk -v r="$1" '$1 == r { print $2, $3, $4, $5, $6 }' said; }

say
check 'a room of which no figures are kept fails' test $? -eq 1 -a "$(grep -c 'no figures in tests/coverage.tsv' complained)" = 2
kept 10 10 && printf 'gone\t10\t10\n' >> tests/coverage.tsv && say
check 'and figures of a room without objects' test $? -eq 1 -a "$(cat complained)" = 'make coverage: gone: figures in tests/coverage.tsv, but no objects'
kept 83.33 33.33 && say
check 'lines run and branches taken' test "$(row lib/toy)" = '6 83.33 6 33.33 0'
check 'the whole is its only room' test "$(row lib)" = "$(row lib/toy)"
check 'a room without objects has no row' test -z "$(row nowhere)"
printf 'lib/toy/toy.c:4\ttoy\t3/4\tif (x > 0 && y > 0)\nlib/toy/toy.c:5\t\tline\treturn 2;\nlib/toy/toy.h:2\tsign\t1/2\t%s\n' \
    'return x < 0 ? -1 : 1;' > wanted
check 'what is not covered is listed' diff wanted out/uncovered.tsv
kept 83.33 33.33 && say
check 'figures that are met pass' test $? -eq 0
echo 'int wide(int x); int wide(int x) { return x > 0 ? 2 : 1; }' > lib/toy/toy_avx9000.c
gcc -O0 --coverage -c lib/toy/toy_avx9000.c -o out/lib/toy/toy_avx9000.o && say
check 'and do without what this CPU cannot run' test $? -eq 0 -a "$(row lib/toy)" = '6 83.33 6 33.33 0'
check 'which is said' grep -qx 'not for this CPU: lib/toy/toy_avx9000.c' said
kept 83.33 33.50 && say
check 'a room that fell fails' test $? -eq 1
check 'and says which' grep -q 'lib/toy: 33.33 % of branches, 33.5' complained
kept 83.50 33.33 && say
check 'by its lines, too' grep -q 'lib/toy: 83.33 % of lines, 83.5' complained
kept 50 20 && say
check 'a room that rose passes, with a word' grep -q 'lib/toy .*lines rose from 50  branches rose from 20' said
say --write
check 'figures are rewritten' grep -qx "lib/toy	83.33	33.33" tests/coverage.tsv
cannot 3 'if (x > 0 && y > 0)' && say
check 'branches that nothing reaches are set aside' test $? -eq 0 -a "$(row lib/toy)" = '6 83.33 6 66.66 3'
check 'and are no longer listed' sh -c '! grep -q toy.c:4 out/uncovered.tsv'
cannot 4 'if (x > 0 && y > 0)' && say
check 'one that was reached fails' test $? -eq 1
check 'and says so' grep -q '3 of its branches are not reached, 4 are listed' complained
sed -i 's/a reason/of a CPU that has not this/' tests/unreachable.tsv && say
check 'unless it is of another CPU, which this may be' test $? -eq 0 -a ! -s complained
cannot 1 'if (x > 1)' && say
check 'a row that is not in the source fails' grep -q 'not in lib/toy/toy.c, toy: if (x > 1)' complained
printf 'lib/toy/toy.c\ttoy\tif (x > 0 && y > 0)\t3\t\n' > tests/unreachable.tsv && say
check 'and one without a reason' grep -q 'no reason' complained
echo "1..$count"
