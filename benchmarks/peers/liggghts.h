/* liggghts.h - LIGGGHTS, soft spheres (Hertz with tangential history), on a packing of ours; where it is installed
 * (Debian: liggghts). */
#ifndef LIGGGHTS_H
#define LIGGGHTS_H

#include "impact.h"

#include <stdbool.h>

typedef struct liggghts {
    double stiffness;   /* Pa, Young's modulus of the spheres */
    double step;        /* s */
    double per_step;    /* s by the clock */
    double penetration; /* m, the deepest of the spheres into each other at the end */
} liggghts;

bool liggghts_is_there(void);

/* Runs the flow's spheres, in a box of width `wide` (m) open above, from where they are: `settle` steps, then `steps`
 * that are timed, at 17 % of the Rayleigh time. false: it is not there or its answer cannot be read. */
bool liggghts_run(const imp_granular *flow, double wide, double stiffness, int settle, int steps, liggghts *out);

#endif
