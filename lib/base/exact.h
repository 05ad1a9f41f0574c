/* exact.h - units that are powers of two: data in them differ from data in SI in exponents alone,
 * so that nothing is rounded, overflows or vanishes. Internal. */
#ifndef IMP_EXACT_H
#define IMP_EXACT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The e with |x| 2^-e in [1/2, 1); 0 for 0. */
static inline int imp_exponent(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int biased = (int)(bits >> 52 & 0x7ff);
    if (biased != 0 && biased != 0x7ff) return biased - 1022;
    int e = 0;
    (void)frexp(x, &e);
    return e;
}

/* The same, but such that 2^e and 2^-e are normal numbers, and factors. */
static inline int imp_factor_exponent(double x) {
    const int e = imp_exponent(x);
    return e < -1020 ? -1020 : e > 1020 ? 1020 : e;
}

/* Is 2^exponent a normal number, so that a product with it rounds once? */
static inline bool imp_normal_exponent(int exponent) {
    return exponent >= -1022 && exponent <= 1023;
}

/* x 2^exponent, rounded once: to the bit what ldexp gives, by a product where that does it. */
static inline double imp_ldexp(double x, int exponent) {
    if (!imp_normal_exponent(exponent)) return ldexp(x, exponent);
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return x * power;
}

/* x (n) <- x 2^exponent */
static inline void imp_shift(double *x, size_t n, int exponent) {
    if (imp_normal_exponent(exponent)) {
        const double power = imp_ldexp(1, exponent);
        for (size_t i = 0; i < n; i++)
            x[i] *= power;
    } else {
        for (size_t i = 0; i < n; i++)
            x[i] = ldexp(x[i], exponent);
    }
}

/* The larger of two, in line; of a number and a NaN the number, as by fmax. */
static inline double imp_larger(double x, double y) {
    return x > y || isnan(y) ? x : y;
}

/* The largest |x| of n, each `stride` after the one before it; NaN are passed over. */
static inline double imp_largest(const double *x, size_t n, size_t stride) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fabs(x[i * stride]) > most ? fabs(x[i * stride]) : most;
    return most;
}

#endif
