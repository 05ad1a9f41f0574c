/* u_sweep.c - PLUS over theta_max, and compliant contact over stiffness: error and cost, with
 * fitted exponents. */
#include "benchmarks/experiments/course.h"
#include "base/worse.h"
#include "base/clock.h"
#include "base/vec3.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    const char *variant, *mu;
    double e;
} cases[] = {
    {"mu 0.125", "0.125", 0.392}, {"mu 0.225", "0.225", 0.387}, {"mu 0.325", "0.325", 0.373}};
enum { CASES = 3, THETAS = 13, STIFFNESSES = 13 };

static double apart(const double a[3], const double b[3]) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static double largest(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = imp_worse(most, x[i]);
    return most;
}

/* Least CPU time of PLUS, s. */
static double time_plus(const double W[6], const double q[3], double mu, double e,
                        const imp_plus_settings *settings) {
    double least = INFINITY;
    for (int repeat = 0; repeat < 5; repeat++) {
        const int calls = 20;
        const double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
        for (int k = 0; k < calls; k++) {
            double p[3];
            (void)imp_plus_single(W, q, mu, e, settings, p, NULL, NULL);
        }
        least = fmin(least, (imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / calls);
    }
    return least;
}

/* Error of PLUS against the Darboux-Keller process with Poisson's restitution, to which it
 * tends. */
static double sweep_theta(report *r, report_rows *table, int i, const course *c) {
    double W[6], limit[3] = {0}, theta[THETAS], error[THETAS], count[THETAS];
    const double *q = c->touch.u, mu = c->touch.mu[0], e = cases[i].e;
    pack3(c->touch.W, W);
    bool solved = imp_darboux(W, q, mu, e, IMP_POISSON, limit, NULL, NULL) == IMP_OK;
    for (int k = 0; k < THETAS; k++) {
        imp_plus_settings settings = imp_plus_settings_default();
        imp_info info = {0};
        double p[3] = {0};
        theta[k] = settings.theta_max = ldexp(0.4, -k);
        solved = solved && imp_plus_single(W, q, mu, e, &settings, p, NULL, &info) == IMP_OK;
        error[k] = apart(p, limit);
        count[k] = info.intervals;
        report_row(table, cases[i].mu, theta[k], error[k], info.intervals,
                   1e6 * time_plus(W, q, mu, e, &settings));
    }
    if (!solved) error[0] = NAN;
    const int first = 4, last = 8; /* below 0.03 rad, and below 0.002 */
    const double order = course_exponent(theta + first, error + first, THETAS - first),
                 cost = course_exponent(theta + last, count + last, THETAS - last);
    if (i < 2)
        report_judge(r, INDEPENDENT, report_text(r, "μ = %s: error of PLUS ~ θmax^b", cases[i].mu),
                     "1", report_text(r, "%.3f", order), "0.05", solved && fabs(order - 1) <= 0.05,
                     report_text(r, "impulse, fitted over %.2g to %.2g rad; at 0.0125 rad %.2g N s",
                                 theta[THETAS - 1], theta[first], error[5]));
    else
        report_at_most(r, OWN_BOUND,
                       report_text(r, "μ = %s: error of PLUS at any θmax, N s", cases[i].mu), 1e-12,
                       solved ? largest(error, THETAS) : NAN,
                       "it rolls before compression ends: its course depends on θmax, the impulse "
                       "of such an impact not");
    report_judge(r, INDEPENDENT, report_text(r, "μ = %s: intervals of PLUS ~ θmax^b", cases[i].mu),
                 "-1", report_text(r, "%.3f", cost), "0.05", fabs(cost + 1) <= 0.05,
                 report_text(r, "fitted over %.2g to %.2g rad", theta[THETAS - 1], theta[last]));
    if (i == 2) /* theta[1] is 0.2 rad */
        report_judge(r, PRINTED_IN_SOURCE, "μ = 0.325: intervals of PLUS at 0.2 rad",
                     "11 at 0.15 and 8 at 0.25 rad", report_text(r, "%.0f", count[1]), "8 to 11",
                     theta[1] == 0.2 && count[1] >= 8 && count[1] <= 11, "Fig. 10");
    return order;
}

/* The transition speed of friction at a stiffness, over that of the scene, at 10 GPa. */
static double shrunk(double stiffness) {
    return pow(stiffness / 1e10, -0.4);
}

/* Error of compliant contact against its rigid limit. The transition speed of friction shrinks with
 * the duration of contact: its own error, where the contact sticks, is of first order in it. */
static double sweep_stiffness(report *r, report_rows *table, int i, course *c) {
    double W[6], limit[3] = {0}, stiffness[STIFFNESSES], error[STIFFNESSES],
                 evaluations[STIFFNESSES];
    const int first = 4; /* from 1 GPa on */
    pack3(c->touch.W, W);
    const compliant_law *law = &c->scene.system.pairs[c->touch.pair[0]].law;
    if (imp_darboux_compliant(W, c->touch.u, c->touch.mu[0], 1.5 * law->dissipation, limit, NULL,
                              NULL) != IMP_OK)
        limit[0] = NAN;
    double now = 1e10, speed = 1; /* Pa, and the transition speed's share */
    for (int k = 0; k < STIFFNESSES; k++) {
        stiffness[k] = 1e7 * pow(10, 0.5 * k);
        const double share = shrunk(stiffness[k]);
        course_scale(c, stiffness[k] / now, share / speed);
        now = stiffness[k];
        speed = share;
        compliant_settings settings = c->scene.run;
        settings.history = false;
        settings.until = 1;
        error[k] = NAN;
        const double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
        if (!course_run(r, c, &settings)) continue;
        const double seconds = imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
        const compliant_layout *at = &c->run.layout;
        const double *world = c->run.y + at->impulse + 3 * c->touch.pair[0];
        error[k] = apart((const double[]){world[2], world[0], world[1]}, limit);
        evaluations[k] = (double)c->run.evaluations;
        report_row(table, cases[i].mu, stiffness[k], error[k], (double)c->run.evaluations,
                   1e6 * seconds);
    }
    const double slope = course_exponent(stiffness + first, error + first, STIFFNESSES - first);
    report_judge(r, INDEPENDENT,
                 report_text(r, "μ = %s: distance of compliant contact from its rigid limit ~ E^b",
                             cases[i].mu),
                 "-2/5", report_text(r, "%.4f", slope), "0.01", fabs(slope + 0.4) <= 0.01,
                 report_text(r, "impulse, fitted over %.0e to %.0e Pa; at 10 GPa %.2g N s",
                             stiffness[first], stiffness[STIFFNESSES - 1], error[6]));
    report_shown(
        r, NO_REFERENCE,
        report_text(r, "μ = %s: force evaluations ~ E^b at fixed accuracy", cases[i].mu), "",
        report_text(r, "%.3f",
                    course_exponent(stiffness + first, evaluations + first, STIFFNESSES - first)),
        i == 0 ? "the contact is shorter, not easier"
               : "the transition speed of friction shrinks too here, which makes sticking stiff");
    if (i == 0) /* evaluated independently */
        course_printed(r, "μ = 0.125: distance at 0.1, 1 and 10 GPa, N s", "0.095 0.037 0.0146",
                       (const double[]){error[2], error[4], error[6]}, 3, NULL);
    return slope;
}

static void run(report *r) {
    report_rows *theta = report_table(r, "u_sweep_theta",
                                      "mu\ttheta_rad:9\terror_Ns:9\tintervals:17\ttime_us:3"),
                *stiffness = report_table(r, "u_sweep_stiffness",
                                          "mu\tE_Pa:9\terror_Ns:9\tevaluations:17\ttime_us:3");
    double order[CASES] = {NAN, NAN, NAN}, slope[CASES] = {NAN, NAN, NAN}, transition = NAN;
    for (int i = 0; i < CASES; i++) {
        course c;
        if (!course_open(r, "brick-point", cases[i].variant, &c)) continue;
        transition = c.scene.system.pairs[c.touch.pair[0]].law.transition;
        order[i] = sweep_theta(r, theta, i, &c);
        slope[i] = sweep_stiffness(r, stiffness, i, &c);
        course_close(&c);
        report_progress(r, (i + 1.0) / CASES);
    }
    report_figure(
        r, "u_sweep",
        report_text(r,
                    "PLUS comes to the Darboux-Keller process as θmax shrinks, compliant "
                    "contact to its rigid limit as it stiffens. The brick's vertex. Above: "
                    "PLUS over θmax, its distance from that process with Poisson's "
                    "restitution (fitted exponents %.3f and %.3f; rounding at μ = 0.325, "
                    "not drawn), and its cost. Below: compliant contact over stiffness, its "
                    "distance from its own rigid limit (Darboux-Keller stopped by the "
                    "compliant law; fitted exponents %.4f, %.4f and %.4f), and its cost at "
                    "accuracy 1e-10. Friction's transition speed shrinks with the duration of "
                    "contact, E^(-2/5), from %.2g to %.1g m/s: sticking is the stiffer for it, and "
                    "at μ = 0.225 and 0.325 the cost grows; at a fixed transition speed it does "
                    "not (B-Cost).",
                    order[0], order[1], slope[0], slope[1], slope[2], transition * shrunk(1e7),
                    transition * shrunk(1e13)));
}

const experiment experiment_u_sweep = {"U-sweep", "Error and cost over θmax and over stiffness",
                                       "Not in the paper, which shows three values of θmax and one "
                                       "stiffness: how the two approximations converge. PLUS "
                                       "is "
                                       "of first order in θmax; the distance of compliant contact "
                                       "from its rigid limit falls as the duration of contact, "
                                       "E^(-2/5).",
                                       run};
