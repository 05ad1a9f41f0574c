/* motion.h - measures of how particles move: how far, how fast, and how much of it in common. */
#ifndef IMP_GRANULAR_MOTION_H
#define IMP_GRANULAR_MOTION_H

#include "granular/bodies.h"
#include "granular/halo.h"

/* All ranks have it alike; `moved` is counted from the places where the neighbour list was made. */
typedef struct motion {
    /* m, m/s: common motion taken out of the displacements */
    double drift[3], drift_speed[3];
    double moved, moved_absolute, relative_speed, fastest; /* m, m/s: largest over the particles */
} motion;

/* Of all particles, or of those alone that stay in the box of `staying` (NULL: of all). false: a
 * position or a velocity of them, or its square, is not finite. */
bool imp_motion_measure(motion *m, const bodies *b, int threads,
                        const imp_granular_settings *staying, const halo *h);

#endif
