/* slip_curve.h - the slipping solutions of a contact as the zeros of one function of one variable;
 * LANES contacts.
 *
 * Preclik, Eibl, Ruede (2017), Fig. 1, lower half, on the plane u_n = 0. With H = T - a a'/A_nn and
 * g = b_to - a b_n/A_nn a slip is (H + kappa I) z = g, A_nn |z| = mu (b_n - a.z), kappa > 0.
 * Multiplied by D = det(H + kappa I) > 0 and with y = adj(H + kappa I) g = w + kappa g, w = adj(H)
 * g, this is
 *
 *     phi(kappa) = L(kappa) - f |w + kappa g| = 0,    L = mu (b_n D - a.y) quadratic, f = A_nn.
 *
 * No division by A_nn occurs when H, g and kappa are taken A_nn times as large: all coefficients
 * are polynomials in the data, evaluated in double-double. Internal. */
#ifndef IMP_SLIP_CURVE_H
#define IMP_SLIP_CURVE_H

#include "base/dd.h"

typedef struct slip_curve {
    dd trace, det, g[2], w[2]; /* of A_nn H; y = w + k g, w.g > 0 */
    /* L = square k^2 + linear k + constant; square has the sign of b_n */
    dd square, linear, constant;
    vec noise[3]; /* rounding of phi is below noise_0 + noise_1 k + noise_2 k^2, for
                                    k >= 0 */
} slip_curve;

/* What enters A_nn H, g and w, in absolute values. */
typedef struct slip_terms {
    vec H, g, w;
} slip_terms;

/* g, and what H enters alone; H (tt to oo) is A_nn H. */
static inline void slip_begin(slip_curve *s, vec A, const vec a[2], const vec T[3], const vec b[3],
                              dd H[3]) {
    H[0] = dd_sub(dd_product(A, T[0]), dd_product(a[0], a[0]));
    H[1] = dd_sub(dd_product(A, T[1]), dd_product(a[0], a[1]));
    H[2] = dd_sub(dd_product(A, T[2]), dd_product(a[1], a[1]));
    s->trace = dd_add(H[0], H[2]);
    s->det = dd_sub(dd_mul(H[0], H[2]), dd_mul(H[1], H[1]));
    for (int i = 0; i < 2; i++)
        s->g[i] = dd_sub(dd_product(A, b[1 + i]), dd_product(a[i], b[0]));
}

/* The rest of the curve, where f |z| <= m A_nn x_n is the cone and g is `unit` times that of
 * slip_begin, a power of two. Its noise is 2^-99 of what enters, eight times what a handful of
 * operations can do. */
static inline slip_terms slip_end(slip_curve *s, vec A, const vec a[2], const vec T[3],
                                  const vec b[3], const dd H[3], vec m, vec f, vec unit) {
    const vec tiny = fill(0x1p-99), push = size_of(a[0]) + size_of(a[1]);
    s->w[0] = dd_sub(dd_mul(H[2], s->g[0]), dd_mul(H[1], s->g[1]));
    s->w[1] = dd_sub(dd_mul(H[0], s->g[1]), dd_mul(H[1], s->g[0]));
    const dd ag = dd_add(dd_times(s->g[0], a[0]), dd_times(s->g[1], a[1]));
    const dd aw = dd_add(dd_times(s->w[0], a[0]), dd_times(s->w[1], a[1]));
    s->square = dd_shift(dd_product(m, b[0]), unit);
    s->linear = dd_sub(dd_mul(s->square, s->trace), dd_times(ag, m));
    s->constant = dd_sub(dd_mul(s->square, s->det), dd_times(aw, m));
    slip_terms t = {.H = fill(2) * A * (T[0] + T[2])};
    t.g = (A * (size_of(b[1]) + size_of(b[2])) + push * size_of(b[0])) * unit;
    t.w = t.H * (size_of(s->g[0].hi) + size_of(s->g[1].hi)) + s->trace.hi * t.g;
    const vec P = size_of(s->square.hi), Q = m * push + f;
    s->noise[0] = tiny * (P * s->trace.hi * t.H + Q * t.w);
    s->noise[1] = tiny * (P * t.H + Q * t.g);
    s->noise[2] = tiny * P;
    return t;
}

/* How far friction x_to is from the normal of the conic, the direction of maximum dissipation;
 * *scale <- what enters.
 */
static inline vec off_normal(vec m, vec f, const vec a[2], vec x1, vec x2, vec *scale) {
    const vec one = m * x1 * a[1], other = m * x2 * a[0], length = root(x1 * x1 + x2 * x2);
    const vec N0 = f * x1 + m * length * a[0], N1 = f * x2 + m * length * a[1];
    *scale = size_of(one) + size_of(other) + size_of(N0) + size_of(N1);
    return size_of(one - other);
}

#endif
