/* test_law_many.c - certificates of several contacts on answers made by hand: what a contact meets
 * of the others, which one is at fault, and that nothing hides where pushes cancel. */
#include "blocks/lzb.h"
#include "blocks/moreau.h"
#include "blocks/springs.h"
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

/* The problem of contact i alone: v is what the other impulses and q leave it. */
static void test_local(void) {
    const gen_many m = gen_bodies(1, 4);
    const imp_operator W = imp_operator_dense(m.nc, m.W);
    const double e[4] = {0.1, 0.2, 0.3, 0.4};
    const imp_problem problem = {.nc = m.nc, .W = &W, .q = m.q, .mu = m.mu, .e = e};
    double p[12], off = 0;
    for (int k = 0; k < 12; k++)
        p[k] = k - 5;
    for (int i = 0; i < 4; i++) {
        const imp_local c = imp_local_problem(&problem, p, i);
        double most = 0;
        off = tap_worst(off, fabs(c.mu - m.mu[i]) + fabs(c.e - e[i]));
        for (int r = 0; r < 3; r++) {
            double others = m.q[3 * i + r], size = fabs(m.q[3 * i + r]);
            for (int j = 0; j < 12; j++) {
                const double term = m.W[(3 * i + r) * 12 + j] * p[j];
                size += fabs(term);
                if (j / 3 == i)
                    off = tap_worst(off, fabs(c.A[3 * r + j % 3] - m.W[(3 * i + r) * 12 + j]));
                else
                    others += term;
            }
            off = tap_worst(off, fabs(c.v[r] - others) + fabs(c.p[r] - p[3 * i + r]));
            most = fmax(most, size);
        }
        for (int r = 0; r < 3; r++)
            off = tap_worst(off, fabs(c.size[r] - most));
        off = tap_worst(off, fabs(c.push * (c.A[0] + c.A[4] + c.A[8]) / 3 - most));
    }
    ok(off < 1e-13, "a contact's own problem, all other impulses held");
}

static void test_notes(void) {
    imp_certificate c = {0};
    imp_certificate_note(&c, "a", 0.5, 0);
    imp_certificate_note(&c, "b", 0.25, 0);
    imp_certificate_note(&c, "a", 0.1, 1);
    imp_certificate_note(&c, "b", 0.75, 2);
    ok(c.count == 2 && c.residual[0].value == 0.5 && c.residual[1].value == 0.75,
       "the largest of each name is kept");
    ok(c.worst == 0.75 && c.contact == 2, "the largest of all and its contact");
    const char elsewhere[] = "a"; /* as a plugin has it */
    imp_certificate_note(&c, elsewhere, 0.6, 3);
    ok(c.count == 2 && c.residual[0].value == 0.6, "a name is its text");
    imp_certificate_note(&c, "a", NAN, 3);
    ok(c.residual[0].value == INFINITY && c.worst == INFINITY && c.contact == 3,
       "NaN is as bad as can be");

    /* four slipping spheres' worth of contacts that do not interact, the third answered wrongly */
    const double slipping[3] = {-1, -5, 3};
    gen_many m = gen_bodies(0, 4);
    memset(m.W, 0, sizeof m.W);
    for (int i = 0; i < 12; i++) {
        m.W[13 * i] = i % 3 ? 3.5 : 1;
        m.q[i] = slipping[i % 3];
    }
    const double mu[4] = {0, 0, 0, 0};
    double p[12] = {1, 0, 0, 1, 0, 0, 1.5, 0, 0, 1, 0, 0};
    const imp_operator W = imp_operator_dense(4, m.W);
    const imp_problem problem = {.nc = 4, .W = &W, .q = m.q, .mu = mu};
    ok(imp_certify(&problem, &imp_law_maxdiss, NULL, p, NULL, &c) == IMP_OK && c.contact == 2 &&
           c.worst > 0.05,
       "the contact at fault is named");
    p[6] = 1;
    ok(imp_certify(&problem, &imp_law_maxdiss, NULL, p, NULL, &c) == IMP_OK && c.worst == 0,
       "put right, nothing is wrong");
}

/* What rounding leaves on a contact that carries nothing is judged beside what its neighbours do to
 * it. */
static void test_idle(void) {
    static const double W[36] = {2, 0, 0, 1, 0, 0, 0, 5, 0, 0, 1, 0, 0, 0, 5, 0, 0, 1,
                                 1, 0, 0, 2, 0, 0, 0, 1, 0, 0, 5, 0, 0, 0, 1, 0, 0, 5};
    const double q[6] = {-2, 0, 0, 3, 0.1, 0}, mu[2] = {0.5, 0.5};
    const imp_operator as_operator = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &as_operator, .q = q, .mu = mu};
    const double right[6] = {1, 0, 0, 0, 0, 0}, dusty[6] = {1, 0, 0, -1e-14, 3e-14, 0},
                 wrong[6] = {1, 0, 0, 0, 1e-3, 0};
    imp_certificate c;
    static const imp_law *const laws[] = {&imp_law_coulomb, &imp_law_maxdiss};
    for (int i = 0; i < 2; i++) {
        const char *name = laws[i]->name;
        ok(imp_certify(&problem, laws[i], NULL, right, NULL, &c) == IMP_OK && c.worst == 0,
           "%s: one of two pushes", name);
        ok(imp_certify(&problem, laws[i], NULL, dusty, NULL, &c) == IMP_OK && c.worst > 0 &&
               c.worst < 1e-13,
           "%s: dust on the idle one is dust", name);
        ok(imp_certify(&problem, laws[i], NULL, wrong, NULL, &c) == IMP_OK && c.worst > 1e-4 &&
               c.contact == 1,
           "%s: friction there without a push is not", name);
    }
}

/* A body between two walls, which is stopped by (1 + x, x) for every x: what x hides of a velocity
 * that is left, along the normals or, held by friction, across them, counts all the same. */
static void test_cancellation(void) {
    double W[36] = {0};
    for (int i = 0; i < 6; i++)
        W[7 * i] = 1;
    W[3] = W[18] = W[17] = W[32] = -1;
    W[10] = W[25] = 1;
    const imp_operator op = imp_operator_dense(2, W);
    const double q[6] = {-1, 0, 0, 1, 0, 0}, mu[2] = {0, 0}, rough[2] = {1, 1};
    int stopped = 0, taken = 0, held = 0, swallowed = 0, tried = 0;
    const double beyond[6] = {0x1p60, 0, 0, 0x1p60, 0, 0}; /* q is no digit of its velocities */
    for (const imp_model *const *m = imp_models; *m; m++) {
        if (!((*m)->takes & IMP_TAKES_MANY)) continue;
        const imp_problem bare = {.nc = 2, .W = &op, .q = q, .mu = mu};
        imp_certificate moving;
        swallowed += imp_certify(&bare, (*m)->law, NULL, beyond, NULL, &moving) != IMP_OK ||
                     moving.worst <= 1e-9;
        for (int k = 10; k <= 20; k += 5, tried++) {
            const double x = ldexp(1, k), left = k == 10 ? 1e-5 : ldexp(x, -30);
            const imp_problem smooth = {.nc = 2, .W = &op, .q = q, .mu = mu},
                              grip = {2, &op, .q = q, .mu = rough};
            const double at_rest[6] = {1 + x, 0, 0, x, 0, 0},
                         off[6] = {1 + x + left, 0, 0, x, 0, 0},
                         across[6] = {1 + x, left, 0, x, 0, 0};
            imp_certificate c;
            /* a process of springs has one impulse alone */
            stopped += (*m)->law == &imp_law_lzb || (*m)->law == &imp_law_springs ||
                       (imp_certify(&smooth, (*m)->law, NULL, at_rest, NULL, &c) == IMP_OK &&
                        c.worst <= 1e-9);
            taken +=
                imp_certify(&smooth, (*m)->law, NULL, off, NULL, &c) != IMP_OK || c.worst <= 1e-9;
            if (imp_model_takes(*m, &grip) == IMP_OK)
                held += imp_certify(&grip, (*m)->law, NULL, across, NULL, &c) != IMP_OK ||
                        c.worst <= 1e-9;
        }
    }
    ok(stopped == tried && tried > 0,
       "a body held between walls, a million times as hard: every law of several contacts agrees");
    ok(taken == 0, "it leaves one wall for the other: none does");
    ok(held == 0, "it slides in its grip: none does");
    ok(swallowed == 0, "it moves on, unseen behind the rounding of its grip: none does");
    const double still[6] = {0}, pushed[6] = {2, 0, 0, 1, 0, 0};
    const imp_problem rest = {.nc = 2, .W = &op, .q = still, .mu = mu};
    imp_certificate c;
    ok(imp_certify(&rest, &imp_law_coulomb, NULL, still, NULL, &c) == IMP_OK && c.worst == 0,
       "nothing moves: no push");
    ok(imp_certify(&rest, &imp_law_coulomb, NULL, pushed, NULL, &c) == IMP_OK && isinf(c.worst),
       "and none that moves anything");
    const double apart[2] = {-1, 1}, out[6] = {1.0 + 1e-12, 0, 0, 0, 0, 0};
    const imp_problem overlap = {.nc = 2, .W = &op, .q = still, .mu = mu, .gap = apart};
    ok(imp_certify(&overlap, &imp_law_frictionless, NULL, out, NULL, &c) == IMP_OK && c.worst > 0 &&
           c.worst <= 1e-11,
       "what overlaps at rest is pushed out: gaps are data, too");
}

/* The same walls, which close at a hundred-thousandth of the slip: no impulse stops that. Pushes
 * that cancel, up to any size, do not hide it. */
static void test_closing_walls(void) {
    static const double W[36] = {1,  0, 0, -1, 0, 0, 0, 3.5,  0, 0, -1.5, 0, 0, 0, 3.5, 0, 0, 1.5,
                                 -1, 0, 0, 1,  0, 0, 0, -1.5, 0, 0, 3.5,  0, 0, 0, 1.5, 0, 0, 3.5};
    const double q[6] = {-1e-5, 0.8, 0.3, -1e-5, -0.8, 0.3}, mu[2] = {0.5, 0.3}, none[2] = {0};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu},
                      smooth = {.nc = 2, .W = &op, .q = q, .mu = none};
    int called = 0, kept = 0, accepted = 0;
    for (const imp_model *const *m = imp_models; *m; m++) {
        double p[6];
        if (!((*m)->takes & IMP_TAKES_MANY)) continue;
        called++;
        kept += imp_solve(*m, &problem, NULL, p, NULL) == IMP_OK;
    }
    ok(called > 5 && kept == 0, "walls that close: %d of %d models say ok", kept, called);
    double push = 1;
    for (int k = 0; k < 16; k++, push *= 10) {
        const double hold[6] = {push, -0.16, -0.06, push, 0.16, -0.06};
        imp_certificate c;
        accepted += imp_certify(&problem, &imp_law_coulomb, NULL, hold, NULL, &c) == IMP_OK &&
                    c.worst <= 1e-8;
        accepted += imp_certify(&smooth, &imp_law_frictionless, NULL,
                                (const double[6]){push, 0, 0, push, 0, 0}, NULL, &c) == IMP_OK &&
                    c.worst <= 1e-8;
    }
    ok(accepted == 0, "and %d of 32 pushes that cancel are taken for an answer", accepted);
}

static double distance(const imp_problem *problem, const double *p, const double *model,
                       int *contact) {
    imp_certificate c = {0};
    if (imp_certificate_note_distance(&c, problem, p, model) != IMP_OK || c.count != 1) return NAN;
    *contact = c.contact;
    return c.worst;
}

/* Tables on four legs, whose one redundancy leaves the motion as it is. */
static void test_split(void) {
    gen_stream g = gen_seed(7, 0);
    double same = 0, least = INFINITY, most = 0;
    for (int k = 0; k < 100; k++) {
        double W[144] = {0}, q[12] = {0}, even[12] = {0}, across[12] = {0};
        const double x = gen_uniform(&g, 0.1, 1), y = gen_uniform(&g, 0.1, 1),
                     heavy = gen_uniform(&g, 0.01, 1), turns = gen_uniform(&g, 0.1, 1);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++)
                W[36 * i + 3 * j] = heavy + turns * (i / 2 == j / 2 ? x * x : -x * x) +
                                    turns / 3 * (i % 2 == j % 2 ? y * y : -y * y);
            q[3 * i] = -1;
            even[3 * i] = 0.375 / heavy;
            across[3 * i] = i == 0 || i == 3 ? 0.75 / heavy : 0;
        }
        const imp_operator op = imp_operator_dense(4, W);
        const double mu[4] = {0};
        const imp_problem problem = {.nc = 4, .W = &op, .q = q, .mu = mu};
        int contact;
        same = tap_worst(same, distance(&problem, across, even, &contact));
        across[0] *= 1 + 1e-8;
        const double off = distance(&problem, across, even, &contact);
        least = fmin(least, off);
        most = tap_worst(most, off);
    }
    ok(same <= 1e-15, "another split of the same motion is no distance (%.1e)", same);
    ok(least > 1e-9 && most < 1e-7, "and hides none (%.1e to %.1e)", least, most);
}

/* Two bodies that W does not couple: each by its own velocities, to rounding of its own, or, where
 * it has none above that, of the fastest. */
static void test_islands(void) {
    double W[36] = {0}, q[6] = {-10, 3, 0, -1e-4, 1e-4, 0};
    for (int k = 0; k < 6; k++)
        W[7 * k] = k < 3 ? 0.1 : 1e6;
    const imp_operator op = imp_operator_dense(2, W);
    const double mu[2] = {0.3, 0.3}, e[2] = {0.5, 0.5};
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e};
    const double model[6] = {150, -30, 0, 1.5e-10, -4.5e-11, 0},
                 wrong[6] = {150, -30, 0, 1.5e-10, 4.5e-11, 0}, none[6] = {150, -30, 0};
    int contact;
    ok(distance(&problem, wrong, model, &contact) > 0.1 && contact == 1,
       "friction along the slip of a light body beside a heavy one is far");
    q[3] = -1e-13, q[4] = 0;
    const double slow[6] = {150, -30, 0, 1.5e-19}, less[6] = {150, -30, 0, 1.49e-19};
    const double off = distance(&problem, less, slow, &contact);
    ok(off > 1e-3 && off < 1e-2 && contact == 1,
       "a push that is 1 %% too small by 1e-16 of the fastest body is as far (%.1e)", off);
    q[3] = 0;
    ok(distance(&problem, wrong, none, &contact) == 1 && contact == 1,
       "so is a push where nothing moves");
    const double dust[6] = {150, -30, 0, 1e-21, 0, 0};
    ok(distance(&problem, dust, none, &contact) == 0, "but not what rounding leaves there");
    q[3] = -1e-15;
    ok(distance(&problem, dust, none, &contact) == 0, "nor beside a velocity that is rounding");
    q[3] = 0;
    ok(distance(&problem, none, none, &contact) == 0,
       "where nothing moves, no push is no distance");
}

/* Friction the wrong way, where friction and slip are both 3e-5 of the push beside another
 * contact: their product is no measure. And a push that moves nothing along the normal, but a
 * tangent. */
static void test_little(void) {
    double W[36] = {0}, idle[36] = {0};
    for (int k = 0; k < 6; k++)
        W[7 * k] = idle[7 * k] = 1;
    idle[0] = 1e-6;
    idle[1] = idle[6] = 9e-4;
    const double q[6] = {-1, 1.5e-5, 0, -1, 0, 0}, mu[2] = {3e-5, 3e-5}, none[2] = {0},
                 stops[6] = {1, -1.5e-5, 0, 1, 0, 0}, drives[6] = {1, 3e-5, 0, 1, 0, 0},
                 parts[6] = {1, 1, 0, 1, 1, 0}, pushes[6] = {9.9e-4, 0, 0, 0, 0, 0};
    const imp_operator one = imp_operator_dense(2, W), other = imp_operator_dense(2, idle);
    const imp_problem problem = {.nc = 2, .W = &one, .q = q, .mu = mu, .e = none},
                      apart = {.nc = 2, .W = &other, .q = parts, .mu = none, .e = none};
    imp_certificate c[3] = {0};
    const bool judged =
        imp_certify(&problem, &imp_law_coulomb, NULL, stops, NULL, &c[0]) == IMP_OK &&
        imp_certify(&problem, &imp_law_coulomb, NULL, drives, NULL, &c[1]) == IMP_OK &&
        imp_certify(&apart, &imp_law_moreau, NULL, pushes, NULL, &c[2]) == IMP_OK;
    ok(judged && c[0].worst < 1e-15, "coulomb: friction of 1.5e-5 stops a slip");
    ok(judged && c[1].worst > 1e-5 && c[1].contact == 0, "and 3e-5 along it do not (%.1e)",
       c[1].worst);
    ok(judged && c[2].worst > 1e-7,
       "moreau: what a push on a contact that parts does along it (%.1e)", c[2].worst);
}

/* A body of 1 / 2^k kg at rest between two of 1 kg that close on it at 1/2 m/s each: p = 1/2 at
 * both. From 2^36 on the rounding of what it moves by may hide a share of 1e-5 of the approach, and
 * nothing is certified. An impulse of a thousandth less leaves such an approach, and is refused
 * whatever the mass. No contradiction is claimed: the two are no walls. */
static void test_light_between(void) {
    const double q[6] = {-0.5, 0, 0, -0.5, 0, 0}, mu[2] = {0, 0};
    for (int k = 20; k <= 43; k++) {
        const double light = ldexp(1, k), p[6] = {0.5, 0, 0, 0.5, 0, 0};
        double W[36] = {0}, less[6], found[6];
        for (int i = 0; i < 6; i++) {
            W[7 * i] = i % 3 ? 1 : 1 + light;
            less[i] = p[i] * (1 - 0x1p-10);
        }
        W[3] = W[18] = -light;
        const imp_operator op = imp_operator_dense(2, W);
        const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
        imp_certificate right = {0}, wrong = {0};
        const bool judged =
            imp_certify(&problem, &imp_law_coulomb, NULL, p, NULL, &right) == IMP_OK &&
            imp_certify(&problem, &imp_law_coulomb, NULL, less, NULL, &wrong) == IMP_OK;
        ok(judged && (right.worst <= 1e-8) == (k <= 35) && wrong.worst > 1e-8,
           "1 / 2^%d kg: right %.1e, a thousandth less %.1e", k, right.worst, wrong.worst);
        const imp_status status = imp_solve(&imp_model_auto, &problem, NULL, found, NULL);
        ok(status != IMP_NO_SOLUTION && (k > 35 || status == IMP_OK), "  auto: %s",
           imp_status_text(status));
    }
}

int main(void) {
    test_split();
    test_islands();
    test_cancellation();
    test_closing_walls();
    test_local();
    test_idle();
    test_notes();
    test_little();
    test_light_between();
    return tap_done();
}
