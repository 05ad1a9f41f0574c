/* ranks_internal.h - what the files of a flow on ranks share. */
#ifndef IMP_GRANULAR_RANKS_INTERNAL_H
#define IMP_GRANULAR_RANKS_INTERNAL_H

#include "granular/granular_internal.h"
#include "granular/ranks/ranks.h"

/* Particles whose velocities go to, or come from, one rank. */
typedef struct letter {
    int rank, n, room;
    int *index;
} letter;

typedef struct letters {
    int n, room, bodies;
    letter *letter;
} letters;

/* What is sent and received at one time, both sides in the same order: by cells, in a cell by ids. */
typedef struct exchange {
    letters send, receive;
} exchange;

/* Bytes, growing. */
typedef struct pile {
    size_t used, room;
    unsigned char *bytes;
} pile;

/* The exchanges of a sweep: after each parity but the last with the rank that touches a particle next, after the last
 * with all that hold it; the same for a sweep backward. With a blend: changes to the owner, velocities back. */
enum { BACKWARD = PARITIES, TO_OWNER = 2 * PARITIES, FROM_OWNER, EXCHANGES };

typedef struct spread {
    imp_transport to;
    int grid[3], at[3]; /* of ranks, and this one's place */
    exchange exchange[EXCHANGES];
    double (*out)[6], (*in)[6]; /* velocities and spins on their way */
    int out_room, in_room;
    imp_message *message;
    int message_room;
    pile arrived; /* impulses for the next list */
    long long lists, moved, moved_bytes;
} spread;

static inline bool is_own(const imp_granular *g, int i) {
    return !g->spread || g->own[i];
}

/* The rank that sweeps a brick. */
int imp_granular_rank_of(const imp_granular *g, const int brick[3]);
/* The brick of a cell, coordinate by coordinate. */
void imp_granular_brick(const imp_granular *g, const int cell[3], int brick[3]);
/* The rank that may touch the particles of a cell in each parity; -1: none. The owner is among them. */
void imp_granular_touchers(const imp_granular *g, const int cell[3], int rank[PARITIES]);
/* Which ranks hold the particles of a cell; returns how many, the owner first. */
int imp_granular_holders(const imp_granular *g, const int cell[3], int rank[PARITIES]);
/* This rank's bricks, and the window of their cells with the first ones beyond. */
void imp_granular_window(imp_granular *g);

int imp_granular_own_count(const imp_granular *g);
/* Nothing for a whole flow. */
void imp_granular_reduce(const imp_granular *g, int maxima, double *most, int sums, int64_t *sum);
void imp_granular_reduce_report(const imp_granular *g, imp_granular_report *r);

/* Before a list: particles and impulses to the ranks that hold them next; what arrives is in no order yet. */
bool imp_granular_migrate(imp_granular *g);
/* The impulses that arrived, in rows by the new numbers. */
bool imp_granular_carry_ranks(imp_granular *g);
/* Drops, of the particles from number `from` on, those of other ranks. */
void imp_granular_keep_own(imp_granular *g, int from);

/* After a list: who sends which velocities when. */
bool imp_granular_plan(imp_granular *g);
/* After a parity of a sweep. */
void imp_granular_swap(imp_granular *g, int parity, bool backward);
/* Around a damped sweep: v <- v + blend * (sum of the changes of all copies). */
void imp_granular_blend_begin(imp_granular *g);
void imp_granular_blend_end(imp_granular *g);

/* Adds n bytes; false: no memory. */
bool imp_granular_pile(pile *p, const void *data, size_t n);

void imp_granular_spread_free(spread *s);

#endif
