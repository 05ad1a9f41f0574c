/* test_joint_friction.c - joint friction: known answers, optimality of random mechanisms, sticking,
 * refusals. */
#include "convex_cases.h"
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

enum { JOINTS = 24, LONG = 100 };

typedef struct mechanism {
    int n;
    double H[LONG * LONG], free[LONG], bound[LONG], x[LONG], v[LONG];
    double work[LONG * LONG + 4 * LONG];
} mechanism;

static imp_status solve(mechanism *m, imp_info *info) {
    return imp_joint_friction(m->n, m->H, m->free, m->bound, m->x, m->v, m->work, info);
}

/* The largest violation of: H (v - free) = x, |x| <= bound, x = -bound sign(v) where v is not 0;
 * relative to what makes up H v. Written from the definition. */
static double optimality(const mechanism *m) {
    double worst = 0;
    for (int i = 0; i < m->n; i++) {
        double momentum = -m->x[i], size = fabs(m->x[i]) + m->bound[i];
        for (int j = 0; j < m->n; j++) {
            const double H = m->H[i * m->n + j];
            momentum += H * (m->v[j] - m->free[j]);
            size += fabs(H * m->v[j]) + fabs(H * m->free[j]);
        }
        double fault = tap_worst(fabs(momentum), fabs(m->x[i]) - m->bound[i]);
        if (m->v[i] > 0) fault = tap_worst(fault, fabs(m->x[i] + m->bound[i]));
        if (m->v[i] < 0) fault = tap_worst(fault, fabs(m->x[i] - m->bound[i]));
        if (!(fault <= 1e300)) return INFINITY;
        worst = tap_worst(worst, size > 0 ? fault / size : 0);
    }
    return worst;
}

static void check_cases(const char *path, bool needed) {
    FILE *file = case_open(path, needed);
    if (!file) return;
    int count = 0;
    double worst = 0;
    static convex_case c;
    while (case_read(file, &c)) {
        mechanism m = {.n = c.n};
        if (strcmp(c.kind, "QP4") != 0) continue;
        memcpy(m.H, c.A, (size_t)(c.n * c.n) * sizeof *m.H);
        memcpy(m.free, c.b, (size_t)c.n * sizeof *m.free);
        memcpy(m.bound, c.mu, (size_t)c.n * sizeof *m.bound);
        double size = 0, off = solve(&m, NULL) == IMP_OK ? 0 : INFINITY;
        for (int i = 0; i < c.n; i++) {
            size = tap_worst(size, tap_worst(fabs(c.b[i]), fabs(c.x[i])));
            off = tap_worst(off, tap_worst(fabs(m.v[i] - c.bplus[i]), fabs(m.x[i] - c.x[i])));
        }
        worst = tap_worst(worst, off / size);
        count++;
    }
    fclose(file);
    ok(count >= 32 && worst <= 1e-11, "%s: %d cases, off by %.1e", path, count, worst);
}

/* H = L L' with a random lower L, badly scaled joint by joint when `scaled`. */
static mechanism random_mechanism(uint64_t index, bool scaled) {
    gen_stream s = gen_seed(2200 + scaled, index);
    mechanism m = {.n = 1 + (int)(index % JOINTS)};
    double L[JOINTS * JOINTS] = {0}, unit[JOINTS];
    for (int i = 0; i < m.n; i++) {
        unit[i] = scaled ? gen_power10(&s, -2, 2) : 1;
        for (int j = 0; j <= i; j++)
            L[i * m.n + j] =
                unit[i] * (i == j ? 1 + gen_uniform(&s, 0, 1) : 0.5 * gen_normal(&s) / sqrt(i));
    }
    for (int i = 0; i < m.n; i++) {
        m.free[i] = gen_normal(&s) / unit[i];
        m.bound[i] = gen_uniform(&s, 0, 1) < 0.1 ? 0 : unit[i] * gen_power10(&s, -2, 1);
        for (int j = 0; j < m.n; j++)
            for (int k = 0; k < m.n; k++)
                m.H[i * m.n + j] += L[i * m.n + k] * L[j * m.n + k];
    }
    return m;
}

static void test_random(void) {
    double worst = 0, gained = 0;
    int unsolved = 0, stuck = 0;
    for (uint64_t k = 0; k < 4000; k++) {
        mechanism m = random_mechanism(k, k % 2 == 1);
        unsolved += solve(&m, NULL) != IMP_OK;
        worst = tap_worst(worst, optimality(&m));
        double before = 0, after = 0;
        for (int i = 0; i < m.n; i++) {
            stuck += m.v[i] == 0;
            for (int j = 0; j < m.n; j++) {
                before += m.free[i] * m.H[i * m.n + j] * m.free[j] / 2;
                after += m.v[i] * m.H[i * m.n + j] * m.v[j] / 2;
            }
        }
        gained = tap_worst(gained, (after - before) / before);
    }
    ok(unsolved == 0 && stuck > 4000, "4000 mechanisms solved, %d joints stuck", stuck);
    ok(worst <= 1e-13, "optimality from the definition (%.1e)", worst);
    ok(gained <= 1e-14, "friction never adds energy (%.1e)", gained);
}

/* Two masses: one slides at mu_c h, the other is held; without a change of sign it is the explicit
 * friction step. */
static void test_closed_forms(void) {
    mechanism m = {.n = 2, .H = {2, 0, 0, 5}, .free = {3, -0.01}};
    const double mu_c[2] = {4, 1}, mu_v[2] = {0.5, 0}, velocity[2] = {-2, 0};
    imp_info info;
    imp_joint_friction_bound(2, 0.1, mu_c, mu_v, velocity, m.bound);
    is_near(m.bound[0], 0.5, 1e-15, 0, "the bound takes |velocity| and the step");
    const imp_status status = solve(&m, &info);
    ok(status == IMP_OK && info.iterations == 1, "solved by the first set, of %d", info.iterations);
    is_near(m.v[0], 3 - 0.5 / 2, 1e-15, 0, "a moving joint loses bound / H");
    ok(m.v[1] == 0 && fabs(m.x[1] - 0.05) < 1e-16, "a held joint stands exactly still");
    m.bound[1] = 0.05; /* exactly enough */
    ok(solve(&m, NULL) == IMP_OK && fabs(m.v[1]) < 1e-16 && fabs(m.x[1]) <= 0.05,
       "a bound just large enough holds");
    m.bound[0] = m.bound[1] = 0;
    ok(solve(&m, NULL) == IMP_OK && fabs(m.v[0] - 3) < 1e-15 && fabs(m.v[1] + 0.01) < 1e-17,
       "without friction nothing happens");
    memset(m.free, 0, sizeof m.free);
    ok(solve(&m, NULL) == IMP_OK && m.v[0] == 0 && m.x[0] == 0, "rest stays rest");
}

/* What holds all joints is found at once, whatever their inertia. */
static void test_held(void) {
    int sets = 0, moving = 0;
    for (uint64_t k = 0; k < 200; k++) {
        mechanism m = random_mechanism(k, true);
        imp_info info = {0};
        for (int i = 0; i < m.n; i++)
            m.bound[i] = 1e12;
        if (solve(&m, &info) != IMP_OK) info.iterations = 1000;
        sets += info.iterations;
        for (int i = 0; i < m.n; i++)
            moving += m.v[i] != 0;
    }
    ok(sets == 200 && moving == 0, "200 mechanisms that are held take %d sets", sets);
}

/* Straight chains of unit masses a unit apart, condition number like n^4, whose joints are stopped
 * nearly all: exchanges of all sets go round in circles there. */
static void test_chains(void) {
    double worst = 0;
    int unsolved = 0, stuck = 0, moving = 0;
    for (uint64_t k = 0; k < 60; k++) {
        static mechanism m;
        gen_stream s = gen_seed(2210, k);
        const int level = (int)(k / 4);
        m.n = 40 + 20 * (int)(k % 4);
        for (int i = 0; i < m.n; i++) {
            m.free[i] = gen_uniform(&s, -1, 1);
            m.bound[i] = pow(10, 1 + 0.25 * level);
            for (int j = 0; j < m.n; j++) {
                m.H[i * m.n + j] = 0;
                for (int a = i > j ? i : j; a < m.n; a++)
                    m.H[i * m.n + j] += (a - i + 1.0) * (a - j + 1.0);
            }
        }
        unsolved += solve(&m, NULL) != IMP_OK;
        worst = tap_worst(worst, optimality(&m));
        for (int i = 0; i < m.n; i++) {
            stuck += m.v[i] == 0;
            moving += m.v[i] != 0;
        }
    }
    ok(unsolved == 0, "60 chains of up to 100 joints: %d unsolved", unsolved);
    ok(worst <= 1e-12 && stuck > 500 && moving > 500, "%d stuck, %d move; optimality %.1e", stuck,
       moving, worst);
}

/* Inertias that are singular but for 1e-6, in units 1e8 apart: some are not solved, and what
 * is given then is friction within its bounds with the velocity that it leads to. */
static void test_unsolved(void) {
    double worst = 0;
    int unsolved = 0, beyond = 0;
    for (uint64_t k = 0; k < 300; k++) {
        static mechanism m;
        gen_stream s = gen_seed(2230, k);
        double L[30 * 30], unit[30];
        m.n = 24 + (int)(k % 7);
        const int rank = m.n / 2 + (int)(k % 5);
        for (int i = 0; i < m.n; i++) {
            unit[i] = gen_power10(&s, -4, 4);
            m.free[i] = gen_normal(&s) / unit[i];
            m.bound[i] = fabs(gen_normal(&s)) * unit[i] * gen_power10(&s, -3, 2);
            for (int j = 0; j < rank; j++)
                L[i * rank + j] = gen_normal(&s);
        }
        for (int i = 0; i < m.n; i++)
            for (int j = 0; j < m.n; j++) {
                double sum = i == j ? 1e-6 : 0;
                for (int a = 0; a < rank; a++)
                    sum += L[i * rank + a] * L[j * rank + a];
                m.H[i * m.n + j] = sum * unit[i] * unit[j];
            }
        if (solve(&m, NULL) != IMP_NOT_CONVERGED) continue;
        unsolved++;
        for (int i = 0; i < m.n; i++) {
            double missed = -m.x[i], size = fabs(m.x[i]);
            for (int j = 0; j < m.n; j++) {
                missed += m.H[i * m.n + j] * (m.v[j] - m.free[j]);
                size += fabs(m.H[i * m.n + j] * m.v[j]) + fabs(m.H[i * m.n + j] * m.free[j]);
            }
            worst = tap_worst(worst, fabs(missed) / size);
            beyond += !(fabs(m.x[i]) <= m.bound[i]);
        }
    }
    ok(unsolved > 0 && beyond == 0 && worst < 1e-12,
       "%d of 300 unsolved: the impulse's own velocity, to %.1e", unsolved, worst);
}

/* H free beyond double: nothing is known of it. */
static void test_beyond(void) {
    mechanism m[3] = {
        {.n = 2, .H = {1e200, 5e199, 5e199, 1e200}, .free = {1e200, -1e200}, .bound = {1, 1}},
        {.n = 2, .H = {1e200, 0, 0, 1}, .free = {1e200, 0.1}, .bound = {0, 1}},
        {.n = 1, .H = {1e200}, .free = {1e200}, .bound = {1}}};
    for (int k = 0; k < 3; k++) {
        m[k].x[0] = m[k].v[0] = 7;
        ok(solve(&m[k], NULL) == IMP_NOT_FINITE && m[k].x[0] == 7 && m[k].v[0] == 7,
           "a momentum beyond double is refused, outputs untouched");
    }
}

static void test_refusals(void) {
    mechanism m = {.n = 2, .H = {1, 2, 2, 1}, .free = {1, 1}, .bound = {1, 1}, .x = {7, 7}};
    ok(solve(&m, NULL) == IMP_NOT_POSITIVE && m.x[0] == 7,
       "an indefinite inertia is refused, outputs untouched");
    m.H[1] = m.H[2] = NAN;
    ok(solve(&m, NULL) == IMP_NOT_FINITE, "NaN is refused");
    m.H[1] = m.H[2] = 0;
    m.bound[1] = -1;
    ok(solve(&m, NULL) == IMP_BAD_FRICTION && m.x[0] == 7, "a negative bound is refused");
    ok(imp_joint_friction(0, m.H, m.free, m.bound, m.x, m.v, m.work, NULL) == IMP_BAD_ARGUMENT,
       "no joints: refused");
    ok(imp_joint_friction_workspace(LONG) <= sizeof m.work, "the workspace is what it says");
}

int main(void) {
    check_cases("reference/data/drumwright2010_convex.tsv", true);
    check_cases("../shared/oracle/convex.tsv", false);
    test_closed_forms();
    test_random();
    test_held();
    test_chains();
    test_unsolved();
    test_beyond();
    test_refusals();
    return tap_done();
}
