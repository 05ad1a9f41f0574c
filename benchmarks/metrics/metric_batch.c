/* metric_batch.c - maximum dissipation, Coulomb enumeration and Darboux-Keller by columns. */
#include "benchmarks/metrics/metric_parts.h"
#include "base/worse.h"

#include "impact.h"
#include "single/coulomb_batch.h"
#include "generators/gen.h"
#include "generators/gen_impacts.h"

#include <math.h>

/* Columns of problems for the batch solver, which is told how many lanes to use: valgrind knows no
 * AVX-512. */
enum { BATCH = 2000 };

typedef struct batch {
    double W[6][BATCH], q[3][BATCH], mu[BATCH], e[BATCH], p[3][BATCH], residual[BATCH];
    imp_status status[BATCH];
    imp_batch_columns columns;
} batch;

static void batch_put(batch *b, int i, const gen_problem *g) {
    for (int k = 0; k < 6; k++)
        b->W[k][i] = g->W[k];
    for (int k = 0; k < 3; k++)
        b->q[k][i] = g->q[k];
    b->mu[i] = g->mu;
    b->e[i] = g->e;
}

static batch *batch_room(void) {
    static batch b;
    b.columns =
        (imp_batch_columns){.mu = b.mu, .e = b.e, .residual = b.residual, .status = b.status};
    for (int k = 0; k < 6; k++)
        b.columns.W[k] = b.W[k];
    for (int k = 0; k < 3; k++) {
        b.columns.q[k] = b.q[k];
        b.columns.p[k] = b.p[k];
    }
    return &b;
}

static const batch *batch_of(gen_class class) {
    batch *b = batch_room();
    b->columns.e = NULL;
    for (int i = 0; i < BATCH; i++) {
        const gen_problem g = gen_make(class, (uint64_t)i);
        batch_put(b, i, &g);
    }
    return b;
}

static const batch *batch_of_impacts(void) {
    batch *b = batch_room();
    for (int i = 0; i < BATCH; i++) {
        const gen_problem g = gen_impact(GEN_IMPACT_BODY, (uint64_t)i);
        batch_put(b, i, &g);
    }
    return b;
}

static double worst_of_batch(const batch *b, imp_status status, bool worse) {
    double worst = status == IMP_OK ? 0 : INFINITY;
    for (int i = 0; i < BATCH; i++)
        worst = imp_worse(worst, b->status[i] == IMP_OK ? b->residual[i] : INFINITY);
    return worse ? worst + 1e-6 : worst;
}

double metric_batch_residual(bool worse) {
    const batch *b = batch_of(GEN_SPD_8);
    return worst_of_batch(b, imp_maxdiss_batch(&b->columns, BATCH, NULL), worse);
}

double metric_coulomb_batch_residual(bool worse) {
    const batch *b = batch_of(GEN_SPD_8);
    return worst_of_batch(b, imp_coulomb_batch(&b->columns, BATCH, NULL), worse);
}

/* Problems that the kernels leave to the search: the same ones for every width. */
double metric_coulomb_batch_left(bool worse) {
    const batch *b = batch_of(GEN_SPD_8);
    int left = 0;
    for (size_t i = 0; i + IMP_COULOMB_CHUNK <= BATCH; i += IMP_COULOMB_CHUNK) {
        uint64_t words[IMP_BATCH_WORDS] = {0};
        imp_coulomb_kernel_plain.solve(&b->columns, i, 0, words);
        left += __builtin_popcountll(words[0]);
    }
    return (worse ? 2 : 1) * left;
}

double metric_darboux_batch_residual(bool worse) {
    const batch *b = batch_of_impacts();
    return worst_of_batch(b, imp_darboux_batch(&b->columns, IMP_STRONGE, BATCH, NULL), worse);
}

typedef imp_status solver(const imp_batch_columns *columns, size_t n,
                          const imp_batch_settings *settings);

static double run_batch(solver *solve, int lanes, bool worse) {
    const batch *b = batch_of(GEN_SPEED_BOX);
    const imp_batch_settings settings = {.lanes = imp_batch_lanes(lanes), .threads = 1};
    for (int k = 0; k < (worse ? 40 : 20); k++)
        if (solve(&b->columns, BATCH, &settings) != IMP_OK) return NAN;
    return b->p[0][0];
}

double metric_run_batch_plain(bool worse) {
    return run_batch(imp_maxdiss_batch, 1, worse);
}

double metric_run_batch_avx2(bool worse) {
    return run_batch(imp_maxdiss_batch, 4, worse);
}

double metric_run_coulomb_batch(bool worse) {
    return run_batch(imp_coulomb_batch, 4, worse);
}

double metric_run_darboux_batch(bool worse) {
    const batch *b = batch_of_impacts();
    const imp_batch_settings settings = {.lanes = imp_batch_lanes(4), .threads = 1};
    for (int k = 0; k < (worse ? 4 : 2); k++)
        if (imp_darboux_batch(&b->columns, IMP_STRONGE, BATCH, &settings) != IMP_OK) return NAN;
    return b->p[0][0];
}
