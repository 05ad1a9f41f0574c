/* step_bodies.h - bodies and guards for the tests of the time stepper. */
#ifndef STEP_BODIES_H
#define STEP_BODIES_H

#include "impact.h"

static const double g = 9.81; /* m/s^2 */

static inline imp_link solid(double mass, double ix, double iy, double iz) {
    return (imp_link){.mass = mass, .inertia = {ix, 0, 0, 0, iy, 0, 0, 0, iz}};
}

enum { CORNERS = 4 };

/* The lower corners of a cuboid of half widths half (3, m), over the ground. */
static inline void corners_of(int link, const double half[3], double mu, imp_guard *guard) {
    for (int i = 0; i < CORNERS; i++)
        guard[i] = (imp_guard){
            .link = link,
            .centre = {i % 2 ? half[0] : -half[0], i / 2 ? half[1] : -half[1], -half[2]},
            .plane = IMP_GROUND,
            .normal = {0, 0, 1},
            .mu = mu};
}

#endif
