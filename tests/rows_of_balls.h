/* rows_of_balls.h - rows of balls, and models of several contacts and their laws put to such and
 * other situations. */
#ifndef ROWS_OF_BALLS_H
#define ROWS_OF_BALLS_H

#include "generators/gen_situation.h"
#include "impact.h"
#include "tap.h"

enum { MOST = GEN_MOST_CONTACTS, ROWS = SITUATION_MOST };

static const double equal[MOST + 1] = {1, 1, 1, 1, 1, 1, 1, 1, 1};

/* Balls with those masses (nc + 1), of which the first flies at the others at 1 m/s. */
static inline situation row_of(int nc, const double *mass, double e) {
    situation s = {.nc = nc};
    const int n = 3 * nc;
    for (int i = 0; i < nc; i++) {
        s.e[i] = e;
        s.q[3 * i] = i == 0 ? -1 : 0;
        for (int k = 0; k < 3; k++) {
            const int a = 3 * i + k;
            s.W[a * n + a] = 1 / mass[i] + 1 / mass[i + 1];
            if (i + 1 < nc) s.W[a * n + a + 3] = s.W[(a + 3) * n + a] = -1 / mass[i + 1];
        }
    }
    return s;
}

/* p (ROWS) <- the answer, zeros behind it. */
static inline imp_status solve_by(const imp_model *model, const situation *s, const void *settings,
                                  double *p) {
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    memset(p, 0, ROWS * sizeof *p);
    return imp_solve(model, &problem, settings, p, NULL);
}

/* The worst residual of p; NAN where it is not judged. */
static inline double worst_by(const imp_law *law, const situation *s, const void *settings,
                              const double *p) {
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    imp_certificate c;
    if (imp_certify(&problem, law, settings, p, NULL, &c) != IMP_OK) return NAN;
    return c.unjudged ? NAN : c.worst;
}

#endif
