/* test_convex_laws.c - what the convex models promise for every problem: the paper's properties,
 * energies, units. */
#include "convex_verdict.h"
#include "generators/gen.h"

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
    imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = g.mu};
    imp_convex_settings settings = convex_presets();
    double p[3 * GEN_MOST_CONTACTS] = {0}, y[3 * GEN_MOST_CONTACTS] = {0}, e[GEN_MOST_CONTACTS],
                 muv[GEN_MOST_CONTACTS];
    double lambda[GEN_MOST_CONTACTS] = {0}, u[3 * GEN_MOST_CONTACTS], energy = 0;
    imp_path path = {0};
    imp_convex_report report = {.multiplier = lambda, .path = &path};
    settings.mu_v = index % 5 == 0 ? 0.1 : 0;
    for (int i = 0; i < g.nc; i++) {
        e[i] = (double)(index % 7) / 6;
        muv[i] = settings.mu_v;
    }
    t->unsolved += imp_frictionless(&problem, y, NULL) != IMP_OK;
    t->unsolved += imp_convex(&problem, &settings, p, &report) != IMP_OK;
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
        double W[9 * GEN_MOST_CONTACTS * GEN_MOST_CONTACTS], q[3 * GEN_MOST_CONTACTS],
            mu[GEN_MOST_CONTACTS];
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
                    W[(3 * i + r) * 3 * m + j] =
                        g.W[(3 * member[i] + r) * 3 * g.nc + 3 * member[j / 3] + j % 3];
            }
        }
        const imp_operator part_op = imp_operator_dense(m, W);
        part = (imp_problem){.nc = m, .W = &part_op, .q = q, .mu = mu};
        const convex_verdict v = convex_judge(&part, muv, kappa * (1 + 0x1p-40), pp, pl);
        double size = 1;
        for (int i = 0; i < 3 * m; i++)
            size = tap_worst(size, fabs(pp[i]));
        t->broken = tap_worst(t->broken, convex_broken(&v) / size);
        t->bound = tap_worst(t->bound, v.excess / size);
    }
    const double after = imp_problem_energy(&problem, p);
    t->gained = tap_worst(t->gained, tap_worst(energy, after));
    t->more_energy += after > energy + 1e-10 * (1 + fabs(energy));
    imp_certificate certificate;
    t->certificates +=
        imp_certify(&problem, &imp_law_convex, &settings, p, &path, &certificate) != IMP_OK ||
        !(certificate.worst <= 1e-9);
    const double none[GEN_MOST_CONTACTS] = {0};
    imp_problem smooth = problem;
    smooth.mu = none;
    t->certificates +=
        imp_certify(&smooth, &imp_law_frictionless, NULL, y, NULL, &certificate) != IMP_OK ||
        !(certificate.worst <= 1e-9);
    imp_path_clear(&path);
    problem.e = e;
    t->unsolved += imp_convex(&problem, &settings, p, NULL) != IMP_OK;
    t->bounced = tap_worst(t->bounced, imp_problem_energy(&problem, p) / (1 + fabs(energy)));
    t->unsolved += imp_frictionless(&problem, y, NULL) != IMP_OK;
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
    ok(t.gained <= 1e-12 && t.more_energy == 0,
       "phase I adds no energy, phase II leaves no more (%.1e)", t.gained);
    ok(t.bounced <= 1e-12, "nor does restitution (%.1e)", t.bounced);
    ok(t.certificates == 0, "certificates accept the answers");
}

/* Units: the same bits after powers of two; tangents turned: the same answer turned. */
static void test_invariance(void) {
    double worst = 0;
    int changed = 0, unsolved = 0;
    for (uint64_t k = 0; k < 60; k++) {
        const gen_many g = gen_bodies(9000 + k, 1 + (int)(k % 8));
        const int n = 3 * g.nc;
        double W[576], V[576], q[24], r[24], p[24], scaled[24], turned[24], u[24], v[24];
        const imp_operator op = imp_operator_dense(g.nc, g.W), op_W = imp_operator_dense(g.nc, W);
        const imp_operator op_V = imp_operator_dense(g.nc, V);
        const imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = g.mu};
        const imp_problem units = {.nc = g.nc, .W = &op_W, .q = q, .mu = g.mu};
        const imp_problem frames = {.nc = g.nc, .W = &op_V, .q = r, .mu = g.mu};
        const double cosine = 0.6, sine = 0.8;
        for (int i = 0; i < n * n; i++)
            W[i] = g.W[i] * 0x1p40;
        for (int i = 0; i < n; i++)
            q[i] = g.q[i] * 0x1p-60;
        for (int i = 0; i < n; i++) {
            /* (t, o) <- (c t + s o, -s t + c o) on rows, then on columns */
            const int mate = i % 3 == 1 ? i + 1 : i - 1;
            r[i] = i % 3 == 0 ? g.q[i] : cosine * g.q[i] + (i % 3 == 1 ? sine : -sine) * g.q[mate];
            for (int j = 0; j < n; j++) {
                const int other = j % 3 == 1 ? j + 1 : j - 1;
                const double a = i % 3 == 0 ? 1 : cosine, b = i % 3 == 0   ? 0
                                                              : i % 3 == 1 ? sine
                                                                           : -sine;
                const double c = j % 3 == 0 ? 1 : cosine, d = j % 3 == 0   ? 0
                                                              : j % 3 == 1 ? sine
                                                                           : -sine;
                const int ri = i % 3 == 0 ? i : mate, rj = j % 3 == 0 ? j : other;
                V[i * n + j] = a * (c * g.W[i * n + j] + d * g.W[i * n + rj]) +
                               b * (c * g.W[ri * n + j] + d * g.W[ri * n + rj]);
            }
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                V[i * n + j] = V[j * n + i];
        unsolved += imp_solve(&imp_model_drumwright, &problem, NULL, p, NULL) != IMP_OK;
        unsolved += imp_solve(&imp_model_drumwright, &units, NULL, scaled, NULL) != IMP_OK;
        unsolved += imp_solve(&imp_model_drumwright, &frames, NULL, turned, NULL) != IMP_OK;
        for (int i = 0; i < n; i++)
            changed += p[i] != scaled[i] * 0x1p100;
        imp_operator_apply(&op, p, g.q, u);
        imp_operator_apply(&op_V, turned, r, v);
        for (int i = 0; i < n; i += 3)
            worst = tap_worst(worst, tap_worst(fabs(u[i] - v[i]), fabs(hypot(u[i + 1], u[i + 2]) -
                                                                       hypot(v[i + 1], v[i + 2]))));
    }
    ok(unsolved == 0 && changed == 0, "units change no bit");
    ok(worst < 1e-6, "turned tangents turn the velocities (%.1e)", worst);
}

int main(void) {
    test_invariance();
    test_properties();
    return tap_done();
}
