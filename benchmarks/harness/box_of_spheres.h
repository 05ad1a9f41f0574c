/* box_of_spheres.h - the flow that benchmarks and the gate measure: spheres thrown about in an open
 * box. */
#ifndef BOX_OF_SPHERES_H
#define BOX_OF_SPHERES_H

#include "granular/granular.h"

/* side^3 spheres of radius 0.47 mm on a grid of 1 mm, with velocities of up to 0.3 m/s along each
 * axis, in a box of side x side x 2 side mm; its size replaces that of `settings`. NULL without
 * memory. */
imp_granular *box_of_spheres(const imp_granular_settings *settings, int side);

#endif
