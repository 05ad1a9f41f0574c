/* batch_columns.h - what the tests of the batch solvers share: problems by columns and their
 * answers. */
#ifndef BATCH_COLUMNS_H
#define BATCH_COLUMNS_H

#include "generators/gen.h"
#include "impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096 };

/* A batch and its answers; values where nothing may be written are `untouched`. */
typedef struct batch {
    double W[6][ROOM], q[3][ROOM], mu[ROOM], e[ROOM], p[3][ROOM], residual[ROOM];
    imp_status status[ROOM];
} batch;

static const double untouched = -12345.5;

static inline batch *batch_new(void) {
    batch *b = calloc(1, sizeof *b);
    if (!b) abort();
    return b;
}

static inline imp_batch_columns columns_of(batch *b, int from) {
    imp_batch_columns c = {.mu = b->mu + from, .e = b->e + from, .residual = b->residual + from};
    c.status = b->status + from;
    for (int k = 0; k < 6; k++)
        c.W[k] = b->W[k] + from;
    for (int k = 0; k < 3; k++) {
        c.q[k] = b->q[k] + from;
        c.p[k] = b->p[k] + from;
    }
    return c;
}

static inline void put(batch *b, int i, const gen_problem *g) {
    for (int k = 0; k < 6; k++)
        b->W[k][i] = g->W[k];
    for (int k = 0; k < 3; k++)
        b->q[k][i] = g->q[k];
    b->mu[i] = g->mu;
    b->e[i] = g->e;
}

static inline gen_problem get(const batch *b, int i) {
    gen_problem g = {.mu = b->mu[i], .e = b->e[i]};
    for (int k = 0; k < 6; k++)
        g.W[k] = b->W[k][i];
    for (int k = 0; k < 3; k++)
        g.q[k] = b->q[k][i];
    return g;
}

static inline void clear_answers(batch *b) {
    for (int i = 0; i < ROOM; i++) {
        b->residual[i] = b->p[0][i] = b->p[1][i] = b->p[2][i] = untouched;
        b->status[i] = IMP_STATUS_END;
    }
}

static inline bool same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static const int widths[] = {1, 4, 8};

/* Every seventh problem of a mixture made wrong or extreme in one of the ways there are. */
static inline gen_problem spoiled(gen_problem g, int i) {
    gen_stream s = gen_seed(77, (uint64_t)i);
    double *const field[] = {g.W, g.W + 1, g.W + 2, g.W + 3, g.W + 4, g.W + 5,
                             g.q, g.q + 1, g.q + 2, &g.mu,   &g.e};
    double *x = field[(int)gen_uniform(&s, 0, 11)];
    const double scales[2] = {gen_power10(&s, -150, 150), gen_power10(&s, -150, 150)};
    switch (i % 7 == 0 ? (int)gen_uniform(&s, 0, 12) : 12) {
    case 0: *x = NAN; break;
    case 1: *x = INFINITY; break;
    case 2: *x = -INFINITY; break;
    case 3: *x = -fabs(*x); break;
    case 4: *x = 0; break;
    case 5: g.e = 1.5; break;
    case 6: g.e = 1; break;
    case 7: g.mu = 0; break;
    case 8: g.q[1] = g.q[2] = 0; break;
    case 9: g.q[0] = g.q[1] = g.q[2] = 0; break;
    case 10: g.W[1] = g.W[2] = 0; break;
    case 11:
        for (int k = 0; k < 6; k++)
            g.W[k] *= scales[0];
        for (int k = 0; k < 3; k++)
            g.q[k] *= scales[1];
        break;
    default: break;
    }
    return g;
}

#endif
