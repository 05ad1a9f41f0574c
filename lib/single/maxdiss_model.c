/* maxdiss_model.c - maximum dissipation as an impact model, one contact at a time and in
 * columns. */
#include "single/batch.h"

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    (void)settings;
    (void)work;
    double W[6];
    imp_operator_packed(problem->W, 0, W);
    return imp_maxdiss(W, problem->q, problem->mu[0], problem->e ? problem->e[0] : 0, p, info);
}

static imp_status batch(const imp_batch_columns *columns, size_t n, const void *settings) {
    (void)settings;
    return imp_maxdiss_batch(columns, n, NULL);
}

const imp_model imp_model_maxdiss = {
    .name = "maxdiss",
    .title = "maximum dissipation",
    .citation = "Preclik, Eibl, Ruede 2017, eq. (3)",
    .law = &imp_law_maxdiss,
    .takes = IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY,
    .solve = solve,
    .batch = batch,
};
