/* share.c - who has what: bricks, cells and their particles over a grid of ranks.
 *
 * A rank has a block of bricks. A brick touches its own particles and those of the first cells of
 * the next bricks in each direction (cells.h): so all it needs from others lies in a layer of cells
 * beyond the upper faces of its block, a cell (diameter and skin) thick, and which rank may touch a
 * particle when follows from its cell alone. */
#include "granular/ranks/part.h"

int imp_part_rank_of(const part *p, const cells *c, const int brick[3]) {
    int rank = 0;
    for (int x = 0; x < 3; x++)
        rank = rank * p->grid[x] + piece_of(brick[x], c->bricks[x], p->grid[x]);
    return rank;
}

void imp_part_touchers(const part *p, const cells *c, const int cell[3], int rank[PARITIES]) {
    int home[3];
    bool first[3];
    imp_cells_brick(c, cell, home);
    for (int x = 0; x < 3; x++)
        first[x] = home[x] > 0 && cell[x] == begin_of(home[x], c->n[x], c->bricks[x]);
    for (int k = 0; k < PARITIES; k++) {
        int brick[3];
        bool touched = true;
        for (int x = 0; x < 3; x++) {
            /* the parity is that of the brick before */
            const int other = (home[x] ^ k >> (2 - x)) & 1;
            brick[x] = home[x] - other;
            touched = touched && (!other || first[x]);
        }
        rank[k] = touched ? imp_part_rank_of(p, c, brick) : -1;
    }
}

int imp_part_holders(const part *p, const cells *c, const int cell[3], int rank[PARITIES]) {
    int toucher[PARITIES], home[3], n = 1;
    imp_part_touchers(p, c, cell, toucher);
    imp_cells_brick(c, cell, home);
    rank[0] = imp_part_rank_of(p, c, home);
    for (int k = 0; k < PARITIES; k++) {
        bool other = toucher[k] >= 0;
        for (int i = 0; i < n; i++)
            other = other && rank[i] != toucher[k];
        if (other) rank[n++] = toucher[k];
    }
    return n;
}

void imp_part_window(const part *p, cells *c) {
    for (int x = 0; x < 3; x++) {
        c->brick_low[x] = begin_of(p->at[x], c->bricks[x], p->grid[x]);
        c->brick_high[x] = begin_of(p->at[x] + 1, c->bricks[x], p->grid[x]);
        const int end = begin_of(c->brick_high[x], c->n[x], c->bricks[x]);
        c->window[x] = begin_of(c->brick_low[x], c->n[x], c->bricks[x]);
        c->held[x] = end - c->window[x];
        if (end < c->n[x]) c->held[x]++;
    }
    for (int x = 0; x < 3; x++) /* no brick, no cell */
        if (c->brick_low[x] == c->brick_high[x]) c->held[0] = c->held[1] = c->held[2] = 0;
}
