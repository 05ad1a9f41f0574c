/* darboux_model.c - the Darboux-Keller process as three models, one for each law of restitution. */
#include "single/batch.h"

static imp_status solve(const imp_problem *problem, imp_darboux_law law, double *p,
                        imp_info *info) {
    double W[6];
    imp_operator_packed(problem->W, 0, W);
    return imp_darboux(W, problem->q, problem->mu[0], problem->e ? problem->e[0] : 0, law, p, NULL,
                       info);
}

static imp_status solve_stronge(const imp_problem *problem, const void *settings, double *p,
                                void *work, imp_info *info) {
    (void)settings, (void)work;
    return solve(problem, IMP_STRONGE, p, info);
}

static imp_status solve_poisson(const imp_problem *problem, const void *settings, double *p,
                                void *work, imp_info *info) {
    (void)settings, (void)work;
    return solve(problem, IMP_POISSON, p, info);
}

static imp_status solve_newton(const imp_problem *problem, const void *settings, double *p,
                               void *work, imp_info *info) {
    (void)settings, (void)work;
    return solve(problem, IMP_NEWTON, p, info);
}

static imp_status batch_stronge(const imp_batch_columns *columns, size_t n, const void *settings) {
    (void)settings;
    return imp_darboux_batch(columns, IMP_STRONGE, n, NULL);
}

static imp_status batch_poisson(const imp_batch_columns *columns, size_t n, const void *settings) {
    (void)settings;
    return imp_darboux_batch(columns, IMP_POISSON, n, NULL);
}

static imp_status batch_newton(const imp_batch_columns *columns, size_t n, const void *settings) {
    (void)settings;
    return imp_darboux_batch(columns, IMP_NEWTON, n, NULL);
}

const imp_model imp_model_darboux_stronge = {
    .name = "darboux-stronge",
    .title = "Darboux-Keller impact process, energetic restitution",
    .citation = "Mirtich reworked, sections 3, 4; Darboux 1880; Keller 1986; Stronge 1990",
    .law = &imp_law_darboux_stronge,
    .takes = IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY,
    .solve = solve_stronge,
    .batch = batch_stronge};
const imp_model imp_model_darboux_poisson = {
    .name = "darboux-poisson",
    .title = "Darboux-Keller impact process, kinetic restitution",
    .citation = "Mirtich reworked, sections 3, 4; Darboux 1880; Keller 1986",
    .law = &imp_law_darboux_poisson,
    .takes = IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY,
    .solve = solve_poisson,
    .batch = batch_poisson};
const imp_model imp_model_darboux_newton = {
    .name = "darboux-newton",
    .title = "Darboux-Keller impact process, kinematic restitution",
    .citation = "Mirtich reworked, sections 3, 4; Darboux 1880; Keller 1986",
    .law = &imp_law_darboux_newton,
    .takes = IMP_TAKES_RESTITUTION,
    .solve = solve_newton,
    .batch = batch_newton};
