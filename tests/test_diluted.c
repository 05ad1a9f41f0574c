/* test_diluted.c - wrong answers that the size of something else would hide: a slip that is slow
 * beside the approach, a slow contact beside a fast one, a light body's push or velocity beside a
 * heavy one's, an impulse that does little along the normal and much along a tangent, a rebound
 * that is slow beside the tangents. */
#include "impact.h"
#include "tap.h"

#include <math.h>
#include <string.h>

/* p (3nc) in one step, by this law; with e > 0 all expand in another one by e p: the whole is (1 +
 * e) p, but for the last contact's push, which is `lacks` of that less. */
static double bounces(int nc, const double *W, const double *q, const double *mu, double rebound,
                      const char *model, const double *p, double lacks, const char *phase,
                      const char *motion) {
    const imp_operator operator= imp_operator_dense(nc, W);
    const double e[2] = {rebound, rebound};
    double after[6], whole[6];
    const imp_problem problem = {.nc = nc, .W = &operator, .q = q, .mu = mu, .e = e};
    imp_path path = {0};
    imp_certificate c = {.worst = NAN};
    imp_settings settings;
    const imp_model *found = imp_model_find(model);
    imp_model_presets(found, &settings);
    imp_model_set(found, &settings, "v_transition", 0);
    imp_model_set(found, &settings, "v_capture", 0);
    imp_model_set(found, &settings, "v_plastic", 0);
    for (int i = 0; i < 3 * nc; i++) {
        after[i] = rebound * p[i] * (i == 3 * nc - 3 ? 1 - lacks : 1);
        whole[i] = p[i] + after[i];
    }
    if (phase) imp_path_add(&path, nc, 1, 1, p, phase, motion);
    if (rebound > 0) imp_path_add(&path, nc, 2, 1, after, "XX", motion);
    const imp_status status =
        imp_certify(&problem, found->law, &settings, whole, phase ? &path : NULL, &c);
    imp_path_clear(&path);
    return status == IMP_OK ? c.worst : NAN;
}

static double worst(int nc, const double *W, const double *q, const double *mu, const char *model,
                    const double *p, const char *phase, const char *motion) {
    return bounces(nc, W, q, mu, 0, model, p, 0, phase, motion);
}

static void test_turned(void) {
    static const double W[9] = {1, .5, 0, .5, 3, 0, 0, 0, 3}, q[3] = {-1, 1e-4, 0}, mu = 0.1;
    const double turn = 2e-5, c = cos(turn), s = sin(turn), n = 1 / (1 - 0.05 * c),
                 p[3] = {n, -mu * n * c, mu * n * s}, right = 1 / 0.95,
                 x[3] = {right, -mu * right, 0};
    ok(worst(1, W, q, &mu, "plus", x, "C", "s") < 1e-14 &&
           worst(1, W, q, &mu, "plus", p, "C", "s") > 1e-9,
       "plus: friction turned by 2e-5 off a slip of 1e-4 of the approach: %g",
       worst(1, W, q, &mu, "plus", p, "C", "s"));
}

static void test_slow(void) {
    const char *const model[] = {"plus", "single-phase", "newton", "poisson"};
    double W[36] = {0};
    const double c = 1e-12, v = 1e-6, q[6] = {-1, 0, 0, -v, .5 * v, 0}, mu[2] = {0, 0.1};
    for (int r = 0; r < 6; r++)
        W[7 * r] = r % 3 == 0 ? 1 : 3;
    W[3] = W[18] = c;
    const double b = (v - c) / (1 - c * c), a = 1 - c * b, turn = 1e-4;
    for (int m = 0; m < 4; m++)
        for (int wrong = 0; wrong < 2; wrong++) {
            const double p[6] = {a, 0, 0, b, -mu[1] * b * (wrong ? 0.9995 : 1), 0},
                         found = worst(2, W, q, mu, model[m], p, "CC", m < 2 ? "-s" : "-i");
            ok(wrong ? found > 1e-9 : found < 1e-9, "%s, a slow contact beside a fast one%s: %g",
               model[m], wrong ? ", its friction short" : "", found);
        }
    const double turned[6] = {a, 0, 0, b, -mu[1] * b * cos(turn), mu[1] * b * sin(turn)},
                 smooth[6] = {a, 0, 0, b, 0, 0}, none[2] = {0};
    for (int m = 2; m < 4; m++) {
        const double found = worst(2, W, q, mu, model[m], turned, "CC", "-i");
        ok(found > 1e-9, "%s, its friction turned: %g", model[m], found);
    }
    for (int wrong = 0; wrong < 2; wrong++) {
        const double found =
            bounces(2, W, q, none, 0.5, "poisson", smooth, wrong ? 1e-4 : 0, "CC", "--");
        ok(wrong ? found > 1e-9 : found < 1e-9, "poisson, a slow contact%s: %g",
           wrong ? " that springs back by less" : " that springs back", found);
    }
}

/* A light body between a heavy one, which comes with 1 m/s to the ground, and the ground. */
static void boulder(double M, double m, double W[36]) {
    memset(W, 0, 36 * sizeof *W);
    for (int r = 0; r < 3; r++) {
        W[7 * r] = 1 / M;
        W[7 * (r + 3)] = 1 / M + (r > 0 ? 3 : 1) / m;
        W[6 * r + r + 3] = W[6 * (r + 3) + r] = -1 / M;
    }
}

static void test_light(void) {
    const double M = 1e6, m = 1e-14, mu[2] = {0}, q[6] = {-1, 0, 0, -1, 0, 0};
    double W[36];
    boulder(M, m, W);
    for (int wrong = 0; wrong < 2; wrong++) {
        const double b = (wrong ? 3 : 2) * m, p[6] = {M + b, 0, 0, b, 0, 0};
        const double found = worst(2, W, q, mu, "plus", p, "CC", "--"),
                     alone = worst(2, W, q, mu, "plus", p, NULL, NULL);
        ok(wrong ? found > 1e-9 : found < 1e-9, "plus: a light body %s a heavy one: %g",
           wrong ? "flung off" : "beside", found);
        ok(wrong ? alone > 0.1 : alone < 1e-9, "plus: the same by p alone: %g", alone);
    }
}

static void test_slow_axis(void) {
    const double W[9] = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5}, q[3] = {-1, 1e-10, 0}, mu = 0.3;
    const char *const model[] = {"anitescu", "drumwright"};
    const imp_operator operator= imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &operator, .q = q, .mu = &mu};
    for (int m = 0; m < 2; m++) {
        const imp_model *found = imp_model_find(model[m]);
        imp_path path = {0};
        imp_certificate c;
        double p[3];
        ok(imp_solve_certified(found, &problem, NULL, p, &path, NULL, NULL) == IMP_OK &&
               imp_certify_along(&problem, found->law, NULL, p, &path, &c) == IMP_OK &&
               c.worst < 1e-9,
           "%s: a slow slip of one contact", model[m]);
        p[1] += 2e-11;
        ok(imp_certify_along(&problem, found->law, NULL, p, &path, &c) == IMP_OK && c.worst > 1e-7,
           "%s: one that goes on at 0.7 of it", model[m]);
        imp_path_clear(&path);
    }
}

/* It rolls, and its rebound is 1e-12 of the tangent's terms. */
static void test_slow_rebound(void) {
    const double W[9] = {1e-6, 0, 0, 0, 1e6, 0, 0, 0, 1e6}, mu = 1, e = 0.5;
    const double q[3] = {-1, 1e11, 0};
    for (int wrong = 0; wrong < 2; wrong++) {
        const double p[3] = {1.5e6 * (wrong ? 1.0001 : 1), -1e5, 0};
        const imp_operator operator= imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &operator, .q = q, .mu = &mu, .e = &e};
        const imp_law *law = imp_model_find("newton")->law;
        imp_path path = {0};
        imp_certificate c = {.worst = NAN};
        imp_path_add(&path, 1, 1, 1, p, "C", "r");
        for (int along = 0; along < 2; along++) {
            const imp_status status = imp_certify(&problem, law, NULL, p, along ? &path : NULL, &c);
            ok(status == IMP_OK && (wrong ? c.worst > 1e-5 : c.worst < 1e-9),
               "newton: a rebound that is slow beside the slip%s, %s",
               wrong ? ", wrong by 1e-4" : "", along ? "along its path" : "by p alone");
        }
        imp_path_clear(&path);
    }
}

static void test_tangent(void) {
    const char *const model[] = {"frictionless", "lzb"};
    const double eps = 1e-4, c = 1e-9, mu[2] = {0}, q[6] = {-30, 0, 0, 1, 1, 0},
                 p[6] = {30, 0, 0, 0.005, 0, 0};
    double W[36] = {0};
    W[0] = W[7] = W[14] = W[35] = 1;
    W[17] = W[32] = c;
    W[21] = 1.1 * eps * eps;
    W[22] = W[27] = eps;
    W[28] = 1.1;
    for (int m = 0; m < 2; m++) {
        const double found = worst(2, W, q, mu, model[m], p, NULL, NULL);
        ok(found > 1e-9, "%s: a push that turns a slip: %g", model[m], found);
    }
}

/* By p alone dust is no distance: of what cancels along the normal, along a tangent where nothing
 * comes, and of a contact of several. */
static void test_dust(void) {
    const double W[9] = {1, 0.4, 0, 0.4, 3, 0, 0, 0, 3}, q[3] = {-1e-9, 1, 0}, mu[2] = {0.1, 0.1},
                 rough = 10, held[3] = {(3e-9 + 0.4) / 2.84 * (1 + 1e-14), -(1 + 0.4e-9) / 2.84, 0},
                 two[6] = {-1, 0.5, 0, -1, 0, 0}, p[6] = {1, -0.1, 1e-12, 1, 1e-12, 0};
    double apart[36] = {0}, lone[9] = {0};
    for (int r = 0; r < 6; r++)
        apart[7 * r] = r % 3 == 0 ? 1 : 3;
    for (int r = 0; r < 3; r++)
        lone[4 * r] = r == 0 ? 1 : 3;
    ok(worst(1, W, q, &rough, "newton", held, NULL, NULL) < 1e-9,
       "newton: what cancels along the normal, by p alone: %g",
       worst(1, W, q, &rough, "newton", held, NULL, NULL));
    ok(worst(1, lone, two, mu, "plus", p, NULL, NULL) < 1e-9, "across a slip: %g",
       worst(1, lone, two, mu, "plus", p, NULL, NULL));
    ok(worst(2, apart, two, mu, "plus", p, NULL, NULL) < 1e-9, "and of two contacts: %g",
       worst(2, apart, two, mu, "plus", p, NULL, NULL));
}

int main(void) {
    test_turned();
    test_slow();
    test_light();
    test_slow_axis();
    test_slow_rebound();
    test_tangent();
    test_dust();
    return tap_done();
}
