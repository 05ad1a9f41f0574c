/* u_stop.c - a double pendulum that swings against a stop, through several impacts: from impact to
 * impact, by compliant contact that gets stiffer, and by the time stepper. */
#include "base/worse.h"
#include "benchmarks/experiments/course.h"
#include "benchmarks/experiments/experiments.h"
#include "benchmarks/harness/stats.h"
#include "scene/course.h"

#include <math.h>
#include <string.h>

enum { LINKS = 2, LEVELS = 8, STEPS = 9, NEIGHBOURS = 16 };

static const double ACCURACY = 1e-12; /* of events and of compliant runs */
static const double SOFTEST = 4;      /* times as long as the scene's do impacts take at first */

/* Where the pendulum is at the end, and what it met. */
typedef struct outcome {
    double angle[LINKS], rate[LINKS]; /* rad, from the downward vertical; rad/s */
    int impacts;                      /* not counted by steps; -1: no end was reached */
} outcome;

static void look(outcome *o, int link, const imp_link_state *at) {
    o->angle[link] = atan2(-at->rotation[6], at->rotation[0]);
    o->rate[link] = at->spin[1];
}

/* The largest difference of the angles, rad, and of the rates, rad/s; NAN: one has no end. */
typedef struct distance {
    double angle, rate;
} distance;

static distance apart(const outcome *a, const outcome *b) {
    distance d = {0};
    if (a->impacts < 0 || b->impacts < 0) return (distance){NAN, NAN};
    for (int i = 0; i < LINKS; i++) {
        d.angle = imp_worse(d.angle, fabs(remainder(a->angle[i] - b->angle[i], 2 * acos(-1))));
        d.rate = imp_worse(d.rate, fabs(a->rate[i] - b->rate[i]));
    }
    return d;
}

/* A variant of the scene. On false a failing row says why. */
static bool open_stop(report *r, const char *variant, course *c) {
    const bool good = course_open(r, "double-pendulum", variant, c);
    if (good) c->scene.run.accuracy = ACCURACY;
    return good;
}

/* ---- from impact to impact ---- */

typedef struct watched {
    const scene *s;
    report_rows *t; /* rows of the outer link's angle; NULL: none */
    int impacts;
} watched;

static void moves(void *context, double t) {
    const watched *w = context;
    outcome now;
    look(&now, 1, imp_tree_state(w->s->tree, 1));
    if (w->t) report_row(w->t, "impact to impact", t, now.angle[1]);
}

static void strikes(void *context, const scene_struck *what) {
    (void)what;
    ((watched *)context)->impacts++;
}

static outcome events(const scene *s, const char *name, report_rows *t) {
    watched w = {.s = s, .t = t};
    const scene_observer observer = {.moves = moves, .strikes = strikes, .context = &w};
    const imp_model *model = imp_model_find(name);
    imp_settings settings;
    scene_course_end end = SCENE_COURSE_STOPPED;
    double time;
    outcome o = {.impacts = -1};
    scene_model_settings(s, model, &settings);
    if (scene_course(s, model, &settings, &observer, &end, &time) != IMP_OK ||
        end != SCENE_COURSE_TIME)
        return o;
    for (int i = 0; i < LINKS; i++)
        look(&o, i, imp_tree_state(s->tree, i));
    o.impacts = w.impacts;
    return o;
}

/* ---- compliant ---- */

static outcome compliant(const scene *s, report_rows *t) {
    compliant_settings settings = s->run;
    compliant_result run;
    outcome o = {.impacts = -1};
    settings.apart = -1;
    settings.history = t != NULL;
    if (compliant_run(&s->system, &settings, s->q, s->v, &run) == IMP_OK) {
        for (int k = 0; t && k < run.history.rows; k++) {
            const double *y = compliant_history_row(&run.history, k);
            imp_tree_place(s->tree, y, y + run.layout.v);
            look(&o, 1, imp_tree_state(s->tree, 1));
            report_row(t, "compliant", y[run.layout.time], o.angle[1]);
        }
        imp_tree_place(s->tree, run.y, run.y + run.layout.v);
        for (int i = 0; i < LINKS; i++)
            look(&o, i, imp_tree_state(s->tree, i));
        o.impacts = run.nspells;
    }
    compliant_result_clear(&run);
    return o;
}

/* far <- the value for impacts without duration of the polynomial through `near` and `far`, whose
 * last ones take half as long as those before. */
static void extrapolate(int order, const outcome *near, outcome *far) {
    const double factor = 1 / (ldexp(1, order) - 1);
    for (int i = 0; i < LINKS; i++) {
        far->angle[i] += factor * (far->angle[i] - near->angle[i]);
        far->rate[i] += factor * (far->rate[i] - near->rate[i]);
    }
}

/* The exponent of an error over x, certain to lie near the expected. */
static void judge_exponent(report *r, const char *what, int n, const double *x, const double *error,
                           double expected, double within) {
    const stats_interval found = stats_exponent_range(n, x, error, 0.95);
    int used;
    (void)stats_exponent(n, x, error, &used);
    report_judge(
        r, INDEPENDENT, what, "", report_text(r, "%.3f to %.3f", found.low, found.high),
        report_text(r, "certain at 95 %%: %g ± %g", expected, within),
        used == n && found.low >= expected - within && found.high <= expected + within,
        report_text(r, "%.2g at %.3g, %.2g at %.3g", error[0], x[0], error[n - 1], x[n - 1]));
}

/* Runs whose impacts take half as long each time, beside the course that is their limit. */
static void stiffen(report *r, report_rows *t, const char *variant) {
    course c;
    double modulus[LEVELS], angle[LEVELS], rate[LEVELS];
    outcome run[LEVELS];
    if (!open_stop(r, variant, &c)) return;
    const outcome rigid = events(&c.scene, "darboux-stronge", NULL);
    const double given = c.scene.system.planes[0].material.stiffness;
    int alike = 0;
    course_scale(&c, pow(SOFTEST, -2.5), SOFTEST);
    for (int k = 0; k < LEVELS; k++) {
        run[k] = compliant(&c.scene, NULL);
        const distance d = apart(&run[k], &rigid);
        modulus[k] = given * pow(ldexp(SOFTEST, -k), -2.5);
        angle[k] = d.angle;
        rate[k] = d.rate;
        alike += run[k].impacts == rigid.impacts;
        report_row(t, variant, modulus[k], d.angle, d.rate);
        course_scale(&c, pow(2, 2.5), 0.5);
    }
    report_gap(t);
    report_count(r, INDEPENDENT, report_text(r, "%s: runs with as many impacts", variant), LEVELS,
                 alike, report_text(r, "%d in each", rigid.impacts));
    judge_exponent(r, report_text(r, "%s: exponent of E, angles", variant), LEVELS, modulus, angle,
                   -0.4, 0.02);
    judge_exponent(r, report_text(r, "%s: exponent of E, rates", variant), LEVELS, modulus, rate,
                   -0.4, 0.02);
    for (int order = 1; order < LEVELS; order++)
        for (int k = LEVELS - 1; k >= order; k--)
            extrapolate(order, &run[k - 1], &run[k]);
    const distance left = apart(&run[LEVELS - 1], &rigid);
    report_at_most(r, INDEPENDENT, report_text(r, "%s: angles, E to infinity, rad", variant), 1e-10,
                   left.angle, "the runs extrapolated as polynomials of E^-2/5");
    report_at_most(r, INDEPENDENT, report_text(r, "%s: rates, E to infinity, rad/s", variant), 1e-9,
                   left.rate, NULL);
    course_close(&c);
}

/* The courses of all models that reach the end, beside the one that is the compliant limit. */
static void models(report *r, const char *variant) {
    course c;
    if (!open_stop(r, variant, &c)) return;
    report_rows *t =
        report_table(r, "u_stop_models", "model\timpacts:2\tangle_rad:3\trate_radps:3");
    const outcome limit = events(&c.scene, "darboux-stronge", NULL);
    for (int k = 0; imp_models[k]; k++) {
        const outcome o = events(&c.scene, imp_models[k]->name, NULL);
        const distance d = apart(&o, &limit);
        if (o.impacts >= 0) report_row(t, imp_models[k]->name, o.impacts, d.angle, d.rate);
    }
    report_show_table(
        r, "u_stop_models",
        "The rough, elastic wall from impact to impact by every model that reaches the end: how "
        "many impacts, and how far angles and rates are then from those of the compliant limit.");
    course_close(&c);
}

/* ---- steps ---- */

/* The pendulum of a scene and its stop, for the time stepper. */
typedef struct stepped {
    imp_world *world;
    imp_stepper *stepper;
    imp_guard guard;
    imp_shapes shapes;
    imp_step_settings settings;
} stepped;

/* False without memory. *p must stay where it is. */
static bool stepped_open(const scene *s, const char *model, long steps, stepped *p) {
    const imp_link links[LINKS] = {*imp_tree_link(s->tree, 0), *imp_tree_link(s->tree, 1)};
    const compliant_sphere *end = &s->system.spheres[0];
    const compliant_plane *wall = &s->system.planes[0];
    imp_tree *tree = imp_tree_new(LINKS, links, NULL);
    *p = (stepped){.world = tree ? imp_world_new(1, &tree) : NULL};
    if (!p->world) imp_tree_free(tree);
    p->stepper = p->world ? imp_stepper_new(p->world) : NULL;
    if (!p->stepper) return false;
    p->guard = (imp_guard){.link = end->link,
                           .radius = end->radius,
                           .plane = IMP_GROUND,
                           .mu = s->system.pairs[0].law.mu_dynamic,
                           .e = s->impact.restitution};
    memcpy(p->guard.centre, end->centre, sizeof end->centre);
    memcpy(p->guard.point, wall->point, sizeof wall->point);
    memcpy(p->guard.normal, wall->normal, sizeof wall->normal);
    p->shapes = (imp_shapes){.guards = 1, .guard = &p->guard, .reach = INFINITY};
    p->settings = (imp_step_settings){.h = s->run.until / (double)steps,
                                      .model = imp_model_find(model),
                                      .detect = imp_shapes_nearby,
                                      .detect_data = &p->shapes};
    memcpy(p->settings.gravity, s->system.gravity, sizeof p->settings.gravity);
    memcpy(p->world->q, s->q, LINKS * sizeof *s->q);
    memcpy(p->world->v, s->v, LINKS * sizeof *s->v);
    imp_world_place(p->world);
    return true;
}

static void stepped_close(stepped *p) {
    imp_shapes_clear(&p->shapes);
    imp_stepper_free(p->stepper);
    imp_world_free(p->world);
}

static outcome step_through(const scene *s, const char *model, long steps) {
    stepped p;
    outcome o = {.impacts = -1};
    bool good = stepped_open(s, model, steps, &p);
    for (long k = 0; good && k < steps; k++)
        good = imp_step(p.stepper, &p.settings) == IMP_OK;
    for (int i = 0; good && i < LINKS; i++)
        look(&o, i, imp_world_state(p.world, i));
    if (good) o.impacts = 0;
    stepped_close(&p);
    return o;
}

/* Root mean squares over runs whose steps are a little shorter each time, so that impacts fall
 * anywhere within a step. */
static distance mean_distance(const scene *s, const char *model, long fewest,
                              const outcome *rigid) {
    distance mean = {0};
    for (int k = 0; k < NEIGHBOURS; k++) {
        const outcome o = step_through(s, model, fewest + k);
        const distance d = apart(&o, rigid);
        mean.angle += d.angle * d.angle / NEIGHBOURS;
        mean.rate += d.rate * d.rate / NEIGHBOURS;
    }
    return (distance){sqrt(mean.angle), sqrt(mean.rate)};
}

static void steps(report *r, report_rows *t, const char *variant, const char *model) {
    course c;
    double h[STEPS], angle[STEPS], rate[STEPS];
    if (!open_stop(r, variant, &c)) return;
    const outcome rigid = events(&c.scene, model, NULL);
    for (int k = 0; k < STEPS; k++) {
        const long fewest = lround(400 * pow(2, 0.75 * k));
        const distance d = mean_distance(&c.scene, model, fewest, &rigid);
        h[k] = c.scene.run.until / (double)fewest;
        angle[k] = d.angle;
        rate[k] = d.rate;
        report_row(t, "steps", h[k], d.angle, d.rate);
        report_progress(r, (double)k / STEPS);
    }
    judge_exponent(r, "steps: order in h, angles", STEPS, h, angle, 1, 0.15);
    judge_exponent(r, "steps: order in h, rates", STEPS, h, rate, 1, 0.15);
    course_close(&c);
}

/* ---- what is drawn ---- */

static const double VISIBLE = 1e-3; /* of the scene's stiffness: impacts that can be seen to last */

static void swing(report *r) {
    course c;
    if (!open_stop(r, "rough, elastic", &c)) return;
    report_rows *t = report_table(r, "u_stop_swing", "run\tt_s:6\touter_rad:6");
    c.scene.run.max_step = 0.01;
    events(&c.scene, "darboux-stronge", t);
    report_gap(t);
    course_scale(&c, VISIBLE, pow(VISIBLE, -0.4));
    compliant(&c.scene, t);
    course_close(&c);
}

static void run(report *r) {
    report_rows *t = report_table(r, "u_stop", "run\tx:9\tangle_rad:9\trate_radps:9");
    stiffen(r, t, "smooth, dissipative");
    stiffen(r, t, "rough, elastic");
    steps(r, t, "rough, restitution 1/2", "gauss-seidel-maxdiss");
    swing(r);
    report_figure(r, "u_stop",
                  "Compliant contact comes to the course from impact to impact as it "
                  "stiffens, and the time stepper as its steps shrink. A double pendulum "
                  "that meets a wall three times. Left: its outer link, rough and "
                  "elastic, from impact to impact and with a wall soft enough for impacts "
                  "to be seen to last. Middle: compliant contact after 2.3 s, off that "
                  "course, by its stiffness. Right: the time stepper (e = 1/2) by its "
                  "step, root mean squares of 16 steps of nearly the same length.");
    models(r, "rough, elastic");
}

const experiment experiment_u_stop = {
    "U-Stop", "A double pendulum against a stop, through several impacts",
    "PLUS is “invoked by a separate time integration scheme that has detected a collision and has "
    "isolated it in time and configuration” (section 1), and the new velocities “are then used as "
    "initial conditions when time integration resumes”. How near such a scheme comes to compliant "
    "contact over several impacts is measured here, with the law that one contact tends to as it "
    "stiffens: without friction Hunt and Crossley's restitution at each speed, without dissipation "
    "Stronge's at e = 1. One contact at a time.",
    run};
