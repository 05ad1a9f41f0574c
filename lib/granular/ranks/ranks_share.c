/* ranks_share.c - who has what: bricks, cells and their particles over a grid of ranks.
 *
 * A rank has a block of bricks. A brick touches its own particles and those of the first cells of the next bricks in
 * each direction (granular_internal.h): so all it needs from others lies in a layer of cells beyond the upper faces of
 * its block, a cell (diameter and skin) thick, and which rank may touch a particle when follows from its cell alone. */
#include "granular/ranks/ranks_internal.h"

#include <math.h>
#include <string.h>

/* Piece k of n things cut into `pieces` begins at the first number; the second is the piece that holds thing i. */
static int begin_of(int k, int n, int pieces) {
    return (int)((long long)k * n / pieces);
}

static int piece_of(int i, int n, int pieces) {
    return (int)(((long long)(i + 1) * pieces - 1) / n);
}

int imp_granular_rank_of(const imp_granular *g, const int brick[3]) {
    const int *grid = g->spread->grid;
    int rank = 0;
    for (int c = 0; c < 3; c++)
        rank = rank * grid[c] + piece_of(brick[c], g->bricks[c], grid[c]);
    return rank;
}

void imp_granular_brick(const imp_granular *g, const int cell[3], int brick[3]) {
    for (int c = 0; c < 3; c++)
        brick[c] = piece_of(cell[c], g->cells[c], g->bricks[c]);
}

void imp_granular_touchers(const imp_granular *g, const int cell[3], int rank[PARITIES]) {
    int home[3];
    bool first[3];
    imp_granular_brick(g, cell, home);
    for (int c = 0; c < 3; c++)
        first[c] = home[c] > 0 && cell[c] == begin_of(home[c], g->cells[c], g->bricks[c]);
    for (int p = 0; p < PARITIES; p++) {
        int brick[3];
        bool touched = true;
        for (int c = 0; c < 3; c++) {
            const int other = (home[c] ^ p >> (2 - c)) & 1; /* the parity is that of the brick before */
            brick[c] = home[c] - other;
            touched = touched && (!other || first[c]);
        }
        rank[p] = touched ? imp_granular_rank_of(g, brick) : -1;
    }
}

int imp_granular_holders(const imp_granular *g, const int cell[3], int rank[PARITIES]) {
    int toucher[PARITIES], home[3], n = 1;
    imp_granular_touchers(g, cell, toucher);
    imp_granular_brick(g, cell, home);
    rank[0] = imp_granular_rank_of(g, home);
    for (int p = 0; p < PARITIES; p++) {
        bool new = toucher[p] >= 0;
        for (int k = 0; k < n; k++)
            new = new &&rank[k] != toucher[p];
        if (new) rank[n++] = toucher[p];
    }
    return n;
}

void imp_granular_window(imp_granular *g) {
    const spread *s = g->spread;
    for (int c = 0; c < 3; c++) {
        g->brick_low[c] = begin_of(s->at[c], g->bricks[c], s->grid[c]);
        g->brick_high[c] = begin_of(s->at[c] + 1, g->bricks[c], s->grid[c]);
        const int end = begin_of(g->brick_high[c], g->cells[c], g->bricks[c]);
        g->window[c] = begin_of(g->brick_low[c], g->cells[c], g->bricks[c]);
        g->held[c] = end - g->window[c];
        if (g->held[c] > 0 && end < g->cells[c]) g->held[c]++;
    }
    for (int c = 0; c < 3; c++) /* no brick, no cell */
        if (g->brick_low[c] == g->brick_high[c]) g->held[0] = g->held[1] = g->held[2] = 0;
}

int imp_granular_own_count(const imp_granular *g) {
    int n = 0;
    if (!g->spread) return g->count;
    for (int i = 0; i < g->count; i++)
        n += g->own[i];
    return n;
}

void imp_granular_reduce(const imp_granular *g, int maxima, double *most, int sums, int64_t *sum) {
    if (g->spread && g->spread->to.reduce) g->spread->to.reduce(g->spread->to.context, maxima, most, sums, sum);
}

void imp_granular_reduce_report(const imp_granular *g, imp_granular_report *r) {
    int *const counts[] = {&r->particles, &r->contacts, &r->touching, &r->close, &r->loaded, &r->deleted, &r->lost};
    enum { COUNTS = sizeof counts / sizeof *counts };
    int64_t sum[COUNTS];
    if (!g->spread) return;
    r->particles = imp_granular_own_count(g);
    for (int k = 0; k < COUNTS; k++)
        sum[k] = *counts[k];
    imp_granular_reduce(g, 1, &r->penetration, COUNTS, sum);
    for (int k = 0; k < COUNTS; k++)
        *counts[k] = (int)sum[k];
}
