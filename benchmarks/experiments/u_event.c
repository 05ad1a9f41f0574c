/* u_event.c - Uchida, Sherman, Delp (2015), sections 1 and 5: PLUS called by an error-controlled
 * integration that locates impacts, with a handler for contacts that last. */
#include "benchmarks/experiments/course.h"
#include "base/worse.h"
#include "scene/course.h"

#include <math.h>
#include <string.h>

enum { MOST_IMPACTS = 256 };

static const double CAPTURE = 0.01, PLASTIC = 0.1; /* m/s, Table A1 */

/* What a body that drops flat does under PLUS, in closed form or integrated. */
typedef struct fall {
    int impacts;
    double time[MOST_IMPACTS]; /* s */
    double place, slip;        /* m, m/s: along x at the end */
    long steps;
} fall;

/* PLUS's restitution at an approach of v m/s (Fig. 2). */
static double restitution(double v, double least) {
    if (v < CAPTURE) return 0;
    return v >= PLASTIC ? least : 1 - (1 - least) * v / PLASTIC;
}

/* Closed form: it meets the ground at `approach` (m/s) at the time t with a slip (m/s), which
 * friction takes in impacts, mu times their normal impulse, and from its rest on until it has
 * none. */
static fall closed_form(double t, double approach, double slip, double mu, double e, double until) {
    static const double g = 9.81;
    fall f = {.place = slip * t};
    while (approach > 0 && f.impacts < MOST_IMPACTS) {
        const double rebound = restitution(approach, e) * approach;
        f.time[f.impacts++] = t;
        slip = fmax(0, slip - mu * (approach + rebound));
        f.place += slip * 2 * rebound / g;
        t += 2 * rebound / g;
        approach = rebound;
    }
    const double slides = mu > 0 ? fmin(until - t, slip / (mu * g)) : 0;
    f.place += slip * slides - mu * g * slides * slides / 2;
    f.slip = slip - mu * g * slides;
    return f;
}

static void strikes(void *context, const scene_struck *what) {
    fall *f = context;
    if (f->impacts < MOST_IMPACTS) f->time[f->impacts++] = what->time;
}

static void moves(void *context, double t) {
    (void)t;
    ((fall *)context)->steps++;
}

static bool lasts(void *context, const scene_stride *stride) {
    (void)stride;
    ((fall *)context)->steps++;
    return false;
}

/* False where it does not come to the end of its time. */
static bool integrated(const course *c, fall *f) {
    const scene_observer watch = {.moves = moves, .strikes = strikes, .lasts = lasts, .context = f};
    imp_settings settings;
    scene_course_end end = SCENE_COURSE_STOPPED;
    double time;
    *f = (fall){0};
    scene_model_settings(&c->scene, &imp_model_plus, &settings);
    const bool good =
        scene_course(&c->scene, &imp_model_plus, &settings, &watch, &end, &time) == IMP_OK;
    f->place = imp_tree_state(c->scene.tree, 0)->origin[0];
    f->slip = imp_tree_state(c->scene.tree, 0)->velocity[0];
    return good && end == SCENE_COURSE_TIME;
}

static void judge(report *r, const char *what, const fall *f, const fall *known, bool good) {
    double off = 0;
    for (int k = 0; k < f->impacts && k < known->impacts; k++)
        off = imp_worse(off, fabs(f->time[k] - known->time[k]));
    report_count(r, INDEPENDENT, report_text(r, "%s: impacts until it rests", what), known->impacts,
                 good ? f->impacts : -1, "the last below the capture speed");
    report_at_most(r, INDEPENDENT, report_text(r, "%s: their times off closed form, s", what),
                   1e-10, off,
                   report_text(r, "the last at %.4f s", known->time[known->impacts - 1]));
}

static void ball(report *r) {
    course c;
    fall f;
    if (!course_open(r, "bounce", "e = 1/2", &c)) return;
    const double height = c.scene.q[2] - 0.1, fastest = sqrt(2 * 9.81 * height);
    const bool good = integrated(&c, &f);
    const fall known = closed_form(fastest / 9.81, fastest, 0, 0, 0.5, c.scene.run.until);
    judge(r, "ball dropped from 1 m", &f, &known, good);
    course_close(&c);
}

static void brick(report *r) {
    static const char *const assign[] = {"bodies.brick.velocity=[2, 0, -2]", "run.until=0.6", NULL};
    course c;
    fall f;
    if (!course_open_with(r, "brick-face", "flat", assign, &c)) return;
    const bool good = integrated(&c, &f);
    const fall known = closed_form(0, 2, 2, 0.2, 0.414, c.scene.run.until);
    judge(r, "brick on four points, sliding", &f, &known, good);
    report_near(r, INDEPENDENT, "the brick at 0.6 s: its place, m", known.place, f.place, 1e-9,
                "impacts and the contact that lasts take mu times what they press with");
    report_near(r, INDEPENDENT, "the brick at 0.6 s: its slip, m/s", known.slip, f.slip, 1e-9,
                NULL);
    course_close(&c);
}

/* The same without restitution, beside compliant contact that has none. */
static void beside_compliant(report *r) {
    static const char *const assign[] = {
        "bodies.brick.velocity=[2, 0, -2]", "run.until=0.6",          "impact.restitution=0",
        "material.dissipation=100",         "material.stiffness=1e8", NULL};
    course c;
    fall f;
    compliant_result run;
    if (!course_open_with(r, "brick-face", "flat", assign, &c)) return;
    const bool good = integrated(&c, &f);
    compliant_settings settings = c.scene.run;
    settings.apart = -1;
    settings.accuracy = 1e-6;
    const bool ran =
        compliant_run(&c.scene.system, &settings, c.scene.q, c.scene.v, &run) == IMP_OK;
    report_near(r, STATED_IN_SOURCE, "brick without restitution: its way in 0.6 s, m, compliant",
                ran ? run.y[0] : (double)NAN, good ? f.place : (double)NAN, 1e-4,
                "100 MPa, strongly damped");
    report_judge(r, STATED_IN_SOURCE,
                 "evaluations of compliant forces over steps from impact to "
                 "impact",
                 "constraints “a more efficient strategy than using a compliant contact model”",
                 report_text(r, "%ld; %ld", ran ? run.evaluations : -1, f.steps), "at least 100",
                 ran && good && run.evaluations >= 100 * f.steps,
                 "one impact, and 0.6 s of sliding");
    compliant_result_clear(&run);
    course_close(&c);
}

static void run(report *r) {
    ball(r);
    brick(r);
    beside_compliant(r);
    report_say(r,
               "Impacts are located to a hundredth of the integration's accuracy, PLUS answers "
               "each, and contacts that neither close nor separate afterwards are held by forces "
               "that obey Coulomb's law (impact simulate --model plus). U-Stop and U-Joint follow "
               "mechanisms through several impacts.");
}

const experiment experiment_u_event = {
    "U-Event", "PLUS in an event-driven integration, until things rest",
    "“We present the PLUS formulation under the assumption that it is invoked by a separate time "
    "integration scheme that has detected a collision”; “persisting contact following a collision "
    "is then simulated using algebraic constraints” (section 1). The paper shows no run of all "
    "three.",
    run};
