/* darboux.c - the Darboux-Keller process at one contact: the solver against quadrature along the
 * hodograph, as far apart as the problem's condition allows; the certificate, a third method;
 * energy. */
#include "campaign/campaign.h"

#include "benchmarks/harness/impact_compare.h"
#include "generators/gen_impacts.h"
#include "impact.h"

#include <math.h>

enum { DISTANCE = CAMPAIGN_OWN, SCALED, RESIDUAL, DOUBLE, STEPS, GAINS, NEWTON };

static const campaign_column columns[] = {
    {"problems", false}, {"faults", false},
    {"distance", true},  {"scaled", true},  /* distance over max(1, condition) */
    {"residual", true},  {"double", false}, /* compressions */
    {"steps", false},    {"gains", false},  /* energy gained by Newton's law, which may */
    {"gain", true},                         /* the most it gained, of the energy at stake */
    {NULL, false}};

static const imp_model *const models[] = {&imp_model_darboux_stronge, &imp_model_darboux_poisson,
                                          &imp_model_darboux_newton};

static const char *row(int k) {
    return k < GEN_IMPACT_CLASSES ? gen_impact_name((gen_impact_class)k) : NULL;
}

static double gain(const gen_problem *p, const impact_answer *a) {
    double energy = 0;
    for (int i = 0; i < 3; i++)
        energy += 0.5 * a->p[i] * (p->q[i] + a->u[i]);
    return energy / impact_energy_at_stake(p);
}

static void one(campaign_lot *lot, uint64_t number) {
    const int class = (int)(number % GEN_IMPACT_CLASSES);
    const uint64_t index = number / GEN_IMPACT_CLASSES;
    const imp_darboux_law law = (imp_darboux_law)(index % 3);
    const gen_problem p = gen_impact((gen_impact_class) class, index);
    impact_answer mine, theirs;
    gen_dense dense;
    int steps = 0, compressions = 0;
    campaign_begin(lot, class, number);
    gen_dense_of(&p, &dense);
    const bool solved = impact_by_library(&p, law, &mine, &steps) == IMP_OK,
               checked = impact_by_hodograph(&p, law, &theirs, &compressions);
    if (!solved || !checked) {
        campaign_fault(lot, class, &dense.problem, models[law],
                       solved ? "the quadrature fails" : "the solver fails");
        return;
    }
    campaign_answer(lot, mine.p, 3, 1);
    const double distance = impact_distance(p.q, &mine, &theirs);
    const double condition =
        distance > 1e-13 ? fmax(1, impact_condition(&p, law, 1.1e13 * distance)) : 1;
    const double gained = gain(&p, &mine);
    campaign_worst(lot, class, DISTANCE, distance);
    campaign_worst(lot, class, SCALED, distance / condition);
    campaign_worst(lot, class, RESIDUAL, gen_residual(&p, models[law]->law, mine.p));
    campaign_count(lot, class, DOUBLE, compressions > 1);
    lot->cell[class][STEPS] += steps;
    const bool gains = gained > 1e-12 * condition, may = law == IMP_NEWTON;
    campaign_count(lot, class, GAINS, gains && may);
    campaign_worst(lot, class, NEWTON, may ? gained : 0);
    if (!(distance <= 4e-13 * condition) || compressions > 2 || (gains && !may))
        campaign_fault(lot, class, &dense.problem, models[law],
                       gains && !may ? "gains energy" : "another answer than the quadrature");
}

static void pose(campaign_lot *lot, uint64_t first, long count) {
    for (long k = 0; k < count; k++)
        one(lot, first + (uint64_t)k);
}

const campaign_inquiry campaign_darboux = {
    .name = "darboux",
    .about = "the Darboux-Keller process: solver, quadrature and certificate, three methods",
    .row = row,
    .columns = columns,
    .lot = 960,
    .goal = 1e6,
    .pose = pose};
