/* stress.c - hard little problems (benchmarks/harness/stress.h) through every model: no wrong
 * ok, no NaN, no gain, no hang. */
#include "benchmarks/harness/stress.h"

#include "campaign/campaign.h"
#include "impact.h"

#include <string.h>

enum {
    OK = CAMPAIGN_OWN,
    NOT_CERTIFIED,
    NOT_CONVERGED,
    NO_SOLUTION,
    OTHER,
    RESIDUAL,
    GAIN,
    SLOWEST
};

static const campaign_column columns[] = {
    {"problems", false},      {"faults", false},      {"ok", false},    {"not-certified", false},
    {"not-converged", false}, {"no-solution", false}, {"other", false}, {"residual", true},
    {"gain", true},           {"slowest, s", true},   {NULL, false}};

static int column_of(imp_status status) {
    switch (status) {
    case IMP_OK: return OK;
    case IMP_NOT_CERTIFIED: return NOT_CERTIFIED;
    case IMP_NOT_CONVERGED: return NOT_CONVERGED;
    case IMP_NO_SOLUTION: return NO_SOLUTION;
    default: return OTHER;
    }
}

/* With `planted`: a model that calls right whatever it answers, behind its name, so that only the
 * sums of the judge are left to find what is spoiled. */
static const imp_model *behind;
static campaign_lot *spoils;

static imp_status say_ok(const imp_problem *problem, const void *settings, double *p, void *work,
                         imp_info *info) {
    (void)work, (void)info, (void)settings;
    const imp_status status = imp_solve(behind, problem, NULL, p, NULL);
    if (status >= 0) campaign_answer(spoils, p, 3 * problem->nc, 1);
    return status;
}

static imp_status call_right(const imp_problem *problem, const void *settings, const double *p,
                             const imp_path *path, imp_certificate *result) {
    (void)problem, (void)settings, (void)p, (void)path;
    imp_certificate_note(result, "nothing", 0, 0);
    return IMP_OK;
}

static stress_verdict judge(campaign_lot *lot, const imp_model *model, const stress_case *c) {
    static const imp_law anything = {.name = "anything",
                                     .statement = "nothing",
                                     .certify = call_right,
                                     .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
    imp_model claimed = *model;
    if (!lot->planted) return stress_judge(model, c);
    behind = model;
    spoils = lot;
    claimed.law = &anything;
    claimed.solve = say_ok;
    return stress_judge(&claimed, c);
}

static void put(campaign_lot *lot, int row, const stress_case *c) {
    const imp_model *model = imp_models[row];
    const stress_verdict v = judge(lot, model, c);
    campaign_count(lot, row, column_of(v.status), true);
    campaign_worst(lot, row, RESIDUAL, v.residual);
    if (model->takes & IMP_NEVER_GAINS_ENERGY) campaign_worst(lot, row, GAIN, v.gain);
    campaign_worst(lot, row, SLOWEST, v.seconds);
    if (v.fault != STRESS_SOUND)
        campaign_fault(lot, row, &c->problem, model, stress_fault_text(v.fault));
}

static void one(campaign_lot *lot, uint64_t number) {
    const uint64_t models = campaign_models();
    const int row = (int)(number % models);
    const imp_model *model = imp_models[row];
    stress_case c;
    stress_make(model, number / models, &c);
    /* W just not positive */
    if (imp_problem_check(&c.problem, NULL) != IMP_OK ||
        imp_model_takes(model, &c.problem) != IMP_OK)
        return;
    campaign_begin(lot, row, number);
    put(lot, row, &c);
}

static void again(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model) {
    const size_t nc = (size_t)problem->nc;
    stress_case c = {.e = {0}};
    (void)model;
    imp_problem_dense(problem, c.W);
    memcpy(c.q, problem->q, 3 * nc * sizeof *c.q);
    memcpy(c.mu, problem->mu, nc * sizeof *c.mu);
    if (problem->e) memcpy(c.e, problem->e, nc * sizeof *c.e);
    c.op = imp_operator_dense(problem->nc, c.W);
    c.problem = (imp_problem){.nc = problem->nc, .W = &c.op, .q = c.q, .mu = c.mu, .e = c.e};
    put(lot, row, &c);
}

const campaign_inquiry campaign_stress = {
    .name = "stress",
    .about = "hard little problems through every model: no wrong ok, NaN, gain or hang",
    .row = campaign_model_row,
    .columns = columns,
    .lot = 2000,
    .goal = 2e6,
    .one = one,
    .again = again};
