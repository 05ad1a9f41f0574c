/* halo.h - what a flow that is one part of a larger one asks of the ranks around it. It knows no
 * ranks itself: who holds the other parts fills this in, and a whole flow has none (NULL). */
#ifndef IMP_GRANULAR_HALO_H
#define IMP_GRANULAR_HALO_H

#include "granular/granular.h"

struct body;
struct swept_bodies;

typedef struct halo {
    void *self; /* first argument of all that follow */
    /* The largest of numbers >= 0 and the sums over all parts, in place. */
    void (*reduce)(void *self, int maxima, double *most, int sums, int64_t *sum);
    /* The particles from number `from` on are new, and the same in all parts: marks which are this
     * part's own. */
    void (*claim)(void *self, imp_granular *flow, int from);
    /* Before a list: particles and kept impulses to the parts that hold them next; what arrives is
     * in no order yet. */
    bool (*migrate)(void *self, imp_granular *flow);
    /* The impulses that arrived, carried to the new list. */
    bool (*carry)(void *self, imp_granular *flow);
    /* After a list: marks copies, and plans who sends which velocities when. */
    bool (*plan)(void *self, imp_granular *flow);
    /* After a parity of a sweep: velocities to the parts that need them next. */
    void (*swap)(void *self, const struct swept_bodies *all, int parity, bool backward);
    /* After a sweep that all parts made alone from the velocities `before`: the owner adds what its
     * copies changed. */
    void (*add_up)(void *self, struct body *bodies, const struct body *before);
    /* The owner's velocities to its copies. */
    void (*spread)(void *self, struct body *bodies);
    void (*free)(void *self);
} halo;

static inline void imp_halo_reduce(const halo *h, int maxima, double *most, int sums,
                                   int64_t *sum) {
    if (h) h->reduce(h->self, maxima, most, sums, sum);
}

#endif
