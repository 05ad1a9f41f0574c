/* natural_error.h - the natural-map error of Coulomb's law a second way, for tests and audits that
 * trust no solver: nothing of it is shared with lib, which has its own (blocks/blockwise.h,
 * contact/friction_cone.h). */
#ifndef NATURAL_ERROR_H
#define NATURAL_ERROR_H

#include "base/worse.h"
#include "impact.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* island (nc) <- the least contact that a contact hangs together with by blocks that are not 0. */
static inline void natural_islands(const imp_operator *W, int *island) {
    int *columns = malloc((size_t)W->nc * sizeof *columns);
    for (int i = 0; i < W->nc; i++)
        island[i] = i;
    for (int changes = 1; changes > 0;) {
        changes = 0;
        for (int i = 0; i < W->nc; i++) {
            const int count = W->kind->columns(W, i, columns);
            for (int k = 0; k < count; k++) {
                const int j = columns[k];
                double B[9];
                bool coupled = false;
                if (island[i] == island[j]) continue;
                W->kind->block(W, i, j, B);
                for (int r = 0; r < 9; r++)
                    coupled = coupled || B[r] != 0;
                if (!coupled) continue;
                island[i] = island[j] = island[i] < island[j] ? island[i] : island[j];
                changes++;
            }
        }
    }
    free(columns);
}

/* The error of one contact from its definition, written out again: x - P(x - u - mu |u_t| n), x = a
 * p, squared. */
static inline double natural_square(double a, const double p[3], const double u[3], double mu) {
    const double w = u[0] + mu * hypot(u[1], u[2]), n = a * p[0] - w, t = a * p[1] - u[1],
                 o = a * p[2] - u[2];
    const double length = hypot(t, o);
    /* inside its cone x is not asked to show what it may be too large for */
    if (length < (1 - 1e-14) * mu * n) return w * w + u[1] * u[1] + u[2] * u[2];
    const double along = (n + mu * length) / (1 + mu * mu);
    double P[3] = {n, t, o}, square = 0;
    if (length > mu * n) { /* outside: onto it, or to its apex when in the polar cone */
        P[0] = along > 0 ? along : 0;
        P[1] = along > 0 ? mu * along * t / length : 0;
        P[2] = along > 0 ? mu * along * o / length : 0;
    }
    for (int r = 0; r < 3; r++)
        square += (a * p[r] - P[r]) * (a * p[r] - P[r]);
    return square;
}

/* The field's error for a = the mean diagonal, over |q|, among the contacts of island `which`; all
 * of them where island is NULL. */
static inline double natural_error_among(const imp_problem *problem, const double *p,
                                         const int *island, int which) {
    const size_t nc = (size_t)problem->nc;
    double *u = malloc(3 * nc * sizeof *u), square = 0, q_square = 0, a = 0;
    int count = 0;
    imp_operator_apply(problem->W, p, problem->q, u);
    for (int i = 0; i < problem->nc; i++) {
        double B[9];
        if (island && island[i] != which) continue;
        problem->W->kind->block(problem->W, i, i, B);
        a += B[0] + B[4] + B[8];
        count += 3;
    }
    for (int i = 0; i < problem->nc; i++) {
        const double *q = problem->q + 3 * (size_t)i;
        if (island && island[i] != which) continue;
        square += natural_square(a / count, p + 3 * (size_t)i, u + 3 * (size_t)i, problem->mu[i]);
        q_square += q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
    }
    free(u);
    return q_square > 0 ? sqrt(square / q_square) : sqrt(square);
}

static inline double natural_error(const imp_problem *problem, const double *p) {
    return natural_error_among(problem, p, NULL, 0);
}

/* The largest of an island of contacts, each by itself: what block solvers keep within their
 * tolerance. */
static inline double natural_error_apart(const imp_problem *problem, const double *p) {
    int *island = calloc((size_t)problem->nc, sizeof *island);
    double worst = 0;
    natural_islands(problem->W, island);
    for (int first = 0; first < problem->nc; first++) {
        const double error =
            island[first] == first ? natural_error_among(problem, p, island, first) : 0;
        worst = imp_worse(worst, error);
    }
    free(island);
    return worst;
}

#endif
