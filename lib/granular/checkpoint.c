/* checkpoint.c - the whole state of a flow in a stream, so that the run goes on bit for bit.
 *
 * The neighbour list is not written: it follows from the places at which it was made, in the order of the particles.
 * What follows from nothing are the impulses of the last step, one per live candidate, in the list's order.
 * Layout, in this machine's numbers: head, particles (body, place, reference, id, and orientation where there are
 * off-centre ones), live marks and impulses by slab, and
 * a checksum of everything before it. */
#include "granular/granular_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 3, WORD = 0x01020304 };

static const char MAGIC[8] = "impflow";

typedef struct head {
    char magic[8];
    int32_t version, word; /* the word tells byte orders apart */
    uint64_t setup;        /* of the settings, shapes and inflow that the results depend on */
    int64_t count, slabs;
    int64_t offcentre; /* orientations stand behind the ids */
    double shape_point[IMP_SHAPES][3];
    state now;
} head;

static const uint64_t SEED = 14695981039346656037u;

/* FNV-1a. */
static uint64_t mix(uint64_t hash, const void *data, size_t n) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

static uint64_t mix_numbers(uint64_t hash, const double *x, int n) {
    return mix(hash, x, (size_t)n * sizeof *x);
}

/* A number that another set-up has another of; threads, SIMD and where a plane stands now do not count. */
static uint64_t setup_of(const imp_granular *g) {
    const imp_granular_settings *s = &g->set;
    const imp_inflow *in = &g->inflow;
    const double numbers[] = {s->step,      s->friction, s->erp,    s->margin, s->warm,
                              s->tolerance, s->skin,     s->outlet, s->blend};
    const int64_t counts[] = {s->look_ahead, s->sweeps,    s->most_sweeps, s->law,       g->shapes, in->plane,
                              s->bricks[0],  s->bricks[1], s->bricks[2],   s->symmetric, s->split};
    uint64_t hash = mix_numbers(SEED, numbers, sizeof numbers / sizeof *numbers);
    hash = mix(hash, counts, sizeof counts);
    hash = mix_numbers(mix_numbers(mix_numbers(hash, s->gravity, 3), s->low, 3), s->high, 3);
    for (int i = 0; i < g->shapes; i++) {
        const imp_shape *shape = &g->shape[i];
        const double own[] = {shape->kind, shape->radius, shape->length, shape->friction};
        hash = mix_numbers(mix_numbers(mix_numbers(hash, own, 4), shape->normal, 3), shape->velocity, 3);
        if (shape->velocity[0] == 0 && shape->velocity[1] == 0 && shape->velocity[2] == 0)
            hash = mix_numbers(hash, shape->point, 3);
    }
    if (in->plane < 0) return hash;
    const double inflow[] = {g->shape_home, in->advance, in->first[0],    in->first[1], in->spacing, in->radius,
                             in->density,   in->speed,   in->disturbance, in->ny,       in->nz};
    hash = mix_numbers(hash, inflow, sizeof inflow / sizeof *inflow);
    if (in->offset > 0) hash = mix_numbers(hash, &in->offset, 1);
    return mix(hash, &in->seed, sizeof in->seed);
}

/* A stream being written and the checksum of what went through it. */
typedef struct channel {
    FILE *file;
    uint64_t hash;
} channel;

/* A failed write is noticed at the end, by ferror. */
static void put(channel *c, const void *data, size_t n) {
    if (n == 0) return;
    (void)fwrite(data, 1, n, c->file);
    c->hash = mix(c->hash, data, n);
}

static bool get(FILE *in, void *data, size_t n) {
    return n == 0 || fread(data, 1, n, in) == n;
}

static head head_of(const imp_granular *g) {
    head h = {.version = VERSION,
              .word = WORD,
              .setup = setup_of(g),
              .count = g->count,
              .slabs = g->now.listed ? g->slabs : 0,
              .offcentre = g->top != NULL,
              .now = g->now};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    for (int i = 0; i < g->shapes; i++)
        memcpy(h.shape_point[i], g->shape[i].point, sizeof h.shape_point[i]);
    return h;
}

imp_status imp_granular_save(const imp_granular *g, FILE *out) {
    channel c = {.file = out, .hash = SEED};
    const head h = head_of(g);
    const size_t n = (size_t)g->count;
    put(&c, &h, sizeof h);
    put(&c, g->body, n * sizeof *g->body);
    put(&c, g->place, n * sizeof *g->place);
    put(&c, g->reference, n * sizeof *g->reference);
    put(&c, g->id, n * sizeof *g->id);
    if (h.offcentre) put(&c, g->top, n * sizeof *g->top);
    for (int k = 0; k < (int)h.slabs; k++) {
        const slab *s = &g->slab[k];
        const int64_t pairs = s->pairs;
        put(&c, &pairs, sizeof pairs);
        put(&c, s->live, (size_t)s->pairs);
        for (int i = 0, contacts = imp_granular_lived(s); i < contacts; i++) {
            double p[3];
            imp_granular_impulse(s, i, p);
            put(&c, p, sizeof p);
        }
    }
    const uint64_t hash = c.hash;
    put(&c, &hash, sizeof hash);
    return ferror(out) ? IMP_IO : IMP_OK;
}

static void place_shapes(imp_granular *g, const double points[IMP_SHAPES][3]) {
    for (int i = 0; i < g->shapes; i++)
        memcpy(g->shape[i].point, points[i], sizeof g->shape[i].point);
}

static void restore(imp_granular *g, const head *h) {
    g->now = h->now;
    place_shapes(g, h->shape_point);
}

static const char DAMAGED[] = "damaged, expected a whole checkpoint", NO_MEMORY[] = "no memory";

/* Does the stream end in the checksum of what stands before it? *size <- its bytes without the checksum. Rewinds. */
static bool is_whole(FILE *in, int64_t *size) {
    unsigned char bytes[1 << 16], last[8];
    uint64_t hash = SEED, stored;
    const off_t start = ftello(in);
    *size = 0;
    size_t held = 0, n; /* the last 8 bytes are held back until more come */
    while ((n = fread(bytes + held, 1, sizeof bytes - held, in)) > 0) {
        n += held;
        held = n < sizeof last ? n : sizeof last;
        hash = mix(hash, bytes, n - held);
        *size += (int64_t)(n - held);
        memmove(bytes, bytes + n - held, held);
    }
    memcpy(&stored, bytes, sizeof stored);
    return start >= 0 && !ferror(in) && held == sizeof last && stored == hash && fseeko(in, start, SEEK_SET) == 0;
}

static bool all_finite(const double *x, int n) {
    double sum = 0; /* NaN when one of them is not, or its square is not */
    for (int i = 0; i < n; i++)
        sum += 0 * (x[i] * x[i]);
    return sum == 0;
}

/* A checksum says that a file is as it was written, not by whom: what steps take for granted is looked at. */
static bool state_is_sound(const imp_granular *g, const head *h) {
    const state *t = &h->now;
    const double none_below[] = {t->skin, t->moved, t->moved_absolute, t->relative_speed, t->fastest, t->shape_moved};
    bool good = (h->offcentre == 0 || h->offcentre == 1) && (t->listed == 0 || t->listed == 1) &&
                (t->listed || h->slabs == 0) && t->next_id >= h->count && t->next_id < INT64_MAX / 2 && t->steps >= 0 &&
                t->plane_steps >= 0 && t->plane_steps <= t->steps && t->rebuilds >= 0 &&
                t->time == (double)t->steps * g->set.step && all_finite(&t->time, 1) && all_finite(t->drift, 3) &&
                all_finite(t->drift_speed, 3) && all_finite(none_below, 6) && (!t->listed || t->skin >= g->set.skin);
    for (size_t i = 0; i < sizeof none_below / sizeof *none_below; i++)
        good = good && none_below[i] >= 0;
    for (int i = 0; i < g->shapes; i++) {
        const imp_shape *own = &g->shape[i];
        const size_t size = sizeof own->point;
        const bool rests = own->velocity[0] == 0 && own->velocity[1] == 0 && own->velocity[2] == 0;
        good = good && all_finite(h->shape_point[i], 3) && all_finite(t->shape_listed[i], 3) &&
               (!rests || memcmp(h->shape_point[i], own->point, size) == 0) &&
               (!rests || !t->listed || memcmp(t->shape_listed[i], own->point, size) == 0);
    }
    return good;
}

/* The axis is what the rotation makes of z, in rounding. */
static bool top_is_sound(const top *t, double radius) {
    const double *q = t->turn, axis[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                                          1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    bool good =
        fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) <= 1e-9 && t->offset >= 0 && t->offset < radius;
    for (int c = 0; c < 3; c++)
        good = good && fabs(t->axis[c] - axis[c]) <= 1e-9;
    return good;
}

static bool particle_is_sound(const imp_granular *g, int i, int64_t next_id) {
    const body *b = &g->body[i];
    const place *now = &g->place[i], *then = &g->reference[i];
    return all_finite(b->v, 3) && all_finite(b->q, 3) && b->inv_mass > 0 && all_finite(&b->inv_mass, 1) &&
           b->friction == g->set.friction && all_finite(now->x, 3) && now->radius > 0 && all_finite(&now->radius, 1) &&
           all_finite(then->x, 3) && then->radius == now->radius && g->id[i] >= 0 && g->id[i] < next_id &&
           (!g->top || top_is_sound(&g->top[i], now->radius));
}

static int by_number(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* No id twice. */
static const char *check_ids(const imp_granular *g) {
    if (g->count == 0) return NULL;
    int64_t *id = malloc((size_t)g->count * sizeof *id); /* NOLINT(clang-analyzer-optin.portability.UnixAPI): not 0 */
    if (!id) return NO_MEMORY;
    memcpy(id, g->id, (size_t)g->count * sizeof *id);
    qsort(id, (size_t)g->count, sizeof *id, by_number);
    bool good = true;
    for (int i = 1; i < g->count; i++)
        good = good && id[i - 1] != id[i];
    free(id);
    return good ? NULL : DAMAGED;
}

static const char *get_particles(imp_granular *g, FILE *in, const head *h) {
    const size_t n = (size_t)h->count;
    imp_granular_drop_tops(g);
    g->count = 0;
    if (!imp_granular_reserve(g, (int)n)) return NO_MEMORY;
    if (h->offcentre && !imp_granular_reserve_tops(g, (int)n)) return NO_MEMORY;
    g->count = (int)n;
    const bool whole = get(in, g->body, n * sizeof *g->body) && get(in, g->place, n * sizeof *g->place) &&
                       get(in, g->reference, n * sizeof *g->reference) && get(in, g->id, n * sizeof *g->id) &&
                       (!h->offcentre || get(in, g->top, n * sizeof *g->top));
    if (!whole) return DAMAGED;
    for (int i = 0; i < g->count; i++)
        if (!particle_is_sound(g, i, h->now.next_id)) return DAMAGED;
    return check_ids(g);
}

static const char *get_impulses(imp_granular *g, FILE *in) {
    for (int k = 0; k < g->slabs; k++) {
        slab *s = &g->slab[k];
        int64_t pairs;
        if (!get(in, &pairs, sizeof pairs) || pairs != s->pairs || !get(in, s->live, (size_t)s->pairs)) return DAMAGED;
        for (int i = 0; i < s->pairs; i++)
            if (s->live[i] > 1) return DAMAGED;
        const int contacts = imp_granular_lived(s);
        if (!imp_granular_reserve_impulses(s, contacts)) return NO_MEMORY;
        for (int i = 0; i < contacts; i++) {
            double p[3];
            if (!get(in, p, sizeof p) || !all_finite(p, 3)) return DAMAGED;
            imp_granular_put_impulse(s, i, p);
        }
    }
    return NULL;
}

/* Has the list more candidates than the file has marks for? */
static bool is_crowded(const imp_granular *g) {
    bool crowded = false;
    for (int k = 0; k < g->slabs; k++)
        crowded = crowded || g->slab[k].pairs > g->most_pairs;
    return crowded;
}

static void copy_places(place *to, const place *from, int count) {
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to); /* none: they may be NULL */
}

/* The list as it was: made with everything where it was then, before the particles are put back where they are. */
static const char *relist(imp_granular *g, const head *h) {
    place *now = NULL;
    int room = 0;
    if (!imp_granular_grow(&now, &room, g->count + 1, sizeof *now)) return NO_MEMORY;
    copy_places(now, g->place, g->count);
    copy_places(g->place, g->reference, g->count);
    place_shapes(g, h->now.shape_listed);
    g->slabs = 0; /* nothing to carry over */
    g->now.skin = h->now.skin;
    const char *why = NULL;
    if (!imp_granular_relist(g))
        why = is_crowded(g) ? DAMAGED : NO_MEMORY;
    else if (g->count != h->count || g->slabs != h->slabs)
        why = DAMAGED;
    else
        copy_places(g->place, now, g->count);
    free(now);
    return why;
}

/* Bytes of a particle in the file. */
static int64_t particle_bytes(const head *h) {
    return (int64_t)(sizeof(body) + 2 * sizeof(place) + sizeof(int64_t) + (h->offcentre ? sizeof(top) : 0));
}

static const char *load(imp_granular *g, FILE *in) {
    head h;
    int64_t size;
    if (!get(in, &h, sizeof h) || memcmp(h.magic, MAGIC, sizeof h.magic) != 0)
        return "no checkpoint of a flow, expected one";
    if (h.word != WORD) return "written on a machine with another order of bytes";
    if (h.version != VERSION) return "a checkpoint of another version, expected version 3";
    if (fseeko(in, -(off_t)sizeof h, SEEK_CUR) != 0 || !is_whole(in, &size) || !get(in, &h, sizeof h)) return DAMAGED;
    if (h.setup != setup_of(g)) return "a checkpoint of another set-up, expected the parameters it was written with";
    const int64_t room = size - (int64_t)sizeof h; /* for particles, marks and impulses: no memory is taken beyond */
    if (h.count < 0 || h.count > INT32_MAX / 4 || h.count > room / particle_bytes(&h) || !state_is_sound(g, &h))
        return DAMAGED;
    g->most_pairs = room - h.count * particle_bytes(&h);
    const char *why = get_particles(g, in, &h);
    if (!why && h.now.listed) why = relist(g, &h);
    if (!why && h.now.listed) why = get_impulses(g, in);
    if (!why) restore(g, &h);
    return why;
}

imp_status imp_granular_load(imp_granular *g, FILE *in, const char **why) {
    *why = load(g, in);
    g->most_pairs = INT_MAX;
    if (!*why) return IMP_OK;
    g->count = g->slabs = 0;
    g->now.listed = false;
    g->failed = *why == NO_MEMORY;
    if (*why == NO_MEMORY) return IMP_NO_MEMORY;
    if (!ferror(in)) return IMP_BAD_ARGUMENT;
    *why = "cannot be read";
    return IMP_IO;
}
