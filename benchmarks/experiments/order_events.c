/* order_events.c - event-driven integration of a pendulum that bounces: errors by accuracy asked
 * for and by the mean step, which that makes. */
#include "benchmarks/experiments/order_events.h"

#include "base/worse.h"
#include "benchmarks/harness/stats.h"
#include "lib/impact.h"
#include "scene/course.h"

#include <math.h>

bool order_open(report *r, scene *s) {
    static const char path[] = "benchmarks/scenes/swing.json";
    scene_file file;
    imp_error error;
    imp_status status = scene_open(path, &file, &error);
    if (status == IMP_OK) {
        status = scene_build(&file, 0, s, &error);
        scene_close(&file);
    }
    if (status != IMP_OK) report_judge(r, OWN_BOUND, path, "a scene", error.text, "", false, NULL);
    return status == IMP_OK;
}

hops order_pendulum(const scene *s, double e) {
    const imp_link *bob = imp_tree_link(s->tree, 0);
    const compliant_sphere *foot = &s->system.spheres[0];
    const double arm = -bob->com[2], moment = bob->inertia[4] + bob->mass * arm * arm,
                 rest = acos((bob->offset[2] - foot->radius) / -foot->centre[2]);
    return hops_pendulum(bob->mass * -s->system.gravity[2] * arm / moment, rest, s->q[0], e);
}

typedef struct watched {
    const scene *s;
    long steps;
    double angle; /* rad, after the last step */
    int strikes;
    double pile; /* s, the instant that the impacts tend to, from where it begins; NAN: none */
} watched;

static void moves(void *context, double t) {
    watched *w = context;
    const imp_link_state *bob = imp_tree_state(w->s->tree, 0);
    (void)t;
    w->steps++;
    w->angle = atan2(bob->origin[0] - bob->com[0], bob->origin[2] - bob->com[2]);
}

static void strikes(void *context, const scene_struck *what) {
    (void)what;
    ((watched *)context)->strikes++;
}

static void turns(void *context, double t, scene_turn turn, int lasting) {
    (void)lasting;
    if (turn == SCENE_TURN_ZENO) ((watched *)context)->pile = t;
}

/* From the exact state at `begin` on, for a time: *w, and how it ended. False: unsolved. */
static bool course(scene *s, const hops *exact, double begin, double end, watched *w,
                   scene_course_end *how) {
    const scene_observer observer = {
        .moves = moves, .strikes = strikes, .turns = turns, .context = w};
    imp_settings settings;
    const imp_model *model = imp_model_find("newton");
    *w = (watched){.s = s, .pile = NAN};
    scene_model_settings(s, model, &settings);
    s->q[0] = hops_at(exact, begin, &s->v[0]);
    s->run.until = end - begin;
    double time;
    return scene_course(s, model, &settings, &observer, how, &time) == IMP_OK;
}

enum { STEPS = 9 };

enum { SWINGS, IMPACTS, ZENO, PHASES };

static const char *const phases[PHASES] = {"swings", "three impacts", "to rest"};

/* The error of a phase: of the angle at its end, rad; of the instant that the impacts tend to, s.
 * NAN: it did not end as it should. */
static double phase_error(scene *s, const hops *exact, int phase, watched *w) {
    static const int strike[PHASES] = {0, 3, 0};
    const double begin[PHASES] = {0, 0.9 * exact->time[0], hops_apex(exact, 2)},
                 end[PHASES] = {0.9 * exact->time[0], hops_apex(exact, 2), exact->zeno + 1};
    scene_course_end how;
    if (!course(s, exact, begin[phase], end[phase], w, &how)) return NAN;
    if (phase == ZENO) return fabs(begin[phase] + w->pile - exact->zeno);
    return how == SCENE_COURSE_TIME && w->strikes == strike[phase]
               ? fabs(w->angle - hops_at(exact, end[phase], NULL))
               : NAN;
}

/* Steps of at most h, an accuracy that they meet, so that none is shorter but those that begin and
 * end a flight, and the order between two bounds. */
typedef struct series {
    const char *name;
    const gsl_odeiv2_step_type *stepper;
    int phase;
    double longest, accuracy;
    double low, high;
} series;

static void step_series(report *r, report_rows *t, scene *s, const hops *exact, const series *x) {
    double h[STEPS], error[STEPS];
    watched w = {0};
    s->run.stepper = x->stepper;
    s->run.accuracy = x->accuracy;
    for (int k = 0; k < STEPS; k++) {
        s->run.max_step = h[k] = x->longest * pow(2, -0.25 * k);
        error[k] = phase_error(s, exact, x->phase, &w);
        report_row(t, report_text(r, "%s, %s", x->name, phases[x->phase]), h[k], error[k],
                   w.strikes, (double)w.steps);
    }
    report_gap(t);
    const stats_interval order = stats_exponent_range(STEPS, h, error, 0.95);
    report_judge(r, INDEPENDENT,
                 report_text(r, "events, %s: order in the step, %s", x->name, phases[x->phase]), "",
                 report_text(r, "%.2f to %.2f", order.low, order.high),
                 report_text(r, "certain at 95 %%: within %g to %g", x->low, x->high),
                 order.low >= x->low && order.high <= x->high,
                 report_text(r, "%.1e at %.3g s, %.1e at %.3g s", error[0], h[0], error[STEPS - 1],
                             h[STEPS - 1]));
}

/* By accuracy alone: three impacts, and the pile-up. */
static void accuracy_rows(report *r, scene *s, const hops *exact) {
    double impacts = 0, zeno = 0;
    watched w = {0};
    s->run.stepper = gsl_odeiv2_step_rk8pd;
    s->run.max_step = 0;
    for (int k = 1; k <= 12; k++) {
        s->run.accuracy = pow(10, -k);
        const double one = k < 6 ? 0 : phase_error(s, exact, IMPACTS, &w),
                     other = phase_error(s, exact, ZENO, &w);
        impacts = imp_worse(impacts, one);
        zeno = imp_worse(zeno, other);
    }
    report_at_most(r, INDEPENDENT, "events, rk8pd: angle after three impacts, rad", 1e-12, impacts,
                   "accuracies from 1e-6 to 1e-12, any step: at rounding, without an order");
    report_at_most(r, INDEPENDENT, "events, rk8pd: instant that the impacts tend to, s", 2e-9, zeno,
                   report_text(r,
                               "accuracies from 0.1 to 1e-12, any step; %d impacts and the "
                               "geometric rest; what rounding does to a touch at 1e-5 m/s",
                               w.strikes));
}

void order_events(report *r, scene *s, const hops *exact) {
    static const char columns[] = "run\th_s:9\terror:3\timpacts:4\tsteps:9";
    report_rows *t = report_table(r, "p_order_events", columns);
    const series all[] = {
        {"rk8pd", gsl_odeiv2_step_rk8pd, SWINGS, 0.15, 100, 7, 9},
        {"rkf45", gsl_odeiv2_step_rkf45, SWINGS, 0.05, 100, 4.5, 5.5},
        {"rkf45", gsl_odeiv2_step_rkf45, IMPACTS, 0.0178, 1e-5, 4, 5.5},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        step_series(r, t, s, exact, &all[k]);
    accuracy_rows(r, s, exact);
    report_figure(r, "p_order_events",
                  "The error of event-driven integration falls with the order of the "
                  "integrator, through impacts too. A pendulum that topples onto a plane: "
                  "the error of its angle over the longest step, before the first impact "
                  "and after three (e = 1/2). Lines: orders 5 and 8.");
}
