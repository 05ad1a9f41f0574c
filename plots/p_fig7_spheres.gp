# p_fig7_spheres.gp - the small channel in space, its lid and near wall taken away, from the far spheres to the near.
width = 960; height = 460
load "plots/style.gp"

table = data."p_fig7_spheres.tsv"
angle = 25*pi/180; tilt = 50*pi/180
far(x, y, z) = (y*cos(angle)-x*sin(angle))*sin(tilt)-z*cos(tilt)
deepest = 9.5; slabs = 40; deep = 23.0/slabs
bands = 6; fastest = 1.5 # of colour, m/s
band(v) = v < fastest ? int(bands*v/fastest) : bands-1
shown(l, b) = int((deepest-far(column("x_mm"), column("y_mm"), column("z_mm")))/deep) == l && \
              (b < 0 || band(column("speed_m_per_s")) == b) ? column("x_mm") : NaN
set view 50,25,3.15
set view equal xyz
set xyplane at 0
set xrange [-1:31]
set yrange [-0.5:13]
set zrange [0:4]
unset border; unset tics; unset grid; unset key
set palette maxcolors bands defined (0 "#21507a", 0.5 "#4ba6e0", 1 "#e69f00")
set cbrange [0:fastest]
set cbtics 0.5
set colorbox user origin 0.91,0.2 size 0.016,0.6
set cblabel "speed  [m/s]"
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
size = 2.7
set label 1 "obstacle" at screen 0.47,0.96 center front textcolor rgb black
set arrow 2 from screen 0.45,0.93 to 8.7,6.8,3.3 linewidth 1.5 linecolor rgb black front
set arrow 1 from -2.2,3,0 to -0.2,3,0 linewidth 2.5 linecolor rgb red front
set label 2 "pushed at 1 m/s" at -1,-2.2,0 center textcolor rgb red
# of a slab the rims, then the spheres, colour by colour
splot for [l=0:slabs-1] for [b=-1:bands-1] table using (shown(l, b)):(column("y_mm")):(column("z_mm")): \
    (b < 0 ? 0 : (b+0.5)*fastest/bands) with points pt 7 ps size*(b < 0 ? 1 : 0.9) lc palette
