/* b_cost.c - how cost grows: with problems, contacts, particles, intervals and stiffness, each with
 * its exponent.
 *
 * Counts of work are judged: they are the same on every machine. Times, the least of some runs, are
 * shown. */
#include "benchmarks/experiments/course.h"
#include "benchmarks/harness/box_of_spheres.h"
#include "generators/piles.h"
#include "blocks/blockwise.h"
#include "generators/gen.h"
#include "base/clock.h"
#include "base/vec3.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 8, REPEATS = 3 };

/* One curve: work and time over size. */
typedef struct curve {
    report *r;
    report_rows *table;
    const char *name, *cost_of, *over; /* "contacts", "a sweep", "contacts" */
    int n;
    double x[MOST], work[MOST], seconds[MOST];
} curve;

static void point(curve *c, double x, double work, double seconds) {
    c->x[c->n] = x;
    c->work[c->n] = work;
    c->seconds[c->n++] = seconds;
    report_row(c->table, c->name, x, work, 1e6 * seconds, 1e6 * c->seconds[0] * x / c->x[0]);
}

/* The row of the work's exponent (NAN: no count is judged), and that of the time. */
static void judge(curve *c, const char *work, double expected, double band) {
    const char *span = report_text(c->r, "over %g to %g", c->x[0], c->x[c->n - 1]);
    if (!isnan(expected)) {
        const double b = c->n == 0 ? NAN : course_exponent(c->x, c->work, c->n);
        report_judge(c->r, OWN_BOUND,
                     report_text(c->r, "%s of %s ~ %s^b", work, c->cost_of, c->over),
                     report_text(c->r, "%g", expected), report_text(c->r, "%.3f", b),
                     report_text(c->r, "%g", band), fabs(b - expected) <= band, span);
    }
    report_shown(c->r, NO_REFERENCE, report_text(c->r, "time of %s ~ %s^b", c->cost_of, c->over),
                 "", report_text(c->r, "%.3f", course_exponent(c->x, c->seconds, c->n)), span);
}

/* Columns of the batch solver, one thread. */
static void problems(curve *c) {
    enum { LARGEST = 1 << 16, ROOM = LARGEST + 64, COLUMNS = 14 };
    double *memory = calloc(COLUMNS * (size_t)ROOM, sizeof *memory);
    imp_status *status = calloc(ROOM, sizeof *status);
    imp_batch_columns columns = {.status = status};
    if (memory && status) {
        double *at[COLUMNS];
        for (int k = 0; k < COLUMNS; k++)
            at[k] = memory + k * (size_t)ROOM;
        for (int k = 0; k < 6; k++)
            columns.W[k] = at[k];
        for (int k = 0; k < 3; k++) {
            columns.q[k] = at[6 + k];
            columns.p[k] = at[9 + k];
        }
        columns.mu = at[12];
        columns.residual = at[13];
        for (int i = 0; i < LARGEST; i++) {
            const gen_problem g = gen_make(GEN_SPEED_BOX, (uint64_t)i);
            for (int k = 0; k < 6; k++)
                at[k][i] = g.W[k];
            for (int k = 0; k < 3; k++)
                at[6 + k][i] = g.q[k];
            at[12][i] = g.mu;
        }
        for (size_t n = 1 << 10; n <= LARGEST; n *= 4) {
            double least = INFINITY;
            for (int repeat = 0; repeat < 5 * REPEATS; repeat++) {
                const double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
                (void)imp_maxdiss_batch(&columns, n, NULL);
                least = fmin(least, imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start);
            }
            point(c, (double)n, (double)n, least);
        }
    }
    free(memory);
    free(status);
    judge(c, "", NAN, 0);
}

/* Seconds of a sweep, from ten. */
static double sweep(const imp_operator *W, const imp_fclib *local, double *p) {
    imp_blocks_settings settings = imp_blocks_presets;
    const imp_problem problem = {.nc = local->nc, .W = W, .q = local->q, .mu = local->mu};
    imp_info info = {0};
    settings.max_sweeps = 10;
    settings.tolerance = 1e-15;
    const double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
    const imp_status status =
        imp_model_gauss_seidel_coulomb.solve(&problem, &settings, p, NULL, &info);
    return status < 0 || info.iterations != 10
               ? NAN
               : (imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / 10;
}

/* What one sweep goes through: for every contact its own block, and the blocks of W that its
 * neighbours share with it or, over bodies, the rows of G that it has. NAN without memory. */
static double blocks_of_sweep(const imp_operator *W, const imp_fclib *local) {
    const imp_problem problem = {.nc = local->nc, .W = W, .q = local->q, .mu = local->mu};
    blockwise *b = imp_blockwise_new(&problem, false);
    const int *start = !b ? NULL : b->over_bodies ? b->gram.factored->start : b->start;
    const double count = start ? (double)b->nc + start[b->nc] : (double)NAN;
    imp_blockwise_free(b);
    return count;
}

/* A chain of spheres, where every contact has two neighbours: in a pile those at the edge have
 * fewer. */
static void contacts(curve *c) {
    for (int n = 30; n <= 10000; n *= 3) {
        imp_fclib global, local = {0};
        if (pile_make(PILE_CHAIN, 5, n, &global) != IMP_OK) continue;
        imp_blocks *blocks =
            imp_fclib_local(&global, &local) == IMP_OK ? imp_blocks_new(&local.W) : NULL;
        double *p = blocks ? calloc(3 * (size_t)local.nc, sizeof *p) : NULL;
        if (p) {
            imp_operator W = imp_operator_blocks(blocks);
            W.as_given = 1; /* H' M^-1 H is symmetric to rounding only */
            double least = INFINITY;
            for (int repeat = 0; repeat < REPEATS; repeat++)
                least = fmin(least, sweep(&W, &local, p));
            point(c, local.nc, blocks_of_sweep(&W, &local), least);
        }
        free(p);
        imp_blocks_free(blocks);
        imp_fclib_clear(&local);
        imp_fclib_clear(&global);
    }
    judge(c, "blocks", 1, 0.05);
}

/* A box of side^3 spheres that has settled for a while, per step of ten sweeps. */
static void box_of(curve *c, int side) {
    imp_granular_settings set = imp_granular_settings_default();
    set.step = 1e-4;
    imp_granular *flow = box_of_spheres(&set, side);
    bool good = flow != NULL;
    double least = INFINITY, relaxations = 0;
    const int settle = 250, steps = 10;
    for (int k = 0; good && k < settle; k++)
        good = imp_granular_step(flow, NULL) == IMP_OK;
    for (int repeat = 0; good && repeat < REPEATS; repeat++) {
        const double before = (double)imp_granular_cost(flow).relaxations,
                     start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
        for (int k = 0; good && k < steps; k++)
            good = imp_granular_step(flow, NULL) == IMP_OK;
        least = fmin(least, (imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / steps);
        relaxations = ((double)imp_granular_cost(flow).relaxations - before) / steps;
    }
    if (good) point(c, (double)side * side * side, relaxations, least);
    imp_granular_free(flow);
}

static void particles(curve *c) {
    static const int sides[] = {6, 8, 11, 15};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        box_of(c, sides[i]);
    judge(c, "one-contact solutions", 1, 0.1);
}

/* PLUS on the brick's vertex over theta_max: the size is the number of intervals itself. */
static void intervals(curve *c) {
    course x;
    if (!course_open(c->r, "brick-point", "mu 0.325", &x)) return;
    double W[6], p[3];
    pack3(x.touch.W, W);
    for (int k = 0; k < 7; k++) {
        imp_plus_settings settings = imp_plus_settings_default();
        imp_info info = {0};
        double least = INFINITY;
        settings.theta_max = ldexp(0.05, -k);
        for (int repeat = 0; repeat < 3 * REPEATS; repeat++) {
            const double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
            for (int n = 0; n < 10; n++)
                (void)imp_plus_single(W, x.touch.u, x.touch.mu[0], 0.373, &settings, p, NULL,
                                      &info);
            least = fmin(least, (imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / 10);
        }
        point(c, info.intervals, 1 / settings.theta_max, least);
    }
    course_close(&x);
    judge(c, "1/θmax", 1, 0.05);
}

/* The compliant brick at fixed accuracy and fixed friction, ever stiffer. */
static void stiffness(curve *c) {
    course x;
    if (!course_open(c->r, "brick-point", "mu 0.325", &x)) return;
    double now = 1e10;
    for (int k = 0; k < 7; k++) {
        const double E = 1e7 * pow(10, k);
        compliant_settings settings = x.scene.run;
        course_scale(&x, E / now, 1);
        now = E;
        settings.history = false;
        settings.accuracy = 1e-8;
        settings.until = 1;
        const double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
        if (course_run(c->r, &x, &settings))
            point(c, E, (double)x.run.evaluations, imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start);
    }
    course_close(&x);
    judge(c, "force evaluations", 0, 0.1);
}

static void run(report *r) {
    report_rows *table = report_table(r, "b_cost", "curve\tsize:9\twork:9\ttime_us:4\tlinear_us:4");
    static const struct {
        void (*draw)(curve *c);
        const char *name, *cost_of, *over;
    } curves[] = {{problems, "problems", "a batch of maximum dissipation", "problems"},
                  {contacts, "contacts", "a sweep of Gauss-Seidel", "contacts"},
                  {particles, "particles", "a granular step", "particles"},
                  {intervals, "intervals", "an impact by PLUS", "intervals"},
                  {stiffness, "stiffness", "a compliant impact", "E"}};
    for (int i = 0; i < 5; i++) {
        curve c = {.r = r,
                   .table = table,
                   .name = curves[i].name,
                   .cost_of = curves[i].cost_of,
                   .over = curves[i].over};
        curves[i].draw(&c);
        report_progress(r, (i + 1) / 5.0);
    }
    report_figure(r, "b_cost",
                  "Time grows as problems, contacts, particles and intervals do, but not "
                  "with a compliant impact's stiffness. CPU time over size (points and "
                  "lines), and a line of slope 1 through the first point: a batch of "
                  "one-contact problems, a sweep over chains of spheres, a step of a box "
                  "of spheres, an impact by PLUS. Below right the compliant impact's "
                  "force evaluations, as many at every stiffness when the accuracy asked "
                  "is the same: the contact is shorter, not harder.");
}

const experiment experiment_b_cost = {"B-Cost", "What cost grows with",
                                      "Linear in problems, in contacts per sweep, in particles, in "
                                      "the intervals of PLUS; what a solve needs until it is "
                                      "done is shown in B-Work and B-Converge.",
                                      run};
