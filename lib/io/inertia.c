/* inertia.c - what a body's inertia may be. */
#include "io/inertia.h"

#include <math.h>
#include <stdbool.h>

/* M = L D L', D the pivots; false unless positive definite to 1e-12 of its own diagonal. */
static bool is_positive(const double M[9]) {
    const double d0 = M[0];
    if (!(d0 > 0)) return false;
    const double d1 = M[4] - M[3] / d0 * M[3], s = M[7] - M[6] / d0 * M[3];
    if (!(d1 > 1e-12 * M[4])) return false;
    const double d2 = M[8] - M[6] / d0 * M[6] - s / d1 * s;
    return d2 > 1e-12 * M[8];
}

/* No principal moment above the sum of the others: trace(I)/2 E - I is positive semidefinite. */
static bool is_triangle(const double I[9]) {
    const double trace = I[0] + I[4] + I[8];
    double M[9];
    for (int k = 0; k < 9; k++)
        M[k] = -I[k] / trace;
    for (int k = 0; k < 9; k += 4)
        M[k] += 0.5 + 1e-9;
    return is_positive(M);
}

imp_status imp_inertia_of_masses(const double I[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            if (fabs(I[3 * i + j] - I[3 * j + i]) >
                1e-12 * sqrt(fabs(I[4 * i])) * sqrt(fabs(I[4 * j])))
                return IMP_NOT_SYMMETRIC;
    if (!is_positive(I)) return IMP_NOT_POSITIVE;
    return is_triangle(I) ? IMP_OK : IMP_BAD_ARGUMENT;
}
