/* coulomb.c - all Coulomb solutions of one contact, by the kernels of the batch and by the search
 * that knows no kernel: the same number, kinds, flags and impulses, each certified. */
#include "campaign/campaign.h"
#include "generators/gen.h"
#include "impact.h"
#include "single/coulomb_batch.h"

#include <math.h>

enum { CHUNK = IMP_COULOMB_CHUNK, MOST = IMP_COULOMB_MOST };
enum { LEFT = CAMPAIGN_OWN, SEVERAL, APART, STATED, CERTIFIED };

static const campaign_column columns[] = {
    {"problems", false}, {"faults", false}, {"left", false}, /* by the kernels, to the search */
    {"several", false},                                      /* have more than one solution */
    {"apart", true},  /* impulses of the two, relative to their size */
    {"stated", true}, /* residual, as the batch says it */
    {"certified", true}, {NULL, false}};

static const char *row(int k) {
    return k < GEN_CLASSES ? gen_name((gen_class)k) : NULL;
}

/* Problems of one class with room for all their solutions. */
typedef struct chunk {
    int class;
    uint64_t first; /* number of the first */
    gen_problem g[CHUNK];
    double W[6][CHUNK], q[3][CHUNK], mu[CHUNK], p[MOST][3][CHUNK], residual[MOST][CHUNK];
    imp_coulomb_brief brief[CHUNK];
    imp_status status[CHUNK];
    uint64_t left; /* a bit each */
} chunk;

static void make(chunk *c) {
    for (int i = 0; i < CHUNK; i++) {
        const uint64_t index = c->first / (GEN_CLASSES * CHUNK) * CHUNK + (uint64_t)i;
        const gen_problem g = c->g[i] = gen_make((gen_class)c->class, index);
        for (int k = 0; k < 6; k++)
            c->W[k][i] = g.W[k];
        for (int k = 0; k < 3; k++)
            c->q[k][i] = g.q[k];
        c->mu[i] = g.mu;
    }
}

static void solve(chunk *c) {
    imp_coulomb_columns all = {.brief = c->brief};
    imp_batch_columns batch = {
        .mu = c->mu, .residual = c->residual[0], .status = c->status, .all = &all};
    for (int k = 0; k < 6; k++)
        batch.W[k] = c->W[k];
    for (int k = 0; k < 3; k++) {
        batch.q[k] = c->q[k];
        batch.p[k] = c->p[0][k];
    }
    for (int s = 1; s < MOST; s++) {
        all.residual[s - 1] = c->residual[s];
        for (int k = 0; k < 3; k++)
            all.p[s - 1][k] = c->p[s][k];
    }
    uint64_t words[IMP_BATCH_WORDS] = {0};
    imp_coulomb_kernel_plain.solve(&batch, 0, 0, words);
    c->left = words[0];
    (void)imp_coulomb_batch(&batch, CHUNK, NULL);
}

static double largest(const double p[3]) {
    return fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
}

/* Solution s of problem i beside the search's. */
static bool is_near(campaign_lot *lot, const chunk *c, int i, int s, const double want[3]) {
    double p[3] = {c->p[s][0][i], c->p[s][1][i], c->p[s][2][i]};
    campaign_answer(lot, p, 3, 1);
    const double off[3] = {p[0] - want[0], p[1] - want[1], p[2] - want[2]}, size = largest(want);
    const double apart = size > 0 ? largest(off) / size : largest(off);
    const double stated = c->residual[s][i], found = gen_residual(&c->g[i], &imp_law_coulomb, p);
    campaign_worst(lot, c->class, APART, apart);
    campaign_worst(lot, c->class, STATED, stated);
    campaign_worst(lot, c->class, CERTIFIED, found);
    return apart <= 1e-14 && stated <= 1e-12 && found <= 1e-12;
}

static void compare(campaign_lot *lot, const chunk *c, int i) {
    const gen_problem *g = &c->g[i];
    const imp_coulomb_brief *b = &c->brief[i];
    imp_coulomb_set set = {0};
    campaign_begin(lot, c->class, c->first + (uint64_t)i);
    const imp_status status = imp_coulomb_search(g->W, g->q, g->mu, &set);
    bool same = c->status[i] == status, close = true;
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
    for (long k = 0; k < count; k += CHUNK) {
        c.first = first + (uint64_t)k;
        c.class = (int)(c.first / CHUNK % GEN_CLASSES);
        make(&c);
        solve(&c);
        for (int i = 0; i < CHUNK; i++)
            compare(lot, &c, i);
    }
}

const campaign_inquiry campaign_coulomb = {
    .name = "coulomb",
    .about = "all Coulomb solutions of one contact: kernels against search, certificates",
    .row = row,
    .columns = columns,
    .lot = 20 * GEN_CLASSES * CHUNK,
    .goal = 1e8,
    .pose = pose};
