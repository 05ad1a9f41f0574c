/* engine_contest.c - QP3 against Lemke's method, problem by problem along the engine's motion. */
#include "benchmarks/experiments/engine_contest.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIVOTS = 20000 };

/* The n-variable LCP of the normal impulses. */
typedef struct normal_lcp {
    int n;
    double *A, *b;     /* (n x n) 1/kg, (n) m/s */
    double *y, *check; /* (n) N s, (2n) */
} normal_lcp;

static bool read_normals(const imp_stepper *s, normal_lcp *lcp) {
    const size_t n = (size_t)s->problem.nc;
    lcp->n = s->problem.nc;
    lcp->A = malloc((n * n + 4 * n + 1) * sizeof *lcp->A);
    if (!lcp->A) return false;
    lcp->b = lcp->A + n * n;
    lcp->y = lcp->b + n;
    lcp->check = lcp->y + n;
    for (size_t i = 0; i < n; i++) {
        lcp->b[i] = s->problem.q[3 * i] + s->gap[i];
        for (size_t j = 0; j < n; j++) {
            double block[9];
            s->problem.W->kind->block(s->problem.W, (int)i, (int)j, block);
            lcp->A[i * n + j] = block[0];
        }
    }
    return true;
}

static void column(const void *data, int j, double *m) { /* symmetric */
    const normal_lcp *lcp = data;
    memcpy(m, lcp->A + (size_t)j * (size_t)lcp->n, (size_t)lcp->n * sizeof *m);
}

/* One solve of the present problem; y of lcp receives the normal impulses. */
typedef imp_status solver(const imp_stepper *s, normal_lcp *lcp, void *work, imp_info *info);

static imp_status by_lemke(const imp_stepper *s, normal_lcp *lcp, void *work, imp_info *info) {
    (void)s;
    const imp_lcp problem = {lcp->n, lcp->b, column, lcp};
    return imp_lemke(&problem, MOST_PIVOTS, NULL, lcp->y, work, &info->iterations);
}

static imp_anitescu_settings pyramid_settings(void) {
    imp_anitescu_settings own;
    imp_model_presets(&imp_model_anitescu, &own);
    own.max_pivots = MOST_PIVOTS;
    return own;
}

/* As the paper's comparison has it: the pyramid with mu = 0. */
static imp_status by_pyramid(const imp_stepper *s, normal_lcp *lcp, void *work, imp_info *info) {
    const imp_anitescu_settings own = pyramid_settings();
    const size_t rows = 3 * (size_t)lcp->n;
    double *q = work, *p = q + rows;
    imp_problem problem = s->problem;
    memcpy(q, s->problem.q, rows * sizeof *q);
    for (int i = 0; i < lcp->n; i++)
        q[3 * i] = lcp->b[i];
    problem.q = q;
    const imp_status status = imp_model_anitescu.solve(&problem, &own, p, p + rows, info);
    for (int i = 0; i < lcp->n; i++)
        lcp->y[i] = p[3 * i];
    return status;
}

static double residual(const normal_lcp *lcp) {
    const imp_lcp problem = {lcp->n, lcp->b, column, lcp};
    return imp_lcp_residual(&problem, lcp->y, lcp->check);
}

static void count(engine_tally *t, double time, imp_status status, double off, double at) {
    const bool wrong = !(off <= 1e-6);
    t->total += time;
    t->solves++;
    t->wrong += wrong;
    if (status == IMP_OK && !wrong) {
        t->worst = fmax(t->worst, off);
    } else if (t->failures++ == 0) {
        t->first = at;
    }
}

/* Solves, and again where cold caches may have mattered. Returns the faster time. */
static double ask(const imp_stepper *s, normal_lcp *lcp, solver *solve, size_t bytes, double at,
                  engine_tally *t) {
    void *work = malloc(bytes);
    imp_status status = IMP_NO_MEMORY;
    imp_info info = {0};
    double time = INFINITY;
    for (int repeat = 0; work && repeat < 2 && !(repeat > 0 && time > 1e-3); repeat++) {
        info = (imp_info){0};
        const double from = imp_seconds(CLOCK_PROCESS_CPUTIME_ID);
        status = solve(s, lcp, work, &info);
        time = fmin(time, imp_seconds(CLOCK_PROCESS_CPUTIME_ID) - from);
    }
    count(t, time, status, residual(lcp), at);
    free(work);
    return time;
}

/* QP3 as a time step asks for it: reading the problem included. */
static double ask_convex(imp_stepper *s, const imp_step_settings *settings, normal_lcp *lcp,
                         double at, engine_tally *t) {
    imp_status status = IMP_OK;
    double time = INFINITY;
    for (int repeat = 0; repeat < 2; repeat++) {
        const double from = imp_seconds(CLOCK_PROCESS_CPUTIME_ID);
        status = imp_step_solve(s, settings);
        time = fmin(time, imp_seconds(CLOCK_PROCESS_CPUTIME_ID) - from);
    }
    for (int i = 0; i < lcp->n; i++)
        lcp->y[i] = s->p[3 * i];
    count(t, time, status, residual(lcp), at);
    return time;
}

int engine_contest(engine *e, int each, engine_tally tally[ENGINE_RIVALS],
                   void (*watch)(void *data, double t, const double seconds[ENGINE_RIVALS],
                                 bool failed),
                   void *data) {
    imp_stepper *s = e->scene.stepper;
    const imp_step_settings *settings = &e->scene.settings;
    const imp_anitescu_settings own = pyramid_settings();
    const int steps = (int)lround(e->scene.until / settings->h);
    for (int i = 0; i < ENGINE_RIVALS; i++)
        tally[i] = (engine_tally){.first = NAN};
    for (int k = 0; k < steps; k++) {
        double time[ENGINE_RIVALS] = {NAN, NAN, NAN};
        const double at = (k + 1) * settings->h;
        const int failed = tally[ENGINE_PYRAMID].failures;
        normal_lcp lcp;
        if (imp_step_prepare(s, settings) < 0 || !read_normals(s, &lcp)) break;
        time[ENGINE_QP3] = ask_convex(s, settings, &lcp, at, &tally[ENGINE_QP3]);
        time[ENGINE_NORMAL] =
            ask(s, &lcp, by_lemke, imp_lemke_workspace(lcp.n), at, &tally[ENGINE_NORMAL]);
        if (k % each == 0) {
            const size_t bytes = imp_model_anitescu.workspace(&s->problem, &own) +
                                 6 * (size_t)lcp.n * sizeof(double);
            time[ENGINE_PYRAMID] = ask(s, &lcp, by_pyramid, bytes, at, &tally[ENGINE_PYRAMID]);
        }
        free(lcp.A);
        if (watch) watch(data, at, time, tally[ENGINE_PYRAMID].failures > failed);
        imp_step_finish(s, settings);
    }
    return steps - tally[ENGINE_QP3].solves + tally[ENGINE_QP3].failures;
}

double engine_tally_ms(const engine_tally *t) {
    return 1e3 * t->total / t->solves;
}
