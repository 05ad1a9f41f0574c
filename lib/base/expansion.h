/* expansion.h - a number as the sum of doubles, with nothing rounded: signs of polynomials in the
 * data that no fixed precision decides.
 *
 * Shewchuk (1997), "Adaptive precision floating-point arithmetic and fast robust geometric
 * predicates", Grow-Expansion with zeros left out. Exact as long as no product leaves the range of
 * normal numbers. Internal. */
#ifndef IMP_EXPANSION_H
#define IMP_EXPANSION_H

#define IMP_ONE_LANE
#include "base/dd.h"

enum { IMP_EXPANSION_MOST = 160 };

typedef struct expansion {
    int n; /* 0: the number 0 */
    /* smallest first, none 0, no two with a bit of the same weight: the last has the sign */
    double x[IMP_EXPANSION_MOST];
} expansion;

/* e += b */
static inline void expansion_add(expansion *e, double b) {
    int kept = 0;
    for (int i = 0; i < e->n; i++) {
        const double sum = b + e->x[i], part = sum - b,
                     rest = (b - (sum - part)) + (e->x[i] - part); /* Knuth: b + x = sum + rest */
        if (rest != 0) e->x[kept++] = rest;
        b = sum;
    }
    if (b != 0) e->x[kept++] = b;
    e->n = kept;
}

/* e += sign a b, for sign 1 or -1; e is neither a nor b. It has room for 2 more per pair. */
static inline void expansion_add_product(expansion *e, const expansion *a, const expansion *b,
                                         double sign) {
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++) {
            const dd p = dd_product(a->x[i], sign * b->x[j]);
            expansion_add(e, p.lo);
            expansion_add(e, p.hi);
        }
}

static inline expansion expansion_of(double x) {
    return (expansion){.n = x != 0, .x = {x}};
}

/* The number rounded, to an ulp: 0 for 0 alone. */
static inline double expansion_value(const expansion *e) {
    double sum = 0;
    for (int i = 0; i < e->n; i++)
        sum += e->x[i];
    return sum;
}

#endif
