/* finite.h - is anything infinite or not a number, or is it all 0? Internal. */
#ifndef IMP_FINITE_H
#define IMP_FINITE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static inline bool imp_all_finite(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static inline bool imp_all_zero(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0) return false;
    return true;
}

/* Is a whole array finite? */
#define imp_finite(array) imp_all_finite(array, sizeof(array) / sizeof *(array))

#endif
