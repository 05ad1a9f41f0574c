/* cells.c - particles into grid cells by a counting sort, in a cell by their ids, so that the order depends on
 * positions and ids alone, whatever it was before.
 *
 * Cells are counted x slowest, z fastest: the cells of a column in z are one run of particles. */
#include "granular/granular_internal.h"
#include "granular/ranks/ranks_internal.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { SLAB_CELLS = 300 }; /* cells that make a slab worth a task */

/* Per chunk: sum of velocities in QUANTA, then largest squares of speed, relative speed, relative and absolute
 * displacement, and how many particles have one that is not finite. */
enum { SUM = 0, SPEED = 3, RELATIVE, MOVED, MOVED_ABSOLUTE, UNFINITE, MEASURES };

/* The common velocity only helps the list to last, so it is summed in whole quanta: no order of the sum changes it. */
static const double QUANTA = 0x1p20, FASTEST = 0x1p12; /* per m/s; m/s, what is faster counts as this */

static double in_quanta(double v) {
    const double bounded = v > FASTEST ? FASTEST : v < -FASTEST ? -FASTEST : v;
    return bounded * QUANTA + 0x1.8p52 - 0x1.8p52; /* to the nearest whole number */
}

static void measure_chunk(void *context, int k) {
    imp_granular *g = context;
    double *out = g->chunk + (size_t)MEASURES * k;
    memset(out, 0, MEASURES * sizeof *out);
    const int end = g->count - k * CHUNK < CHUNK ? g->count : (k + 1) * CHUNK;
    for (int i = k * CHUNK; i < end; i++) {
        double square[4] = {0};
        const bool own = is_own(g, i);
        for (int c = 0; c < 3; c++) {
            const double v = g->body[i].v[c], w = v - g->now.drift_speed[c];
            const double d = g->place[i].x[c] - g->reference[i].x[c], e = d - g->now.drift[c];
            out[SUM + c] += own ? in_quanta(v) : 0;
            square[0] += v * v;
            square[1] += w * w;
            square[2] += e * e;
            square[3] += d * d;
        }
        for (int m = 0; m < 4; m++)
            if (square[m] > out[SPEED + m]) out[SPEED + m] = square[m];
        out[UNFINITE] += !isfinite(square[0] + square[3]);
    }
}

bool imp_granular_measure(imp_granular *g) {
    const int chunks = (g->count + CHUNK - 1) / CHUNK;
    double most[UNFINITE] = {0};
    int64_t sum[5] = {0}; /* of the velocities, of what is not finite, of particles */
    if (!imp_granular_grow(&g->chunk, &g->chunk_room, chunks, MEASURES * sizeof *g->chunk)) {
        g->failed = true;
        return false;
    }
    imp_granular_parallel(g, 0, 1, chunks, measure_chunk, g);
    for (int k = 0; k < chunks; k++) {
        const double *one = g->chunk + (size_t)MEASURES * k;
        for (int c = 0; c < 3; c++)
            sum[c] += (int64_t)one[SUM + c];
        sum[3] += (int64_t)one[UNFINITE];
        for (int m = SPEED; m < UNFINITE; m++)
            if (one[m] > most[m]) most[m] = one[m];
    }
    sum[4] = imp_granular_own_count(g);
    imp_granular_reduce(g, UNFINITE - SPEED, most + SPEED, 5, sum);
    g->now.fastest = sqrt(most[SPEED]);
    g->now.relative_speed = sqrt(most[RELATIVE]);
    g->now.moved = sqrt(most[MOVED]);
    g->now.moved_absolute = sqrt(most[MOVED_ABSOLUTE]);
    for (int c = 0; c < 3; c++)
        g->now.drift_speed[c] = sum[4] ? (double)sum[c] / QUANTA / (double)sum[4] : 0;
    return sum[3] == 0;
}

/* The grid is that of the particles that stay, which is all that a checkpoint knows. */
static void choose_cells(imp_granular *g) {
    double widest = 0, cells;
    int64_t count = 0;
    for (int i = 0; i < g->count; i++) {
        if (!is_own(g, i) || imp_granular_leaves(g, g->place[i].x)) continue;
        widest = fmax(widest, g->place[i].radius);
        count++;
    }
    imp_granular_reduce(g, 1, &widest, 1, &count);
    g->cell_size = 2 * widest + g->now.skin;
    do { /* no more cells than a few per particle, however large the box */
        cells = 1;
        for (int c = 0; c < 3; c++) {
            const double n = fmin(fmax(floor((g->set.high[c] - g->set.low[c]) / g->cell_size), 1), 1 << 20);
            g->cells[c] = (int)n;
            cells *= n;
        }
        g->cell_size *= 1.25;
    } while (cells > 8.0 * (double)count + 4096);
}

/* The cell of a place; what is outside the box belongs to the nearest cell, which keeps neighbours neighbours. */
void imp_granular_cell(const imp_granular *g, const double x[3], int cell[3]) {
    for (int c = 0; c < 3; c++) {
        const double s = (x[c] - g->set.low[c]) / (g->set.high[c] - g->set.low[c]) * g->cells[c];
        cell[c] = s < 0 ? 0 : s >= g->cells[c] ? g->cells[c] - 1 : (int)s;
    }
}

int imp_granular_leaves(const imp_granular *g, const double x[3]) {
    if (x[0] > g->set.outlet) return 1;
    for (int c = 0; c < 3; c++) {
        const double size = g->set.high[c] - g->set.low[c];
        if (x[c] < g->set.low[c] - size || x[c] > g->set.high[c] + size) return 2;
    }
    return 0;
}

static void key_chunk(void *context, int k) {
    imp_granular *g = context;
    const int end = g->count - k * CHUNK < CHUNK ? g->count : (k + 1) * CHUNK;
    for (int i = k * CHUNK; i < end; i++) {
        const double *x = g->place[i].x;
        int cell[3];
        g->key[i] = -imp_granular_leaves(g, x);
        if (g->key[i] < 0) continue;
        imp_granular_cell(g, x, cell);
        g->key[i] = cell_number(g, cell[0], cell[1], cell[2]);
    }
}

/* The particles of each cell of a layer of the window by their ids. */
static void order_layer(void *context, int x) {
    imp_granular *g = context;
    const int layer = g->held[1] * g->held[2];
    for (int c = x * layer; c < (x + 1) * layer; c++)
        for (int i = g->cell_start[c] + 1; i < g->cell_start[c + 1]; i++) {
            const int one = g->order[i];
            int at = i;
            for (; at > g->cell_start[c] && g->id[g->order[at - 1]] > g->id[one]; at--)
                g->order[at] = g->order[at - 1];
            g->order[at] = one;
        }
}

/* The particles of a chunk of the new order. */
static void gather_chunk(void *context, int k) {
    imp_granular *g = context;
    const int end = g->count - k * CHUNK < CHUNK ? g->count : (k + 1) * CHUNK;
    for (int i = k * CHUNK; i < end; i++) {
        const int from = g->order[i];
        g->target[from] = i;
        g->body_spare[i] = g->body[from];
        g->place_spare[i] = g->place[from];
        g->reference[i] = g->place[from];
        g->id_spare[i] = g->id[from];
        if (g->top) g->top_spare[i] = g->top[from];
    }
}

static void swap(void *a, void *b) {
    void *x, *y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    memcpy(a, &y, sizeof y);
    memcpy(b, &x, sizeof x);
}

static void choose_bricks(imp_granular *g) {
    const int layer = g->cells[1] * g->cells[2], thick = layer >= SLAB_CELLS ? 1 : (SLAB_CELLS - 1) / layer + 1;
    const int slabs[3] = {(g->cells[0] + thick - 1) / thick, 1, 1};
    for (int c = 0; c < 3; c++) {
        const int wanted = g->set.bricks[c] > 0 ? g->set.bricks[c] : slabs[c];
        g->bricks[c] = wanted < g->cells[c] ? wanted : g->cells[c];
    }
}

static void make_brick(const imp_granular *g, slab *s, const int at[3]) {
    for (int c = 0; c < 3; c++) {
        s->low[c] = (int)((long long)at[c] * g->cells[c] / g->bricks[c]);
        s->high[c] = (int)((long long)(at[c] + 1) * g->cells[c] / g->bricks[c]);
    }
}

void imp_granular_choose(imp_granular *g) {
    choose_cells(g);
    choose_bricks(g);
    for (int c = 0; c < 3; c++) {
        g->brick_low[c] = g->window[c] = 0;
        g->brick_high[c] = g->bricks[c];
        g->held[c] = g->cells[c];
    }
}

/* The first brick of a parity from `low` on. */
static int first_of(int low, int odd) {
    return low + ((low ^ odd) & 1);
}

/* All bricks, those of a parity together. */
static bool cut_into_slabs(imp_granular *g) {
    const int before = g->slab_room, *low = g->brick_low, *high = g->brick_high;
    const int slabs = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
    if (!imp_granular_grow(&g->slab, &g->slab_room, slabs, sizeof *g->slab)) return false;
    if (g->slab_room > before) memset(g->slab + before, 0, (size_t)(g->slab_room - before) * sizeof *g->slab);
    int made = 0;
    for (int p = 0; p < PARITIES; p++) {
        g->parity[p] = made;
        for (int x = first_of(low[0], p >> 2); x < high[0]; x += 2)
            for (int y = first_of(low[1], p >> 1); y < high[1]; y += 2)
                for (int z = first_of(low[2], p); z < high[2]; z += 2)
                    make_brick(g, &g->slab[made++], (const int[3]){x, y, z});
    }
    g->parity[PARITIES] = g->slabs = made;
    return imp_granular_reserve(g, g->count + slabs * (g->shapes + 1));
}

/* The bodies of the shapes, and one at rest for idle lanes, once per slab. */
static void place_statics(imp_granular *g) {
    for (int k = 0; k < g->slabs; k++) {
        for (int i = 0; i < g->shapes; i++) {
            body *b = &g->body[static_body(g, k, i)];
            *b = (body){.friction = g->shape[i].friction};
            memcpy(b->v, g->shape[i].velocity, sizeof b->v);
        }
        g->body[static_body(g, k, g->shapes)] = (body){.inv_mass = 1};
    }
}

bool imp_granular_sort(imp_granular *g) {
    const int old = g->count, cells = g->held[0] * g->held[1] * g->held[2];
    if (!imp_granular_grow(&g->cell_start, &g->cell_room, cells + 1, sizeof *g->cell_start)) return false;
    imp_granular_parallel(g, 0, 1, (old + CHUNK - 1) / CHUNK, key_chunk, g);
    int *start = g->cell_start;
    memset(start, 0, (size_t)(cells + 1) * sizeof *start);
    for (int i = 0; i < old; i++) {
        if (g->key[i] >= 0) start[g->key[i] + 1]++;
        g->deleted += g->key[i] == -1;
        g->lost += g->key[i] == -2;
    }
    for (int c = 0; c < cells; c++)
        start[c + 1] += start[c];
    const int kept = start[cells];
    for (int i = 0; i < old; i++) { /* start[c] runs to the end of cell c, which is the start of the next */
        g->target[i] = -1;
        if (g->key[i] >= 0) g->order[start[g->key[i]]++] = i;
    }
    memmove(start + 1, start, (size_t)cells * sizeof *start);
    start[0] = 0;
    g->count = kept;
    imp_granular_parallel(g, 0, 1, g->held[0], order_layer, g);
    imp_granular_parallel(g, 0, 1, (kept + CHUNK - 1) / CHUNK, gather_chunk, g);
    swap(&g->body, &g->body_spare);
    swap(&g->place, &g->place_spare);
    swap(&g->id, &g->id_spare);
    if (g->top) {
        swap(&g->top, &g->top_spare);
        const int room = g->top_room;
        g->top_room = g->top_spare_room;
        g->top_spare_room = room;
    }
    if (!cut_into_slabs(g)) return false;
    place_statics(g);
    return true;
}
