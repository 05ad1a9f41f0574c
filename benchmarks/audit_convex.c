/* audit_convex.c - solves random problems of several contacts by the convex models and holds every answer against what
 * Drumwright and Shell (2010), section 3, promise.
 *
 *     audit_convex [COUNT]     COUNT problems (100000) of tests/gen_bodies.c, 1 to 8 contacts, a fifth with mu_v = 0.1
 * kg
 *
 * One row per number of contacts: answers not solved, the worst violation of properties 1 to 4 (energy added,
 * penetration and adhesion, kappa, cones), of 5 (the duality gap: energy above the least, by multipliers found anew),
 * of phase I's complementarity, and the most energy gained with restitution, all relative. Exit 1 when a problem is
 * unsolved or a number exceeds 1e-9. Exit 2: bad use. */
#include "impact.h"
#include "tests/gen.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    long count, unsolved;
    double energy, contact, sum, cone, stationarity, phase1, bounce;
} tally;

static double larger(double worst, double value) {
    return value <= worst ? worst : isnan(value) ? INFINITY : value;
}

static double residual(const imp_certificate *c, const char *name) {
    for (int k = 0; k < c->count; k++)
        if (strcmp(c->residual[k].name, name) == 0) return c->residual[k].value;
    return INFINITY;
}

/* Energy gained, relative to the energy that went through the contacts. */
static double gained(const imp_problem *problem, const double *p) {
    double through = 0;
    for (int i = 0; i < 3 * problem->nc; i++)
        through += fabs(p[i] * problem->q[i]);
    const double energy = imp_problem_energy(problem, p);
    return energy > 0 ? energy / through : 0;
}

static void audit(uint64_t index, tally *t) {
    const gen_many g = gen_bodies(index, 1 + (int)(index % GEN_MOST_CONTACTS));
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    imp_problem problem = {g.nc, &W, g.q, g.mu, NULL};
    double p[3 * GEN_MOST_CONTACTS] = {0}, e[GEN_MOST_CONTACTS] = {0};
    gen_stream s = gen_seed(2010, index);
    imp_convex_settings own;
    imp_certificate c = {0};
    imp_model_presets(&imp_model_drumwright, &own);
    own.mu_v = index % 5 == 0 ? 0.1 : 0;
    for (int i = 0; i < g.nc; i++)
        e[i] = index % 3 == 0 ? 1 : gen_uniform(&s, 0, 1);
    t->count++;
    t->unsolved += imp_convex(&problem, NULL, &own, p, NULL) != IMP_OK ||
                   imp_certify(&problem, &imp_law_convex, &own, p, &c) != IMP_OK;
    t->energy = larger(t->energy, gained(&problem, p));
    t->contact = larger(t->contact, residual(&c, "signorini"));
    t->sum = larger(t->sum, residual(&c, "sum"));
    t->cone = larger(t->cone, residual(&c, "cone"));
    t->stationarity = larger(t->stationarity, residual(&c, "stationarity"));
    t->unsolved += imp_frictionless(&problem, NULL, p, NULL) != IMP_OK ||
                   imp_certify(&problem, &imp_law_frictionless, NULL, p, &c) != IMP_OK;
    t->phase1 = larger(t->phase1, c.worst);
    t->energy = larger(t->energy, gained(&problem, p));
    problem.e = e;
    t->unsolved += imp_convex(&problem, NULL, &own, p, NULL) != IMP_OK;
    t->bounce = larger(t->bounce, gained(&problem, p));
    t->unsolved += imp_frictionless(&problem, NULL, p, NULL) != IMP_OK;
    t->bounce = larger(t->bounce, gained(&problem, p));
}

int main(int argc, char **argv) {
    const long count = argc > 1 ? strtol(argv[1], NULL, 10) : 100000;
    static tally tallies[GEN_MOST_CONTACTS];
    bool good = true;
    if (argc > 2 || count < 1) {
        fputs("audit_convex: usage: audit_convex [COUNT]\n", stderr);
        return 2;
    }
    for (long k = 0; k < count; k++)
        audit((uint64_t)k, &tallies[k % GEN_MOST_CONTACTS]);
    printf("%8s %8s %8s %10s %10s %10s %10s %10s %10s %10s\n", "contacts", "count", "unsolved", "energy", "contact",
           "sum", "cone", "least", "phase I", "bounce");
    for (int k = 0; k < GEN_MOST_CONTACTS; k++) {
        const tally *t = &tallies[k];
        const double numbers[] = {t->energy, t->contact, t->sum, t->cone, t->stationarity, t->phase1, t->bounce};
        printf("%8d %8ld %8ld", k + 1, t->count, t->unsolved);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            printf(" %10.1e", numbers[i]);
            good = good && numbers[i] <= 1e-9;
        }
        putchar('\n');
        good = good && t->unsolved == 0;
    }
    return good ? 0 : 1;
}
