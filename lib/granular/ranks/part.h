/* part.h - what the files of a flow on ranks share: who holds what, and what is on its way. */
#ifndef IMP_GRANULAR_PART_H
#define IMP_GRANULAR_PART_H

#include "granular/flow.h"
#include "granular/ranks/pile.h"
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

/* What is sent and received at one time, both sides in the same order: by cells, in a cell by
 * ids. */
typedef struct exchange {
    letters send, receive;
} exchange;

/* The exchanges of a sweep: after each parity but the last with the rank that touches a particle
 * next, after the last with all that hold it; the same for a sweep backward. With a blend: changes
 * to the owner, velocities back. */
enum { BACKWARD = PARITIES, TO_OWNER = 2 * PARITIES, FROM_OWNER, EXCHANGES };

/* The self of a part's halo. */
typedef struct part {
    halo halo;
    imp_transport to;
    int grid[3], at[3]; /* of ranks, and this one's place */
    exchange exchange[EXCHANGES];
    double (*out)[6], (*in)[6]; /* velocities and spins on their way */
    int out_room, in_room;
    imp_message *message;
    int message_room;
    pile arrived; /* impulses for the next list */
    long long lists, moved, moved_bytes;
} part;

/* The rank that sweeps a brick (share.c, as what follows). */
int imp_part_rank_of(const part *p, const cells *c, const int brick[3]);
/* The rank that may touch the particles of a cell in each parity; -1: none. The owner is among
 * them. */
void imp_part_touchers(const part *p, const cells *c, const int cell[3], int rank[PARITIES]);
/* Which ranks hold the particles of a cell; returns how many, the owner first. */
int imp_part_holders(const part *p, const cells *c, const int cell[3], int rank[PARITIES]);
/* This rank's bricks, and the window of their cells with the first ones beyond. */
void imp_part_window(const part *p, cells *c);

/* The functions of a halo (halo.h); self is a part. */
void imp_part_claim(void *self, imp_granular *g, int from);
bool imp_part_migrate(void *self, imp_granular *g);
bool imp_part_carry(void *self, imp_granular *g);
bool imp_part_plan(void *self, imp_granular *g);
void imp_part_swap(void *self, const swept_bodies *all, int parity, bool backward);
void imp_part_add_up(void *self, body *all, const body *before);
void imp_part_spread(void *self, body *all);

#endif
