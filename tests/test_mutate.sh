#!/bin/sh
# `make mutate`'s program on a project of two functions: it plants, sees a failing and a hanging test, says what survives
# where a test looks away, goes on where it was, and leaves the sources alone.
. "$(dirname "$0")/check.sh"
mutate=$(cd "$(dirname "$0")/mutate" && pwd)/mutate.pl
for tool in perl gcc gcov make; do
    command -v $tool > /dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }
done
unset COV SAN MAKEFLAGS BUILD
mkdir -p "$work/p/lib" "$work/p/tests"
cat > "$work/p/Makefile" <<'END'
BUILD := build$(if $(COV),-cov)
FLAGS := $(OPTIMISE) $(if $(COV),--coverage) -MMD -MP -fPIC -Ilib
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(FLAGS) -c $< -o $@
$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(BUILD)/lib/box.o
	@$(CC) $(FLAGS) $^ -o $@
.SECONDARY:
END
cat > "$work/p/lib/box.c" <<'END'
int area(int a, int b);
int rim(int a, int b);
int halvings(int n);
int area(int a, int b) {
    return a * b;
}
int rim(int a, int b) {
    return 2 * (a + b);
}
int halvings(int n) {
    int k = 0;
    while (n > 1) {
        n = n / 2;
        k++;
    }
    return k;
}
END
cat > "$work/p/tests/test_box.c" <<'END'
#include <stdio.h>
int area(int a, int b);
int rim(int a, int b);
int halvings(int n);
int main(void) {
    const int good = area(3, 5) == 15 && rim(3, 5) * LOOKS == 16 * LOOKS && halvings(8) == 3;
    printf("%s 1 - box\n1..1\n", good ? "ok" : "not ok");
    return !good;
}
END
looks() { sed -i "s/^FLAGS :=.*-Ilib.*/FLAGS := \$(OPTIMISE) \$(if \$(COV),--coverage) -MMD -MP -fPIC -Ilib -DLOOKS=$1/" "$work/p/Makefile"; }
mutate() { # mutate STATUS ARGUMENTS...
    want=$1
    shift
    LINK=gcc LIBS= CC=gcc perl "$mutate" --root "$work/p" --rooms lib --jobs 1 --patience 1 "$@" > "$work/out" 2> "$work/err"
    got=$?
    [ $got = "$want" ] || { echo "exit $got, not $want"; cat "$work/out" "$work/err"; return 1; }
}
says() { grep -qE "$1" "$work/out" || { cat "$work/out" "$work/err"; return 1; }; }

looks 1
(cd "$work/p" && find . -type f -exec cksum {} + | sort) > "$work/before"
check 'a test that looks finds every mistake' mutate 0 --only box.c:rim
check 'and they are counted' says '^mutate: seed 1: ([0-9]+) mistakes, \1 found, 0 survived: 100.0 %'
cp "$work/p/build/mutate.tsv" "$work/first"
check 'again' mutate 0 --only box.c:rim
check 'nothing is tried twice' cmp "$work/first" "$work/p/build/mutate.tsv"
check 'a test that hangs has found it' mutate 0 --only box.c:halvings
check 'by that test' grep -q 'found	test_box.c	.*n = n / 2;	dropped' "$work/p/build/mutate.tsv"
(cd "$work/p" && find . -path ./build -prune -o -type f -exec cksum {} + | sort) > "$work/after"
check 'the sources are as they were' cmp "$work/before" "$work/after"

looks 0
rm -rf "$work/p/build"
check 'where it looks away, mistakes survive' mutate 1 --only box.c:rim
check 'by their lines' says '^survived: lib/box.c:8: \+ -> -: return 2 \* \(a \+ b\);'
check 'a share is wanted' mutate 1 --only box.c:rim --least 0.01
check 'others are found' mutate 0 --only box.c:area
sed -n 's/^[^	]*	[^	]*	unseen	[^	]*	[^	]*	\(.*\)	[0-9]*$/\1	nobody asks/p' "$work/p/build/mutate.tsv" > "$work/p/tests/mutants-equivalent.tsv"
check 'survivors with a reason do not count' mutate 0 --only box.c --count 1
check 'and are said' mutate 1 --only box.c:rim
check 'as equivalent' says '^mutate: seed 1: 0 mistakes.* [1-9][0-9]* known as equivalent'
check 'bad use: exit 2' mutate 2 --nothing
echo 'int' >> "$work/p/lib/box.c"
check 'what does not build: exit 2' mutate 2
echo "1..$count"
