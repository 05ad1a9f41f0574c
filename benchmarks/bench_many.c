/* bench_many.c - milliseconds and less for the models of several contacts: by contacts, on bodies
 * at random and on columns of spheres. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/bench.h"
#include "base/worse.h"
#include "impact.h"
#include "generators/gen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SET = 16 };

typedef struct set {
    const imp_model *model;
    imp_settings settings;
    gen_many many[SET];
    double p[3 * GEN_MOST_CONTACTS];
    void *work;
    int solved, iterations;
    double error;
} set;

static imp_problem problem_of(const gen_many *g, imp_operator *W) {
    *W = imp_operator_dense(g->nc, g->W);
    return (imp_problem){.nc = g->nc, .W = W, .q = g->q, .mu = g->mu};
}

static void solve_set(void *context) {
    set *s = context;
    s->solved = s->iterations = 0;
    for (int k = 0; k < SET; k++) {
        imp_operator W;
        imp_info info = {0};
        const imp_problem problem = problem_of(&s->many[k], &W);
        s->solved += s->model->solve(&problem, &s->settings, s->p, s->work, &info) == IMP_OK;
        s->iterations += info.iterations + info.intervals;
    }
}

static void judge_set(set *s) {
    s->error = 0;
    for (int k = 0; k < SET; k++) {
        imp_operator W;
        imp_certificate c;
        imp_info info = {0};
        const imp_problem problem = problem_of(&s->many[k], &W);
        if (s->model->solve(&problem, &s->settings, s->p, s->work, &info) != IMP_OK) continue;
        const bool known =
            imp_certify(&problem, s->model->law, &s->settings, s->p, NULL, &c) == IMP_OK &&
            !c.unjudged;
        s->error = imp_worse(s->error, known ? c.worst : INFINITY);
    }
}

static void need(bool there) {
    if (there) return;
    fputs("bench_many: no memory\n", stderr);
    exit(2);
}

static void by_contacts(bench *b, const imp_model *model) {
    double x[GEN_MOST_CONTACTS], y[GEN_MOST_CONTACTS];
    int n = 0;
    char name[96];
    static set s;
    s.model = model;
    imp_model_presets(model, &s.settings);
    for (int nc = 1; nc <= GEN_MOST_CONTACTS; nc = nc < 4 ? nc + 1 : nc + 2, n++) {
        size_t bytes = 1;
        for (int k = 0; k < SET; k++) {
            imp_operator W;
            s.many[k] = gen_bodies((uint64_t)k, nc);
            const imp_problem problem = problem_of(&s.many[k], &W);
            if (model->workspace)
                bytes =
                    (size_t)fmax((double)bytes, (double)model->workspace(&problem, &s.settings));
        }
        s.work = malloc(bytes);
        need(s.work != NULL);
        const bench_timing t = bench_time(solve_set, &s, SET);
        judge_set(&s);
        free(s.work);
        snprintf(name, sizeof name, "%s/contacts:%d", model->name, nc);
        bench_row(b, name, &t, s.error,
                  (const double[]){nc, (double)s.solved / SET, (double)s.iterations / SET});
        x[n] = nc;
        y[n] = t.cpu;
    }
    snprintf(name, sizeof name, "%s: cost against contacts", model->name);
    bench_exponent(b, name, n, x, y);
}

/* A column of unit spheres on the ground, pressed down. Contact i is below sphere i: W_ii of two
 * bodies (one at the ground), W_i,i+1 through the sphere between: -1 along the normal, -1 + r^2/I =
 * 3/2 across. */
typedef struct column {
    int nc, *start, *at;
    double *block, *q, *mu, *p;
    imp_blocks blocks;
    imp_operator W;
    imp_problem problem;
    const imp_model *model;
    imp_blocks_settings settings;
    imp_info info;
    imp_status status;
    void *work;
} column;

static void column_free(column *c) {
    free(c->start);
    free(c->at);
    free(c->block);
    free(c->q);
    free(c->mu);
    free(c->p);
    free(c->work);
}

static void column_make(column *c, int nc, const imp_model *model, imp_blocks_settings settings) {
    const size_t n = (size_t)nc;
    *c = (column){.nc = nc, .model = model, .settings = settings};
    c->start = malloc((n + 1) * sizeof *c->start);
    c->at = malloc(3 * n * sizeof *c->at);
    c->block = calloc(27 * n, sizeof *c->block);
    c->q = malloc(3 * n * sizeof *c->q);
    c->mu = malloc(n * sizeof *c->mu);
    c->p = calloc(3 * n, sizeof *c->p);
    need(c->start && c->at && c->block && c->q && c->mu && c->p);
    gen_stream s = gen_seed(99, (uint64_t)nc);
    int count = 0;
    for (int i = 0; i < nc; i++) {
        c->start[i] = count;
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < nc; j++, count++) {
            double *B = c->block + 9 * (size_t)count;
            c->at[count] = j;
            B[0] = i != j ? -1 : i > 0 ? 2 : 1;
            B[4] = B[8] = i != j ? 1.5 : i > 0 ? 7 : 3.5;
        }
        c->q[3 * i] = (i == 0 ? -0.1 : 0) + gen_uniform(&s, -0.02, 0.01);
        c->q[3 * i + 1] = gen_uniform(&s, -0.1, 0.1);
        c->q[3 * i + 2] = gen_uniform(&s, -0.1, 0.1);
        c->mu[i] = 0.3;
    }
    c->start[nc] = count;
    c->blocks = (imp_blocks){nc, c->start, c->at, c->block};
    c->W = imp_operator_blocks(&c->blocks);
    c->problem = (imp_problem){.nc = nc, .W = &c->W, .q = c->q, .mu = c->mu};
    c->work = malloc(1 + (model->workspace ? model->workspace(&c->problem, &c->settings) : 0));
    need(c->work != NULL);
}

static void solve_column(void *context) {
    column *c = context;
    for (int i = 0; i < 3 * c->nc; i++)
        c->p[i] = 0;
    c->status = c->model->solve(&c->problem, &c->settings, c->p, c->work, &c->info);
}

static void columns_by_contacts(bench *b, const imp_model *model, imp_blocks_settings settings,
                                int most, bool per_sweep) {
    double x[4], y[4];
    int n = 0;
    char name[96];
    for (int nc = 10; nc <= most; nc *= 10) {
        column c;
        double field, scale_free;
        column_make(&c, nc, model, settings);
        const bench_timing t = bench_time(solve_column, &c, per_sweep ? settings.max_sweeps : 1);
        imp_natural_error(&c.problem, c.p, &field, &scale_free);
        snprintf(name, sizeof name, "%s/column/contacts:%d", model->name, nc);
        bench_row(b, name, &t, imp_worse(field, scale_free),
                  (const double[]){nc, c.status == IMP_OK, c.info.iterations, t.cpu / nc});
        x[n] = nc;
        y[n++] = t.cpu;
        column_free(&c);
    }
    snprintf(name, sizeof name, "%s: cost of a %s against contacts", model->name,
             per_sweep ? "sweep" : "solve");
    bench_exponent(b, name, n, x, y);
}

static const char *const names[] = {
    "gauss-seidel-coulomb", "gauss-seidel-maxdiss", "auto", "plus", "anitescu", "drumwright", NULL};

static const char *model_at(int k) {
    return names[k];
}

static const usage about = {
    .program = "bench_many",
    .arguments = "",
    .text =
        "Milliseconds and less for the models of several contacts, by contacts. Small problems are "
        "of bodies at random, 16\n"
        "for each number of contacts, dense; the error is the worst residual of the model's own "
        "certificate over those it\n"
        "solves. Columns hold as many spheres as contacts, block-sparse: there one sweep of "
        "Gauss-Seidel is timed, and a\n"
        "solve of auto to 1e-6 with the error as the field measures it. Exit 2: bad use.\n",
    .environment = BENCH_ENVIRONMENT,
    .name = model_at,
};

int main(int argc, char **argv) {
    usage_answer(&about, argc, argv);
    bench b = bench_begin("many");
    bench_table(
        &b, "several contacts: ns a solve; error: the worst certificate residual of what is solved",
        (const char *const[]){"contacts", "solved", "iterations", NULL});
    for (int k = 0; names[k]; k++) {
        const imp_model *model = imp_model_find(names[k]);
        if (model) by_contacts(&b, model);
    }
    const char *const counters[] = {"contacts", "solved", "sweeps", "ns/contact", NULL};
    bench_table(
        &b, "columns of spheres: ns a sweep of Gauss-Seidel; error: the natural error after ten",
        counters);
    columns_by_contacts(
        &b, &imp_model_gauss_seidel_coulomb,
        (imp_blocks_settings){.tolerance = 1e-300, .max_sweeps = 10, .relaxation = 1}, 10000, true);
    bench_table(&b, "columns of spheres: ns a solve to 1e-6; error: the natural error", counters);
    columns_by_contacts(
        &b, &imp_model_auto,
        (imp_blocks_settings){.tolerance = 1e-6, .max_sweeps = 1e4, .relaxation = 1}, 1000, false);
    return bench_end(&b);
}
