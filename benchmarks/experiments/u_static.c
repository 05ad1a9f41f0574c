/* u_static.c - Uchida, Sherman, Delp (2015), section 2d: a static coefficient for contacts that
 * roll at the beginning of an impact, beside compliant contact with one. */
#include "benchmarks/experiments/course.h"
#include "base/worse.h"

#include <math.h>

static const char *const lying[] = {"0.5 rad, mu 2", "0.9 rad, mu 2", "atan 2, mu 2",
                                    "1.2 rad, mu 2"};
static const double angle[] = {0.5, 0.9, 1.1071487177940904, 1.2}; /* rad, of the rod */
enum { ANGLES = sizeof angle / sizeof *angle };

/* Coefficients over the friction that rolling needs, -: the dynamic one, and static ones that reach
 * it and do not. */
static const double DYNAMIC = 0.8, REACHES = 1.2, MISSES = 0.95;

static const double SLIP = 0.3; /* m/s, against the lean, where there is one */

/* The rod on its tip, 1 kg and 2 m long: W = [1 + 3 cos^2, -3 sin cos; ., 1 + 3 sin^2] in the
 * plane. */
typedef struct tip {
    double nn, nt, tt; /* 1/kg */
    double lean;       /* -, |p_t| over p_n of rolling */
} tip;

static tip tip_of(double theta) {
    const double s = sin(theta), c = cos(theta);
    const tip t = {1 + 3 * c * c, 3 * s * c, 1 + 3 * s * s, 3 * s * c / (1 + 3 * s * s)};
    return t;
}

/* Normal impulse of a rod that falls with 1 m/s and keeps it: rolling, or slipping all along. */
static double rolling(const tip *t) {
    return 2 / (t->nn - t->nt * t->lean);
}

static double slipping(const tip *t) {
    return 2 / (t->nn - t->nt * DYNAMIC * t->lean);
}

/* p (n, along the lean) of a rod that slips against the lean first, with SLIP, until it stops, and
 * then rolls; its normal work is zero in the end, as with springs that lose nothing. */
static void stopping(const tip *t, double p[2]) {
    const double mu = DYNAMIC * t->lean, rises = t->nn + t->nt * mu,
                 stops = SLIP / (t->nt + t->tt * mu), u = rises * stops - 1,
                 work = rises * stops * stops / 2 - stops, k = t->nn - t->nt * t->lean,
                 rolls = (sqrt(u * u - 2 * k * work) - u) / k;
    p[0] = stops + rolls;
    p[1] = t->lean * rolls - mu * stops;
}

/* Impulses of compliant contact, of PLUS with the static coefficient, and without it. */
typedef struct impact {
    double compliant[3], with[3], without[3]; /* N s */
} impact;

/* p <- by PLUS with `ratio` for its static_ratio, compliant <- where it is asked for: the rod at
 * angle k, its tip slipping with `slip` (m/s) before, the static coefficient `holds` over what
 * rolling needs. False after a failing row. */
static bool solve(report *r, int k, double slip, double holds, double ratio, double p[3],
                  double compliant[3]) {
    const double lean = tip_of(angle[k]).lean;
    const char *const assign[] = {"material.stiffness=1e13",
                                  "material.dissipation=0",
                                  "transition=1e-5",
                                  "run.accuracy=1e-10",
                                  "impact.restitution=1",
                                  report_text(r, "material.friction=%.17g", DYNAMIC * lean),
                                  report_text(r, "material.static_friction=%.17g", holds * lean),
                                  report_text(r, "bodies.rod.velocity=[%g, 0, -1]", slip),
                                  report_text(r, "impact.settings.plus.static_ratio=%.17g", ratio),
                                  NULL};
    course c;
    course_plus plus;
    bool good = course_open_with(r, "rod", lying[k], assign, &c);
    if (!good) return false;
    good = course_plus_run(r, &c, imp_plus_settings_default().theta_max, &plus) &&
           (!compliant || course_run(r, &c, &c.scene.run));
    for (int i = 0; good && i < 3; i++) {
        p[i] = plus.p[i];
        if (compliant) compliant[i] = course_last(&c, 0).p[i];
    }
    course_close(&c);
    return good;
}

static bool hit(report *r, int k, double slip, double holds, impact *x) {
    return solve(r, k, slip, holds, holds / DYNAMIC, x->with, x->compliant) &&
           solve(r, k, slip, holds, 1, x->without, NULL);
}
/* Largest difference of impulses in the plane, of the normal one that is wanted. */
static double off(const double p[3], double normal, double along) {
    return imp_worse(fabs(p[0] - normal), fabs(p[1] - along)) / normal;
}

static void put(report *r, report_rows *t, const char *what, int k, const impact *x) {
    report_cells(t, IMP_TEXT(report_text(r, "%s, %.3g rad", what, angle[k])),
                 IMP_NUMBER(x->compliant[0]), IMP_NUMBER(x->compliant[1]), IMP_NUMBER(x->with[0]),
                 IMP_NUMBER(x->with[1]), IMP_NUMBER(x->without[0]), IMP_NUMBER(x->without[1]));
}

/* A tip at rest along the ground, of which rolling asks more than the dynamic coefficient. */
static void at_rest(report *r, report_rows *t) {
    double compliant = 0, closed = 0, least = INFINITY;
    int hits = 0;
    for (int k = 0; k < ANGLES; k++) {
        const tip rod = tip_of(angle[k]);
        const double normal = rolling(&rod);
        impact x;
        if (!hit(r, k, 0, REACHES, &x)) continue;
        hits++;
        put(r, t, "at rest, reaches", k, &x);
        closed = imp_worse(closed, off(x.with, normal, rod.lean * normal));
        compliant = imp_worse(compliant, off(x.with, x.compliant[0], x.compliant[1]));
        least = fmin(least, off(x.without, x.compliant[0], x.compliant[1]));
    }
    report_at_most(r, INDEPENDENT, "at rest, with it: PLUS off the closed form of rolling", 1e-12,
                   hits == ANGLES ? closed : NAN, NULL);
    report_judge(r, STATED_IN_SOURCE, "at rest: off compliant contact, PLUS with it; without it",
                 "“the higher static coefficient would be more realistic”",
                 report_text(r, "at most %.1e; at least %.2g", compliant, least),
                 "at most 1e-4; at least 0.05",
                 hits == ANGLES && compliant <= 1e-4 && least >= 0.05,
                 "compliant friction holds up to its static coefficient, too");
}

/* A static coefficient below what rolling needs: it slips, and the dynamic one decides. */
static void out_of_reach(report *r, report_rows *t) {
    double compliant = 0, closed = 0;
    int hits = 0;
    for (int k = 0; k < ANGLES; k++) {
        const tip rod = tip_of(angle[k]);
        const double normal = slipping(&rod);
        impact x;
        if (!hit(r, k, 0, MISSES, &x)) continue;
        hits++;
        put(r, t, "at rest, too small", k, &x);
        closed = imp_worse(closed, off(x.with, normal, DYNAMIC * rod.lean * normal));
        compliant = imp_worse(compliant, off(x.with, x.compliant[0], x.compliant[1]));
    }
    report_at_most(r, INDEPENDENT, "too small for rolling: PLUS off the closed form of slipping",
                   1e-12, hits == ANGLES ? closed : NAN, "by the dynamic coefficient");
    report_at_most(r, INDEPENDENT, "too small for rolling: PLUS off compliant contact", 1e-4,
                   hits == ANGLES ? compliant : NAN, NULL);
}

/* A tip that slips first and stops within the impact. */
static void stops(report *r, report_rows *t) {
    double held = 0, apart = 0, least = INFINITY;
    int hits = 0;
    for (int k = 0; k < ANGLES; k++) {
        const tip rod = tip_of(angle[k]);
        double p[2];
        impact x;
        stopping(&rod, p);
        if (!hit(r, k, SLIP, REACHES, &x)) continue;
        hits++;
        put(r, t, "stops within", k, &x);
        held = imp_worse(held, off(x.compliant, p[0], p[1]));
        apart = imp_worse(apart, off(x.with, x.without[0], x.without[1]));
        least = fmin(least, off(x.with, p[0], p[1]));
    }
    report_at_most(r, STATED_IN_SOURCE, "slips, then stops: PLUS with it off PLUS without it",
                   1e-12, hits == ANGLES ? apart : NAN,
                   "“already rolling at the beginning” it is not");
    report_at_most(
        r, INDEPENDENT,
        "slips, then stops: compliant contact off a rest that the static coefficient holds", 1e-3,
        hits == ANGLES ? held : NAN, "in closed form, with energetic restitution");
    report_shown(r, NO_REFERENCE, "slips, then stops: PLUS off the same, at least", "none",
                 report_text(r, "%.2g", least),
                 "the static coefficient would be more realistic there as well");
}

static void run(report *r) {
    report_rows *t = report_table(r, "u_static",
                                  "tip\tcompliant_n_Ns:6\tcompliant_t_Ns:6\twith_n_Ns:6\t"
                                  "with_t_Ns:6\twithout_n_Ns:6\twithout_t_Ns:6");
    at_rest(r, t);
    out_of_reach(r, t);
    stops(r, t);
    report_show_table(
        r, "u_static",
        "Impulses on the tip of a rod that falls with 1 m/s, leaning so far that rolling "
        "needs 1.25 times the dynamic coefficient of friction; the static one is 1.2 "
        "or 0.95 times what rolling needs. Compliant contact (Hertz, 1e13 Pa, no "
        "loss), PLUS with the static coefficient (static_ratio), and without it.");
}

const experiment experiment_u_static = {
    "U-Static", "A static coefficient for points that roll from the start on (section 2d)",
    "“It is possible that the higher static coefficient would "
    "be more realistic for contacts that are "
    "already rolling at the beginning of an impact; however, "
    "we currently apply the dynamic (sliding) "
    "coefficient at all points.” The paper does not try it; "
    "here it is tried beside compliant contact.",
    run};
