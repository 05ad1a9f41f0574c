/* audit_darboux.c - the Darboux-Keller solver against two independent methods on many random
 * impacts. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/impact_compare.h"
#include "generators/gen_impacts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    long count, failed, steps, doubled, gains[3];
    int most_steps, compressions;
    /* worst; condition where `scaled` is worst */
    double distance, scaled, residual, gain[3], condition;
    /* index of the problem with the worst `scaled` */
    uint64_t where;
} tally;

static double certificate(const gen_problem *p, imp_darboux_law law, const double impulse[3]) {
    static const imp_law *const laws[] = {&imp_law_darboux_stronge, &imp_law_darboux_poisson,
                                          &imp_law_darboux_newton};
    const double W[9] = {p->W[0], p->W[1], p->W[2], p->W[1], p->W[3],
                         p->W[4], p->W[2], p->W[4], p->W[5]};
    const imp_operator dense = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &dense, .q = p->q, .mu = &p->mu, .e = &p->e};
    imp_certificate result;
    return imp_certify(&problem, laws[law], NULL, impulse, NULL, &result) == IMP_OK ? result.worst
                                                                                    : INFINITY;
}

static void audit(gen_impact_class c, uint64_t index, tally *t) {
    const gen_problem p = gen_impact(c, index);
    const imp_darboux_law law = (imp_darboux_law)(index % 3);
    impact_answer mine, theirs;
    int steps = 0, compressions = 0;
    const bool solved = impact_by_library(&p, law, &mine, &steps) == IMP_OK;
    const bool checked = impact_by_hodograph(&p, law, &theirs, &compressions);
    const double distance = solved && checked ? impact_distance(p.q, &mine, &theirs) : INFINITY;
    const double condition =
        distance > 1e-13 && solved && checked ? impact_condition(&p, law, 1.1e13 * distance) : 1;
    const double scaled = distance / fmax(1, condition),
                 residual = solved ? certificate(&p, law, mine.p) : INFINITY;
    double energy = 0;
    for (int i = 0; i < 3; i++)
        energy += 0.5 * mine.p[i] * (p.q[i] + mine.u[i]);
    const double gain = energy / impact_energy_at_stake(&p);
    t->count++;
    t->failed += !solved || !checked;
    t->steps += steps;
    t->most_steps = steps > t->most_steps ? steps : t->most_steps;
    t->doubled += compressions > 1;
    t->compressions = compressions > t->compressions ? compressions : t->compressions;
    t->distance = fmax(t->distance, distance);
    t->residual = fmax(t->residual, residual);
    if (!(scaled <= t->scaled)) {
        t->scaled = scaled;
        t->condition = condition;
        t->where = index;
    }
    if (gain > 1e-12 * fmax(1, condition)) t->gains[law]++;
    t->gain[law] = fmax(t->gain[law], gain);
}

static const char *class_at(int k) {
    return k < GEN_IMPACT_CLASSES ? gen_impact_name((gen_impact_class)k) : NULL;
}

static const usage about = {
    .program = "audit_darboux",
    .arguments = "[COUNT [CLASS]]",
    .most = 2,
    .text =
        "Solves COUNT random impacts in all (20000; a million takes a quarter of an hour), of one "
        "class where one is named.\n"
        "Per class and law: the distance of the Darboux-Keller solver from the quadrature along "
        "the "
        "hodograph, divided by\n"
        "max(1, condition); the worst residual of the certificate (a third method); Taylor steps; "
        "double compressions;\n"
        "energy gained. Exit 0: pass; 1: a distance is above 4e-13 max(1, condition), a solve "
        "fails, "
        "or Stronge or\n"
        "Poisson gain energy; 2: bad use.\n",
    .name = class_at,
};

int main(int argc, char **argv) {
    usage_answer(&about, argc, argv);
    const long total = argc > 1 ? (long)usage_whole(&about, "COUNT", argv[1], 1, 1e9) : 20000;
    int first = 0, last = GEN_IMPACT_CLASSES - 1;
    if (argc > 2) first = last = usage_find(&about, "class", argv[2]);
    const long each = (total + last - first) / (last - first + 1);
    bool good = true;
    printf("class\tcount\tfailed\tsteps_mean\tsteps_most\tdouble\tdistance\tdistance/"
           "cond\tat_index\tcond_there\t"
           "certificate\tgains_stronge\tgains_poisson\tgains_newton\tlargest_newton_gain\n");
    for (int c = first; c <= last; c++) {
        tally t = {.condition = 1, .gain = {-1, -1, -1}};
        for (long i = 0; i < each; i++)
            audit((gen_impact_class)c, (uint64_t)i, &t);
        printf("%s\t%ld\t%ld\t%.2f\t%d\t%ld\t%.2g\t%.2g\t%llu\t%.2g\t%.2g\t%ld\t%ld\t%ld\t%.3g\n",
               gen_impact_name((gen_impact_class)c), t.count, t.failed,
               (double)t.steps / (double)t.count, t.most_steps, t.doubled, t.distance, t.scaled,
               (unsigned long long)t.where, t.condition, t.residual, t.gains[0], t.gains[1],
               t.gains[2], t.gain[2]);
        fflush(stdout);
        good = good && t.failed == 0 && t.scaled <= 4e-13 && t.compressions <= 2 &&
               t.gains[0] + t.gains[1] == 0;
    }
    return good ? 0 : 1;
}
