/* Certificates of the convex models and of the pyramid: their answers are accepted along their
 * path, tampered paths are not; kappa is the least sum or refused, whatever witness comes with it;
 * multipliers of another problem are none. */
#include "path_plants.h"

static bool accepted(const imp_problem *problem, const void *settings, const double *p,
                     const imp_path *path) {
    imp_certificate c;
    return imp_certify(problem, &imp_law_convex, settings, p, path, &c) == IMP_OK && !c.unjudged &&
           c.worst <= 1e-6;
}

/* A body between two plates that close on nothing: phase I's y = (t, t) for every t >= 0, and a
 * slip that friction could end with any kappa > 0. kappa is 0. */
static void test_wedge(void) {
    double W[36] = {0}, p[6], q[6] = {0, 0.3, 0, 0, 0.3, 0};
    const double mu[2] = {0.5, 0.5};
    for (int i = 0; i < 6; i++)
        W[7 * i] = 1;
    W[3] = W[18] = -1;
    for (int i = 1; i < 3; i++)
        W[i * 6 + i + 3] = W[(i + 3) * 6 + i] = 1;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    imp_convex_settings settings;
    imp_path path = {0};
    ok(imp_solve_certified(&imp_model_drumwright, &problem, NULL, p, &path, NULL, NULL) == IMP_OK &&
           p[1] == 0,
       "a wedged body slips: kappa = 0");
    imp_path_clear(&path);
    imp_model_presets(&imp_model_drumwright, &settings);
    settings.kappa = 2;
    ok(imp_solve_certified(&imp_model_drumwright, &problem, &settings, p, &path, NULL, NULL) ==
               IMP_OK &&
           p[1] < -0.01,
       "with kappa = 2 it is braked");
    int taken = accepted(&problem, &settings, p, &path) ? 0 : 100;
    for (int k = 0; k < 50; k++) {
        const int row = k / 7, column = k % 7;
        path.multiplier[0] = path.multiplier[1] = 1;
        path.multiplier[2] = column * 0.5 - 1.5;
        path.multiplier[3] = row * 0.5 - 1.5;
        taken += accepted(&problem, NULL, p, &path);
    }
    ok(taken == 0, "y = (1, 1) is no least sum, whatever the witness");
    imp_path_clear(&path);
}

/* A ball of 1 kg that moves against one of two plates and along both, beside a third contact, which
 * parts: kappa is 1. No y there that is rounding proves 3, however large its witness. */
static void test_parting(void) {
    static const double axis[3][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, /* n, t, o of each */
                                      {-1, 0, 0, 0, 1, 0, 0, 0, -1},
                                      {0, 1, 0, 0, 0, 1, 1, 0, 0}};
    static const double v[3] = {-1, 5, 0}, mu[3] = {0.3, 0.3, 0};
    double W[81] = {0}, q[9] = {0}, p[9];
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++) {
            q[i] += axis[i / 3][3 * (i % 3) + k] * v[k];
            for (int j = 0; j < 9; j++)
                W[9 * i + j] += axis[i / 3][3 * (i % 3) + k] * axis[j / 3][3 * (j % 3) + k];
        }
    const imp_operator op = imp_operator_dense(3, W);
    const imp_problem problem = {.nc = 3, .W = &op, .q = q, .mu = mu};
    imp_convex_settings settings;
    imp_path path = {0};
    imp_model_presets(&imp_model_drumwright, &settings);
    settings.kappa = 3;
    const bool solved = imp_solve_certified(&imp_model_drumwright, &problem, &settings, p, &path,
                                            NULL, NULL) == IMP_OK;
    ok(solved && accepted(&problem, &settings, p, &path) && fabs(p[1] + p[4] + 0.9) < 1e-9,
       "kappa = 3 brakes a ball by 0.9 m/s");
    const double y[3] = {2, 1, 1e-12}, witness[3] = {1, 0, 2e12};
    memcpy(path.multiplier, y, sizeof y);
    memcpy(path.multiplier + 3, witness, sizeof witness);
    ok(!accepted(&problem, NULL, p, &path), "a contact that parts does not prove that kappa is 3");
    imp_path_clear(&path);
}

/* One body on two points, the second of twice the lever: phase I's y = (1, 0) or (0, 1/2), of which
 * the second has the least sum; v = (1, 0) is a witness of the first on the contact that pushes
 * alone. */
static void test_lever(void) {
    double W[36] = {0}, p[6];
    const double q[6] = {-1, 1, 0, -2, 0, 0}, mu[2] = {0.5, 0};
    for (int i = 0; i < 6; i++)
        W[7 * i] = 1;
    W[3] = W[18] = 2;
    W[21] = 4;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    imp_convex_settings settings;
    imp_path path = {0};
    (void)imp_solve_certified(&imp_model_drumwright, &problem, NULL, p, &path, NULL, NULL);
    is_near(path.multiplier[0] + path.multiplier[1], 0.5, 1e-12, 0,
            "kappa is the sum at the longer lever");
    ok(accepted(&problem, NULL, p, &path), "which its witness shows");
    imp_path_clear(&path);
    imp_model_presets(&imp_model_drumwright, &settings);
    settings.kappa = 1;
    ok(imp_solve_certified(&imp_model_drumwright, &problem, &settings, p, &path, NULL, NULL) ==
               IMP_OK &&
           p[0] > 0.9 && accepted(&problem, &settings, p, &path),
       "with kappa = 1 the shorter one brakes");
    const double other[4] = {1, 0, 1, 0}; /* y, v */
    memcpy(path.multiplier, other, sizeof other);
    ok(!accepted(&problem, NULL, p, &path), "whose sum is no least one");
    imp_path_clear(&path);
}

typedef struct counted {
    const char *what;
    int tried, accepted;
} counted;

enum {
    LARGER_Y,
    OTHER_KAPPA,
    NO_WITNESS,
    TWICE_LAMBDA,
    NO_LAMBDA,
    PULLING_Y,
    FEWER,
    SHIFTED,
    COUNTED
};

static void count(counted *at, const plant_case *c, const double *p, const imp_path *path) {
    at->tried++;
    if (accepted(&c->problem, NULL, p, path) && at->accepted++ == 0)
        keep_for_replay(&c->problem, &imp_model_drumwright, at->what, at->tried);
}

/* The plants of one problem without restitution. kappa: of its own answer p. */
static void plant_multipliers(plant_case *c, double kappa, counted *counts) {
    const int nc = c->g.nc;
    double p[PLANT_ROWS] = {0}, r[PLANT_ROWS] = {0}, most = 0;
    imp_path path = {0}, richer = {0};
    imp_convex_settings settings;
    imp_model_presets(&imp_model_drumwright, &settings);
    settings.kappa = 1.01 * kappa;
    (void)imp_solve_certified(&imp_model_drumwright, &c->problem, NULL, p, &path, NULL, NULL);
    if (imp_solve_certified(&imp_model_drumwright, &c->problem, &settings, r, &richer, NULL,
                            NULL) == IMP_OK &&
        plant_difference(c, p, r) > 1e-4) {
        /* more friction from more kappa, with y and lambda to match */
        count(&counts[OTHER_KAPPA], c, r, &path);
        for (int i = 0; i < nc; i++)
            richer.multiplier[i] = 1.01 * path.multiplier[i];
        memcpy(richer.multiplier + nc, path.multiplier + nc, (size_t)nc * sizeof(double));
        count(&counts[LARGER_Y], c, r, &richer);
    }
    double *y = path.multiplier, *v = y + nc, *lambda = v + nc, kept[GEN_MOST_CONTACTS];
    memcpy(kept, v, (size_t)nc * sizeof *v);
    memset(v, 0, (size_t)nc * sizeof *v);
    count(&counts[NO_WITNESS], c, p, &path);
    memcpy(v, kept, (size_t)nc * sizeof *v);
    for (int i = 0; i < nc; i++)
        most = fmax(most, lambda[i]);
    memcpy(r, p, sizeof r);
    for (int i = 0; i < 3 * nc; i++)
        r[i] *= i % 3 ? 0.999 : 1;
    /* of no use to a wrong answer either */
    if (most > 1e-3 * kappa && plant_difference(c, p, r) > 1e-4)
        for (int twice = 0; twice < 2; twice++) {
            memcpy(kept, lambda, (size_t)nc * sizeof *v);
            for (int i = 0; i < nc; i++)
                lambda[i] *= 2 * twice;
            count(&counts[twice ? TWICE_LAMBDA : NO_LAMBDA], c, r, &path);
            memcpy(lambda, kept, (size_t)nc * sizeof *v);
        }
    for (int i = 0; i < nc; i++)
        y[i] = -y[i];
    count(&counts[PULLING_Y], c, p, &path);
    for (int i = 0; i < nc; i++)
        y[i] = 0.99 * -y[i];
    count(&counts[FEWER], c, p, &path);
    imp_path_clear(&path);
    imp_path_clear(&richer);
}

static void test_multipliers(void) {
    counted counts[COUNTED] = {{"a-larger-y", 0, 0},        {"more-kappa", 0, 0},
                               {"no-witness", 0, 0},        {"twice-lambda", 0, 0},
                               {"no-lambda", 0, 0},         {"a-pulling-y", 0, 0},
                               {"less-than-phase-i", 0, 0}, {"energy-above", 0, 0}};
    for (uint64_t k = 0; k < 600; k++) {
        plant_case c;
        double p[PLANT_ROWS] = {0}, kappa = 0;
        imp_path path = {0};
        plant_case_make(&c, &imp_model_drumwright, k);
        c.problem.e = NULL;
        if (imp_solve_certified(&imp_model_drumwright, &c.problem, NULL, p, &path, NULL, NULL) ==
            IMP_OK) {
            for (int i = 0; i < c.g.nc; i++)
                kappa += path.multiplier[i];
            for (int i = 0; i < c.g.nc && kappa > 0; i++) {
                /* friction a thousandth weaker: of more energy */
                double less[PLANT_ROWS];
                memcpy(less, p, sizeof less);
                less[3 * i + 1] *= 0.999;
                less[3 * i + 2] *= 0.999;
                if (plant_difference(&c, p, less) > 1e-4) count(&counts[SHIFTED], &c, less, &path);
            }
            if (kappa > 0) plant_multipliers(&c, kappa, counts);
        }
        imp_path_clear(&path);
    }
    for (int k = 0; k < COUNTED; k++)
        ok(counts[k].tried > 20 && counts[k].accepted == 0, "drumwright: %s: %d of %d rejected",
           counts[k].what, counts[k].tried - counts[k].accepted, counts[k].tried);
}

/* Without a path an answer is compared with the model's own, whose settings may stop it early, and
 * with a sharper one. */
static void test_hasty(void) {
    const double W[36] = {1,   0, 0, 0.2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                          0.2, 0, 0, 1,   0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1},
                 q[6] = {-1, 0.3, 0, -1, 0, 0.2}, mu[2] = {0.5, 0.5};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    imp_convex_settings hasty;
    imp_certificate own, found;
    double p[6];
    imp_model_presets(&imp_model_drumwright, &hasty);
    hasty.tolerance = 1e-3;
    hasty.polish = 0;
    ok(imp_solve_certified(&imp_model_drumwright, &problem, &hasty, p, NULL, &own, NULL) ==
               IMP_OK &&
           own.worst > 1e-10,
       "an interior point that stops early");
    ok(imp_certify(&problem, &imp_law_convex, &hasty, p, NULL, &found) == IMP_OK &&
           found.worst > 0.5 * own.worst,
       "is as far off without a path as with one");
}

/* Numbers that are none are not judged at all. */
static void test_not_finite(void) {
    plant_case c;
    imp_certificate found;
    double p[PLANT_ROWS] = {0};
    imp_path path = {0};
    plant_case_make(&c, &imp_model_drumwright, 3);
    ok(imp_solve_certified(&imp_model_drumwright, &c.problem, NULL, p, &path, NULL, NULL) == IMP_OK,
       "an answer");
    path.multiplier[0] = NAN;
    ok(imp_certify(&c.problem, &imp_law_convex, NULL, p, &path, &found) == IMP_NOT_FINITE,
       "NaN among the multipliers");
    path.multiplier[0] = 0;
    path.impulse[1] = INFINITY;
    ok(imp_certify(&c.problem, &imp_law_convex, NULL, p, &path, &found) == IMP_NOT_FINITE,
       "infinity among the steps");
    imp_path_clear(&path);
}

/* Friction where there is none, along either tangent. */
static void test_friction(void) {
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu = 0;
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    for (int r = 1; r < 3; r++) {
        double p[3] = {1, 0, 0};
        p[r] = 0.1;
        imp_certificate c;
        const imp_status status = imp_certify(&problem, &imp_law_frictionless, NULL, p, NULL, &c);
        ok(status == IMP_OK && fabs(c.worst - 0.1) < 1e-15,
           "friction of a tenth along tangent %d: refused (%.2g)", r, c.worst);
    }
    /* beside a tangent a million times as light 9e-10 of the push is nearly all of a slip */
    const double light[9] = {1, 0, 0, 0, 1e6, 0, 0, 0, 1}, slips[3] = {-1, 1e-3, 0},
                 stops[3] = {1, -9e-10, 0};
    const imp_operator thin = imp_operator_dense(1, light);
    const imp_problem slender = {.nc = 1, .W = &thin, .q = slips, .mu = &mu};
    imp_certificate c;
    const imp_status status = imp_certify(&slender, &imp_law_frictionless, NULL, stops, NULL, &c);
    ok(status == IMP_OK && fabs(c.worst - 4.5e-4) < 1e-15, "and what stops a slip: %.2g", c.worst);
}

/* With a kappa of its own phase II is asked where nothing approaches: p = 0, and certified. */
static void test_no_approach(void) {
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[2][3] = {{1, 0.5, 0}, {0, 0, 0}},
                        mu = 0.3;
    const imp_operator op = imp_operator_dense(1, W);
    imp_convex_settings settings;
    imp_model_presets(&imp_model_drumwright, &settings);
    settings.kappa = 1;
    for (int k = 0; k < 2; k++) {
        const imp_problem problem = {.nc = 1, .W = &op, .q = q[k], .mu = &mu};
        double p[3] = {7, 8, 9};
        imp_certificate c = {.worst = NAN};
        const imp_status status =
            imp_solve_certified(&imp_model_drumwright, &problem, &settings, p, NULL, &c, NULL);
        ok(status == IMP_OK && c.worst < 1e-9 && fabs(p[0]) < 1e-15 &&
               imp_certificate_residual(&c, "complementarity") < 1e-15,
           "kappa = 1, a contact that %s: no impulse (%.1e)", k == 0 ? "parts" : "rests", c.worst);
    }
}

enum { LINKS = 4, CHAIN = 3 * LINKS }; /* contacts, rows */

/* The first of four contacts in a row of bodies is struck, and all else rests: nothing moves the
 * last ones, beside which the rounding of multipliers and of sums is no room. Of three in a
 * thousand the polish leaves impulses of 5e-16 there, a little more than is taken for dust. */
static void test_at_rest(void) {
    enum { CASES = 600, MOTIONS = 6 * (LINKS + 1) };
    int refused = 0, let = 0;
    for (uint64_t k = 0; k < CASES; k++) {
        gen_stream g = gen_seed(615, k);
        double G[MOTIONS][CHAIN] = {{0}}, W[CHAIN * CHAIN] = {0}, q[CHAIN] = {0}, p[CHAIN],
               mu[LINKS];
        for (int i = 0; i < CHAIN; i++) {
            mu[i / 3] = gen_uniform(&g, 0, 2);
            for (int j = 6 * (i / 3); j < 6 * (i / 3) + 12; j++)
                G[j][i] = gen_normal(&g);
        }
        for (int i = 0; i < CHAIN; i++)
            for (int j = 0; j < CHAIN; j++)
                for (int c = 0; c < MOTIONS; c++)
                    W[CHAIN * i + j] += G[c][i] * G[c][j];
        for (int i = 0; i < 3; i++)
            q[i] = i == 0 ? -1 : gen_normal(&g);
        const imp_operator op = imp_operator_dense(LINKS, W);
        const imp_problem problem = {.nc = LINKS, .W = &op, .q = q, .mu = mu};
        imp_path path = {0};
        imp_certificate c;
        refused += imp_solve_certified(&imp_model_drumwright, &problem, NULL, p, &path, &c, NULL) !=
                   IMP_OK;
        for (int i = 0; i < LINKS; i++)
            path.multiplier[i] *= 1 + 1e-5;
        let += accepted(&problem, NULL, p, &path);
        imp_path_clear(&path);
    }
    ok(refused <= 2, "a blow at one end of a row at rest: %d of %d refused", refused, CASES);
    ok(let == 0, "with a sum of a hundred thousandth more: %d let through", let);
}

/* A ball that is struck, beside a body that parts from another at rest on a third: what rounding
 * leaves of a lambda where they part is no approach of what rests, where nothing has a size. */
static void test_untouched(void) {
    enum { ROWS = 9 };
    const double q[ROWS] = {-1, 0, 0, 1}, p[ROWS] = {1}, mu[3] = {0.3, 0.3, 0.3};
    double W[ROWS * ROWS] = {0};
    for (int i = 0; i < ROWS; i++)
        W[(ROWS + 1) * i] = 1;
    W[3 * ROWS + 6] = W[6 * ROWS + 3] = 0.5;
    const imp_operator op = imp_operator_dense(3, W);
    const imp_problem problem = {.nc = 3, .W = &op, .q = q, .mu = mu};
    imp_convex_settings settings;
    imp_path path = {0};
    imp_model_presets(&imp_model_drumwright, &settings);
    settings.kappa = 2;
    (void)imp_path_add(&path, 3, 1, 1, p, "CCC", "---");
    double *lambda = imp_path_multipliers(&path, 3, 3) + 6;
    lambda[1] = 1e-17;
    ok(accepted(&problem, &settings, p, &path), "what no impulse reaches is held to no rounding");
    lambda[1] = 1e-3;
    ok(!accepted(&problem, &settings, p, &path), "a lambda where contacts part is still refused");
    imp_path_clear(&path);
}

int main(void) {
    test_hasty();
    test_at_rest();
    static const imp_model *const models[] = {&imp_model_frictionless, &imp_model_anitescu,
                                              &imp_model_drumwright};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++)
        plant_test(models[m], 600);
    test_friction();
    test_wedge();
    test_parting();
    test_no_approach();
    test_lever();
    test_multipliers();
    test_not_finite();
    test_untouched();
    return tap_done();
}
