#!/bin/sh
# The report's page in a browser: nothing stands out of the window, every word can be read, every link leads somewhere, on a
# wide screen and a narrow one, light and dark; and without a browser what the file alone tells.
report=${BUILD:-build}/benchmarks/report
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
. "$(dirname "$0")/check.sh"
no() { ! "$@"; }

page=$work/r/index.html
"$report" "$work/r" P-Tab1 P-4.2 P-Fig7 P-Fig9 M-Fig2 M-Fig4 U-Fig14 > "$work/report" 2>&1
check "a report of some experiments" test $? -eq 0
check "nothing is fetched" no grep -qE '<script [^>]*src|<link|src="([^d]|d[^a])|@import|url\(|https?://' "$page"
check "every place of the templates is filled" no grep -q '{{' "$page"
sed -n '/<section id="P-Fig9"/,/<\/section>/p' "$page" > "$work/section"
for words in 'The source:</b> Rotation is damped' 'build/benchmarks/report build/mine P-Fig9' \
    'benchmarks/experiments/p_fig9.c' 'data/p_fig9.tsv'; do
    check "a section says: $words" grep -q "$words" "$work/section"
done
check "figures are within the page, and small ones are the same again" test "$(grep -c '<svg id="svg-' "$page")" -eq \
    "$(grep -o 'class="thumb"' "$page" | wc -l | awk '{ print $1 / 2 }')"
check "minus signs stand before numbers" grep -q '<td class="n">−0.12 −0.44 −5.7</td>\|>−[0-9]' "$page"
check "and no hyphens" no grep -qE '<td class="n">-[0-9]' "$page"

# A figure of gnuplot loses nothing that an eye could tell: a point 0.05 pixels off its line, a second element of one colour.
cat > "$work/picture.svg" <<'END_OF_PICTURE'
<?xml version="1.0" encoding="utf-8"  standalone="no"?>
<svg
 width="40" height="30"
 viewBox="0 0 40 30"
>
<title>Gnuplot</title>
<g id="gnuplot_canvas">
<rect x="0" y="0" width="40" height="30" fill="#ffffff"/>
<defs>
	<circle id='gpDot' r='0.5'/>
</defs>
<g fill="none" color="black" stroke="currentColor" stroke-width="2.00" stroke-linecap="butt" stroke-linejoin="miter">
	<path stroke='rgb(  0, 114, 178)'  d='M1.00,2.00 L11.00,2.05 L21.00,2.00 L31.00,7.00 L36.00,7.20 L39.00,7.00  '/>
	<path stroke='rgb(  0, 114, 178)'  d='M1.04,3.00 L1.04,9.00  '/></g>
	<polygon fill = 'rgb(18, 52, 86)' points = '5.00,5.00 5.00,9.00 3.00,9.00 3.00,5.00 '/>
	<polygon fill = 'rgb(18, 52, 86)' points = '5.00,5.00 5.00,9.00 3.00,8.00 '/>
	<g transform="translate(6.16,7.00)" stroke="none" fill="rgb(27,31,36)" font-family="DejaVu Sans" font-size="11.00"  text-anchor="end">
		<text><tspan font-family="DejaVu Sans" >-1 &lt; x</tspan></text>
	</g>
	<use xlink:href='#gpPt6' transform='translate(8.00,9.50) scale(1.50)' color='rgb(209,  54,  47)'/>
	<use xlink:href='#gpPt1' transform='translate(8.00,9.50) scale(1.50)' color='rgb(209,  54,  47)'/>
</g>
</svg>
END_OF_PICTURE
reduced() { # without the blanks between elements
    perl plots/page/figure.pl "$work/picture.svg" | sed 's/> *</></g; s/></>\n</g' | grep -v '^</*g>$' > "$work/reduced"
    diff "$work/reduced" - <<'END_OF_REDUCED'
 viewBox="0 0 40 30" width="40" height="30">
<g stroke-width="2.00">
<path stroke="var(--blue)" d="M1 2h20l10 5 5 .2 3-.2M1 3v6"/>
<path fill="#123456" d="M3 5h2v4h-2z"/>
<path fill="#123456" d="M5 5v4l-2-1 2-3z"/>
<g text-anchor="end">
<text x="6.2" y="7">-1 &lt; x</text>
<path class="disc" stroke="var(--red)" stroke-width="3" d="M8 9.5h0"/>
<g color="var(--red)">
<use href="#gpPt1" transform="translate(8 9.5)scale(1.5)"/>
</svg>
END_OF_REDUCED
}
check "a figure is reduced to what is seen" reduced

# A moving picture is small and waits behind a lid; without the program that joins its frames it is a still and a line.
if command -v img2webp > /dev/null; then
    check "a moving picture within the page" grep -q '<details class="motion"><summary>.*' "$page"
    check "of at most 300 kB" test -z "$(find "$work/r/figures" -name '*.webp' -size +300k)" -a -s "$work/r/figures/u_fig14_swing.webp"
else
    check "no moving picture # SKIP no img2webp" true
fi
joined() { # joined STATUS: U-Fig14 with an img2webp that ends so
    mkdir -p "$work/bin" && printf '#!/bin/sh\necho so it is; exit %s\n' "$1" > "$work/bin/img2webp" && chmod +x "$work/bin/img2webp" &&
        PATH=$work/bin:$PATH "$report" "$work/joined" U-Fig14
}
check "without img2webp" joined 127
check "a still picture" grep -q 'id="svg-u_fig14_swing"' "$work/joined/index.html"
check "and a line" grep -q 'It does not move here: img2webp was not found' "$work/joined/index.html"
check "an img2webp that fails" no joined 1
check "is a missing figure" grep -q 'Figure missing: img2webp: so it is' "$work/joined/index.html"
check "and no frames are left" test -z "$(find "$work/r" "$work/joined" -name '*-[0-9][0-9][0-9].png')"

# Every experiment's file is where its page says.
missing=$(sed -n 's/^ *X(\([a-z_0-9]*\)).*/\1/p' benchmarks/experiments/experiments.c |
    while read -r name; do [ -f "benchmarks/experiments/$name.c" ] || echo "$name"; done)
check "each experiment is in the file of its name${missing:+: not $missing}" test -z "$missing"

# Every id that the headings name is an experiment's.
ids=$(sed -n 's/.*experiment experiment_[a-z_0-9]* *= *{ *"\([^"]*\)".*/\1/p; s/^ *"\([A-Z]-[A-Za-z0-9.-]*\)",.*/\1/p' \
    benchmarks/experiments/*.c)
strangers=$(cut -f3 plots/page/groups.tsv | sed '/^#/d' | tr ' ' '\n' |
    while read -r id; do case $id in *- | "") ;; *) echo "$ids" | grep -qxF "$id" || echo "$id" ;; esac; done)
check "headings name experiments only${strangers:+: not $strangers}" test -z "$strangers"

if [ -z "$browser" ]; then
    count=$((count + 1))
    echo "ok $count # SKIP no chromium: overflow, contrast and links are not measured"
    echo "1..$count"
    exit 0
fi

measure() { # measure PAGE WIDTH [dark]: what page-measure.js finds, in $work/found; false where it found nothing out
    { sed '/<\/body>/d; /<\/html>/d' "$1"; echo '<script>'; cat tests/page-measure.js; echo '</script></body></html>'; } \
        > "$work/r/measured.html"
    cat > "$work/r/frame.html" <<END_OF_FRAME
<!DOCTYPE html><pre></pre><script>onmessage = (e) => { document.querySelector("pre").textContent = e.data; }</script>
<iframe src="measured.html" style="border: 0; width: $2px; height: 900px"></iframe>
END_OF_FRAME
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --window-size=1600,1000 \
        ${3:+--blink-settings=preferredColorScheme=0} --virtual-time-budget=30000 --dump-dom "file://$work/r/frame.html" \
        2> "$work/browser" | sed -n "/^measured $2 ${3:-light}/,/^end/p" > "$work/found"
    tail -n 1 "$work/found" | grep -q '^end'
}
clean() { # clean WIDTH [dark]
    measure "$page" "$@" || { sed 's/^/# /' "$work/browser" | tail -n 3; return 1; }
    ! sed '1d; /^end$/d; /^file /d; /^$/d; s/^/# /' "$work/found" | grep .
}
files() { # each file that the page links
    sed -n 's/^file //p' "$work/found" | sort -u > "$work/files"
    test -s "$work/files" || return 1
    while read -r file; do [ -f "$work/r/$file" ] || { echo "# no $file"; return 1; }; done < "$work/files"
}
check "1400 pixels, light" clean 1400
check "390 pixels, dark" clean 390 dark
check "1400 pixels, dark" clean 1400 dark
check "390 pixels, light" clean 390
check "files that it links are there" files

# What is planted is found.
sed -e 's/<h1>/<h1 style="width: 1500px; color: #999">/' -e 's/<text x/<text fill="#dddddd" x/' \
    -e 's/id="questions"/id="figures"/' -e 's/aria-label="[^"]*"/aria-label=""/' \
    -e 's/<td class="n">/<td class="n" style="display: block; width: 1em; padding: 0; overflow-wrap: anywhere">/' \
    -e 's/<td class="q">/<td class="q" style="display: block; width: 3em; overflow-wrap: anywhere">/' \
    -e 's/compare(valueOf(a/compare(valueOf(b/' -e 's/section.hidden = words/words.hidden = words/' \
    -e 's/viewer.showModal/viewer.close/' -e 's/ d="M/ d="M,/' -e 's/class="motion"/& open/' \
    "$page" > "$work/r/planted.html"
check "a page with faults" measure "$work/r/planted.html" 1400
for finding in 'overflow' 'contrast .* H1' 'contrast .* figure' 'broken link #questions' 'twice figures' 'no words' \
    'broken number' 'broken word' 'script does not sort' 'script filters painlevé' 'script does not open a figure' 'bent line' 'moves unasked'; do
    check "found: $finding" grep -q "^$finding" "$work/found"
done
echo "1..$count"
