/* piles.h - frictional contact problems of any size, made by the program: what a solver was not
 * tuned on.
 *
 * Bodies at rest fall for one instant (gravity times a time step, and small random velocities); H
 * and M of the global form come with the problem, as from a time stepper. Equal on every machine
 * (generators/gen.h). */
#ifndef PILES_H
#define PILES_H

#include "io/fclib.h"

#include <stdint.h>

typedef enum pile_kind {
    /* equal spheres in shifted square layers on the ground: ball-like blocks, many per body */
    PILE_SPHERES,
    PILE_WALL, /* bricks in running bond, four points per face pair: hyperstatic */
    /* boxes and balls of all sizes in a bin, touching their neighbours at random points */
    PILE_BOX,
    PILE_CHAIN,  /* a row of spheres on the ground, hit from one end: long range, one path */
    PILE_TABLES, /* stacked plates on four legs each, offset: tall and redundant */
    PILE_KINDS
} pile_kind;

/* "spheres", "wall", "box", "chain", "tables". */
const char *pile_name(pile_kind kind);

/* *problem <- a global problem of about `contacts` contacts, mu between 0.1 and 0.9. Free with
 * imp_fclib_clear. IMP_OK, IMP_NO_MEMORY. */
imp_status pile_make(pile_kind kind, uint64_t seed, int contacts, imp_fclib *problem);

#endif
