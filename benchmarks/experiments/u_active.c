/* u_active.c - Uchida, Sherman, Delp (2015), section 3b: the heuristic active set of PLUS beside
 * the exhaustive one. */
#include "base/worse.h"
#include "benchmarks/harness/report.h"
#include "benchmarks/harness/stats.h"
#include "generators/gen.h"
#include "generators/gen_uchida.h"
#include "lib/impact.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { PROBLEMS = 1000, MOST = 5, ROWS = 3 * MOST };

/* Answers further apart differ, relative: certificates of PLUS hold to 1e-9. */
static const double DIFFERS = 1e-6, NEAR = 1e-2;

static const double restitution[MOST] = {0.4, 0.4, 0.4, 0.4, 0.4};

typedef struct impact {
    int nc;
    double W[ROWS * ROWS], q[ROWS], mu[MOST];
} impact;

/* nc contacts of bodies at random; 0: the brick on its four vertices. */
static impact impact_of(int nc, uint64_t k) {
    impact s = {.nc = nc > 0 ? nc : UCHIDA_CONTACTS};
    const uchida_scene brick = uchida_moving((const double[3]){0.3, 0.4, 0.2}, k);
    const gen_many bodies = gen_bodies(k, s.nc);
    for (int i = 0; i < 3 * s.nc; i++) {
        s.q[i] = nc > 0 ? bodies.q[i] : brick.q[i];
        s.mu[i / 3] = nc > 0 ? bodies.mu[i / 3] : brick.mu[i / 3];
    }
    for (int i = 0; i < 9 * s.nc * s.nc; i++)
        s.W[i] = nc > 0 ? bodies.W[i] : brick.W[i];
    return s;
}

/* What the two choices come to on many impacts. */
typedef struct tally {
    int both, differ;     /* impacts that both solve, of them those with two answers */
    int near;             /* those with one, or two that are NEAR */
    int heuristic, whole; /* impacts that one of them solves alone */
    double apart[PROBLEMS], energy[PROBLEMS]; /* of those that differ, see compare */
    double residual;                          /* of all answers along their paths, the largest */
} tally;

/* The answer and its residual are judged apart from imp_solve's verdict. */
static bool solve(const imp_problem *problem, int active_set, double *p, double *residual) {
    imp_plus_settings settings = imp_plus_settings_default();
    imp_path path = {0};
    imp_certificate c;
    settings.active_set = active_set;
    const bool good =
        imp_solve_certified(&imp_model_plus, problem, &settings, p, &path, NULL, NULL) == IMP_OK;
    if (good) {
        const imp_status judged =
            imp_certify_along(problem, imp_model_plus.law, &settings, p, &path, &c);
        *residual = imp_worse(*residual, judged == IMP_OK ? c.worst : INFINITY);
    }
    imp_path_clear(&path);
    return good;
}

/* x'W y. */
static double product(const impact *s, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < 3 * s->nc; i++)
        for (int j = 0; j < 3 * s->nc; j++)
            sum += x[i] * s->W[i * 3 * s->nc + j] * y[j];
    return sum;
}

/* T - T(before), J. */
static double energy(const impact *s, const double *p) {
    double sum = product(s, p, p) / 2;
    for (int i = 0; i < 3 * s->nc; i++)
        sum += s->q[i] * p[i];
    return sum;
}

/* Two answers: the distance of the velocities after, over the change of the exhaustive one, both in
 * the norm of the masses; the difference of the energy that is lost, over that which it loses. */
static void compare(tally *t, const impact *s, const double *p, const double *whole) {
    double d[ROWS];
    for (int i = 0; i < 3 * s->nc; i++)
        d[i] = p[i] - whole[i];
    const double change = product(s, whole, whole),
                 apart = change > 0 ? sqrt(imp_worse(0, product(s, d, d)) / change) : 0;
    t->both++;
    t->near += apart <= NEAR;
    if (!(apart > DIFFERS)) return;
    t->apart[t->differ] = apart;
    t->energy[t->differ++] = fabs(energy(s, p) - energy(s, whole)) / fabs(energy(s, whole));
}

static void run_impacts(report *r, int nc, double begun, tally *t) {
    *t = (tally){0};
    for (uint64_t k = PROBLEMS; k < 2 * PROBLEMS; k++) {
        const impact s = impact_of(nc, k);
        const imp_operator W = imp_operator_dense(s.nc, s.W);
        const imp_problem problem = {.nc = s.nc, .W = &W, .q = s.q, .mu = s.mu, .e = restitution};
        double p[ROWS], whole[ROWS];
        const bool one = solve(&problem, IMP_HEURISTIC, p, &t->residual),
                   other = solve(&problem, IMP_EXHAUSTIVE, whole, &t->residual);
        t->heuristic += one && !other;
        t->whole += other && !one;
        if (one && other) compare(t, &s, p, whole);
        report_progress(r, begun + (double)(k - PROBLEMS) / PROBLEMS / 5);
    }
}

/* The median of n numbers, which are sorted; 0 of none. */
static double median(double *x, int n) {
    gsl_sort(x, 1, (size_t)n);
    return gsl_stats_median_from_sorted_data(x, 1, (size_t)n);
}

/* unsolved: allowed of impacts that not both solve. */
static void judge(report *r, report_rows *rows, const char *impacts, int unsolved, tally *t) {
    const stats_interval share = stats_probability(t->differ, t->both, 0.95),
                         near = stats_probability(t->near, t->both, 0.95);
    const double middle = median(t->apart, t->differ);
    report_row(rows, impacts, t->both, t->differ, share.low, share.high, middle,
               t->differ ? t->apart[t->differ - 1] : 0, median(t->energy, t->differ), t->heuristic,
               t->whole);
    report_judge(r, STATED_IN_SOURCE,
                 report_text(r, "%s: impacts on which the two agree to 1 %%", impacts),
                 "“optimal or near-optimal solutions in practice”",
                 report_text(r, "%d of %d: %.3f to %.3f", t->near, t->both, near.low, near.high),
                 "certain at 95 %: at least 0.95", near.low >= 0.95, NULL);
    report_at_most(r, OWN_BOUND,
                   report_text(r, "%s: impacts that not both solve, of %d", impacts, PROBLEMS),
                   unsolved, PROBLEMS - t->both, "they have no say in the row above");
}

static void run(report *r) {
    /* Of the thousands before these 1, 4, 6, 11 and 0 are not solved by both; of n there, more here
     * by two deviations of the difference of two such counts, 2 sqrt(2 n), and for 0 by 3, are as
     * likely as one time in forty. */
    static const int contacts[] = {2, 3, 4, 5, 0}, unsolved[] = {3, 9, 12, 20, 3};
    static tally all[5];
    int apart = 0;
    double residual = 0;
    report_rows *rows = report_table(r, "u_active",
                                     "impacts\tboth_solve:6\tdiffer:6\tshare_least:3\t"
                                     "share_most:3\tmedian_apart:3\tmost_apart:3\t"
                                     "median_energy:3\theuristic_alone:6\texhaustive_alone:6");
    for (int k = 0; k < 5; k++) {
        run_impacts(r, contacts[k], k / 5.0, &all[k]);
        judge(r, rows,
              contacts[k] ? report_text(r, "%d contacts at random", contacts[k])
                          : "brick on four vertices",
              unsolved[k], &all[k]);
        apart += all[k].differ;
        residual = imp_worse(residual, all[k].residual);
    }
    report_judge(r, STATED_IN_SOURCE, "impacts on which they differ",
                 "“not guaranteed to converge to the optimum”", report_text(r, "%d", apart), "some",
                 apart > 0, NULL);
    report_at_most(r, OWN_BOUND, "residual of all answers, by the law along their paths", 1e-9,
                   residual, NULL);
    report_show_table(r, "u_active",
                      "A thousand impacts each. Those with two answers, the share that they leave "
                      "open at 95 %; how far apart the velocities after are, of the change that "
                      "the exhaustive choice makes, in the norm of the masses, and by how much "
                      "the energy lost differs; impacts that one choice solves alone. Both "
                      "answers are certified: where there are two, both keep every condition of "
                      "Table 1 but the least norm.");
}

const experiment experiment_u_active = {
    "U-Active", "The heuristic active set beside the exhaustive one (section 3b)",
    "“The heuristic … is not guaranteed to converge to the optimum; however, our experience is "
    "that "
    "it quickly produces optimal or near-optimal solutions in practice”: how often it does.",
    run};
