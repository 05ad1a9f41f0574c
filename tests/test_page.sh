#!/bin/sh
# The report's page in a browser: nothing stands out of the window, every word can be read, every link leads somewhere, on a
# wide screen and a narrow one, light and dark; and without a browser what the file alone tells.
report=${BUILD:-build}/benchmarks/report
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
count=0
ok() { # ok "name" command...
    count=$((count + 1))
    name=$1
    shift
    if "$@"; then echo "ok $count - $name"; else echo "not ok $count - $name"; fi
}
no() { ! "$@"; }

page=$out/r/index.html
"$report" "$out/r" P-Tab1 P-4.2 P-Fig7 P-Fig9 M-Fig2 M-Fig4 U-Fig14 > "$out/said" 2>&1
ok "a report of seven experiments" test $? -eq 0
ok "nothing is fetched" no grep -qE '<script [^>]*src|<link|src="|@import|url\(|https?://' "$page"
ok "every place of the templates is filled" no grep -q '{{' "$page"
sed -n '/<section id="P-Fig9"/,/<\/section>/p' "$page" > "$out/section"
for words in 'The source:</b> Rotation is damped' 'build/benchmarks/report build/report P-Fig9' \
    'benchmarks/experiments/p_fig9.c' 'data/p_fig9.tsv'; do
    ok "a section says: $words" grep -q "$words" "$out/section"
done
ok "figures are within the page, and small ones are the same again" test "$(grep -c '<svg id="svg-' "$page")" -eq \
    "$(grep -o 'class="thumb"' "$page" | wc -l | awk '{ print $1 / 2 }')"
ok "minus signs stand before numbers" grep -q '<td class="n">−0.12 −0.44 −5.7</td>\|>−[0-9]' "$page"
ok "and no hyphens" no grep -qE '<td class="n">-[0-9]' "$page"

# Every experiment's file is where its page says.
missing=$(sed -n 's/^ *X(\([a-z_0-9]*\)).*/\1/p' benchmarks/experiments/experiments.c |
    while read -r name; do [ -f "benchmarks/experiments/$name.c" ] || echo "$name"; done)
ok "each experiment is in the file of its name${missing:+: not $missing}" test -z "$missing"

# Every id that the headings name is an experiment's.
ids=$(sed -n 's/.*experiment experiment_[a-z_0-9]* *= *{ *"\([^"]*\)".*/\1/p; s/^ *"\([A-Z]-[A-Za-z0-9.-]*\)",.*/\1/p' \
    benchmarks/experiments/*.c)
strangers=$(cut -f3 plots/page/groups.tsv | sed '/^#/d' | tr ' ' '\n' |
    while read -r id; do case $id in *- | "") ;; *) echo "$ids" | grep -qxF "$id" || echo "$id" ;; esac; done)
ok "headings name experiments only${strangers:+: not $strangers}" test -z "$strangers"

if [ -z "$browser" ]; then
    count=$((count + 1))
    echo "ok $count # SKIP no chromium: overflow, contrast and links are not measured"
    echo "1..$count"
    exit 0
fi

measure() { # measure PAGE WIDTH [dark]: what page-measure.js finds, in $out/found; false where it found nothing out
    { sed '/<\/body>/d; /<\/html>/d' "$1"; echo '<script>'; cat tests/page-measure.js; echo '</script></body></html>'; } \
        > "$out/r/measured.html"
    cat > "$out/r/frame.html" <<END_OF_FRAME
<!DOCTYPE html><pre></pre><script>onmessage = (e) => { document.querySelector("pre").textContent = e.data; }</script>
<iframe src="measured.html" style="border: 0; width: $2px; height: 900px"></iframe>
END_OF_FRAME
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$out/profile" --window-size=1600,1000 \
        ${3:+--blink-settings=preferredColorScheme=0} --virtual-time-budget=30000 --dump-dom "file://$out/r/frame.html" \
        2> "$out/browser" | sed -n "/^measured $2 ${3:-light}/,/^end/p" > "$out/found"
    tail -n 1 "$out/found" | grep -q '^end'
}
clean() { # clean WIDTH [dark]
    measure "$page" "$@" || { sed 's/^/# /' "$out/browser" | tail -n 3; return 1; }
    ! sed '1d; /^end$/d; /^file /d; /^$/d; s/^/# /' "$out/found" | grep .
}
files() { # each file that the page links
    sed -n 's/^file //p' "$out/found" | sort -u > "$out/files"
    test -s "$out/files" || return 1
    while read -r file; do [ -f "$out/r/$file" ] || { echo "# no $file"; return 1; }; done < "$out/files"
}
for width in 1400 390; do
    ok "$width pixels, light" clean $width
    ok "$width pixels, dark" clean $width dark
done
ok "files that it links are there" files

# What is planted is found.
sed -e 's/<h1>/<h1 style="width: 1500px; color: #999">/' -e 's/fill="var(--ink)"/fill="#dddddd"/' \
    -e 's/id="questions"/id="figures"/' -e 's/aria-label="[^"]*"/aria-label=""/' \
    -e 's/<td class="n">/<td class="n" style="display: block; width: 1em; padding: 0; overflow-wrap: anywhere">/' \
    -e 's/compare(valueOf(a/compare(valueOf(b/' -e 's/section.hidden = words/words.hidden = words/' \
    -e 's/viewer.showModal/viewer.close/' \
    "$page" > "$out/r/planted.html"
ok "a page with faults" measure "$out/r/planted.html" 1400
for finding in 'overflow' 'contrast .* H1' 'contrast .* figure' 'broken link #questions' 'twice figures' 'no words' \
    'broken number' 'script does not sort' 'script filters painlevé' 'script does not open a figure'; do
    ok "found: $finding" grep -q "^$finding" "$out/found"
done
echo "1..$count"
