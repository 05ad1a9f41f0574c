/* ranks.h - a granular flow on many processes: each rank holds a block of bricks of the room.
 *
 * Preclik, Eibl, Ruede (2017), section 4.3: 16 x 10 x 4 subdomains, one per process. A rank sweeps
 * its bricks and holds, beside the particles of their cells, copies of those in the first cells
 * beyond (width: a diameter and the skin). Bricks are swept parity by parity as in a whole flow;
 * after each parity the velocities that it changed go to the ranks that hold a copy and need it
 * next. So every number is, bit by bit, that of the flow on one rank. Departure: the paper's
 * program damps what ranks do to each other's particles, and its results depend on their number;
 * imp_granular_settings.blend does the same.
 *
 * The library knows no message passing of its own: an imp_transport does it. All functions but
 * imp_granular_traffic_of are collective; a part belongs to one thread at a time. */
#ifndef IMP_GRANULAR_RANKS_H
#define IMP_GRANULAR_RANKS_H

#include "granular/granular.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* Bytes from one rank to another. */
typedef struct imp_message {
    int rank;    /* to or from */
    size_t size; /* bytes */
    void *data;  /* (size) sent, or room for what comes */
} imp_message;

/* What ranks say to each other. A failure there is the transport's to handle: it ends the
 * program. */
typedef struct imp_transport {
    int rank, ranks; /* this one, from 0, and how many there are */
    void *context;   /* given to each of the functions */
    /* The largest of `maxima` numbers >= 0 and the sums of `sums`, in place, on all ranks. */
    void (*reduce)(void *context, int maxima, double *most, int sums, int64_t *sum);
    /* Messages whose sizes both sides know. */
    void (*swap)(void *context, int sends, const imp_message *send, int receives,
                 const imp_message *receive);
    /* Messages nobody expects: `take` is called for each that arrives, in any order; false: no
     * memory. */
    bool (*deliver)(void *context, int sends, const imp_message *send, void *into,
                    bool (*take)(void *into, const void *data, size_t size));
    /* Ends all ranks, when one alone cannot go on. The library does not call it. */
    void (*give_up)(void *context, const char *why);
} imp_transport;

/* A grid of that many ranks with the least surface that has no more places than there are bricks in
 * a direction, where their number is given; where it is not, along x only. false: there is none.
 * Thread-safe. */
bool imp_granular_grid(const imp_granular_settings *settings, int ranks, int grid[3]);

/* The part of a whole flow that transport->rank is to hold in a grid of ranks, x slowest. The whole
 * flow, the same on every rank, is not changed and not needed afterwards. The part steps by
 * imp_granular_step, on all ranks together; its reports and counts are of the whole flow, but
 * shape_impulse is of this rank's contacts, and imp_granular_count, imp_granular_sphere and
 * imp_granular_contacts see what it holds. IMP_NO_MEMORY on one rank is for the caller to tell the
 * others. NULL with *status IMP_BAD_ARGUMENT (the grid has not as many places as there are ranks)
 * or IMP_NO_MEMORY. */
imp_granular *imp_granular_part(const imp_granular *whole, const imp_transport *transport,
                                const int grid[3], imp_status *status);

/* The whole flow on rank 0, in `whole`, a flow made with the same settings, shapes and inflow;
 * elsewhere NULL. Saved, it is the checkpoint that the flow on one rank would have written. IMP_OK,
 * or IMP_NO_MEMORY on all ranks: what one of them could not send, the first does not have. */
imp_status imp_granular_gather(const imp_granular *part, imp_granular *whole);

/* bricks (3) <- those along each direction that a flow which has its neighbour list, one step on or
 * resumed, is cut into: what the settings ask for, but at most one for each grid cell. */
void imp_granular_bricks(const imp_granular *flow, int bricks[3]);

/* What a rank holds and sends. */
typedef struct imp_granular_traffic {
    int own, copies, bricks;      /* particles, copies of others' particles, bricks */
    int neighbours;               /* ranks it sends to while sweeping */
    int messages, bodies;         /* sent in one sweep over all parities */
    size_t bytes;                 /* the same */
    int most_messages;            /* sent after one parity */
    long long lists;              /* neighbour lists made since the part was */
    long long moved, moved_bytes; /* particles, copies and impulses sent for them, to other ranks */
    int ranks;                    /* how many there are */
} imp_granular_traffic;

/* All zero for a whole flow. Not collective. */
imp_granular_traffic imp_granular_traffic_of(const imp_granular *part);

IMP_PUBLIC_END

#endif
