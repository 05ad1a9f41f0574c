/* exact.h - units that are powers of two: data in them differ from data in SI in exponents alone,
 * so that nothing is rounded, overflows or vanishes. Internal. */
#ifndef IMP_EXACT_H
#define IMP_EXACT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The e with |x| 2^-e in [1/2, 1); 0 for 0. */
static inline int imp_exponent(double x) {
    int e = 0;
    (void)frexp(x, &e);
    return e;
}

/* The same, but such that 2^e and 2^-e are normal numbers, and factors. */
static inline int imp_factor_exponent(double x) {
    const int e = imp_exponent(x);
    return e < -1020 ? -1020 : e > 1020 ? 1020 : e;
}

/* x (n) <- x 2^exponent, by a product where the power is a number. */
static inline void imp_shift(double *x, size_t n, int exponent) {
    const bool plain = exponent > -1000 && exponent < 1000;
    const double factor = plain ? ldexp(1, exponent) : 0;
    for (size_t i = 0; i < n; i++)
        x[i] = plain ? factor * x[i] : ldexp(x[i], exponent);
}

/* The largest |x| of n, each `stride` after the one before it; NaN are passed over. */
static inline double imp_largest(const double *x, size_t n, size_t stride) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fabs(x[i * stride]) > most ? fabs(x[i * stride]) : most;
    return most;
}

#endif
