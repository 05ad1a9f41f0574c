/* u_fig6.c - Uchida, Sherman, Delp (2015), Fig. 6 and section 3a: a brick that lands a little
 * tilted, with and without a tolerance for points that are near the ground. */
#include "benchmarks/experiments/course.h"
#include "benchmarks/harness/stats.h"
#include "scene/course.h"
#include "base/worse.h"

#include <math.h>
#include <string.h>

enum { TILTS = 33, SPIN_Y = 4, MOST_STATES = 6 };

static const double LEAST = 1e-9, DECADES = 8; /* rad, of the tilts */
static const double SIDE = 0.8, SPEED = 8.84;  /* m, of the brick across; m/s */
/* m: every point within is proximal; none but those that touch */
static const double TOLERANCE = 1e-3, NONE = 1e-12;

/* What ways to go through the impact leave. */
typedef enum way { COMPLIANT, TOLERANT, STRICT, SEQUEL, WAYS } way;
static const char *const way_name[WAYS] = {"compliant", "all within 1 mm", "those that touch",
                                           "one after another"};

typedef struct landing {
    double tilt;                 /* rad */
    bool good[WAYS];             /* has it an answer? */
    double v[WAYS][MOST_STATES]; /* of the tree after the impact */
    double depth;                /* m, the deepest of the compliant run */
    double off[WAYS];            /* from the compliant velocity, mass norm, over the speed before */
} landing;

static bool open_brick(report *r, double tilt, double tolerance, course *c) {
    const char *const assign[] = {
        "material.friction=0",
        "bodies.brick.velocity=[0, 0, -8.84]",
        "run.apart=0.1",
        "run.until=0.1",
        report_text(r, "bodies.brick.turns=[[\"y\", %.17g]]", tilt * 180 / acos(-1)),
        report_text(r, "impact.proximity=%g", tolerance),
        NULL};
    return course_open_with(r, "brick-face", "flat", assign, c);
}

/* v <- PLUS's answer to the points within the tolerance. */
static bool by_plus(report *r, double tilt, double tolerance, double v[MOST_STATES]) {
    course c;
    imp_settings settings;
    scene_outcome outcome;
    if (!open_brick(r, tilt, tolerance, &c)) return false;
    scene_model_settings(&c.scene, &imp_model_plus, &settings);
    bool good = scene_outcome_init(&outcome, &c.touch) == IMP_OK;
    good = good &&
           imp_solve(&imp_model_plus, &c.touch.problem, &settings, outcome.p, NULL) == IMP_OK &&
           scene_outcome_from_impulse(&c.scene, &c.touch, &outcome) == IMP_OK;
    if (good) memcpy(v, outcome.v, MOST_STATES * sizeof *v);
    scene_outcome_clear(&outcome);
    course_close(&c);
    return good;
}

/* v <- what impact after impact of the points that touch leaves after so long, s. */
static bool one_after_another(report *r, double tilt, double until, double v[MOST_STATES]) {
    course c;
    imp_settings settings;
    scene_course_end end;
    double time;
    if (!open_brick(r, tilt, NONE, &c)) return false;
    c.scene.run.until = until;
    scene_model_settings(&c.scene, &imp_model_plus, &settings);
    const bool good = scene_course(&c.scene, &imp_model_plus, &settings,
                                   &(scene_observer){.moves = NULL}, &end, &time) == IMP_OK &&
                      end == SCENE_COURSE_TIME;
    const imp_link_state *at = imp_tree_state(c.scene.tree, 0);
    memcpy(v, at->velocity, 3 * sizeof *v);
    memcpy(v + 3, at->spin, 3 * sizeof *v);
    course_close(&c);
    return good;
}

static landing land(report *r, double tilt) {
    landing l = {.tilt = tilt};
    course c;
    if (!open_brick(r, tilt, TOLERANCE, &c)) return l;
    compliant_settings settings = c.scene.run;
    settings.accuracy = 1e-10;
    l.good[COMPLIANT] = course_run(r, &c, &settings);
    if (l.good[COMPLIANT]) {
        memcpy(l.v[COMPLIANT], c.run.y + c.run.layout.v, sizeof l.v[COMPLIANT]);
        for (int i = 0; i < c.touch.nc; i++)
            l.depth = fmax(l.depth, c.run.deepest[c.touch.pair[i]]);
    }
    l.good[TOLERANT] = by_plus(r, tilt, TOLERANCE, l.v[TOLERANT]);
    l.good[STRICT] = by_plus(r, tilt, NONE, l.v[STRICT]);
    l.good[SEQUEL] = one_after_another(r, tilt, c.run.time + c.touch.time, l.v[SEQUEL]);
    const double before = scene_velocity_distance(&c.touch, c.touch.v, NULL);
    for (int k = 0; k < WAYS; k++)
        l.off[k] = l.good[k] ? scene_velocity_distance(&c.touch, l.v[k], l.v[COMPLIANT]) / before
                             : (double)NAN;
    course_close(&c);
    return l;
}

/* The spin, of v / L. */
static double spin(const landing *l, way k) {
    return l->good[k] ? fabs(l->v[k][SPIN_Y]) * SIDE / SPEED : (double)NAN;
}

static void judge(report *r, const landing *l) {
    double tilt[TILTS], turn[TILTS];
    int within = 0, beyond = TILTS - 1;
    double together = 0;
    for (int k = 0; k <= TILTS / 2; k++)
        together = imp_worse(together, l[k].off[TOLERANT]);
    for (int k = 0; k < TILTS; k++) {
        tilt[k] = l[k].tilt < 1e-5 && l[k].tilt > 1e-8 ? l[k].tilt : (double)NAN;
        turn[k] = spin(&l[k], COMPLIANT);
        if (l[k].off[TOLERANT] <= 0.1 && within == k) within = k + 1;
    }
    while (beyond > 0 && l[beyond - 1].off[SEQUEL] <= 0.1)
        beyond--;
    const stats_interval order = stats_exponent_range(TILTS, tilt, turn, 0.95);
    report_judge(r, STATED_IN_SOURCE, "tilt 1e-9 rad: spin of all within 1 mm; compliant",
                 "“rebound directly upward … if |φ| < ε”",
                 report_text(r, "%.1e; %.1e", spin(&l[0], TOLERANT), spin(&l[0], COMPLIANT)),
                 "≤ 1e-6 v/L", spin(&l[0], TOLERANT) <= 1e-6 && spin(&l[0], COMPLIANT) <= 1e-6,
                 NULL);
    report_judge(r, STATED_IN_SOURCE, "the same, those that touch",
                 "without tolerance “sensitive to numerical noise”",
                 report_text(r, "%.2f", spin(&l[0], STRICT)), "≥ 0.5", spin(&l[0], STRICT) >= 0.5,
                 "one end of the brick is stopped, whatever the tilt");
    report_judge(r, INDEPENDENT, "compliant: exponent of the spin over the tilt, below 1e-5 rad",
                 "1", report_text(r, "%.4f to %.4f", order.low, order.high), "0.01",
                 order.low >= 0.99 && order.high <= 1.01, "no tilt is a special one");
    report_at_most(r, STATED_IN_SOURCE, "all within 1 mm: off the compliant, tilts to 1e-5 rad",
                   0.01, together, "worst of them; velocities, of the speed before");
    report_judge(r, STATED_IN_SOURCE,
                 "those that touch, and one after another: off the compliant, tilt 1e-5 rad",
                 "“would no longer produce behaviour resembling that of a compliant contact model”",
                 report_text(r, "%.2f, %.2f", l[TILTS / 2].off[STRICT], l[TILTS / 2].off[SEQUEL]),
                 "≥ 0.3, ≥ 0.1", l[TILTS / 2].off[STRICT] >= 0.3 && l[TILTS / 2].off[SEQUEL] >= 0.1,
                 "the other end follows at once, when the first is done");
    report_shown(
        r, NO_REFERENCE,
        "gap of the other end over the depth, up to where all together is within 10 %; "
        "from where one after another is",
        "",
        report_text(r, "%.2g; %.2g",
                    within > 0 ? SIDE * l[within - 1].tilt / l[within - 1].depth : (double)NAN,
                    SIDE * l[beyond].tilt / l[beyond].depth),
        "the tolerance that compliance asks for is a share of its depth, not of rounding; the "
        "tenth "
        "that is left then is restitution, of which PLUS is given one value for both ends");
}

static void run(report *r) {
    static landing l[TILTS];
    report_rows *t = report_table(r, "u_fig6", "way\ttilt_rad:6\tspin:9\toff:6");
    for (int k = 0; k < TILTS; k++) {
        l[k] = land(r, LEAST * pow(10, DECADES * k / (TILTS - 1)));
        report_progress(r, (double)k / TILTS);
    }
    for (int w = 0; w < WAYS; w++)
        for (int k = 0; k < TILTS; k++)
            report_row(t, way_name[w], l[k].tilt, spin(&l[k], (way)w), l[k].off[w]);
    judge(r, l);
    report_figure(r, "u_fig6",
                  "With all points within 1 mm PLUS lands a slightly tilted brick as "
                  "compliant contact does; with those that touch it spins off. Without "
                  "friction. Left: its spin after, over speed by length. Right: how far "
                  "its velocity is from that of compliant contact. One after another: "
                  "only points that touch take part, from impact to impact, for as long "
                  "as the compliant impact lasts.");
}

const experiment experiment_u_fig6 = {
    "U-Fig6", "The proximity tolerance (Fig. 6, section 3a)",
    "“In the situation depicted here, we would expect the block to rebound directly upward if φ = "
    "0 and, indeed, if |φ| < ε for some small tolerance ε > 0”: which points take part is decided "
    "by a tolerance. How wide it may be, and what is lost without it, the paper does not say.",
    run};
