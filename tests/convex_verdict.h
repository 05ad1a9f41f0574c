/* convex_verdict.h - what QP1 demands, from its definition. */
#ifndef CONVEX_VERDICT_H
#define CONVEX_VERDICT_H

#include "impact.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static inline imp_convex_settings convex_presets(void) {
    imp_convex_settings own;
    imp_model_presets(&imp_model_drumwright, &own);
    return own;
}

/* With gaps u_n stands for u_n + gap below. How far p breaks each constraint, and how far its
 * energy can be above the least: for any lambda >= 0, with r = W (p - E lambda) + q and theta =
 * max(0, mu |r_to| - r_n), E(p) - E(x) <= sum (p . r + c |r_to| + lambda u_n) + kappa theta    for
 * every x that obeys the constraints. */
typedef struct convex_verdict {
    double gap, push, sum, cone, excess; /* m/s, N s, N s, N s, J */
} convex_verdict;

static inline convex_verdict convex_judge(const imp_problem *problem, const double *muv,
                                          double kappa, const double *p, const double *lambda) {
    const int n = problem->nc;
    double *u = calloc(9 * (size_t)n + 1, sizeof *u), *shifted = u + 3 * n, *r = shifted + 3 * n;
    convex_verdict v = {0};
    double sum = 0, theta = 0;
    for (int i = 0; i < 3 * n; i++)
        shifted[i] = p[i] - (i % 3 == 0 ? lambda[i / 3] : 0);
    imp_operator_apply(problem->W, p, problem->q, u);
    imp_operator_apply(problem->W, shifted, problem->q, r);
    for (int i = 0; i < n; i++) {
        const double *pi = p + 3 * i, *ri = r + 3 * i, *qi = problem->q + 3 * i;
        const double c = muv ? muv[i] * hypot(qi[1], qi[2]) : 0, pull = hypot(ri[1], ri[2]);
        const double row = u[3 * i] + (problem->gap ? problem->gap[i] : 0);
        v.gap = tap_worst(v.gap, -row);
        v.push = tap_worst(v.push, -pi[0]);
        v.cone = tap_worst(v.cone, hypot(pi[1], pi[2]) - problem->mu[i] * pi[0] - c);
        v.excess += pi[0] * ri[0] + pi[1] * ri[1] + pi[2] * ri[2] + c * pull + lambda[i] * row;
        theta = tap_worst(theta, problem->mu[i] * pull - ri[0]);
        sum += pi[0];
    }
    v.sum = tap_worst(0, sum - kappa);
    v.excess = fabs(v.excess + theta * kappa);
    free(u);
    return v;
}

/* Of its constraints alone; and with the energy. */
static inline double convex_broken(const convex_verdict *v) {
    return tap_worst(tap_worst(v->gap, v->push), tap_worst(v->sum, v->cone));
}

static inline double convex_worst(const convex_verdict *v) {
    return tap_worst(convex_broken(v), v->excess);
}

#endif
