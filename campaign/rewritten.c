/* rewritten.c - every model on fresh problems of every class: right where it says so, and the same
 * answer in other units, frames, orders, in the mirror, asked twice and after others. */
#include "campaign/campaign.h"

#include "audit/audit.h"
#include "impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNSUPPORTED = CAMPAIGN_OWN, SAID_FAILED, WAYS, ANOTHER, LOST, FALSE, NO_ANSWER, BITS };

static const campaign_column columns[] = {
    {"problems", false},    {"faults", false},
    {"unsupported", false}, {"said failed", false}, /* right or not, or interrupted */
    {"broken", false},     /* by other units, frames, orders or the mirror */
    {"another", false},    /* written anew: another solution, as right */
    {"lost", false},       /* written anew: said failed */
    {"false", false},      /* said solved, and is not */
    {"no answer", false},  /* or no numbers */
    {"other bits", false}, /* asked again, or after others */
    {NULL, false}};

static const double tolerance = 1e-9; /* or what the model's ok promises */
/* s of an answer: processes take minutes for a hundred contacts, and an interruption is an answer
 * too */
static const double patience = 10;

static long sum(const audit_row *row, const audit_counted *which, int n) {
    long all = 0;
    for (int k = 0; k < n; k++)
        all += row->count[which[k]];
    return all;
}

static const char another[] = "written anew, another answer",
                  wrong_ok[] = "said solved, and is not", nothing[] = "no answer",
                  other_bits[] = "other bits when asked again";

/* The problem, drawn once more, as the fault. */
static void keep(campaign_lot *lot, int row, const fresh_class *class, uint64_t seed,
                 const char *what) {
    fresh_problem made = {0};
    const bool good = fresh_make(class, seed, 0, &made) == IMP_OK;
    campaign_fault(lot, row, good ? &made.problem : NULL, imp_models[row], what);
    fresh_clear(&made);
}

static void note(campaign_lot *lot, int row, const fresh_class *class, uint64_t seed,
                 const audit_report *report) {
    static const audit_counted ways[] = {AUDIT_COUNT_UNITS, AUDIT_COUNT_MASS, AUDIT_COUNT_FRAMES,
                                         AUDIT_COUNT_MIRROR, AUDIT_COUNT_ORDER},
                               said[] = {AUDIT_COUNT_HONEST, AUDIT_COUNT_MODEST,
                                         AUDIT_COUNT_TIMED_OUT, AUDIT_COUNT_UNANSWERED},
                               none[] = {AUDIT_COUNT_CRASHED, AUDIT_COUNT_BAD_ANSWER},
                               bits[] = {AUDIT_COUNT_REPEAT, AUDIT_COUNT_SEQUENCE};
    const audit_row *all = &report->row[report->rows - 1];
    const struct {
        int column;
        long count;
        const char *fault; /* NULL: none */
    } counts[] = {{UNSUPPORTED, all->count[AUDIT_COUNT_UNTAKEN], NULL},
                  {SAID_FAILED, sum(all, said, 4), NULL},
                  {WAYS, sum(all, ways, 5), another},
                  {ANOTHER, all->count[AUDIT_COUNT_ANOTHER], NULL},
                  {LOST, all->count[AUDIT_COUNT_LOST], NULL},
                  {FALSE, all->count[AUDIT_COUNT_FALSE], wrong_ok},
                  {NO_ANSWER, sum(all, none, 2), nothing},
                  {BITS, sum(all, bits, 2), other_bits}};
    lot->cell[row][CAMPAIGN_PROBLEMS] += (double)all->count[AUDIT_COUNT_PROBLEMS];
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        lot->cell[row][counts[k].column] += (double)counts[k].count;
        for (long i = 0; counts[k].fault && i < counts[k].count; i++)
            keep(lot, row, class, seed, counts[k].fault);
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

/* The model of this row; with `planted` the wrong one behind its name, in *spoiled. */
static audit_solver solver_of(const campaign_lot *lot, int row, imp_model *spoiled) {
    audit_solver solver = {.model = imp_models[row], .seconds = patience};
    *spoiled = *solver.model;
    spoiled->solve = wrong;
    if (lot->planted) {
        solver.model = spoiled;
        solver.outside = true;
    }
    imp_model_presets(solver.model, &solver.settings);
    solver.tolerance = fmax(tolerance, imp_model_bound(solver.model, &solver.settings));
    return solver;
}

/* The model of this row, a problem of each class. */
static void one(campaign_lot *lot, uint64_t number) {
    const uint64_t models = campaign_models(), seed = number / models;
    const int row = (int)(number % models);
    imp_model spoiled;
    lot->at = number;
    for (const fresh_class *class = fresh_classes; class->name; class ++) {
        const audit_terms terms = {.solver = solver_of(lot, row, &spoiled),
                                   .classes = (const fresh_class *const[]){class, NULL},
                                   .seed = seed,
                                   .count = 1};
        audit_report report;
        if (audit_run(&terms, &report) == IMP_OK) {
            note(lot, row, class, seed, &report);
            audit_clear(&report);
        } else
            campaign_fault(lot, row, NULL, NULL, "no memory");
    }
}

/* As audit_run asks. */
static void again(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model) {
    imp_model spoiled;
    const audit_solver solver = solver_of(lot, row, &spoiled);
    const size_t n = 3 * (size_t)problem->nc;
    double *p = malloc(2 * n * sizeof *p);
    audit_answer first = {0}, second = {0};
    gen_stream s = gen_seed(lot->at / campaign_models(), 0);
    (void)model;
    if (!p || audit_ask(&solver, problem, p, &first) != IMP_OK) first.outcome = AUDIT_NOT_JUDGED;
    const bool right = first.outcome == AUDIT_RIGHT;
    for (audit_way way = 0; right && way < AUDIT_WAYS; way++) {
        audit_sameness same;
        if (audit_invariance(&solver, problem, p, way, &s, &same) == IMP_OK && same == AUDIT_BROKEN)
            campaign_fault(lot, row, problem, model, another);
    }
    if (right && audit_ask(&solver, problem, p + n, &second) == IMP_OK &&
        memcmp(p, p + n, n * sizeof *p) != 0)
        campaign_fault(lot, row, problem, model, other_bits);
    if (first.outcome == AUDIT_FALSE) campaign_fault(lot, row, problem, model, wrong_ok);
    if (first.outcome == AUDIT_NO_ANSWER && first.said != IMP_TIMED_OUT)
        campaign_fault(lot, row, problem, model, nothing);
    free(p);
}

const campaign_inquiry campaign_rewritten = {
    .name = "rewritten",
    .about = "every model, a problem of each class that `impact problems` lists: right, and so "
             "in other units, frames, orders",
    .row = campaign_model_row,
    .columns = columns,
    .lot = 1,
    .goal = 2e4,
    .one = one,
    .again = again};
