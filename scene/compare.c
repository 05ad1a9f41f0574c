/* compare.c - the compliant run, its rigid limit and every model of the table on one scene. */
#include "scene/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const double PATIENCE = 0.02; /* s, for repeating what is timed */

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
    scene_outcome compliant, limit;
    double *rest; /* (nv) zeros */
    double speed; /* sqrt(J), mass norm of the velocity before */
} yardstick;

static void measure(const yardstick *y, const scene_outcome *outcome, scene_row *row) {
    const scene_moment *m = &y->result->moment;
    const double after = scene_velocity_distance(m, outcome->v, y->rest);
    row->energy = 0.5 * (after * after - y->speed * y->speed);
    row->v_compliant = scene_velocity_distance(m, outcome->v, y->compliant.v) / y->speed;
    const bool limit = isfinite(y->result->doubt);
    if (limit) row->v_limit = scene_velocity_distance(m, outcome->v, y->limit.v) / y->speed;
    if (!y->result->unique) return;
    row->p_compliant = difference(outcome->p, y->compliant.p, 3 * m->nc);
    if (limit) row->p_limit = difference(outcome->p, y->limit.p, 3 * m->nc);
}

/* Solves again and again; the least time, s. */
static double time_model(const imp_model *model, const imp_problem *problem, const void *settings, double *p) {
    const size_t size = model->workspace ? model->workspace(problem, settings) : 0;
    void *work = size ? malloc(size) : NULL;
    double least = INFINITY;
    if (size && !work) return NAN;
    for (double start = now(), end = start; end - start < PATIENCE;) {
        imp_info ignored = {0};
        const double begin = now();
        (void)model->solve(problem, settings, p, work, &ignored);
        end = now();
        least = fmin(least, end - begin);
    }
    free(work);
    return least;
}

static imp_status add_model(const yardstick *y, const imp_model *model, scene_row *row) {
    scene_moment *m = &y->result->moment;
    imp_problem problem = m->problem;
    imp_settings settings;
    scene_outcome outcome;
    scene_model_settings(y->scene, model, &settings);
    *row = (scene_row){model->name, IMP_OK, m->e[0], NAN, NAN, NAN, NAN, NAN, 0, {0}, NAN};
    imp_status status = scene_outcome_init(&outcome, m);
    if (status != IMP_OK) return status;
    row->status = imp_solve(model, &problem, &settings, outcome.p, &row->info);
    if (row->status == IMP_UNSUPPORTED && !(model->takes & IMP_TAKES_RESTITUTION)) {
        problem.e = NULL;
        row->e = 0;
        row->status = imp_solve(model, &problem, &settings, outcome.p, &row->info);
    }
    if (row->status >= 0) {
        status = scene_outcome_from_impulse(y->scene, m, &outcome);
        if (status == IMP_OK) {
            measure(y, &outcome, row);
            row->seconds = time_model(model, &problem, &settings, outcome.p);
        }
    }
    scene_outcome_clear(&outcome);
    return status;
}

/* The compliant run from the touch on, timed, and the rows of it and of its limit. */
static imp_status add_compliant(yardstick *y, compliant_end *end, double *time) {
    scene_comparison *c = y->result;
    compliant_settings settings = y->scene->run;
    settings.history = false;
    scene_row run = {"compliant", IMP_OK, NAN, NAN, NAN, NAN, NAN, NAN, 0, {0}, INFINITY};
    scene_row limit = {"limit", IMP_OK, NAN, NAN, NAN, NAN, NAN, NAN, 0, {0}, NAN};
    imp_status status = IMP_OK;
    for (double start = now(), until = start; until - start < PATIENCE && status == IMP_OK;) {
        compliant_result result;
        const double begin = now();
        status = scene_compliant(y->scene, &c->moment, &settings, &y->compliant, &result);
        until = now();
        run.seconds = fmin(run.seconds, until - begin);
        run.evaluations = result.evaluations;
        *end = result.end;
        *time = c->moment.time + result.time;
        compliant_result_clear(&result);
    }
    if (status != IMP_OK) return status;
    limit.status = scene_limit(y->scene, &c->moment, &y->limit, &c->doubt);
    if (limit.status < 0) return limit.status;
    c->doubt /= y->speed;
    measure(y, &y->compliant, &run);
    if (isfinite(c->doubt)) measure(y, &y->limit, &limit);
    c->row[c->count++] = run;
    c->row[c->count++] = limit;
    return IMP_OK;
}

imp_status scene_compare(const scene *s, scene_comparison *comparison, compliant_end *end, double *time) {
    *comparison = (scene_comparison){0};
    *end = COMPLIANT_TIME;
    *time = 0;
    imp_status status = scene_touch(s, &comparison->moment);
    if (status != IMP_OK) return status;
    scene_moment *m = &comparison->moment;
    yardstick y = {.scene = s, .result = comparison};
    size_t models = 0;
    while (imp_models[models])
        models++;
    comparison->row = calloc(models + 2, sizeof *comparison->row);
    y.rest = calloc((size_t)m->nv + 1, sizeof *y.rest);
    status = comparison->row && y.rest ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK) status = scene_outcome_init(&y.compliant, m);
    if (status == IMP_OK) status = scene_outcome_init(&y.limit, m);
    const int unique = scene_impulses_unique(m);
    if (unique < 0) status = IMP_NO_MEMORY;
    comparison->unique = unique == 1;
    if (status == IMP_OK) {
        y.speed = scene_velocity_distance(m, m->v, y.rest);
        status = add_compliant(&y, end, time);
    }
    for (size_t i = 0; i < models && status == IMP_OK; i++)
        status = add_model(&y, imp_models[i], &comparison->row[comparison->count++]);
    scene_outcome_clear(&y.compliant);
    scene_outcome_clear(&y.limit);
    free(y.rest);
    if (status != IMP_OK) scene_comparison_clear(comparison);
    return status;
}

void scene_comparison_clear(scene_comparison *comparison) {
    scene_moment_clear(&comparison->moment);
    free(comparison->row);
    *comparison = (scene_comparison){0};
}

void scene_comparison_header(FILE *out) {
    fputs("scene\tmodel\tstatus\tcontacts\te\tp_error\tv_error\tp_error_limit\tv_error_limit\tlimit_doubt\tenergy\t"
          "evaluations\titerations\tintervals\trounds\tmicroseconds\n",
          out);
}

static void put(FILE *out, double x, int digits) {
    fputc('\t', out);
    if (isfinite(x)) fprintf(out, "%.*g", digits, x);
}

void scene_comparison_write(FILE *out, const scene *s, const scene_comparison *comparison) {
    for (int i = 0; i < comparison->count; i++) {
        const scene_row *r = &comparison->row[i];
        fprintf(out, "%s\t%s\t%s\t%d", s->title, r->name, imp_status_text(r->status), comparison->moment.nc);
        put(out, r->e, 6);
        put(out, r->p_compliant, 4);
        put(out, r->v_compliant, 4);
        put(out, r->p_limit, 4);
        put(out, r->v_limit, 4);
        put(out, comparison->doubt, 2);
        put(out, r->energy, 9);
        if (r->status >= 0)
            fprintf(out, "\t%ld\t%d\t%d\t%d", r->evaluations, r->info.iterations, r->info.intervals, r->info.rounds);
        else
            fputs("\t\t\t\t", out);
        put(out, 1e6 * r->seconds, 3);
        fputc('\n', out);
    }
}
