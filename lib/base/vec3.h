/* vec3.h - arithmetic of 3-vectors, 3 x 3 row-major matrices and unit quaternions (w, x, y, z), for
 * the .c files that need it; not part of the umbrella header. */
#ifndef IMP_VEC3_H
#define IMP_VEC3_H

#include <math.h>

static inline double dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double norm3(const double a[3]) {
    return sqrt(dot3(a, a));
}

static inline void cross3(const double a[3], const double b[3], double c[3]) {
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
                 z = a[0] * b[1] - a[1] * b[0];
    c[0] = x;
    c[1] = y;
    c[2] = z;
}

/* c <- a - b */
static inline void sub3(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++)
        c[i] = a[i] - b[i];
}

/* y += s x */
static inline void add3(double s, const double x[3], double y[3]) {
    for (int i = 0; i < 3; i++)
        y[i] += s * x[i];
}

/* y += a x b */
static inline void add_cross3(const double a[3], const double b[3], double y[3]) {
    double c[3];
    cross3(a, b, c);
    add3(1, c, y);
}

/* y <- A x, and y <- A' x; y may be x */
static inline void apply3(const double A[9], const double x[3], double y[3]) {
    const double a = dot3(A, x), b = dot3(A + 3, x), c = dot3(A + 6, x);
    y[0] = a;
    y[1] = b;
    y[2] = c;
}

static inline void apply3_transposed(const double A[9], const double x[3], double y[3]) {
    const double a = A[0] * x[0] + A[3] * x[1] + A[6] * x[2],
                 b = A[1] * x[0] + A[4] * x[1] + A[7] * x[2],
                 c = A[2] * x[0] + A[5] * x[1] + A[8] * x[2];
    y[0] = a;
    y[1] = b;
    y[2] = c;
}

/* C <- A B. */
static inline void multiply3(const double A[9], const double B[9], double C[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/* packed (nn, nt, no, tt, to, oo) <- a 3 x 3 Delassus block; the mean of entries that mirror each
 * other */
static inline void pack3(const double A[9], double packed[6]) {
    const double W[6] = {A[0], 0.5 * A[1] + 0.5 * A[3], 0.5 * A[2] + 0.5 * A[6],
                         A[4], 0.5 * A[5] + 0.5 * A[7], A[8]};
    for (int k = 0; k < 6; k++)
        packed[k] = W[k];
}

/* C <- R A R' for symmetric A, symmetric to the last bit */
static inline void congruent3(const double R[9], const double A[9], double C[9]) {
    double half[9]; /* rows (A R_i')' */
    for (int i = 0; i < 3; i++)
        apply3(A, R + 3 * i, half + 3 * i);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            C[3 * i + j] = C[3 * j + i] = dot3(R + 3 * i, half + 3 * j);
}

/* R <- the rotation of a quaternion of any non-zero length */
static inline void rotation3(const double a[4], double R[9]) {
    const double s = 2 / (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
    const double w = a[0], x = a[1], y = a[2], z = a[3];
    R[0] = 1 - s * (y * y + z * z), R[1] = s * (x * y - w * z), R[2] = s * (x * z + w * y);
    R[3] = s * (x * y + w * z), R[4] = 1 - s * (x * x + z * z), R[5] = s * (y * z - w * x);
    R[6] = s * (x * z - w * y), R[7] = s * (y * z + w * x), R[8] = 1 - s * (x * x + y * y);
}

/* a <- the unit quaternion of a rotation, its largest component positive and found first (Shepperd
 * 1978) */
static inline void quaternion3(const double R[9], double a[4]) {
    const double trace = R[0] + R[4] + R[8],
                 square[4] = {1 + trace, 1 + 2 * R[0] - trace, 1 + 2 * R[4] - trace,
                              1 + 2 * R[8] - trace};
    const double product[4][4] = {{square[0], R[7] - R[5], R[2] - R[6], R[3] - R[1]},
                                  {R[7] - R[5], square[1], R[1] + R[3], R[2] + R[6]},
                                  {R[2] - R[6], R[1] + R[3], square[2], R[5] + R[7]},
                                  {R[3] - R[1], R[2] + R[6], R[5] + R[7], square[3]}};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[k]) k = i;
    for (int i = 0; i < 4; i++)
        a[i] = product[k][i] / (2 * sqrt(square[k]));
}

/* c <- a b, the rotation b followed by a; c may overlap */
static inline void multiply4(const double a[4], const double b[4], double c[4]) {
    const double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    const double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    const double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    const double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    c[0] = w, c[1] = x, c[2] = y, c[3] = z;
}

static inline void normalise4(double a[4]) {
    const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
    for (int i = 0; i < 4; i++)
        a[i] /= length;
}

/* a <- the unit quaternion of the rotation vector r (angle |r|, axis r / |r|) */
static inline void exponential4(const double r[3], double a[4]) {
    const double angle = norm3(r), s = angle > 0 ? sin(angle / 2) / angle : 0.5;
    a[0] = cos(angle / 2);
    for (int i = 0; i < 3; i++)
        a[1 + i] = s * r[i];
}

#endif
