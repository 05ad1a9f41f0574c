/* move.c - before a new list: particles and impulses go to the ranks that hold them next.
 *
 * Everybody knows the cells of the new list, so the owner sends a particle at once to all who will
 * hold it, as a copy or for good; and who swept a pair sends its impulse to who will sweep it. The
 * receiver sorts particles by cell and id: the order in which they come does not matter. */
#include "granular/ranks/part.h"
#include "granular/work.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The impulse of a candidate on its way: on b, by ids; a = -1 - shape for a shape. */
typedef struct parcel {
    int64_t a, b;
    double p[3];
} parcel;

/* Sends the piles, frees them, and piles up what comes. */
static bool send(part *p, piles *all, pile *arrived) {
    int n = 0;
    bool good = imp_grow(&p->message, &p->message_room, all->n, sizeof *p->message);
    arrived->used = 0;
    for (int k = 0; good && k < all->n; k++) {
        const pile *one = &all->pile[k];
        if (all->rank[k] == p->to.rank) {
            good = imp_pile_add(arrived, one->bytes, one->used);
            continue;
        }
        p->message[n++] = (imp_message){all->rank[k], one->used, one->bytes};
        p->moved_bytes += (long long)one->used;
    }
    good = good && p->to.deliver(p->to.context, n, p->message, arrived, imp_pile_take);
    imp_piles_free(all);
    return good;
}

static bool send_off_particles(part *p, imp_granular *g, piles *all) {
    for (int i = 0; i < g->bodies.count; i++) {
        int cell[3], rank[PARITIES];
        if (!g->bodies.own[i]) continue;
        const particle one = imp_bodies_get(&g->bodies, i);
        const int leaves = imp_cells_leaves(&g->set, one.place.x);
        g->gone[leaves]++;
        if (leaves != STAYS) continue;
        imp_cells_at(&g->cells, &g->set, one.place.x, cell);
        const int holders = imp_part_holders(p, &g->cells, cell, rank);
        for (int k = 0; k < holders; k++) {
            if (!imp_piles_add(all, rank[k], &one, imp_particle_size(&g->bodies))) return false;
            p->moved += rank[k] != p->to.rank;
        }
    }
    return true;
}

/* The rank whose brick has the pair next; -1: a particle leaves. */
static int next_rank(const part *p, const imp_granular *g, pair r) {
    const double *a = r.a < 0 ? NULL : g->bodies.place[r.a].x, *b = g->bodies.place[r.b].x;
    int cell[3], other[3], brick[3];
    if (imp_cells_leaves(&g->set, b) != STAYS || (a && imp_cells_leaves(&g->set, a) != STAYS))
        return -1;
    imp_cells_at(&g->cells, &g->set, b, cell);
    if (a) imp_cells_at(&g->cells, &g->set, a, other);
    for (int c = 0; a && c < 3; c++)
        cell[c] = other[c] < cell[c] ? other[c] : cell[c];
    imp_cells_brick(&g->cells, cell, brick);
    return imp_part_rank_of(p, &g->cells, brick);
}

static bool send_off_impulses(part *p, const imp_granular *g, piles *all) {
    const int64_t *id = g->bodies.id;
    for (int k = 0; k < g->list.bricks; k++) {
        const candidates *c = &g->list.brick[k];
        for (int i = 0, at = -1; i < c->pairs; i++) {
            at += c->live[i];
            if (!c->live[i]) continue;
            const pair r = c->pair[i];
            const int rank = next_rank(p, g, r);
            parcel one = {r.a < 0 ? r.a : id[r.a], id[r.b], {0}};
            impulse_get(c, at, one.p);
            if (rank < 0) continue;
            if (!imp_piles_add(all, rank, &one, sizeof one)) return false;
            p->moved += rank != p->to.rank;
        }
    }
    return true;
}

bool imp_part_migrate(void *self, imp_granular *g) {
    part *p = self;
    piles particles = {0}, impulses = {0};
    pile arrived = {0};
    bool good = send_off_particles(p, g, &particles) && send_off_impulses(p, g, &impulses);
    good = send(p, &particles, &arrived) && good;
    good = send(p, &impulses, &p->arrived) && good;
    const size_t size = imp_particle_size(&g->bodies), n = arrived.used / size;
    good = good && n <= INT_MAX / 4 && imp_bodies_reserve(&g->bodies, (int)n, false);
    for (size_t i = 0; good && i < n; i++) {
        particle one = {.id = -1};
        memcpy(&one, arrived.bytes + i * size, size);
        imp_bodies_put(&g->bodies, (int)i, &one);
    }
    free(arrived.bytes);
    if (good) g->bodies.count = (int)n;
    p->lists++;
    imp_part_window(p, &g->cells);
    return good;
}

/* Numbers by id: open addressing, at most half full. */
typedef struct directory {
    const bodies *of;
    size_t mask;
    int *number; /* -1: empty */
} directory;

static size_t place_in(const directory *d, int64_t id) {
    size_t at = (size_t)((uint64_t)id * 0x9e3779b97f4a7c15u >> 20) & d->mask;
    while (d->number[at] >= 0 && d->of->id[d->number[at]] != id)
        at = (at + 1) & d->mask;
    return at;
}

static bool make_directory(directory *d, const bodies *b) {
    size_t size = 16;
    while (size < 2 * (size_t)b->count)
        size *= 2;
    *d = (directory){b, size - 1, malloc(size * sizeof *d->number)};
    if (!d->number) return false;
    memset(d->number, 0xff, size * sizeof *d->number);
    for (int i = 0; i < b->count; i++)
        d->number[place_in(d, b->id[i])] = i;
    return true;
}

bool imp_part_carry(void *self, imp_granular *g) {
    const pile *from = &((part *)self)->arrived;
    directory d;
    bool good = make_directory(&d, &g->bodies);
    g->list.carry.n = 0;
    for (size_t at = 0; good && at < from->used; at += sizeof(parcel)) {
        parcel one;
        memcpy(&one, from->bytes + at, sizeof one);
        const int b = d.number[place_in(&d, one.b)],
                  a = one.a < 0 ? (int)one.a : d.number[place_in(&d, one.a)];
        if (b < 0 || (one.a >= 0 && a < 0)) continue; /* not here */
        good = imp_carry_add(&g->list.carry, a, b, one.p);
    }
    free(d.number);
    return good && imp_carry_rows(&g->list.carry, g->bodies.count);
}

void imp_part_claim(void *self, imp_granular *g, int from) {
    const part *p = self;
    for (int i = from; i < g->bodies.count; i++) {
        int cell[3], brick[3];
        imp_cells_at(&g->cells, &g->set, g->bodies.place[i].x, cell);
        imp_cells_brick(&g->cells, cell, brick);
        g->bodies.own[i] = imp_part_rank_of(p, &g->cells, brick) == p->to.rank;
    }
}
