/* cells.h - the grid: the room cut into cells, these into bricks, and the particles sorted by
 * cells.
 *
 * The room is cut into bricks of grid cells; left to itself it makes them slabs along x. A pair of
 * particles belongs to the brick with the least coordinates, each by itself, of the bricks of its
 * two particles: so a brick touches particles of its own and of the first cells of the next bricks
 * in each direction, and two bricks of the same parity (even or odd in x, in y, in z) never touch
 * the same. */
#ifndef IMP_GRANULAR_CELLS_H
#define IMP_GRANULAR_CELLS_H

#include "granular/bodies.h"
#include "granular/halo.h"

enum { PARITIES = 8 }; /* of bricks: 4 odd in x + 2 odd in y + odd in z */

typedef struct cells {
    int n[3], bricks[3];             /* along each direction */
    int brick_low[3], brick_high[3]; /* the bricks of this flow: all but on ranks */
    int window[3], held[3];          /* first cell and number of those held: all but on ranks */
    double lightest;                 /* 1/kg, the largest 1/m of the particles, of all ranks' */
    int *start, room;                /* (cells held + 1) first particle of each */
    int *key, *order, *target;       /* of the sort: cell, old number of each new one and the
                                        reverse; -1: it left */
    int sort_room;
} cells;

/* Piece k of n things cut into `pieces` begins at the first number; the second is the piece that
 * holds thing i. */
static inline int begin_of(int k, int n, int pieces) {
    return (int)((long long)k * n / pieces);
}

static inline int piece_of(int i, int n, int pieces) {
    return (int)(((long long)(i + 1) * pieces - 1) / n);
}

/* The number of a cell of the window, x slowest, z fastest. */
static inline int cell_number(const cells *c, int x, int y, int z) {
    return ((x - c->window[0]) * c->held[1] + y - c->window[1]) * c->held[2] + z - c->window[2];
}

/* Chooses cells and bricks for that skin, with all of them in the window. */
void imp_cells_choose(cells *c, const imp_granular_settings *set, const bodies *b, double skin,
                      const halo *h);
/* The cell of a place, and the brick of a cell, coordinate by coordinate. */
void imp_cells_at(const cells *c, const imp_granular_settings *set, const double x[3], int cell[3]);
void imp_cells_brick(const cells *c, const int cell[3], int brick[3]);
/* Has a place left the room? */
enum { STAYS, LEAVES, LOST };
int imp_cells_leaves(const imp_granular_settings *set, const double x[3]);
/* Sorts particles into the cells of the window, in a cell by ids, and drops those that left,
 * counted in gone[LEAVES] and gone[LOST]. `spare` and b change places. false: no memory. */
bool imp_cells_sort(cells *c, const imp_granular_settings *set, bodies *b, bodies *spare,
                    int gone[3]);
void imp_cells_free(cells *c);

#endif
