/* cells.c - particles into grid cells by a counting sort, in a cell by their ids, so that the order
 * depends on positions and ids alone, whatever it was before.
 *
 * Cells are counted x slowest, z fastest: the cells of a column in z are one run of particles. */
#include "granular/cells.h"
#include "granular/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLAB_CELLS = 300 }; /* cells that make a slab worth a task */

/* The grid is that of the particles that stay, which is all that a checkpoint knows. */
static void choose_cells(cells *c, const imp_granular_settings *set, const bodies *b, double skin,
                         const halo *h) {
    enum { WIDEST, LIGHTEST, MAXIMA };
    double most[MAXIMA] = {0}, total;
    int64_t count = 0;
    for (int i = 0; i < b->count; i++) {
        if (!b->own[i] || imp_cells_leaves(set, b->place[i].x) != STAYS) continue;
        most[WIDEST] = fmax(most[WIDEST], b->place[i].radius);
        most[LIGHTEST] = fmax(most[LIGHTEST], b->body[i].inv_mass);
        count++;
    }
    imp_halo_reduce(h, MAXIMA, most, 1, &count);
    c->lightest = most[LIGHTEST];
    double size = 2 * most[WIDEST] + skin;
    do { /* no more cells than a few per particle, however large the box */
        total = 1;
        for (int x = 0; x < 3; x++) {
            const double n = fmin(fmax(floor((set->high[x] - set->low[x]) / size), 1), 1 << 20);
            c->n[x] = (int)n;
            total *= n;
        }
        size *= 1.25;
    } while (total > 8.0 * (double)count + 4096);
}

void imp_cells_choose(cells *c, const imp_granular_settings *set, const bodies *b, double skin,
                      const halo *h) {
    choose_cells(c, set, b, skin, h);
    const int layer = c->n[1] * c->n[2],
              thick = layer >= SLAB_CELLS ? 1 : (SLAB_CELLS - 1) / layer + 1;
    const int slabs[3] = {(c->n[0] + thick - 1) / thick, 1, 1};
    for (int x = 0; x < 3; x++) {
        const int wanted = set->bricks[x] > 0 ? set->bricks[x] : slabs[x];
        c->bricks[x] = wanted < c->n[x] ? wanted : c->n[x];
        c->brick_low[x] = c->window[x] = 0;
        c->brick_high[x] = c->bricks[x];
        c->held[x] = c->n[x];
    }
}

/* What is outside the box belongs to the nearest cell, which keeps neighbours neighbours. */
void imp_cells_at(const cells *c, const imp_granular_settings *set, const double x[3],
                  int cell[3]) {
    for (int i = 0; i < 3; i++) {
        const double s = (x[i] - set->low[i]) / (set->high[i] - set->low[i]) * c->n[i];
        cell[i] = s < 0 ? 0 : s >= c->n[i] ? c->n[i] - 1 : (int)s;
    }
}

void imp_cells_brick(const cells *c, const int cell[3], int brick[3]) {
    for (int x = 0; x < 3; x++)
        brick[x] = piece_of(cell[x], c->n[x], c->bricks[x]);
}

int imp_cells_leaves(const imp_granular_settings *set, const double x[3]) {
    if (x[0] > set->outlet) return LEAVES;
    for (int c = 0; c < 3; c++) {
        const double size = set->high[c] - set->low[c];
        if (x[c] < set->low[c] - size || x[c] > set->high[c] + size) return LOST;
    }
    return STAYS;
}

typedef struct sorting {
    const cells *cells;
    const imp_granular_settings *set;
    const bodies *from;
    bodies *to;
} sorting;

static void find_cells(void *context, int begin, int end) {
    const sorting *of = context;
    for (int i = begin; i < end; i++) {
        const double *x = of->from->place[i].x;
        int cell[3], *key = &of->cells->key[i];
        *key = -imp_cells_leaves(of->set, x);
        if (*key != STAYS) continue;
        imp_cells_at(of->cells, of->set, x, cell);
        *key = cell_number(of->cells, cell[0], cell[1], cell[2]);
    }
}

/* The particles of each cell of a layer of the window by their ids. */
static void order_layer(void *context, int x) {
    const sorting *of = context;
    const int layer = of->cells->held[1] * of->cells->held[2], *start = of->cells->start;
    const int64_t *id = of->from->id;
    int *order = of->cells->order;
    for (int c = x * layer; c < (x + 1) * layer; c++)
        for (int i = start[c] + 1; i < start[c + 1]; i++) {
            const int one = order[i];
            int at = i;
            for (; at > start[c] && id[order[at - 1]] > id[one]; at--)
                order[at] = order[at - 1];
            order[at] = one;
        }
}

/* A piece of the new order. */
static void gather(void *context, int begin, int end) {
    const sorting *of = context;
    const bodies *from = of->from;
    bodies *to = of->to;
    for (int i = begin; i < end; i++) {
        const int k = of->cells->order[i];
        of->cells->target[k] = i;
        to->body[i] = from->body[k];
        to->place[i] = to->reference[i] = from->place[k];
        to->id[i] = from->id[k];
        to->own[i] = 1; /* on ranks the plan then tells copies apart */
        if (from->top) to->top[i] = from->top[k];
    }
}

/* Particles by cells, in their old order there; returns how many stay. */
static int count_cells(cells *c, int particles, int gone[3]) {
    const int held = c->held[0] * c->held[1] * c->held[2];
    int *start = c->start;
    memset(start, 0, (size_t)(held + 1) * sizeof *start);
    for (int i = 0; i < particles; i++)
        ++*(c->key[i] < 0 ? &gone[-c->key[i]] : &start[c->key[i] + 1]);
    for (int k = 0; k < held; k++)
        start[k + 1] += start[k];
    const int stay = start[held];
    for (int i = 0; i < particles; i++) { /* start[k] runs to the end of cell k, which is the start
                                             of the next */
        c->target[i] = -1;
        if (c->key[i] >= 0) c->order[start[c->key[i]]++] = i;
    }
    memmove(start + 1, start, (size_t)held * sizeof *start);
    start[0] = 0;
    return stay;
}

static bool reserve(cells *c, int particles) {
    const int held = c->held[0] * c->held[1] * c->held[2];
    int room[2] = {c->sort_room, c->sort_room};
    return imp_grow(&c->start, &c->room, held + 1, sizeof *c->start) &&
           imp_grow(&c->key, &room[0], particles, sizeof *c->key) &&
           imp_grow(&c->order, &room[1], particles, sizeof *c->order) &&
           imp_grow(&c->target, &c->sort_room, particles, sizeof *c->target);
}

bool imp_cells_sort(cells *c, const imp_granular_settings *set, bodies *b, bodies *spare,
                    int gone[3]) {
    sorting of = {c, set, b, spare};
    if (!reserve(c, b->count) || !imp_bodies_reserve(spare, b->count, b->top)) return false;
    imp_parallel_pieces(set->threads, b->count, find_cells, &of);
    spare->count = count_cells(c, b->count, gone);
    imp_parallel(set->threads, 0, c->held[0], order_layer, &of);
    imp_parallel_pieces(set->threads, spare->count, gather, &of);
    const bodies sorted = *spare;
    *spare = *b;
    *b = sorted;
    return true;
}

void imp_cells_free(cells *c) {
    free(c->start);
    free(c->key);
    free(c->order);
    free(c->target);
}
