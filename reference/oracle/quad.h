/* quad.h - arithmetic with 113 bits, and the real roots of polynomials in it. Needs no library. */
#ifndef QUAD_H
#define QUAD_H

#include <float.h>
#include <math.h>

#if LDBL_MANT_DIG == 113
typedef long double quad;
#else
__extension__ typedef __float128 quad;
#endif

static inline quad quad_abs(quad x) {
    return x < 0 ? -x : x;
}

/* The square root of x >= 0: two Newton steps from 64 (or more) bits. */
static inline quad quad_sqrt(quad x) {
    quad y = sqrtl((long double)x);
    for (int i = 0; i < 2 && y > 0; i++)
        y = (y + x / y) / 2;
    return y;
}

enum { QUAD_DEGREE = 4 };

/* root <- the real roots in (low, high] of c[0] + c[1] x + ... + c[4] x^4 at which it changes sign
 * or is exactly zero, ascending, to the last bits. Returns how many; -1 when all coefficients are
 * zero. */
int quad_roots(const quad c[QUAD_DEGREE + 1], quad low, quad high, quad root[QUAD_DEGREE]);

#endif
