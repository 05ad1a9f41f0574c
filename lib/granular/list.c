/* list.c - candidates: pairs closer than the skin, found cell by cell and sorted into colours. */
#include "granular/list.h"
#include "granular/work.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    list *list;
    const neighbourhood *all;
} search;

int imp_candidates_live(const candidates *c) {
    int n = 0;
    for (int i = 0; i < c->pairs; i++)
        n += c->live[i] != 0;
    return n;
}

bool imp_candidates_reserve(candidates *c, int impulses) {
    return imp_grow(&c->impulse, &c->impulse_room, impulses + WIDTH, 3 * sizeof *c->impulse);
}

static bool reserve(candidates *c, int64_t most, int more) {
    int room[3] = {c->room, c->room, c->room};
    c->failed = c->pairs > most || more > INT_MAX - c->pairs ||
                !imp_grow(&c->pair, &room[0], c->pairs + more, sizeof *c->pair) ||
                !imp_grow(&c->live, &room[1], c->pairs + more, sizeof *c->live) ||
                !imp_grow(&c->row, &room[2], c->pairs + more, sizeof *c->row) ||
                !imp_grow(&c->colour, &c->room, c->pairs + more, sizeof *c->colour);
    return !c->failed;
}

static void add_row(candidates *c, int owner, int other) {
    c->row[c->pairs++] = other < 0 ? (pair){other, owner} : (pair){owner, other};
}

static void find_pairs(const neighbourhood *all, candidates *c, int i, int from, int to) {
    const place *a = &all->bodies->place[i];
    for (int j = from; j < to; j++) {
        const place *b = &all->bodies->place[j];
        const double x = b->x[0] - a->x[0], y = b->x[1] - a->x[1], z = b->x[2] - a->x[2];
        const double reach = a->radius + b->radius + all->skin;
        if (x * x + y * y + z * z < reach * reach) add_row(c, i, j);
    }
}

static void find_shapes(const neighbourhood *all, candidates *c, int i) {
    const place *x = &all->bodies->place[i];
    double n[3];
    for (int k = 0; k < all->walls->n; k++)
        if (imp_shape_gap(&all->walls->at[k], x->x, x->radius, n) < SHAPE_SKIN * all->skin)
            add_row(c, i, -1 - k);
}

/* Runs of particles: [from, to). */
typedef struct runs {
    int n, total, from[5], to[5];
} runs;

/* The cells of column (x, y) next to height z, as far as the brick owns pairs with them: the least
 * coordinates of the two cells must lie in it, and those of the cell (cx, cy, z) at hand are not
 * below its own. `first`: the lowest cell.
 */
static void add_run(const cells *grid, const candidates *c, runs *r, int cy, int z, int x, int y,
                    int first) {
    if (x >= grid->n[0] || y < c->low[1] || y >= grid->n[1] || (cy < y ? cy : y) >= c->high[1])
        return;
    const int low = first > c->low[2] ? first : c->low[2],
              upper = z < c->high[2] ? z + 2 : c->high[2];
    const int high = upper < grid->n[2] ? upper : grid->n[2];
    if (low >= high) return;
    const int *start = grid->start + cell_number(grid, x, y, 0);
    r->from[r->n] = start[low];
    r->to[r->n] = start[high];
    r->total += r->to[r->n] - r->from[r->n];
    r->n++;
}

/* The pairs of the particles of one cell with those behind them: the rest of their column, the next
 * column, and three columns of the next layer. */
static bool find_in_cell(const neighbourhood *all, candidates *c, int x, int y, int z) {
    const cells *grid = all->cells;
    const int cell = cell_number(grid, x, y, z), begin = grid->start[cell],
              end = grid->start[cell + 1];
    const bool own = y < c->high[1] && z < c->high[2];
    if (begin == end) return true;
    runs r = {0};
    if (own) add_run(grid, c, &r, y, z, x, y, z);
    add_run(grid, c, &r, y, z, x, y + 1, z - 1);
    for (int k = -1; k < 2; k++)
        add_run(grid, c, &r, y, z, x + 1, y + k, z - 1);
    for (int i = begin; i < end; i++) {
        if (!reserve(c, all->most_pairs, r.total + all->walls->n)) return false;
        for (int k = 0; k < r.n; k++)
            find_pairs(all, c, i, k == 0 && own ? i + 1 : r.from[k], r.to[k]);
        if (own) find_shapes(all, c, i);
    }
    return true;
}

/* A brick with the first cells beyond it along y and z: pairs across an edge can be of two that are
 * both outside. */
static void find_in_brick(void *context, int k) {
    const search *of = context;
    candidates *c = &of->list->brick[k];
    int end[3];
    for (int x = 0; x < 3; x++)
        end[x] = c->high[x] < of->all->cells->n[x] ? c->high[x] + 1 : c->high[x];
    c->pairs = 0;
    c->failed = false;
    for (int x = c->low[0]; x < c->high[0]; x++)
        for (int y = c->low[1]; y < end[1]; y++)
            for (int z = c->low[2]; z < end[2]; z++)
                if (!find_in_cell(of->all, c, x, y, z)) return;
}

/* Which candidates were contacts before, and their impulses. The rows are done with, and hold where
 * those are. */
static bool recall(const carry *from, candidates *c) {
    int live = 0;
    for (int i = 0; i < c->pairs; i++) {
        const pair r = c->pair[i];
        c->row[i].a = r.a < 0 ? imp_carried(from, r.b, r.a) : imp_carried(from, r.a, r.b);
        c->live[i] = c->row[i].a >= 0;
        live += c->live[i];
    }
    if (!imp_candidates_reserve(c, live)) return false;
    for (int i = 0, at = 0; i < c->pairs; i++)
        if (c->live[i]) impulse_put(c, at++, from->item[c->row[i].a].p);
    return true;
}

/* The first colour that neither particle has yet. */
static int choose_colour(uint64_t *taken, pair r) {
    if (r.a < 0) return PAIR_COLOURS - 1 - r.a;
    const uint64_t both = taken[r.a] | taken[r.b] | (uint64_t)1 << (PAIR_COLOURS - 1);
    const int free = __builtin_ctzll(~both), colour = free < PAIR_COLOURS ? free : PAIR_COLOURS - 1;
    taken[r.a] |= (uint64_t)1 << colour;
    taken[r.b] |= (uint64_t)1 << colour;
    return colour;
}

/* Greedy colours in the order of the rows, then the candidates by colour. */
static void colour_brick(void *context, int k) {
    const search *of = context;
    candidates *c = &of->list->brick[k];
    int at[COLOURS] = {0};
    for (int i = 0; i < c->pairs; i++) {
        const int colour = choose_colour(of->list->taken, c->row[i]);
        c->colour[i] = (unsigned char)colour;
        at[colour]++;
    }
    c->start[0] = 0;
    for (int i = 0; i < COLOURS; i++) {
        c->start[i + 1] = c->start[i] + at[i];
        at[i] = c->start[i];
    }
    for (int i = 0; i < c->pairs; i++)
        c->pair[at[c->colour[i]]++] = c->row[i];
    c->failed = c->failed || !recall(&of->list->carry, c);
}

/* The first brick of a parity from `low` on. */
static int first_of(int low, int odd) {
    return low + ((low ^ odd) & 1);
}

static void place_brick(const cells *grid, candidates *c, const int at[3]) {
    for (int x = 0; x < 3; x++) {
        c->low[x] = begin_of(at[x], grid->n[x], grid->bricks[x]);
        c->high[x] = begin_of(at[x] + 1, grid->n[x], grid->bricks[x]);
    }
}

/* along <- the bricks by layers. */
static void line_up(list *l, const cells *grid) {
    int next[PARITIES], made = 0;
    memcpy(next, l->parity, sizeof next);
    for (int x = grid->brick_low[0]; x < grid->brick_high[0]; x++)
        for (int p = 4 * (x & 1); p < 4 * (x & 1) + 4; p++)
            for (; next[p] < l->parity[p + 1] &&
                   l->brick[next[p]].low[0] == begin_of(x, grid->n[0], grid->bricks[0]);
                 next[p]++)
                l->along[made++] = next[p];
}

/* The layers cut into shares of as many candidates each. */
static void cut_shares(list *l) {
    double all = 0, passed = 0;
    for (int k = 0; k < l->bricks; k++)
        all += 1 + l->brick[k].pairs;
    for (int x = 0, share = 0; x < l->layers; x++) {
        const int left = l->layers - x; /* one for each share at least */
        if (share < l->shares && (passed >= all * share / l->shares || left == l->shares - share))
            l->border[share++] = x;
        for (int j = x * l->per_layer; j < (x + 1) * l->per_layer; j++)
            passed += 1 + l->brick[l->along[j]].pairs;
    }
    l->border[l->shares] = l->layers;
}

bool imp_list_cut(list *l, const cells *grid, int threads) {
    const int *low = grid->brick_low, *high = grid->brick_high;
    l->layers = high[0] - low[0];
    l->per_layer = (high[1] - low[1]) * (high[2] - low[2]);
    l->shares = l->layers < 2 * threads ? 0 : threads;
    const int bricks = l->layers * l->per_layer;
    if (!imp_grow(&l->brick, &l->room, bricks, sizeof *l->brick) ||
        !imp_grow(&l->along, &l->along_room, bricks, sizeof *l->along) ||
        !imp_grow(&l->border, &l->border_room, threads + 1, sizeof *l->border))
        return false;
    int made = 0;
    for (int p = 0; p < PARITIES; p++) {
        l->parity[p] = made;
        for (int x = first_of(low[0], p >> 2); x < high[0]; x += 2)
            for (int y = first_of(low[1], p >> 1); y < high[1]; y += 2)
                for (int z = first_of(low[2], p); z < high[2]; z += 2)
                    place_brick(grid, &l->brick[made++], (const int[3]){x, y, z});
    }
    l->parity[PARITIES] = l->bricks = made;
    line_up(l, grid);
    if (l->shares > 0) cut_shares(l);
    return true;
}

bool imp_list_find(list *l, const neighbourhood *all) {
    search of = {l, all};
    bool good = imp_grow(&l->taken, &l->taken_room, all->bodies->count + 1, sizeof *l->taken);
    if (!good) return false;
    imp_list_each(l, all->threads, find_in_brick, &of);
    for (int p = 0; p < PARITIES; p++) { /* neighbours write the colours of the same particles */
        if (l->parity[p] == l->parity[p + 1]) continue;
        memset(l->taken, 0, (size_t)all->bodies->count * sizeof *l->taken);
        imp_parallel(all->threads, l->parity[p], l->parity[p + 1], colour_brick, &of);
    }
    for (int k = 0; k < l->bricks; k++)
        good = good && !l->brick[k].failed;
    if (l->shares > 0) cut_shares(l);
    return good;
}

void imp_list_share(const list *l, int member, int *members, int *begin, int *end) {
    *members = *members < l->shares ? *members : l->shares;
    *begin = member < *members ? l->border[begin_of(member, l->shares, *members)] : 0;
    *end = member < *members ? l->border[begin_of(member + 1, l->shares, *members)] : 0;
}

typedef struct each {
    const list *list;
    void (*run)(void *context, int k);
    void *context;
} each;

static void run_share(void *context, int member, int members) {
    const each *of = context;
    int begin, end;
    imp_list_share(of->list, member, &members, &begin, &end);
    for (int j = begin * of->list->per_layer; j < end * of->list->per_layer; j++)
        of->run(of->context, of->list->along[j]);
}

void imp_list_each(const list *l, int threads, void (*run)(void *context, int k), void *context) {
    each of = {l, run, context};
    if (l->shares > 0)
        imp_team(threads, run_share, &of);
    else
        imp_parallel(threads, 0, l->bricks, run, context);
}

void imp_list_free(list *l) {
    for (int k = 0; k < l->room; k++) {
        candidates *c = &l->brick[k];
        free(c->pair);
        free(c->live);
        free(c->row);
        free(c->colour);
        free(c->impulse);
    }
    free(l->brick);
    free(l->along);
    free(l->border);
    free(l->taken);
    free(l->carry.item);
    free(l->carry.start);
    free(l->carry.row);
}
