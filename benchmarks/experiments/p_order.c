/* p_order.c - Preclik, Eibl, Ruede (2017), section 5: does the time-stepping scheme converge, and
 * how fast? And event-driven integration, which section 3.1 sets beside it. */
#include "base/worse.h"
#include "benchmarks/experiments/order_events.h"
#include "benchmarks/experiments/order_steps.h"
#include "benchmarks/harness/report.h"
#include "benchmarks/harness/stats.h"
#include "generators/gen.h"

#include <math.h>
#include <string.h>

enum { STEPS = 10, STARTS = 24, MOTIONS = 8 }; /* lengths of a step; starts within one, at random */

static const double GRAVITY = 9.81, LEVEL = 0.95, E = 0.5;

static const char *const error_names[ORDER_ERRORS] = {"place, largest", "velocity, mean",
                                                      "velocity, largest"};

/* ---- what moves ---- */

typedef struct motions {
    hops ball, pendulum;
    order_motion list[MOTIONS];
    int count;
} motions;

static order_motion *add(motions *m, const order_motion *like, const char *name, double begin,
                         double end) {
    order_motion *next = &m->list[m->count++];
    *next = *like;
    next->name = name;
    next->begin = begin;
    next->end = end;
    return next;
}

/* Falls, meets the ground three times, and comes to rest, apart. */
static void add_hops(motions *m, const order_motion *like, const char *smooth, const char *impacts,
                     const char *zeno) {
    const hops *h = like->hops;
    if (smooth) add(m, like, smooth, 0, 0.9 * h->time[0]);
    add(m, like, impacts, 0.9 * h->time[0], hops_apex(h, 2));
    add(m, like, zeno, hops_apex(h, 2), h->zeno + 0.25 * (h->zeno - h->time[2]));
}

static void make(const scene *swing, motions *m) {
    const imp_link solid = {.parent = IMP_GROUND,
                            .joint = IMP_FREE,
                            .mass = 1,
                            .inertia = {0.004, 0, 0, 0, 0.004, 0, 0, 0, 0.004}};
    const compliant_sphere *foot = &swing->system.spheres[0];
    *m = (motions){.ball = hops_ball(GRAVITY, 0.1, 1.1, E)};
    m->pendulum = order_pendulum(swing, E);
    const order_motion ball = {.link = solid,
                               .radius = 0.1,
                               .e = E,
                               .gravity = GRAVITY,
                               .coordinate = 2,
                               .hops = &m->ball};
    order_motion bob = {.link = *imp_tree_link(swing->tree, 0),
                        .radius = foot->radius,
                        .e = E,
                        .gravity = GRAVITY,
                        .hops = &m->pendulum};
    memcpy(bob.centre, foot->centre, sizeof bob.centre);
    order_motion slide = {.link = solid,
                          .radius = 0.1,
                          .mu = 0.2,
                          .gravity = GRAVITY,
                          .slide = {GRAVITY, 0.2, 0.1, 3}};
    const double rolls = order_slide_rolls(&slide.slide);
    add(m, &slide, "ball, slides", 0, 0.9 * rolls);
    add(m, &slide, "ball, slides and rolls", 0.9 * rolls, 1.5 * rolls);
    add_hops(m, &ball, "ball, falls", "ball, three impacts", "ball, to rest");
    add_hops(m, &bob, "pendulum, swings", "pendulum, three impacts", "pendulum, to rest");
}

/* ---- the stepper ---- */

/* The root mean square of each error over starts at random within a step; NaN where one failed. */
static void mean_errors(const order_motion *m, const imp_model *model, double h, uint64_t seed,
                        double mean[ORDER_ERRORS]) {
    gen_stream s = gen_seed(6100, seed);
    memset(mean, 0, ORDER_ERRORS * sizeof *mean);
    for (int k = 0; k < STARTS; k++) {
        double error[ORDER_ERRORS];
        const double late = h * gen_uniform(&s, 0, 1);
        const bool good = order_run(m, model, h, late, error) == IMP_OK;
        for (int i = 0; i < ORDER_ERRORS; i++)
            mean[i] += good ? error[i] * error[i] / STARTS : NAN;
    }
    for (int i = 0; i < ORDER_ERRORS; i++)
        mean[i] = sqrt(mean[i]);
}

/* What orders ought to be; EXACT: the error is rounding; LOGARITHM: 1 in h log(T / h), T the
 * phase's length. */
enum { EXACT = -1, LOGARITHM = -2 };

typedef struct expected {
    double order[ORDER_ERRORS];
    const char *why; /* of what is not 1; NULL */
} expected;

static const expected smooth = {{1, EXACT, EXACT}, "velocities are exact under a constant force"},
                      swinging = {{1, 2, 2},
                                  "let go at rest the scheme is the leapfrog's, its place half a "
                                  "step ahead"},
                      impacts = {{1, 1, 0}, "a step with the impact has the wrong sign"},
                      piling = {{1, LOGARITHM, 0}, "a step with the impact has the wrong sign"};

static void judge(report *r, const order_motion *m, const expected *x, int which, const double *h,
                  const double *error) {
    const char *what = report_text(r, "%s: %s", m->name, error_names[which]),
               *why = x->order[which] != 1 ? x->why : "";
    const bool logarithm = x->order[which] == LOGARITHM;
    const double order = logarithm ? 1 : x->order[which];
    double worst = 0, step[STEPS];
    for (int k = 0; k < STEPS; k++) {
        worst = imp_worse(worst, error[k]);
        step[k] = logarithm ? h[k] * log((m->end - m->begin) / h[k]) : h[k];
    }
    if (order == EXACT) {
        report_at_most(r, INDEPENDENT, report_text(r, "%s, m/s", what), 1e-11, worst, why);
        return;
    }
    const stats_interval found = stats_exponent_range(STEPS, step, error, LEVEL),
                         plain = stats_exponent_range(STEPS, h, error, LEVEL);
    report_judge(r, INDEPENDENT,
                 report_text(r, "%s: order%s", what, logarithm ? " in h log(T/h)" : ""), "",
                 report_text(r, "%.3f to %.3f", found.low, found.high),
                 report_text(r, "certain at 95 %%: %g ± 0.15", order),
                 found.low >= order - 0.15 && found.high <= order + 0.15,
                 logarithm ? report_text(r,
                                         "in h alone %.3f to %.3f in this range of steps, too "
                                         "low for 1",
                                         plain.low, plain.high)
                           : report_text(r, "%.2g at %.2g s%s%s", error[STEPS - 1], h[STEPS - 1],
                                         *why ? "; " : "", why));
}

static void step_motion(report *r, report_rows *t, const order_motion *m, const expected *x,
                        uint64_t seed) {
    double h[STEPS], error[ORDER_ERRORS][STEPS];
    const imp_model *model = imp_model_find("gauss-seidel-maxdiss");
    for (int k = 0; k < STEPS; k++) {
        double mean[ORDER_ERRORS];
        h[k] = (m->end - m->begin) / 60 * pow(2, -0.75 * k);
        mean_errors(m, model, h[k], seed + (uint64_t)k, mean);
        for (int i = 0; i < ORDER_ERRORS; i++)
            error[i][k] = mean[i];
        report_row(t, m->name, h[k], mean[ORDER_PLACE], mean[ORDER_RATE_MEAN],
                   mean[ORDER_RATE_MOST]);
    }
    report_gap(t);
    for (int i = 0; i < ORDER_ERRORS; i++)
        judge(r, m, x, i, h, error[i]);
}

static void run(report *r) {
    static const expected *const want[MOTIONS] = {&smooth, &smooth,   &smooth,  &impacts,
                                                  &piling, &swinging, &impacts, &piling};
    motions m;
    scene swing;
    if (!order_open(r, &swing)) return;
    make(&swing, &m);
    report_rows *t = report_table(r, "p_order", "motion\th_s:9\tplace:9\tmean_rate:9\tmost_rate:9");
    for (int k = 0; k < MOTIONS; k++) {
        step_motion(r, t, &m.list[k], want[k], 100 * (uint64_t)k);
        report_progress(r, (double)k / MOTIONS);
    }
    report_figure(r, "p_order",
                  "The time stepper's errors fall as the step, and as its square for the "
                  "velocity of a pendulum that swings. The largest error of the place "
                  "(left; m, rad) and the mean error of the velocity (right; m/s, rad/s) "
                  "over a phase, by the step, beside closed forms. Root mean squares of "
                  "24 starts at random within a step. Lines: order 1, dotted 2.");
    order_events(r, &swing, &m.pendulum);
    scene_clear(&swing);
}

const experiment experiment_p_order = {
    "P-Order", "Orders of convergence of stepping and of event-driven integration (section 5)",
    "“Proving or falsifying that the constructed time-stepping scheme converges to a solution of "
    "the corresponding integral equations remains an open problem.” Measured here, where there are "
    "closed forms: one body, one contact. No proof.",
    run};
