/* cradle.h - balls in a row, without weight, the first of which flies at the others: a compliant
 * run whose cost is to grow with the number of balls. */
#ifndef HARNESS_CRADLE_H
#define HARNESS_CRADLE_H

#include "compliant/run.h"

typedef struct cradle {
    imp_tree *tree;
    compliant_system system;
    compliant_settings settings;
    double *q, *v;   /* before; v[6 i] is ball i's along the row: the first one's is 2, m/s */
    double *after;   /* (balls) m/s along the row, of a run */
    double momentum; /* along the row, after over that of the first ball before */
    double evaluations, steps;
} cradle;

/* gap: m, between neighbours; radius: of each ball over that of the one before it, of one material.
 * False without memory; cradle_clear either way. */
bool cradle_make(cradle *c, int balls, double gap, double radius);
void cradle_clear(cradle *c);

/* Runs it to its end and notes velocities, momentum (NaN where it came to none), evaluations and
 * steps. */
imp_status cradle_run(cradle *c);

#endif
