/* list.h - the neighbour list: candidate pairs of each brick, by colours, and the impulses kept for
 * those that were contacts in the last step.
 *
 * The eight parities of bricks are swept one after the other, all bricks of one at once, in an
 * order that no number of threads changes. Inside a brick candidates are sorted into colours: no
 * two of a colour share a particle, so that WIDTH of them are solved at once, again without change
 * of result. */
#ifndef IMP_GRANULAR_LIST_H
#define IMP_GRANULAR_LIST_H

#include "granular/cells.h"

enum {
    WIDTH = 8,         /* contacts of an octet (contacts.h) */
    PAIR_COLOURS = 50, /* the last of them holds what no colour is left for, one
                                           contact per octet */
    /* the contacts with one shape never share a particle: a colour each */
    COLOURS = PAIR_COLOURS + IMP_SHAPES
};

/* Shapes see a wider skin than pairs: particles move with the flow, and few are near a shape. */
static const double SHAPE_SKIN = 4;

typedef struct pair {
    int a, b; /* particles a < b, or a = -1 - shape */
} pair;

/* The candidates of a brick. */
typedef struct candidates {
    int low[3], high[3]; /* cells [low, high) of the brick */
    int pairs, room;
    pair *pair;             /* (room), as the next three: in colour order */
    unsigned char *live;    /* which of them were contacts in the last step */
    pair *row;              /* as found, before colouring */
    unsigned char *colour;  /* of each row */
    int start[COLOURS + 1]; /* first candidate of each colour */
    double *impulse;        /* (3, impulse_room) N s on b, of the live ones */
    int impulse_room;
    bool failed; /* no memory */
} candidates;

/* An impulse on its way from the old list to the new one, on the particle with the larger
 * number. */
typedef struct carried {
    int owner, other; /* particles owner < other, or other = -1 - shape */
    double p[3];
} carried;

typedef struct carry {
    int n, room;
    carried *item;
    int *start, start_room; /* (particles + 1) of the rows by owner */
    int *row, row_room;     /* items */
} carry;

typedef struct list {
    int bricks, room;
    candidates *brick;        /* by parity */
    int parity[PARITIES + 1]; /* first brick of each */
    int layers, per_layer;    /* bricks along x, and in each of these layers */
    int *along, along_room;   /* (bricks) bricks by layers, in each by parity */
    int shares;               /* of threads, each some layers one after the other; 0: too few */
    int *border, border_room; /* (shares + 1) the first layer of each */
    uint64_t *taken;          /* (particles) colours, while candidates are coloured */
    int taken_room;
    carry carry;
} list;

/* What a list is made of. */
typedef struct neighbourhood {
    const bodies *bodies;
    const surfaces *walls;
    const cells *cells;
    double skin;        /* m, reach beyond touch */
    int64_t most_pairs; /* of a brick: more is a failure */
    int threads;
} neighbourhood;

/* The bricks of the grid, for so many threads; their candidates are still those of the old list.
 * false: no memory. */
bool imp_list_cut(list *l, const cells *c, int threads);
/* Candidates, colours, and the impulses carried over. false: no memory, or too many candidates. */
bool imp_list_find(list *l, const neighbourhood *all);
void imp_list_free(list *l);

/* run(context, k) of every brick. What is near in space goes to the same thread each time, and so
 * stays in its cache. */
void imp_list_each(const list *l, int threads, void (*run)(void *context, int k), void *context);
/* The layers [*begin, *end) of one of the threads that have shares; *members: how many of them have
 * any. */
void imp_list_share(const list *l, int member, int *members, int *begin, int *end);

/* Sets the impulses of the old list aside under the particles' new numbers (-1: it left). false: no
 * memory. */
bool imp_carry_list(list *l, const int *target, int particles);
/* The impulse p on b of two particles, or of shape -1 - a and a particle. false: no memory. */
bool imp_carry_add(carry *c, int a, int b, const double p[3]);
/* Rows of what was added. false: no memory. */
bool imp_carry_rows(carry *c, int particles);
/* Which item is that of particle i with `other`; -1: none. */
int imp_carried(const carry *c, int i, int other);

/* Impulse of live candidate number `at`. */
static inline void impulse_get(const candidates *c, int at, double p[3]) {
    for (int x = 0; x < 3; x++)
        p[x] = c->impulse[(size_t)x * c->impulse_room + at];
}
static inline void impulse_put(candidates *c, int at, const double p[3]) {
    for (int x = 0; x < 3; x++)
        c->impulse[(size_t)x * c->impulse_room + at] = p[x];
}

/* How many are live. */
int imp_candidates_live(const candidates *c);
/* Room for that many impulses, and for whole vectors to be read behind. What is there is lost.
 * false: no memory. */
bool imp_candidates_reserve(candidates *c, int impulses);

#endif
