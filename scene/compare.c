/* compare.c - the compliant run, its rigid limit and every model of the table on one scene. */
#include "scene/compare.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PATIENCE = 0.005; /* s, for repeating what is timed */

/* |a - b| / |b| over n numbers, NAN for b = 0. */
static double difference(const double *a, const double *b, int n) {
    double off = 0, size = 0;
    for (int i = 0; i < n; i++) {
        off += (a[i] - b[i]) * (a[i] - b[i]);
        size += b[i] * b[i];
    }
    return size > 0 ? sqrt(off / size) : NAN;
}

/* What all rows are measured by. */
typedef struct yardstick {
    const scene *scene;
    scene_comparison *result;
    scene_outcome compliant, limit, plastic;
    bool inelastic;    /* plastic is known */
    bool brief;        /* neither times nor other restitutions */
    double *e;         /* (nc) room */
    double speed;      /* sqrt(J), mass norm of the velocity before */
    compliant_end end; /* of the compliant run */
    bool cut_off;      /* it ended while bodies pressed on each other */
    bool driven;       /* it came to more than twice the energy of the touch */
} yardstick;

/* |v - v'| / |v before| in the mass norm. */
static double velocity_error(const yardstick *y, const scene_outcome *outcome,
                             const scene_outcome *want) {
    return scene_velocity_distance(&y->result->moment, outcome->v, want->v) / y->speed;
}

/* The numbers of a row that are not known yet. */
#define EMPTY                                                                                      \
    .p_compliant = NAN, .v_compliant = NAN, .p_limit = NAN, .v_limit = NAN, .e_own = NAN,          \
    .v_own = NAN, .e_best = NAN, .v_best = NAN, .v_plastic = NAN, .energy = NAN, .seconds = NAN

static void measure(const yardstick *y, const scene_outcome *outcome, scene_row *row) {
    const scene_moment *m = &y->result->moment;
    const double after = scene_velocity_distance(m, outcome->v, NULL);
    row->energy = 0.5 * (after * after - y->speed * y->speed);
    row->v_compliant = velocity_error(y, outcome, &y->compliant);
    const bool limit = isfinite(y->result->doubt);
    if (limit) row->v_limit = velocity_error(y, outcome, &y->limit);
    if (!y->result->unique) return;
    row->p_compliant = difference(outcome->p, y->compliant.p, 3 * m->nc);
    if (limit) row->p_limit = difference(outcome->p, y->limit.p, 3 * m->nc);
}

/* The row's own copy of the outcome. */
static imp_status keep(const scene_moment *m, const scene_outcome *outcome, scene_row *row) {
    const imp_status status = scene_outcome_init(&row->outcome, m);
    if (status != IMP_OK) return status;
    memcpy(row->outcome.p, outcome->p, 3 * (size_t)m->nc * sizeof *outcome->p);
    memcpy(row->outcome.v, outcome->v, (size_t)m->nv * sizeof *outcome->v);
    return IMP_OK;
}

/* Solves again and again; the least time, s. */
static double time_model(const imp_model *model, const imp_problem *problem, const void *settings,
                         double *p) {
    const size_t size = model->workspace ? model->workspace(problem, settings) : 0;
    void *work = size ? malloc(size) : NULL;
    double least = INFINITY;
    if (size && !work) return NAN;
    for (double start = imp_seconds(CLOCK_MONOTONIC), end = start; end - start < PATIENCE;) {
        imp_info ignored = {0};
        const double begin = imp_seconds(CLOCK_MONOTONIC);
        (void)model->solve(problem, settings, p, work, &ignored);
        end = imp_seconds(CLOCK_MONOTONIC);
        least = fmin(least, end - begin);
    }
    free(work);
    return least;
}

/* A model on the scene, with its settings and room for its answers. */
typedef struct subject {
    const yardstick *y;
    const imp_model *model;
    imp_settings settings;
    scene_outcome outcome;
    int late; /* questions running without an answer in time */
} subject;

/* The model's answer with this restitution at every contact (0: none); info may be NULL. */
static imp_status answer(subject *a, double e, imp_info *info) {
    const scene_moment *m = &a->y->result->moment;
    imp_problem problem = m->problem;
    for (int i = 0; i < m->nc; i++)
        a->y->e[i] = e;
    problem.e = e > 0 ? a->y->e : NULL;
    imp_status status = imp_solve(a->model, &problem, &a->settings, a->outcome.p, info);
    a->late = status == IMP_TIMED_OUT ? a->late + 1 : 0;
    if (status < 0) return status;
    const imp_status moved = scene_outcome_from_impulse(a->y->scene, m, &a->outcome);
    return moved == IMP_OK ? status : moved;
}

/* Velocity error with this restitution against an outcome; NAN where the model has no answer. */
static double error_with(subject *a, double e, const scene_outcome *want) {
    return answer(a, e, NULL) == IMP_OK ? velocity_error(a->y, &a->outcome, want) : NAN;
}

enum {
    GRID = 32,   /* values of e to begin with: an error with two valleys is rare and shallow */
    PATIENT = 10 /* questions running without an answer in time, with which a fit is given up */
};
static const double CLOSE = 1e-8;   /* of e, at the end */
static const double GOLDEN = 0.618; /* of an interval is kept by each of its two parts */

static void keep_better(scene_row *row, double e, double error) {
    if (isfinite(error) && !(error >= row->v_best)) row->e_best = e, row->v_best = error;
}

/* The e in [0, 1] that brings the model nearest to the limit. */
static void fit(subject *a, scene_row *row) {
    const scene_outcome *want = &a->y->limit;
    keep_better(row, row->e, row->v_limit);
    keep_better(row, row->e_own, row->v_own);
    for (int i = 0; i <= GRID && a->late < PATIENT; i++) {
        const double e = (double)i / GRID;
        keep_better(row, e, error_with(a, e, want));
    }
    double low = fmax(0, row->e_best - 1.0 / GRID), high = fmin(1, row->e_best + 1.0 / GRID);
    while (high - low > CLOSE && a->late < PATIENT) {
        const double left = high - GOLDEN * (high - low), right = low + GOLDEN * (high - low);
        const double at_left = error_with(a, left, want), at_right = error_with(a, right, want);
        keep_better(row, left, at_left);
        keep_better(row, right, at_right);
        if (at_left < at_right)
            high = right;
        else
            low = left;
    }
    if (a->late < PATIENT) return;
    row->e_best = row->v_best = NAN;
    row->why = "no e_best: late ten times running";
}

/* Of the speed of approach: a rebound this near is that of the compliant run. A law whose rebound
 * jumps with e may come no nearer, and has no e of its own. */
static const double REACHED = 1e-6;

/* What else than the scene's restitution the model may be given. */
static void other_restitutions(subject *a, scene_row *row) {
    const scene_experiment *x = &a->y->result->experiment;
    const bool limit = isfinite(a->y->result->doubt);
    double off;
    if (a->y->inelastic) row->v_plastic = error_with(a, 0, &a->y->plastic);
    if (!limit || scene_calibrate(x, a->model, &a->settings, &row->e_own, &off) != IMP_OK) return;
    if (off > REACHED) row->e_own = NAN;
    if (off <= REACHED) row->v_own = error_with(a, row->e_own, &a->y->limit);
    fit(a, row);
}

static imp_status add_model(const yardstick *y, const imp_model *model, scene_row *row) {
    const scene_moment *m = &y->result->moment;
    subject a = {.y = y, .model = model};
    scene_model_settings(y->scene, model, &a.settings);
    const double e = model->takes & IMP_TAKES_RESTITUTION ? m->e[0] : 0;
    *row = (scene_row){.name = model->name, .e = e, EMPTY};
    imp_status status = scene_outcome_init(&a.outcome, m);
    if (status != IMP_OK) return status;
    row->status = answer(&a, e, &row->info);
    if (row->status == IMP_NO_MEMORY) status = IMP_NO_MEMORY;
    if (row->status == IMP_UNSUPPORTED) row->why = scene_refusal(model, &m->problem);
    if (row->status >= 0) {
        imp_problem problem = m->problem;
        problem.e = e > 0 ? m->e : NULL;
        measure(y, &a.outcome, row);
        status = keep(m, &a.outcome, row);
        if (!y->brief) other_restitutions(&a, row);
        if (!y->brief) row->seconds = time_model(model, &problem, &a.settings, a.outcome.p);
    }
    scene_outcome_clear(&a.outcome);
    return status;
}

/* Did it end by `until` with bodies that press on each other? What presses at rest, by gravity or
 * wedged, gives impulses that grow with `until`. */
static bool is_cut_off(const compliant_result *run) {
    bool presses = false;
    for (int i = 0; i < run->nspells; i++)
        presses = presses || isnan(run->spells[i].end);
    return run->end == COMPLIANT_TIME && presses;
}

/* Did it push a pair that is not of the contact problem? */
static bool pushes_others(const scene_moment *m, const compliant_result *run) {
    for (int i = 0; i < run->layout.npairs; i++) {
        bool own = run->deepest[i] <= 0;
        for (int k = 0; k < m->nc; k++)
            own = own || m->pair[k] == i;
        if (!own) return true;
    }
    return false;
}

/* The compliant run from the touch on, timed, and the rows of it and of its limit. */
static imp_status add_compliant(yardstick *y) {
    scene_comparison *c = y->result;
    compliant_settings settings = y->scene->run;
    settings.history = false;
    scene_row run = {.name = "compliant", .e = NAN, EMPTY},
              limit = {.name = "limit", .e = NAN, EMPTY};
    run.seconds = INFINITY;
    imp_status status = IMP_OK;
    double kinetic = NAN; /* J, where the run ended: bodies turn in it, and their mass matrix */
    bool again = true, others = false;
    for (const double start = imp_seconds(CLOCK_MONOTONIC); again && status == IMP_OK;) {
        compliant_result result;
        const double begin = imp_seconds(CLOCK_MONOTONIC);
        status = scene_compliant(y->scene, &c->moment, &settings, &y->compliant, &result);
        const double end = imp_seconds(CLOCK_MONOTONIC);
        again = !y->brief && end - start < PATIENCE;
        run.seconds = fmin(run.seconds, end - begin);
        run.evaluations = result.evaluations;
        kinetic = result.kinetic;
        y->end = result.end;
        y->cut_off = status == IMP_OK && is_cut_off(&result);
        y->driven = status == IMP_OK && kinetic > y->speed * y->speed;
        others = status == IMP_OK && pushes_others(&c->moment, &result);
        c->time = c->moment.time + result.time;
        compliant_result_clear(&result);
    }
    if (y->cut_off || y->driven) status = IMP_NOT_CONVERGED;
    if (status != IMP_OK) return status;
    limit.status = scene_limit(y->scene, &c->moment, &y->limit, &c->doubt);
    if (limit.status < 0) return limit.status;
    /* the limit is of one contact, the run of more: it is too soft */
    if (others && c->doubt == 0) {
        limit.status = IMP_NOT_CONVERGED;
        c->doubt = INFINITY;
    }
    c->doubt /= y->speed;
    measure(y, &y->compliant, &run);
    run.energy = kinetic - 0.5 * y->speed * y->speed;
    status = keep(&c->moment, &y->compliant, &run);
    if (isfinite(c->doubt)) measure(y, &y->limit, &limit);
    if (isfinite(c->doubt) && status == IMP_OK) status = keep(&c->moment, &y->limit, &limit);
    c->row[c->count++] = run;
    c->row[c->count++] = limit;
    return status;
}

/* The references: compliant run, limit, experiment, and the end of compression where there is
 * one. */
static imp_status add_references(yardstick *y) {
    scene_comparison *c = y->result;
    imp_status status = add_compliant(y);
    if (status != IMP_OK || y->brief) return status;
    status = scene_experiment_run(y->scene, &c->moment, &c->experiment);
    y->end = c->experiment.end;
    if (status != IMP_OK) return status;
    status = scene_plastic(y->scene, &c->moment, &y->plastic);
    y->inelastic = status == IMP_OK;
    return status == IMP_UNSUPPORTED ? IMP_OK : status;
}

/* Why there is no comparison, in words. */
static imp_status refuse(const scene *s, const yardstick *y, imp_status status, imp_error *error) {
    if (status == IMP_NO_SOLUTION && y->end == COMPLIANT_TOUCH)
        return imp_error_set(error, status,
                             "bodies that met without an approach press on each other before the "
                             "first impact, expected none: simulate goes on from there");
    if (status == IMP_NO_SOLUTION)
        return imp_error_set(error, status, "nothing touches before %g s", s->run.until);
    if (status == IMP_BAD_ARGUMENT && y->result->moment.nc == 0)
        return imp_error_set(error, status,
                             "$.impact.proximity: %g, expected more: no pair is so near at the "
                             "first touch",
                             s->impact.proximity);
    if (status > 0 && y->result->moment.nc == 0)
        return imp_error_set(error, status, "the run to the first touch did not get there: %s",
                             status == IMP_NOT_CONVERGED ? compliant_end_text(y->end)
                                                         : imp_status_text(status));
    if (y->cut_off)
        return imp_error_set(error, status,
                             "$.run.until: %g, expected a time when nothing presses: what comes to "
                             "rest under gravity has none",
                             s->run.until);
    if (y->driven)
        return imp_error_set(error, status,
                             "in the compliant run bodies come to more than twice the energy they "
                             "touch with, as where they stay in touch and fall: expected no "
                             "gravity, or a faster impact");
    if (status > 0)
        return imp_error_set(error, status, "the compliant run ended after %.9g s: %s",
                             y->result->time, compliant_end_text(y->end));
    return imp_error_set(error, status, "%s%s", imp_status_text(status),
                         status == IMP_NOT_POSITIVE
                             ? ": $.bodies: some are so heavy beside others that rounding hides "
                               "these, expected masses and moments nearer to each other"
                         : status == IMP_NOT_FINITE
                             ? ": $: what moves is beyond double, expected smaller numbers"
                             : "");
}

static imp_status compare(const scene *s, const imp_model *const list[], bool brief,
                          scene_comparison *comparison, imp_error *error) {
    *comparison = (scene_comparison){0};
    scene_moment *m = &comparison->moment;
    yardstick y = {.scene = s, .result = comparison, .brief = brief, .end = COMPLIANT_TIME};
    imp_status status = scene_touch_or_why(s, m, &y.end);
    if (status != IMP_OK) return refuse(s, &y, status, error);
    size_t models = 0;
    while (list[models])
        models++;
    comparison->row = calloc(models + 2, sizeof *comparison->row);
    y.e = calloc((size_t)m->nc + 1, sizeof *y.e);
    status = comparison->row && y.e ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK) status = scene_outcome_init(&y.compliant, m);
    if (status == IMP_OK) status = scene_outcome_init(&y.limit, m);
    if (status == IMP_OK) status = scene_outcome_init(&y.plastic, m);
    if (status == IMP_OK) status = scene_impulses_unique(m, &comparison->unique);
    if (status == IMP_OK) {
        y.speed = scene_velocity_distance(m, m->v, NULL);
        status = add_references(&y);
    }
    for (size_t i = 0; i < models && status == IMP_OK; i++)
        status = add_model(&y, list[i], &comparison->row[comparison->count++]);
    scene_outcome_clear(&y.compliant);
    scene_outcome_clear(&y.limit);
    scene_outcome_clear(&y.plastic);
    free(y.e);
    if (status == IMP_OK) return status;
    refuse(s, &y, status, error);
    scene_comparison_clear(comparison);
    return status;
}

imp_status scene_compare(const scene *s, const imp_model *const list[],
                         scene_comparison *comparison, imp_error *error) {
    return compare(s, list, false, comparison, error);
}

imp_status scene_compare_briefly(const scene *s, const imp_model *const list[],
                                 scene_comparison *comparison, imp_error *error) {
    return compare(s, list, true, comparison, error);
}

void scene_comparison_clear(scene_comparison *comparison) {
    scene_moment_clear(&comparison->moment);
    for (int i = 0; i < comparison->count; i++)
        scene_outcome_clear(&comparison->row[i].outcome);
    free(comparison->row);
    *comparison = (scene_comparison){0};
}
