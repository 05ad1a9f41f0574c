/* fit.c - a model's errors on recorded impacts, and the mu and e that make their mean least. */
#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEVELS = 101,
    ALL = REPLAY_FOLDS,
    PATIENCE = 10 /* impacts running without an answer in time, with which a fit is given up */
};

/* What came of one round over the impacts. */
typedef struct tally {
    int unsolved; /* answers that are not certified */
    int silent;   /* of these, no answer at all: there is no process, or it says none */
    double first; /* the first of these impacts */
    imp_error why;
} tally;

/* Notes an answer that is not certified. */
static void note(tally *came, const imp_model *model, const replay_terms *terms, double impact,
                 imp_status status) {
    const char *fault = terms->fault ? terms->fault(model) : NULL;
    came->silent += status == IMP_CRASHED || status == IMP_TIMED_OUT || status == IMP_BAD_ANSWER;
    if (came->unsolved++ > 0) return;
    came->first = impact;
    imp_error_set(&came->why, status, "%s", fault ? fault : imp_status_text(status));
}

/* error (count) <- with mu and e, asking about each impact once. patience: IMP_TIMED_OUT behind so
 * many running without an answer in time; 0: however many. */
static imp_status ask_all(const replay_data *data, const imp_model *model,
                          const replay_terms *terms, double mu, double e, int patience,
                          double *error, tally *came) {
    int late = 0;
    *came = (tally){0};
    for (int i = 0; i < data->count; i++) {
        const imp_operator W = imp_operator_dense(1, data->impact[i].W);
        const imp_problem problem = {.nc = 1, .W = &W, .q = data->impact[i].q, .mu = &mu, .e = &e};
        double p[3] = {0};
        imp_status status = imp_model_takes(model, &problem);
        if (status != IMP_OK) return status;
        status = imp_solve(model, &problem, NULL, p, NULL);
        if (status == IMP_NO_MEMORY) return status;
        if (status != IMP_OK) note(came, model, terms, data->impact[i].id, status);
        late = status == IMP_TIMED_OUT ? late + 1 : 0;
        if (late > 0 && late == patience) return IMP_TIMED_OUT;
        error[i] = replay_error(&data->impact[i], p);
    }
    return IMP_OK;
}

imp_status replay_errors(const replay_data *data, const imp_model *model, double mu, double e,
                         double *error, int *unsolved) {
    const replay_terms terms = {.mu = mu, .e = e};
    tally came;
    const imp_status status = ask_all(data, model, &terms, mu, e, 0, error, &came);
    *unsolved = came.unsolved;
    return status;
}

/* Where mu, or e, is sought: on 0, 0.01 .. 1, or at one value. */
typedef struct axis {
    double from;
    int count;
} axis;

/* The sums of errors over the impacts of each fold, at the points of a grid that were asked for. */
typedef struct grid {
    const replay_data *data;
    const imp_model *model;
    const replay_terms *terms;
    axis mu, e;
    tally came;                  /* of the last round */
    double *error;               /* (count) room, of the last round */
    double (*sum)[REPLAY_FOLDS]; /* (LEVELS^2) by mu, then e; the first is NAN: not known */
} grid;

static double level(const axis *a, int k) {
    return a->from + 0.01 * k;
}

/* Is there one mu and one e? */
static bool is_given(const grid *g) {
    return g->mu.count == 1 && g->e.count == 1;
}

static imp_status ask(grid *g, double mu, double e) {
    return ask_all(g->data, g->model, g->terms, mu, e, is_given(g) ? 0 : PATIENCE, g->error,
                   &g->came);
}

/* *sum <- what the fold `out` is fitted by: the sum of errors over all other folds. */
static imp_status weigh(grid *g, int i, int j, int out, double *sum) {
    double *const known = g->sum[i * LEVELS + j];
    if (isnan(known[0])) {
        const imp_status status = ask(g, level(&g->mu, i), level(&g->e, j));
        if (status != IMP_OK) return status;
        memset(known, 0, sizeof *g->sum);
        for (int k = 0; k < g->data->count; k++)
            known[g->data->fold[k]] += g->error[k];
    }
    *sum = 0;
    for (int f = 0; f < REPLAY_FOLDS; f++)
        *sum += f == out ? 0 : known[f];
    return IMP_OK;
}

/* Looks at (i, j) and goes there where it is better. */
static imp_status visit(grid *g, int i, int j, int out, int at[2], double *least) {
    double sum;
    if (i < 0 || j < 0 || i >= g->mu.count || j >= g->e.count) return IMP_OK;
    const imp_status status = weigh(g, i, j, out, &sum);
    if (status == IMP_OK && sum < *least) {
        *least = sum;
        at[0] = i;
        at[1] = j;
    }
    return status;
}

/* at <- the point with the least errors on all folds but one: the best of a coarse grid, then, by
 * smaller and smaller steps, the best about it until none is better. */
static imp_status search(grid *g, int out, int at[2]) {
    static const int steps[] = {10, 5, 2, 1};
    double least = INFINITY;
    imp_status status = IMP_OK;
    for (int i = 0; i < g->mu.count; i += 20)
        for (int j = 0; j < g->e.count && status == IMP_OK; j += 20)
            status = visit(g, i, j, out, at, &least);
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        for (bool moved = true; moved && status == IMP_OK;) {
            const int from[2] = {at[0], at[1]};
            for (int k = 0; k < 9 && status == IMP_OK; k++)
                status = visit(g, from[0] + steps[s] * (k / 3 - 1),
                               from[1] + steps[s] * (k % 3 - 1), out, at, &least);
            moved = at[0] != from[0] || at[1] != from[1];
        }
    return status;
}

static void widen(double range[2], double x) {
    range[0] = fmin(range[0], x);
    range[1] = fmax(range[1], x);
}

/* In the middle of the coarse grid of `search`, as a solver may fail where there is no friction or
 * restitution, or all of it: has it an answer to any impact? Otherwise it is asked nothing more. */
static imp_status try_out(grid *g) {
    double sum;
    const imp_status status =
        weigh(g, g->mu.count > 1 ? 40 : 0, g->e.count > 1 ? 40 : 0, ALL, &sum);
    return status == IMP_OK && g->came.silent == g->data->count ? g->came.why.status : status;
}

/* Fits to all impacts but those of a fold, whose errors are kept. */
static imp_status fit_fold(grid *g, int f, int at[2], replay_answer *answer) {
    imp_status status = is_given(g) ? IMP_OK : search(g, f, at);
    const double mu = level(&g->mu, at[0]), e = level(&g->e, at[1]);
    if (status == IMP_OK && !is_given(g)) status = ask(g, mu, e);
    if (status != IMP_OK) return status;
    answer->fold_mu[f] = mu;
    answer->fold_e[f] = e;
    widen(answer->mu_fold, mu);
    widen(answer->e_fold, e);
    for (int k = 0; k < g->data->count; k++)
        if (g->data->fold[k] == f) answer->error[k] = g->error[k];
    return IMP_OK;
}

/* Fits to all impacts, then to all but each fold. Where mu and e are given, the first round is all:
 * each impact is asked about once. */
static imp_status fit(grid *g, replay_answer *answer) {
    int at[2] = {0, 0};
    imp_status status = try_out(g);
    if (status == IMP_OK && !is_given(g)) status = search(g, ALL, at);
    answer->mu = level(&g->mu, at[0]);
    answer->e = level(&g->e, at[1]);
    for (int f = 0; f < REPLAY_FOLDS && status == IMP_OK; f++)
        status = fit_fold(g, f, at, answer);
    if (status == IMP_OK && !is_given(g)) status = ask(g, answer->mu, answer->e);
    answer->unsolved = g->came.unsolved;
    answer->first = g->came.first;
    answer->why = g->came.why;
    return status;
}

static axis axis_of(bool takes, double given) {
    return !takes ? (axis){0, 1} : isnan(given) ? (axis){0, LEVELS} : (axis){given, 1};
}

imp_status replay_fit(const replay_data *data, const imp_model *model, const replay_terms *terms,
                      replay_answer *answer) {
    const size_t n = (size_t)data->count;
    grid g = {.data = data,
              .model = model,
              .terms = terms,
              .mu = axis_of(!(model->takes & IMP_ONLY_FRICTIONLESS), terms->mu),
              .e = axis_of(model->takes & IMP_TAKES_RESTITUTION, terms->e),
              .error = malloc(n * sizeof *g.error),
              .sum = malloc(LEVELS * LEVELS * sizeof *g.sum)};
    *answer = (replay_answer){.model = model,
                              .mu_fold = {INFINITY, -INFINITY},
                              .e_fold = {INFINITY, -INFINITY},
                              .error = malloc(n * sizeof *answer->error)};
    imp_status status = IMP_NO_MEMORY;
    if (g.error && g.sum && answer->error) {
        for (int k = 0; k < LEVELS * LEVELS; k++)
            g.sum[k][0] = NAN;
        status = fit(&g, answer);
    }
    answer->status = status;
    free(g.error);
    free(g.sum);
    return status;
}

void replay_answer_clear(replay_answer *answer) {
    free(answer->error);
    *answer = (replay_answer){.model = answer->model};
}
