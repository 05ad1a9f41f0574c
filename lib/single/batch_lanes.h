/* batch_lanes.h - what the lane forms of the solvers share: problems out of columns, tests of data,
 * and the search in groups of contacts. Included by one file per instruction set. Internal to
 * lib/single. */
#ifndef IMP_BATCH_LANES_H
#define IMP_BATCH_LANES_H

#include "base/lanes.h"
#include "single/batch_kernel.h"

/* A kernel of so many lanes, in a file that may be compiled for fewer: the build has none then. */
#define IMP_BATCH_KERNEL(lanes)                                                                    \
    { LANES == (lanes) ? LANES : 0, LANES == (lanes) ? solve_chunk : NULL }

/* LANES problems from number i of the columns on. */
static inline void load_data(const imp_batch_columns *c, size_t i, vec W[6], vec q[3], vec *mu,
                             vec *e) {
    for (int k = 0; k < 6; k++)
        W[k] = load(c->W[k] + i);
    for (int k = 0; k < 3; k++)
        q[k] = load(c->q[k] + i);
    *mu = load(c->mu + i);
    *e = c->e ? load(c->e + i) : fill(0);
}

/* Is the problem finite, where sums of differences are 0, and in the range of the coefficients? */
static inline mask good_data(const vec W[6], const vec q[3], vec mu, vec e) {
    vec difference = (mu - mu) + (e - e);
    for (int i = 0; i < 6; i++)
        difference = difference + (W[i] - W[i]);
    for (int i = 0; i < 3; i++)
        difference = difference + (q[i] - q[i]);
    const vec zero = fill(0);
    const mask in_range = both(both(at_most(zero, mu), at_most(zero, e)), at_most(e, fill(1)));
    return both(in_range, at_most(difference, zero));
}

static inline mask between(double least, vec x, double most) {
    return both(at_most(fill(least), x), at_most(x, fill(most)));
}

/* Notes the lanes of group k that are not done. */
static inline void leave(uint64_t *left, size_t k, mask done) {
    left[k * LANES / 64] |= (uint64_t)(~bits_of(done) & ((1u << LANES) - 1)) << (k * LANES % 64);
}

/* Takes steps in groups of lanes until each has stopped or `most` are taken; every pass takes one
 * step in each group that goes on, so that none waits for another. step(groups, i): one of group i;
 * false when all its lanes stopped. */
static inline __attribute__((always_inline)) void step_groups(void *groups,
                                                              bool (*step)(void *, size_t),
                                                              const size_t *which, size_t count,
                                                              int most) {
    size_t active[IMP_BATCH_MOST], left = count;
    for (size_t k = 0; k < count; k++)
        active[k] = which[k];
    for (int pass = 0; pass < most && left > 0; pass++) {
        const size_t now = left;
        left = 0;
        for (size_t k = 0; k < now; k++) {
            const size_t i = active[k];
            active[left] = i;
            left += step(groups, i);
        }
    }
}

#endif
