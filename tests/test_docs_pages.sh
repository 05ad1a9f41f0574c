#!/bin/sh
# The manual: every model has its place in the theory, every page of docs is made; `make docs` ends without a warning, and
# its check of links finds a file and an anchor that are not there.
cd "$(dirname "$0")/.." || exit 1
. tests/check.sh
program=${BUILD:-build}/impact
for model in $("$program" models | tail -n +2 | cut -f1); do
    check "theory: $model" grep -q "^## .*\b$model\b" docs/theory.md
done
for page in docs/*.md; do check "$page is a page" grep -q "$(printf '\t')$page$(printf '\t')" docs/site/pages.tsv; done

mkdir "$work/pages"
echo '<a id="here"></a><a href="other.html#there">x</a><a href="#here">y</a><a href="https://elsewhere/">z</a>' > "$work/pages/one.html"
echo '<p id="there">x</p>' > "$work/pages/other.html"
check 'links that lead somewhere' perl docs/site/check.pl "$work/pages"
for link in 'none.html' 'other.html#nowhere' '#nowhere'; do
    echo "<a href=\"$link\">x</a>" > "$work/pages/two.html"
    check "a link to $link is found" sh -c "! perl docs/site/check.pl '$work/pages'"
done
if command -v pandoc > /dev/null && command -v mandoc > /dev/null; then
    check 'make docs' make -s docs BUILD="$work/build"
    check 'without a warning' test "$(wc -l < "$work/said")" -le 2
    check 'every page is there' test "$(find "$work/build/docs" -maxdepth 1 -name '*.html' | wc -l)" = "$(grep -vc '^#' docs/site/pages.tsv)"
    check 'equations are equations' grep -q '<mfrac>' "$work/build/docs/theory.html"
else
    echo "ok $((count += 1)) - make docs # SKIP no pandoc or mandoc"
fi
echo "1..$count"
