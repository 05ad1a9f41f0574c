/* sequence.c - velocities and the terms they are summed from, blow by blow. */
#include "blocks/sequence.h"

#include "base/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool imp_sequence_open(imp_sequence *s, const imp_problem *problem) {
    const size_t n = 3 * (size_t)problem->nc;
    *s = (imp_sequence){.problem = problem, .u = malloc(2 * n * sizeof *s->u)};
    s->columns = malloc((size_t)problem->nc * sizeof *s->columns);
    if (!s->u || !s->columns) return false;
    s->size = s->u + n;
    memcpy(s->u, problem->q, n * sizeof *s->u);
    for (size_t k = 0; k < n; k++)
        s->size[k] = fabs(s->u[k]);
    return true;
}

void imp_sequence_close(imp_sequence *s) {
    free(s->u);
    free(s->columns);
}

void imp_sequence_strike(imp_sequence *s, int i, const double x[3]) {
    const imp_operator *W = s->problem->W;
    const int count = W->kind->columns(W, i, s->columns);
    for (int k = 0; k < count; k++) {
        double B[9], *u = s->u + 3 * (size_t)s->columns[k],
                     *size = s->size + 3 * (size_t)s->columns[k];
        W->kind->block(W, s->columns[k], i, B);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                u[r] += B[3 * r + c] * x[c];
                size[r] += fabs(B[3 * r + c] * x[c]);
            }
    }
}

double imp_sequence_size(const imp_sequence *s, int i) {
    const double *size = s->size + 3 * (size_t)i;
    return s->problem->nc > 1 ? imp_largest(size, 3, 1) : size[0];
}
