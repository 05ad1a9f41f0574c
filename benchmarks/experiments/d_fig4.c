/* d_fig4.c - Drumwright, Shell (2010), Fig. 4: time per solve in the engine, convex phase I against Lemke's method. */
#include "benchmarks/experiments/engine.h"
#include "benchmarks/harness/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct engine_case {
    const char *name;
    engine_design design;
    double speed, torque, gravity, until; /* rad/s, N m, m/s^2, s */
    int six_every;                        /* steps between solves of the LCP with six unknowns per contact */
} engine_case;

/* What the solves of one method have come to. */
typedef struct tally {
    double best, total; /* s, of one solve */
    int solves, failed; /* failed: residual above 1e-6 of the data, or a status that says so */
    double worst;       /* largest residual */
} tally;

static double seconds(void) { /* of this process: other programs on the machine do not count */
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void add(tally *t, double time, double residual, bool solved) {
    t->best = t->solves == 0 ? time : fmin(t->best, time);
    t->total += time;
    t->solves++;
    t->failed += !solved || !(residual <= 1e-6);
    t->worst = isnan(residual) ? INFINITY : fmax(t->worst, residual);
}

/* The n-variable LCP of the normal impulses. */
typedef struct normal_lcp {
    int n;
    double *A, *b; /* (n x n) 1/kg, (n) m/s */
} normal_lcp;

static void column(const void *data, int j, double *m) {
    const normal_lcp *lcp = data;
    for (int i = 0; i < lcp->n; i++)
        m[i] = lcp->A[(size_t)i * (size_t)lcp->n + (size_t)j];
}

static double solve_normal(const normal_lcp *lcp, tally *t) {
    const imp_lcp problem = {lcp->n, lcp->b, column, lcp};
    double *z = malloc(3 * (size_t)lcp->n * sizeof *z);
    void *work = malloc(imp_lemke_workspace(lcp->n));
    double time = NAN;
    if (z && work) {
        imp_info info = {0};
        const double from = seconds();
        const imp_status status = imp_lemke(&problem, 20000, z, work, &info);
        time = seconds() - from;
        add(t, time, imp_lcp_residual(&problem, z, z + lcp->n), status == IMP_OK);
    }
    free(z);
    free(work);
    return time;
}

/* The pyramid LCP with mu = 0, six unknowns per contact, as the paper's comparison has it. */
static double solve_pyramid(const imp_stepper *s, const normal_lcp *lcp, tally *t) {
    const imp_model *model = &imp_model_anitescu;
    const size_t rows = 3 * (size_t)s->problem.nc;
    double *q = malloc(2 * rows * sizeof *q), *p = q + rows, time = NAN;
    imp_problem problem = s->problem;
    imp_settings settings;
    imp_model_presets(model, &settings);
    void *work = malloc(model->workspace(&problem, &settings));
    if (q && work) {
        memcpy(q, s->problem.q, rows * sizeof *q);
        for (int i = 0; i < lcp->n; i++)
            q[3 * i] = lcp->b[i];
        problem.q = q;
        imp_info info = {0};
        const double from = seconds();
        const imp_status status = model->solve(&problem, &settings, p, work, &info);
        time = seconds() - from;
        double residual = 0; /* in the units of the normal LCP, friction being nothing with mu = 0 */
        for (int i = 0; i < lcp->n; i++) {
            double w = lcp->b[i];
            for (int j = 0; j < lcp->n; j++)
                w += lcp->A[(size_t)i * (size_t)lcp->n + (size_t)j] * p[3 * j];
            residual = fmax(residual, fabs(fmin(p[3 * i], w)));
        }
        add(t, time, residual, status == IMP_OK);
    }
    free(q);
    free(work);
    return time;
}

static bool normal_part(const imp_stepper *s, normal_lcp *lcp) {
    const int n = lcp->n = s->problem.nc;
    lcp->A = malloc(((size_t)n * (size_t)n + (size_t)n) * sizeof *lcp->A);
    if (!lcp->A) return false;
    lcp->b = lcp->A + (size_t)n * (size_t)n;
    for (int i = 0; i < n; i++) {
        lcp->b[i] = s->problem.q[3 * i] + s->gap[i];
        for (int j = 0; j < n; j++) {
            double block[9];
            s->problem.W->kind->block(s->problem.W, i, j, block);
            lcp->A[(size_t)i * (size_t)n + (size_t)j] = block[0];
        }
    }
    return true;
}

static void run_case(report *r, const engine_case *c, FILE *t) {
    enum { CONVEX, NORMAL, PYRAMID };
    double force[54] = {0};
    engine e;
    tally tallies[3] = {{0}};
    const imp_step_settings settings = {.h = 1e-3,
                                        .gravity = {0, -c->gravity, 0},
                                        .force = force,
                                        .model = &imp_model_frictionless,
                                        .least_gap = -INFINITY,
                                        .detect = imp_shapes_nearby,
                                        .detect_data = &e.shapes};
    force[5] = c->torque;
    const int steps = engine_new(c->design, acos(0) + 0.3, c->speed, &e) ? (int)lround(c->until / settings.h) : 0;
    int unsolved = steps == 0;
    for (int k = 0; k < steps; k++) {
        normal_lcp lcp = {0};
        if (imp_step_prepare(e.stepper, &settings) < 0) break;
        double time[3] = {INFINITY, NAN, NAN};
        for (int repeat = 0; repeat < 2; repeat++) { /* the faster of two: the first one finds cold caches */
            const double from = seconds();
            unsolved += imp_step_solve(e.stepper, &settings) != IMP_OK;
            time[CONVEX] = fmin(time[CONVEX], seconds() - from);
        }
        if (normal_part(e.stepper, &lcp)) {
            add(&tallies[CONVEX], time[CONVEX], 0, true);
            time[NORMAL] = solve_normal(&lcp, &tallies[NORMAL]);
            if (k % c->six_every == 0) time[PYRAMID] = solve_pyramid(e.stepper, &lcp, &tallies[PYRAMID]);
        }
        free(lcp.A);
        fprintf(t, "%s\t%g\t%.4g\t%.4g\t%.4g\n", c->name, (k + 1) * settings.h, 1e3 * time[CONVEX], 1e3 * time[NORMAL],
                1e3 * time[PYRAMID]);
        imp_step_finish(e.stepper, &settings);
    }
    const double ratio =
        (tallies[PYRAMID].total / tallies[PYRAMID].solves) / (tallies[CONVEX].total / tallies[CONVEX].solves);
    report_count(r, report_text(r, "%s: QP3 not solved", c->name), 0, unsolved, NULL);
    report_shown(r, report_text(r, "%s: mean time of a solve, ms: QP3, Lemke on n, Lemke on 6n", c->name),
                 c->design.facets == 6 && c->design.cylinders == 1 ? "0.5, 0.5 to 3, 25 to 90" : "",
                 report_text(r, "%.2g, %.2g, %.3g", 1e3 * tallies[CONVEX].total / tallies[CONVEX].solves,
                             1e3 * tallies[NORMAL].total / tallies[NORMAL].solves,
                             1e3 * tallies[PYRAMID].total / tallies[PYRAMID].solves),
                 "processor time; published: prototypes in Python");
    if (c->design.cylinders == 1 && c->design.facets == 6)
        report_judge(r, report_text(r, "%s: QP3 faster than Lemke on 6n, times", c->name), ">= 10",
                     report_text(r, "%.0f", ratio), "10", ratio >= 10, NULL);
    else
        report_shown(r, report_text(r, "%s: QP3 faster than Lemke on 6n, times", c->name), "",
                     report_text(r, "%.0f", ratio), NULL);
    report_shown(r, report_text(r, "%s: QP3 faster than Lemke on n, times", c->name), "about 1 to 6",
                 report_text(r, "%.2g",
                             (tallies[NORMAL].total / tallies[NORMAL].solves) /
                                 (tallies[CONVEX].total / tallies[CONVEX].solves)),
                 "the comparison to be honest about: without friction the LCP has n unknowns, not 6n");
    report_shown(r, report_text(r, "%s: solves of Lemke with a residual above 1e-6: on n; on 6n", c->name),
                 c->design.facets == 12 ? "0; 2 of 3" : "0; some",
                 report_text(r, "%d of %d; %d of %d", tallies[NORMAL].failed, tallies[NORMAL].solves,
                             tallies[PYRAMID].failed, tallies[PYRAMID].solves),
                 NULL);
    engine_free(&e);
}

static void run(report *r) {
    const engine_case cases[] = {{"1 cylinder, K = 6, 54 rows", {1, 6}, 20, 0, 0, 0.3, 15},
                                 {"1 cylinder, K = 12, 102 rows", {1, 12}, 20, 0, 0, 0.3, 6},
                                 {"4 cylinders, K = 6, 174 rows", {4, 6}, 0, 2, 9.8, 0.1, 5}};
    FILE *t = report_table(r, "d_fig4", "series\tt_s\tqp3_ms\tnormal_ms\tpyramid_ms");
    for (int k = 0; k < 3; k++) {
        run_case(r, &cases[k], t);
        report_progress(r, (k + 1) / 3.0);
    }
    report_figure(
        r, "d_fig4",
        "Time per solve over simulated time, engine with contact-only joints: phase I (QP3), which with mu = 0 "
        "is all of the convex model; Lemke's method on the LCP of the normal impulses; and on the pyramid LCP "
        "with six unknowns per contact, as the paper compares.");
}

const experiment experiment_d_fig4 = {
    "D-Fig4", "Time per solve in the engine",
    "The convex model far faster than Lemke on the pyramid LCP, which stops at 0.0025 s for want of accuracy. Without "
    "friction five of the six unknowns per contact of that LCP are degenerate: it is this, not friction, that the "
    "figure compares. Lemke on the n normal impulses is the fair rival.",
    run};
