/* maxdiss.c - maximum dissipation at one contact, of every class of generators/gen.h, half of them
 * bouncing: the certificate; in turned tangents and in other units (every eighth problem of a
 * class) the same answer. */
#include "campaign/campaign.h"
#include "generators/gen.h"
#include "impact.h"

#include <math.h>

enum { SHARE = 8, RESIDUAL = CAMPAIGN_OWN, TURNED, NOT_CERTIFIED, REFUSED };

static const campaign_column columns[] = {
    {"problems", false},
    {"faults", false},
    {"residual", true},
    {"turned", true},         /* the residual of an answer found in turned tangents, turned back */
    {"not-certified", false}, /* of the adversarial, at the edge of a parabola */
    {"refused", false},       /* of the adversarial: W that rounding has made singular */
    {NULL, false}};

static const char *row(int k) {
    return k < GEN_CLASSES ? gen_name((gen_class)k) : NULL;
}

static double limit(int class) {
    return class == GEN_ADVERSARIAL ? 1e-10 : 1e-12;
}

static gen_problem make(int class, uint64_t index) {
    gen_problem g = gen_make((gen_class) class, index);
    gen_stream s = gen_seed(1000, index);
    if (index % 2) g.e = gen_uniform(&s, 0, 1);
    return g;
}

static imp_status solve(const gen_problem *g, double p[3]) {
    return imp_maxdiss(g->W, g->q, g->mu, g->e, p, NULL);
}

static void fault(campaign_lot *lot, int class, const gen_problem *g, const char *what) {
    gen_dense dense;
    gen_dense_of(g, &dense);
    campaign_fault(lot, class, &dense.problem, &imp_model_maxdiss, what);
}

/* Solved in tangents turned by a random angle; the answer, turned back, must satisfy the law
 * here. */
static bool check_turned(campaign_lot *lot, int class, const gen_problem *g, uint64_t index) {
    gen_stream stream = gen_seed(1001, index);
    const double half = gen_normal(&stream), length = 1 + half * half;
    const double c = (1 - half * half) / length, s = 2 * half / length;
    const gen_problem turned = gen_turned(g, c, s);
    double p[3];
    if (solve(&turned, p) != IMP_OK) return true;
    const double back[3] = {p[0], c * p[1] - s * p[2], s * p[1] + c * p[2]};
    const double worst = gen_residual(g, &imp_law_maxdiss, back);
    campaign_worst(lot, class, TURNED, worst);
    return worst <= limit(class);
}

/* W and q in other units, powers of two up to 2^+-400: the same bits. */
static bool check_units(const gen_problem *g, uint64_t index, const double p[3]) {
    gen_stream stream = gen_seed(1002, index);
    const int W_shift = (int)gen_uniform(&stream, -400, 400),
              q_shift = (int)gen_uniform(&stream, -400, 400);
    gen_problem u = *g;
    double scaled[3] = {NAN, NAN, NAN};
    for (int i = 0; i < 6; i++)
        u.W[i] = ldexp(u.W[i], W_shift);
    for (int i = 0; i < 3; i++)
        u.q[i] = ldexp(u.q[i], q_shift);
    bool same = solve(&u, scaled) == IMP_OK;
    for (int i = 0; i < 3; i++)
        same = same && scaled[i] == ldexp(p[i], q_shift - W_shift);
    return same;
}

static void check(campaign_lot *lot, int class, const gen_problem *g, uint64_t index,
                  const double p[3]) {
    const double worst = gen_residual(g, &imp_law_maxdiss, p);
    campaign_worst(lot, class, RESIDUAL, worst);
    if (!(worst <= limit(class))) fault(lot, class, g, "breaks the law");
    if (index % SHARE != 0 || g->excluded) return;
    if (!check_turned(lot, class, g, index))
        fault(lot, class, g, "depends on the direction of the tangents");
    if (!check_units(g, index, p)) fault(lot, class, g, "depends on the units");
}

static void one(campaign_lot *lot, uint64_t number) {
    const int class = (int)(number % GEN_CLASSES);
    const uint64_t index = number / GEN_CLASSES;
    const gen_problem g = make(class, index);
    double p[3] = {0, 0, 0};
    campaign_begin(lot, class, number);
    const imp_status status = solve(&g, p);
    campaign_answer(lot, p, 3, hypot(g.q[0], hypot(g.q[1], g.q[2])) / g.W[0]);
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
        fault(lot, class, &g, "not finite");
    else if (status == IMP_NOT_POSITIVE && class == GEN_ADVERSARIAL)
        /* W = H + a a' loses an H that is 1e16 times smaller */
        campaign_count(lot, class, REFUSED, true);
    else if (status == IMP_NOT_CERTIFIED && class == GEN_ADVERSARIAL)
        campaign_count(lot, class, NOT_CERTIFIED, true);
    else if (status != IMP_OK)
        fault(lot, class, &g, imp_status_text(status));
    else
        check(lot, class, &g, index, p);
}

static void pose(campaign_lot *lot, uint64_t first, long count) {
    for (long k = 0; k < count; k++)
        one(lot, first + (uint64_t)k);
}

const campaign_inquiry campaign_maxdiss = {
    .name = "maxdiss",
    .about = "maximum dissipation at one contact: certificate, turned tangents, units",
    .row = row,
    .columns = columns,
    .lot = 160000,
    .goal = 1e9,
    .pose = pose};
