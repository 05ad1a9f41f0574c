/* test_coulomb_model.c - the model of Coulomb friction: which of the solutions it chooses, what it
 * and the enumeration refuse, and what the certificate refuses. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

static void choices(void) {
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const imp_coulomb_kind slips[] = {IMP_SLIP, IMP_SLIP, IMP_SLIP},
                           jam[] = {IMP_STICK, IMP_SLIP, IMP_ZERO};
    const imp_coulomb_kind two[] = {IMP_SEGMENT, IMP_SEGMENT},
                           fork[] = {IMP_STICK, IMP_SLIP, IMP_SLIP};
    const struct {
        const char *name;
        const imp_coulomb_kind *kind;
        int count, row[6]; /* by choice, in their order */
    } want[] = {{"slip slip slip", slips, 3, {0, 1, 2, 0, 0, 2}},
                {"stick slip zero", jam, 3, {0, 1, 2, 2, 1, 1}},
                {"segment segment", two, 2, {0, 0, 1, 1, 0, 0}},
                {"stick slip slip", fork, 3, {0, 1, 2, 0, 1, 2}},
                {"stick", jam, 1, {0, 0, 0, 0, 0, 0}}};
    for (int i = 0; i < 5; i++) {
        imp_coulomb_set set = {.count = want[i].count};
        for (int k = 0; k < set.count; k++)
            set.solution[k].kind = want[i].kind[k];
        bool good = true;
        for (int choice = 0; choice < 6; choice++)
            good =
                good && imp_coulomb_choose(&set, (imp_coulomb_choice)choice) == want[i].row[choice];
        ok(good, "choices of %s", want[i].name);
    }
    const imp_operator op = imp_operator_dense(1, W);
    const double q[3] = {-1, -3, -4}, mu = 2, e = 0.5, none = 0;
    imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu, .e = &none};
    imp_info info = {0};
    double p[3] = {NAN, NAN, NAN};
    const double want_p[3] = {1, 1.2, 1.6};
    ok(imp_solve(&imp_model_coulomb, &problem, NULL, p, &info) == IMP_OK && info.solutions == 1,
       "the model solves");
    is_vec(p, want_p, 3, 0, 1e-15, "its impulse");
    problem.e = &e;
    ok(imp_solve(&imp_model_coulomb, &problem, NULL, p, &info) == IMP_UNSUPPORTED,
       "restitution is not supported");
}

/* The model on data that imp_solve would refuse, and beyond double. */
static void model_alone(void) {
    const double flat[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1}, q[3] = {-1, 3, 4}, mu = 1,
                 soft[9] = {1e-200, 0, 0, 0, 1e-200, 0, 0, 0, 1e-200}, fast[3] = {-1e150, 1, 1};
    const imp_operator singular = imp_operator_dense(1, flat), light = imp_operator_dense(1, soft);
    const imp_problem bad = {.nc = 1, .W = &singular, .q = q, .mu = &mu},
                      beyond = {.nc = 1, .W = &light, .q = fast, .mu = &mu};
    double p[3] = {7, 8, 9};
    imp_info info = {0};
    imp_settings presets;
    imp_model_presets(&imp_model_coulomb, &presets);
    ok(imp_model_coulomb.solve(&bad, &presets, p, NULL, &info) == IMP_NOT_POSITIVE && p[0] == 7 &&
           p[2] == 9,
       "the model leaves p alone where there is no answer");
    ok(imp_model_coulomb.solve(&beyond, &presets, p, NULL, &info) == IMP_OVERFLOW && p[0] == 0 &&
           p[2] == 0,
       "and writes 0 for impulses beyond double");
}

static void refusals(void) {
    const double E[6] = {1, 0, 0, 1, 0, 1}, q[3] = {-1, -3, -4};
    enum { MARK = 77 };
    imp_coulomb_set set;
    memset(&set, MARK, sizeof set);
    for (int i = 0; i < 10; i++) {
        double W[6], v[3], mu = 1;
        memcpy(W, E, sizeof W);
        memcpy(v, q, sizeof v);
        *(i < 6 ? &W[i] : i < 9 ? &v[i - 6] : &mu) = i % 2 ? NAN : INFINITY;
        ok(imp_coulomb_enumerate(W, v, mu, &set) == IMP_NOT_FINITE, "not finite, datum %d", i);
    }
    const double bad[][6] = {{1, 1, 0, 1, 0, 1},
                             {0, 0, 0, 1, 0, 1},
                             {1, 0, 0, 1, 1, 1},
                             {1, 0, 0, -1, 0, -1},
                             {1, 0, 0, 1, 0, -1},
                             {1, .8, .8, 1, 0, 1},
                             {-1, 0, 0, 1, 0, 1},
                             {18, 0, -18, 9, 0, 18},
                             {0.44789570699819758, 0.43822706637544956, -0.52353629949790981,
                              0.51427494441980071, -0.75620399351434897, 1.3080390913873887}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(imp_coulomb_enumerate(bad[i], q, 1, &set) == IMP_NOT_POSITIVE,
           "not positive definite %zu", i);
    ok(imp_coulomb_enumerate(E, q, -1, &set) == IMP_BAD_FRICTION, "negative friction");
    const double soft[6] = {1e-200, 0, 0, 1e-200, 0, 1e-200}, fast[3] = {-1e150, 1, 1},
                 stiff[6] = {1e200, 0, 0, 1e200, 0, 1e200};
    const double slow[3] = {-1e-150, 1e-150, 0};
    ok(imp_coulomb_enumerate(soft, fast, 1, &set) == IMP_OVERFLOW, "an impulse beyond double");
    const double soft_n[6] = {1e-305, 0, 0, 1, 0, 1}, straight[3] = {-1e5, 1, 1};
    ok(imp_coulomb_enumerate(soft_n, straight, 1e-300, &set) == IMP_OVERFLOW,
       "its normal part alone");
    const double soft_all[6] = {0x1p-500, 0, 0, 0x1p-500, 0, 0x1p-500},
                 onto[3] = {-2.6 * 0x1p523, 0x1p520, 0x1p519};
    ok(imp_coulomb_enumerate(soft_all, onto, 1, &set) == IMP_OVERFLOW,
       "the same where friction is a number");
    ok(imp_coulomb_enumerate(stiff, slow, 1, &set) == IMP_OVERFLOW, "impulses below double");
    const double sphere[6] = {1, 0.25, 0, 3, 0, 3}, grazing[3] = {-0x1p-1074, 0x1p40, 0};
    ok(imp_coulomb_enumerate(sphere, grazing, 1, &set) == IMP_OVERFLOW,
       "an approach that is nothing beside the slip");
    const double light[6] = {0x1p-200, 0, 0, 1, 0, 1}, away[3] = {-0x1p900, 0x1p1023, 0x1p1023};
    ok(imp_coulomb_enumerate(light, away, 0x1p-100, &set) == IMP_OVERFLOW, "a force beyond it");
    const double lever[6] = {1, 5e4, 0, 1e10, 0, 1}, blow[3] = {-1e305, 0, 0};
    ok(imp_coulomb_enumerate(lever, blow, 0, &set) == IMP_OVERFLOW, "a slip that it leaves");
    bool untouched = true;
    for (size_t i = 0; i < sizeof set; i++)
        untouched = untouched && ((const unsigned char *)&set)[i] == MARK;
    ok(untouched, "and the set was left alone");
    ok(strcmp(imp_coulomb_kind_text((imp_coulomb_kind)9), "unknown") == 0, "a kind that is none");
}

/* The certificate refuses what is nearly an answer, and names what is wrong with it. */
static void certificate_refuses(void) {
    static const char *const law[] = {"signorini", "restitution", "cone", "slip"};
    double least[6] = {1, 1, 1, 1, 1, 1};
    int slips = 0;
    for (uint64_t k = 0; k < 300; k++) {
        const gen_problem g = gen_make(GEN_FREE_BOX_1, k);
        imp_coulomb_set set;
        gen_dense d;
        gen_dense_of(&g, &d);
        if (imp_coulomb_enumerate(g.W, g.q, g.mu, &set) != IMP_OK ||
            set.solution[0].kind != IMP_SLIP)
            continue;
        slips++;
        const double *x = set.solution[0].p;
        const double wrong[6][3] = {
            {x[0], -x[1], -x[2]},                           /* friction along the slip */
            {x[0], x[1] - 1e-6 * x[2], x[2] + 1e-6 * x[1]}, /* turned */
            /* inside the cone while it slips */
            {x[0], x[1] * (1 - 1e-6), x[2] * (1 - 1e-6)},
            {x[0], x[1] * (1 + 1e-6), x[2] * (1 + 1e-6)},              /* outside */
            {x[0] * (1 + 1e-6), x[1] * (1 + 1e-6), x[2] * (1 + 1e-6)}, /* bounces */
            {0, 0, 0},                                                 /* penetrates */
        };
        for (int i = 0; i < 6; i++) {
            imp_certificate c = {.worst = 0};
            imp_certify(&d.problem, &imp_law_coulomb, NULL, wrong[i], NULL, &c);
            least[i] = fmin(least[i], c.worst);
        }
    }
    static const double at_least[6] = {0.1, 1e-8, 1e-8, 5e-7, 1e-8, 0.5};
    for (int i = 0; i < 6; i++)
        ok(slips > 100 && least[i] >= at_least[i],
           "wrong answer %d of %d is refused with at least %.1e", i, slips, least[i]);
    imp_certificate c = {.count = 0};
    const double E[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {1, 2, 0}, mu = 1e8,
                 p[3] = {1e-9, -0.09, 0};
    const imp_operator op = imp_operator_dense(1, E);
    const imp_problem opening = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    imp_certify(&opening, &imp_law_coulomb, NULL, p, NULL, &c);
    ok(c.residual[1].value > 1e-3,
       "friction on a contact that opens, however small p_n is beside it");
    for (int i = 0; i < 4; i++)
        ok(i < c.count && strcmp(c.residual[i].name, law[i]) == 0, "residual %s", law[i]);
}

int main(void) {
    choices();
    refusals();
    model_alone();
    certificate_refuses();
    return tap_done();
}
