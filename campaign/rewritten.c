/* rewritten.c - every model on fresh problems of every class: right where it says so, and the same
 * answer in other units, frames, orders, in the mirror, asked twice and after others. */
#include "campaign/campaign.h"

#include "audit/audit.h"
#include "impact.h"

#include <math.h>

enum { UNSUPPORTED = CAMPAIGN_OWN, SAID_FAILED, WAYS, ANOTHER, LOST, FALSE, NO_ANSWER, BITS };

static const campaign_column columns[] = {
    {"problems", false},    {"faults", false},
    {"unsupported", false}, {"said failed", false}, /* right or not */
    {"broken", false},     /* by other units, frames, orders or the mirror */
    {"another", false},    /* written anew: another solution, as right */
    {"lost", false},       /* written anew: said failed */
    {"false", false},      /* said solved, and is not */
    {"no answer", false},  /* or no numbers */
    {"other bits", false}, /* asked again, or after others */
    {NULL, false}};

static const double tolerance = 1e-9; /* or what the model's ok promises */

static const char *row(int k) {
    return imp_models[k] ? imp_models[k]->name : NULL;
}

static long sum(const audit_row *row, const audit_counted *which, int n) {
    long all = 0;
    for (int k = 0; k < n; k++)
        all += row->count[which[k]];
    return all;
}

/* The worst problem, drawn once more, as the fault. */
static void keep(campaign_lot *lot, int row, const audit_problem *worst, uint64_t seed,
                 const imp_model *model, const char *what) {
    fresh_problem made = {0};
    if (worst->class && fresh_make(worst->class, seed, worst->number, &made) == IMP_OK)
        campaign_fault(lot, row, &made.problem, model, what);
    else
        campaign_fault(lot, row, NULL, model, what);
    fresh_clear(&made);
}

static void note(campaign_lot *lot, int row, uint64_t seed, const audit_report *report) {
    static const audit_counted ways[] = {AUDIT_COUNT_UNITS, AUDIT_COUNT_MASS, AUDIT_COUNT_FRAMES,
                                         AUDIT_COUNT_MIRROR, AUDIT_COUNT_ORDER},
                               said[] = {AUDIT_COUNT_HONEST, AUDIT_COUNT_MODEST},
                               none[] = {AUDIT_COUNT_TIMED_OUT, AUDIT_COUNT_CRASHED,
                                         AUDIT_COUNT_BAD_ANSWER},
                               bits[] = {AUDIT_COUNT_REPEAT, AUDIT_COUNT_SEQUENCE};
    const audit_row *all = &report->row[report->rows - 1];
    const struct {
        int column;
        long count;
        const char *fault; /* NULL: none */
    } counts[] = {{UNSUPPORTED, all->count[AUDIT_COUNT_UNTAKEN], NULL},
                  {SAID_FAILED, sum(all, said, 2), NULL},
                  {WAYS, sum(all, ways, 5), "written anew, another answer"},
                  {ANOTHER, all->count[AUDIT_COUNT_ANOTHER], NULL},
                  {LOST, all->count[AUDIT_COUNT_LOST], NULL},
                  {FALSE, all->count[AUDIT_COUNT_FALSE], "said solved, and is not"},
                  {NO_ANSWER, sum(all, none, 3), "no answer"},
                  {BITS, sum(all, bits, 2), "other bits when asked again"}};
    lot->cell[row][CAMPAIGN_PROBLEMS] += (double)all->count[AUDIT_COUNT_PROBLEMS];
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        lot->cell[row][counts[k].column] += (double)counts[k].count;
        for (long i = 0; counts[k].fault && i < counts[k].count; i++)
            keep(lot, row, &report->worst[0], seed, imp_models[row], counts[k].fault);
    }
}

/* With `planted`: a model that calls right whatever it answers, and answers by its first axis. */
static imp_status wrong(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    (void)settings, (void)work, (void)info;
    for (int i = 0; i < 3 * problem->nc; i++)
        p[i] = i % 3 ? 0 : fabs(problem->q[i]);
    return IMP_OK;
}

static void one(campaign_lot *lot, int row, uint64_t number, uint64_t seed) {
    imp_model spoiled = *imp_models[row];
    audit_terms terms = {
        .solver = {.model = imp_models[row], .tolerance = tolerance}, .seed = seed, .count = 1};
    const fresh_class *classes[128] = {NULL};
    for (int k = 0; fresh_classes[k].name; k++)
        classes[k] = &fresh_classes[k];
    terms.classes = classes;
    spoiled.solve = wrong;
    if (lot->planted) {
        terms.solver.model = &spoiled;
        terms.solver.outside = true;
    }
    imp_model_presets(terms.solver.model, &terms.solver.settings);
    terms.solver.tolerance =
        fmax(tolerance, imp_model_bound(terms.solver.model, &terms.solver.settings));
    audit_report report;
    lot->at = number;
    if (audit_run(&terms, &report) != IMP_OK) {
        campaign_fault(lot, row, NULL, NULL, "no memory");
        return;
    }
    note(lot, row, seed, &report);
    audit_clear(&report);
}

static void pose(campaign_lot *lot, uint64_t first, long count) {
    uint64_t models = 0;
    do
        models++;
    while (imp_models[models]);
    for (uint64_t n = first; n < first + (uint64_t)count; n++)
        one(lot, (int)(n % models), n, n / models);
}

const campaign_inquiry campaign_rewritten = {
    .name = "rewritten",
    .about = "every model, a problem of each class that `impact problems` lists: right, and so "
             "in other units, frames, orders",
    .row = row,
    .columns = columns,
    .lot = 1,
    .goal = 2e5,
    .pose = pose};
