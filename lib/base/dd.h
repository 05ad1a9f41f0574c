/* dd.h - double-double arithmetic: a number as the unevaluated sum hi + lo of two doubles, about 32
 * digits; as many of them at once as a `vec` has lanes (lanes.h).
 *
 * Dekker (1971), "A floating-point technique for extending the available precision"; Knuth, TAOCP
 * vol. 2, 4.2.2.
 * Used where a sign decides how many solutions there are: the data of a contact are exact doubles,
 * so the sign is a fact about them. Every operation is right to a few 2^-105 of the absolute values
 * that enter it (not of a result that cancels), as long as nothing leaves 2^-900 .. 2^960.
 * Internal. */
#ifndef IMP_DD_H
#define IMP_DD_H

#include "base/lanes.h"

#include <float.h>

/* 1: float alone is computed in double, as on s390x */
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1,
               "double-double needs each operation rounded to double");

typedef struct dd {
    vec hi, lo; /* |lo| <= half a unit in the last place of hi: hi is the number rounded */
} dd;

/* a + b exactly, |a| >= |b| */
static inline dd dd_tidy(vec a, vec b) {
    const vec hi = a + b;
    return (dd){hi, b - (hi - a)};
}

/* a b exactly */
static inline dd dd_product(vec a, vec b) {
    const vec p = a * b;
    return (dd){p, product_rest(a, b, p)};
}

static inline dd dd_add(dd a, dd b) {
    const vec hi = a.hi + b.hi, back = hi - a.hi;
    return dd_tidy(hi, ((a.hi - (hi - back)) + (b.hi - back)) + (a.lo + b.lo));
}

static inline dd dd_sub(dd a, dd b) {
    return dd_add(a, (dd){-b.hi, -b.lo});
}

static inline dd dd_mul(dd a, dd b) {
    const dd p = dd_product(a.hi, b.hi);
    return dd_tidy(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline dd dd_times(dd a, vec b) {
    const dd p = dd_product(a.hi, b);
    return dd_tidy(p.hi, p.lo + a.lo * b);
}

/* a b for a power of two b, exactly */
static inline dd dd_shift(dd a, vec b) {
    return (dd){a.hi * b, a.lo * b};
}

static inline dd dd_div(dd a, dd b) {
    const vec q = a.hi / b.hi;
    const dd rest = dd_sub(a, dd_times(b, q));
    return dd_tidy(q, rest.hi / b.hi);
}

/* a >= 0 */
static inline dd dd_sqrt(dd a) {
    const vec zero = fill(0), r = root(larger(a.hi, zero));
    const mask positive = less(zero, a.hi);
    const dd rest = dd_sub(a, dd_product(r, r)), sum = dd_tidy(r, rest.hi / (fill(2) * r));
    return (dd){choose(positive, sum.hi, zero), choose(positive, sum.lo, zero)};
}

/* x_1 y_1 + x_2 y_2 and x_1 y_2 - x_2 y_1 */
static inline dd dd_dot(const dd x[2], const dd y[2]) {
    return dd_add(dd_mul(x[0], y[0]), dd_mul(x[1], y[1]));
}

static inline dd dd_cross(const dd x[2], const dd y[2]) {
    return dd_sub(dd_mul(x[0], y[1]), dd_mul(x[1], y[0]));
}

#endif
