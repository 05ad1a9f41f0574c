/* test_restitution.c - restitution on several contacts: no gain of energy whatever the
 * coefficients, what is known in closed form, the blend of Jacobi and Gauss-Seidel, choices among
 * Coulomb solutions, recorded W. */
#include "generators/gen.h"
#include "impact.h"
#include "linear/factored.h"
#include "tap.h"

enum { ROWS = 3 * GEN_MOST_CONTACTS };

static const imp_model *const models[] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb,
                                          &imp_model_gauss_seidel_maxdiss};

typedef struct seen {
    double energy, stake, approach, outside; /* J; J; worst -u_n / size; worst cone violation
                                                relative to the push */
} seen;

static seen look(const gen_many *g, const double *p) {
    const int n = 3 * g->nc;
    seen s = {0};
    double push = 0;
    for (int i = 0; i < n; i++)
        push = fmax(push, fabs(p[i]));
    for (int i = 0; i < n; i++) {
        double Wp = 0, size = fabs(g->q[i]);
        for (int j = 0; j < n; j++) {
            Wp += g->W[i * n + j] * p[j];
            size += fabs(g->W[i * n + j] * p[j]);
        }
        s.energy += p[i] * (0.5 * Wp + g->q[i]);
        s.stake += fabs(p[i]) * size;
        if (i % 3 == 0 && size > 0) s.approach = fmax(s.approach, -(Wp + g->q[i]) / size);
        if (i % 3 == 0 && push > 0)
            s.outside = fmax(s.outside, (hypot(p[i + 1], p[i + 2]) - g->mu[i / 3] * p[i]) / push);
    }
    return s;
}

/* Coefficients of all kinds: one for all, one for each, 0 and 1 side by side. */
static void draw_restitution(gen_stream *s, int nc, int kind, double *e) {
    const double one = gen_uniform(s, 0, 1);
    for (int i = 0; i < nc; i++)
        e[i] = kind == 0                    ? one
               : kind == 1                  ? gen_uniform(s, 0, 1)
               : gen_uniform(s, 0, 1) < 0.5 ? 0
                                            : 1;
}

static void test_energy(void) {
    for (size_t m = 0; m < 3; m++) {
        int open = 0, gained = 0, approaching = 0, outside = 0, bounced = 0;
        for (uint64_t k = 0; k < 600; k++) {
            gen_many g = gen_bodies(20000 + k, 2 + (int)(k % 7));
            gen_stream s = gen_seed(907, k);
            double e[GEN_MOST_CONTACTS], p[ROWS];
            draw_restitution(&s, g.nc, (int)(k % 3), e);
            const imp_operator W = imp_operator_dense(g.nc, g.W);
            const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = e};
            imp_certificate c;
            imp_path path = {0};
            if (imp_solve_certified(models[m], &problem, NULL, p, &path, NULL, NULL) != IMP_OK) {
                imp_path_clear(&path);
                open++;
                continue;
            }
            const seen now = look(&g, p);
            gained += !(now.energy <= 1e-9 * now.stake);
            approaching += !(now.approach <= 1e-8);
            outside += !(now.outside <= 1e-9);
            bounced += imp_certify(&problem, models[m]->law, NULL, p, &path, &c) == IMP_OK &&
                       !c.unjudged && c.worst <= 1e-8;
            imp_path_clear(&path);
        }
        ok(gained == 0 && approaching == 0 && outside == 0,
           "%s: no energy gained, no approach, inside the cones", models[m]->name);
        ok(open <= 12 && bounced + open == 600, "%s: certified but for %d unsolved of 600",
           models[m]->name, open);
    }
}

/* Spheres of mass 1 in a row, frictionless, touching; the first one comes with speed 1. */
static void row_of_spheres(int spheres, double *W, double *q) {
    const int nc = spheres - 1, n = 3 * nc;
    memset(W, 0, (size_t)(n * n) * sizeof *W);
    memset(q, 0, (size_t)n * sizeof *q);
    for (int c = 0; c < nc; c++) {
        for (int r = 0; r < 3; r++) {
            W[(3 * c + r) * n + 3 * c + r] = r == 0 ? 2 : 7;
            if (c + 1 < nc && r == 0) W[(3 * c) * n + 3 * c + 3] = W[(3 * c + 3) * n + 3 * c] = -1;
        }
    }
    q[0] = -1;
}

/* By hand, three spheres: compression p = (2/3, 1/3), all at 1/3; expansion e times it; nothing
 * closes after it. */
static void test_cradle(void) {
    double W[36], q[6], p[6];
    const double mu[2] = {0, 0}, e[2] = {1, 1}, half[2] = {0.5, 0.5};
    row_of_spheres(3, W, q);
    const imp_operator op = imp_operator_dense(2, W);
    for (size_t m = 0; m < 3; m++) {
        imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e};
        const double want[6] = {4.0 / 3, 0, 0, 2.0 / 3, 0, 0}, less[6] = {1, 0, 0, 0.5, 0, 0};
        ok(imp_solve(models[m], &problem, NULL, p, NULL) == IMP_OK, "%s: three spheres",
           models[m]->name);
        is_vec(p, want, 6, 1e-9, 0, "%s: e = 1 doubles the compression", models[m]->name);
        is_near(imp_problem_energy(&problem, p), 0, 1e-9, 0, "%s: and keeps the energy",
                models[m]->name);
        problem.e = half;
        (void)imp_solve(models[m], &problem, NULL, p, NULL);
        is_vec(p, less, 6, 1e-9, 0, "%s: e = 1/2 adds half of it", models[m]->name);
    }
}

/* Different coefficients may need theta < 1: a rigid pair in which only one contact bounces. What
 * was lost without the reduction shows that the case is one. */
static void test_reduction(void) {
    int reduced = 0, gained = 0;
    for (uint64_t k = 0; k < 4000; k++) {
        gen_many g = gen_bodies(40000 + k, 2 + (int)(k % 3));
        double e[GEN_MOST_CONTACTS] = {0}, p[ROWS], d[ROWS], zero[GEN_MOST_CONTACTS] = {0};
        e[k % (unsigned)g.nc] = 1;
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = zero};
        if (imp_solve(&imp_model_auto, &problem, NULL, p, NULL) != IMP_OK) continue;
        for (int i = 0; i < 3 * g.nc; i++)
            d[i] = p[i] * (1 + e[i / 3]);
        const double naive = imp_problem_energy(&problem, d);
        problem.e = e;
        if (!(naive > 1e-6 * look(&g, d).stake) ||
            imp_solve(&imp_model_auto, &problem, NULL, p, NULL) != IMP_OK)
            continue;
        reduced++;
        const seen now = look(&g, p);
        gained += !(now.energy <= 1e-9 * now.stake);
    }
    ok(gained == 0, "where the plain expansion would gain energy (%d cases), none is gained",
       reduced);
    ok(reduced > 0, "and there are such cases");
}

static void test_blend(void) {
    int bad = 0;
    double off = 0;
    for (uint64_t k = 0; k < 60; k++) {
        const gen_many g = gen_bodies(3 * k + 2, 5); /* rows of spheres: one solution */
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
        double p[ROWS], again[ROWS];
        imp_blocks_settings s = imp_blocks_presets;
        bad += imp_solve(&imp_model_gauss_seidel_coulomb, &problem, &s, p, NULL) != IMP_OK;
        for (int parts = 2; parts <= 5; parts += 3) {
            s.parts = parts;
            s.blend = 0.6;
            bad += imp_solve(&imp_model_gauss_seidel_coulomb, &problem, &s, again, NULL) != IMP_OK;
            for (int i = 0; i < 15; i++)
                off = fmax(off, fabs(again[i] - p[i]) / (1 + fabs(p[i])));
        }
    }
    ok(bad == 0 && off < 1e-6,
       "blend of Jacobi and Gauss-Seidel, and Jacobi: the same answers (%.1e)", off);
}

/* Two contacts that do not touch each other: each by the choice as `coulomb` alone has it. */
static void test_choice(void) {
    static const char *const words[] = {"most-dissipative", "least-dissipative", "middle"};
    int cases = 0, wrong = 0;
    for (uint64_t k = 0; k < 4000 && cases < 40; k++) {
        const gen_problem g = gen_make(GEN_SEVERAL, k);
        imp_coulomb_set set;
        if (imp_coulomb_enumerate(g.W, g.q, g.mu, &set) != IMP_OK || set.count < 2) continue;
        cases++;
        static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
        double W[36] = {0}, q[6], p[6];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                W[i * 6 + j] = W[(i + 3) * 6 + j + 3] = g.W[at[3 * i + j]];
        memcpy(q, g.q, sizeof g.q);
        memcpy(q + 3, g.q, sizeof g.q);
        const double mu[2] = {g.mu, g.mu};
        const imp_operator op = imp_operator_dense(2, W);
        const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
        const char *word = words[k % 3];
        imp_settings settings, alone;
        char text[60];
        snprintf(text, sizeof text, "choice=%s", word);
        imp_model_presets(&imp_model_gauss_seidel_coulomb, &settings);
        if (imp_settings_assign(&imp_model_gauss_seidel_coulomb, &settings, text, NULL) != IMP_OK)
            abort();
        imp_model_presets(&imp_model_coulomb, &alone);
        if (imp_settings_assign(&imp_model_coulomb, &alone, text, NULL) != IMP_OK) abort();
        const double *want =
            set.solution[imp_coulomb_choose(
                             &set, (imp_coulomb_choice)((imp_coulomb_settings *)&alone)->choice)]
                .p;
        (void)imp_solve(&imp_model_gauss_seidel_coulomb, &problem, &settings, p, NULL);
        for (int i = 0; i < 6; i++)
            if (!(fabs(p[i] - want[i % 3]) <= 1e-9 * (fabs(want[0]) + 1e-300))) {
                wrong++;
                break;
            }
    }
    ok(cases >= 20 && wrong == 0, "the chosen solution on each contact (%d cases, %d wrong)", cases,
       wrong);
}

static void test_recorded(void) {
    double W[9] = {2, 0.5, 0, 0.3, 3, 0, 0, 0, 3}, p[3];
    const double q[3] = {-1, 0.5, 0.2}, mu = 0.3;
    imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    ok(imp_solve(&imp_model_auto, &problem, NULL, p, NULL) == IMP_NOT_SYMMETRIC,
       "an asymmetric W is an error");
    op.as_given = 1;
    double field, scale_free;
    ok(imp_solve(&imp_model_auto, &problem, NULL, p, NULL) == IMP_OK, "as recorded it is solved");
    imp_natural_error(&problem, p, &field, &scale_free);
    const double off = tap_worst(tap_worst(0, field), scale_free);
    ok(off < 1e-12, "as it stands, to %.1e", off);
    ok(imp_solve(&imp_model_maxdiss, &problem, NULL, p, NULL) == IMP_UNSUPPORTED,
       "by others it is not");
    is_near(imp_operator_asymmetry(&op), 0.2 / sqrt(6), 0, 1e-14, "its asymmetry");
    W[3] = W[1];
    ok(imp_solve(&imp_model_maxdiss, &problem, NULL, p, NULL) == IMP_OK,
       "a recorded W that is symmetric is taken by all");
    W[4] = NAN;
    ok(imp_solve(&imp_model_auto, &problem, NULL, p, NULL) == IMP_NOT_FINITE,
       "a NaN in it is an error");
}

/* A body that joints leave the normal alone, and friction that is none or nearly none. */
static void test_guided(void) {
    int row[] = {0};
    const double mu[] = {0, 1e-310}, e = 0.25, q[3] = {-1.5, 1.5, 0};
    double along = 30;
    const imp_sparse G = {1, 3, (int[]){0, 1, 1, 1}, row, &along};
    imp_factored *f = NULL;
    ok(imp_factored_of(&G, &f) == IMP_OK, "a body on a guide");
    const imp_operator W = imp_operator_factored(f);
    for (size_t m = 0; m < 3; m++)
        for (int k = 0; k < 2; k++) {
            double p[3] = {NAN, NAN, NAN};
            const imp_problem problem = {.nc = 1, .W = &W, .q = q, .mu = mu + k, .e = &e};
            (void)imp_solve(models[m], &problem, NULL, p, NULL);
            ok(fabs(p[0] - 1.25 * 1.5 / 900) < 1e-12 && fabs(p[1]) + fabs(p[2]) < 1e-300,
               "%s, mu = %g: it springs back, p %g %g %g", models[m]->name, mu[k], p[0], p[1],
               p[2]);
        }
    imp_factored_free(f);
}

static void test_facts(void) {
    imp_operator_facts facts;
    double W[9] = {1, 2, 0, 2, 4, 0, 0, 0, 1};
    const imp_operator op = imp_operator_dense(1, W);
    ok(imp_operator_facts_of(&op, &facts) == IMP_OK && facts.rank == 2 && facts.rows == 3 &&
           facts.asymmetry == 0,
       "rank 2 of 3");
    const double far[9] = {4, 0, 0, 0, 1e-3, 0, 0, 0, 0};
    const imp_operator apart = imp_operator_dense(1, far);
    ok(imp_operator_facts_of(&apart, &facts) == IMP_OK && fabs(facts.condition - 4e3) < 1e-9,
       "condition %g of its two independent rows", facts.condition);
    const gen_many g = gen_bodies(0, 8); /* eight contacts of one box: 6 of 24 */
    const imp_operator many = imp_operator_dense(g.nc, g.W);
    ok(imp_operator_facts_of(&many, &facts) == IMP_OK && facts.rank == 6 &&
           facts.redundancy == 0.75,
       "one box on eight points: rank %d of %d", facts.rank, facts.rows);
    const double nothing[9] = {0};
    const imp_operator none = imp_operator_dense(1, nothing);
    ok(imp_operator_facts_of(&none, &facts) == IMP_OK && facts.rank == 0 && facts.redundancy == 1 &&
           isnan(facts.condition),
       "W = 0: rank 0 of 3");
    W[4] = NAN;
    facts.rank = 7;
    ok(imp_operator_facts_of(&op, &facts) == IMP_NOT_FINITE && facts.rank == 7,
       "of a NaN nothing is said");
    const imp_operator empty = imp_operator_dense(0, nothing);
    ok(imp_operator_facts_of(&empty, &facts) == IMP_BAD_ARGUMENT && facts.rank == 7,
       "of no contacts nothing is said");
}

/* One contact more than the rank is computed for, each of its own: W is a diagonal. */
static void test_too_many(void) {
    enum { MORE = IMP_RANK_MOST + 1 };
    static int start[MORE + 1], column[MORE];
    static double block[9 * MORE];
    imp_operator_facts facts;
    for (int i = 0; i < MORE; i++) {
        start[i + 1] = i + 1;
        column[i] = i;
        block[9 * i] = block[9 * i + 4] = block[9 * i + 8] = 1;
    }
    block[1] = 0.5; /* of one */
    const imp_blocks blocks = {MORE, start, column, block};
    const imp_operator op = imp_operator_blocks(&blocks);
    ok(imp_operator_facts_of(&op, &facts) == IMP_OK && facts.rank == -1 && facts.rows == 3 * MORE &&
           isnan(facts.redundancy) && isnan(facts.condition),
       "of %d contacts the rank is not computed", (int)MORE);
    is_near(facts.asymmetry, 0.5, 0, 0, "their asymmetry is");
}

/* One tangent is apart from all else: its friction takes away its own slip, whatever the others. */
static void test_tangent_alone(void) {
    for (int k = 0; k < 2; k++) {
        const double W[9] = {1, k ? 0.1 : 0, 0, k ? 0.1 : 0, 0.7, 0, 0, 0, 1e-18},
                     q[3] = {-1, 0.3, 1e-12}, mu[1] = {2e6}, e[1] = {1};
        const imp_operator by = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &by, .q = q, .mu = mu, .e = e};
        double p[3] = {0};
        const imp_status status = imp_solve(&imp_model_auto, &problem, NULL, p, NULL);
        ok(status == IMP_OK && fabs(p[2] + 1e6) <= 1e-3, "a heavy tangent alone: p = %.9g N s",
           p[2]);
    }
}

/* A contact that sticks, one of whose tangents moves 1e18 times as hard as the other: beside that
 * one rounding takes it for immobile, but it has an impulse of its own, and work done by it. */
static void test_tangents_apart(void) {
    const double W[9] = {0x1p-33, -0x1p-18, 0x1p-51, -0x1p-18, 0x1p-1,
                         0x1p-33, 0x1p-51,  0x1p-33, 0x1p-61},
                 q[3] = {-0.5, 0, -0x1p-29}, mu[1] = {0x1p20}, e[1] = {1};
    const imp_operator by = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &by, .q = q, .mu = mu, .e = e};
    double p[3] = {0}, u[3];
    imp_info info;
    const imp_status status = imp_solve(&imp_model_auto, &problem, NULL, p, &info);
    imp_operator_apply(&by, p, q, u);
    const double energy =
        0.5 * (p[0] * (u[0] + q[0]) + p[1] * (u[1] + q[1]) + p[2] * (u[2] + q[2]));
    const double stake = fabs(p[0] * q[0]) + fabs(p[2] * q[2]);
    ok(status == IMP_OK && info.iterations == 0, "tangents 1e18 apart: %s, %d sweeps",
       imp_status_text(status), info.iterations);
    ok(fabs(u[0] - 0.5) <= 1e-5 && fabs(u[1]) <= 1e-11 && fabs(u[2]) <= 1e-3 * 0x1p-29,
       "springs back, and does not slip: %g %g %g m/s", u[0], u[1], u[2]);
    ok(energy <= 1e-12 * stake, "gains nothing: %.1e of what is at stake", energy / stake);
}

/* Expansions whose friction has a square below the least double: against the slip that compression
 * left, of one contact and of two that do not feel each other. */
static void test_little(void) {
    static const double A[9] = {2, 0.3, 0, 0.3, 3, 0, 0, 0, 3}, q[6] = {-1, 2, 0, -1, 2, 0},
                        mu[2] = {0.3, 0.3};
    double W[36] = {0};
    for (int k = 0; k < 18; k++)
        W[6 * (3 * (k / 9) + k % 9 / 3) + 3 * (k / 9) + k % 3] = A[k % 9];
    for (int nc = 1; nc <= 2; nc++)
        for (int power = -320; power < -9; power += 10) {
            const double little = pow(10, power), e[2] = {little, little};
            const imp_operator by = imp_operator_dense(nc, nc == 1 ? A : W);
            const imp_problem problem = {.nc = nc, .W = &by, .q = q, .mu = mu, .e = e};
            double p[6];
            const imp_status status = imp_solve(imp_model_find("auto"), &problem, NULL, p, NULL);
            ok(status == IMP_OK && fabs(p[1] + 0.3 * p[0]) <= 1e-15 && p[2] == 0, "e = %g, %d: %s",
               little, nc, imp_status_text(status));
        }
}

/* Expansions whose friction plain sweeps approach with the square of their number or slower, as
 * build/campaign/campaign blocks drew them: mixtures of sweeps in place of momentum come back to
 * where they were in the second, and leave the discs of the third. In the fourth, momentum circles
 * unless it begins anew where energy rises. */
static void test_slow_expansion(void) {
    static const uint64_t number[] = {1402152203493953, 343597413687, 1402701959153073,
                                      481036339299};
    for (int k = 0; k < 4; k++) {
        const gen_many g = gen_bodies(1000000 + number[k], 2 + (int)(number[k] % 7));
        gen_stream s = gen_seed(911, number[k]);
        double e[GEN_MOST_CONTACTS], p[ROWS];
        for (int i = 0; i < g.nc; i++)
            e[i] = gen_uniform(&s, 0, 1);
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = e};
        imp_certificate c;
        const imp_status status =
            imp_solve_certified(&imp_model_auto, &problem, NULL, p, NULL, &c, NULL);
        ok(status == IMP_OK && c.worst < 1e-9, "friction of an expansion of %d contacts: %s, %.1e",
           g.nc, imp_status_text(status), c.worst);
    }
}

int main(void) {
    test_energy();
    test_cradle();
    test_reduction();
    test_blend();
    test_choice();
    test_recorded();
    test_guided();
    test_facts();
    test_too_many();
    test_tangents_apart();
    test_slow_expansion();
    test_tangent_alone();
    test_little();
    return tap_done();
}
