/* l_rock.c - a rocking block, a judge of models for simultaneous impacts: it turns about one edge
 * when the other strikes (Housner 1963; Liu, Zhao, Brogliato 2008). */
#include "benchmarks/experiments/course.h"
#include "base/worse.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 7, MOST_STATES = 6, SPIN_Y = 4 };

static const double slenderness[BLOCKS] = {0.5, 1, 1.3, 1.6, 2, 3, 6}; /* height over width */
static const double WIDTH = 0.2, SPIN = 1;                             /* m, rad/s */

/* A block of 1 kg on its edge at x = -WIDTH / 2, about which it turns; the other edge strikes.
 * Balls at its lower corners make the contacts. */
static bool open_block(report *r, double slender, double mu, double dissipation, double e,
                       course *c) {
    const double b = WIDTH / 2, h = slender * b, radius = 0.005, z = radius - h;
    const char *const assign[] = {
        report_text(
            r,
            "bodies={\"block\": {\"mass\": 1, \"box\": [%.17g, 0.1, %.17g], \"clearance\": 0, "
            "\"velocity\": [%.17g, 0, %.17g], \"spin\": [0, %.17g, 0], \"spheres\": "
            "[{\"radius\": %.17g, \"at\": [[%.17g, 0.05, %.17g], [%.17g, -0.05, %.17g], "
            "[%.17g, 0.05, %.17g], [%.17g, -0.05, %.17g]]}]}}",
            2 * b, 2 * h, SPIN * h, -SPIN * b, SPIN, radius, -b, z, -b, z, b, z, b, z),
        "material.stiffness=1e15",
        report_text(r, "material.friction=%g", mu),
        report_text(r, "material.dissipation=%g", dissipation),
        report_text(r, "impact.restitution=%g", e),
        "gravity=[0, 0, 0]",
        "run.until=0.05",
        "run.accuracy=1e-10",
        NULL};
    return course_open_with(r, "brick-face", NULL, assign, c) && course_touches(r, c, 4);
}

/* v <- a model's answer, in the scene's settings and with some of its own; false: none. */
static bool by_model(const course *c, const char *name, const char *own, double v[MOST_STATES]) {
    const imp_model *model = imp_model_find(name);
    imp_settings settings;
    scene_outcome outcome;
    imp_problem problem = c->touch.problem;
    scene_model_settings(&c->scene, model, &settings);
    if (own) (void)imp_settings_assign(model, &settings, own, NULL);
    if (!(model->takes & IMP_TAKES_RESTITUTION)) problem.e = NULL;
    if (scene_outcome_init(&outcome, &c->touch) != IMP_OK) return false;
    const bool good = imp_solve(model, &problem, &settings, outcome.p, NULL) == IMP_OK &&
                      scene_outcome_from_impulse(&c->scene, &c->touch, &outcome) == IMP_OK;
    if (good) memcpy(v, outcome.v, MOST_STATES * sizeof *v);
    scene_outcome_clear(&outcome);
    return good;
}

static double off(const course *c, const double v[MOST_STATES], const double known[MOST_STATES]) {
    return scene_velocity_distance(&c->touch, v, known) /
           scene_velocity_distance(&c->touch, c->touch.v, NULL);
}

/* ---- without loss and friction: what contacts hold shares out the impulse ---- */

static const struct {
    const char *series, *model, *own;
    bool approaching; /* restitution at once, on the edges that approach */
} laws[] = {{"lzb", "lzb", NULL, false},
            {"lzb, linear springs", "lzb", "exponent=1", false},
            {"sequential", "sequential", NULL, false},
            {"moreau", "moreau", NULL, true},
            {"frictionless", "frictionless", NULL, true},
            {"plus", "plus", NULL, false}};
enum { LAWS = sizeof laws / sizeof *laws };

/* Spin after over before by e = 1 on the edges that approach: on the one that strikes alone, 1 -
 * 4/(1 + I/(m b^2)), unless the push on it presses the other down (I < m b^2). Then on both, and
 * the block turns back. */
static double turned_back(double slender) {
    const double inertia = (1 + slender * slender) / 3; /* over m b^2 */
    return inertia < 1 ? -1 : 1 - 4 / (1 + inertia);
}

/* worst: velocities off compliant contact, mass norm; struck: spin off turned_back. */
static void elastic(report *r, report_rows *t, double worst[LAWS], double struck[LAWS]) {
    double spin[BLOCKS] = {0};
    for (int k = 0; k < BLOCKS; k++) {
        course c;
        if (!open_block(r, slenderness[k], 0, 0, 1, &c)) return;
        double v[MOST_STATES], compliant[MOST_STATES];
        if (course_run(r, &c, &c.scene.run)) {
            memcpy(compliant, c.run.y + c.run.layout.v, sizeof compliant);
            spin[k] = compliant[SPIN_Y] / SPIN;
            for (int m = 0; m < LAWS; m++) {
                const bool good = by_model(&c, laws[m].model, laws[m].own, v);
                const double far = good ? off(&c, v, compliant) : (double)NAN;
                worst[m] = imp_worse(worst[m], far);
                struck[m] =
                    imp_worse(struck[m], good ? fabs(v[SPIN_Y] / SPIN - turned_back(slenderness[k]))
                                              : INFINITY);
                report_row(t, laws[m].series, slenderness[k], good ? v[SPIN_Y] / SPIN : (double)NAN,
                           far);
            }
        }
        course_close(&c);
    }
    for (int k = 0; k < BLOCKS; k++)
        report_row(t, "compliant", slenderness[k], spin[k], 0);
}

/* ---- without restitution and slip: Housner's block ---- */

/* Spin after over before, where angular momentum about the edge that strikes is kept and the other
 * leaves: 1 - 3/2 sin^2 a, tan a = width / height. Below 0 it would go on turning into the ground:
 * 0. */
static double housner(double slender) {
    return fmax(0, 1 - 1.5 / (1 + slender * slender));
}

static void plastic(report *r, report_rows *t) {
    static const char *const models[] = {"auto", "moreau", "anitescu", "poisson"};
    enum { MODELS = sizeof models / sizeof *models };
    double apart[MODELS] = {0}, compliant = 0, plus = 0;
    for (int k = 0; k < BLOCKS; k++) {
        course c;
        double v[MOST_STATES];
        const double known = housner(slenderness[k]);
        if (!open_block(r, slenderness[k], 5, 1e4, 0, &c)) return;
        for (int m = 0; m < MODELS; m++) {
            const bool good = by_model(&c, models[m], NULL, v);
            apart[m] = imp_worse(apart[m], good ? fabs(v[SPIN_Y] / SPIN - known) : INFINITY);
        }
        plus = imp_worse(plus,
                         by_model(&c, "plus", NULL, v) ? fabs(v[SPIN_Y] / SPIN - known) : INFINITY);
        if (course_run(r, &c, &c.scene.run)) {
            const double spin = c.run.y[c.run.layout.v + SPIN_Y] / SPIN;
            compliant = imp_worse(compliant, fabs(spin - known));
            report_row(t, "damped", slenderness[k], spin, NAN);
        }
        course_close(&c);
    }
    for (int k = 0; k < BLOCKS; k++)
        report_row(t, "Housner", slenderness[k], housner(slenderness[k]), NAN);
    for (int m = 0; m < MODELS; m++)
        report_at_most(r, INDEPENDENT,
                       report_text(r, "e = 0, held by friction, %s: spin off Housner's", models[m]),
                       1e-9, apart[m],
                       "of that before; 1 - 3/2 sin² α, and 0 where the block is low");
    report_shown(r, NO_REFERENCE, "the same, plus", "", report_text(r, "%.2g", plus),
                 "the edge at rest observes; of a low block it closes, and is struck in a round of "
                 "its own");
    report_shown(r, NO_REFERENCE, "the same, damped compliant contact", "",
                 report_text(r, "%.2g", compliant), "dissipation 1e4 s/m");
}

static void run(report *r) {
    double worst[LAWS] = {0}, struck[LAWS] = {0};
    report_rows *t = report_table(r, "l_rock", "series\tslenderness:4\tspin:8\toff:3");
    elastic(r, t, worst, struck);
    report_at_most(r, INDEPENDENT, "e = 1, no friction: lzb against Hertz contacts in time", 1e-4,
                   worst[0], "velocities, mass norm, over the speed before; the worst block");
    for (int m = 1; m < LAWS; m++)
        report_judge(r, OWN_BOUND, report_text(r, "the same, %s", laws[m].series), "another impact",
                     report_text(r, "%.3f", worst[m]), "at least 0.01, finite",
                     worst[m] >= 0.01 && isfinite(worst[m]), NULL);
    for (int m = 0; m < LAWS; m++)
        if (laws[m].approaching)
            report_at_most(r, INDEPENDENT,
                           report_text(r, "%s: spin off that of rebounds where an edge approaches",
                                       laws[m].series),
                           1e-9, struck[m],
                           "of that before; 1 - 4/(1 + I/(m b²)), and -1 where I < m b²");
    plastic(r, t);
    report_figure(r, "l_rock",
                  "The distributing law (lzb) rocks a block as compliant contact does; "
                  "strongly damped, laws that stop both edges at once are Housner's. Spin of the "
                  "block after, over "
                  "before: it turned about one edge when the other struck. Left: no loss, "
                  "no friction; compliant contact (line) and laws. Right: no restitution "
                  "and much friction; strongly damped contact, and Housner's block.");
}

const experiment experiment_l_rock = {
    "L-Rock", "A rocking block",
    "The smallest impact of two contacts of which one rests: what the resting one gives decides. "
    "Housner's block (1963) is what models without restitution make of it; without loss the "
    "outcome hangs on how contacts share out the impulse, as in rows of balls.",
    run};
