/* maxdiss_subject.h - maximum dissipation of a generated problem, and its certificate, for the
 * tests of it. */
#ifndef MAXDISS_SUBJECT_H
#define MAXDISS_SUBJECT_H

#include "generators/gen.h"
#include "impact.h"

#include <math.h>

static inline imp_status solve(const gen_problem *g, double p[3], imp_info *info) {
    return imp_maxdiss(g->W, g->q, g->mu, g->e, p, info);
}

#endif
