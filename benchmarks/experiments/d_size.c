/* d_size.c - Drumwright, Shell (2010), sections 1, 2.6 and 4.2: how the pyramid LCP, the convex
 * program and its phase I by gradient projection grow with the contacts. */
#include "base/clock.h"
#include "benchmarks/experiments/gradient_projection.h"
#include "benchmarks/experiments/spheres.h"
#include "benchmarks/harness/report.h"
#include "benchmarks/harness/stats.h"
#include "base/worse.h"
#include "lib/impact.h"

#include <math.h>
#include <stdlib.h>

enum { RUNGS = 40, UNKNOWNS = 6, ROUNDS = 200 };

/* A problem is taken each time that there are this many times as many contacts as in the last. */
static const double STEP = 1.2;
static const double FEWEST = 8;

/* What the solvers took for the problems of the ladder, one entry each; NAN: not solved. */
typedef struct ladder {
    int count, lemke_failed, convex_failed, projection_failed, rose;
    double contacts[RUNGS];
    double madds[RUNGS];      /* of Lemke: pivots times unknowns squared */
    double iterations[RUNGS]; /* of the interior point */
    double projected[RUNGS];  /* of gradient projection: products with A_N times contacts squared */
    double seconds[3][RUNGS]; /* processor time of the three */
    double worst, apart;      /* of gradient projection: see judge */
} ladder;

/* One problem of a step, with the gaps in q_n. */
typedef struct instance {
    imp_problem problem;
    double *q, *p, *A, *b, *y; /* (3nc), (3nc), (nc x nc), (nc), (nc) */
} instance;

static bool instance_of(const imp_stepper *s, instance *x) {
    const size_t n = (size_t)s->problem.nc;
    *x = (instance){.problem = s->problem, .q = calloc(8 * n + n * n, sizeof(double))};
    if (!x->q) return false;
    x->p = x->q + 3 * n;
    x->b = x->p + 3 * n;
    x->y = x->b + n;
    x->A = x->y + n;
    x->problem.q = x->q;
    for (size_t i = 0; i < 3 * n; i++)
        x->q[i] = s->problem.q[i] + (i % 3 == 0 ? s->gap[i / 3] : 0);
    for (size_t i = 0; i < n; i++) {
        x->b[i] = x->q[3 * i];
        for (size_t j = 0; j < n; j++) {
            double block[9];
            s->problem.W->kind->block(s->problem.W, (int)i, (int)j, block);
            x->A[i * n + j] = block[0];
        }
    }
    return true;
}

static double now(void) {
    return imp_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void by_lemke(instance *x, ladder *l) {
    imp_settings settings;
    imp_info info = {0};
    imp_model_presets(&imp_model_anitescu, &settings);
    void *work = malloc(imp_model_anitescu.workspace(&x->problem, &settings));
    const double from = now(), unknowns = UNKNOWNS * x->problem.nc;
    const imp_status status =
        work ? imp_model_anitescu.solve(&x->problem, &settings, x->p, work, &info) : IMP_NO_MEMORY;
    l->seconds[0][l->count] = now() - from;
    l->madds[l->count] = status == IMP_OK ? info.iterations * unknowns * unknowns : NAN;
    l->lemke_failed += status != IMP_OK;
    free(work);
}

/* x->p <- the convex program's answer. */
static void by_convex(instance *x, ladder *l) {
    imp_convex_settings settings;
    imp_convex_report told = {0};
    imp_model_presets(&imp_model_drumwright, &settings);
    const double from = now();
    const imp_status status = imp_convex(&x->problem, &settings, x->p, &told);
    l->seconds[1][l->count] = now() - from;
    l->iterations[l->count] = status == IMP_OK ? told.iterations / (double)told.islands : NAN;
    l->convex_failed += status != IMP_OK;
}

/* Normal velocities that two normal impulses leave, y and that in p, largest distance over the
 * largest of b. */
static double velocities_apart(const instance *x, const double *p) {
    const size_t n = (size_t)x->problem.nc;
    double worst = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        double off = 0;
        for (size_t j = 0; j < n; j++)
            off += x->A[i * n + j] * (x->y[j] - p[3 * j]);
        worst = imp_worse(worst, fabs(off));
        size = fmax(size, fabs(x->b[i]));
    }
    return worst / size;
}

static void by_projection(instance *x, ladder *l) {
    const int n = x->problem.nc;
    projection_course course;
    const double from = now();
    const bool good = gradient_projection(n, x->A, x->b, 1e-10, ROUNDS, x->y, &course);
    l->seconds[2][l->count] = now() - from;
    l->projected[l->count] = good ? (double)course.products * n * n : NAN;
    l->projection_failed += !good || !(course.residual <= 1e-10);
    l->rose += course.rose;
    l->worst = imp_worse(l->worst, course.residual);
    const bool smooth = imp_frictionless(&x->problem, x->p, NULL) == IMP_OK;
    l->apart = imp_worse(l->apart, smooth ? velocities_apart(x, x->p) : (double)NAN);
}

static void take(report_rows *t, const char *drop, const imp_stepper *s, ladder *l) {
    instance x;
    const int k = l->count;
    if (k == RUNGS || !instance_of(s, &x)) return;
    l->contacts[k] = x.problem.nc;
    by_lemke(&x, l);
    by_projection(&x, l);
    by_convex(&x, l);
    for (int i = 0; i < 3 * x.problem.nc; i++)
        s->p[i] = x.p[i];
    l->count++;
    report_row(t, drop, l->contacts[k], l->madds[k], l->iterations[k], l->projected[k],
               1e3 * l->seconds[0][k], 1e3 * l->seconds[1][k], 1e3 * l->seconds[2][k]);
    free(x.q);
}

/* Drops spheres by QP2 until a step has more contacts than `most`, or settles; a problem of each
 * rung goes to all solvers. */
static void climb(report *r, report_rows *t, const char *variant, double most, double until,
                  ladder *l) {
    spheres s;
    imp_error error;
    if (!spheres_open(variant, &s, &error)) {
        report_judge(r, OWN_BOUND, variant, "a scene", error.text, "", false, NULL);
        return;
    }
    imp_stepper *stepper = s.scene.stepper;
    const int steps = (int)lround(until / s.scene.settings.h);
    double next = FEWEST;
    s.scene.shapes.reach = 0.005;
    for (int k = 0; k < steps; k++) {
        report_progress(r, (double)k / steps);
        if (imp_step_prepare(stepper, &s.scene.settings) < 0) break;
        const int contacts = stepper->problem.nc;
        if (contacts > most) break;
        if (contacts >= next) {
            take(t, variant, stepper, l);
            next = ceil(STEP * contacts);
        } else if (imp_step_solve(stepper, &s.scene.settings) < 0) {
            break;
        }
        if (imp_step_finish(stepper, &s.scene.settings) < 0) break;
    }
    spheres_free(&s);
}

static stats_interval growth(const ladder *l, const double *cost) {
    return stats_exponent_range(l->count, l->contacts, cost, 0.95);
}

static void judge(report *r, const ladder *l) {
    const stats_interval lemke = growth(l, l->madds), convex = growth(l, l->iterations),
                         projected = growth(l, l->projected);
    report_judge(r, STATED_IN_SOURCE, "Lemke on 6n: exponent of its multiply-adds over contacts",
                 "“(on average) in time O(n3)”",
                 report_text(r, "%.2f to %.2f", lemke.low, lemke.high),
                 "certain at 95 %: 2.5 to 3.5", lemke.low >= 2.5 && lemke.high <= 3.5,
                 "pivots times unknowns squared, of what it solved");
    report_judge(r, OWN_BOUND,
                 "QP1 by an interior point: exponent of its iterations, mean of islands", "near 0",
                 report_text(r, "%.2f to %.2f", convex.low, convex.high), "certain at 95 %: ≤ 0.5",
                 convex.high <= 0.5, "phase I comes besides");
    report_count(r, STATED_IN_SOURCE, "phase I by gradient projection: problems it fails on", 0,
                 l->projection_failed,
                 report_text(r, "“never fails”; of %d, to a residual of 1e-10", l->count));
    report_count(r, INDEPENDENT, "problems on which its energy ever rises", 0, l->rose,
                 "stopped early, it leaves an impulse that gains none");
    report_at_most(r, INDEPENDENT, "its velocities against phase I's, of the largest", 1e-8,
                   l->apart, "A_N y is the same of all solutions");
    double share = 0;
    for (int k = 0; k < l->count; k++)
        share = isnan(l->projected[k]) ? NAN : fmax(share, l->projected[k] / l->madds[k]);
    report_judge(r, STATED_IN_SOURCE,
                 "its multiply-adds over Lemke's on 6n, the largest; their exponent over contacts",
                 "“extremely quickly”",
                 report_text(r, "%.3f; %.2f to %.2f", share, projected.low, projected.high),
                 "a twentieth, our bound", share <= 0.05,
                 "quickly by a factor, not by its growth: that is Lemke's, and steeper than the "
                 "convex program's time");
    report_count(r, OWN_BOUND, "problems that the convex program does not solve", 0,
                 l->convex_failed, NULL);
    report_shown(r, STATED_IN_SOURCE, "problems that Lemke does not solve", "“numerically brittle”",
                 report_text(r, "%d of %d", l->lemke_failed, l->count),
                 "the paper’s stopped before 1 s of 1001 spheres");
    const char *names[] = {"Lemke on 6n", "the convex program", "gradient projection, phase I"};
    for (int k = 0; k < 3; k++) {
        const stats_interval time = growth(l, l->seconds[k]);
        report_shown(r, NO_REFERENCE,
                     report_text(r, "%s: time at %.0f contacts, ms; exponent", names[k],
                                 l->contacts[l->count - 1]),
                     "",
                     report_text(r, "%.3g; %.2f to %.2f", 1e3 * l->seconds[k][l->count - 1],
                                 time.low, time.high),
                     "processor time");
    }
}

static void run(report *r) {
    static ladder l;
    l = (ladder){0};
    report_rows *t = report_table(r, "d_size",
                                  "spheres\tcontacts:6\tlemke_madds:5\tconvex_iterations:5\t"
                                  "projection_madds:6\tlemke_ms:4\tconvex_ms:4\tprojection_ms:4");
    climb(r, t, "27", 450, 0.7, &l);
    climb(r, t, "96", 450, 0.6, &l);
    if (report_full(r)) climb(r, t, "1001", 1000, 0.45, &l);
    judge(r, &l);
    report_figure(r, "d_size",
                  "Gradient projection of phase I takes far fewer multiply-adds than Lemke's "
                  "method, and they grow as fast; the interior point needs hardly more "
                  "iterations. Contact problems of spheres that drop into a box, from their "
                  "first contacts on: Lemke's method on the pyramid LCP, the convex program's "
                  "interior point and gradient projection. Left and middle: work that is the "
                  "same on every machine, in two units. Right: processor time.");
}

const experiment experiment_d_size = {
    "D-Size", "LCP, convex program and gradient projection by the number of contacts",
    "“The numerical algorithms used to compute contact forces run (on average) in time O(n3) in "
    "the number of contact points and are numerically brittle”; phase I “can thus be solved "
    "extremely quickly using a gradient projection method”, which “never fails”. The paper prints "
    "no table of sizes; problems of 27 and 96 dropping spheres stand for them, with SCALE=full the "
    "first ones of 1001, too.",
    run};
