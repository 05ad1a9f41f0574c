/* maxdiss_model.c - maximum dissipation as an impact model, one contact at a time and in
 * columns. */
#include "single/batch.h"

#include <math.h>
#include <stddef.h>

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    (void)work;
    double W[6];
    imp_operator_packed(problem->W, 0, W);
    return imp_maxdiss_by(W, problem->q, problem->mu[0], problem->e ? problem->e[0] : 0, settings,
                          p, info);
}

/* One problem of the columns by a search: imp_solve, which judges it. */
static void search(const imp_batch_columns *c, size_t i, const void *settings) {
    double W[9], p[3] = {0, 0, 0};
    static const int entry[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    for (int k = 0; k < 9; k++)
        W[k] = c->W[entry[k]][i];
    const double q[3] = {c->q[0][i], c->q[1][i], c->q[2][i]};
    const imp_operator dense = imp_operator_dense(1, W);
    const imp_problem problem = {
        .nc = 1, .W = &dense, .q = q, .mu = c->mu + i, .e = c->e ? c->e + i : NULL};
    imp_certificate certificate;
    c->status[i] =
        imp_solve_certified(&imp_model_maxdiss, &problem, settings, p, NULL, &certificate, NULL);
    if (c->status[i] < 0) return;
    c->residual[i] = certificate.count ? certificate.worst : INFINITY;
    for (int k = 0; k < 3; k++)
        c->p[k][i] = p[k];
}

static imp_status batch(const imp_batch_columns *columns, size_t n, const void *settings) {
    if (((const imp_maxdiss_settings *)settings)->solver == IMP_ANALYTIC)
        return imp_maxdiss_batch(columns, n, NULL);
    for (size_t i = 0; i < n; i++)
        search(columns, i, settings);
    return IMP_OK;
}

/* Values of the energy tell the angle to 1e-8. A search that ends with too few steps has no answer:
 * of their number the bound does not speak. */
static double bound(const void *settings) {
    return ((const imp_maxdiss_settings *)settings)->solver == IMP_GOLDEN_SECTION ? 1e-6 : 1e-9;
}

const char *const imp_maxdiss_solvers[] = {[IMP_ANALYTIC] = "analytic",
                                           [IMP_GOLDEN_SECTION] = "golden-section",
                                           [IMP_BISECTION] = "bisection",
                                           NULL};

static const imp_key keys[] = {
    {"solver", "-", offsetof(imp_maxdiss_settings, solver), IMP_ANALYTIC, 0, 0, imp_maxdiss_solvers,
     "how a slide is found; the searches may miss it"},
    {"steps", IMP_COUNT, offsetof(imp_maxdiss_settings, steps), 40, 1, 1000, NULL,
     "sections or halvings of a search"},
    {0},
};

const imp_model imp_model_maxdiss = {
    .name = "maxdiss",
    .title = "maximum dissipation",
    .citation = "Preclik, Eibl, Ruede 2017, eq. (3)",
    .law = &imp_law_maxdiss,
    .takes = IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY,
    .keys = keys,
    .settings_size = sizeof(imp_maxdiss_settings),
    .solve = solve,
    .batch = batch,
    .bound = bound,
};
