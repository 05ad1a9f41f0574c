/* Certificates of restitution in phases around block solvers: their answers are accepted along
 * their path, tampered paths are not; another law's compression is none; theta stops at the
 * energy's limit and nowhere before. */
#include "cone/phases.h"
#include "path_plants.h"

#include <float.h>

static const imp_model *const models[] = {&imp_model_gauss_seidel_coulomb,
                                          &imp_model_gauss_seidel_maxdiss, &imp_model_auto};

/* Is the compression of the path one of the law's, too? */
static bool shared(const plant_case *c, const imp_law *law, const imp_path *path) {
    imp_problem plastic = c->problem;
    imp_certificate found;
    plastic.e = NULL;
    return imp_certify(&plastic, law, NULL, path->impulse, NULL, &found) == IMP_OK &&
           found.worst <= 1e-6;
}

/* Answers and whole paths of one law held against the other, whose compressions differ. */
static void test_other_law(void) {
    int tried = 0, accepted = 0;
    for (uint64_t k = 0; k < 400; k++)
        for (int m = 0; m < 2; m++) {
            plant_case c;
            imp_path path = {0}, own = {0};
            double p[PLANT_ROWS] = {0}, r[PLANT_ROWS] = {0};
            plant_case_make(&c, models[m], k);
            if (imp_solve_certified(models[m], &c.problem, NULL, p, &own, NULL, NULL) == IMP_OK &&
                imp_solve_certified(models[1 - m], &c.problem, NULL, r, &path, NULL, NULL) ==
                    IMP_OK &&
                plant_difference(&c, p, r) > 1e-4 && !shared(&c, models[m]->law, &path)) {
                tried++;
                accepted += plant_accepted(&c, models[m], r, &path);
            }
            imp_path_clear(&path);
            imp_path_clear(&own);
        }
    ok(tried > 50 && accepted == 0, "the other law's path: %d of %d rejected", tried - accepted,
       tried);
}

/* W = [[1, -.9], [-.9, 1]] along the normals, q = -1/10, e = (1, 0): compression (1, 1) leaves E =
 * -0.1, the whole expansion (1, 0) adds p'u = 0 and 1/2: too much. theta^2 / 2 = 0.1. */
static void test_limit(void) {
    double W[36] = {0}, p[6];
    const double q[6] = {-0.1, 0, 0, -0.1, 0, 0}, mu[2] = {0.5, 0.5}, e[2] = {1, 0},
                 theta = sqrt(0.2);
    for (int i = 0; i < 6; i++)
        W[7 * i] = 1;
    W[3] = W[18] = -0.9;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e};
    for (size_t m = 0; m < 3; m++) {
        imp_path path = {0};
        imp_certificate c;
        ok(imp_solve_certified(models[m], &problem, NULL, p, &path, &c, NULL) == IMP_OK &&
               path.steps == 3,
           "%s: an expansion that must be shortened", models[m]->name);
        is_near(path.impulse[6], theta, 1e-8, 0, "%s: to theta", models[m]->name);
        for (int more = 0; more < 2; more++) {
            /* q and the third step as they have to be from there */
            const double t = theta * (more ? 1.1 : 0.9), gap = 0.9 * t;
            double steps[18] = {1, 0, 0, 1, 0, 0, t, 0, 0, 0, 0, 0, 0, 0, 0, gap, 0, 0}, sum[6];
            char phase[] = "CCXXCC", motion[] = "--";
            steps[12] = fmax(0, (0.81 - 1) * t);
            imp_path other = {0};
            for (int k = 0; k < 3; k++)
                (void)imp_path_add(&other, 2, 1, k ? t : 1, steps + 6 * k, phase + 2 * k, motion);
            for (int i = 0; i < 6; i++)
                sum[i] = steps[i] + steps[6 + i] + steps[12 + i];
            (void)imp_certify(&problem, models[m]->law, NULL, sum, &other, &c);
            double worst = 0, share = 0;
            for (int k = 0; k < c.count; k++) {
                const bool shared = strcmp(c.residual[k].name, "share") == 0;
                if (shared)
                    share = c.residual[k].value;
                else if (strcmp(c.residual[k].name, "energy") != 0)
                    worst = tap_worst(worst, c.residual[k].value);
            }
            ok(share > 1e-3 && worst < 1e-9,
               "%s: %s theta is refused by its share alone (%.1e, rest %.1e)", models[m]->name,
               more ? "a larger" : "a smaller", share, worst);
            imp_path_clear(&other);
        }
        imp_path_clear(&path);
    }
}

/* Energies energy + slope t + curvature t^2 / 2 made to vanish at a given t, from nearly straight
 * ones to nearly 0. */
static void test_affordable(void) {
    double off = 0, most = 0;
    for (uint64_t k = 0; k < 20000; k++) {
        gen_stream s = gen_seed(1203, k);
        const double t = gen_uniform(&s, 1e-3, 1), energy = -gen_power10(&s, -9, 9);
        const double slope = -energy / t * (1 - gen_power10(&s, -12, 12)),
                     curvature = -2 * (energy + slope * t) / t / t;
        off = tap_worst(off, fabs(imp_phases_affordable(energy, slope, curvature) - t) / t);
        most = tap_worst(most, imp_phases_affordable(4 * energy, slope, curvature));
    }
    ok(off <= 16 * DBL_EPSILON, "theta is where the energy is that before the impact: %.1e", off);
    ok(most == 1, "and never more than 1");
    ok(imp_phases_affordable(-1, 0.5, 0.8) == 1 && imp_phases_affordable(-1, 0.5, 1) == 1 &&
           imp_phases_affordable(-1, 0.5, 1.2) < 1,
       "1 up to the last that creates none");
    ok(imp_phases_affordable(0, 1, 1) == 0 && imp_phases_affordable(1, 1, 1) == 0,
       "none where none was spent");
    ok(imp_phases_affordable(1, -1, 4) == 0.5,
       "what is taken back first may be spent: from an energy that counts as 0");
    ok(imp_phases_affordable(0, 0, 0) == 1, "nothing costs nothing");
}

/* A ball of unit mass and radius in a groove at right angles, where W has rank 5: how the contacts
 * share the compression decides the motion after the expansion, and each model of Coulomb's law
 * shares in a way of its own. Without a path both answers are the library's, under the settings of
 * either model. */
static void test_shares(void) {
    static const imp_model *const of[] = {&imp_model_gauss_seidel_coulomb, &imp_model_auto};
    static const double W[36] = {1, 0,  0, 0, 1, 0, 0, 3.5, 0, -1, 2.5, 0, 0, 0, 3.5, 0, 0, 1,
                                 0, -1, 0, 1, 0, 0, 1, 2.5, 0, 0,  3.5, 0, 0, 0, 1,   0, 0, 3.5};
    const double q[6] = {-1.6, -0.8, 3.8, -1.2, -3.6, 0.6}, mu[2] = {1, 1}, e[2] = {1, 1};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e};
    double p[2][6] = {{0}};
    for (int m = 0; m < 2; m++)
        ok(imp_solve(of[m], &problem, NULL, p[m], NULL) == IMP_OK, "%s: a ball in a groove",
           of[m]->name);
    /* u_n of the first contact is q_n + p_1n + p_2t */
    ok(fabs(p[0][0] + p[0][4] - p[1][0] - p[1][4]) > 1e-3, "the motions are not the same");
    for (int asked = 0; asked < 2; asked++) {
        imp_settings presets;
        imp_certificate found;
        imp_model_presets(of[asked], &presets);
        for (int m = 0; m < 2; m++) {
            const imp_status status =
                imp_certify(&problem, of[asked]->law, &presets, p[m], NULL, &found);
            ok(status == IMP_OK && !found.unjudged && found.worst <= 1e-9,
               "settings of %s: the answer of %s is right (%.1e)", of[asked]->name, of[m]->name,
               found.worst);
        }
        double other[6];
        for (int k = 0; k < 6; k++)
            other[k] = 0.5 * (p[0][k] + p[1][k]);
        ok(imp_certify(&problem, of[asked]->law, &presets, other, NULL, &found) == IMP_OK &&
               found.worst > 1e-6,
           "settings of %s: one between them is not", of[asked]->name);
    }
}

int main(void) {
    test_affordable();
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++)
        plant_test(models[m], 600);
    test_other_law();
    test_limit();
    test_shares();
    return tap_done();
}
