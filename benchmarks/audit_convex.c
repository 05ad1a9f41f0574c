/* audit_convex.c - solves random problems of several contacts by the convex models and holds every
 * answer against what Drumwright and Shell (2010), section 3, promise. */
#include "benchmarks/harness/usage.h"
#include "impact.h"
#include "generators/gen.h"
#include "io/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
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

/* One class of loose bodies. */
typedef struct loose_class {
    const char *name;
    uint64_t stream;
    int most;
    double most_mu, decades;
} loose_class;

static const loose_class loose[] = {{"of D-App", 0x0d, 6, 1.5, 0},
                                    {"mu <= 3", 11, 8, 3, 0},
                                    {"masses", 12, 8, 3, 6},
                                    {"masses", 13, 6, 1.5, 6}};
enum { LOOSE = sizeof loose / sizeof *loose };

static void audit(gen_many g, double mu_v, double e[GEN_MOST_CONTACTS], tally *t) {
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
    double p[3 * GEN_MOST_CONTACTS] = {0};
    imp_convex_settings own;
    imp_certificate c = {0};
    imp_model_presets(&imp_model_drumwright, &own);
    own.mu_v = mu_v;
    t->count++;
    t->unsolved +=
        imp_solve_certified(&imp_model_drumwright, &problem, &own, p, NULL, &c, NULL) != IMP_OK;
    t->energy = larger(t->energy, gained(&problem, p));
    t->contact = larger(t->contact, residual(&c, "signorini"));
    t->sum = larger(t->sum, residual(&c, "sum"));
    t->cone = larger(t->cone, residual(&c, "cone"));
    t->stationarity =
        larger(t->stationarity, fmax(residual(&c, "stationarity"), residual(&c, "slip")));
    t->stationarity = larger(t->stationarity, residual(&c, "complementarity"));
    t->unsolved += imp_frictionless(&problem, p, NULL) != IMP_OK ||
                   imp_certify(&problem, &imp_law_frictionless, NULL, p, NULL, &c) != IMP_OK;
    t->phase1 = larger(t->phase1, c.worst);
    t->energy = larger(t->energy, gained(&problem, p));
    problem.e = e;
    t->unsolved +=
        imp_solve_certified(&imp_model_drumwright, &problem, &own, p, NULL, &c, NULL) != IMP_OK;
    t->bounce = larger(t->bounce, fmax(c.worst, gained(&problem, p)));
    t->unsolved += imp_frictionless(&problem, p, NULL) != IMP_OK;
    t->bounce = larger(t->bounce, gained(&problem, p));
}

static void audit_bodies(uint64_t index, tally *t) {
    gen_stream s = gen_seed(2010, index);
    double e[GEN_MOST_CONTACTS];
    for (int i = 0; i < GEN_MOST_CONTACTS; i++)
        e[i] = index % 3 == 0 ? 1 : gen_uniform(&s, 0, 1);
    audit(gen_bodies(index, 1 + (int)(index % GEN_MOST_CONTACTS)), index % 5 == 0 ? 0.1 : 0, e, t);
}

static bool say(const char *name, const tally *t) {
    const double numbers[] = {t->energy,       t->contact, t->sum,   t->cone,
                              t->stationarity, t->phase1,  t->bounce};
    bool good = t->unsolved == 0;
    printf("%8s %8ld %8ld", name, t->count, t->unsolved);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        printf(" %10.1e", numbers[i]);
        good = good && numbers[i] <= 1e-6;
    }
    putchar('\n');
    return good;
}

static const usage about = {
    .program = "audit_convex",
    .arguments = "[COUNT [LOOSE [FIRST]]]",
    .most = 3,
    .text =
        "Solves COUNT random problems (100000) of 1 to 8 contacts, a fifth with mu_v = 0.1 kg, and "
        "LOOSE (COUNT / 10) of\n"
        "each class of one or two loose bodies, beginning with number FIRST (0) of their streams. "
        "One row per number of\n"
        "contacts, then one per class: answers not solved, the worst violation of properties 1 to "
        "4 "
        "(energy added,\n"
        "penetration and adhesion, kappa, cones), of 5 (the duality gap: energy above the least, "
        "and "
        "the pairs of the\n"
        "solver's multipliers), of phase I's complementarity, and with restitution of energy "
        "gained "
        "and of the\n"
        "certificate, all relative. Exit 0: pass; 1: a problem is unsolved or a number exceeds "
        "1e-6, which is what ok\n"
        "promises; 2: bad use.\n",
};

int main(int argc, char **argv) {
    usage_answer(&about, argc, argv);
    const double count = argc > 1 ? usage_whole(&about, "COUNT", argv[1], 1, 1e9) : 100000,
                 loosely =
                     argc > 2 ? usage_whole(&about, "LOOSE", argv[2], 0, 1e9) : floor(count / 10),
                 first = argc > 3 ? usage_whole(&about, "FIRST", argv[3], 0, 1e9) : 0;
    static tally tallies[GEN_MOST_CONTACTS], of_loose[LOOSE];
    bool good = true;
    for (long k = (long)first; k < (long)(first + count); k++)
        audit_bodies((uint64_t)k, &tallies[k % GEN_MOST_CONTACTS]);
    for (int c = 0; c < LOOSE; c++)
        for (long k = (long)first; k < (long)(first + loosely); k++) {
            const loose_class *l = &loose[c];
            double e[GEN_MOST_CONTACTS];
            const gen_many g =
                gen_loose(l->stream, (uint64_t)k, l->most, l->most_mu, l->decades, e);
            audit(g, 0, e, &of_loose[c]);
        }
    printf("%8s %8s %8s %10s %10s %10s %10s %10s %10s %10s\n", "contacts", "count", "unsolved",
           "energy", "contact", "sum", "cone", "least", "phase I", "bounce");
    for (int k = 0; k < GEN_MOST_CONTACTS; k++) {
        char name[12];
        snprintf(name, sizeof name, "%d", k + 1);
        good = say(name, &tallies[k]) && good;
    }
    for (int c = 0; c < LOOSE; c++)
        good = say(loose[c].name, &of_loose[c]) && good;
    return good ? 0 : 1;
}
