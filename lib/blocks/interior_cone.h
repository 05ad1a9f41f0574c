/* interior_cone.h - the algebra of the second-order cone x_0 >= |x_T| in three dimensions.
 *
 * Private to lib/blocks. x o y = (x'y, x_0 y_T + y_0 x_T), L(x) its matrix, det x = x_0^2 - |x_T|^2,
 * Q(x) = 2 x x' - det x diag(1, -1, -1) (Alizadeh, Goldfarb 2003, "Second-order cone programming", section 4). */
#ifndef IMP_INTERIOR_CONE_H
#define IMP_INTERIOR_CONE_H

#include <math.h>

static inline double cone_det(const double x[3]) {
    const double length = sqrt(x[1] * x[1] + x[2] * x[2]);
    return (x[0] - length) * (x[0] + length);
}

/* y <- x o z */
static inline void cone_product(const double x[3], const double z[3], double y[3]) {
    y[0] = x[0] * z[0] + x[1] * z[1] + x[2] * z[2];
    y[1] = x[0] * z[1] + z[0] * x[1];
    y[2] = x[0] * z[2] + z[0] * x[2];
}

/* y <- L(x)^-1 b */
static inline void cone_divide(const double x[3], const double b[3], double y[3]) {
    y[0] = (x[0] * b[0] - x[1] * b[1] - x[2] * b[2]) / cone_det(x);
    y[1] = (b[1] - y[0] * x[1]) / x[0];
    y[2] = (b[2] - y[0] * x[2]) / x[0];
}

/* a'Q(x)^-1 b: the inner product in which every x is as far from the cone's boundary as e = (1, 0, 0). */
static inline double cone_inner(const double x[3], const double a[3], const double b[3]) {
    const double det = cone_det(x);
    const double xa = x[0] * a[0] - x[1] * a[1] - x[2] * a[2], xb = x[0] * b[0] - x[1] * b[1] - x[2] * b[2];
    return (2 * xa * xb / det - (a[0] * b[0] - a[1] * b[1] - a[2] * b[2])) / det;
}

/* The largest step <= most for which x + step d is in the cone: det (x + t d) = det x + 2 b t + a t^2. */
static inline double cone_reach(const double x[3], const double d[3], double most) {
    const double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2], b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    const double c = cone_det(x), root = sqrt(fmax(0, b * b - a * c));
    double reach = d[0] < 0 ? -x[0] / d[0] : INFINITY;
    if (b < 0 && b * b >= a * c)
        reach = fmin(reach, c / (root - b));
    else if (a < 0)
        reach = fmin(reach, (-b - root) / a);
    return fmin(most, reach);
}

#endif
