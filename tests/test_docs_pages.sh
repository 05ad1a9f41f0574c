#!/bin/sh
# The manual: every model has its page, with its settings, that the theory leads to, and experiments that are named exist;
# every page of docs is made; `make docs` ends without a warning, and its check of links finds a file and an anchor that
# are not there; what has no comment has no place in the reference.
cd "$(dirname "$0")/.." || exit 1
. tests/check.sh
program=${BUILD:-build}/impact
for model in $("$program" models | tail -n +2 | cut -f1); do
    family=$(echo "$model" | sed -E 's/^(darboux|planar)-.*/\1-\\\\\\*/')
    page=$(grep -lE "^# (.*[ ,])?$family([,:].*)?\$" docs/models/*.md)
    check "$model has a page" test "$(echo "$page" | wc -w)" = 1
    check "$model: the theory leads to it" grep -q "(${page#docs/})" docs/theory.md
    for part in 'Law' 'Assumptions' 'What ok guarantees' 'Example' 'Where it fails' 'Cost' 'Settings'; do
        check "$model: $part" grep -q "^## $part" "$page"
    done
done
# IDs of experiments, as P-Tab1
for id in $(grep -ohE '\b[BDLMPUX]-[A-Za-z0-9.]*[A-Za-z0-9]' docs/*.md docs/models/*.md | sort -u); do
    check "there is an experiment $id" grep -rqE "\"$id(-[0-9]+)?\"" benchmarks/experiments
done
for page in docs/*.md docs/models/*.md; do check "$page is a page" grep -q "$(printf '\t')$page$(printf '\t')" docs/site/pages.tsv; done

mkdir "$work/pages"
echo '<a id="here"></a><a href="other.html#there">x</a><a href="#here">y</a><a href="https://elsewhere/">z</a>' > "$work/pages/one.html"
echo '<p id="there">x</p>' > "$work/pages/other.html"
check 'links that lead somewhere' perl docs/site/check.pl "$work/pages"
for link in 'none.html' 'other.html#nowhere' '#nowhere'; do
    echo "<a href=\"$link\">x</a>" > "$work/pages/two.html"
    check "a link to $link is found" sh -c "! perl docs/site/check.pl '$work/pages'"
done

# The paper cites what its list has, and all of it.
grep -o '@[a-z]*[0-9]*' docs/paper/paper.md | tr -d @ | sort -u > "$work/cited"
sed -n 's/^@.*{\(.*\),$/\1/p' docs/paper/paper.bib | sort > "$work/listed"
check 'the paper cites what its list has' diff "$work/cited" "$work/listed"

# Parameters, too, but for the project's own types, whose comments say what they are.
named() { perl -Idocs/site tests/parameters.pl "$@"; }
check 'comments name every parameter that is a number or an array' \
    named $(sed -n 's/^#include "\(.*\)"/lib\/\1/p' lib/impact.h) lib/impact_dump.h
printf '/* a.h - a header. */\n\n/* The sum of a. */\nint imp_sum(const imp_tree *t, int a, int b);\n' > "$work/a.h"
check 'one that is not named is found' sh -c "perl -Idocs/site tests/parameters.pl '$work/a.h' | grep -x '.*a.h: imp_sum: b'"

# Each line of a header that says all, without its comment: a function, a type, a field, a constant of two, a macro.
if command -v doxygen > /dev/null; then
    cat > "$work/said.h" <<'END'
/* said.h - a header. */

/* A macro. */
#define IMP_MACRO 1

/* A type. */
typedef struct imp_type {
    int a, b; /* numbers */
} imp_type;

/* Two constants. */
extern const int imp_one, imp_two;
extern const int imp_three;

/* Two functions. */
void imp_do(imp_type *type);
void imp_undo(imp_type *type);
END
    mkdir "$work/unsaid"
    check 'a header that says all' sh docs/site/reference.sh "$work/api" 1 "$work/said.h"
    for words in 'A macro' 'A type' 'numbers' 'Two constants' 'Two functions'; do
        sed "s|/\\* $words.* \\*/||" "$work/said.h" > "$work/unsaid/said.h"
        check "without \"$words\" there is no reference" \
            sh -c "! sh docs/site/reference.sh '$work/api' 1 '$work/unsaid/said.h'"
    done
else
    echo "ok $((count += 1)) - reference # SKIP no doxygen"
fi
if [ -z "$LONG" ]; then
    echo "ok $((count += 1)) - make docs # SKIP in the long form: make check LONG=1"
elif command -v pandoc > /dev/null && command -v mandoc > /dev/null; then
    unset MAKEFLAGS MFLAGS # the jobs of a make that started this are not ours
    check 'make docs' make -s docs BUILD="$work/build"
    check 'without a warning' test -z "$(grep -v 'docs/index.html$\|docs: no doxygen' "$work/said")"
    check 'every page is there' test "$(find "$work/build/docs" -maxdepth 1 -name '*.html' | wc -l)" = "$(grep -vc '^#' docs/site/pages.tsv)"
    check 'commands are code' sh -c "! grep -l '<p>\\$ ' '$work/build/docs/'*.html"
    ! command -v doxygen > /dev/null ||
        check 'the reference leads back to the manual' grep -q 'href="../index.html">the manual<' "$work/build/docs/api/files.html"
    check 'equations are equations' grep -q '<mfrac>' "$work/build/docs/model-maxdiss.html"
else
    echo "ok $((count += 1)) - make docs # SKIP no pandoc or mandoc"
fi
echo "1..$count"
