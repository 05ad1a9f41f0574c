/* hodograph_interval.c - the slip angles between two neighbouring rays in a coordinate that runs
 * over the whole line.
 *
 * x = log(sin((t - t_a)/2)/sin((t_b - t)/2)) has dx/ds = kappa = -sin((t_b - t_a)/2) Q/2 > 0,
 * smooth, where f = sin((t
 * - t_a)/2) sin((t - t_b)/2) Q(t) and Q has two complex terms only. */
#include "reference/oracle/hodograph_parts.h"

#include <float.h>
#include <math.h>

static const real PI = 3.14159265358979323846264338327950288L;

static real f_at(const interval *B, real t, real *slope) {
    const real c = cosl(t), n = sinl(t), c2 = cosl(2 * t), n2 = sinl(2 * t),
               half = 0.5L * (B->d.M[2] - B->d.M[0]);
    if (slope) *slope = B->d.mu * 2 * (B->d.M[1] * n2 - half * c2) - B->d.b[1] * n - B->d.b[0] * c;
    return -B->d.mu * (B->d.M[1] * c2 + half * n2) + B->d.b[1] * c - B->d.b[0] * n;
}

/* The next root of f from t = 0 in direction d, f > 0 up to it, by steps that cannot jump over it
 * (many of them at a triple root): |f''| <= F2. */
static real march(const interval *B, real d) {
    const real F2 = 4 * B->d.mu * hypotl(B->d.M[1], 0.5L * (B->d.M[2] - B->d.M[0])) +
                    hypotl(B->d.b[0], B->d.b[1]);
    const real rounding = LDBL_EPSILON * F2;
    real t = 0;
    for (int i = 0; i < 20000 && t < 2 * PI; i++) {
        real slope;
        const real f = f_at(B, d * t, &slope), b = d * slope,
                   root = sqrtl(b * b + 2 * F2 * fmaxl(f, 0));
        if (!(f > rounding)) break;
        const real step = b < 0 ? 2 * f / (root - b) : (b + root) / F2;
        t += step;
        if (step < LDBL_EPSILON * t) break;
    }
    return d * t;
}

static complex long double moebius(const interval *B, complex long double t) {
    return clogl(csinl((t - B->ta) / 2) / csinl((B->tb - t) / 2));
}

void hodograph_interval(const dynamics *d, const real w[2], interval *B) {
    const real c = w[0], n = w[1], *M = d->M;
    B->d.mu = d->mu;
    B->d.K33 = d->K33;
    B->d.M[0] = M[0] * c * c + 2 * M[1] * c * n + M[2] * n * n;
    B->d.M[1] = M[1] * (c * c - n * n) + (M[2] - M[0]) * c * n;
    B->d.M[2] = M[0] * n * n - 2 * M[1] * c * n + M[2] * c * c;
    B->d.b[0] = d->b[0] * c + d->b[1] * n;
    B->d.b[1] = d->b[1] * c - d->b[0] * n;
    B->mirror = B->d.b[1] - d->mu * B->d.M[1] < 0 ? -1 : 1;
    B->d.M[1] *= B->mirror;
    B->d.b[1] *= B->mirror;
    B->tb = march(B, 1);
    B->ta = march(B, -1);
    B->D = B->tb - B->ta;
    const real tm = 0.5L * (B->ta + B->tb), half = 0.5L * (B->d.M[2] - B->d.M[0]), mu = B->d.mu;
    B->ca = cosl(B->ta);
    B->sa = sinl(B->ta);
    B->cb = cosl(B->tb);
    B->sb = sinl(B->tb);
    B->cm = cosl(tm);
    B->sm = sinl(tm);
    B->cd = cosl(B->D / 2);
    B->sd = sinl(B->D / 2);
    const real C2 = cosl(2 * tm), S2 = sinl(2 * tm);
    const real a2 = -mu * (B->d.M[1] * C2 + half * S2), b2 = -mu * (half * C2 - B->d.M[1] * S2);
    const real a1 = B->d.b[1] * B->cm - B->d.b[0] * B->sm;
    B->q1 = -4 * a2;
    B->q2 = -4 * b2;
    B->q0 = B->cd * B->q1 - 2 * a1;
    B->poles = 0;
    const real size = hypotl(B->q1, B->q2);
    if (size > 0) { /* Q = 0: the two other rays, real or complex */
        const complex long double spread = cacosl(-B->q0 / size);
        for (int i = 0; i < 2; i++) {
            const complex long double x =
                moebius(B, tm + atan2l(B->q2, B->q1) + (i ? -spread : spread));
            B->pole[B->poles++] = x;
            B->pole[B->poles++] = conjl(x);
        }
    }
}

sample hodograph_sample(const interval *B, real x) {
    const real E = expl(-fabsl(x));
    /* the angle to the nearer ray: from ta for x < 0, from tb for x > 0 */
    const real X = 1 + E * B->cd, Y = E * B->sd, over = 1 / (X * X + Y * Y);
    const real c1 = (X * X - Y * Y) * over, s1 = (x < 0 ? 2 : -2) * X * Y * over;
    const real cr = x < 0 ? B->ca : B->cb, sr = x < 0 ? B->sa : B->sb;
    const real c = cr * c1 - sr * s1, n = sr * c1 + cr * s1;
    const real cy = c * B->cm + n * B->sm, sy = n * B->cm - c * B->sm;
    const real g = -B->d.mu * (B->d.M[0] * c * c + 2 * B->d.M[1] * c * n + B->d.M[2] * n * n) +
                   B->d.b[0] * c + B->d.b[1] * n;
    return (sample){c, n, g, -0.5L * B->sd * (B->q0 + B->q1 * cy + B->q2 * sy)};
}

/* Distance of a real x from the nearest singularity, of which there is one every 2 pi i. */
static real clearance(const interval *B, real x) {
    real least = hypotl(x, PI - B->D / 2);
    for (int i = 0; i < B->poles; i++)
        least = fminl(least, cabsl(B->pole[i] - x));
    return least;
}

real hodograph_start(const interval *B) {
    return logl(sinl(-B->ta / 2) / sinl(B->tb / 2));
}

real hodograph_next_turn(const interval *B, real x) {
    const real reach = B->d.mu * hypotl(B->d.b[0], B->d.b[1]);
    real next = INFINITY;
    if (!(reach > B->d.K33)) return next;
    for (int side = -1; side <= 1; side += 2)
        for (int wrap = -1; wrap <= 1; wrap++) {
            const real t =
                atan2l(B->d.b[1], B->d.b[0]) + side * acosl(B->d.K33 / reach) + 2 * PI * wrap;
            if (!(t > B->ta && t < B->tb)) continue;
            const real at = logl(sinl((t - B->ta) / 2) / sinl((B->tb - t) / 2));
            if (at > x + 1e-15L * (1 + fabsl(x)) && at < next) next = at;
        }
    return next;
}

bool hodograph_resolved(const interval *B, real x, real hw) {
    if (clearance(B, x + hw) < 3.5L * hw) return false;
    for (int i = 0; i <= 8; i++) {
        const sample at = hodograph_sample(B, x + hw * i / 4);
        if (fabsl(at.g / at.kappa) * hw > 0.7L) return false;
    }
    return true;
}
