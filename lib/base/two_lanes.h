/* two_lanes.h - two doubles at once, as every 64-bit CPU can; each rounds as one alone does.
 * Internal. */
#ifndef IMP_TWO_LANES_H
#define IMP_TWO_LANES_H

#include <string.h>

typedef double two_lanes __attribute__((vector_size(16)));

/* (x[0], x[1]), wherever they stand. */
static inline two_lanes two_of(const double *x) {
    two_lanes lanes;
    memcpy(&lanes, x, sizeof lanes);
    return lanes;
}

#endif
