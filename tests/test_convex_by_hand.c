/* The certificate of the convex models on forged answers, by hand: pairs of multipliers, one broken
 * at a time, and what its two bounds say of answers that are off by a known distance. */
#include "impact.h"
#include "tap.h"

/* W = 1, q = -1, no friction, kappa = 2, by hand: impulses and lambda that break one pair of the
 * conditions each. */
static void test_pairs(void) {
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu = 0;
    const struct {
        const char *what;
        double p, lambda, pair, gap;
    } cases[] = {{"lambda at an open contact", 1.5, 0.5, 0.5 / 2.5, 0.25 / (1.5 * 2.5 + 0.5 * 2.5)},
                 {"a push that its row leaves no need for", 1.5, 0, 0.5 / 2.5, 0.75 / (1.5 * 2.5)},
                 {"theta with some of kappa left", 0.5, 0, 0.5 / 1.5, 0.75 / (0.5 * 1.5 + 1)}};
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    imp_convex_settings settings;
    imp_model_presets(&imp_model_drumwright, &settings);
    settings.kappa = 2;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double p[3] = {cases[k].p, 0, 0};
        imp_path path = {0};
        imp_certificate c;
        (void)imp_path_add(&path, 1, 1, 1, p, "C", "-");
        imp_path_multipliers(&path, 3, 1)[2] = cases[k].lambda;
        ok(imp_certify(&problem, &imp_law_convex, &settings, p, &path, &c) == IMP_OK, "%s",
           cases[k].what);
        is_near(imp_certificate_residual(&c, "complementarity"), cases[k].pair, 1e-14, 0,
                "%s: the pair", cases[k].what);
        is_near(imp_certificate_residual(&c, "stationarity"), cases[k].gap, 1e-14, 0,
                "%s: the duality gap", cases[k].what);
        imp_path_clear(&path);
    }
}

/* What slides and neither approaches nor pushes, with some of kappa left, should: nothing there has
 * a size along the normal alone. */
static void test_slides_free(void) {
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {0, 0.5, 0}, p[3] = {0},
                        mu = 0.3;
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    imp_convex_settings settings;
    imp_path path = {0};
    imp_certificate c;
    imp_model_presets(&imp_model_drumwright, &settings);
    settings.kappa = 1;
    (void)imp_path_add(&path, 1, 1, 1, p, "C", "-");
    (void)imp_path_multipliers(&path, 3, 1);
    ok(imp_certify(&problem, &imp_law_convex, &settings, p, &path, &c) == IMP_OK &&
           imp_certificate_residual(&c, "complementarity") > 0.1,
       "a slide that kappa could brake is a broken pair");
    imp_path_clear(&path);
}

/* A ball that slides, and one without friction: answers with a push that is too large or too small
 * by no more than a tolerance are no farther from the optimum than their bound says, nor above its
 * energy. */
static void test_bounds(void) {
    static const double W[9] = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5}, q[3] = {-1, 3, 0};
    const imp_operator op = imp_operator_dense(1, W);
    int judged = 0, near = 0, low = 0;
    for (int k = 0; k < 20; k++) {
        const int decade = -10 - k / 4, sign = k / 2 % 2 ? -1 : 1;
        const double mu = k % 2 ? 0.3 : 0, best[3] = {1, -mu, 0}, off = sign * pow(10, decade);
        const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
        double p[3], apart = 0;
        imp_path path = {0};
        imp_certificate c;
        (void)imp_solve_certified(&imp_model_drumwright, &problem, NULL, p, &path, NULL, NULL);
        for (int i = 0; i < 3; i++) {
            p[i] = path.impulse[i] = best[i] * (1 + off);
            apart += W[4 * i] * (p[i] - best[i]) * (p[i] - best[i]);
        }
        judged += imp_certify(&problem, &imp_law_convex, NULL, p, &path, &c) == IMP_OK &&
                  isfinite(c.velocity_excess);
        near += sqrt(apart) <= c.velocity_excess;
        low += c.energy + 0.5 + 3 * mu - 1.75 * mu * mu <= c.energy_excess;
        imp_path_clear(&path);
    }
    ok(judged == 20 && near == 20, "the optimum is as near as its bound, %d of %d", near, judged);
    ok(low == 20, "and its energy, %d", low);
}

/* A body between two plates that nearly cancel, squeezed by twice what it takes, with a lambda that
 * says so: both rows open by less than a tolerance, and nothing but the bound tells how far that
 * is from the optimum. */
static void test_squeezed(void) {
    enum { ROWS = 6 };
    const double opens = 5e-10, mu[2] = {0, 0};
    double W[ROWS * ROWS] = {0}, q[ROWS] = {-opens, 0, 0, -opens, 0, 0}, p[ROWS] = {2, 0, 0, 2};
    for (int i = 0; i < ROWS; i++)
        W[(ROWS + 1) * i] = 1;
    W[3] = W[3 * ROWS] = opens - 1;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    imp_convex_settings settings;
    imp_path path = {0};
    imp_certificate c;
    imp_model_presets(&imp_model_drumwright, &settings);
    settings.kappa = 10;
    (void)imp_path_add(&path, 2, 1, 1, p, "CC", "--");
    double *lambda = imp_path_multipliers(&path, 3, 2) + 4;
    lambda[0] = lambda[1] = 1;
    const imp_status status = imp_certify(&problem, &imp_law_convex, &settings, p, &path, &c);
    const double apart = sqrt(2 * opens); /* of 1 too much at each, in the metric of W */
    ok(status == IMP_OK && apart <= c.velocity_excess && c.velocity_excess <= 2 * apart,
       "a squeezed body: %.1e apart, at most %.1e", apart, c.velocity_excess);
    imp_path_clear(&path);
}

int main(void) {
    test_pairs();
    test_slides_free();
    test_bounds();
    test_squeezed();
    return tap_done();
}
