/* ranks.c - a flow cut into the parts of its ranks, and put together again. */
#include "granular/ranks/ranks.h"
#include "granular/ranks/part.h"

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
            const double a = size[0] / x, b = size[1] / y, c = size[2] / z,
                         surface = a * b + b * c + c * a;
            if (!(surface < least)) continue;
            least = surface;
            grid[0] = x;
            grid[1] = y;
            grid[2] = z;
        }
    return least < INFINITY;
}

void imp_granular_bricks(const imp_granular *flow, int bricks[3]) {
    memcpy(bricks, flow->cells.bricks, 3 * sizeof *bricks);
}

/* What all ranks have alike, but for the particles. */
static void copy_state(imp_granular *to, const imp_granular *from) {
    to->now = from->now;
    to->home = from->home;
    to->walls = from->walls;
}

static void copy_particle(imp_granular *to, int i, const imp_granular *from, int k) {
    const particle one = imp_bodies_get(&from->bodies, k);
    imp_bodies_put(&to->bodies, i, &one);
    to->bodies.reference[i] = from->bodies.reference[k];
}

/* No list yet: an even share, wherever the particles are. */
static bool take_share(imp_granular *g, const imp_granular *whole, const imp_transport *t) {
    const int begin = begin_of(t->rank, whole->bodies.count, t->ranks),
              end = begin_of(t->rank + 1, whole->bodies.count, t->ranks);
    if (!imp_bodies_reserve(&g->bodies, end - begin, whole->bodies.top)) return false;
    for (int i = begin; i < end; i++)
        copy_particle(g, i - begin, whole, i);
    g->bodies.count = end - begin;
    return true;
}

/* The particles of the held cells, in their order; returns how many there are. They are only
 * counted where g has no room. */
static int copy_held(imp_granular *g, const imp_granular *whole) {
    const int *w = g->cells.window, *held = g->cells.held;
    int n = 0;
    for (int x = w[0]; x < w[0] + held[0]; x++)
        for (int y = w[1]; y < w[1] + held[1]; y++) {
            const int *start = whole->cells.start + cell_number(&whole->cells, x, y, w[2]);
            for (int k = start[0]; k < start[held[2]]; k++, n++)
                if (g->bodies.room > 0) copy_particle(g, n, whole, k);
        }
    return n;
}

/* The number of a brick, x slowest. */
static int brick_number(const imp_granular *g, const candidates *c) {
    const int *bricks = g->cells.bricks;
    int at[3];
    imp_cells_brick(&g->cells, c->low, at);
    return (at[0] * bricks[1] + at[1]) * bricks[2] + at[2];
}

/* Where each brick is in the list. NULL: no memory. */
static int *bricks_by_number(const imp_granular *g) {
    const int *bricks = g->cells.bricks;
    int *index = calloc((size_t)(bricks[0] * bricks[1] * bricks[2]) + 1, sizeof *index);
    for (int k = 0; index && k < g->list.bricks; k++)
        index[brick_number(g, &g->list.brick[k])] = k;
    return index;
}

/* The live marks and the impulses of a brick as bytes; false: no memory. */
static bool pack_kept(pile *to, const candidates *c) {
    bool good = imp_pile_add(to, c->live, (size_t)c->pairs);
    for (int i = 0, n = imp_candidates_live(c); good && i < n; i++) {
        double p[3];
        impulse_get(c, i, p);
        good = imp_pile_add(to, p, sizeof p);
    }
    return good;
}

/* Returns how many bytes there were; 0: no memory. */
static size_t unpack_kept(candidates *c, const unsigned char *from) {
    double p[3];
    if (c->pairs > 0) memcpy(c->live, from, (size_t)c->pairs);
    const int n = imp_candidates_live(c);
    if (!imp_candidates_reserve(c, n)) return 0;
    for (int i = 0; i < n; i++) {
        memcpy(p, from + c->pairs + (size_t)i * sizeof p, sizeof p);
        impulse_put(c, i, p);
    }
    return (size_t)c->pairs + (size_t)n * sizeof p;
}

/* The impulses of this part's bricks, which have the candidates of the whole flow's. */
static bool take_impulses(imp_granular *g, const imp_granular *whole) {
    int *index = bricks_by_number(whole);
    bool good = index != NULL;
    pile kept = {0};
    for (int k = 0; good && k < g->list.bricks; k++) {
        candidates *c = &g->list.brick[k];
        const candidates *from = &whole->list.brick[index[brick_number(g, c)]];
        kept.used = 0;
        good = c->pairs == from->pairs && pack_kept(&kept, from);
        if (good && c->pairs > 0) good = unpack_kept(c, kept.bytes) > 0;
    }
    free(kept.bytes);
    free(index);
    return good;
}

/* The list as it was made, with its impulses. */
static bool take_listed(imp_granular *g, const imp_granular *whole, const part *p) {
    memcpy(g->cells.n, whole->cells.n, sizeof g->cells.n);
    memcpy(g->cells.bricks, whole->cells.bricks, sizeof g->cells.bricks);
    g->cells.lightest = whole->cells.lightest;
    imp_part_window(p, &g->cells);
    const int n = copy_held(g, whole);
    if (!imp_bodies_reserve(&g->bodies, n, whole->bodies.top)) return false;
    g->bodies.count = copy_held(g, whole);
    return imp_granular_relist(g, &whole->now) && take_impulses(g, whole);
}

static void reduce(void *self, int maxima, double *most, int sums, int64_t *sum) {
    const imp_transport *to = &((part *)self)->to;
    if (to->reduce) to->reduce(to->context, maxima, most, sums, sum);
}

static void free_letters(letters *l) {
    for (int k = 0; k < l->room; k++)
        free(l->letter[k].index);
    free(l->letter);
}

static void free_part(void *self) {
    part *p = self;
    for (int k = 0; k < EXCHANGES; k++) {
        free_letters(&p->exchange[k].send);
        free_letters(&p->exchange[k].receive);
    }
    free(p->out);
    free(p->in);
    free(p->message);
    free(p->arrived.bytes);
    free(p);
}

static part *new_part(const imp_transport *transport, const int grid[3]) {
    part *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->halo = (halo){p,
                     reduce,
                     imp_part_claim,
                     imp_part_migrate,
                     imp_part_carry,
                     imp_part_plan,
                     imp_part_swap,
                     imp_part_add_up,
                     imp_part_spread,
                     free_part};
    p->to = *transport;
    memcpy(p->grid, grid, sizeof p->grid);
    p->at[0] = transport->rank / (grid[1] * grid[2]);
    p->at[1] = transport->rank / grid[2] % grid[1];
    p->at[2] = transport->rank % grid[2];
    return p;
}

imp_granular *imp_granular_part(const imp_granular *whole, const imp_transport *transport,
                                const int grid[3], imp_status *status) {
    *status = IMP_BAD_ARGUMENT;
    for (int c = 0; c < 3; c++)
        if (grid[c] < 1 || grid[c] > transport->ranks) return NULL;
    if ((long long)grid[0] * grid[1] * grid[2] != transport->ranks) return NULL;
    imp_granular *g =
        imp_granular_new(&whole->set, whole->walls.n, whole->walls.at, &whole->inflow, status);
    if (!g) return NULL;
    part *p = new_part(transport, grid);
    bool good = p != NULL;
    if (good) {
        g->halo = &p->halo;
        good = whole->now.listed ? take_listed(g, whole, p) : take_share(g, whole, transport);
        copy_state(g, whole);
    }
    if (good) return g;
    imp_granular_free(g);
    *status = IMP_NO_MEMORY;
    return NULL;
}

/* Everything to rank 0; what arrives there, its own first. */
static bool to_first(const imp_transport *t, const pile *mine, pile *all) {
    const imp_message one = {0, mine->used, mine->bytes};
    if (t->rank > 0) return t->deliver(t->context, 1, &one, all, imp_pile_take);
    return t->deliver(t->context, 0, NULL, all, imp_pile_take) &&
           imp_pile_add(all, mine->bytes, mine->used);
}

/* A brick's list on its way to rank 0; what is kept of it follows. */
typedef struct bundle {
    int brick, pairs;
} bundle;

/* Particles with their references; what the list has kept. */
static bool pack(const imp_granular *g, pile *members, pile *bundles) {
    const bodies *b = &g->bodies;
    bool good = true;
    for (int i = 0; good && i < b->count; i++) {
        const particle one = imp_bodies_get(b, i);
        if (b->own[i])
            good = imp_pile_add(members, &one, imp_particle_size(b)) &&
                   imp_pile_add(members, &b->reference[i], sizeof *b->reference);
    }
    for (int k = 0; good && g->now.listed && k < g->list.bricks; k++) {
        const candidates *c = &g->list.brick[k];
        const bundle head = {brick_number(g, c), c->pairs};
        if (c->pairs > 0) good = imp_pile_add(bundles, &head, sizeof head) && pack_kept(bundles, c);
    }
    return good;
}

static bool unpack_members(imp_granular *whole, const imp_granular *from, const pile *members) {
    const size_t size = imp_particle_size(&from->bodies), stride = size + sizeof(place),
                 n = members->used / stride;
    if (n > INT_MAX / 4 || !imp_bodies_reserve(&whole->bodies, (int)n, from->bodies.top))
        return false;
    for (size_t i = 0; i < n; i++) {
        particle one = {.id = -1};
        memcpy(&one, members->bytes + i * stride, size);
        imp_bodies_put(&whole->bodies, (int)i, &one);
        memcpy(&whole->bodies.reference[i], members->bytes + i * stride + size, sizeof(place));
    }
    whole->bodies.count = (int)n;
    return !from->now.listed || imp_granular_relist(whole, &from->now);
}

static bool unpack_bundles(imp_granular *whole, const pile *bundles) {
    int *index = bricks_by_number(whole);
    bool good = index != NULL;
    for (size_t at = 0; good && at < bundles->used;) {
        bundle head;
        memcpy(&head, bundles->bytes + at, sizeof head);
        candidates *c = &whole->list.brick[index[head.brick]];
        const size_t used =
            c->pairs == head.pairs ? unpack_kept(c, bundles->bytes + at + sizeof head) : 0;
        good = used > 0;
        at += sizeof head + used;
    }
    free(index);
    return good;
}

imp_status imp_granular_gather(const imp_granular *g, imp_granular *whole) {
    part *p = g->halo->self;
    const imp_transport *t = &p->to;
    pile members = {0}, bundles = {0}, all_members = {0}, all_bundles = {0};
    bool good = pack(g, &members, &bundles);
    good = to_first(t, &members, &all_members) && good;
    good = to_first(t, &bundles, &all_bundles) && good;
    if (good && whole) {
        good = unpack_members(whole, g, &all_members) &&
               (!g->now.listed || unpack_bundles(whole, &all_bundles));
        copy_state(whole, g);
    }
    free(members.bytes);
    free(bundles.bytes);
    free(all_members.bytes);
    free(all_bundles.bytes);
    double failed = !good;
    reduce(p, 1, &failed, 0, NULL);
    return failed == 0 ? IMP_OK : IMP_NO_MEMORY;
}

/* Is that rank sent to in an exchange before this one, of those from `begin` on? */
static bool is_known(const part *p, int rank, int begin, int before) {
    for (int e = begin; e < before; e++)
        for (int j = 0; j < p->exchange[e].send.n; j++)
            if (p->exchange[e].send.letter[j].rank == rank) return true;
    return false;
}

imp_granular_traffic imp_granular_traffic_of(const imp_granular *g) {
    const part *p = g->halo ? g->halo->self : NULL;
    imp_granular_traffic t = {0};
    if (!p) return t;
    t.ranks = p->to.ranks;
    t.own = imp_bodies_own(&g->bodies);
    t.copies = g->bodies.count - t.own;
    t.bricks = g->list.bricks;
    t.lists = p->lists;
    t.moved = p->moved;
    t.moved_bytes = p->moved_bytes;
    const int begin = g->set.blend > 0 ? TO_OWNER : 0,
              end = g->set.blend > 0 ? EXCHANGES : PARITIES;
    for (int k = begin; k < end; k++) {
        const letters *l = &p->exchange[k].send;
        t.messages += l->n;
        t.bodies += l->bodies;
        if (l->n > t.most_messages) t.most_messages = l->n;
        for (int i = 0; i < l->n; i++)
            t.neighbours += !is_known(p, l->letter[i].rank, begin, k);
    }
    t.bytes = (size_t)t.bodies * sizeof *p->out;
    return t;
}
