# style.gp - how every figure looks. A figure's script sets width and height (pixels), loads this file, and plots.
#
# Given by the report: format ("svg" or "png"), target (the file to write), data (the folder of the tables). By hand:
#     gnuplot -e "format='svg'; target='figure.svg'; data='build/report/data/'" plots/NAME.gp

if (format eq "png") {
    set terminal pngcairo size 2*width,2*height fontscale 2 linewidth 2 pointscale 2 font "DejaVu Sans,11" \
        enhanced background "white"
} else { if (format eq "frames") {
    set terminal pngcairo size width,height font "DejaVu Sans,11" enhanced transparent
} else {
    set terminal svg size width,height font "DejaVu Sans,Helvetica,Arial,sans-serif,11" enhanced background "white"
} }
if (format ne "frames") { set output target }
set encoding utf8

# Tables: tab-separated, a header row after comments. pick("conic", "x") is column x of the rows whose first column
# says conic; the other rows leave gaps.
set datafile separator "\t"
set datafile columnheaders
pick(series, name) = stringcolumn(1) eq series ? column(name) : NaN

# Colours (after Okabe and Ito, distinct for every kind of colour vision).
frame = "#6b7681"; ground = "#ffffff" # of the picture itself
black = "#1b1f24"; grey = "#9aa4af"; pale = "#dfe4ea"
wash = "#d8e8f5"; void = "#eceff2" # an area; a place without a value
on_light = "#1c2025"; on_dark = "#fefefe" # words on coloured ground: the same on a dark page, whose forms of the
# other colours are in plots/page/page.css
blue = "#0072b2"; red = "#d1362f"; green = "#009e73"; orange = "#e69f00"; purple = "#8e5ea2"; sky = "#56b4e9"

# Frames have no ground of their own: what stands on a light page and on a dark one.
if (format eq "frames") { black = "#76818d"; pale = "#a9b2bb"; wash = "#9fc3e0"; void = "#b9c2cb" }

set border linewidth 1 linecolor rgb frame
set tics nomirror textcolor rgb black
set grid linecolor rgb pale linewidth 0.6
set key Left reverse spacing 1.25 samplen 2.2 width 1
