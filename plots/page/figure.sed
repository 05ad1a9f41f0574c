# figure.sed - a figure of gnuplot as the page holds it: sed -E -z -f plots/page/figure.sed NAME.svg
#
# The page writes <svg ...> itself, its colours and what gnuplot says of every element again are set by page.css, and the
# marks (gpPt1 ...), the same in all figures, stand in page.html once; lines have tenths of a pixel. Colours become
# variables, so that a dark page has its own; what no rule names keeps its colour. Less than half of the size is left.
s/^<\?xml[^>]*>\s*<svg\s+width="([0-9]+)" height="([0-9]+)"[^>]*>/ viewBox="0 0 \1 \2" width="\1" height="\2">/
s/<title>Gnuplot<\/title>\s*<desc>[^<]*<\/desc>\s*<g id="gnuplot_canvas">\s*<rect[^>]*>\s*/<g>/
s/<defs>([^<]|<[^\/]|<\/[^d])*<\/defs>\s*//
s/<title>[^<]*<\/title>\s*//g
s/ id="gnuplot_plot_[^"]*"//g
s/ (font-family|class)="[^"]*"//g
s/<tspan *>([^<]*)<\/tspan>/\1/g
s/ (stroke="currentColor"|fill="none"|stroke="none"|stroke-width="1.00"|stroke-linecap="butt"|stroke-linejoin="miter")//g
s/ (color="(black|gray|#FFFFFF)"|font-size="11.00")//g
s/rgb\( *([0-9]+), *([0-9]+), *([0-9]+)\)/rgb(\1 \2 \3)/g
s/rgb\(27 31 36\)|(["'])black\1|(["'])#000000\2/\1\2var(--ink)\1\2/g
s/rgb\(255 255 255\)|#[Ff]{6}/var(--paper)/g
s/rgb\(107 118 129\)/var(--frame)/g
s/rgb\(223 228 234\)/var(--pale)/g
s/rgb\(154 164 175\)/var(--grey)/g
s/rgb\(0 114 178\)/var(--blue)/g
s/rgb\(209 54 47\)/var(--red)/g
s/rgb\(0 158 115\)/var(--green)/g
s/rgb\(230 159 0\)/var(--orange)/g
s/rgb\(142 94 162\)/var(--purple)/g
s/rgb\(86 180 233\)/var(--sky)/g
s/rgb\(216 232 245\)/var(--wash)/g
s/rgb\(236 239 242\)/var(--void)/g
s/\s+(\/?>)/\1/g
s/>[\t\n]+</></g
s/[\t\n]+/ /g
s/  +/ /g
s/ '\/>/'\/>/g
s/([ML]-?[0-9]+\.[0-9])[0-9],(-?[0-9]+\.[0-9])[0-9]/\1,\2/g
:empty
s/<g[^>]*><\/g>|<text[^>]*><\/text>//g
t empty
s/<g( transform="[^>]*)><text>([^<]*)<\/text><\/g>/<text\1>\2<\/text>/g
