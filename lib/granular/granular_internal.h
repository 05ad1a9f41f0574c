/* granular_internal.h - what the files of lib/granular share: particles, slabs of candidates, blocks of contacts.
 *
 * The room is cut into bricks of grid cells; left to itself it makes them slabs along x. A candidate pair belongs to
 * the brick with the least coordinates, each by itself, of the bricks of its two particles: so a brick touches
 * particles of its own and of the first cells of the next bricks in each direction, and two bricks of the same parity
 * (even or odd in x, in y, in z) never touch the same. The eight parities are swept one after the other, all bricks of
 * one at once, in an order that no number of threads changes. Inside a brick candidates are sorted into colours: no two
 * of a colour share a particle, so that LANES of them are solved at once, again without change of result. */
#ifndef IMP_GRANULAR_INTERNAL_H
#define IMP_GRANULAR_INTERNAL_H

#include "granular/granular.h"

#include <stddef.h>

enum {
    LANES = 8,
    PAIR_COLOURS = 50,                   /* the last of them holds what no colour is left for, one contact per block */
    COLOURS = PAIR_COLOURS + IMP_SHAPES, /* the contacts with one shape never share a particle: a colour each */
    PARITIES = 8,                        /* of bricks: 4 odd in x + 2 odd in y + odd in z */
    CHUNK = 2048, /* particles per piece of a parallel loop or a sum; fixed, so sums do not vary */
    RUN = 256     /* candidates searched for contacts at a time */
};

/* The moving part of a particle or a shape, one cache line. */
typedef struct body {
    double v[3];     /* m/s */
    double inv_mass; /* 1/kg; 0: a shape */
    double q[3];     /* m/s, radius times spin: contact velocities need no radius then */
    double friction;
} body;

typedef struct place {
    double x[3], radius; /* m */
} place;

/* How a particle stands that is not the same all round, one cache line. */
typedef struct top {
    double turn[4]; /* unit quaternion, body to world */
    double axis[3]; /* unit, world, from the centre to the centre of mass: what `turn` makes of z */
    double offset;  /* m, of the centre of mass; 0: homogeneous, never turned */
} top;

/* LANES contacts of one colour, by rows. Lanes behind the last contact are idle: both their bodies are one that rests,
 * with the impulse 0. */
typedef struct block {
    _Alignas(64) double n[3][LANES]; /* from a to b */
    double bias[LANES];              /* m/s: u_n + bias >= 0 */
    double p[3][LANES];              /* N s on b */
    int a[LANES], b[LANES];          /* bodies */
} block;

static inline bool is_idle(const block *k, int lane) {
    return k->a[lane] == k->b[lane];
}

typedef struct pair {
    int a, b; /* particles a < b, or a = -1 - shape */
} pair;

/* What detection and the end of a step count, per slab. */
typedef struct tally {
    int contacts, touching, close, loaded;
    double deepest, residual;
    double shape_impulse[IMP_SHAPES][3];
} tally;

typedef struct slab {
    int low[3], high[3]; /* cells [low, high) of the brick */
    int pairs, room;
    pair *pair;          /* candidates in colour order */
    unsigned char *live; /* which of them are contacts, in the order of the blocks */
    double *impulse;     /* (3, impulse_room) N s on b, of the contacts of the last step */
    int impulse_room;
    pair *row; /* candidates as found, before colouring (room) */
    unsigned char *colour;
    int start[COLOURS + 1];   /* first candidate of each colour */
    int block_start[COLOURS]; /* first block of each colour */
    int count[COLOURS];       /* contacts of each colour in this step */
    block *block;
    int block_room;
    tally tally;
    bool failed; /* no memory */
} slab;

/* Impulses on their way from the old list to the new one, by rows of the particle that owns them. */
typedef struct carry {
    int *start; /* (particles + 1) */
    int *other; /* the second particle, or -1 - shape */
    double (*p)[3];
    int room, particles_room;
} carry;

/* What a flow has besides its particles, its shapes and its list: all ranks have it alike, a checkpoint holds it as it
 * stands here (no padding). */
typedef struct state {
    int64_t next_id, steps, plane_steps, rebuilds;         /* plane_steps: since the inflow plane started */
    int64_t listed;                                        /* the list holds for the particles there are: 1, or 0 */
    double time;                                           /* s */
    double skin;                                           /* m, of the list */
    double drift[3], drift_speed[3];                       /* m, m/s: common motion taken out of the displacements */
    double moved, moved_absolute, relative_speed, fastest; /* m, m/s: largest over the particles */
    double shape_listed[IMP_SHAPES][3];                    /* m, their points when the list was made */
    double shape_moved;                                    /* m, of shapes since the list was made */
} state;

struct spread;

struct imp_granular {
    imp_granular_settings set;
    struct spread *spread; /* what a flow on several ranks needs more; NULL: the flow is whole */
    int shapes;
    imp_shape shape[IMP_SHAPES];
    double shape_home; /* m, x of the inflow plane when it starts again */
    imp_inflow inflow;

    int count, room;          /* particles; bodies of shapes and idle lanes stand behind them */
    body *body;               /* (room + statics) */
    place *place, *reference; /* now, and when the list was made */
    top *top;                 /* (top_room); NULL: all are homogeneous */
    int64_t *id;
    unsigned char *own; /* of a flow on ranks: not a copy of another rank's */
    state now;

    int slabs, slab_room;
    slab *slab;                /* by parity */
    int parity[PARITIES + 1];  /* first slab of each */
    uint64_t *mask;            /* (room) colours taken, during colouring */
    int *key, *order, *target; /* (room) of the counting sort: cell, old number of each new one and the reverse */
    body *body_spare;
    place *place_spare;
    top *top_spare;
    int top_room, top_spare_room;
    int64_t *id_spare;
    int *cell_start;                 /* (cells + 1) */
    int cell_room, cells[3];         /* the grid */
    int bricks[3];                   /* along each direction; cell c is in brick ((c + 1) bricks - 1) / cells */
    int brick_low[3], brick_high[3]; /* the bricks of this flow: all but on ranks */
    int window[3], held[3];          /* first cell and number of those held: all but on ranks */
    double cell_size;
    carry carry;
    double *chunk; /* per chunk sums and maxima */
    int chunk_room;
    imp_granular_costs costs;
    int64_t most_pairs; /* candidates of a slab: more is a failure. Fewer than INT_MAX while a checkpoint is read */
    int deleted, lost;
    bool failed; /* out of memory */
};

/* Runs run(context, k) for k = first, first + stride, ... below n, on the threads of the flow. */
void imp_granular_parallel(const imp_granular *g, int first, int stride, int n, void (*run)(void *context, int k),
                           void *context);

/* Makes room for `need` items of `size` bytes, contents kept, on cache lines; *array is a pointer to the items.
 * false: no memory, nothing changed. */
bool imp_granular_grow(void *array, int *room, int need, size_t size);

/* Room for n particles and the bodies behind them. */
bool imp_granular_reserve(imp_granular *g, int n);

/* The body of a shape (shape = shapes: of idle lanes) for slab k: each slab has its own, so no two threads share one.
 */
static inline int static_body(const imp_granular *g, int k, int shape) {
    return g->count + k * (g->shapes + 1) + shape;
}

/* The number of a cell of the window, x slowest, z fastest. */
static inline int cell_number(const imp_granular *g, int x, int y, int z) {
    return ((x - g->window[0]) * g->held[1] + y - g->window[1]) * g->held[2] + z - g->window[2];
}

/* Velocities, displacements and their largest, after a step and before a list is made. false: not finite. */
bool imp_granular_measure(imp_granular *g);

/* Chooses cells and bricks by the skin g->now.skin, with all of them in the window. */
void imp_granular_choose(imp_granular *g);
/* The cell of a place, coordinate by coordinate. */
void imp_granular_cell(const imp_granular *g, const double x[3], int cell[3]);
/* Has a place left the room: 0 no, 1 through the outlet, 2 it is lost. */
int imp_granular_leaves(const imp_granular *g, const double x[3]);
/* Sorts particles into the cells of the window, dropping those that left, and cuts it into bricks. */
bool imp_granular_sort(imp_granular *g);

/* Candidates and colours of the bricks as they are. */
bool imp_granular_pair_up(imp_granular *g);
/* The list of candidates anew: sort, pairs, colours; impulses are carried over. */
bool imp_granular_list(imp_granular *g);
/* The same with the skin g->now.skin as it is. */
bool imp_granular_relist(imp_granular *g);
bool imp_granular_list_is_old(const imp_granular *g);
/* m: the largest gap at which a pair, or a particle and a shape, can be a contact of this step. */
double imp_granular_pair_reach(const imp_granular *g);
double imp_granular_shape_reach(const imp_granular *g);

/* Impulses of the old list, of that many slabs, set aside in rows under the new numbers. */
bool imp_granular_carry(imp_granular *g, int slabs);
/* Where the carried impulse of particle i with `other` is, on the particle with the larger number; -1: none. */
int imp_granular_carried(const imp_granular *g, int i, int other);

/* Impulse of contact number `at` of a slab, as of the last step. */
static inline void imp_granular_impulse(const slab *s, int at, double p[3]) {
    for (int x = 0; x < 3; x++)
        p[x] = s->impulse[(size_t)x * s->impulse_room + at];
}
static inline void imp_granular_put_impulse(slab *s, int at, const double p[3]) {
    for (int x = 0; x < 3; x++)
        s->impulse[(size_t)x * s->impulse_room + at] = p[x];
}
/* How many there are. */
static inline int imp_granular_lived(const slab *s) {
    int n = 0;
    for (int i = 0; i < s->pairs; i++)
        n += s->live[i] != 0;
    return n;
}
/* Room for them, and for whole vectors to be read behind. What is there is lost. false: no memory. */
bool imp_granular_reserve_impulses(slab *s, int contacts);

/* How contacts are searched for. */
typedef struct search {
    double reach, shape_reach; /* m, how far */
    double warm;               /* factor on their last impulses */
    int shape_body;            /* the slab's body of shape 0 */
} search;

/* Contacts on their way into blocks, with room for whole vectors behind. */
typedef struct touching {
    int count, old; /* old: contacts of the last step passed so far */
    double n[3][RUN + 2 * LANES], p[3][RUN + 2 * LANES], gap[RUN + 2 * LANES];
    int a[RUN + 2 * LANES], b[RUN + 2 * LANES];
} touching;

/* Appends the contacts among candidates [begin, end), pairs only where the name says avx512. */
typedef void granular_find(const imp_granular *g, slab *s, const search *how, int begin, int end, touching *t);
granular_find imp_granular_find_plain, imp_granular_find_avx512;
/* Does the approach of this step close a gap above the margin? */
bool imp_granular_approach(const imp_granular *g, int a, int b, const double n[3], double gap);
/* Collects the contacts of a step into blocks. false: no memory. */
bool imp_granular_detect(imp_granular *g);

/* Kernels over n blocks of one colour: a sweep, the first guess put on the velocities, the largest residual in m/s.
 * The friction of a block's contacts is that of their bodies a. */
typedef void granular_kernel(body *bodies, block *blocks, int n);
typedef double granular_residual(const body *bodies, const block *blocks, int n);
granular_kernel imp_granular_relax_plain, imp_granular_relax_avx512, imp_granular_warm_plain, imp_granular_warm_avx512;
granular_residual imp_granular_residual_plain, imp_granular_residual_avx512;
bool imp_granular_has_avx512(void); /* compiled in, and the CPU knows it */
void imp_granular_relax_general(imp_granular_law law, body *bodies, block *blocks, int n);

/* The one-contact solution p <- P(p - W^-1 (u + bias n)) in closed form; returns W_nn in 1/kg. */
double imp_granular_touch(const body *a, const body *b, const double n[3], double bias, double p[3]);

/* Off-centre spheres (offcentre.c), where g->top: the same kernels, for either law. */
typedef double granular_top_kernel(const imp_granular *g, block *blocks, int n);
granular_top_kernel imp_granular_relax_tops, imp_granular_warm_tops, imp_granular_residual_tops;
/* The state of orientation that a sphere is added with; upright where its quaternion is 0. */
top imp_granular_top_of(const imp_sphere *sphere);
/* Room for n of them, those there are made homogeneous at first; gone again. */
bool imp_granular_reserve_tops(imp_granular *g, int n);
void imp_granular_drop_tops(imp_granular *g);
/* Free motion of particles [begin, end) over a step. */
void imp_granular_turn(imp_granular *g, int begin, int end);

/* Sweeps; returns how many, *residual in m/s. */
int imp_granular_solve(imp_granular *g, double scale, double *residual);
/* More sweeps, without push-out. */
void imp_granular_release(imp_granular *g);

/* Enters a layer where it is time; how many particles, -1: no memory. */
int imp_granular_feed(imp_granular *g);

#endif
