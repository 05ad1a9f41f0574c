/* oracle.c - every model of one contact against solvers that share nothing with it: maximum
 * dissipation and all Coulomb solutions with 113 bits, the processes in space and in the plane by
 * quadrature in long double. Each answer is as near as the condition of its problem allows. */
#include "campaign/campaign.h"

#include "benchmarks/harness/impact_compare.h"
#include "generators/gen_impacts.h"
#include "impact.h"
#include "reference/oracle/oracle.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { DISTANCE = CAMPAIGN_OWN, SCALED, SEVERAL, OPEN };

static const campaign_column columns[] = {
    {"problems", false}, {"faults", false}, {"distance", true}, /* of its size */
    {"scaled", true},   /* over the condition of the problem, at least 1 */
    {"several", false}, /* Coulomb solutions */
    {"open", false},    /* the solver says itself that it is not certain */
    {NULL, false}};

static const imp_model *const models[] = {&imp_model_maxdiss,         &imp_model_coulomb,
                                          &imp_model_darboux_stronge, &imp_model_darboux_poisson,
                                          &imp_model_darboux_newton,  &imp_model_planar_stronge,
                                          &imp_model_planar_poisson,  &imp_model_planar_newton};

enum { MAXDISS, COULOMB, DARBOUX, PLANAR = DARBOUX + 3, MODELS = PLANAR + 3 };

static const char *row(int k) {
    return k < MODELS ? models[k]->name : NULL;
}

static void fault(campaign_lot *lot, int model, const gen_problem *g, const char *what) {
    gen_dense dense;
    gen_dense_of(g, &dense);
    campaign_fault(lot, model, &dense.problem, models[model], what);
}

static double largest(const long double p[3]) {
    return (double)fmaxl(fabsl(p[0]), fmaxl(fabsl(p[1]), fabsl(p[2])));
}

static double apart(const double p[3], const long double want[3]) {
    const long double off[3] = {p[0] - want[0], p[1] - want[1], p[2] - want[2]};
    return largest(off);
}

/* Within so many roundings of what rounding the data does. */
static void maxdiss(campaign_lot *lot, uint64_t index) {
    gen_problem g = gen_make((gen_class)(index % GEN_CLASSES), index / GEN_CLASSES);
    gen_stream s = gen_seed(1003, index);
    if (index % 2) g.e = gen_uniform(&s, 0, 1);
    const oracle_solution best = oracle_maxdiss(g.W, g.q, g.mu, -(1 + g.e) * g.q[0]);
    const double size = largest(best.p);
    double p[3] = {0, 0, 0};
    const imp_status status = imp_maxdiss(g.W, g.q, g.mu, g.e, p, NULL);
    campaign_answer(lot, p, 3, 1);
    if (g.excluded || status == IMP_NOT_CERTIFIED) {
        campaign_count(lot, MAXDISS, OPEN, true);
        return;
    }
    const double off = apart(p, best.p), distance = size > 0 ? off / size : off;
    const double condition = distance > ORACLE_ROUNDINGS * DBL_EPSILON && size > 0
                                 ? fmax(1, oracle_maxdiss_condition(g.W, g.q, g.mu, g.e, &best))
                                 : 1;
    campaign_worst(lot, MAXDISS, DISTANCE, distance);
    campaign_worst(lot, MAXDISS, SCALED, distance / condition);
    if (status != IMP_OK || !(distance <= ORACLE_ROUNDINGS * DBL_EPSILON * condition))
        fault(lot, MAXDISS, &g, status == IMP_OK ? "another answer" : imp_status_text(status));
}

static const char *const kinds[] = {"zero", "stick", "slip"};

/* The same kinds, one for one? *distance <- of impulses, of the largest. */
static bool same_set(const imp_coulomb_set *set, const oracle_solution *all, int count,
                     double *distance) {
    double size = 0;
    if (set->count != count) return false;
    for (int k = 0; k < count; k++) {
        const imp_coulomb_kind kind = set->solution[k].kind;
        if (kind > IMP_SLIP || strcmp(kinds[kind], all[k].kind) != 0) return false;
        size = fmax(size, largest(all[k].p));
    }
    for (int k = 0; k < count; k++)
        *distance = fmax(*distance, apart(set->solution[k].p, all[k].p) / (size > 0 ? size : 1));
    return true;
}

/* All but the class that is built on boundaries: its counts are for exact arithmetic (counts.c). */
static void coulomb(campaign_lot *lot, uint64_t index) {
    const gen_problem g = gen_make((gen_class)(index % GEN_ADVERSARIAL), index / GEN_ADVERSARIAL);
    oracle_solution all[ORACLE_MOST];
    imp_coulomb_set set = {0};
    double distance = 0;
    const int count = oracle_coulomb(g.W, g.q, g.mu, all);
    const imp_status status = imp_coulomb_enumerate(g.W, g.q, g.mu, &set);
    campaign_answer(lot, set.solution[0].p, 3, 1);
    campaign_count(lot, COULOMB, SEVERAL, count > 1);
    if (status == IMP_NOT_CERTIFIED) {
        campaign_count(lot, COULOMB, OPEN, true);
        return;
    }
    const bool same = status == IMP_OK && same_set(&set, all, count, &distance);
    campaign_worst(lot, COULOMB, DISTANCE, distance);
    campaign_worst(lot, COULOMB, SCALED, distance);
    if (!same || !(distance <= 1e-12))
        fault(lot, COULOMB, &g, same ? "another impulse" : "another set of solutions");
}

static imp_status in_the_plane(const gen_problem *g, imp_darboux_law law, double p[3]) {
    const double W[3] = {g->W[0], g->W[1], g->W[3]}, q[2] = {g->q[0], g->q[1]};
    return imp_planar(W, q, g->mu, g->e, law, p);
}

/* The closed form in the plane says an impulse alone. */
static void process(campaign_lot *lot, int model, uint64_t index) {
    const imp_darboux_law law = (imp_darboux_law)((model - DARBOUX) % 3);
    const bool plane = model >= PLANAR;
    gen_problem g =
        gen_impact((gen_impact_class)(index % GEN_IMPACT_CLASSES), index / GEN_IMPACT_CLASSES);
    impact_answer mine = {.p = {0, 0, 0}}, theirs;
    if (plane) g.W[2] = g.W[4] = g.q[2] = 0;
    const bool found = impact_by_hodograph(&g, law, &theirs, NULL);
    const imp_status status =
        plane ? in_the_plane(&g, law, mine.p) : impact_by_library(&g, law, &mine, NULL);
    campaign_answer(lot, mine.p, 3, 1);
    if (status != IMP_OK || !found) {
        fault(lot, model, &g, found ? imp_status_text(status) : "the quadrature fails");
        return;
    }
    const double distance = plane ? impact_impulse_distance(&g, mine.p, theirs.p)
                                  : impact_distance(g.q, &mine, &theirs);
    const double condition =
        distance > 1e-13 ? fmax(1, impact_condition(&g, law, 1.1e13 * distance)) : 1;
    campaign_worst(lot, model, DISTANCE, distance);
    campaign_worst(lot, model, SCALED, distance / condition);
    if (!(distance <= 4e-13 * condition)) fault(lot, model, &g, "another answer");
}

static void one(campaign_lot *lot, uint64_t number) {
    const int model = (int)(number % MODELS);
    campaign_begin(lot, model, number);
    if (model == MAXDISS)
        maxdiss(lot, number / MODELS);
    else if (model == COULOMB)
        coulomb(lot, number / MODELS);
    else
        process(lot, model, number / MODELS);
}

const campaign_inquiry campaign_oracle = {
    .name = "oracle",
    .about = "models of one contact against solvers in quadruple precision and long double",
    .row = row,
    .columns = columns,
    .lot = 200L * MODELS,
    .goal = 1e5 * MODELS,
    .one = one};
