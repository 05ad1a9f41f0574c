/* natural_error.h - the natural-map error of Coulomb's law a second way, for tests and audits that
 * trust no solver: nothing of it is shared with lib, which has its own (blocks/blockwise.h,
 * contact/friction_cone.h). */
#ifndef NATURAL_ERROR_H
#define NATURAL_ERROR_H

#include "impact.h"

#include <math.h>
#include <stdlib.h>

/* The field's error from its definition, written out again: x - P(x - u - mu |u_t| n) for a = the
 * mean diagonal. */
static inline double natural_error(const imp_problem *problem, const double *p) {
    double square = 0, q_square = 0, a = 0;
    for (int i = 0; i < problem->nc; i++) {
        double B[9];
        problem->W->kind->block(problem->W, i, i, B);
        a += (B[0] + B[4] + B[8]) / (3 * problem->nc);
    }
    double *u = malloc(3 * (size_t)problem->nc * sizeof *u);
    imp_operator_apply(problem->W, p, problem->q, u);
    for (int i = 0; i < problem->nc; i++) {
        const double *pi = p + 3 * i, *ui = u + 3 * i, *qi = problem->q + 3 * i,
                     mu = problem->mu[i];
        const double n = a * pi[0] - ui[0] - mu * hypot(ui[1], ui[2]), t = a * pi[1] - ui[1],
                     o = a * pi[2] - ui[2];
        const double length = hypot(t, o);
        double P[3] = {n, t, o};
        if (length > mu * n) {
            /* outside the cone: onto it, or to its apex when in the polar cone */
            const double along = (n + mu * length) / (1 + mu * mu);
            P[0] = along > 0 ? along : 0;
            P[1] = along > 0 ? mu * along * t / length : 0;
            P[2] = along > 0 ? mu * along * o / length : 0;
        }
        for (int r = 0; r < 3; r++) {
            square += (a * pi[r] - P[r]) * (a * pi[r] - P[r]);
            q_square += qi[r] * qi[r];
        }
    }
    free(u);
    return q_square > 0 ? sqrt(square / q_square) : sqrt(square);
}

#endif
