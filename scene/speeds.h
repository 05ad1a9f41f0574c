/* speeds.h - how fast the bodies of a scene move, each beside those that it is coupled with: what
 * rounding and errors of a motion are measured by. What moves elsewhere has no part in it. */
#ifndef SCENE_SPEEDS_H
#define SCENE_SPEEDS_H

#include "scene/scene.h"

/* m/s, where the tree is placed: of the fastest body's origin, or ball's centre, or of a ball's
 * surface about its centre; speed (links) <- that of each body. */
double scene_speed(const scene *s);
void scene_speeds(const scene *s, double *speed);

/* of (links) <- the largest number of those that each body is coupled with, by joints and by these
 * contacts. The ground, and what is welded to it, couples none. */
void scene_couple(const scene *s, int nc, const imp_contact *contact, double *of);

/* The larger number of two links, one of which may be the ground. */
static inline double scene_larger(const double *of, int a, int b) {
    const double x = a == IMP_GROUND ? 0 : of[a], y = b == IMP_GROUND ? 0 : of[b];
    return x > y ? x : y;
}

#endif
