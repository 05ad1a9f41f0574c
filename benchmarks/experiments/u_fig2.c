/* u_fig2.c - Uchida, Sherman, Delp (2015), Fig. 2: restitution over the approach speed, measured on
 * PLUS. */
#include "benchmarks/harness/report.h"
#include "compliant/law.h"
#include "lib/impact.h"

#include <math.h>

enum { POINTS = 4001 };

static const double e_min = 0.392, dissipation = 0.26; /* -, s/m: example 1, mu = 0.125 */

/* The rebound of a frictionless ball that arrives at this speed (m/s), relative to it; by PLUS for
 * several contacts, and NaN where its form for one differs. */
static double rebound(double speed) {
    enum { NC = 2 }; /* the second contact, of another ball, is at rest */
    const double packed[6] = {0.5, 0, 0, 0.5, 0, 0.5}, q[3 * NC] = {-speed};
    const double mu[NC] = {0}, e[NC] = {e_min, e_min};
    const imp_plus_settings settings = imp_plus_settings_default();
    double W[9 * NC * NC] = {0}, p[3 * NC] = {0}, one[3] = {0};
    for (int i = 0; i < 3 * NC; i++)
        W[i * 3 * NC + i] = 0.5;
    const imp_operator dense = imp_operator_dense(NC, W);
    const imp_problem problem = {.nc = NC, .W = &dense, .q = q, .mu = mu, .e = e};
    if (imp_solve(&imp_model_plus, &problem, &settings, p, NULL) != IMP_OK ||
        imp_plus_single(packed, q, 0, e_min, &settings, one, NULL, NULL) != IMP_OK ||
        !(fabs(one[0] - p[0]) <= 1e-15 * p[0]))
        return NAN;
    return (0.5 * p[0] + q[0]) / speed;
}

/* The paper's figure, in words: none below capture, the least from v_plastic on, the line from 1 at
 * rest between. */
static double curve(double speed) {
    const imp_plus_settings s = imp_plus_settings_default();
    return speed < s.v_capture    ? 0
           : speed >= s.v_plastic ? e_min
                                  : 1 - (1 - e_min) * speed / s.v_plastic;
}

/* The drawn e at an approach speed, straight between neighbours; NaN beyond the curve. */
static double drawn(const report_rows *table, const char *series, double at) {
    static double speed[POINTS], e[POINTS];
    const int n = report_drawn(table, series, "speed", POINTS, speed);
    report_drawn(table, series, "e", POINTS, e);
    for (int i = 1; i < n && i < POINTS; i++)
        if (speed[i - 1] <= at && at <= speed[i])
            return e[i - 1] + (at - speed[i - 1]) / (speed[i] - speed[i - 1]) * (e[i] - e[i - 1]);
    return NAN;
}

static void judge_drawn(report *r, const report_rows *table) {
    /* c v of the legend's c = 0.26 s/m */
    static const double speed[] = {0.01 / 0.26, 0.5 / 0.26, 1 / 0.26, 5.74};
    static const char *const printed[] = {"0.9901", "0.663", "0.488", "0.381"};
    for (int i = 0; i < 4; i++) {
        const double e = drawn(table, "compliant", speed[i]);
        report_printed(
            r, INDEPENDENT, report_text(r, "drawn: e of compliant contact at %.4g m/s", speed[i]),
            printed[i], &e, 1, i == 3 ? "the normal speed of example 1" : "c = 0.26 s/m");
    }
    const double e[] = {drawn(table, "captured", 0.005), drawn(table, "plus", 0.055),
                        drawn(table, "plus", 5.74)};
    report_printed(r, STATED_IN_SOURCE, "drawn: e of PLUS at 0.005, 0.055 and 5.74 m/s",
                   "0.0000 0.6656 0.3920", e, 3, "the least as the legend says");
}

static void run(report *r) {
    static const double speed[] = {0.0099, 0.01, 0.055, 0.0999, 0.1, 5.74};
    static const char *const text[] = {"0.0099", "0.01", "0.055", "0.0999", "0.1", "5.74"};
    static const double want[] = {0, 0.9392, 0.6656, 0.392608, 0.392, 0.392};
    for (int i = 0; i < 6; i++)
        report_near(r, STATED_IN_SOURCE, report_text(r, "e of PLUS at %s m/s", text[i]), want[i],
                    rebound(speed[i]), 1e-14, NULL);
    report_rows *table = report_table(r, "u_fig2", "series\tspeed:9\te:9");
    double worst = 0;
    for (int i = 0; i < POINTS; i++) {
        const double v = 1e-3 * pow(10, i / 1000.0), e = rebound(v);
        worst = fmax(worst, isnan(e) ? INFINITY : fabs(e - curve(v)));
        report_row(table, v < 0.01 ? "captured" : "plus", v, e);
    }
    for (int i = 0; i < POINTS; i++) {
        const double v = 1e-3 * pow(10, i / 1000.0);
        report_row(table, "compliant", v, compliant_restitution(dissipation, v));
    }
    report_at_most(r, STATED_IN_SOURCE, "4001 speeds from 1 mm/s to 10 m/s: from the curve", 1e-14,
                   worst, "rebounds measured on the solver against the paper's curve");
    judge_drawn(r, table);
    report_figure(r, "u_fig2",
                  "PLUS's restitution falls from the capture to the plastic speed and "
                  "stays; that of compliant contact falls later. Below the capture speed "
                  "there is none. Restitution over the approach speed with the parameters "
                  "of example 1 (e_min = 0.392; measured on a frictionless ball). Left as "
                  "the paper draws it; right over a wider range, with what Hunt and "
                  "Crossley's dissipation of the same example (c = 0.26 s/m) makes of a "
                  "stiff central impact.");
    report_say(r, "The two curves meet only at the speed for which e_min was fitted: with these "
                  "parameters PLUS already "
                  "gives at 0.1 m/s what compliant contact does at 5.5 m/s.");
}

const experiment experiment_u_fig2 = {"U-Fig2", "Restitution over the approach speed",
                                      "A sketch: e falls linearly from 1 to e_min at the plastic "
                                      "deformation speed and is 0 below the capture speed, "
                                      "without numbers; those here are of example 1.",
                                      run};
