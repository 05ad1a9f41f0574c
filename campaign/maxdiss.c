/* maxdiss.c - maximum dissipation at one contact, of every class of gen.h and gen_edges.h,
 * half of them bouncing: by the batch kernels, each with a certificate of its own; of every eighth
 * also by the solver for one contact, to the bit, and in turned tangents and other units the same
 * answer. */
#include "campaign/singles.h"
#include "impact.h"

#include <float.h>
#include <math.h>

enum { SHARE = 8, RESIDUAL = CAMPAIGN_OWN, STATED, TURNED, NOT_CERTIFIED, REFUSED };

static const campaign_column columns[] = {
    {"problems", false},
    {"faults", false},
    {"residual", true},
    {"stated", true},         /* as the batch says it */
    {"turned", true},         /* the residual of an answer found in turned tangents, turned back */
    {"not-certified", false}, /* where conics are at the edge of a parabola, tangents far apart */
    {"refused", false},       /* W that rounding has made singular, impulses that are subnormal */
    {NULL, false}};

static double limit(int class) {
    return class == GEN_ADVERSARIAL ? 1e-10 : 1e-12;
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
static bool check_turned(campaign_lot *lot, int class, const gen_problem *g) {
    gen_stream stream = gen_seed(1001, lot->at);
    const double half = gen_normal(&stream), length = 1 + half * half;
    const double c = (1 - half * half) / length, s = 2 * half / length;
    const gen_problem turned = gen_turned(g, c, s);
    double p[3];
    if (solve(&turned, p) != IMP_OK) return true;
    const double back[3] = {p[0], c * p[1] - s * p[2], s * p[1] + c * p[2]};
    const double worst = gen_residual_of_terms(g, &imp_law_maxdiss, back);
    campaign_worst(lot, class, TURNED, worst);
    return worst <= limit(class);
}

/* W and q in other units, powers of two up to 2^+-400: the same bits. */
static bool check_units(const campaign_lot *lot, const gen_problem *g, const double p[3]) {
    gen_stream stream = gen_seed(1002, lot->at);
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

/* Answer i of a batch that stands beside the solver's. */
static bool same_bits(const singles *s, int i, imp_status status, const double p[3]) {
    return s->status[i] == status && s->p[0][i] == p[0] && s->p[1][i] == p[1] && s->p[2][i] == p[2];
}

/* Where numbers may be subnormal: beside them there are no others of the same digits. */
static bool is_tiny(int class) {
    return class == GEN_CLASSES + GEN_EDGE_SUBNORMAL || class == GEN_CLASSES + GEN_EDGE_THRESHOLD;
}

/* Are slip and coupling next to none beside the push? */
static bool is_straight(const gen_problem *g, double least) {
    return hypot(g->q[1], g->q[2]) < least * fabs(g->q[0]) &&
           hypot(g->W[1], g->W[2]) < least * g->W[0];
}

/* What is left of the law where slip and coupling, b together, are so small that their sum has no
 * digits: the push, and p_t' W_tt p_t <= 2 |b| |p_t|, as no friction has more energy than none;
 * |b| <= 3 DBL_MIN |q_n|, for the slip and (1 + e) W_nt / W_nn |q_n| are below one and two. */
static bool is_push(const gen_problem *g, const double p[3]) {
    const double push = fmax(-(1 + g->e) * g->q[0], 0) / g->W[0];
    const double friction = hypot(p[1], p[2]); /* its square may be no number */
    const double angle = atan2(p[2], p[1]), t = cos(angle), o = sin(angle);
    const double along = t * (g->W[3] * t + g->W[4] * o) + o * (g->W[4] * t + g->W[5] * o);
    return fabs(p[0] - push) <= 1e-14 * push && friction <= g->mu * p[0] * (1 + 1e-14) &&
           along * friction <= 6 * DBL_MIN * fabs(g->q[0]);
}

static void check(campaign_lot *lot, int class, const gen_problem *g, const double p[3],
                  double stated) {
    if (is_tiny(class) && is_straight(g, DBL_MIN)) {
        if (!is_push(g, p)) fault(lot, class, g, "is not the push");
        return;
    }
    const double worst = gen_residual(g, &imp_law_maxdiss, p);
    campaign_worst(lot, class, RESIDUAL, worst);
    campaign_worst(lot, class, STATED, stated);
    if (!(worst <= limit(class) && stated <= limit(class))) fault(lot, class, g, "breaks the law");
    if (lot->at % SHARE != 0 || g->excluded || is_tiny(class)) return;
    /* the smaller of tangents far apart is lost in a sum with the larger */
    if (class != GEN_CLASSES + GEN_EDGE_TANGENTS && !check_turned(lot, class, g))
        fault(lot, class, g, "depends on the direction of the tangents");
    if (!check_units(lot, g, p)) fault(lot, class, g, "depends on the units");
}

/* Of the adversarial, W = H + a a' loses an H that is 1e16 times smaller. */
static bool may_refuse(int class, imp_status status) {
    return (status == IMP_NOT_POSITIVE && class == GEN_ADVERSARIAL) ||
           (status == IMP_OVERFLOW && is_tiny(class));
}

/* Friction and slip next to none beside the push. */
static bool is_faint(const gen_problem *g) {
    static const double least = 1e-200;
    return g->mu < least && is_straight(g, least);
}

/* As imp_maxdiss says that it may. */
static bool may_fail(int class, const gen_problem *g) {
    return class == GEN_ADVERSARIAL || class == GEN_CLASSES + GEN_EDGE_PARABOLA ||
           class == GEN_CLASSES + GEN_EDGE_TANGENTS || (is_tiny(class) && is_faint(g));
}

/* Answer i of a batch. */
static void judge(campaign_lot *lot, int class, const singles *s, int i) {
    const gen_problem *g = &s->g[i];
    const imp_status status = s->status[i];
    double p[3], single[3] = {0, 0, 0};
    singles_answer(s, i, p);
    if (lot->at % SHARE == 0 && !same_bits(s, i, solve(g, single), single))
        fault(lot, class, g, "other bits than the solver for one contact");
    campaign_answer(lot, p, 3, hypot(g->q[0], hypot(g->q[1], g->q[2])) / g->W[0]);
    if (!is_finite(p))
        fault(lot, class, g, "not finite");
    else if (may_refuse(class, status) || (is_tiny(class) && is_subnormal(g->mu, p)))
        campaign_count(lot, class, REFUSED, true);
    else if (status == IMP_NOT_CERTIFIED && may_fail(class, g))
        campaign_count(lot, class, NOT_CERTIFIED, true);
    else if (status != IMP_OK)
        fault(lot, class, g, imp_status_text(status));
    else
        check(lot, class, g, p, s->residual[i]);
}

static void solve_batch(singles *s) {
    const imp_batch_columns batch = singles_columns(s);
    (void)imp_maxdiss_batch(&batch, (size_t)s->count, NULL);
}

/* first and count: multiples of the chunk, each of one class. */
static void pose(campaign_lot *lot, uint64_t first, long count) {
    static singles s;
    for (uint64_t at = first; at < first + (uint64_t)count; at += SINGLES_CHUNK) {
        const int class = (int)(at / SINGLES_CHUNK % SINGLES);
        s.count = 0;
        for (uint64_t k = 0; k < SINGLES_CHUNK; k++) {
            gen_stream stream = gen_seed(1000, at + k);
            gen_problem g = single_make(class, at / SINGLES / SINGLES_CHUNK * SINGLES_CHUNK + k);
            if (k % 2) g.e = gen_uniform(&stream, 0, 1);
            singles_add(&s, &g);
        }
        solve_batch(&s);
        for (int i = 0; i < s.count; i++) {
            campaign_begin(lot, class, at + (uint64_t)i);
            judge(lot, class, &s, i);
        }
    }
}

static void again(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model) {
    singles s = {.count = 0};
    const gen_problem g = gen_single(problem);
    (void)model;
    singles_add(&s, &g);
    solve_batch(&s);
    judge(lot, row, &s, 0);
}

const campaign_inquiry campaign_maxdiss = {
    .name = "maxdiss",
    .about = "maximum dissipation at one contact by the batch: certificate, bits of the solver for "
             "one, turned tangents, units",
    .row = single_name,
    .columns = columns,
    .lot = 100 * SINGLES * SINGLES_CHUNK,
    .goal = 9e8,
    .pose = pose,
    .again = again};
