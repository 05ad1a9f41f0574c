/* maxdiss_subject.h - maximum dissipation of a generated problem, and its certificate, for the
 * tests of it. */
#ifndef MAXDISS_SUBJECT_H
#define MAXDISS_SUBJECT_H

#include "generators/gen.h"
#include "impact.h"

#include <math.h>

static inline double worst_residual(const gen_problem *g, const double p[3]) {
    gen_dense dense;
    imp_certificate c;
    gen_dense_of(g, &dense);
    return imp_certify(&dense.problem, &imp_law_maxdiss, NULL, p, NULL, &c) == IMP_OK ? c.worst
                                                                                      : INFINITY;
}

static inline imp_status solve(const gen_problem *g, double p[3], imp_info *info) {
    return imp_maxdiss(g->W, g->q, g->mu, g->e, p, info);
}

#endif
