/* ranks_move.c - before a new list: particles and impulses go to the ranks that hold them next.
 *
 * Everybody knows the cells of the new list, so the owner sends a particle at once to all who will hold it, as a copy
 * or for good; and who swept a pair sends its impulse to who will sweep it. The receiver sorts particles by cell and
 * id: the order in which they come does not matter. */
#include "granular/ranks/ranks_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A particle on its way. */
typedef struct traveller {
    body body;
    place place;
    int64_t id;
    top top; /* sent where there are off-centre ones */
} traveller;

static size_t size_of_traveller(const imp_granular *g) {
    return g->top ? sizeof(traveller) : offsetof(traveller, top);
}

/* The impulse of a candidate on its way: on b, by ids; a = -1 - shape for a shape. */
typedef struct parcel {
    int64_t a, b;
    double p[3];
} parcel;

bool imp_granular_pile(pile *p, const void *data, size_t n) {
    if (n == 0) return true;
    if (n > p->room - p->used) {
        const size_t wanted = 2 * (p->used + n);
        unsigned char *more = realloc(p->bytes, wanted);
        if (!more) return false;
        p->bytes = more;
        p->room = wanted;
    }
    memcpy(p->bytes + p->used, data, n);
    p->used += n;
    return true;
}

static bool take(void *into, const void *data, size_t size) {
    return imp_granular_pile(into, data, size);
}

/* Piles for some of the ranks. */
typedef struct piles {
    int n, room;
    int *rank;
    pile *pile;
} piles;

static pile *pile_for(piles *all, int rank) {
    for (int k = all->n - 1; k >= 0; k--)
        if (all->rank[k] == rank) return &all->pile[k];
    int room = all->room;
    if (!imp_granular_grow(&all->rank, &room, all->n + 1, sizeof *all->rank) ||
        !imp_granular_grow(&all->pile, &all->room, all->n + 1, sizeof *all->pile))
        return NULL;
    all->rank[all->n] = rank;
    all->pile[all->n] = (pile){0};
    return &all->pile[all->n++];
}

static bool put(piles *all, int rank, const void *data, size_t n) {
    pile *to = pile_for(all, rank);
    return to && imp_granular_pile(to, data, n);
}

/* Sends the piles, empties them, and piles up what comes. */
static bool send(imp_granular *g, piles *all, pile *arrived) {
    spread *s = g->spread;
    int n = 0;
    bool good = imp_granular_grow(&s->message, &s->message_room, all->n, sizeof *s->message);
    arrived->used = 0;
    for (int k = 0; good && k < all->n; k++) {
        const pile *one = &all->pile[k];
        if (all->rank[k] == s->to.rank) {
            good = imp_granular_pile(arrived, one->bytes, one->used);
            continue;
        }
        s->message[n++] = (imp_message){all->rank[k], one->used, one->bytes};
        s->moved_bytes += (long long)one->used;
    }
    good = good && s->to.deliver(s->to.context, n, s->message, arrived, take);
    for (int k = 0; k < all->n; k++)
        free(all->pile[k].bytes);
    free(all->pile);
    free(all->rank);
    *all = (piles){0};
    return good;
}

static bool send_off_particles(imp_granular *g, piles *all) {
    for (int i = 0; i < g->count; i++) {
        int cell[3], rank[PARITIES];
        if (!g->own[i]) continue;
        const int leaves = imp_granular_leaves(g, g->place[i].x);
        g->deleted += leaves == 1;
        g->lost += leaves == 2;
        if (leaves) continue;
        traveller one = {g->body[i], g->place[i], g->id[i], (top){.offset = 0}};
        if (g->top) one.top = g->top[i];
        imp_granular_cell(g, one.place.x, cell);
        const int holders = imp_granular_holders(g, cell, rank);
        for (int k = 0; k < holders; k++) {
            if (!put(all, rank[k], &one, size_of_traveller(g))) return false;
            g->spread->moved += rank[k] != g->spread->to.rank;
        }
    }
    return true;
}

/* The rank whose brick has the pair next; -1: a particle leaves. */
static int next_rank(const imp_granular *g, pair r) {
    int cell[3], other[3], brick[3];
    if (imp_granular_leaves(g, g->place[r.b].x)) return -1;
    imp_granular_cell(g, g->place[r.b].x, cell);
    if (r.a >= 0) {
        if (imp_granular_leaves(g, g->place[r.a].x)) return -1;
        imp_granular_cell(g, g->place[r.a].x, other);
        for (int c = 0; c < 3; c++)
            cell[c] = other[c] < cell[c] ? other[c] : cell[c];
    }
    imp_granular_brick(g, cell, brick);
    return imp_granular_rank_of(g, brick);
}

static bool send_off_impulses(imp_granular *g, piles *all) {
    for (int k = 0; k < g->slabs; k++) {
        const slab *s = &g->slab[k];
        for (int i = 0, contact = -1; i < s->pairs; i++) {
            contact += s->live[i];
            if (!s->live[i]) continue;
            const pair r = s->pair[i];
            const int rank = next_rank(g, r);
            parcel one = {r.a < 0 ? r.a : g->id[r.a], g->id[r.b], {0}};
            imp_granular_impulse(s, contact, one.p);
            if (rank < 0) continue;
            if (!put(all, rank, &one, sizeof one)) return false;
            g->spread->moved += rank != g->spread->to.rank;
        }
    }
    return true;
}

bool imp_granular_migrate(imp_granular *g) {
    piles particles = {0}, impulses = {0};
    pile arrived = {0};
    bool good = send_off_particles(g, &particles) && send_off_impulses(g, &impulses);
    good = send(g, &particles, &arrived) && good;
    good = send(g, &impulses, &g->spread->arrived) && good;
    const size_t size = size_of_traveller(g), n = arrived.used / size;
    good = good && n <= INT_MAX / 4 && imp_granular_reserve(g, (int)n);
    for (size_t i = 0; good && i < n; i++) {
        traveller one;
        memcpy(&one, arrived.bytes + i * size, size);
        g->body[i] = one.body;
        g->place[i] = one.place;
        g->id[i] = one.id;
        if (g->top) g->top[i] = one.top;
    }
    free(arrived.bytes);
    if (good) g->count = (int)n;
    g->spread->lists++;
    imp_granular_window(g);
    return good;
}

/* Numbers by id: open addressing, at most half full. */
typedef struct directory {
    const imp_granular *g;
    size_t mask;
    int *number; /* -1: empty */
} directory;

static size_t place_in(const directory *d, int64_t id) {
    size_t at = (uint64_t)id * 0x9e3779b97f4a7c15u >> 20 & d->mask;
    while (d->number[at] >= 0 && d->g->id[d->number[at]] != id)
        at = (at + 1) & d->mask;
    return at;
}

static bool make_directory(directory *d, const imp_granular *g) {
    size_t size = 16;
    while (size < 2 * (size_t)g->count)
        size *= 2;
    *d = (directory){g, size - 1, malloc(size * sizeof *d->number)};
    if (!d->number) return false;
    memset(d->number, 0xff, size * sizeof *d->number);
    for (int i = 0; i < g->count; i++)
        d->number[place_in(d, g->id[i])] = i;
    return true;
}

/* A parcel under the new numbers, its impulse on the larger one; false: a particle is not here. */
static bool renumber(const directory *d, parcel *one, pair *new) {
    const int b = d->number[place_in(d, one->b)], a = one->a < 0 ? (int)one->a : d->number[place_in(d, one->a)];
    if (b < 0 || (one->a >= 0 && a < 0)) return false;
    *new = a < 0 || b < a ? (pair){b, a} : (pair){a, b};
    for (int x = 0; a > b && x < 3; x++)
        one->p[x] = -one->p[x];
    return true;
}

bool imp_granular_carry_ranks(imp_granular *g) {
    carry *c = &g->carry;
    const pile *from = &g->spread->arrived;
    const int n = (int)(from->used / sizeof(parcel));
    int other_room = c->room;
    directory d;
    if (!imp_granular_grow(&c->start, &c->particles_room, g->count + 1, sizeof *c->start) ||
        !imp_granular_grow(&c->other, &other_room, n, sizeof *c->other) ||
        !imp_granular_grow(&c->p, &c->room, n, sizeof *c->p) || !make_directory(&d, g))
        return false;
    memset(c->start, 0, (size_t)(g->count + 1) * sizeof *c->start);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            parcel one;
            pair new;
            memcpy(&one, from->bytes + (size_t)i * sizeof one, sizeof one);
            if (!renumber(&d, &one, &new)) continue;
            if (pass == 0) {
                c->start[new.a + 1]++;
                continue;
            }
            const int at = c->start[new.a]++;
            c->other[at] = new.b;
            memcpy(c->p[at], one.p, sizeof one.p);
        }
        for (int i = 0; pass == 0 && i < g->count; i++)
            c->start[i + 1] += c->start[i];
    }
    memmove(c->start + 1, c->start, (size_t)g->count * sizeof *c->start);
    c->start[0] = 0;
    free(d.number);
    return true;
}

void imp_granular_keep_own(imp_granular *g, int from) {
    int kept = from;
    for (int i = from; i < g->count; i++) {
        int cell[3], brick[3];
        imp_granular_cell(g, g->place[i].x, cell);
        imp_granular_brick(g, cell, brick);
        if (imp_granular_rank_of(g, brick) != g->spread->to.rank) continue;
        g->body[kept] = g->body[i];
        g->place[kept] = g->place[i];
        g->reference[kept] = g->reference[i];
        g->own[kept] = 1;
        if (g->top) g->top[kept] = g->top[i];
        g->id[kept++] = g->id[i];
    }
    g->count = kept;
}
