/* PLUS where it needs its last resorts: the circle searched for impending slip, natural maps of
 * stacks, an unsolved interval cut where it has taken out most energy, sweeps that diverge, the
 * caps of an impact. Everything is recomputed from W, q and mu. */
#include "benchmarks/harness/stress.h"
#include "class_of.h"
#include "generators/gen.h"
#include "generators/gen_stack.h"
#include "impact.h"
#include "tap.h"

typedef struct outcome {
    imp_status status;
    double approach, outside, energy; /* of the fastest approach, of the largest impulse, J */
} outcome;

static outcome collide(const gen_many *g, const double *e, int active_set) {
    const imp_operator W = imp_operator_dense(g->nc, g->W);
    const imp_problem problem = {.nc = g->nc, .W = &W, .q = g->q, .mu = g->mu, .e = e};
    double p[3 * GEN_MOST_CONTACTS] = {0}, u[3 * GEN_MOST_CONTACTS], fastest = 0, largest = 0;
    imp_settings settings;
    imp_plus_settings own;
    imp_model_presets(&imp_model_plus, &settings);
    memcpy(&own, &settings, sizeof own);
    own.active_set = active_set;
    memcpy(&settings, &own, sizeof own);
    outcome o = {.status = imp_solve(&imp_model_plus, &problem, &settings, p, NULL)};
    imp_operator_apply(&W, p, g->q, u);
    for (int i = 0; i < 3 * g->nc; i++) {
        fastest = fmax(fastest, fabs(g->q[i]));
        largest = fmax(largest, fabs(p[i]));
        o.energy += p[i] * (u[i] + g->q[i]) / 2;
    }
    for (int i = 0; i < g->nc; i++) {
        o.approach = tap_worst(o.approach, -u[3 * i] / fastest);
        o.outside = tap_worst(o.outside, -p[3 * i] / largest);
        o.outside = tap_worst(o.outside,
                              (hypot(p[3 * i + 1], p[3 * i + 2]) - g->mu[i] * p[3 * i]) / largest);
    }
    return o;
}

/* A box or a pile with friction of any size, mu 10^U(-2,3): Newton's method finds no direction from
 * its start. */
static void test_searched(void) {
    static const uint64_t searched[] = {27, 75, 363, 687, 717};
    for (int k = 0; k < 5; k++) {
        gen_many g = gen_bodies(searched[k], 1 + (int)(searched[k] % 8));
        gen_stream s = gen_seed(7003, searched[k]);
        for (int i = 0; i < g.nc; i++)
            g.mu[i] = gen_power10(&s, -2, 3);
        const outcome o = collide(&g, NULL, IMP_HEURISTIC);
        ok(o.status == IMP_OK && o.approach < 1e-10 && o.outside < 1e-12 && o.energy < 0,
           "bodies %d, mu up to 1000: solved, approach %.1e, outside the cones %.1e, %.3g J",
           (int)searched[k], o.approach, o.outside, o.energy);
    }
}

/* Masses a thousand apart, mu up to 5: intervals without a solution. What is answered then says so,
 * gains no energy and lies inside all cones. */
static void test_unsolved(void) {
    static const uint64_t unsolved[] = {434, 589, 609, 482};
    for (int k = 0; k < 4; k++) {
        double e[GEN_MOST_CONTACTS] = {0};
        const gen_many g = gen_loose(7001, unsolved[k], 8, 5, 3, e);
        const outcome o = collide(&g, e, IMP_HEURISTIC);
        ok(o.status > 0 && o.energy < 0 && o.outside < 1e-12,
           "loose %d: %s, %.3g J, outside the cones %.1e", (int)unsolved[k],
           imp_status_text(o.status), o.energy, o.outside);
    }
}

/* Four contacts with an interval that only the search through all combinations solves. */
static void test_exhaustive(void) {
    double e[GEN_MOST_CONTACTS] = {0};
    gen_many cases[2] = {gen_loose(7001, 204, 4, 5, 3, e), gen_bodies(118, 4)};
    for (int i = 0; i < cases[1].nc; i++)
        cases[1].mu[i] *= 5;
    for (int k = 0; k < 2; k++) {
        const double *bounce = k == 0 ? e : NULL;
        const outcome quick = collide(&cases[k], bounce, IMP_HEURISTIC),
                      o = collide(&cases[k], bounce, IMP_EXHAUSTIVE);
        ok(quick.status != IMP_OK && o.status == IMP_OK && o.approach < 1e-10 &&
               o.outside < 1e-12 && o.energy < 0,
           "all combinations: %s, %s without; approach %.1e, outside the cones %.1e, %.3g J",
           imp_status_text(o.status), imp_status_text(quick.status), o.approach, o.outside,
           o.energy);
    }
}

/* Slip directions that chatter, mu to 1e6 on one face: an impact ends by its work, long before its
 * 70000 intervals are used up; and one that is long for pivots that repeat is solved. */
static void test_chattering(void) {
    static const imp_model *const models[] = {&imp_model_plus, &imp_model_single_phase};
    stress_case c;
    for (int m = 0; m < 2; m++) {
        double p[STRESS_ROWS];
        imp_info info = {0};
        stress_make(models[m], 96, &c);
        const imp_status status = imp_solve(models[m], &c.problem, NULL, p, &info);
        ok(status == IMP_NOT_CONVERGED && info.intervals < 70000 / 2,
           "%s, chattering: %s after %d intervals", models[m]->name, imp_status_text(status),
           info.intervals);
    }
    stress_make(&imp_model_plus, 14719, &c);
    const stress_verdict v = stress_judge(&imp_model_plus, &c);
    ok(v.status == IMP_OK && v.fault == STRESS_SOUND, "plus, a long impact: %s, residual %.1e",
       imp_status_text(v.status), v.residual);
}

/* Three contacts, up to 1e12 times as heavy as one another, that hardly touch one another: their
 * matrix is regular, and newton and poisson, without friction and bouncing, are frictionless. */
static void test_unlike(void) {
    enum { COUNT = 1000 };
    static const char *const names[] = {"newton", "poisson"};
    static const double none[3];
    int unsolved[2] = {0}, wrong[2] = {0}, asked = 0;
    for (uint64_t k = 0; k < COUNT; k++) {
        gen_stream s = gen_seed(4712, k);
        double own[3], W[81] = {0}, q[9] = {0}, want[9], p[9] = {0};
        for (int i = 0; i < 3; i++)
            own[i] = pow(10, gen_uniform(&s, -6, 6));
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j <= i; j++)
                W[27 * i + 3 * j] = W[27 * j + 3 * i] =
                    (i == j ? 1 : gen_uniform(&s, -0.3, 0.3)) * own[i] * own[j];
            W[10 * (3 * i + 1)] = W[10 * (3 * i + 2)] = W[27 * i + 3 * i];
            const double speed = pow(10, gen_uniform(&s, -6, 0));
            q[3 * i] = gen_uniform(&s, -1, 0.5) * speed;
        }
        const imp_operator dense = imp_operator_dense(3, W);
        const imp_problem problem = {.nc = 3, .W = &dense, .q = q, .mu = none, .e = none};
        if (imp_solve(&imp_model_frictionless, &problem, NULL, want, NULL) != IMP_OK) continue;
        asked++;
        for (int m = 0; m < 2; m++) {
            const bool solved =
                imp_solve(imp_model_find(names[m]), &problem, NULL, p, NULL) == IMP_OK;
            unsolved[m] += !solved;
            for (int i = 0; solved && i < 3; i++)
                wrong[m] += !(W[30 * i] * fabs(p[3 * i] - want[3 * i]) <=
                              1e-6 * (W[30 * i] * want[3 * i] + fabs(q[3 * i])));
        }
    }
    for (int m = 0; m < 2; m++)
        ok(asked > 0.9 * COUNT && wrong[m] == 0 && unsolved[m] < 0.02 * COUNT,
           "%s: of %d problems of unlike contacts %d are not solved, none is wrong", names[m],
           asked, unsolved[m]);
}

/* A cuboid that lands on its four corners. Its normals are redundant, and where all four slip
 * another share of the push among them ends in other slips: the least one pulls. */
static void test_cuboid(void) {
    enum { COUNT = 1000 };
    static const char *const names[] = {"newton", "poisson"};
    int unsolved[2] = {0};
    for (uint64_t k = 0; k < COUNT; k++) {
        gen_stream s = gen_seed(4713, k);
        imp_body body = {.inv_mass = 1, .orientation = {1}};
        imp_contact contact[4];
        double half[3], W[144], q[12], p[12], mu[4], e[4];
        for (int i = 0; i < 3; i++)
            half[i] = gen_uniform(&s, 0.1, 0.5);
        for (int i = 0; i < 3; i++) {
            const double a = half[(i + 1) % 3], b = half[(i + 2) % 3];
            body.inv_inertia[4 * i] = 3 / (a * a + b * b);
            body.velocity[i] = gen_normal(&s);
            body.spin[i] = gen_normal(&s);
        }
        body.velocity[2] = -fabs(body.velocity[2]);
        const double friction = gen_uniform(&s, 0, 1), restitution = gen_uniform(&s, 0, 1);
        for (int i = 0; i < 4; i++) {
            contact[i] = (imp_contact){
                .a = IMP_GROUND,
                .point = {i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], -half[2]},
                .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
            mu[i] = friction;
            e[i] = restitution;
        }
        const imp_operator dense = imp_operator_dense(4, W);
        const imp_problem problem = {.nc = 4, .W = &dense, .q = q, .mu = mu, .e = e};
        (void)imp_delassus_dense(1, &body, 4, contact, W, q);
        for (int m = 0; m < 2; m++)
            unsolved[m] += imp_solve(imp_model_find(names[m]), &problem, NULL, p, NULL) != IMP_OK;
    }
    for (int m = 0; m < 2; m++)
        ok(unsolved[m] <= 2, "%s: of %d cuboids that land on a face %d are not solved", names[m],
           COUNT, unsolved[m]);
}

/* Sweeps leave a rounding of the largest push where nothing pushes, which has no motion. */
static void test_left_over(void) {
    static const struct {
        const imp_model *model;
        uint64_t number;
    } cases[] = {{&imp_model_newton, 3115}, {&imp_model_poisson, 3397}, {&imp_model_poisson, 1006}};
    for (int k = 0; k < 3; k++) {
        stress_case c;
        stress_make(cases[k].model, cases[k].number, &c);
        const stress_verdict v = stress_judge(cases[k].model, &c);
        ok(v.status == IMP_OK && v.fault == STRESS_SOUND,
           "%s, stress problem %d: %s, residual %.1e", cases[k].model->name, (int)cases[k].number,
           imp_status_text(v.status), v.residual);
    }
}

/* A contact that joints leave one direction cannot stop along the surface and go on along the
 * normal: it slips. */
static void test_one_direction(void) {
    static const uint64_t numbers[] = {434, 547};
    for (int k = 0; k < 2; k++) {
        stress_case c;
        stress_make(&imp_model_plus, numbers[k], &c);
        const stress_verdict v = stress_judge(&imp_model_plus, &c);
        ok(v.status == IMP_OK && v.fault == STRESS_SOUND, "plus, stress problem %d: %s",
           (int)numbers[k], imp_status_text(v.status));
    }
}

/* Sweeps that diverge leave nothing to go on from, and no impulse beyond all numbers; nor does an
 * expansion with nothing to give back (the last) leave a direction that is none. */
static void test_diverging(void) {
    static const struct {
        const imp_model *model;
        uint64_t number;
    } cases[] = {{&imp_model_plus, 405},
                 {&imp_model_plus, 1785},
                 {&imp_model_single_phase, 2221},
                 {&imp_model_plus, 1470}};
    for (int k = 0; k < 4; k++) {
        stress_case c;
        stress_make(cases[k].model, cases[k].number, &c);
        const stress_verdict v = stress_judge(cases[k].model, &c);
        ok(v.status != IMP_OVERFLOW && v.fault == STRESS_SOUND, "%s, stress problem %d: %s",
           cases[k].model->name, (int)cases[k].number, imp_status_text(v.status));
    }
}

/* A body that hits with three points, and one on three that moves by rounding, or by little: what
 * is little beside the impact is a motion of its own there. */
static void test_beside(void) {
    enum { COUNT = 200 };
    static const imp_model *const models[] = {&imp_model_plus, &imp_model_single_phase,
                                              &imp_model_newton, &imp_model_poisson};
    int unsolved[4] = {0}, moved[4] = {0}, asked[4] = {0};
    for (uint64_t k = 0; k < COUNT; k++) {
        gen_stream s = gen_seed(4714, k);
        imp_body body[2];
        imp_contact contact[6];
        double W[324], q[18], p[18], own[2][81], alone[9];
        const double mu[6] = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3}, e[6] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
                     little = gen_power10(&s, -17, -10);
        for (int b = 0; b < 2; b++) {
            body[b] = (imp_body){.inv_mass = 1, .orientation = {1}, .velocity = {1, 0, -2}};
            for (int i = 0; i < 3; i++) {
                body[b].inv_inertia[4 * i] = gen_uniform(&s, 1, 10);
                body[b].spin[i] = gen_uniform(&s, -0.3, 0.3);
            }
        }
        for (int i = 0; i < 6; i++) {
            contact[i] =
                (imp_contact){.a = IMP_GROUND, .b = i / 3, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
            for (int r = 0; r < 3; r++)
                contact[i].point[r] = gen_normal(&s);
        }
        (void)imp_delassus_dense(2, body, 6, contact, W, q);
        for (int r = 9; r < 18; r++) {
            q[r] = little * gen_normal(&s);
            if (r % 3 == 0 && k % 3 < 2) q[r] = k % 3 ? 0 : fabs(q[r]);
        }
        for (int r = 0; r < 9; r++)
            for (int b = 0; b < 2; b++)
                memcpy(own[b] + 9 * r, W + 18 * (r + 9 * b) + 9 * b, 9 * sizeof *W);
        const imp_operator both = imp_operator_dense(6, W), first = imp_operator_dense(3, own[0]),
                           second = imp_operator_dense(3, own[1]);
        const imp_problem problem = {.nc = 6, .W = &both, .q = q, .mu = mu, .e = e},
                          part = {.nc = 3, .W = &first, .q = q, .mu = mu, .e = e},
                          other = {.nc = 3, .W = &second, .q = q + 9, .mu = mu, .e = e};
        for (int m = 0; m < 4; m++) {
            if (imp_solve(models[m], &other, NULL, alone, NULL) != IMP_OK ||
                imp_solve(models[m], &part, NULL, alone, NULL) != IMP_OK)
                continue;
            asked[m]++;
            unsolved[m] += imp_solve(models[m], &problem, NULL, p, NULL) != IMP_OK;
            moved[m] += memcmp(p, alone, sizeof alone) != 0;
        }
    }
    for (int m = 0; m < 4; m++)
        /* of plus a wave may have died out to rounding just when it is closed */
        ok(asked[m] > 0.9 * COUNT && unsolved[m] <= (m == 0) && moved[m] == 0,
           "%s: of %d impacts beside a body that hardly moves %d are not solved, %d are others",
           models[m]->name, asked[m], unsolved[m], moved[m]);
}

/* newton: sweeps settle where a contact separates more slowly than it is to; another impulse leaves
 * none below its aim. */
static void test_below(void) {
    static const double W[36] = {3,    3.75, 0.75,  2.25,  7,     -2.25, 3.75,  11.5,  5.25,
                                 5.5,  18,   -5.25, 0.75,  5.25,  6,     3,     10,    -3,
                                 2.25, 5.5,  3,     3.75,  9.25,  -0.75, 7,     18,    10,
                                 9.25, 35,   -7.25, -2.25, -5.25, -3,    -0.75, -7.25, 10},
                        q[6] = {-2.25, -0.25, -0.75, -1.5, -2, 1}, mu[2] = {0.5, 0.5},
                        e[2] = {1, 1};
    double p[6], u[6], below = 0, outside = 0;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e};
    const imp_status status = imp_solve(&imp_model_newton, &problem, NULL, p, NULL);
    imp_operator_apply(&op, p, q, u);
    for (int i = 0; i < 2; i++) {
        below = tap_worst(below, -e[i] * q[3 * i] - u[3 * i]);
        outside = tap_worst(outside, hypot(p[3 * i + 1], p[3 * i + 2]) - mu[i] * p[3 * i]);
    }
    ok(status == IMP_OK && below < 1e-12 && outside < 1e-12,
       "newton, a contact that sweeps leave below its aim: %s, %.1e below, %.1e outside",
       imp_status_text(status), below, outside);
}

/* How far p is from Coulomb's law of u = W p + q after the impact, N s and m/s. */
static double miss_coulomb(const gen_stack *g, const double *p, const double *u) {
    double worst = 0;
    for (int i = 0; i < g->nc; i++) {
        const double *f = p + 3 * i, *v = u + 3 * i, slip = hypot(v[1], v[2]);
        worst = tap_worst(worst, fmax(-f[0], -v[0]));
        worst = tap_worst(worst, fmin(f[0], fabs(v[0])));
        worst = tap_worst(worst, hypot(f[1], f[2]) - g->mu[i] * f[0]);
        const double along =
            hypot(slip * f[1] + g->mu[i] * f[0] * v[1], slip * f[2] + g->mu[i] * f[0] * v[2]);
        worst = tap_worst(worst, fmin(slip, along));
    }
    return worst;
}

/* Cubes on one another that fall flat, redundant on every face: sweeps creep up the stack. Without
 * restitution newton and poisson are Coulomb's law, which has an answer for each. */
static void test_stacks(void) {
    enum { COUNT = 20 };
    static const struct {
        const char *name;
        int boxes;
    } cases[] = {{"plus", 3}, {"single-phase", 3}, {"newton", 5}, {"poisson", 5}};
    static const double mass[GEN_STACK_BOXES] = {1, 1, 1, 1, 1};
    for (int k = 0; k < 4; k++) {
        int unsolved = 0;
        double worst = 0;
        for (uint64_t seed = 0; seed < COUNT; seed++) {
            gen_stream s = gen_seed(4715, seed);
            gen_stack g;
            double p[3 * GEN_STACK_CONTACTS], u[3 * GEN_STACK_CONTACTS];
            gen_stack_of(&s, cases[k].boxes, mass, 0.5, &g);
            const imp_operator W = imp_operator_dense(g.nc, g.W);
            const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
            unsolved += imp_solve(imp_model_find(cases[k].name), &problem, NULL, p, NULL) != IMP_OK;
            imp_operator_apply(&W, p, g.q, u);
            if (k >= 2) worst = tap_worst(worst, miss_coulomb(&g, p, u));
        }
        ok(unsolved <= (k < 2) && worst < 1e-9,
           "%s: of %d stacks of %d %d are not solved, off Coulomb's law by %.1e", cases[k].name,
           COUNT, cases[k].boxes, unsolved, worst);
    }
}

/* A wall with a pull of 4e-13 of the largest push, which no search releases: its friction, against
 * no slip, is not taken for one. */
static void test_pull(void) {
    fresh_problem made;
    double p[3 * 20];
    const bool drawn =
        fresh_make(class_of("wall"), 77, 17, &made) == IMP_OK && made.problem.nc == 20;
    const imp_status status =
        drawn ? imp_solve(&imp_model_plus, &made.problem, NULL, p, NULL) : IMP_NO_MEMORY;
    ok(status == IMP_OK, "a wall of 20 contacts: %s", imp_status_text(status));
    fresh_clear(&made);
}

/* A tall box slides along an axis and lands flat: no pushes, with friction against the slip, lift
 * its two leading corners together, although each of them lifts itself. */
static void test_edge(void) {
    double W[144], q[12], p[12], most = 0, least = 1;
    const double mu[4] = {1.5, 1.5, 1.5, 1.5};
    imp_contact contact[4];
    const imp_body body = {.inv_mass = 1,
                           .inv_inertia = {2, 0, 0, 0, 2, 0, 0, 0, 2},
                           .orientation = {1},
                           .velocity = {-1, 0, -1}};
    for (int i = 0; i < 4; i++)
        contact[i] = (imp_contact){.a = IMP_GROUND,
                                   .point = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, -1},
                                   .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
    (void)imp_delassus_dense(1, &body, 4, contact, W, q);
    for (int j = 0; j < 4; j++) {
        double lift = 0; /* of corners 0 and 2 by a push at j */
        for (int i = 0; i < 4; i += 2)
            lift += W[36 * i + 3 * j] + mu[j] * W[36 * i + 3 * j + 1];
        most = fmax(most, lift);
        least = fmin(least, W[39 * j] + mu[j] * W[39 * j + 1]);
    }
    const imp_operator op = imp_operator_dense(4, W);
    const imp_problem problem = {.nc = 4, .W = &op, .q = q, .mu = mu};
    const imp_status status = imp_solve(&imp_model_plus, &problem, NULL, p, NULL);
    ok(most <= 1e-15 && least > 0.1 && status == IMP_NO_SOLUTION,
       "a tall box, which no push lifts by more than %.1e: %s", most, imp_status_text(status));
}

int main(void) {
    test_beside();
    test_stacks();
    test_edge();
    test_pull();
    test_below();
    test_exhaustive();
    test_left_over();
    test_one_direction();
    test_diverging();
    test_cuboid();
    test_searched();
    test_unsolved();
    test_chattering();
    test_unlike();
    return tap_done();
}
