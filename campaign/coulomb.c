/* coulomb.c - all Coulomb solutions of one contact, by the kernels of the batch and by the search
 * that knows no kernel: the same number, kinds, flags and impulses, each certified. */
#include "campaign/singles.h"
#include "impact.h"
#include "single/coulomb_batch.h"

#include <float.h>
#include <math.h>

_Static_assert((int)SINGLES_CHUNK == (int)IMP_COULOMB_CHUNK, "one call of a kernel");

enum { CHUNK = SINGLES_CHUNK, MOST = IMP_COULOMB_MOST };
enum { LEFT = CAMPAIGN_OWN, SEVERAL, SUBNORMAL, APART, STATED, CERTIFIED };

static const campaign_column columns[] = {
    {"problems", false},  {"faults", false}, {"left", false}, /* by the kernels, to the search */
    {"several", false},                                       /* have more than one solution */
    {"subnormal", false}, /* impulses, or velocities, which have no certificate */
    {"apart", true},      /* impulses of the two, relative to their size */
    {"stated", true},     /* residual, as the batch says it */
    {"certified", true},  {NULL, false}};

/* Problems of one class with room for all their solutions. */
typedef struct chunk {
    int class;
    singles s;
    double p[MOST - 1][3][CHUNK], residual[MOST - 1][CHUNK];
    imp_coulomb_brief brief[CHUNK];
    uint64_t left; /* a bit each */
} chunk;

static void solve(chunk *c) {
    imp_coulomb_columns all = {.brief = c->brief};
    imp_batch_columns batch = singles_columns(&c->s);
    batch.all = &all;
    for (int s = 0; s < MOST - 1; s++) {
        all.residual[s] = c->residual[s];
        for (int k = 0; k < 3; k++)
            all.p[s][k] = c->p[s][k];
    }
    uint64_t words[IMP_BATCH_WORDS] = {0};
    if (c->s.count == CHUNK) imp_coulomb_kernel_plain.solve(&batch, 0, 0, words);
    c->left = words[0];
    (void)imp_coulomb_batch(&batch, (size_t)c->s.count, NULL);
}

/* p, *residual <- solution s of problem i. */
static void solution(const chunk *c, int i, int s, double p[3], double *residual) {
    *residual = s == 0 ? c->s.residual[i] : c->residual[s - 1][i];
    for (int k = 0; k < 3; k++)
        p[k] = s == 0 ? c->s.p[k][i] : c->p[s - 1][k][i];
}

static double largest(const double p[3]) {
    return fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
}

/* Are the terms of the normal or of the tangential velocities, to which residuals are relative,
 * so small that doubles stand 1e-14 of them apart? Some roundings are a residual of 1e-12 then. */
static bool has_no_digits(const gen_problem *g, const double p[3]) {
    static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}; /* of the packed W */
    static const double least = DBL_TRUE_MIN / 1e-14;
    double size[3];
    for (int r = 0; r < 3; r++) {
        size[r] = fabs(g->q[r]);
        for (int k = 0; k < 3; k++)
            size[r] += fabs(g->W[at[r][k]] * p[k]);
    }
    const double slip = fmax(size[1], size[2]);
    return (size[0] > 0 && size[0] < least) || (slip > 0 && slip < least);
}

/* Solution s of problem i beside the search's. */
static bool is_near(campaign_lot *lot, const chunk *c, int i, int s, const double want[3]) {
    double p[3], stated;
    solution(c, i, s, p, &stated);
    campaign_answer(lot, p, 3, 1);
    const double off[3] = {p[0] - want[0], p[1] - want[1], p[2] - want[2]}, size = largest(want);
    const double apart = size > 0 ? largest(off) / size : largest(off);
    const double found = gen_residual(&c->s.g[i], &imp_law_coulomb, p);
    campaign_worst(lot, c->class, APART, apart);
    if (is_subnormal(c->s.g[i].mu, p) || has_no_digits(&c->s.g[i], p)) {
        campaign_count(lot, c->class, SUBNORMAL, true);
        return apart <= 1e-14;
    }
    campaign_worst(lot, c->class, STATED, stated);
    campaign_worst(lot, c->class, CERTIFIED, found);
    return apart <= 1e-14 && stated <= 1e-12 && found <= 1e-12;
}

static void compare(campaign_lot *lot, const chunk *c, int i) {
    const gen_problem *g = &c->s.g[i];
    const imp_coulomb_brief *b = &c->brief[i];
    imp_coulomb_set set = {0};
    const imp_status status = imp_coulomb_search(g->W, g->q, g->mu, &set);
    bool same = c->s.status[i] == status, close = true;
    if (same && status >= 0 && set.count > 0)
        same = b->count == set.count && b->proven == set.proven && b->unique == set.unique &&
               b->maxdiss == set.maxdiss;
    for (int s = 0; status >= 0 && same && s < set.count; s++) {
        same = b->kind[s] == set.solution[s].kind;
        close = is_near(lot, c, i, s, set.solution[s].p) && close;
    }
    campaign_count(lot, c->class, LEFT, c->left >> i & 1);
    campaign_count(lot, c->class, SEVERAL, set.count > 1);
    if (same && close) return;
    gen_dense dense;
    gen_dense_of(g, &dense);
    campaign_fault(lot, c->class, &dense.problem, &imp_model_coulomb,
                   same ? "impulses apart, or not certified" : "another set of solutions");
}

/* first and count: multiples of CHUNK. */
static void pose(campaign_lot *lot, uint64_t first, long count) {
    static chunk c;
    for (uint64_t at = first; at < first + (uint64_t)count; at += CHUNK) {
        c.class = (int)(at / CHUNK % SINGLES);
        c.s.count = 0;
        for (uint64_t k = 0; k < CHUNK; k++) {
            const gen_problem g = single_make(c.class, at / SINGLES / CHUNK * CHUNK + k);
            singles_add(&c.s, &g);
        }
        solve(&c);
        for (int i = 0; i < CHUNK; i++) {
            campaign_begin(lot, c.class, at + (uint64_t)i);
            compare(lot, &c, i);
        }
    }
}

static void again(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model) {
    static chunk c;
    const gen_problem g = gen_single(problem);
    (void)model;
    c.class = row;
    c.s.count = 0;
    singles_add(&c.s, &g);
    solve(&c);
    compare(lot, &c, 0);
}

const campaign_inquiry campaign_coulomb = {
    .name = "coulomb",
    .about = "all Coulomb solutions of one contact: kernels against search, certificates",
    .row = single_name,
    .columns = columns,
    .lot = 20 * SINGLES * CHUNK,
    .goal = 1e8,
    .pose = pose,
    .again = again};
