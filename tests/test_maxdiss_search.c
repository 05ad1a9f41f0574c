/* test_maxdiss_search.c - maximum dissipation by the published searches over the direction of a
 * slide: where they end, how fast, and that what they miss is not called solved. */
#include "maxdiss_subject.h"
#include "tap.h"

#include "blocks/blocks.h"
#include "single/batch.h"

static const char *const names[] = {"analytic", "golden-section", "bisection"};

/* Angle between the friction of two impulses, rad; 0 where one has none. */
static double angle_between(const double a[3], const double b[3]) {
    return fabs(atan2(a[1] * b[2] - a[2] * b[1], a[1] * b[1] + a[2] * b[2]));
}

static bool slides(const imp_info *info) {
    return info->leaf >= IMP_LEAF_ELLIPSE;
}

/* Boxes and spheres: every problem, to what the search can reach. */
static void test_ends(imp_maxdiss_solver solver, double allowed) {
    static const gen_class classes[] = {GEN_SPHERE, GEN_FREE_BOX_1, GEN_SPEED_BOX, GEN_SPD_1};
    const imp_maxdiss_settings by = {.steps = 40, .solver = (int)solver};
    double worst = 0, off = 0;
    int sliding = 0;
    for (int c = 0; c < 4; c++)
        for (uint64_t k = 0; k < 1500; k++) {
            gen_problem g = gen_make(classes[c], k);
            double p[3] = {0}, want[3] = {0};
            imp_info info = {0};
            g.e = (double)(k % 3) / 2;
            if (imp_maxdiss_by(g.W, g.q, g.mu, g.e, &by, p, &info) != IMP_OK ||
                solve(&g, want, NULL) != IMP_OK)
                worst = INFINITY;
            worst = tap_worst(worst, gen_residual(&g, &imp_law_maxdiss, p));
            sliding += slides(&info);
            if (slides(&info)) off = tap_worst(off, angle_between(p, want));
        }
    note("%s: residual %.1e, direction %.1e off, %d slide", names[solver], worst, off, sliding);
    ok(sliding > 2000 && worst <= allowed, "%s: satisfies the law to %.0e", names[solver], allowed);
    ok(off <= 100 * allowed, "%s: in the direction of the analytic solution", names[solver]);
}

/* Where normal and tangents are not coupled the free minimiser's direction is the slide's. */
static void test_spheres(void) {
    const imp_maxdiss_settings by = {.steps = 20, .solver = IMP_GOLDEN_SECTION};
    double worst = 0;
    for (uint64_t k = 0; k < 1000; k++) {
        const gen_problem g = gen_make(GEN_SPHERE, k);
        double p[3] = {0};
        (void)imp_maxdiss_by(g.W, g.q, g.mu, 0, &by, p, NULL);
        worst = tap_worst(worst, gen_residual(&g, &imp_law_maxdiss, p));
    }
    ok(worst <= 1e-14, "golden-section: spheres to rounding");
}

/* The direction is off by at most `share` to the steps of the first bracket. */
static void test_rate(imp_maxdiss_solver solver, double share, double floor) {
    static const int steps[] = {6, 12, 24};
    double worst = 0, first = 0;
    for (uint64_t k = 0; k < (uint64_t)tap_many(500, 2000); k++) {
        const gen_problem g = gen_make(GEN_FREE_BOX_1, k);
        double want[3] = {0};
        imp_info info = {0};
        (void)solve(&g, want, &info);
        if (!slides(&info)) continue;
        for (int s = 0; s < 3; s++) {
            const imp_maxdiss_settings by = {.steps = steps[s], .solver = (int)solver};
            double p[3] = {0};
            (void)imp_maxdiss_by(g.W, g.q, g.mu, 0, &by, p, &info);
            const double off = angle_between(p, want);
            worst = tap_worst(worst, off / (4 * pow(share, steps[s]) + floor));
            if (s == 0) first = tap_worst(first, off);
        }
    }
    ok(worst <= 1, "%s: linear convergence, by %.3f a step", names[solver], share);
    ok(first > 1e-4, "%s: six steps leave %.1e rad", names[solver], first);
}

/* W of condition to 1e8: the searches end elsewhere on some, which imp_solve calls so. */
static void test_misses(imp_maxdiss_solver solver) {
    const imp_maxdiss_settings by = {.steps = 60, .solver = (int)solver};
    const int count = tap_many(5000, 20000);
    int missed = 0, wrong = 0;
    for (uint64_t k = 0; k < (uint64_t)count; k++) {
        const gen_problem g = gen_make(GEN_SPD_8, k);
        gen_dense dense;
        double p[3] = {0};
        gen_dense_of(&g, &dense);
        const imp_status status = imp_solve(&imp_model_maxdiss, &dense.problem, &by, p, NULL);
        const double residual = gen_residual(&g, &imp_law_maxdiss, p);
        missed += residual > 1e-3;
        wrong += status == IMP_OK && residual > 1e-6;
    }
    ok(missed > count / 4000 && missed < count / 200, "%s: misses %d of %d hard ones",
       names[solver], missed, count);
    ok(wrong == 0, "%s: and calls none of them solved", names[solver]);
}

/* Of few steps there is no answer, and no impulse passes for one. */
static void test_few(imp_maxdiss_solver solver) {
    static const double W[9] = {27.5, 40, -3.5, 40, 75.4, -8.2, -3.5, -8.2, 3.5},
                        q[3] = {-0.22, 0.22, -1.62}, mu = 8.2;
    const imp_operator dense = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &dense, .q = q, .mu = &mu};
    for (int steps = 1; steps <= 4; steps++) {
        const imp_maxdiss_settings by = {.steps = steps, .solver = (int)solver};
        double p[3] = {0};
        const imp_status status = imp_solve(&imp_model_maxdiss, &problem, &by, p, NULL);
        ok(status == IMP_NOT_CERTIFIED && imp_model_bound(&imp_model_maxdiss, &by) <= 1e-6,
           "%s: %d steps are no answer: %s", names[solver], steps, imp_status_text(status));
    }
}

static void test_batch(imp_maxdiss_solver solver) {
    enum { N = 64 };
    double column[15][N];
    imp_status status[N];
    imp_batch_columns c = {.q = {column[6], column[7], column[8]},
                           .mu = column[9],
                           .e = column[10],
                           .p = {column[11], column[12], column[13]},
                           .residual = column[14],
                           .status = status};
    const imp_maxdiss_settings by = {.steps = 40, .solver = (int)solver};
    int different = 0;
    for (int k = 0; k < 6; k++)
        c.W[k] = column[k];
    for (uint64_t k = 0; k < N; k++) {
        const gen_problem g = gen_make(GEN_SPEED_BOX, k);
        for (int j = 0; j < 6; j++)
            column[j][k] = g.W[j];
        for (int j = 0; j < 3; j++)
            column[6 + j][k] = g.q[j];
        column[9][k] = g.mu;
        column[10][k] = 0;
    }
    column[9][7] = -1;
    column[11][7] = column[14][7] = 17;
    (void)imp_model_maxdiss.batch(&c, N, &by);
    ok(status[7] == IMP_BAD_FRICTION && column[11][7] == 17 && column[14][7] == 17,
       "%s: no answer leaves p and the residual as they were", names[solver]);
    column[9][7] = gen_make(GEN_SPEED_BOX, 7).mu;
    (void)imp_model_maxdiss.batch(&c, N, &by);
    for (uint64_t k = 0; k < N; k++) {
        const gen_problem g = gen_make(GEN_SPEED_BOX, k);
        double p[3];
        (void)imp_maxdiss_by(g.W, g.q, g.mu, 0, &by, p, NULL);
        different +=
            status[k] != IMP_OK || fabs(column[14][k] - gen_residual(&g, &imp_law_maxdiss, p)) > 0;
        for (int j = 0; j < 3; j++)
            different += p[j] != column[11 + j][k];
    }
    ok(different == 0, "%s: in columns the same bits and the certificate's residual",
       names[solver]);
}

/* In Gauss-Seidel, on bodies with several contacts. */
static void test_sweeps(imp_maxdiss_solver solver, double tolerance) {
    imp_blocks_settings settings = imp_blocks_presets;
    const int count = tap_many(40, 120);
    int solved = 0, unlawful = 0, other = 0;
    settings.tolerance = tolerance;
    for (uint64_t k = 0; k < (uint64_t)count; k++) {
        const gen_many g = gen_bodies(k, 1 + (int)(k % GEN_MOST_CONTACTS));
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
        double p[3 * GEN_MOST_CONTACTS] = {0}, analytic[3 * GEN_MOST_CONTACTS] = {0};
        imp_certificate c;
        settings.local = IMP_ANALYTIC;
        (void)imp_solve(&imp_model_gauss_seidel_maxdiss, &problem, &settings, analytic, NULL);
        settings.local = (int)solver;
        const imp_status status =
            imp_solve(&imp_model_gauss_seidel_maxdiss, &problem, &settings, p, NULL);
        other += memcmp(p, analytic, sizeof p) != 0;
        if (status != IMP_OK) continue;
        solved++;
        unlawful += imp_certify(&problem, &imp_law_maxdiss, NULL, p, NULL, &c) != IMP_OK ||
                    c.worst > 100 * tolerance;
    }
    ok(other > count / 2, "%s: it is this search that runs inside Gauss-Seidel", names[solver]);
    ok(solved >= count * 9 / 10 && unlawful == 0,
       "%s: inside Gauss-Seidel, %d of %d solved to %.0e", names[solver], solved, count, tolerance);
}

static void test_presets(void) {
    const gen_problem g = gen_make(GEN_SPD_4, 3);
    double by[3], alone[3];
    ok(imp_maxdiss_by(g.W, g.q, g.mu, 0, NULL, by, NULL) == IMP_OK &&
           imp_maxdiss(g.W, g.q, g.mu, 0, alone, NULL) == IMP_OK &&
           memcmp(by, alone, sizeof by) == 0,
       "without settings nothing is searched");
    const imp_maxdiss_settings none[] = {{.steps = 9, .solver = 3},
                                         {.steps = 9, .solver = -1},
                                         {.steps = NAN, .solver = IMP_BISECTION},
                                         {.steps = -1, .solver = IMP_BISECTION},
                                         {.steps = 1e10, .solver = IMP_GOLDEN_SECTION}};
    for (int k = 0; k < 5; k++)
        ok(imp_maxdiss_by(g.W, g.q, g.mu, 0, &none[k], by, NULL) == IMP_BAD_ARGUMENT &&
               memcmp(by, alone, sizeof by) == 0,
           "refused: solver %d, %g steps", none[k].solver, none[k].steps);
}

int main(void) {
    test_presets();
    test_ends(IMP_GOLDEN_SECTION, 1e-6);
    test_ends(IMP_BISECTION, 1e-10);
    test_spheres();
    test_rate(IMP_GOLDEN_SECTION, 0.5 * (sqrt(5) - 1), 1e-6);
    test_rate(IMP_BISECTION, 0.5, 1e-12);
    test_misses(IMP_GOLDEN_SECTION);
    test_misses(IMP_BISECTION);
    test_few(IMP_GOLDEN_SECTION);
    test_few(IMP_BISECTION);
    test_batch(IMP_GOLDEN_SECTION);
    test_batch(IMP_BISECTION);
    test_sweeps(IMP_GOLDEN_SECTION, 1e-8);
    test_sweeps(IMP_BISECTION, 1e-10);
    return tap_done();
}
