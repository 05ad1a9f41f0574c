/* singles.c - single contacts by the chunk. */
#include "campaign/singles.h"

#include <float.h>
#include <math.h>

const char *single_name(int class) {
    return class < GEN_CLASSES ? gen_name((gen_class) class)
           : class < SINGLES   ? gen_edge_name((gen_edge)(class - GEN_CLASSES))
                               : NULL;
}

gen_problem single_make(int class, uint64_t index) {
    return class < GEN_CLASSES ? gen_make((gen_class) class, index)
                               : gen_edge_make((gen_edge)(class - GEN_CLASSES), index);
}

void singles_add(singles *s, const gen_problem *g) {
    const int i = s->count++;
    s->g[i] = *g;
    for (int k = 0; k < 6; k++)
        s->W[k][i] = g->W[k];
    for (int k = 0; k < 3; k++) {
        s->q[k][i] = g->q[k];
        s->p[k][i] = 0; /* left so where the status is negative */
    }
    s->mu[i] = g->mu;
    s->e[i] = g->e;
    s->residual[i] = 0;
}

imp_batch_columns singles_columns(singles *s) {
    imp_batch_columns columns = {
        .mu = s->mu, .e = s->e, .residual = s->residual, .status = s->status};
    for (int k = 0; k < 6; k++)
        columns.W[k] = s->W[k];
    for (int k = 0; k < 3; k++) {
        columns.q[k] = s->q[k];
        columns.p[k] = s->p[k];
    }
    return columns;
}

void singles_answer(const singles *s, int i, double p[3]) {
    for (int k = 0; k < 3; k++)
        p[k] = s->p[k][i];
}

bool is_finite(const double p[3]) {
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

bool is_subnormal(double mu, const double p[3]) {
    bool any = mu > 0 && p[0] > 0 && mu * p[0] < DBL_MIN;
    for (int k = 0; k < 3; k++)
        any = any || fpclassify(p[k]) == FP_SUBNORMAL;
    return any;
}
