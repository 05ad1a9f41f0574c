/* darboux_slip.h - the slip of the Darboux-Keller process of LANES contacts: its rates, its Taylor
 * series, the rays, and where it ends.
 *
 * Normal last as in the source: (x, y, z) = (t, o, n), K = W, M = K[xy, xy], b = K[xy, z], v = u_xy
 * = r w, |w| = 1. While slipping, with A = mu M, r' = g = w.b - w.A w,   r angle' = f = w'.b - w'.A
 * w,   u_z' = h = K33 - mu w.b (by p_z; w' = w turned left) and f = 0 are the rays. Symmetric
 * matrices are (xx, xy, yy). Internal. */
#ifndef IMP_DARBOUX_SLIP_H
#define IMP_DARBOUX_SLIP_H

#include "base/dd.h"
#include "single/darboux.h"

#include <float.h>

/* Loops of constant length laid out flat: most of them are shorter than a mispredicted branch. */
#define FLAT _Pragma("GCC unroll 32")

/* The slip as seen in a frame: A and b turned by its direction, and the rates in that direction (df
 * = df/dangle). */
typedef struct rates {
    vec A11, A12, A22, b1, b2, g, f, h, df;
} rates;

static inline rates rates_at(const vec A[3], const vec b[2], vec K33, vec mu, const vec w[2]) {
    const vec cc = w[0] * w[0], cs = w[0] * w[1], ss = w[1] * w[1], two = fill(2);
    rates k;
    k.A11 = A[0] * cc + two * A[1] * cs + A[2] * ss;
    k.A12 = A[1] * (cc - ss) + (A[2] - A[0]) * cs;
    k.A22 = A[0] * ss - two * A[1] * cs + A[2] * cc;
    k.b1 = b[0] * w[0] + b[1] * w[1];
    k.b2 = b[1] * w[0] - b[0] * w[1];
    k.g = k.b1 - k.A11;
    k.f = k.b2 - k.A12;
    k.h = K33 - mu * k.b1;
    k.df = -k.g - k.A22;
    return k;
}

/* The rates in another unit of the parameter. */
static inline rates rates_in(const rates *k, vec unit) {
    return (rates){k->A11 * unit, k->A12 * unit, k->A22 * unit, k->b1 * unit, k->b2 * unit,
                   k->g * unit,   k->f * unit,   k->h * unit,   k->df * unit};
}

/* The directions in which h changes sign, mu b.w = K33; 0 where there are none. length: |b|.
 * Returns where. */
static inline mask find_turns(const vec b[2], vec length, vec K33, vec mu, vec turn[2][2]) {
    const vec zero = fill(0), reach = mu * length, cosine = K33 / reach;
    const vec sine = root(larger((reach - K33) * (reach + K33), zero)) / reach;
    const vec c[2] = {b[0] / length, b[1] / length};
    const mask turns = less(K33, reach);
    for (int i = 0; i < 2; i++) {
        const vec s = i ? -sine : sine;
        turn[i][0] = choose(turns, cosine * c[0] - s * c[1], zero);
        turn[i][1] = choose(turns, cosine * c[1] + s * c[0], zero);
    }
    return turns;
}

/* ---- Taylor series ----
 *
 * With ds = dp_z/|v| the slip v' = |v| b - A v is entire in s. In the frame of the slip, with s in
 * a unit in which no rate is above 1, v = r (x, y) and |v| = r (x + d),
 *     x' = g x - A12 y + b1 d,   y' = f x - A22 y + b2 d,   d (2x + d) = y^2:
 * linear but for d, which is O(y^2), so that nothing cancels near a ray (f = 0). The ORDER is that
 * of the file that includes this one. */

static const double reciprocal[] = {
    0,        1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
    1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
    1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23,
    1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28, 1.0 / 29, 1.0 / 30};

/* d_k = sum of y_i y_(k-i) over pairs - sum of d_i H_(k-i), H = x + d/2, summed from the middle
 * outwards so that no sum waits for the newest terms before its end. */
static inline void taylor(const rates *k, vec x[ORDER + 1], vec y[ORDER + 1], vec d[ORDER + 1]) {
    const vec g = k->g, f = k->f, A12 = k->A12, A22 = k->A22, b1 = k->b1, b2 = k->b2;
    const vec zero = fill(0), half = fill(0.5);
    vec H[ORDER + 1];
    x[0] = H[0] = fill(1);
    x[1] = H[1] = g;
    y[0] = d[0] = d[1] = zero;
    y[1] = f;
    FLAT for (int n = 2; n <= ORDER; n++) {
        const vec over = fill(reciprocal[n]);
        const vec X = x[n - 1] * over, Y = y[n - 1] * over, D = d[n - 1] * over;
        x[n] = g * X - A12 * Y + b1 * D;
        y[n] = f * X - A22 * Y + b2 * D;
        vec squares = zero, low = zero, high = zero;
        if (n % 2 == 0) squares = half * y[n / 2] * y[n / 2];
        FLAT for (int i = (n - 1) / 2; i >= 1; i--) squares = squares + y[i] * y[n - i];
        FLAT for (int i = n / 2; i >= 2; i--) low = low + d[i] * H[n - i];
        FLAT for (int i = n / 2 + 1; i < n; i++) high = high + d[i] * H[n - i];
        d[n] = squares - low - high;
        H[n] = x[n] + half * d[n];
    }
}

/* x in [0, width] at which a function that starts at 0 with `slope` and ends at `whole` reaches
 * `part`: a parabola. */
static inline vec parabola(vec part, vec slope, vec whole, vec width) {
    const vec zero = fill(0), one = fill(1), over = one / (slope * width), scaled = part * over;
    const vec square = one + fill(4) * (whole * over - one) * scaled,
              x = fill(2) * scaled * width / (one + root(larger(square, zero)));
    const mask moving = less(zero, slope), rests = at_most(slope, zero);
    if (!any(rests)) return x;
    const vec curve = (whole / width - slope) / width;
    return choose(moving, x, choose(less(zero, curve), root(larger(part / curve, zero)), width));
}

/* ---- rays ----
 *
 * Let the ray be the x axis, tau = tan(angle/2) the place of the slip beside it and a^2 = r/(1 +
 * tau^2). The hodograph is linear in tau with polynomial coefficients,
 *     (a^2)' = k a^2 / q,   q = q1 tau + .. + q4 tau^4 = (1 + tau^2)^2 f/2,   k = k0 + .. + k3
 *     tau^3,
 * and so is the impulse: a^2 phi is the p_z left until r = 0, and -mu a^2 chi the p_xy, with
 *     q phi' + k phi = -(1 + tau^2)^2,   q chi' + k chi = -(1 - tau^4), -2 tau (1 + tau^2).
 * With eta = K33 phi - mu b.chi for the u_z left, the work left is u_end P - a^4 psi,
 *     q psi' + 2 k psi = -(1 + tau^2)^2 eta.
 * The solutions regular at the ray are power series with four-term recurrences, convergent up to
 * the next ray, real or complex. */

/* tan(angle/2) of the ray ahead in the present frame by Newton's method; `found`: where it is
 * looked for, and is one.
 */
static inline vec find_ray(const rates *k, mask *found) {
    const vec half = fill(0.5), two = fill(2), three = fill(3), least = fill(1e-9);
    const vec q0 = half * k->f, q1 = k->df, q2 = three * k->A12, q3 = k->A22 - k->A11 - k->b1,
              q4 = -half * (k->A12 + k->b2);
    vec t = -q0 / q1, step = t;
    for (int i = 0; i < 8; i++) { /* one more step than shown squares the error */
        const mask coarse = both(*found, less(least * size_of(t), size_of(step)));
        if (!any(coarse)) break;
        const vec value = q0 + t * (q1 + t * (q2 + t * (q3 + t * q4)));
        step = choose(coarse, value / (q1 + t * (two * q2 + t * (three * q3 + t * fill(4) * q4))),
                      step);
        t = choose(coarse, t - step, t);
    }
    const mask good = both(at_most(size_of(step), least * size_of(t)), less(size_of(t), fill(1)));
    *found = both(*found, both(good, less(fill(0), t * q0)));
    return t;
}

/* The polynomials about a ray in whose frame the rates are given, times the powers of tau, and the
 * last terms of the series at tau, newest first. */
typedef struct ray_terms {
    vec q[5], k[4], right[5][3], t2; /* right-hand sides of phi and chi */
    vec last[3][3], psi[3], eta[5];
    vec c[4]; /* the recurrence's coefficients of order j */
} ray_terms;

static inline void begin_ray(ray_terms *s, const rates *ray, vec tau) {
    const vec zero = fill(0), one = fill(1), two = fill(2), t2 = tau * tau, twist = two * ray->A12;
    *s = (ray_terms){.t2 = t2,
                     .right = {{one, one, zero},
                               {zero, zero, two * tau},
                               {two * t2, zero, zero},
                               {zero, zero, two * t2 * tau},
                               {t2 * t2, -t2 * t2, zero}}};
    s->q[1] = ray->df;
    s->q[2] = fill(3) * ray->A12 * tau;
    s->q[3] = (ray->A22 - ray->A11 - ray->b1) * t2;
    s->q[4] = -ray->A12 * t2 * tau;
    s->k[0] = ray->g;
    s->k[1] = -twist * tau;
    s->k[2] = (ray->b1 + ray->A11 - two * ray->A22) * t2;
    s->k[3] = twist * t2 * tau;
}

/* The terms of order j of phi and chi, into last[0]. A large one comes from a c_0 near zero
 * (resonance). */
static inline void next_impulse(ray_terms *s, int j) {
    for (int i = 0; i < 4; i++)
        s->c[i] = s->q[i + 1] * fill(j - i) + s->k[i];
    const vec over = fill(-1) / s->c[0];
    for (int i = 0; i < 3; i++) {
        const vec known = j < 5 ? s->right[j][i] : fill(0);
        const vec term =
            (known + s->c[3] * s->last[2][i] + s->c[2] * s->last[1][i] + s->c[1] * s->last[0][i]) *
            over;
        s->last[2][i] = s->last[1][i];
        s->last[1][i] = s->last[0][i];
        s->last[0][i] = term;
    }
}

/* That of psi, into psi[0]; b is that of the ray's frame. */
static inline void next_work(ray_terms *s, vec K33, vec mu, vec b1, vec b2) {
    const vec *term = s->last[0], *c = s->c, *k = s->k;
    for (int i = 4; i > 0; i--)
        s->eta[i] = s->eta[i - 1];
    s->eta[0] = K33 * term[0] - mu * (b1 * term[1] + b2 * term[2]);
    const vec known = s->eta[0] + fill(2) * s->t2 * s->eta[2] + s->t2 * s->t2 * s->eta[4];
    const vec psi = -(known + (c[3] + k[3]) * s->psi[2] + (c[2] + k[2]) * s->psi[1] +
                      (c[1] + k[1]) * s->psi[0]);
    s->psi[2] = s->psi[1];
    s->psi[1] = s->psi[0];
    s->psi[0] = psi * (fill(1) / (c[0] + k[0]));
}

/* w <- the direction of the diverging ray; the growth of r along it. The ray is the root lambda > 0
 * of |(lambda I + A)^-1 b| = 1, which exists and is unique where stick is unstable: Newton on
 * 1/|(lambda I + A)^-1 b|, which is concave, from a bound below the root; then one correction of
 * the angle on f itself. |b| must be far from the ends of the range. */
static inline vec diverging_ray(const vec A[3], const vec b[2], mask where, vec w[2]) {
    const vec zero = fill(0), one = fill(1), two = fill(2), half = fill(0.5), xx = A[0], xy = A[1],
              yy = A[2];
    const vec length = root(b[0] * b[0] + b[1] * b[1]), trace = xx + yy;
    vec low = larger(length - trace, zero), high = length,
        lambda = larger(low, fill(1e-16) * trace);
    vec x = zero, y = zero;
    mask active = where;
    for (int i = 0; i < 60 && any(active); i++) {
        const vec X = lambda + xx, Y = lambda + yy,
                  det = larger(X * Y - xy * xy, lambda * (lambda + trace));
        const vec nx = (Y * b[0] - xy * b[1]) / det, ny = (X * b[1] - xy * b[0]) / det,
                  norm = root(nx * nx + ny * ny);
        const vec bend = (Y * nx * nx - two * xy * nx * ny + X * ny * ny) / det;
        const mask below = less(one, norm);
        low = choose(below, lambda, low);
        high = choose(below, high, lambda);
        vec next = lambda + norm * norm * (norm - one) / bend;
        next = choose(both(at_most(low, next), at_most(next, high)), next, half * (low + high));
        x = choose(active, nx, x);
        y = choose(active, ny, y);
        const mask done = at_most(size_of(next - lambda), fill(1e-15) * length);
        lambda = choose(without(active, done), next, lambda);
        active = without(active, done);
    }
    const vec over = one / root(x * x + y * y), c0 = x * over, s0 = y * over;
    const vec f = c0 * (b[1] - xy * c0 - yy * s0) - s0 * (b[0] - xx * c0 - xy * s0);
    const vec decay = larger(lambda, zero) + xx * s0 * s0 - two * xy * c0 * s0 + yy * c0 * c0;
    const vec angle = choose(less(size_of(f), fill(1e-3) * decay), f / decay, zero);
    const vec c1 = c0 - angle * s0, s1 = s0 + angle * c0, unit = one / root(c1 * c1 + s1 * s1);
    w[0] = c1 * unit;
    w[1] = s1 * unit;
    return larger(b[0] * w[0] + b[1] * w[1] -
                      (xx * w[0] * w[0] + two * xy * w[0] * w[1] + yy * w[1] * w[1]),
                  zero);
}

/* ---- the origin and the stop ---- */

/* What follows in double-double, where pivots cancel. */
static inline vec stick_of_slender(const vec M[3], const vec b[2], vec K33, vec tiny, vec c[2]) {
    const vec zero = fill(0);
    const dd first = {M[0], zero}, l = dd_div((dd){M[1], zero}, first);
    dd pivot = dd_sub((dd){M[2], zero}, dd_times(l, M[1]));
    const mask kept = at_most(tiny * M[2], pivot.hi);
    pivot = (dd){choose(kept, pivot.hi, tiny * M[2]), choose(kept, pivot.lo, zero)};
    const dd y = dd_div(dd_sub((dd){b[1], zero}, dd_times(l, b[0])), pivot),
             x = dd_div(dd_sub((dd){b[0], zero}, dd_times(y, M[1])), first),
             rise = dd_sub(dd_sub((dd){K33, zero}, dd_times(x, b[0])), dd_times(y, b[1]));
    c[0] = x.hi;
    c[1] = y.hi;
    return larger(rise.hi, tiny * K33);
}

/* c <- M^-1 b, the negative of dp_xy/dp_z in stick, which is stable up to |c| = mu; du_z/dp_z =
 * 1/(K^-1)_33 there. */
static inline vec stick_at_origin(const vec M[3], const vec b[2], vec K33, vec c[2]) {
    const vec tiny = fill(0.25 * DBL_EPSILON); /* what rounding may leave of a nearly singular K */
    const vec l = M[1] / M[0], pivot = larger(M[2] - l * M[1], tiny * M[2]), y = b[1] - l * b[0];
    c[1] = y / pivot;
    c[0] = (b[0] - M[1] * c[1]) / M[0];
    vec rise = larger(K33 - b[0] * b[0] / M[0] - y * y / pivot, tiny * K33);
    const vec few = fill(1e-4);
    const mask slender = either(less(pivot, few * M[2]), less(rise, few * K33));
    if (any(slender)) {
        vec d[2];
        rise = choose(slender, stick_of_slender(M, b, K33, tiny, d), rise);
        for (int k = 0; k < 2; k++)
            c[k] = choose(slender, d[k], c[k]);
    }
    return rise;
}

/* p_z from here to the end of a decompression in which u_z changes by `rise` per p_z and `missing`
 * of the law's own quantity is missing (not IMP_COMPLIANT); infinite where it does not end. */
static inline vec stopping_distance(imp_darboux_law law, vec missing, vec uz, vec rise) {
    const vec zero = fill(0), never = fill(INFINITY), two = fill(2);
    vec distance = missing;
    if (law == IMP_NEWTON) distance = choose(less(zero, rise), missing / rise, never);
    if (law == IMP_STRONGE) {
        const vec square = uz * uz + two * rise * missing;
        distance =
            choose(at_most(zero, square), two * missing / (uz + root(larger(square, zero))), never);
    }
    return choose(less(zero, missing), distance, zero);
}

#endif
