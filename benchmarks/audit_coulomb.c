/* audit_coulomb.c - the batch enumeration of Coulomb solutions against the search that knows no
 * kernel, by the million. */
#include "benchmarks/harness/usage.h"
#include "impact.h"
#include "single/coulomb_batch.h"
#include "generators/gen.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { CHUNK = IMP_COULOMB_CHUNK, MOST = IMP_COULOMB_MOST };

/* A chunk of problems with room for all their solutions. */
typedef struct chunk {
    gen_problem g[CHUNK];
    double W[6][CHUNK], q[3][CHUNK], mu[CHUNK], p[MOST][3][CHUNK], residual[MOST][CHUNK];
    imp_coulomb_brief brief[CHUNK];
    imp_status status[CHUNK];
} chunk;

typedef struct tally {
    long count, left, several, different, far;
    double apart, stated, certified;
} tally;

static void solve(chunk *c, tally *t) {
    imp_coulomb_columns all = {.brief = c->brief};
    imp_batch_columns columns = {
        .mu = c->mu, .residual = c->residual[0], .status = c->status, .all = &all};
    for (int k = 0; k < 6; k++)
        columns.W[k] = c->W[k];
    for (int k = 0; k < 3; k++) {
        columns.q[k] = c->q[k];
        columns.p[k] = c->p[0][k];
    }
    for (int s = 1; s < MOST; s++) {
        all.residual[s - 1] = c->residual[s];
        for (int k = 0; k < 3; k++)
            all.p[s - 1][k] = c->p[s][k];
    }
    uint64_t words[IMP_BATCH_WORDS] = {0};
    imp_coulomb_kernel_plain.solve(&columns, 0, 0, words);
    t->left += __builtin_popcountll(words[0]);
    (void)imp_coulomb_batch(&columns, CHUNK, NULL);
}

static double largest(const double p[3]) {
    return fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
}

/* Solution s of problem i beside the other solver's; false when one of the limits is exceeded. */
static bool compare(const chunk *c, int i, int s, const double want[3], tally *t) {
    const double p[3] = {c->p[s][0][i], c->p[s][1][i], c->p[s][2][i]};
    const double off[3] = {p[0] - want[0], p[1] - want[1], p[2] - want[2]}, size = largest(want);
    const double apart = size > 0 ? largest(off) / size : largest(off), stated = c->residual[s][i];
    gen_dense dense;
    imp_certificate found;
    gen_dense_of(&c->g[i], &dense);
    const bool known =
        imp_certify(&dense.problem, &imp_law_coulomb, NULL, p, NULL, &found) == IMP_OK;
    const double certified = known ? found.worst : INFINITY;
    t->apart = fmax(t->apart, apart);
    t->stated = fmax(t->stated, stated);
    t->certified = fmax(t->certified, certified);
    return apart <= 1e-14 && stated <= 1e-12 && certified <= 1e-12;
}

static void audit_problem(const chunk *c, int i, const char *class, tally *t) {
    const gen_problem *g = &c->g[i];
    const imp_coulomb_brief *b = &c->brief[i];
    imp_coulomb_set set = {0};
    const imp_status status = imp_coulomb_search(g->W, g->q, g->mu, &set);
    const bool is_set = status >= 0 && set.count > 0;
    bool same = c->status[i] == status, close = true;
    if (same && is_set)
        same = b->count == set.count && b->proven == set.proven && b->unique == set.unique &&
               b->maxdiss == set.maxdiss;
    for (int s = 0; is_set && same && s < set.count; s++) {
        same = b->kind[s] == set.solution[s].kind;
        close = compare(c, i, s, set.solution[s].p, t) && close;
    }
    if (!(same && close) && t->different + t->far == 0) gen_print_row(stderr, class, g);
    t->count++;
    t->several += set.count > 1;
    t->different += !same;
    t->far += !close;
}

static tally audit_class(gen_class class, long count) {
    static chunk c;
    tally t = {0};
    for (uint64_t from = 0; t.count < count; from += CHUNK) {
        for (int i = 0; i < CHUNK; i++) {
            const gen_problem g = c.g[i] = gen_make(class, from + (uint64_t)i);
            for (int k = 0; k < 6; k++)
                c.W[k][i] = g.W[k];
            for (int k = 0; k < 3; k++)
                c.q[k][i] = g.q[k];
            c.mu[i] = g.mu;
        }
        solve(&c, &t);
        for (int i = 0; i < CHUNK; i++)
            audit_problem(&c, i, gen_name(class), &t);
    }
    return t;
}

static const char *class_at(int k) {
    return k < GEN_CLASSES ? gen_name((gen_class)k) : NULL;
}

static const usage about = {
    .program = "audit_coulomb",
    .arguments = "[COUNT]",
    .most = 1,
    .text =
        "Enumerates the Coulomb solutions of COUNT random problems (a million) of one contact, "
        "shared by the classes, in\n"
        "batches and by the search that knows no kernel. One row per class: how many problems the "
        "kernels leave to the\n"
        "search and how many have several solutions; the worst distance between the impulses of "
        "both over their size;\n"
        "the worst residual that the batch states, and that of imp_certify; and sets that differ: "
        "in status, number,\n"
        "kinds or flags. Exit 0: pass; 1: a set differs, an impulse is more than 1e-14 apart, or a "
        "residual exceeds\n"
        "1e-12, the first such problem of a class on standard error as a row that impact enumerate "
        "reads; 2: bad use.\n",
    .name = class_at,
};

int main(int argc, char **argv) {
    long all = 0, failures = 0;
    usage_answer(&about, argc, argv);
    const long count = argc > 1 ? (long)usage_whole(&about, "COUNT", argv[1], 1, 1e15) : 1000000;
    printf("%-14s%10s%10s%10s%10s%10s%10s%10s%8s\n", "class", "problems", "left", "several",
           "apart", "stated", "certified", "differ", "far");
    for (int class = 0; class < GEN_CLASSES; class ++) {
        const tally t = audit_class((gen_class) class, count / GEN_CLASSES + 1);
        printf("%-14s%10ld%10ld%10ld%10.1g%10.1g%10.1g%10ld%8ld\n", gen_name((gen_class) class),
               t.count, t.left, t.several, t.apart, t.stated, t.certified, t.different, t.far);
        fflush(stdout);
        all += t.count;
        failures += t.different + t.far;
    }
    printf("%s: %ld problems, %ld failures\n", failures ? "FAIL" : "pass", all, failures);
    return failures != 0;
}
