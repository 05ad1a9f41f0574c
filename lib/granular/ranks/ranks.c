/* ranks.c - a flow cut into the parts of its ranks, and put together again. */
#include "granular/ranks/ranks.h"
#include "granular/ranks/ranks_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool imp_granular_grid(const imp_granular_settings *set, int ranks, int grid[3]) {
    int most[3];
    double size[3], least = INFINITY;
    for (int c = 0; c < 3; c++) {
        most[c] = set->bricks[c] > 0 ? set->bricks[c] : c == 0 ? ranks : 1;
        size[c] = set->high[c] - set->low[c];
    }
    for (int x = 1; x <= ranks; x++)
        for (int y = 1; ranks % x == 0 && y <= ranks / x; y++) {
            const int z = ranks / x / y;
            if (x * y * z != ranks || x > most[0] || y > most[1] || z > most[2]) continue;
            const double a = size[0] / x, b = size[1] / y, c = size[2] / z, surface = a * b + b * c + c * a;
            if (!(surface < least)) continue;
            least = surface;
            grid[0] = x;
            grid[1] = y;
            grid[2] = z;
        }
    return least < INFINITY;
}

/* What all ranks have alike, but for the particles. */
static void copy_state(imp_granular *to, const imp_granular *from) {
    to->now = from->now;
    to->shape_home = from->shape_home;
    memcpy(to->shape, from->shape, sizeof to->shape);
}

static void copy_particle(imp_granular *to, int i, const imp_granular *from, int k) {
    to->body[i] = from->body[k];
    to->place[i] = from->place[k];
    to->reference[i] = from->reference[k];
    to->id[i] = from->id[k];
    to->own[i] = 1;
    if (to->top) to->top[i] = from->top[k];
}

static bool reserve_like(imp_granular *g, const imp_granular *other, int n) {
    return imp_granular_reserve(g, n) && (!other->top || imp_granular_reserve_tops(g, n));
}

/* No list yet: an even share, wherever the particles are. */
static bool take_share(imp_granular *g, const imp_granular *whole) {
    const imp_transport *t = &g->spread->to;
    const int begin = (int)((long long)whole->count * t->rank / t->ranks),
              end = (int)((long long)whole->count * (t->rank + 1) / t->ranks);
    if (!reserve_like(g, whole, end - begin)) return false;
    for (int i = begin; i < end; i++)
        copy_particle(g, i - begin, whole, i);
    g->count = end - begin;
    return true;
}

/* Calls for each held cell with its particles in the whole flow; returns how many there are. */
static int for_cells(imp_granular *g, const imp_granular *whole,
                     void (*use)(imp_granular *g, int i, const imp_granular *whole, int k)) {
    const int *w = g->window;
    int n = 0;
    for (int x = w[0]; x < w[0] + g->held[0]; x++)
        for (int y = w[1]; y < w[1] + g->held[1]; y++) {
            if (g->held[2] == 0) continue;
            const int column = cell_number(whole, x, y, w[2]);
            for (int k = whole->cell_start[column]; k < whole->cell_start[column + g->held[2]]; k++, n++)
                if (use) use(g, n, whole, k);
        }
    return n;
}

static void copy_listed(imp_granular *g, int i, const imp_granular *whole, int k) {
    copy_particle(g, i, whole, k);
    g->place[i] = whole->reference[k];
}

static void put_back(imp_granular *g, int i, const imp_granular *whole, int k) {
    g->place[i] = whole->place[k];
}

/* The number of the slab of each brick, x slowest. NULL: no memory. */
static int *slabs_by_brick(const imp_granular *g) {
    int *slabs = calloc((size_t)(g->bricks[0] * g->bricks[1] * g->bricks[2]) + 1, sizeof *slabs), at[3];
    for (int k = 0; slabs && k < g->slabs; k++) {
        imp_granular_brick(g, g->slab[k].low, at);
        slabs[(at[0] * g->bricks[1] + at[1]) * g->bricks[2] + at[2]] = k;
    }
    return slabs;
}

/* The list as it was made, with its impulses: the bricks of the part have the candidates of the whole flow's. */
static bool take_listed(imp_granular *g, const imp_granular *whole) {
    int *slabs = slabs_by_brick(whole), at[3];
    memcpy(g->cells, whole->cells, sizeof g->cells);
    memcpy(g->bricks, whole->bricks, sizeof g->bricks);
    imp_granular_window(g);
    const int n = for_cells(g, whole, NULL);
    bool good = slabs && reserve_like(g, whole, n);
    if (good) {
        for_cells(g, whole, copy_listed);
        memcpy(g->shape, whole->shape, sizeof g->shape);
        for (int i = 0; i < g->shapes; i++)
            memcpy(g->shape[i].point, whole->now.shape_listed[i], sizeof g->shape[i].point);
        g->count = n;
        good = imp_granular_sort(g) && imp_granular_carry(g, 0) && imp_granular_pair_up(g) && g->count == n;
        memcpy(g->shape, whole->shape, sizeof g->shape);
    }
    for (int k = 0; good && k < g->slabs; k++) {
        slab *s = &g->slab[k];
        imp_granular_brick(g, s->low, at);
        const slab *from = &whole->slab[slabs[(at[0] * g->bricks[1] + at[1]) * g->bricks[2] + at[2]]];
        good = s->pairs == from->pairs;
        if (!good || s->pairs == 0) continue;
        memcpy(s->live, from->live, (size_t)s->pairs);
        const int contacts = imp_granular_lived(s);
        good = imp_granular_reserve_impulses(s, contacts);
        for (int i = 0; good && i < contacts; i++) {
            double p[3];
            imp_granular_impulse(from, i, p);
            imp_granular_put_impulse(s, i, p);
        }
    }
    if (good) for_cells(g, whole, put_back);
    free(slabs);
    return good;
}

imp_granular *imp_granular_part(const imp_granular *whole, const imp_transport *transport, const int grid[3],
                                imp_status *status) {
    const imp_inflow *inflow = whole->inflow.plane >= 0 ? &whole->inflow : NULL;
    *status = IMP_BAD_ARGUMENT;
    for (int c = 0; c < 3; c++)
        if (grid[c] < 1 || grid[c] > transport->ranks) return NULL;
    if ((long long)grid[0] * grid[1] * grid[2] != transport->ranks) return NULL;
    imp_granular *g = imp_granular_new(&whole->set, whole->shapes, whole->shape, inflow, status);
    if (!g) return NULL;
    g->inflow = whole->inflow;
    g->spread = calloc(1, sizeof *g->spread);
    bool good = g->spread != NULL;
    if (good) {
        spread *s = g->spread;
        s->to = *transport;
        memcpy(s->grid, grid, sizeof s->grid);
        s->at[0] = transport->rank / (grid[1] * grid[2]);
        s->at[1] = transport->rank / grid[2] % grid[1];
        s->at[2] = transport->rank % grid[2];
        copy_state(g, whole);
        good = whole->now.listed ? take_listed(g, whole) : take_share(g, whole);
    }
    if (good) return g;
    imp_granular_free(g);
    *status = IMP_NO_MEMORY;
    return NULL;
}

/* A particle, and a brick's list, on their way to rank 0. */
typedef struct member {
    body body;
    place place, reference;
    int64_t id;
    top top; /* sent where there are off-centre ones */
} member;

static size_t size_of_member(const imp_granular *g) {
    return g->top ? sizeof(member) : offsetof(member, top);
}

typedef struct bundle {
    int brick, pairs;
} bundle;

static bool take(void *into, const void *data, size_t size) {
    return imp_granular_pile(into, data, size);
}

/* Everything to rank 0; what arrives there, its own first. */
static bool to_first(const imp_granular *g, const pile *mine, pile *all) {
    const imp_transport *t = &g->spread->to;
    const imp_message one = {0, mine->used, mine->bytes};
    if (t->rank > 0) return t->deliver(t->context, 1, &one, all, take);
    return t->deliver(t->context, 0, NULL, all, take) &&
           (mine->used == 0 || imp_granular_pile(all, mine->bytes, mine->used));
}

static bool pack(const imp_granular *g, pile *members, pile *bundles) {
    bool good = true;
    for (int i = 0; good && i < g->count; i++) {
        member one = {g->body[i], g->place[i], g->reference[i], g->id[i], (top){.offset = 0}};
        if (g->top) one.top = g->top[i];
        if (g->own[i]) good = imp_granular_pile(members, &one, size_of_member(g));
    }
    for (int k = 0; good && g->now.listed && k < g->slabs; k++) {
        const slab *s = &g->slab[k];
        int at[3];
        imp_granular_brick(g, s->low, at);
        const bundle head = {(at[0] * g->bricks[1] + at[1]) * g->bricks[2] + at[2], s->pairs};
        if (s->pairs > 0)
            good =
                imp_granular_pile(bundles, &head, sizeof head) && imp_granular_pile(bundles, s->live, (size_t)s->pairs);
        for (int i = 0, n = imp_granular_lived(s); good && i < n; i++) {
            double p[3];
            imp_granular_impulse(s, i, p);
            good = imp_granular_pile(bundles, p, sizeof p);
        }
    }
    return good;
}

/* The members as they stood when the list was made, listed anew, then put where they are. */
static bool unpack_members(imp_granular *whole, const imp_granular *part, const pile *members) {
    const size_t size = size_of_member(part), n = members->used / size;
    place *now = malloc((n + 1) * sizeof *now);
    bool good = now && n <= INT_MAX / 4 && reserve_like(whole, part, (int)n);
    for (size_t i = 0; good && i < n; i++) {
        member one;
        memcpy(&one, members->bytes + i * size, size);
        if (whole->top) whole->top[i] = one.top;
        whole->body[i] = one.body;
        whole->place[i] = whole->reference[i] = part->now.listed ? one.reference : one.place;
        whole->id[i] = one.id;
        now[i] = one.place;
    }
    if (good) {
        whole->count = (int)n;
        whole->slabs = 0; /* nothing to carry over */
        whole->now.skin = part->now.skin;
        for (int i = 0; i < part->shapes; i++)
            memcpy(whole->shape[i].point, part->now.shape_listed[i], sizeof whole->shape[i].point);
        good = !part->now.listed || (imp_granular_relist(whole) && whole->count == (int)n);
        for (size_t i = 0; good && part->now.listed && i < n; i++)
            whole->place[whole->target[i]] = now[i];
    }
    free(now);
    return good;
}

static bool unpack_bundles(imp_granular *whole, const pile *bundles) {
    int *slabs = slabs_by_brick(whole);
    bool good = slabs != NULL;
    for (size_t at = 0; good && at < bundles->used;) {
        bundle head;
        memcpy(&head, bundles->bytes + at, sizeof head);
        slab *s = &whole->slab[slabs[head.brick]];
        const unsigned char *live = bundles->bytes + at + sizeof head;
        good = s->pairs == head.pairs;
        if (!good) break;
        memcpy(s->live, live, (size_t)s->pairs);
        const int contacts = imp_granular_lived(s);
        double p[3];
        good = imp_granular_reserve_impulses(s, contacts);
        for (int i = 0; good && i < contacts; i++) {
            memcpy(p, live + s->pairs + (size_t)i * sizeof p, sizeof p);
            imp_granular_put_impulse(s, i, p);
        }
        at += sizeof head + (size_t)s->pairs + (size_t)contacts * sizeof p;
    }
    free(slabs);
    return good;
}

imp_status imp_granular_gather(const imp_granular *part, imp_granular *whole) {
    pile members = {0}, bundles = {0}, all_members = {0}, all_bundles = {0};
    bool good = pack(part, &members, &bundles);
    good = to_first(part, &members, &all_members) && good;
    good = to_first(part, &bundles, &all_bundles) && good;
    if (good && whole) {
        good = unpack_members(whole, part, &all_members) && (!part->now.listed || unpack_bundles(whole, &all_bundles));
        copy_state(whole, part);
    }
    free(members.bytes);
    free(bundles.bytes);
    free(all_members.bytes);
    free(all_bundles.bytes);
    return good ? IMP_OK : IMP_NO_MEMORY;
}

imp_granular_traffic imp_granular_traffic_of(const imp_granular *part) {
    const spread *s = part->spread;
    imp_granular_traffic t = {0};
    if (!s) return t;
    t.ranks = s->to.ranks;
    t.own = imp_granular_own_count(part);
    t.copies = part->count - t.own;
    t.bricks = part->slabs;
    t.lists = s->lists;
    t.moved = s->moved;
    t.moved_bytes = s->moved_bytes;
    const int begin = part->set.blend > 0 ? TO_OWNER : 0, end = part->set.blend > 0 ? EXCHANGES : PARITIES;
    for (int k = begin; k < end; k++) {
        const letters *l = &s->exchange[k].send;
        t.messages += l->n;
        t.bodies += l->bodies;
        if (l->n > t.most_messages) t.most_messages = l->n;
        for (int i = 0; i < l->n; i++) { /* counted where it occurs first */
            bool new = true;
            for (int e = begin; new &&e < k; e++)
                for (int j = 0; new &&j < s->exchange[e].send.n; j++)
                    new = s->exchange[e].send.letter[j].rank != l->letter[i].rank;
            t.neighbours += new;
        }
    }
    t.bytes = (size_t)t.bodies * sizeof *s->out;
    return t;
}
