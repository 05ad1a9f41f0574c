#!/bin/sh
# make.sh - the manual as HTML: each page of pages.tsv, from its Markdown or its manual page, and the reference of the
# library where there is doxygen. Nothing is fetched, and nothing is when it is read.
#
#     sh docs/site/make.sh FOLDER VERSION HEADER...
folder=$1 version=$2
shift 2
set -e
cd "$(dirname "$0")/../.."
for tool in pandoc mandoc; do
    command -v $tool > /dev/null || { echo "docs: no $tool, which makes the pages: Debian has it as $tool" >&2; exit 1; }
done
rm -rf "$folder"
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PAGE_LIST=docs/site/pages.tsv PAGE_COPIES=$work/copies
export PAGE_LIST PAGE_COPIES
touch "$PAGE_COPIES"
tab=$(printf '\t')
grep -v '^#' "$PAGE_LIST" > "$work/pages"
awk -F '\t' '{ printf "<li><a href=\"%s.html\">%s</a></li>\n", $1, $3 }' "$work/pages" > "$work/contents"
api=
if command -v doxygen > /dev/null; then
    api=yes
    echo '<li><a href="api/index.html">The library: reference</a></li>' >> "$work/contents"
else
    echo 'docs: no doxygen, so no reference of the library: Debian has it as doxygen' >&2
fi

while IFS=$tab read -r page source title; do
    case $source in
    *.md)
        PAGE_SOURCE=$source pandoc -f gfm+tex_math_dollars -t html --mathml --lua-filter docs/site/links.lua \
            --fail-if-warnings "$source" > "$work/body"
        ;;
    *)
        # the manual pages of section 5 are made of pages (man.sh), and are those here
        mandoc -T html -O fragment,man='%N.%S.html' "$source" |
            sed 's/"impact-\([a-z]*\)\.5\.html"/"formats-\1.html"/' > "$work/body"
        ;;
    esac
    sed -e "s|@TITLE@|$title|" -e "/@CONTENTS@/{r $work/contents
d}" -e "/@BODY@/{r $work/body
d}" docs/site/page.html > "$folder/$page.html"
done < "$work/pages"

sort -u "$PAGE_COPIES" | while read -r path; do
    [ -e "$path" ] || { echo "docs: $path: linked, and not there" >&2; exit 1; }
    mkdir -p "$folder/source/$(dirname "$path")"
    cp -R "$path" "$folder/source/$path"
done
[ -z "$api" ] || sh docs/site/reference.sh "$folder" "$version" "$@"
perl docs/site/check.pl "$folder"
echo "$folder/index.html"
