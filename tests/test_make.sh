#!/bin/sh
# The Makefile's own services: help names every target meant for people, compdb has every source with a command that
# compiles it, lint is quiet about clean files, finds what is not, and looks again only at what changed.
cd "$(dirname "$0")/.." || exit 1
[ -n "$(git ls-files 2> /dev/null)" ] || { echo '1..0 # SKIP no git, which knows the sources'; exit; }
. tests/check.sh
unset MAKEFLAGS MFLAGS # the jobs of a make that started this are not ours
make_here() { make -s --no-print-directory CC="${CC:-gcc}" "$@"; }

# The first .PHONY are the targets for people, `all` without its name.
sed -n '/^\.PHONY:/,/[^\\]$/p' Makefile | sed '/^$/q' | sed -n '1,/[^\\]$/p' | tr -d '\\' | tr ' ' '\n' |
    grep -vx -e '' -e '.PHONY:' -e all | sort > "$work/targets"
make_here help > "$work/help"
sed -n 's/^ *make  *\([a-z-]*\)  .*/\1/p' "$work/help" | grep . | sort > "$work/helped"
check 'there are targets' grep -qx check "$work/targets"
check 'help has every target, and no other' diff "$work/targets" "$work/helped"

make_here compdb COMPDB="$work/compile_commands.json"
git ls-files -co --exclude-standard '*.c' | grep -vE '^benchmarks/peers/engines/|^examples/siconos' | sort > "$work/sources"
perl -MJSON::PP -0 -ne 'print "$_->{file}\n" for sort { $a->{file} cmp $b->{file} } @{decode_json $_}' \
    "$work/compile_commands.json" > "$work/known"
check 'compdb has every source' diff "$work/sources" "$work/known"
perl -MJSON::PP -0 -ne 'for (@{decode_json $_}) { print "cd $_->{directory} && $_->{command} -fsyntax-only -fno-test-coverage" if $_->{file} eq "lib/base/status.c" }' \
    "$work/compile_commands.json" | sed 's| -o [^ ]*| -o /dev/null|; s| -MMD -MP||' > "$work/command"
check 'the command it has compiles' sh -e "$work/command"
check 'and is one' grep -q 'status\.c' "$work/command"

# Lint, in a folder with files of its own.
for tool in clang-format clang-tidy cppcheck; do
    command -v $tool > /dev/null || { echo "ok $((count += 1)) - lint # SKIP no $tool"; echo "1..$count"; exit; }
done
mkdir -p "$work/house/lib" && cp Makefile .clang-format .clang-tidy .cppcheck "$work/house" && cp lib/impact.h "$work/house/lib"
cd "$work/house" || exit 1
lint() { make_here lint own_sources="$*" peer_sources= > "$work/lint" 2>&1; }
printf '#include "good.h"\n\nint good(void) {\n    return 1;\n}\n' > good.c
echo 'int good(void);' > good.h
lint good.c
check 'clean files pass' test $? -eq 0
check 'without a word' test ! -s "$work/lint"
stamp=$(find . -name good.tidy)
touch -d '1 hour ago' good.c good.h .clang-tidy
find . -name flags -exec touch -d '1 hour ago' {} +
touch -d '1 minute ago' "$stamp" "$work/then"
lint good.c
check 'they are not looked at again' test -n "$stamp" -a ! "$stamp" -nt "$work/then"
touch good.h
lint good.c
check 'unless a header of theirs changed' test "$stamp" -nt "$work/then"
printf 'int bad(int unused) {\n    return 1;\n}\n' > bad.c
printf 'int ugly(void)  {\n    return 1;\n}\n' > ugly.c
printf 'int wild(void);\nint wild(void) {\n    int x[2] = {0, 0};\n    return x[2];\n}\n' > wild.c
lint good.c bad.c ugly.c wild.c
check 'others fail' test $? -ne 0
for word in 'bad.c:1:.*misc-unused-parameters' 'ugly.c:1:.*clang-format' 'wild.c:4:.*arrayIndexOutOfBounds'; do
    check "and say: $word" grep -q "$word" "$work/lint"
done
echo "1..$count"
