/* test_law.c - certificates of one contact on answers made by hand: right ones pass, each wrong one
 * fails by the amount it is wrong. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

/* One contact with a dense W, on the stack of a test. */
typedef struct one {
    double W[9], q[3], mu, e;
} one;

static imp_status certify(const one *c, const imp_law *law, const double p[3],
                          imp_certificate *result) {
    const imp_operator W = imp_operator_dense(1, c->W);
    const imp_problem problem = {.nc = 1, .W = &W, .q = c->q, .mu = &c->mu, .e = &c->e};
    return imp_certify(&problem, law, NULL, p, NULL, result);
}

/* The named residual; NaN, which passes no comparison, where the law has none of that name. */
static double residual(const one *c, const imp_law *law, const double p[3], const char *name) {
    imp_certificate result;
    if (certify(c, law, p, &result) != IMP_OK) return NAN;
    return imp_certificate_residual(&result, name);
}

static double worst(const one *c, const imp_law *law, const double p[3]) {
    imp_certificate result;
    return certify(c, law, p, &result) == IMP_OK ? result.worst : NAN;
}

/* A sphere: W = diag(1, 3.5, 3.5). Slipping along (5, -3)/sqrt(34), its answer is known in closed
 * form. */
static const one slipping = {{1, 0, 0, 0, 3.5, 0, 0, 0, 3.5}, {-1, -5, 3}, 0.3, 0};
static const one sticking = {{1, 0, 0, 0, 3.5, 0, 0, 0, 3.5}, {-1, -0.5, 0.3}, 0.3, 0};
static const one parting = {
    {2, 0.5, -0.25, 0.5, 3, 0.75, -0.25, 0.75, 4}, {1, -0.5, -0.25}, 0.5, 0};
/* Resting, eccentricity 5/3: the cone opens along two rays, and the better one is not the paper's
 * (eq. 9). */
static const one resting = {{1, -1, 0, -1, 2, 2, 0, 2, 5}, {0, 0.75, 1.375}, 5 / 3.0, 0};

static void test_right(void) {
    const imp_law *const laws[] = {&imp_law_maxdiss, &imp_law_coulomb};
    const double slide[3] = {1, 0.3 * 5 / sqrt(34), -0.3 * 3 / sqrt(34)},
                 stick[3] = {1, 0.5 / 3.5, -0.3 / 3.5};
    const double nothing[3] = {0}, ray[3] = {39 / 164.0, 39 / 164.0, -13 / 41.0};
    for (int k = 0; k < 2; k++) {
        ok(worst(&slipping, laws[k], slide) < 4e-16, "%s: a slipping sphere", laws[k]->name);
        ok(worst(&sticking, laws[k], stick) < 4e-16, "%s: a sticking sphere", laws[k]->name);
        ok(worst(&parting, laws[k], nothing) == 0, "%s: a parting contact takes no impulse",
           laws[k]->name);
    }
    ok(worst(&resting, &imp_law_maxdiss, ray) < 4e-16,
       "maxdiss: the better ray of a contact at rest");
    ok(worst(&resting, &imp_law_coulomb, nothing) == 0, "coulomb: at rest, nothing is an answer");
    ok(worst(&resting, &imp_law_maxdiss, nothing) > 0.1,
       "maxdiss: at rest, nothing is none when a ray descends");
    one bouncing = slipping;
    bouncing.e = 0.5; /* the plane moves to 1.5, and with it the cone */
    const double bounce[3] = {1.5, 1.5 * slide[1], 1.5 * slide[2]};
    ok(worst(&bouncing, &imp_law_maxdiss, bounce) < 4e-16,
       "maxdiss: half the approach comes back at e = 1/2");
    ok(worst(&bouncing, &imp_law_maxdiss, slide) > 0.1, "maxdiss: and none of it is wrong");
}

static void test_wrong(void) {
    const double y = 0.3 * 5 / sqrt(34), z = -0.3 * 3 / sqrt(34);
    const double weak[3] = {0.99, 0.99 * y, 0.99 * z}, nothing[3] = {0}, pulls[3] = {-1, 0, 0};
    const double outside[3] = {1, 1.01 * y, 1.01 * z}, inside[3] = {1, 0.9 * y, 0.9 * z},
                 flipped[3] = {1, -y, -z};
    const double turned[3] = {1, y - 1e-6 * z, z + 1e-6 * y}, pushed[3] = {1, 0, 0};
    const imp_law *const laws[] = {&imp_law_maxdiss, &imp_law_coulomb};
    for (int k = 0; k < 2; k++) {
        const imp_law *law = laws[k];
        const char *name = law->name, *direction = k == 0 ? "stationarity" : "slip";
        ok(residual(&slipping, law, weak, "restitution") > 0.002 ||
               residual(&slipping, law, weak, "signorini") > 0.002,
           "%s: 1 %% too weak still penetrates", name);
        ok(worst(&slipping, law, nothing) > 0.4, "%s: no impulse on a closing contact", name);
        is_near(residual(&slipping, law, pulls, "signorini"), 1, 0, 1e-15, "%s: pulling", name);
        is_near(residual(&slipping, law, outside, "cone"), 0.01 / 1.01, 1e-15, 0,
                "%s: 1 %% out of the cone", name);
        ok(residual(&slipping, law, inside, direction) > 0.05,
           "%s: slip with less friction than there is", name);
        ok(residual(&slipping, law, flipped, direction) > 0.1, "%s: friction along the slip", name);
        const double small = residual(&slipping, law, turned, direction);
        ok(small > 1e-7 && small < 2e-6, "%s: friction turned by 1e-6 shows as %.1e", name, small);
        ok(worst(&parting, law, pushed) > 0.1, "%s: a push on a parting contact", name);
    }
    /* p_t = 5 / 3.5 stops the slip along t: u_f = (0, 3), which `slip` is over the root of the
     * squares of the tangents' sizes, 5 + 5 and 3 + 0 */
    const double half[3] = {1, 5 / 3.5, 0};
    is_near(residual(&slipping, &imp_law_coulomb, half, "slip"), 3 / sqrt(109), 0, 1e-15,
            "coulomb: slip is over the root of the squares of both tangents' sizes");
    /* friction that could stop the slip just so, and does not: 1e-5 short of its limit, a slip of
     * 1e-5 is left */
    const one grasped = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, 0.5, 0}, 0.5, 0};
    const double creeps[3] = {1, -0.5 + 1e-5, 0}, holds[3] = {1, -0.5, 0};
    is_near(residual(&grasped, &imp_law_coulomb, creeps, "slip"), 1e-5 / (1 - 1e-5), 1e-15, 0,
            "coulomb: a slip beside idle friction is no rounding of their product");
    is_near(residual(&grasped, &imp_law_pyramid, creeps, "slip"), 1e-5 / hypot(1 - 1e-5, 2e-4),
            1e-15, 0, "pyramid: nor is it there");
    ok(worst(&grasped, &imp_law_coulomb, holds) == 0, "coulomb: friction at its limit holds");
    ok(worst(&grasped, &imp_law_pyramid, holds) < 4e-16, "pyramid: friction at its limit holds");
    const double ray[3] = {39 / 164.0, 39 / 164.0, -13 / 41.0};
    ok(worst(&resting, &imp_law_coulomb, ray) > 0.01,
       "coulomb: the ray of maximum dissipation slips askew");
    is_near(residual(&slipping, &imp_law_maxdiss, weak, "restitution"), 0.01 / (0.99 + 1 + 1),
            1e-15, 0, "maxdiss: rho_plane is |a_n.x - plane| / (S_n + |plane|)");
}

/* The bounds hold for any feasible answer of the slipping sphere, whose optimum is known. */
static void test_bounds(void) {
    const double best[3] = {1, 0.3 * 5 / sqrt(34), -0.3 * 3 / sqrt(34)};
    imp_certificate of_best, result;
    (void)certify(&slipping, &imp_law_maxdiss, best, &of_best);
    is_near(of_best.energy, -0.5 + 3.5 * 0.045 - 0.3 * sqrt(34), 0, 4e-16,
            "the energy of the slipping sphere");
    ok(of_best.energy_excess < 1e-13,
       "nothing better than the answer is possible, but for rounding");
    gen_stream s = gen_seed(705, 0);
    bool energy = true, distance = true, tight = true;
    for (int k = 0; k < 2000; k++) {
        const double angle = gen_uniform(&s, 0, 6.283), r = 0.3 * sqrt(gen_uniform(&s, 0, 1));
        const double near = gen_power10(&s, -8, 0);
        double p[3] = {1, r * cos(angle), r * sin(angle)};
        for (int i = 1; i < 3; i++) /* from everywhere to very close */
            p[i] = best[i] + near * (p[i] - best[i]);
        if (certify(&slipping, &imp_law_maxdiss, p, &result) != IMP_OK) energy = false;
        const double excess = result.energy - of_best.energy;
        const double apart = sqrt(3.5) * hypot(p[1] - best[1], p[2] - best[2]);
        energy = energy && excess <= result.energy_excess + 1e-15;
        distance = distance && apart <= result.velocity_excess + 1e-12;
        tight = tight && isfinite(result.energy_excess);
    }
    ok(energy, "energy above the optimum is within its bound");
    ok(distance, "the distance from the optimum is within its bound");
    ok(tight, "both are finite");
}

/* Residuals have no unit: powers of two in W and q leave every bit of them. */
static void test_scales(void) {
    static const double scales[] = {0x1p-498, 0x1p-60, 1, 0x1p60, 0x1p498};
    const imp_law *const laws[] = {&imp_law_maxdiss, &imp_law_coulomb};
    for (int l = 0; l < 2; l++) {
        bool same = true, finite = true;
        for (uint64_t k = 0; k < 50; k++) {
            const gen_problem g = gen_make(k % 2 ? GEN_SPD_4 : GEN_FREE_BOX_5, k);
            const one c = {{g.W[0], g.W[1], g.W[2], g.W[1], g.W[3], g.W[4], g.W[2], g.W[4], g.W[5]},
                           {g.q[0], g.q[1], g.q[2]},
                           g.mu,
                           0};
            gen_stream s = gen_seed(706, k);
            const double pn = -g.q[0] / g.W[0], pt = g.mu * pn * gen_uniform(&s, -1, 1);
            const double p[3] = {pn, pt, 0.5 * pt};
            imp_certificate plain, scaled;
            (void)certify(&c, laws[l], p, &plain);
            for (int i = 0; i < 25; i++) {
                const double w = scales[i / 5], v = scales[i % 5];
                one d = c;
                double r[3];
                for (int j = 0; j < 9; j++)
                    d.W[j] *= w;
                for (int j = 0; j < 3; j++) {
                    d.q[j] *= v;
                    r[j] = p[j] * (v / w);
                }
                finite = finite && certify(&d, laws[l], r, &scaled) == IMP_OK;
                for (int j = 0; j < plain.count; j++)
                    same = same && scaled.residual[j].value == plain.residual[j].value;
            }
        }
        ok(finite && same,
           "%s: residuals are the same bits at scales of W and q from 1e-150 to 1e150",
           laws[l]->name);
    }
}

static void test_refusals(void) {
    one c = slipping;
    const double good[3] = {1, 0, 0};
    const imp_certificate before = {.count = -7};
    imp_certificate result = before;
    const imp_operator W = imp_operator_dense(1, c.W);
    imp_problem problem = {.nc = 1, .W = &W, .q = c.q, .mu = &c.mu, .e = &c.e};
    for (int i = 0; i < 3; i++) {
        double p[3] = {1, 0, 0};
        p[i] = i == 1 ? -INFINITY : NAN;
        ok(imp_certify(&problem, &imp_law_maxdiss, NULL, p, NULL, &result) == IMP_NOT_FINITE,
           "p[%d] not finite", i);
    }
    c.W[4] = NAN;
    ok(imp_certify(&problem, &imp_law_maxdiss, NULL, good, NULL, &result) == IMP_NOT_FINITE,
       "W not finite, p_t = 0 there");
    c.W[4] = 3.5;
    c.q[2] = NAN;
    ok(imp_certify(&problem, &imp_law_coulomb, NULL, good, NULL, &result) == IMP_NOT_FINITE,
       "q not finite");
    c.q[2] = 3;
    c.mu = NAN;
    ok(imp_certify(&problem, &imp_law_coulomb, NULL, good, NULL, &result) == IMP_NOT_FINITE,
       "mu not finite");
    c.mu = -1;
    ok(imp_certify(&problem, &imp_law_coulomb, NULL, good, NULL, &result) == IMP_BAD_FRICTION,
       "negative friction");
    c.mu = 0.3;
    c.e = 2;
    ok(imp_certify(&problem, &imp_law_coulomb, NULL, good, NULL, &result) == IMP_BAD_RESTITUTION,
       "restitution above 1");
    c.e = 0.5;
    ok(imp_certify(&problem, &imp_law_coulomb, NULL, good, NULL, &result) == IMP_UNSUPPORTED,
       "restitution, of which the law does not speak");
    ok(imp_certify(&problem, imp_model_find("lzb")->law, NULL, good, NULL, &result) ==
           IMP_UNSUPPORTED,
       "friction, of which the law does not speak");
    c.e = 0;
    ok(imp_certify(NULL, &imp_law_coulomb, NULL, good, NULL, &result) == IMP_BAD_ARGUMENT &&
           imp_certify(&problem, NULL, NULL, good, NULL, &result) == IMP_BAD_ARGUMENT &&
           imp_certify(&problem, &imp_law_coulomb, NULL, NULL, NULL, &result) == IMP_BAD_ARGUMENT &&
           imp_certify(&problem, &imp_law_coulomb, NULL, good, NULL, NULL) == IMP_BAD_ARGUMENT,
       "nothing to judge, no law, no answer, no place for the result");
    ok(memcmp(&result, &before, sizeof result) == 0, "the result is untouched by all of these");
    ok(imp_certify(&problem, &imp_law_coulomb, NULL, good, NULL, &result) == IMP_OK &&
           result.count > 0,
       "then it is filled");
}

/* An impulse along a tangent alone, and friction that is less than the least number. */
static void test_little(void) {
    const double along_t[3] = {0, 0.1, 0}, along_o[3] = {0, 0, -0.1}, push[3] = {1, 0, 0};
    ok(residual(&parting, &imp_law_coulomb, along_t, "cone") == 1 &&
           residual(&parting, &imp_law_coulomb, along_o, "cone") == 1,
       "friction without a push is all beyond its limit");
    one slippery = slipping;
    slippery.mu = 0x1p-1074;
    slippery.q[1] = -40;
    ok(worst(&slippery, &imp_law_coulomb, push) == 0,
       "of friction that no double holds there is none to direct");
    const one faint = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1e150, 1e-150, 0}, 1e-30, 0};
    const double slips[3] = {1e150, 0, 0}, sticks[3] = {1e150, -1e-150, 0};
    ok(residual(&faint, &imp_law_coulomb, slips, "slip") == 1 &&
           residual(&faint, &imp_law_coulomb, sticks, "slip") == 0,
       "a slip and a friction whose product no double holds");
    const one lost = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1e-200, 1e200, 0}, 1, 0};
    const double none[3] = {0, 0, 0}, slides[3] = {1e-200, -1e-200, 0};
    imp_certificate unseen;
    ok(worst(&lost, &imp_law_maxdiss, slides) == INFINITY &&
           certify(&lost, &imp_law_maxdiss, none, &unseen) == IMP_OK && unseen.worst == INFINITY &&
           unseen.energy_excess == INFINITY,
       "an approach that is lost beside the slip: nothing is accepted, no bound is given");
    const imp_law silent = {.name = "silent", .statement = "nothing"};
    imp_certificate result = {.count = -7};
    ok(certify(&slipping, &silent, push, &result) == IMP_BAD_ARGUMENT && result.count == -7,
       "a law that says nothing of an answer is none");
    const imp_operator W = imp_operator_dense(1, slipping.W);
    const imp_problem problem = {.nc = 1, .W = &W, .q = slipping.q, .mu = &slipping.mu};
    imp_certificate leant = {0}, plain;
    (void)certify(&slipping, &imp_law_coulomb, push, &plain);
    ok(imp_certificate_note_law(&leant, &imp_law_coulomb, &problem, NULL, push) == IMP_OK &&
           leant.worst == plain.worst && leant.worst > 0.1,
       "what leans on a law that asks each contact by itself");
}

/* One wrong answer for each law and sign, with the value that impact-laws(7) gives it: to a sphere,
 * u_n = p_n - 1. */
static void test_manual(void) {
    const double weak[3] = {0.8, 0, 0}, pulls[3] = {-1, 0, 0}, wide[3] = {1, 0.27, 0.27},
                 across[3] = {1, 0, -0.3};
    const double circle = hypot(0.27, 0.27), polygon = 0.27 + 0.27, size_n = 1 + 0.8;
    for (const imp_model *const *m = imp_models; *m; m++) {
        const imp_law *law = (*m)->law;
        const bool open = law == &imp_law_single_phase || law == &imp_law_poisson ||
                          strncmp(law->name, "maxdiss", 7) == 0;
        const double friction = law == &imp_law_pyramid ? polygon : circle;
        one posed = slipping;
        if (!(law->reads & IMP_READS_FRICTION)) posed.mu = 0;
        is_near(residual(&posed, law, weak, "signorini"), open ? 0 : 0.2 / size_n, 1e-15, 0,
                "%s: approach", law->name);
        is_near(residual(&posed, law, pulls, "signorini"), 1, 1e-15, 0, "%s: pull", law->name);
        if (law == &imp_law_frictionless)
            is_near(residual(&posed, law, wide, "friction"), circle, 1e-15, 0, "%s: friction",
                    law->name);
        else
            is_near(residual(&posed, law, wide, "cone"), (friction - posed.mu) / friction, 1e-15, 0,
                    "%s: cone", law->name);
    }
    const imp_law *pyramid = &imp_law_pyramid;
    is_near(residual(&slipping, pyramid, weak, "restitution"), 0.2 / size_n, 1e-15, 0,
            "pyramid: neither open nor shut");
    is_near(residual(&slipping, pyramid, across, "slip"), (5 - 1.95) / hypot(5, 4.05), 1e-15, 0,
            "pyramid: power left unused");
    const imp_operator W = imp_operator_dense(1, slipping.W);
    const double mu_v = 0.01, limit = 0.3 + 0.01 * hypot(5, 3);
    const imp_problem viscous = {
        .nc = 1, .W = &W, .q = slipping.q, .mu = &slipping.mu, .mu_v = &mu_v};
    imp_certificate c;
    ok(imp_certify(&viscous, &imp_law_convex, NULL, wide, NULL, &c) == IMP_OK &&
           strcmp(c.residual[1].name, "cone") == 0,
       "convex: a limit with viscous friction");
    is_near(c.residual[1].value, (circle - limit) / circle, 1e-15, 0, "convex: cone");
    ok(imp_certificate_residual(&c, "cone") == c.residual[1].value &&
           isnan(imp_certificate_residual(&c, "con")) &&
           isnan(imp_certificate_residual(&c, "path")),
       "a residual by its name, and none where the certificate has none");
}

/* Answers off by the root of a tolerance of 1e-9, or by what coupling makes of it: their residuals
 * are as large as they are wrong. */
static void test_forged(void) {
    /* either of the two corners that friction lies between may be the wrong one */
    for (int k = 0; k < 2; k++) {
        one turned = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1}, 1, 0};
        double right[3] = {1}, forged[3] = {1};
        turned.q[1 + k] = -3.00001, turned.q[2 - k] = -2;
        right[1 + k] = 1, forged[1 + k] = 0.99995, forged[2 - k] = 5e-5;
        ok(worst(&turned, &imp_law_pyramid, right) < 1e-15 &&
               residual(&turned, &imp_law_pyramid, forged, "slip") > 1e-5,
           "pyramid: 5e-5 of friction on a corner that has 1e-5 less power, %d", k);
    }
    /* at rest, where the cone is cut in a hyperbola: inside its wedge friction still slips */
    const one wedge = {{1, -1, 0, -1, 3, 0, 0, 0, 3}, {0, -1, -0.8}, 2, 0};
    const double least[3] = {0.5, 0.5, 4 / 15.0},
                 inside[3] = {0.5269876960402426, 0.5269876960402426, 0.04224918575910825};
    ok(worst(&wedge, &imp_law_maxdiss, least) < 1e-15 &&
           residual(&wedge, &imp_law_maxdiss, inside, "stationarity") > 0.1,
       "maxdiss: an impulse inside the wedge that leaves a slip");
    const imp_law *const energetic[] = {imp_model_darboux_stronge.law,
                                        imp_model_planar_stronge.law};
    for (int k = 0; k < 2; k++) {
        int wrong = 0;
        for (int d = 3; d <= 15; d += 3) {
            const one soft = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, 0.3, 0}, 0, pow(10, -d)};
            const double bounce[3] = {1 + soft.e, 0, 0}, more[3] = {1 + soft.e + 1e-6, 0, 0};
            wrong += !(worst(&soft, energetic[k], bounce) < 1e-15 &&
                       residual(&soft, energetic[k], more, "stopping") > 1e-7);
        }
        ok(wrong == 0, "%s: 1e-6 of the approach too much, whatever e", energetic[k]->name);
    }
    /* the impact slides to its end: friction is -mu p_n, u_n = .5, of which 1e-3 N s are 9e-4 */
    const imp_law *const laws[] = {imp_model_darboux_stronge.law, imp_model_darboux_poisson.law};
    const double p_n = 1.5 / (1e-6 - 9e-9);
    for (int k = 0; k < 4; k++) {
        const int axis = 1 + k / 2;
        one coupled = {{1e-6, 0, 0, 0, 1e6, 0, 0, 0, 1e6}, {-1}, 1e-8, 0.5};
        double slid[3] = {p_n}, less[3] = {p_n};
        coupled.W[axis] = coupled.W[3 * axis] = 0.9, coupled.q[axis] = 1e12;
        slid[axis] = -1e-8 * p_n, less[axis] = -1e-8 * p_n + 1e-3;
        ok(worst(&coupled, laws[k % 2], slid) < 1e-12 &&
               residual(&coupled, laws[k % 2], less, "path") > 1e-4,
           "%s: friction along axis %d counts by what it does to the normal, too",
           laws[k % 2]->name, axis);
    }
}

/* A hammer that is struck beside its head: friction turns it, and what both impulses do to u_n
 * cancels to one part in `ratio`. Half of the right impulse leaves half of the approach, which is
 * little beside the terms of u_n, and all of the data. */
static void test_hidden(void) {
    static const char *const models[] = {"coulomb",  "maxdiss", "auto",   "moreau",
                                         "anitescu", "plus",    "newton", "sequential"};
    int taken = 0, refused = 0;
    for (int k = 0; k < 8; k++)
        for (int d = 13; d <= 33; d += 5) {
            const imp_law *law = imp_model_find(models[k])->law;
            const double ratio = ldexp(1, d);
            const one hammer = {{1, -2, 0, -2, 4 + 4 / ratio, 0, 0, 0, 1}, {-1, 0, 0}, 1, 0};
            const double right[3] = {1 + ratio, ratio / 2, 0},
                         half[3] = {(1 + ratio) / 2, ratio / 4, 0};
            taken += !(worst(&hammer, law, half) > 1e-4);
            refused += !(worst(&hammer, law, right) <= 1e-9);
        }
    ok(taken == 0, "half of an impulse whose work cancels is none, by eight laws");
    ok(refused == 0, "all of it is one");
}

int main(void) {
    test_right();
    test_wrong();
    test_hidden();
    test_bounds();
    test_scales();
    test_refusals();
    test_little();
    test_forged();
    test_manual();
    return tap_done();
}
