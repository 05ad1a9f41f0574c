/* forces_cases.h - random problems of one touching contact, for the tests of its forces. */
#ifndef FORCES_CASES_H
#define FORCES_CASES_H

#include "generators/gen.h"
#include "impact.h"

static const gen_class classes[] = {GEN_FREE_BOX_1, GEN_FREE_BOX_5, GEN_PAINLEVE, GEN_SPD_4,
                                    GEN_SEVERAL};
enum { CLASSES = sizeof classes / sizeof *classes };

/* Problem k of that class: q is b, with either sign of its normal component. */
static inline gen_problem problem_of(gen_class kind, uint64_t k, double v[3]) {
    gen_problem g = gen_make(kind, k);
    gen_stream s = gen_seed(4711 + (uint64_t)kind, k);
    const double angle = gen_uniform(&s, -3.2, 3.2), speed = gen_power10(&s, -3, 3);
    if (k % 2) g.q[0] = -g.q[0];
    v[0] = 0;
    v[1] = speed * cos(angle);
    v[2] = speed * sin(angle);
    return g;
}

/* The largest of the certificate of f. */
static inline double residual(const gen_problem *g, const double v[3], const double f[3]) {
    imp_certificate c;
    return imp_forces_certify(g->W, v, g->q, g->mu, f, &c) == IMP_OK ? c.worst : INFINITY;
}

#endif
