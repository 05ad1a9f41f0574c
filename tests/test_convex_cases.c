/* test_convex_cases.c - the convex models on cases with known answers, from the tables and from the
 * hand problems of benchmarks/scenes as the program reads them. */
#include "convex_cases.h"
#include "convex_verdict.h"

enum { MOST = CASE_CONTACTS, ROWS = 3 * MOST };

/* One QP1 or QP3 case: largest error of b+, dE and, where it is unique, x; the verdict's worst in
 * *broken. */
static double case_error(const convex_case *c, double *broken) {
    static double W[ROWS * ROWS];
    double q[ROWS], p[ROWS], u[ROWS], lambda[MOST] = {0}, size = 1, off = 0;
    imp_convex_report report = {.multiplier = lambda};
    imp_convex_settings settings = convex_presets();
    const bool conic = strcmp(c->kind, "QP1") == 0;
    case_problem(c, W, q);
    const imp_operator op = imp_operator_dense(c->n, W);
    const imp_problem problem = {.nc = c->n, .W = &op, .q = q, .mu = c->mu, .mu_v = c->muv};
    settings.kappa = c->kappa;
    const imp_status status = conic ? imp_convex(&problem, &settings, p, &report)
                                    : imp_frictionless(&problem, p, &report);
    if (status != IMP_OK) return INFINITY;
    imp_operator_apply(&op, p, q, u);
    for (int k = 0; k < c->rows; k++) {
        size = tap_worst(size, tap_worst(fabs(c->b[k]), fabs(c->x[k])));
        off = tap_worst(off, fabs(u[case_place(c, k)] - c->bplus[k]));
        if (c->x_unique) off = tap_worst(off, fabs(p[case_place(c, k)] - c->x[k]));
    }
    const double dE = imp_problem_energy(&problem, p);
    off = tap_worst(off, fabs(dE - c->dE));
    *broken = 0;
    for (int i = 0; i < c->n && !conic; i++) /* QP3 is a complementarity problem */
        *broken = tap_worst(*broken, fabs(fmin(p[3 * i], u[3 * i])));
    if (conic) {
        const convex_verdict v = convex_judge(&problem, c->muv, c->kappa, p, lambda);
        *broken = convex_worst(&v);
    }
    *broken /= size;
    return off / size;
}

static void check_cases(const char *path, bool needed) {
    FILE *file = case_open(path, needed);
    if (!file) return;
    static convex_case c;
    int conic = 0, frictionless = 0;
    double worst = 0, worst_broken = 0;
    while (case_read(file, &c)) {
        if (strcmp(c.kind, "QP4") == 0) continue;
        double broken = INFINITY;
        const double off = case_error(&c, &broken);
        if (!(off <= 1e-10 && broken <= 1e-10))
            diag("%s: off by %.2e, conditions broken by %.2e", c.id, off, broken);
        worst = tap_worst(worst, off);
        worst_broken = tap_worst(worst_broken, broken);
        conic += strcmp(c.kind, "QP1") == 0;
        frictionless += strcmp(c.kind, "QP3") == 0;
    }
    fclose(file);
    ok(conic >= 47 && frictionless >= 32 && worst <= 1e-10, "%s: %d and %d cases, off by %.1e",
       path, conic, frictionless, worst);
    ok(worst_broken <= 1e-10, "and their optimality conditions hold to %.1e", worst_broken);
}

/* The problems of a file, with the kappa and mu_v that stand in it, against the cases `hand-` of
 * the table. */
static void check_problems(const char *path) {
    static convex_case c;
    imp_problem_file *file = NULL;
    imp_error error = {.text = ""};
    FILE *table = fopen("reference/data/drumwright2010_convex.tsv", "r");
    const imp_case *next = NULL;
    int found = 0;
    double worst = 0, certificate = 0;
    imp_status status = imp_problem_file_open(path, &file, &error);
    while (table && status == IMP_OK && case_read(table, &c)) {
        if (strncmp(c.id, "hand-", 5) != 0 || strcmp(c.kind, "QP1") != 0) continue;
        imp_settings settings;
        imp_certificate judged = {.worst = INFINITY};
        double p[ROWS] = {0}, u[ROWS];
        status = imp_problem_file_next(file, &next, &error);
        if (status != IMP_OK || !next || strcmp(next->id, c.id + 5) != 0) break;
        status = imp_problem_file_settings(file, &imp_model_drumwright, &settings, &error);
        if (status != IMP_OK || imp_solve_certified(&imp_model_drumwright, &next->problem,
                                                    &settings, p, NULL, &judged, NULL) != IMP_OK)
            break;
        imp_operator_apply(next->problem.W, p, next->problem.q, u);
        for (int k = 0; k < c.rows; k++)
            worst = tap_worst(worst, fabs(u[case_place(&c, k)] - c.bplus[k]));
        worst = tap_worst(worst, fabs(imp_problem_energy(&next->problem, p) - c.dE));
        certificate = tap_worst(certificate, judged.worst);
        found++;
    }
    if (table) fclose(table);
    if (found > 0) status = imp_problem_file_next(file, &next, &error);
    ok(status == IMP_OK && found == 15 && !next, "%s: %d problems %s", path, found, error.text);
    ok(worst <= 1e-9 && certificate <= 1e-9, "solved to %.1e, certified to %.1e", worst,
       certificate);
    imp_problem_file_close(file);
}

/* One contact: W = [[1.5, a, 0], [a, 2, 0], [0, 0, 1.5]], q = (-1, 2, 0), mu = 1/2. */
static void single(double a, double want[3], double normal_velocity, const char *name) {
    const double W[9] = {1.5, a, 0, a, 2, 0, 0, 0, 1.5}, q[3] = {-1, 2, 0}, mu = 0.5;
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    double p[3], u[3];
    imp_certificate certificate;
    imp_path path = {0};
    ok(imp_solve_certified(&imp_model_drumwright, &problem, NULL, p, &path, &certificate, NULL) ==
           IMP_OK,
       "%s", name);
    imp_operator_apply(&op, p, q, u);
    is_vec(p, want, 3, 1e-11, 0, "%s: impulse", name);
    is_near(u[0], normal_velocity, 1e-11, 0, "%s: normal velocity", name);
    ok(certificate.worst <= 1e-11 && certificate.energy_excess <= 1e-11, "%s: certified", name);
    p[1] *= 0.9;
    p[0] *= 0.9 + 0.1 * (a != 0.4);
    for (int without = 0; without < 2; without++) {
        certificate.worst = 0;
        const imp_status judged =
            imp_certify(&problem, &imp_law_convex, NULL, p, without ? NULL : &path, &certificate);
        ok(judged == IMP_OK && certificate.worst > 1e-3, "%s: less friction is refused%s (%.1e)",
           name, without ? " without a path" : "", certificate.worst);
    }
    imp_path_clear(&path);
}

static void test_single(void) {
    double jam[3] = {2.0 / 3, 0, 0}, takeoff[3] = {2.0 / 3, -1.0 / 3, 0};
    single(0.4, jam, 0, "jam: friction would press the contact, and vanishes");
    single(-0.4, takeoff, 2.0 / 15, "take-off: more friction than Coulomb's, the contact leaves");
}

/* Contact 1 hardly moves under phase I and pushes nothing, 2 would overtake the dual of the sum: v
 * = (1, 0) meets contact 1's condition, but A_N v = (1, 2); the dual is (3, -1), where both are
 * 1. */
static void test_may_push(void) {
    double W[36] = {0}, q[6] = {-1, 0.1, 0, -2, 0.05, 0}, mu[2] = {0.1, 0.1}, p[6];
    for (int i = 0; i < 6; i++)
        W[7 * i] = i == 3 ? 5 : 1;
    W[3] = W[18] = 2;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    imp_certificate c = {.worst = INFINITY};
    imp_path path = {0};
    const imp_status status =
        imp_solve_certified(&imp_model_drumwright, &problem, NULL, p, &path, NULL, NULL);
    (void)imp_certify(&problem, &imp_law_convex, NULL, p, &path, &c);
    ok(status == IMP_OK && path.steps > 0 && c.worst <= 1e-9,
       "a contact that may push and does not: %s, certificate %.1e", imp_status_text(status),
       c.worst);
    imp_path_clear(&path);
}

/* Without friction a gap still lets phase II do better than phase I: there A = [[1, 2], [2, 5]], q
 * = (-1.1, -2.9) and gaps (0.1, 1) make y = (1, 0), while within its sum the energy is least at (0,
 * 0.58), q_2^2/2A_22 below rest. */
static void test_gap_alone(void) {
    const double q[6] = {-1.1, 0, 0, -2.9, 0, 0}, mu[2] = {0, 0}, gap[2] = {0.1, 1};
    double W[36] = {0}, p[6] = {0};
    for (int i = 0; i < 6; i++)
        W[7 * i] = i == 3 ? 5 : 1;
    W[3] = W[18] = 2;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .gap = gap};
    const imp_status status = imp_solve(&imp_model_drumwright, &problem, NULL, p, NULL);
    ok(status == IMP_OK, "gaps without friction: %s", imp_status_text(status));
    is_near(p[0], 0, 1e-9, 0, "the contact with the small gap rests");
    is_near(p[3], 0.58, 1e-9, 0, "the other one stops alone");
}

/* A slow approach beside a fast slip: friction leans on a small impulse, which is found to digits
 * of its own. */
static void test_graze(void) {
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1e-8, 1, 0}, mu = 0.5;
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    static const int polish[2] = {0, 32};
    for (int k = 0; k < 2; k++) {
        imp_convex_settings settings = convex_presets();
        double p[3] = {0};
        settings.polish = polish[k];
        const imp_status status = imp_convex(&problem, &settings, p, NULL);
        ok(status == IMP_OK, "a graze, polished up to %d contacts: %s", polish[k],
           imp_status_text(status));
        is_near(p[1], -0.5e-8, 0, 1e-5, "its friction");
    }
}

/* Multipliers of rows that do not hold are zero to rounding, and never below. */
static void test_multipliers(void) {
    const double mu = 0.5;
    double p[3], lambda, least = 0;
    int positive = 0;
    const imp_convex_settings settings = convex_presets();
    imp_convex_report report = {.multiplier = &lambda};
    imp_status status = IMP_OK;
    for (int k = 0; k < 63 && status == IMP_OK; k++) {
        const int row = k / 7;
        const double b = 0.25 * (k % 7 - 3), q[3] = {-1, 0.25 * row - 1, 0.5},
                     W[9] = {2, b, 0, b, 3, 0.5, 0, 0.5, 4};
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
        lambda = NAN;
        status = imp_convex(&problem, &settings, p, &report);
        least = isnan(lambda) ? -INFINITY : fmin(least, lambda);
        positive += lambda > 0;
    }
    ok(status == IMP_OK && least == 0 && positive > 20,
       "no multiplier of a row is below 0: %.1e, %d above", least, positive);
}

/* What falls back to phase I has none of phase II's multipliers. */
static void test_fallback(void) {
    const double q[6] = {-1, 1, 0, -2, 0.5, 0}, mu[2] = {0.5, 0.3};
    double W[36] = {0}, p[6] = {0}, lambda[2] = {7, 7};
    for (int i = 0; i < 6; i++)
        W[7 * i] = i == 3 ? 5 : 1;
    W[3] = W[18] = W[10] = W[25] = 0.5;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    imp_convex_report report = {.multiplier = lambda};
    imp_convex_settings settings = convex_presets();
    settings.max_iterations = 1;
    settings.polish = 0;
    const imp_status status = imp_convex(&problem, &settings, p, &report);
    ok(status == IMP_NOT_CONVERGED && report.fallbacks == 1 && p[1] == 0 && p[4] == 0,
       "one step is not enough: %s", imp_status_text(status));
    ok(lambda[0] == 0 && lambda[1] == 0, "phase I's answer has no multipliers of rows");
}

int main(void) {
    test_gap_alone();
    test_graze();
    test_fallback();
    test_multipliers();
    test_may_push();
    check_cases("reference/data/drumwright2010_convex.tsv", true);
    check_cases("../shared/oracle/convex.tsv", false);
    check_problems("benchmarks/scenes/hand-problem.json");
    test_single();
    return tap_done();
}
