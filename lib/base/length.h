/* length.h - |(x, y)|, with the same bits on every machine: the C library's hypot rounds by other
 * formulas where the processor has a fused multiply-add.
 *
 * C. F. Borges (2019), "An improved algorithm for hypot(a, b)", corrected without fused
 * multiply-add. Wrong by less than a unit in the last place, without overflow or underflow on the
 * way. Internal. */
#ifndef IMP_LENGTH_H
#define IMP_LENGTH_H

#include <math.h>

/* Of x >= y >= 0 whose squares are of normal size: the root, corrected by what it leaves of
 * x^2 + y^2, in terms that are nearly exact. */
static inline double imp_length_in_range(double x, double y) {
    const double root = sqrt(x * x + y * y);
    double rest;
    if (root <= 2 * y) {
        const double over = root - y;
        rest = x * (2 * over - x) + (over - 2 * (x - y)) * over;
    } else {
        const double over = root - x;
        rest = 2 * over * (x - 2 * y) + ((4 * over - y) * y + over * over);
    }
    return root - rest / (2 * root);
}

/* Of the others x >= y, or what is no number. */
static inline double imp_length_out_of_range(double x, double y) {
    if (!isfinite(x) || !isfinite(y)) return isinf(x) || isinf(y) ? INFINITY : x + y;
    if (y <= x * 0x1p-54) return x + y;
    if (x > 0x1p511) return imp_length_in_range(x * 0x1p-600, y * 0x1p-600) * 0x1p600;
    return imp_length_in_range(x * 0x1p600, y * 0x1p600) * 0x1p-600;
}

/* sqrt(x^2 + y^2); infinite where one of them is, NaN where one is and none is infinite. */
static inline double imp_length(double x, double y) {
    x = fabs(x), y = fabs(y);
    const double large = x < y ? y : x, small = x < y ? x : y;
    return large <= 0x1p511 && small >= 0x1p-459 && small > large * 0x1p-54
               ? imp_length_in_range(large, small)
               : imp_length_out_of_range(large, small);
}

/* |x| of three, by two of these. */
static inline double imp_length3(const double x[3]) {
    return imp_length(x[0], imp_length(x[1], x[2]));
}

#endif
