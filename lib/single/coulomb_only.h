/* coulomb_only.h - the only Coulomb solution of one problem, by the kernel of one lane; included by
 * one file per instruction set. Internal. */
#ifndef IMP_COULOMB_ONLY_H
#define IMP_COULOMB_ONLY_H

#define IMP_ONE_LANE
#include "single/coulomb_lanes.h"

/* 1/2 p.(u + q) = -1/2 (b_n^2 / A_nn + g.z + kappa |z|^2), of which no term is negative. */
static double energy_of(const contact *s) {
    const double A = s->Ann, *x = s->x, k = s->slip ? s->k : 0,
                 D = s->curve.det.hi + k * (s->curve.trace.hi + k);
    const double wg =
        dd_add(dd_mul(s->curve.w[0], s->curve.g[0]), dd_mul(s->curve.w[1], s->curve.g[1])).hi;
    return -0.5 * (s->b[0] * s->b[0] + (wg + k * s->gg) / D + k * (x[1] * x[1] + x[2] * x[2])) / A;
}

static bool only_solution(const double W[6], const double q[3], double mu, imp_coulomb_set *set) {
    contact s;
    if (!take(W, q, mu, 0, &s) || !reduce(&s)) return false;
    decide(&s, true);
    for (int n = 0; n < STEPS && s.active; n++)
        step_root(&s);
    if (s.slip) polish(&s);
    if (!finish(&s)) return false;
    const double kappa = s.slip ? s.k / s.Ann : 0;
    imp_coulomb_solution only = {.kind = s.stick ? IMP_STICK : s.slip ? IMP_SLIP : IMP_ZERO};
    if (only.kind == IMP_ZERO)
        memcpy(only.u, q, sizeof only.u);
    else
        only.energy = energy_of(&s) * s.unit * s.q_binade;
    for (int i = 0; i < 3; i++)
        only.p[i] = s.x[i] * s.unit;
    for (int i = 1; i < 3 && s.slip; i++)
        only.u[i] = (0 - kappa * s.x[i]) * s.q_binade;
    only.kappa = kappa * s.W_binade;
    *set = (imp_coulomb_set){.count = 1,
                             .solution = {only},
                             .proven = 1,
                             .unique = s.unique,
                             .eccentricity = mu * sqrt(s.a[0] * s.a[0] + s.a[1] * s.a[1]) / s.Ann,
                             .unique_below = 2 * sqrt(s.curve.det.hi) / s.curve.trace.hi,
                             .maxdiss = s.parallel ? 0 : -1};
    return true;
}

#endif
