/* Answers with more digits than the library's own at its presets are right: what p is held against
 * is no less exact than p, and what rests before and after an impact is measured by what strikes
 * it. */
#include "blocks/springs.h"
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

/* Answers to tolerance `sharp` of bodies whose masses are so many decades apart are held against
 * the library's own at the presets; how far the sharp and the preset ones are off. */
static void test_digits(const imp_model *model, double sharp, int count, double decades) {
    double worst = 0, preset = 0;
    int judged = 0, others = 0;
    for (uint64_t k = 0; k < (uint64_t)count; k++) {
        double e[GEN_MOST_CONTACTS], p[3 * GEN_MOST_CONTACTS] = {0};
        const gen_many g = gen_loose(61, k, 8, 1, decades, e);
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = e};
        imp_settings settings;
        imp_certificate c, own;
        imp_model_presets(model, &settings);
        (void)imp_model_set(model, &settings, "tolerance", sharp);
        if (imp_solve_certified(model, &problem, &settings, p, NULL, &own, NULL) != IMP_OK ||
            own.worst > 1e-10)
            continue;
        if (imp_certify(&problem, model->law, NULL, p, NULL, &c) != IMP_OK || c.unjudged) continue;
        judged++;
        others += c.worst > 1e-3; /* another of several answers */
        if (c.worst <= 1e-3) worst = fmax(worst, c.worst);
        if (imp_solve(model, &problem, NULL, p, NULL) != IMP_OK) continue;
        (void)imp_certify(&problem, model->law, &settings, p, NULL, &c);
        if (c.worst <= 1e-3) preset = fmax(preset, c.worst);
    }
    ok(judged > count / 2 && others <= judged / 20 && worst <= 1e-9 && preset > 1e-9,
       "%s: %d answers to %g are right to %.1e (%d are others), those at the presets to %.1e",
       model->name, judged, sharp, worst, others, preset);
}

/* A ball at rest on the ground, which another strikes: p_n = 1 + e of both, u_n = 0 and e. */
static void test_at_rest(const imp_model *model) {
    static const double W[36] = {1,  0, 0, -1, 0, 0, 0, 3.5, 0, 0, -1, 0, 0, 0, 3.5, 0, 0, -1, //
                                 -1, 0, 0, 2,  0, 0, 0, -1,  0, 0, 7,  0, 0, 0, -1,  0, 0, 7};
    static const double q[6] = {0, 0, 0, -1, 0, 0}, mu[2] = {0.3, 0.3}, e[2] = {0.5, 0.5};
    const imp_operator dense = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &dense, .q = q, .mu = mu, .e = e};
    for (int k = 0; k < 2; k++) {
        const double off = k == 0 ? 1e-12 : 1e-7;
        const double p[6] = {1.5 * (1 + off), 0, 0, 1.5, 0, 0};
        imp_certificate c = {.worst = NAN};
        const bool judged =
            imp_certify(&problem, model->law, NULL, p, NULL, &c) == IMP_OK && !c.unjudged;
        ok(judged && (k == 0 ? c.worst < 1e-9 : c.worst > 0.5 * off),
           "%s: a ball at rest is struck, its push off by %g: %.1e", model->name, off, c.worst);
    }
}

/* A contact that hardly moves beside one that strikes: what that one's push does to it by an
 * entry of 1e-9 does not hide that its own push is off. */
static void test_beside(const imp_model *model) {
    double W[36] = {0}, p[6] = {0};
    static const double q[6] = {-1, 0, 0, -1e-6, 0, 0}, mu[2] = {0.3, 0.3}, e[2] = {0.5, 0.5};
    for (int x = 0; x < 6; x++)
        W[7 * x] = 1;
    W[3] = W[18] = -1e-9;
    const imp_operator dense = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &dense, .q = q, .mu = mu, .e = e};
    imp_certificate c = {.worst = NAN};
    bool right = imp_solve(model, &problem, NULL, p, NULL) == IMP_OK &&
                 imp_certify(&problem, model->law, NULL, p, NULL, &c) == IMP_OK && !c.unjudged;
    const double own = c.worst;
    p[3] *= 0.999;
    right = right && imp_certify(&problem, model->law, NULL, p, NULL, &c) == IMP_OK;
    ok(right && own < 1e-9 && c.worst > 1e-4,
       "%s: a slow contact beside a fast one: right to %.1e, with its push off by 1e-3 to %.1e",
       model->name, own, c.worst);
}

int main(void) {
    test_digits(&imp_model_auto, 1e-14, tap_many(80, 300), 8);
    test_digits(&imp_model_gauss_seidel_maxdiss, 1e-14, tap_many(80, 300), 8);
    test_digits(&imp_model_springs, 1e-12, tap_many(12, 30), 4);
    static const imp_model *const models[] = {&imp_model_auto, &imp_model_gauss_seidel_maxdiss,
                                              &imp_model_poisson, &imp_model_drumwright};
    for (int k = 0; k < 4; k++) {
        test_at_rest(models[k]);
        test_beside(models[k]);
    }
    return tap_done();
}
