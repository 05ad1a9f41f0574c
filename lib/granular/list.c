/* list.c - candidates: pairs closer than the skin, sorted into colours; made anew when something could be missing. */
#include "granular/granular_internal.h"

#include <math.h>
#include <string.h>

/* Shapes see a wider skin than pairs: particles move with the flow, and few are near a shape. */
static const double SHAPE_SKIN = 4;

static double look(const imp_granular *g, double speed) {
    return g->set.margin + (g->set.look_ahead ? g->set.step * speed : 0);
}

static double shape_speed(const imp_granular *g) {
    double fastest = 0;
    for (int i = 0; i < g->shapes; i++) {
        const double *v = g->shape[i].velocity;
        fastest = fmax(fastest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    const double *a = g->set.gravity;
    return fastest + g->set.step * sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

double imp_granular_pair_reach(const imp_granular *g) {
    return look(g, 2 * g->relative_speed);
}

double imp_granular_shape_reach(const imp_granular *g) {
    return look(g, g->fastest + shape_speed(g));
}

/* A pair that is not in the list was a skin apart and has come closer by no more than both have moved. */
bool imp_granular_list_is_old(const imp_granular *g) {
    return !g->listed || 2 * g->moved + imp_granular_pair_reach(g) > g->skin ||
           g->moved_absolute + g->shape_moved + imp_granular_shape_reach(g) > SHAPE_SKIN * g->skin;
}

static bool reserve(slab *s, int more) {
    const int need = s->pairs + more;
    if (need <= s->room) return true;
    int room[4] = {s->room, s->room, s->room, s->room};
    if (!imp_granular_grow(&s->pair, &room[0], need, sizeof *s->pair) ||
        !imp_granular_grow(&s->live, &room[1], need, sizeof *s->live) ||
        !imp_granular_grow(&s->row, &room[2], need, sizeof *s->row) ||
        !imp_granular_grow(&s->colour, &room[3], need, sizeof *s->colour)) {
        s->failed = true;
        return false;
    }
    s->room = room[0];
    return true;
}

static void add_row(slab *s, int owner, int other) {
    s->row[s->pairs++] = other < 0 ? (pair){other, owner} : (pair){owner, other};
}

static void find_pairs(const imp_granular *g, slab *s, int i, int from, int to) {
    const place *a = &g->place[i];
    for (int j = from; j < to; j++) {
        const place *b = &g->place[j];
        const double x = b->x[0] - a->x[0], y = b->x[1] - a->x[1], z = b->x[2] - a->x[2];
        const double reach = a->radius + b->radius + g->skin;
        if (x * x + y * y + z * z < reach * reach) add_row(s, i, j);
    }
}

static void find_shapes(const imp_granular *g, slab *s, int i) {
    double n[3];
    for (int k = 0; k < g->shapes; k++)
        if (imp_shape_gap(&g->shape[k], g->place[i].x, g->place[i].radius, n) < SHAPE_SKIN * g->skin)
            add_row(s, i, -1 - k);
}

/* The pairs of the particles of one cell with those behind them: the rest of their column, the next column, and three
 * columns of the next layer. */
static bool find_in_cell(const imp_granular *g, slab *s, int ix, int iy, int iz) {
    const int *n = g->cells, *start = g->cell_start;
    const int low = iz > 0 ? iz - 1 : 0, high = iz + 1 < n[2] ? iz + 2 : n[2];
    int from[4], to[4], runs = 0, most = g->shapes;
    const int cell = (ix * n[1] + iy) * n[2];
    for (int k = 0; k < 4; k++) {
        const int x = k == 0 ? ix : ix + 1, y = k == 0 ? iy + 1 : iy + k - 2;
        if (x >= n[0] || y < 0 || y >= n[1]) continue;
        const int column = (x * n[1] + y) * n[2];
        from[runs] = start[column + low];
        to[runs++] = start[column + high];
    }
    const int begin = start[cell + iz], end = start[cell + iz + 1], behind = start[cell + high];
    for (int k = 0; k < runs; k++)
        most += to[k] - from[k];
    for (int i = begin; i < end; i++) {
        if (!reserve(s, most + behind - i)) return false;
        find_pairs(g, s, i, i + 1, behind);
        for (int k = 0; k < runs; k++)
            find_pairs(g, s, i, from[k], to[k]);
        find_shapes(g, s, i);
    }
    return true;
}

static void find_in_slab(void *context, int k) {
    const imp_granular *g = context;
    slab *s = &g->slab[k];
    s->pairs = 0;
    const int first = k * g->slab_cells, last = (k + 1) * g->slab_cells;
    for (int x = first; x < last && x < g->cells[0]; x++)
        for (int y = 0; y < g->cells[1]; y++)
            for (int z = 0; z < g->cells[2]; z++)
                if (!find_in_cell(g, s, x, y, z)) return;
}

/* Which candidates were contacts before, and their impulses. The rows are done with, and hold where those are. */
static bool recall(const imp_granular *g, slab *s) {
    int contacts = 0;
    for (int i = 0; i < s->pairs; i++) {
        const pair c = s->pair[i];
        s->row[i].a = c.a < 0 ? imp_granular_carried(g, c.b, c.a) : imp_granular_carried(g, c.a, c.b);
        s->live[i] = s->row[i].a >= 0;
        contacts += s->live[i];
    }
    if (!imp_granular_reserve_impulses(s, contacts)) return false;
    for (int i = 0, at = 0; i < s->pairs; i++) {
        if (!s->live[i]) continue;
        for (int x = 0; x < 3; x++)
            s->impulse[(size_t)x * s->impulse_room + at] = g->carry.p[s->row[i].a][x];
        at++;
    }
    return true;
}

/* Greedy colours in the order of the rows, then the candidates by colour. */
static void colour_slab(void *context, int k) {
    const imp_granular *g = context;
    slab *s = &g->slab[k];
    int at[COLOURS] = {0};
    memset(g->mask + s->begin, 0, (size_t)(s->reach - s->begin) * sizeof *g->mask);
    for (int i = 0; i < s->pairs; i++) {
        const pair r = s->row[i];
        int colour = PAIR_COLOURS - 1 - r.a;
        if (r.a >= 0) {
            const uint64_t taken = g->mask[r.a] | g->mask[r.b] | (uint64_t)1 << (PAIR_COLOURS - 1);
            colour = __builtin_ctzll(~taken);
            if (colour >= PAIR_COLOURS) colour = PAIR_COLOURS - 1;
            g->mask[r.a] |= (uint64_t)1 << colour;
            g->mask[r.b] |= (uint64_t)1 << colour;
        }
        s->colour[i] = (unsigned char)colour;
        at[colour]++;
    }
    s->start[0] = 0;
    for (int c = 0; c < COLOURS; c++) {
        s->start[c + 1] = s->start[c] + at[c];
        at[c] = s->start[c];
        s->count[c] = 0;
    }
    for (int i = 0; i < s->pairs; i++)
        s->pair[at[s->colour[i]]++] = s->row[i];
    s->failed = s->failed || !recall(g, s);
}

bool imp_granular_relist(imp_granular *g) {
    const int old_slabs = g->slabs;
    for (int i = 0; i < g->shapes; i++)
        memcpy(g->shape_listed[i], g->shape[i].point, sizeof g->shape_listed[i]);
    bool good = imp_granular_sort(g) && imp_granular_carry(g, old_slabs);
    if (good) {
        imp_granular_parallel(g, 0, 1, g->slabs, find_in_slab, g);
        for (int parity = 0; parity < 2; parity++) /* both slabs of a pair write the colours of the second */
            imp_granular_parallel(g, parity, 2, g->slabs, colour_slab, g);
    }
    for (int k = 0; k < g->slabs; k++)
        good = good && !g->slab[k].failed;
    memset(g->drift, 0, sizeof g->drift);
    g->moved = g->moved_absolute = g->shape_moved = 0;
    g->listed = good;
    g->failed = g->failed || !good;
    g->costs.rebuilds++;
    return good;
}

bool imp_granular_list(imp_granular *g) {
    if (!imp_granular_measure(g)) return false;
    /* Fast particles need a skin that lasts for some steps. */
    g->skin = fmax(g->set.skin, 2 * fmax(imp_granular_pair_reach(g), imp_granular_shape_reach(g) / SHAPE_SKIN));
    return imp_granular_relist(g);
}
