/* list.c - candidates: pairs closer than the skin, sorted into colours; made anew when something could be missing. */
#include "granular/granular_internal.h"
#include "granular/ranks/ranks_internal.h"

#include <limits.h>
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
    return look(g, 2 * g->now.relative_speed);
}

double imp_granular_shape_reach(const imp_granular *g) {
    return look(g, g->now.fastest + shape_speed(g));
}

/* A pair that is not in the list was a skin apart and has come closer by no more than both have moved. */
bool imp_granular_list_is_old(const imp_granular *g) {
    return !g->now.listed || 2 * g->now.moved + imp_granular_pair_reach(g) > g->now.skin ||
           g->now.moved_absolute + g->now.shape_moved + imp_granular_shape_reach(g) > SHAPE_SKIN * g->now.skin;
}

static bool reserve(const imp_granular *g, slab *s, int more) {
    if (s->pairs > g->most_pairs || more > INT_MAX - s->pairs) {
        s->failed = true;
        return false;
    }
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
        const double reach = a->radius + b->radius + g->now.skin;
        if (x * x + y * y + z * z < reach * reach) add_row(s, i, j);
    }
}

static void find_shapes(const imp_granular *g, slab *s, int i) {
    double n[3];
    for (int k = 0; k < g->shapes; k++)
        if (imp_shape_gap(&g->shape[k], g->place[i].x, g->place[i].radius, n) < SHAPE_SKIN * g->now.skin)
            add_row(s, i, -1 - k);
}

/* Runs of particles: [from, to). */
typedef struct runs {
    int n, total, from[5], to[5];
} runs;

/* The cells of column (x, y) next to height z, as far as the brick owns pairs with them: the least coordinates of the
 * two cells must lie in it, and those of the cell (cx, cy, z) at hand are not below its own. `first`: the lowest cell.
 */
static void add_run(const imp_granular *g, const slab *s, runs *r, int cy, int z, int x, int y, int first) {
    if (x >= g->cells[0] || y < s->low[1] || y >= g->cells[1] || (cy < y ? cy : y) >= s->high[1]) return;
    const int low = first > s->low[2] ? first : s->low[2], upper = z < s->high[2] ? z + 2 : s->high[2];
    const int high = upper < g->cells[2] ? upper : g->cells[2];
    if (low >= high) return;
    const int column = cell_number(g, x, y, 0);
    r->from[r->n] = g->cell_start[column + low];
    r->to[r->n] = g->cell_start[column + high];
    r->total += r->to[r->n] - r->from[r->n];
    r->n++;
}

/* The pairs of the particles of one cell with those behind them: the rest of their column, the next column, and three
 * columns of the next layer. */
static bool find_in_cell(const imp_granular *g, slab *s, int x, int y, int z) {
    const int cell = cell_number(g, x, y, z), begin = g->cell_start[cell], end = g->cell_start[cell + 1];
    const bool own = y < s->high[1] && z < s->high[2];
    if (begin == end) return true;
    runs r = {0};
    if (own) add_run(g, s, &r, y, z, x, y, z);
    add_run(g, s, &r, y, z, x, y + 1, z - 1);
    for (int k = -1; k < 2; k++)
        add_run(g, s, &r, y, z, x + 1, y + k, z - 1);
    for (int i = begin; i < end; i++) {
        if (!reserve(g, s, r.total + g->shapes)) return false;
        for (int k = 0; k < r.n; k++)
            find_pairs(g, s, i, k == 0 && own ? i + 1 : r.from[k], r.to[k]);
        if (own) find_shapes(g, s, i);
    }
    return true;
}

/* A brick with the first cells beyond it along y and z: pairs across an edge can be of two that are both outside. */
static void find_in_slab(void *context, int k) {
    const imp_granular *g = context;
    slab *s = &g->slab[k];
    s->pairs = 0;
    s->failed = false;
    const int y_end = s->high[1] < g->cells[1] ? s->high[1] + 1 : s->high[1],
              z_end = s->high[2] < g->cells[2] ? s->high[2] + 1 : s->high[2];
    for (int x = s->low[0]; x < s->high[0]; x++)
        for (int y = s->low[1]; y < y_end; y++)
            for (int z = s->low[2]; z < z_end; z++)
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
        imp_granular_put_impulse(s, at++, g->carry.p[s->row[i].a]);
    }
    return true;
}

/* No colours yet for what the brick may touch: its particles and those of the first cells beyond it. */
static void clear_masks(const imp_granular *g, const slab *s) {
    int end[3];
    for (int c = 0; c < 3; c++)
        end[c] = s->high[c] < g->cells[c] ? s->high[c] + 1 : s->high[c];
    for (int x = s->low[0]; x < end[0]; x++)
        for (int y = s->low[1]; y < end[1]; y++) {
            const int column = cell_number(g, x, y, 0), from = g->cell_start[column + s->low[2]];
            memset(g->mask + from, 0, (size_t)(g->cell_start[column + end[2]] - from) * sizeof *g->mask);
        }
}

/* Greedy colours in the order of the rows, then the candidates by colour. */
static void colour_slab(void *context, int k) {
    const imp_granular *g = context;
    slab *s = &g->slab[k];
    int at[COLOURS] = {0};
    clear_masks(g, s);
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

bool imp_granular_pair_up(imp_granular *g) {
    bool good = true;
    imp_granular_parallel(g, 0, 1, g->slabs, find_in_slab, g);
    for (int p = 0; p < PARITIES; p++) /* neighbours write the colours of the same particles */
        imp_granular_parallel(g, g->parity[p], 1, g->parity[p + 1], colour_slab, g);
    for (int k = 0; k < g->slabs; k++)
        good = good && !g->slab[k].failed;
    return good && (!g->spread || imp_granular_plan(g));
}

bool imp_granular_relist(imp_granular *g) {
    const int old_slabs = g->slabs;
    for (int i = 0; i < g->shapes; i++)
        memcpy(g->now.shape_listed[i], g->shape[i].point, sizeof g->now.shape_listed[i]);
    imp_granular_choose(g);
    const bool good = (g->spread ? imp_granular_migrate(g) && imp_granular_sort(g) && imp_granular_carry_ranks(g)
                                 : imp_granular_sort(g) && imp_granular_carry(g, old_slabs)) &&
                      imp_granular_pair_up(g);
    memset(g->now.drift, 0, sizeof g->now.drift);
    g->now.moved = g->now.moved_absolute = g->now.shape_moved = 0;
    g->now.listed = good;
    g->failed = g->failed || !good;
    g->now.rebuilds++;
    return good;
}

bool imp_granular_list(imp_granular *g) {
    if (!imp_granular_measure(g)) return false;
    /* Fast particles need a skin that lasts for some steps. */
    g->now.skin = fmax(g->set.skin, 2 * fmax(imp_granular_pair_reach(g), imp_granular_shape_reach(g) / SHAPE_SKIN));
    return imp_granular_relist(g);
}
