/* dd_lanes.h - double-double arithmetic (dd.h) on several numbers at once, operation by operation. Internal. */
#ifndef IMP_DD_LANES_H
#define IMP_DD_LANES_H

#include "base/lanes.h"

typedef struct vdd {
    vec hi, lo;
} vdd;

static inline vdd vdd_tidy(vec a, vec b) {
    const vec hi = a + b;
    return (vdd){hi, b - (hi - a)};
}

static inline vdd vdd_product(vec a, vec b) {
    const vec p = a * b;
    return (vdd){p, product_rest(a, b, p)};
}

static inline vdd vdd_shift(vdd a, vec b) {
    return (vdd){a.hi * b, a.lo * b};
}

static inline vdd vdd_add(vdd a, vdd b) {
    const vec hi = a.hi + b.hi, back = hi - a.hi;
    return vdd_tidy(hi, ((a.hi - (hi - back)) + (b.hi - back)) + (a.lo + b.lo));
}

static inline vdd vdd_sub(vdd a, vdd b) {
    return vdd_add(a, (vdd){-b.hi, -b.lo});
}

static inline vdd vdd_mul(vdd a, vdd b) {
    const vdd p = vdd_product(a.hi, b.hi);
    return vdd_tidy(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline vdd vdd_times(vdd a, vec b) {
    const vdd p = vdd_product(a.hi, b);
    return vdd_tidy(p.hi, p.lo + a.lo * b);
}

#endif
