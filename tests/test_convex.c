/* test_convex.c - the convex models: known answers, optimality by weak duality, the paper's properties, hand cases. */
#include "convex_cases.h"
#include "gen.h"
#include "impact.h"
#include "tap.h"

enum { MOST = CASE_CONTACTS, ROWS = 3 * MOST };

static imp_convex_settings presets(void) {
    imp_settings settings;
    imp_convex_settings own;
    imp_model_presets(&imp_model_drumwright, &settings);
    memcpy(&own, &settings, sizeof own);
    return own;
}

/* What QP1 demands, from its definition: how far p breaks each constraint, and how far its energy can be above the
 * least: for any lambda >= 0, with r = W (p - E lambda) + q and theta = max(0, mu |r_to| - r_n), E(p) - E(x) <= sum (p
 * . r + c |r_to| + lambda u_n) + kappa theta for every x that obeys the constraints. */
typedef struct verdict {
    double gap, push, sum, cone, excess, energy; /* m/s, N s, N s, N s, J, J */
} verdict;

static verdict judge(const imp_problem *problem, const double *muv, double kappa, const double *p,
                     const double *lambda) {
    const int n = problem->nc;
    double *u = calloc(9 * (size_t)n + 1, sizeof *u), *shifted = u + 3 * n, *r = shifted + 3 * n;
    verdict v = {0};
    double sum = 0, theta = 0;
    for (int i = 0; i < 3 * n; i++)
        shifted[i] = p[i] - (i % 3 == 0 ? lambda[i / 3] : 0);
    imp_operator_apply(problem->W, p, problem->q, u);
    imp_operator_apply(problem->W, shifted, problem->q, r);
    for (int i = 0; i < n; i++) {
        const double *pi = p + 3 * i, *ri = r + 3 * i, *qi = problem->q + 3 * i;
        const double c = muv ? muv[i] * hypot(qi[1], qi[2]) : 0, pull = hypot(ri[1], ri[2]);
        v.gap = tap_worst(v.gap, -u[3 * i]);
        v.push = tap_worst(v.push, -pi[0]);
        v.cone = tap_worst(v.cone, hypot(pi[1], pi[2]) - problem->mu[i] * pi[0] - c);
        v.excess += pi[0] * ri[0] + pi[1] * ri[1] + pi[2] * ri[2] + c * pull + lambda[i] * u[3 * i];
        v.energy +=
            pi[0] * (u[3 * i] + qi[0]) / 2 + pi[1] * (u[3 * i + 1] + qi[1]) / 2 + pi[2] * (u[3 * i + 2] + qi[2]) / 2;
        theta = tap_worst(theta, problem->mu[i] * pull - ri[0]);
        sum += pi[0];
    }
    v.sum = tap_worst(0, sum - kappa);
    v.excess = fabs(v.excess + theta * kappa);
    free(u);
    return v;
}

static double worst_of(const verdict *v) {
    return tap_worst(tap_worst(v->gap, v->push), tap_worst(tap_worst(v->sum, v->cone), v->excess));
}

/* One QP1 or QP3 case: largest error of b+, dE and, where it is unique, x; the verdict's worst in *broken. */
static double case_error(const convex_case *c, double *broken) {
    static double W[ROWS * ROWS];
    double q[ROWS], p[ROWS], u[ROWS], lambda[MOST] = {0}, size = 1, off = 0;
    imp_convex_report report = {.multiplier = lambda};
    imp_convex_settings settings = presets();
    const bool conic = strcmp(c->kind, "QP1") == 0;
    case_problem(c, W, q);
    const imp_operator op = imp_operator_dense(c->n, W);
    const imp_problem problem = {c->n, &op, q, c->mu, NULL};
    const imp_convex_extra extra = {.mu_v = c->muv};
    settings.kappa = c->kappa;
    const imp_status status =
        conic ? imp_convex(&problem, &extra, &settings, p, &report) : imp_frictionless(&problem, NULL, p, &report);
    if (status != IMP_OK) return INFINITY;
    imp_operator_apply(&op, p, q, u);
    for (int k = 0; k < c->rows; k++) {
        size = tap_worst(size, tap_worst(fabs(c->b[k]), fabs(c->x[k])));
        off = tap_worst(off, fabs(u[case_place(c, k)] - c->bplus[k]));
        if (c->x_unique) off = tap_worst(off, fabs(p[case_place(c, k)] - c->x[k]));
    }
    const double dE = imp_problem_energy(&problem, p);
    off = tap_worst(off, fabs(dE - c->dE));
    *broken = 0;
    for (int i = 0; i < c->n && !conic; i++) /* QP3 is a complementarity problem */
        *broken = tap_worst(*broken, fabs(fmin(p[3 * i], u[3 * i])));
    if (conic) {
        const verdict v = judge(&problem, c->muv, c->kappa, p, lambda);
        *broken = worst_of(&v);
    }
    *broken /= size;
    return off / size;
}

static void check_cases(const char *path, bool needed) {
    FILE *file = fopen(path, "r");
    if (!file) {
        if (needed)
            ok(false, "%s opens", path);
        else
            skip("no further cases here");
        return;
    }
    static convex_case c;
    int conic = 0, frictionless = 0;
    double worst = 0, worst_broken = 0;
    while (case_read(file, &c)) {
        if (strcmp(c.kind, "QP4") == 0) continue;
        double broken = INFINITY;
        const double off = case_error(&c, &broken);
        if (!(off <= 1e-10 && broken <= 1e-10)) diag("%s: off by %.2e, conditions broken by %.2e", c.id, off, broken);
        worst = tap_worst(worst, off);
        worst_broken = tap_worst(worst_broken, broken);
        conic += strcmp(c.kind, "QP1") == 0;
        frictionless += strcmp(c.kind, "QP3") == 0;
    }
    fclose(file);
    ok(conic >= 47 && frictionless >= 32 && worst <= 1e-10, "%s: %d and %d cases, off by %.1e", path, conic,
       frictionless, worst);
    ok(worst_broken <= 1e-10, "and their optimality conditions hold to %.1e", worst_broken);
}

/* The sum of a frictionless answer over each island, from the blocks of W that are not zero. */
static bool joined(const gen_many *g, int i, int j) {
    for (int k = 0; k < 9; k++)
        if (g->W[(3 * i + k / 3) * 3 * g->nc + 3 * j + k % 3] != 0) return true;
    return false;
}

typedef struct tally {
    int unsolved, more_energy, certificates;
    double broken, bound, gained, bounced;
} tally;

/* The paper's five properties, and energies, of one random problem with one island. */
static void tally_problem(uint64_t index, tally *t) {
    const gen_many g = gen_bodies(index, 1 + (int)(index % GEN_MOST_CONTACTS));
    const imp_operator op = imp_operator_dense(g.nc, g.W);
    imp_problem problem = {g.nc, &op, g.q, g.mu, NULL};
    imp_convex_settings settings = presets();
    double p[3 * GEN_MOST_CONTACTS] = {0}, y[3 * GEN_MOST_CONTACTS] = {0}, e[GEN_MOST_CONTACTS], muv[GEN_MOST_CONTACTS];
    double lambda[GEN_MOST_CONTACTS] = {0}, u[3 * GEN_MOST_CONTACTS], energy = 0;
    imp_convex_report report = {.multiplier = lambda};
    settings.mu_v = index % 5 == 0 ? 0.1 : 0;
    for (int i = 0; i < g.nc; i++) {
        e[i] = (double)(index % 7) / 6;
        muv[i] = settings.mu_v;
    }
    t->unsolved += imp_frictionless(&problem, NULL, y, NULL) != IMP_OK;
    t->unsolved += imp_convex(&problem, NULL, &settings, p, &report) != IMP_OK;
    imp_operator_apply(&op, y, g.q, u);
    for (int i = 0; i < g.nc; i++) { /* phase I: complementary, and the energy it leaves */
        t->broken = tap_worst(t->broken, fabs(fmin(y[3 * i], u[3 * i])));
        energy += y[3 * i] * g.q[3 * i] / 2;
    }
    int island[GEN_MOST_CONTACTS];
    for (int i = 0; i < g.nc; i++) { /* labels spread until they stay: eight contacts at most */
        island[i] = i;
        for (int round = 0; round < g.nc; round++)
            for (int j = 0; j <= i; j++)
                for (int k = 0; k <= i; k++)
                    if (joined(&g, j, k) && island[k] < island[j]) island[j] = island[k];
    }
    for (int k = 0; k < g.nc; k++) { /* each island by itself */
        imp_problem part = {0};
        double W[9 * GEN_MOST_CONTACTS * GEN_MOST_CONTACTS], q[3 * GEN_MOST_CONTACTS], mu[GEN_MOST_CONTACTS];
        double pp[3 * GEN_MOST_CONTACTS], pl[GEN_MOST_CONTACTS], kappa = 0;
        int member[GEN_MOST_CONTACTS], m = 0;
        for (int i = 0; i < g.nc; i++)
            if (island[i] == k) member[m++] = i;
        if (m == 0) continue;
        for (int i = 0; i < m; i++) {
            mu[i] = g.mu[member[i]];
            pl[i] = lambda[member[i]];
            kappa += y[3 * member[i]];
            for (int r = 0; r < 3; r++) {
                q[3 * i + r] = g.q[3 * member[i] + r];
                pp[3 * i + r] = p[3 * member[i] + r];
                for (int j = 0; j < 3 * m; j++)
                    W[(3 * i + r) * 3 * m + j] = g.W[(3 * member[i] + r) * 3 * g.nc + 3 * member[j / 3] + j % 3];
            }
        }
        const imp_operator part_op = imp_operator_dense(m, W);
        part = (imp_problem){m, &part_op, q, mu, NULL};
        const verdict v = judge(&part, muv, kappa * (1 + 0x1p-40), pp, pl);
        double size = 1;
        for (int i = 0; i < 3 * m; i++)
            size = tap_worst(size, fabs(pp[i]));
        t->broken = tap_worst(t->broken, tap_worst(tap_worst(v.gap, v.push), tap_worst(v.sum, v.cone)) / size);
        t->bound = tap_worst(t->bound, v.excess / size);
    }
    const double after = imp_problem_energy(&problem, p);
    t->gained = tap_worst(t->gained, tap_worst(energy, after));
    t->more_energy += after > energy + 1e-10 * (1 + fabs(energy));
    imp_certificate certificate;
    t->certificates +=
        imp_certify(&problem, &imp_law_convex, &settings, p, &certificate) != IMP_OK || !(certificate.worst <= 1e-9);
    t->certificates +=
        imp_certify(&problem, &imp_law_frictionless, NULL, y, &certificate) != IMP_OK || !(certificate.worst <= 1e-9);
    problem.e = e;
    t->unsolved += imp_convex(&problem, NULL, &settings, p, NULL) != IMP_OK;
    t->bounced = tap_worst(t->bounced, imp_problem_energy(&problem, p) / (1 + fabs(energy)));
    t->unsolved += imp_frictionless(&problem, NULL, y, NULL) != IMP_OK;
    t->bounced = tap_worst(t->bounced, imp_problem_energy(&problem, y) / (1 + fabs(energy)));
    imp_operator_apply(&op, p, g.q, u);
    for (int i = 0; i < g.nc; i++)
        t->broken = tap_worst(t->broken, -u[3 * i]);
}

static void test_properties(void) {
    enum { COUNT = 2000 };
    tally t = {0};
    for (uint64_t k = 0; k < COUNT; k++)
        tally_problem(k, &t);
    ok(t.unsolved == 0, "%d random problems of 1 to 8 contacts are solved", COUNT);
    ok(t.broken <= 1e-11, "no penetration, no adhesion, kappa and cones kept (%.1e)", t.broken);
    ok(t.bound <= 1e-9, "the energy is the least, by weak duality, to %.1e", t.bound);
    ok(t.gained <= 1e-12 && t.more_energy == 0, "phase I adds no energy, phase II leaves no more (%.1e)", t.gained);
    ok(t.bounced <= 1e-12, "nor does restitution (%.1e)", t.bounced);
    ok(t.certificates == 0, "certificates accept the answers");
}

/* One contact: W = [[1.5, a, 0], [a, 2, 0], [0, 0, 1.5]], q = (-1, 2, 0), mu = 1/2. */
static void single(double a, double want[3], double normal_velocity, const char *name) {
    const double W[9] = {1.5, a, 0, a, 2, 0, 0, 0, 1.5}, q[3] = {-1, 2, 0}, mu = 0.5;
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {1, &op, q, &mu, NULL};
    double p[3], u[3];
    imp_certificate certificate;
    ok(imp_solve(&imp_model_drumwright, &problem, NULL, p, NULL) == IMP_OK, "%s", name);
    imp_operator_apply(&op, p, q, u);
    is_vec(p, want, 3, 1e-11, 0, "%s: impulse", name);
    is_near(u[0], normal_velocity, 1e-11, 0, "%s: normal velocity", name);
    imp_certify(&problem, &imp_law_convex, NULL, p, &certificate);
    ok(certificate.worst <= 1e-11 && certificate.energy_excess <= 1e-11, "%s: certified", name);
    p[1] *= 0.9;
    p[0] *= 0.9 + 0.1 * (a != 0.4);
    imp_certify(&problem, &imp_law_convex, NULL, p, &certificate);
    ok(certificate.worst > 1e-3, "%s: less friction is refused (%.1e)", name, certificate.worst);
}

static void test_single(void) {
    double jam[3] = {2.0 / 3, 0, 0}, takeoff[3] = {2.0 / 3, -1.0 / 3, 0};
    single(0.4, jam, 0, "jam: friction would press the contact, and vanishes");
    single(-0.4, takeoff, 2.0 / 15, "take-off: more friction than Coulomb's, the contact leaves");
}

/* Two separate bodies: the impulse the first saves is not spent on the second; with one kappa it is. */
static void test_islands(void) {
    const double W[36] = {1.5, 0.4, 0, 0, 0, 0, 0.4, 2, 0, 0, 0,   0, 0, 0, 1.5, 0, 0, 0,
                          0,   0,   0, 1, 0, 0, 0,   0, 0, 0, 3.5, 0, 0, 0, 0,   0, 0, 3.5};
    const double q[6] = {-1, -2, 0, 0, 1, 0}, mu[2] = {0.5, 0.5};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {2, &op, q, mu, NULL};
    imp_convex_settings settings = presets();
    imp_convex_report report = {0};
    double p[6];
    ok(imp_convex(&problem, NULL, &settings, p, &report) == IMP_OK && report.islands == 2, "two islands");
    ok(p[3] == 0 && p[4] == 0, "a body that nothing approaches stays as it is");
    settings.kappa = 2.0 / 3 * (1 + 0x1p-40);
    ok(imp_convex(&problem, NULL, &settings, p, &report) == IMP_OK && report.islands == 1, "one kappa over both");
    is_near(p[3], 0.023391812865837434, 1e-10, 0, "launches the second body");
}

/* A sphere between two plates: any equal pushes solve phase I, kappa is the least of them. */
static void test_wedge(void) {
    double W[36] = {0};
    const double normal[2][2] = {{1, -1}, {-1, 1}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            W[18 * i + 3 * j] = normal[i][j];
            W[18 * i + 6 + 3 * j + 1] = W[18 * i + 12 + 3 * j + 2] = i == j ? 3.5 : -1.5;
        }
    double q[6] = {-1, 1, 0, 1, 1, 0};
    const double mu[2] = {0.5, 0.5};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {2, &op, q, mu, NULL};
    double p[6];
    ok(imp_frictionless(&problem, NULL, p, NULL) == IMP_OK, "a sphere between two plates");
    is_near(p[0] + p[3], 1, 1e-14, 0, "pushes no more than it must");
    q[0] = -1; /* both plates close: nothing can be done */
    q[3] = -1;
    imp_convex_report report = {0};
    imp_convex_settings settings = presets();
    ok(imp_frictionless(&problem, NULL, p, NULL) == IMP_NO_SOLUTION && p[0] == 0, "plates that close: no solution");
    ok(imp_convex(&problem, NULL, &settings, p, &report) == IMP_NO_SOLUTION && p[0] == 0, "nor with friction");
}

/* Three contacts that share one degree of freedom: n, n, and both at once; the least sum uses the lever. */
static void test_least_sum(void) {
    double W[81] = {0}, q[9] = {-1, 0, 0, -1, 0, 0, -2, 0, 0}, p[9];
    const double lever[3] = {1, 1, 2}, mu[3] = {0, 0, 0};
    for (int i = 0; i < 9; i++)
        W[10 * i] = 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            W[27 * i + 3 * j] = lever[i] * lever[j];
    const imp_operator op = imp_operator_dense(3, W);
    const imp_problem problem = {3, &op, q, mu, NULL};
    ok(imp_frictionless(&problem, NULL, p, NULL) == IMP_OK, "one degree of freedom, three contacts");
    is_near(p[0] + p[3] + p[6], 0.5, 1e-13, 0, "the least sum pushes at the longest lever alone");
}

/* Restitution without the second solve would create energy here: A_N = [[1, -.9], [-.9, 1]], e = (1, 0). */
static void test_restitution(void) {
    double W[36] = {0}, p[6], u[6];
    const double q[6] = {-0.1, 0, 0, -0.1, 0, 0}, mu[2] = {0, 0}, e[2] = {1, 0};
    for (int i = 0; i < 6; i++)
        W[7 * i] = 1;
    W[3] = W[18] = -0.9;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {2, &op, q, mu, e};
    imp_certificate certificate;
    ok(imp_solve(&imp_model_frictionless, &problem, NULL, p, NULL) == IMP_OK, "unequal restitution");
    is_near(imp_problem_energy(&problem, p), -0.005, 1e-12, 0, "keeps the energy below what it was");
    imp_operator_apply(&op, p, q, u);
    ok(u[0] >= -1e-15 && u[3] >= -1e-15, "and the contacts apart");
    imp_certify(&problem, &imp_law_frictionless, NULL, p, &certificate);
    ok(certificate.worst < 1e-14, "certified");
}

/* Steps that run out, settings out of range, data that are none. */
static void test_limits(void) {
    const gen_many g = gen_bodies(11, 6);
    const imp_operator op = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {g.nc, &op, g.q, g.mu, NULL};
    imp_convex_settings settings = presets();
    imp_convex_report report = {0};
    double p[18], y[18];
    settings.max_iterations = 1;
    settings.polish = 0;
    imp_frictionless(&problem, NULL, y, NULL);
    ok(imp_convex(&problem, NULL, &settings, p, &report) == IMP_NOT_CONVERGED && report.fallbacks == 1,
       "one step is not enough");
    is_vec(p, y, 18, 0, 0, "the answer is phase I's then");
    settings = presets();
    ok(imp_convex(&problem, NULL, &settings, p, &report) == IMP_OK && report.kappa > 0, "with enough it is solved");
    for (int share = 0; share < 2; share++) {
        settings.kappa = share * 1e-3 * report.kappa;
        ok(imp_convex(&problem, NULL, &settings, p, NULL) == IMP_NOT_CONVERGED, "a kappa that cannot be met ends");
        is_vec(p, y, 18, 0, 0, "with phase I's answer");
    }
    settings.mu_v = -1;
    ok(imp_solve(&imp_model_drumwright, &problem, &settings, p, NULL) == IMP_BAD_ARGUMENT, "mu_v < 0 is refused");
    double muv[6] = {0, 0, NAN, 0, 0, 0};
    const imp_convex_extra extra = {.mu_v = muv};
    settings = presets();
    ok(imp_convex(&problem, &extra, &settings, p, NULL) == IMP_NOT_FINITE, "NaN in mu_v is refused");
}

/* Units: the same bits after powers of two; tangents turned: the same answer turned. */
static void test_invariance(void) {
    double worst = 0;
    int changed = 0;
    for (uint64_t k = 0; k < 60; k++) {
        const gen_many g = gen_bodies(9000 + k, 1 + (int)(k % 8));
        const int n = 3 * g.nc;
        double W[576], V[576], q[24], r[24], p[24], scaled[24], turned[24], u[24], v[24];
        const imp_operator op = imp_operator_dense(g.nc, g.W), op_W = imp_operator_dense(g.nc, W);
        const imp_operator op_V = imp_operator_dense(g.nc, V);
        const imp_problem problem = {g.nc, &op, g.q, g.mu, NULL}, units = {g.nc, &op_W, q, g.mu, NULL};
        const imp_problem frames = {g.nc, &op_V, r, g.mu, NULL};
        const double cosine = 0.6, sine = 0.8;
        for (int i = 0; i < n * n; i++)
            W[i] = g.W[i] * 0x1p40;
        for (int i = 0; i < n; i++)
            q[i] = g.q[i] * 0x1p-60;
        for (int i = 0; i < n; i++) { /* (t, o) <- (c t + s o, -s t + c o) on rows, then on columns */
            const int mate = i % 3 == 1 ? i + 1 : i - 1;
            r[i] = i % 3 == 0 ? g.q[i] : cosine * g.q[i] + (i % 3 == 1 ? sine : -sine) * g.q[mate];
            for (int j = 0; j < n; j++) {
                const int other = j % 3 == 1 ? j + 1 : j - 1;
                const double a = i % 3 == 0 ? 1 : cosine, b = i % 3 == 0 ? 0 : i % 3 == 1 ? sine : -sine;
                const double c = j % 3 == 0 ? 1 : cosine, d = j % 3 == 0 ? 0 : j % 3 == 1 ? sine : -sine;
                const int ri = i % 3 == 0 ? i : mate, rj = j % 3 == 0 ? j : other;
                V[i * n + j] =
                    a * (c * g.W[i * n + j] + d * g.W[i * n + rj]) + b * (c * g.W[ri * n + j] + d * g.W[ri * n + rj]);
            }
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                V[i * n + j] = V[j * n + i];
        imp_solve(&imp_model_drumwright, &problem, NULL, p, NULL);
        imp_solve(&imp_model_drumwright, &units, NULL, scaled, NULL);
        imp_solve(&imp_model_drumwright, &frames, NULL, turned, NULL);
        for (int i = 0; i < n; i++)
            changed += p[i] != scaled[i] * 0x1p100;
        imp_operator_apply(&op, p, g.q, u);
        imp_operator_apply(&op_V, turned, r, v);
        for (int i = 0; i < n; i += 3)
            worst = tap_worst(
                worst, tap_worst(fabs(u[i] - v[i]), fabs(hypot(u[i + 1], u[i + 2]) - hypot(v[i + 1], v[i + 2]))));
    }
    ok(changed == 0, "units change no bit");
    ok(worst < 1e-6, "turned tangents turn the velocities (%.1e)", worst);
}

int main(void) {
    check_cases("reference/data/drumwright2010_convex.tsv", true);
    check_cases("../shared/oracle/convex.tsv", false);
    test_single();
    test_islands();
    test_wedge();
    test_least_sum();
    test_restitution();
    test_limits();
    test_invariance();
    test_properties();
    return tap_done();
}
