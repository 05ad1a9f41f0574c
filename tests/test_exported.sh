#!/bin/sh
# What the shared library exports: the names of tests/exported.txt (`make exported` rewrites it, and its difference is
# reviewed), each of them imp_*, each declared by a header that impact.h includes, and nothing that can be written to.
cd "$(dirname "$0")/.." || exit 1
build=${BUILD:-build}
[ -z "$SAN$COV" ] || { echo '1..0 # SKIP sanitizers and coverage add names of their own'; exit; }
command -v nm > /dev/null || { echo '1..0 # SKIP no nm'; exit; }
. tests/check.sh
export LC_ALL=C

version=$(sed -n 's/^#define IMP_VERSION "\(.*\)"/\1/p' lib/impact.h)
nm -D --defined-only "$build/libimpact.so.$version" | awk '{ print $3 }' | sort > "$work/exported"
[ "$1" != --write ] || { cat "$work/exported" > tests/exported.txt; exit; }
check 'something is exported' test -s "$work/exported"
check 'everything exported is called imp_*' sh -c "! grep -v '^imp_' '$work/exported'"

# diff's signs: < only in the list, > only in the library.
check 'nothing is exported beside the list, nothing of it is lost' diff tests/exported.txt "$work/exported"

# The public headers, seen by a compiler: all names in them, and the functions that they declare between the marks of
# lib/base/public.h.
"${CC:-gcc}" -E -P -Ilib lib/impact.h > "$work/public.h"
grep -o '\bimp_[a-z0-9_]*' "$work/public.h" | sort -u > "$work/names"
sed -n '/^#pragma GCC visibility push/,/^#pragma GCC visibility pop/{
    /^typedef/d; s/^[A-Za-z_].*[ *]\(imp_[a-z0-9_]*\)(.*/\1/p
}' "$work/public.h" | sort -u > "$work/functions"
check 'what is exported is declared by a public header' \
    sh -c "comm -23 '$work/exported' '$work/names' | { ! grep .; }"
check 'what a public header declares is exported' \
    sh -c "comm -13 '$work/exported' '$work/functions' | { ! grep .; }"
# Of each shape: plain, a pointer, a bool, which is _Bool by now, and one with attributes.
check 'functions were looked at' sh -c "printf '%s\\n' imp_error_set imp_path_finite imp_solve imp_status_text |
    comm -13 '$work/functions' - | { ! grep .; }"

# Class b, d or D in a section that stays writable once the program runs (constants with addresses are in .data.rel.ro).
nm -f sysv "$build/libimpact.a" > "$work/all"
check 'the library has variables and functions' test -s "$work/all"
awk -F'|' '$NF ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && $NF !~ /^\.data\.rel\.ro/' "$work/all" \
    > "$work/writable"
check 'the library keeps no variable of its own' sh -c "! grep . '$work/writable'"
echo "1..$count"
