/* checkpoint.c - the whole state of a flow in a stream, so that the run goes on bit for bit.
 *
 * The neighbour list is not written: it follows from the places at which it was made, in the order
 * of the particles. What follows from nothing are the impulses of the last step, one per live
 * candidate, in the list's order. Layout, in this machine's numbers: head, particles (body, place,
 * reference, id, and orientation where there are off-centre ones), live marks and impulses by
 * brick, and a checksum of everything before it. */
#include "granular/flow.h"
#include "granular/setup.h"
#include "granular/work.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 5, WORD = 0x01020304 };

static const char MAGIC[8] = "impflow";

typedef struct head {
    char magic[8];
    int32_t version, word; /* the word tells byte orders apart */
    uint64_t
        setup[IMP_SETUP_PARTS]; /* of the settings, shapes and inflow that the results depend on */
    int64_t count, bricks;
    int64_t offcentre; /* orientations stand behind the ids */
    double shape_point[IMP_SHAPES][3];
    state now;
} head;

/* A stream being written and the checksum of what went through it. */
typedef struct channel {
    FILE *file; /* NULL: the checksum alone is wanted */
    uint64_t hash;
} channel;

/* A failed write is noticed at the end, by ferror. */
static void put(channel *c, const void *data, size_t n) {
    /* an empty array may be NULL */
    if (n > 0 && c->file) (void)fwrite(data, 1, n, c->file);
    c->hash = imp_hash(c->hash, data, n);
}

static bool get(FILE *in, void *data, size_t n) {
    return n == 0 || fread(data, 1, n, in) == n;
}

static head head_of(const imp_granular *g) {
    head h = {.version = VERSION,
              .word = WORD,
              .count = g->bodies.count,
              .bricks = g->now.listed ? g->list.bricks : 0,
              .offcentre = g->bodies.top != NULL,
              .now = g->now};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    imp_setup(g, h.setup);
    for (int i = 0; i < g->walls.n; i++)
        memcpy(h.shape_point[i], g->walls.at[i].point, sizeof h.shape_point[i]);
    return h;
}

static void put_impulses(channel *c, const candidates *from) {
    const int64_t pairs = from->pairs;
    put(c, &pairs, sizeof pairs);
    put(c, from->live, (size_t)from->pairs);
    for (int i = 0, n = imp_candidates_live(from); i < n; i++) {
        double p[3];
        impulse_get(from, i, p);
        put(c, p, sizeof p);
    }
}

/* All but the checksum, which it returns. */
static uint64_t put_flow(FILE *out, const imp_granular *g) {
    channel c = {.file = out, .hash = IMP_HASH_SEED};
    const head h = head_of(g);
    const bodies *b = &g->bodies;
    const size_t n = (size_t)b->count;
    put(&c, &h, sizeof h);
    put(&c, b->body, n * sizeof *b->body);
    put(&c, b->place, n * sizeof *b->place);
    put(&c, b->reference, n * sizeof *b->reference);
    put(&c, b->id, n * sizeof *b->id);
    if (h.offcentre) put(&c, b->top, n * sizeof *b->top);
    for (int k = 0; k < (int)h.bricks; k++)
        put_impulses(&c, &g->list.brick[k]);
    return c.hash;
}

imp_status imp_granular_save(const imp_granular *g, FILE *out) {
    const uint64_t hash = put_flow(out, g);
    (void)fwrite(&hash, sizeof hash, 1, out);
    return ferror(out) ? IMP_IO : IMP_OK;
}

uint64_t imp_granular_sum(const imp_granular *g) {
    return put_flow(NULL, g);
}

static const char DAMAGED[] = "damaged, expected a whole checkpoint", NO_MEMORY[] = "no memory";

/* Does the stream end in the checksum of what stands before it? *size <- its bytes without the
 * checksum. Rewinds. */
static bool is_whole(FILE *in, int64_t *size) {
    unsigned char bytes[1 << 16], last[8];
    uint64_t hash = IMP_HASH_SEED, stored;
    const off_t start = ftello(in);
    *size = 0;
    size_t held = 0, n; /* the last 8 bytes are held back until more come */
    while ((n = fread(bytes + held, 1, sizeof bytes - held, in)) > 0) {
        n += held;
        held = n < sizeof last ? n : sizeof last;
        hash = imp_hash(hash, bytes, n - held);
        *size += (int64_t)(n - held);
        memmove(bytes, bytes + n - held, held);
    }
    memcpy(&stored, bytes, sizeof stored);
    return start >= 0 && !ferror(in) && held == sizeof last && stored == hash &&
           fseeko(in, start, SEEK_SET) == 0;
}

static bool are_bounded(const double *x, size_t n) {
    double sum = 0; /* NaN when one of them is not, or its square is not */
    for (size_t i = 0; i < n; i++)
        sum += 0 * (x[i] * x[i]);
    return sum == 0;
}

/* Every number of an array, or one number alone. */
#define all_bounded(x) are_bounded(x, sizeof(x) / sizeof(double))
#define is_bounded(x)  are_bounded(&(x), 1)

static bool shapes_are_sound(const imp_granular *g, const head *h) {
    const state *now = &h->now;
    bool good = true;
    for (int i = 0; i < g->walls.n; i++) {
        const imp_shape *own = &g->walls.at[i];
        const size_t size = sizeof own->point;
        const bool rests = own->velocity[0] == 0 && own->velocity[1] == 0 && own->velocity[2] == 0;
        good = good && all_bounded(h->shape_point[i]) && all_bounded(now->shape_listed[i]) &&
               (!rests || memcmp(h->shape_point[i], own->point, size) == 0) &&
               (!rests || !now->listed || memcmp(now->shape_listed[i], own->point, size) == 0);
    }
    return good;
}

/* A checksum says that a file is as it was written, not by whom: what steps take for granted is
 * looked at. */
static bool state_is_sound(const imp_granular *g, const head *h) {
    const state *now = &h->now;
    const motion *m = &now->motion;
    const double none_below[] = {now->skin,         m->moved,   m->moved_absolute,
                                 m->relative_speed, m->fastest, now->shape_moved};
    bool good = (h->offcentre == 0 || h->offcentre == 1) &&
                !(h->offcentre && g->set.single_precision) &&
                (now->listed == 0 || now->listed == 1) && (now->listed || h->bricks == 0) &&
                now->next_id >= h->count && now->next_id < INT64_MAX / 2 && now->steps >= 0 &&
                now->plane_steps >= 0 && now->plane_steps <= now->steps && now->rebuilds >= 0 &&
                now->time == (double)now->steps * g->set.step && is_bounded(now->time) &&
                all_bounded(m->drift) && all_bounded(m->drift_speed) && all_bounded(none_below) &&
                (!now->listed || now->skin >= g->set.skin);
    for (size_t i = 0; i < sizeof none_below / sizeof *none_below; i++)
        good = good && none_below[i] >= 0;
    return good && shapes_are_sound(g, h);
}

/* The axis is what the rotation makes of z, in rounding. */
static bool top_is_sound(const top *t, double radius) {
    const double *q = t->turn, square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    top right = *t;
    bool good = fabs(square - 1) <= 1e-9 && t->offset >= 0 && t->offset < radius;
    if (good) imp_top_axis(&right);
    for (int c = 0; c < 3; c++)
        good = good && fabs(t->axis[c] - right.axis[c]) <= 1e-9;
    return good;
}

static bool particle_is_sound(const bodies *all, int i, double friction, int64_t next_id) {
    const body *b = &all->body[i];
    const place *now = &all->place[i], *then = &all->reference[i];
    return all_bounded(b->v) && all_bounded(b->q) && b->inv_mass > 0 && is_bounded(b->inv_mass) &&
           b->friction == friction && all_bounded(now->x) && now->radius > 0 &&
           is_bounded(now->radius) && all_bounded(then->x) && then->radius == now->radius &&
           all->id[i] >= 0 && all->id[i] < next_id &&
           (!all->top || top_is_sound(&all->top[i], now->radius));
}

static int by_number(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* No id twice. */
static const char *check_ids(const bodies *b) {
    if (b->count == 0) return NULL;
    /* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): not 0 */
    int64_t *id = malloc((size_t)b->count * sizeof *id);
    if (!id) return NO_MEMORY;
    memcpy(id, b->id, (size_t)b->count * sizeof *id);
    qsort(id, (size_t)b->count, sizeof *id, by_number);
    bool good = true;
    for (int i = 1; i < b->count; i++)
        good = good && id[i - 1] != id[i];
    free(id);
    return good ? NULL : DAMAGED;
}

static const char *get_particles(imp_granular *g, FILE *in, const head *h) {
    const size_t n = (size_t)h->count;
    bodies *b = &g->bodies;
    imp_bodies_free(b);
    imp_bodies_free(&g->spare);
    if (!imp_bodies_reserve(b, (int)n, h->offcentre)) return NO_MEMORY;
    b->count = (int)n;
    const bool whole =
        get(in, b->body, n * sizeof *b->body) && get(in, b->place, n * sizeof *b->place) &&
        get(in, b->reference, n * sizeof *b->reference) && get(in, b->id, n * sizeof *b->id) &&
        (!h->offcentre || get(in, b->top, n * sizeof *b->top));
    if (!whole) return DAMAGED;
    for (int i = 0; i < b->count; i++) {
        b->own[i] = 1;
        if (!particle_is_sound(b, i, g->set.friction, h->now.next_id)) return DAMAGED;
    }
    return check_ids(b);
}

static const char *get_impulses(candidates *to, FILE *in) {
    int64_t pairs;
    if (!get(in, &pairs, sizeof pairs) || pairs != to->pairs ||
        !get(in, to->live, (size_t)to->pairs))
        return DAMAGED;
    for (int i = 0; i < to->pairs; i++)
        if (to->live[i] > 1) return DAMAGED;
    const int contacts = imp_candidates_live(to);
    if (!imp_candidates_reserve(to, contacts)) return NO_MEMORY;
    for (int i = 0; i < contacts; i++) {
        double p[3];
        if (!get(in, p, sizeof p) || !all_bounded(p)) return DAMAGED;
        impulse_put(to, i, p);
    }
    return NULL;
}

/* Has the list more candidates than the file has marks for? */
static bool is_crowded(const imp_granular *g) {
    bool crowded = false;
    for (int k = 0; k < g->list.bricks; k++)
        crowded = crowded || g->list.brick[k].pairs > g->most_pairs;
    return crowded;
}

static const char *relist(imp_granular *g, const head *h) {
    if (!imp_granular_relist(g, &h->now))
        return is_crowded(g) || g->bodies.count != h->count ? DAMAGED : NO_MEMORY;
    return g->list.bricks == h->bricks ? NULL : DAMAGED;
}

/* Bytes of a particle in the file. */
static int64_t particle_bytes(const head *h) {
    return (int64_t)(sizeof(body) + 2 * sizeof(place) + sizeof(int64_t) +
                     (h->offcentre ? sizeof(top) : 0));
}

/* More particles than this a file of `size` bytes does not hold, nor does a flow: no memory is
 * taken for what only the head claims. */
static int64_t most_particles(const head *h, int64_t size) {
    const int64_t fit = size / particle_bytes(h);
    return fit < INT32_MAX / 4 ? fit : INT32_MAX / 4;
}

static const char *load(imp_granular *g, FILE *in) {
    head h;
    int64_t size;
    uint64_t setup[IMP_SETUP_PARTS];
    if (!get(in, &h, sizeof h) || memcmp(h.magic, MAGIC, sizeof h.magic) != 0)
        return "no checkpoint of a flow, expected one";
    if (h.word != WORD) return "written on a machine with another order of bytes";
    if (h.version != VERSION)
        return "a checkpoint of another version, expected one of this program's";
    if (fseeko(in, -(off_t)sizeof h, SEEK_CUR) != 0 || !is_whole(in, &size) ||
        !get(in, &h, sizeof h))
        return DAMAGED;
    imp_setup(g, setup);
    for (int k = 0; k < IMP_SETUP_PARTS; k++)
        if (h.setup[k] != setup[k]) return imp_setup_other(k);
    if (h.count < 0 || h.count > most_particles(&h, size) || !state_is_sound(g, &h)) return DAMAGED;
    g->most_pairs = size - h.count * particle_bytes(&h); /* a byte marks each */
    const char *why = get_particles(g, in, &h);
    if (!why && h.now.listed) why = relist(g, &h);
    for (int k = 0; !why && k < h.bricks; k++)
        why = get_impulses(&g->list.brick[k], in);
    if (why) return why;
    g->now = h.now;
    for (int i = 0; i < g->walls.n; i++)
        memcpy(g->walls.at[i].point, h.shape_point[i], sizeof h.shape_point[i]);
    return NULL;
}

imp_status imp_granular_load(imp_granular *g, FILE *in, const char **why) {
    *why = load(g, in);
    g->most_pairs = INT_MAX;
    if (!*why) return IMP_OK;
    g->bodies.count = g->list.bricks = 0;
    g->now.listed = false;
    g->failed = *why == NO_MEMORY;
    if (*why == NO_MEMORY) return IMP_NO_MEMORY;
    if (!ferror(in)) return IMP_BAD_ARGUMENT;
    *why = "cannot be read";
    return IMP_IO;
}
