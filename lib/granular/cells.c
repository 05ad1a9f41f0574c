/* cells.c - particles into grid cells and slabs by a stable counting sort, so that the order depends on positions
 * alone.
 *
 * Cells are counted x slowest, z fastest: a slab is one run of particles, the cells of a column in z another. */
#include "granular/granular_internal.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { SLAB_CELLS = 300 }; /* cells that make a slab worth a task */

/* Per chunk: sum of velocities, then largest squares of speed, relative speed, relative and absolute displacement. */
enum { SUM = 0, SPEED = 3, RELATIVE, MOVED, MOVED_ABSOLUTE, MEASURES };

static void measure_chunk(void *context, int k) {
    imp_granular *g = context;
    double *out = g->chunk + (size_t)MEASURES * k;
    memset(out, 0, MEASURES * sizeof *out);
    const int end = g->count - k * CHUNK < CHUNK ? g->count : (k + 1) * CHUNK;
    for (int i = k * CHUNK; i < end; i++) {
        double square[4] = {0};
        for (int c = 0; c < 3; c++) {
            const double v = g->body[i].v[c], w = v - g->drift_speed[c];
            const double d = g->place[i].x[c] - g->reference[i].x[c], e = d - g->drift[c];
            out[SUM + c] += v;
            square[0] += v * v;
            square[1] += w * w;
            square[2] += e * e;
            square[3] += d * d;
        }
        for (int m = 0; m < 4; m++)
            if (square[m] > out[SPEED + m]) out[SPEED + m] = square[m];
    }
}

bool imp_granular_measure(imp_granular *g) {
    const int chunks = (g->count + CHUNK - 1) / CHUNK;
    double all[MEASURES] = {0};
    if (!imp_granular_grow(&g->chunk, &g->chunk_room, chunks, MEASURES * sizeof *g->chunk)) {
        g->failed = true;
        return false;
    }
    imp_granular_parallel(g, 0, 1, chunks, measure_chunk, g);
    for (int k = 0; k < chunks; k++) {
        const double *one = g->chunk + (size_t)MEASURES * k;
        for (int c = 0; c < 3; c++)
            all[SUM + c] += one[SUM + c];
        for (int m = SPEED; m < MEASURES; m++)
            if (one[m] > all[m]) all[m] = one[m];
    }
    g->fastest = sqrt(all[SPEED]);
    g->relative_speed = sqrt(all[RELATIVE]);
    g->moved = sqrt(all[MOVED]);
    g->moved_absolute = sqrt(all[MOVED_ABSOLUTE]);
    for (int c = 0; c < 3; c++)
        g->drift_speed[c] = g->count ? all[SUM + c] / g->count : 0;
    /* A sum keeps every NaN, which a largest value may drop. */
    return isfinite(all[SUM] + all[SUM + 1] + all[SUM + 2]) && isfinite(all[SPEED] + all[MOVED_ABSOLUTE]);
}

static void choose_cells(imp_granular *g) {
    double widest = 0, cells;
    for (int i = 0; i < g->count; i++)
        widest = fmax(widest, g->place[i].radius);
    g->cell_size = 2 * widest + g->skin;
    do { /* no more cells than a few per particle, however large the box */
        cells = 1;
        for (int c = 0; c < 3; c++) {
            const double n = fmin(fmax(floor((g->set.high[c] - g->set.low[c]) / g->cell_size), 1), 1 << 20);
            g->cells[c] = (int)n;
            cells *= n;
        }
        g->cell_size *= 1.25;
    } while (cells > 8.0 * g->count + 4096);
}

/* The cell of a place; what is outside the box belongs to the nearest cell, which keeps neighbours neighbours. */
static int cell_of(const imp_granular *g, const double x[3]) {
    int at[3];
    for (int c = 0; c < 3; c++) {
        const double s = (x[c] - g->set.low[c]) / (g->set.high[c] - g->set.low[c]) * g->cells[c];
        at[c] = s < 0 ? 0 : s >= g->cells[c] ? g->cells[c] - 1 : (int)s;
    }
    return (at[0] * g->cells[1] + at[1]) * g->cells[2] + at[2];
}

static bool is_lost(const imp_granular *g, const double x[3]) {
    for (int c = 0; c < 3; c++) {
        const double size = g->set.high[c] - g->set.low[c];
        if (x[c] < g->set.low[c] - size || x[c] > g->set.high[c] + size) return true;
    }
    return false;
}

static void key_chunk(void *context, int k) {
    imp_granular *g = context;
    const int end = g->count - k * CHUNK < CHUNK ? g->count : (k + 1) * CHUNK;
    for (int i = k * CHUNK; i < end; i++) {
        const double *x = g->place[i].x;
        g->key[i] = x[0] > g->set.outlet ? -1 : is_lost(g, x) ? -2 : cell_of(g, x);
    }
}

/* The particles of a chunk of the new order. */
static void gather_chunk(void *context, int k) {
    imp_granular *g = context;
    const int end = g->count - k * CHUNK < CHUNK ? g->count : (k + 1) * CHUNK;
    for (int i = k * CHUNK; i < end; i++) {
        const int from = g->order[i];
        g->body_spare[i] = g->body[from];
        g->place_spare[i] = g->place[from];
        g->reference[i] = g->place[from];
        g->id_spare[i] = g->id[from];
    }
}

static void swap(void *a, void *b) {
    void *x, *y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    memcpy(a, &y, sizeof y);
    memcpy(b, &x, sizeof x);
}

static bool cut_into_slabs(imp_granular *g) {
    const int column = g->cells[1] * g->cells[2], thick = column >= SLAB_CELLS ? 1 : (SLAB_CELLS - 1) / column + 1;
    const int slabs = (g->cells[0] + thick - 1) / thick, before = g->slab_room;
    if (!imp_granular_grow(&g->slab, &g->slab_room, slabs, sizeof *g->slab)) return false;
    if (g->slab_room > before) memset(g->slab + before, 0, (size_t)(g->slab_room - before) * sizeof *g->slab);
    g->slabs = slabs;
    g->slab_cells = thick;
    for (int k = 0; k < slabs; k++) {
        const int first = k * thick, last = (k + 1) * thick, next = (k + 2) * thick;
        g->slab[k].begin = g->cell_start[(first < g->cells[0] ? first : g->cells[0]) * column];
        g->slab[k].end = g->cell_start[(last < g->cells[0] ? last : g->cells[0]) * column];
        g->slab[k].reach = g->cell_start[(next < g->cells[0] ? next : g->cells[0]) * column];
    }
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
    const int old = g->count;
    choose_cells(g);
    const int cells = g->cells[0] * g->cells[1] * g->cells[2];
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
        g->target[i] = g->key[i] < 0 ? -1 : start[g->key[i]]++;
        if (g->target[i] >= 0) g->order[g->target[i]] = i;
    }
    memmove(start + 1, start, (size_t)cells * sizeof *start);
    start[0] = 0;
    g->count = kept;
    imp_granular_parallel(g, 0, 1, (kept + CHUNK - 1) / CHUNK, gather_chunk, g);
    swap(&g->body, &g->body_spare);
    swap(&g->place, &g->place_spare);
    swap(&g->id, &g->id_spare);
    if (!cut_into_slabs(g)) return false;
    place_statics(g);
    return true;
}
