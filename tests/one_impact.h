/* one_impact.h - what the tests of single impacts compute by themselves. */
#ifndef ONE_IMPACT_H
#define ONE_IMPACT_H

#include "generators/gen.h"

#include <math.h>

static inline void velocity(const gen_problem *g, const double p[3], double u[3]) {
    const double *W = g->W;
    u[0] = W[0] * p[0] + W[1] * p[1] + W[2] * p[2] + g->q[0];
    u[1] = W[1] * p[0] + W[3] * p[1] + W[4] * p[2] + g->q[1];
    u[2] = W[2] * p[0] + W[4] * p[1] + W[5] * p[2] + g->q[2];
}

/* Change of kinetic energy, J. */
static inline double energy(const gen_problem *g, const double p[3]) {
    double u[3], sum = 0;
    velocity(g, p, u);
    for (int i = 0; i < 3; i++)
        sum += 0.5 * p[i] * (g->q[i] + u[i]);
    return sum;
}

static inline double length(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

#endif
