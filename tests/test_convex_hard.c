/* test_convex_hard.c - QP1 on the random problems that were hardest to solve: almost no friction beside much,
 * multipliers in the thousands, a kappa far below the other impulses. */
#include "gen.h"
#include "impact.h"
#include "tap.h"

static void test_problem(uint64_t index, const char *what) {
    const gen_many g = gen_bodies(index, 1 + (int)(index % GEN_MOST_CONTACTS));
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {g.nc, &W, g.q, g.mu, NULL};
    double y[3 * GEN_MOST_CONTACTS] = {0}, x[3 * GEN_MOST_CONTACTS] = {0}, u[3 * GEN_MOST_CONTACTS];
    double kappa = 0, sum = 0, gap = 0, cone = 0, fastest = 0;
    imp_certificate c;
    ok(imp_frictionless(&problem, NULL, y, NULL) == IMP_OK &&
           imp_solve(&imp_model_drumwright, &problem, NULL, x, NULL) == IMP_OK,
       "%s: solved", what);
    imp_operator_apply(&W, x, g.q, u);
    for (int i = 0; i < g.nc; i++) {
        kappa += y[3 * i];
        sum += x[3 * i];
        gap = tap_worst(gap, fmax(-u[3 * i], -x[3 * i]));
        cone = tap_worst(cone, hypot(x[3 * i + 1], x[3 * i + 2]) - g.mu[i] * x[3 * i]);
        fastest = fmax(fastest, fabs(g.q[3 * i]));
    }
    ok(gap < 1e-10 * fastest && cone < 1e-14 * kappa && sum < kappa * (1 + 1e-10),
       "within its constraints: gaps %.1e, cones %.1e, sum %.1e", gap / fastest, cone / kappa, sum / kappa - 1);
    const bool certified = imp_certify(&problem, &imp_law_convex, NULL, x, &c) == IMP_OK;
    ok(certified && c.worst < 1e-9, "and of the least energy, by weak duality, to %.1e", c.worst);
}

int main(void) {
    test_problem(27684, "mu = 7e-6 beside mu = 1");
    test_problem(48754, "mu = 9e-4 and multipliers in the thousands");
    test_problem(64354, "kappa 4e-6 of an impulse across");
    test_problem(79394, "multipliers of ten thousand and hardly an interior");
    test_problem(93418, "two islands a thousand times apart");
    return tap_done();
}
