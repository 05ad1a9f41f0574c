/* maxdiss_slide.c - the sliding contact: least energy on the boundary of a Kepler conic.
 *
 * Preclik, Eibl, Ruede (2017), eq. (8) and appendix: the stationary directions u are the roots of a quartic in the
 * half-angle tangent. Departure: one root is wanted, it is bracketed, and no other is looked at. From the free
 * minimiser outside the conic the visible part of the boundary is the arc {u : u.free > p + e.free} about the direction
 * of `free`. On it tan(psi) = G / (sqrt(det H) (1 - e.u) (u.free - p - e.free)),   G = cross((1 - e.u) g - p H u, u -
 * e), psi being the angle, in the metric of H, between the normal and the line of sight, rises from -inf to +inf: along
 * a convex curve the normal turns one way while the line of sight to an outside point turns the other way. So G, the
 * paper's quartic, has one root there, simple, and it is the minimum. It is found in a homogeneous coordinate that
 * keeps its relative accuracy up to the poles 1 - e.u = 0. Newton's method on the optimality conditions in z, where
 * poles do not matter, then removes what is left of the angle's error. */
#include "single/maxdiss_slide.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline double larger(double x, double y) {
    return x > y ? x : y;
}

/* The visible arc: the conic in the frame whose first axis points at `free`, mirrored so that the root has
 * t = tan(angle/2) >= 0. With (1 : t) = (c (k0 + k1) : s k1), k0 and k1 >= 0, t runs from 0 to the end s/c of the
 * bracket: where the boundary goes out of sight, or the pole 1 - e.u = 0 before it. Up to a common positive factor
 * everything is then a form in k0, k1. */
typedef struct arc {
    double axis[2];       /* the first axis */
    double side;          /* 1, or -1 when mirrored */
    double v[2][3], D[3]; /* z = p v/D; forms (k0^2, k0 k1, k1^2); D[2] = 0 exactly at a pole */
    double G[5];          /* form (k0^4 .. k1^4), negative at (1, 0), not negative at (0, 1) */
    bool aligned;         /* the root is t = 0, to rounding */
} arc;

/* The end of the bracket as c^2, s^2 and c s; true when it is a pole. */
static inline bool bracket_end(const double e[2], double p, double opening, double distance, double end[3]) {
    /* cos^2 and sin^2 of half the angle at which the boundary goes out of sight, times 2 |free| */
    const double c2 = larger((1 + e[0]) * distance + p, 0), s2 = larger((1 - e[0]) * distance - p, 0);
    double c = 0, s = 0; /* the smallest positive root s/c of (1 - e1) - 2 e2 t + (1 + e1) t^2 */
    if (opening >= 0) {
        const double root = sqrt(opening);
        c = e[1] >= 0 ? e[1] + root : larger(-1 - e[0], 0);
        s = e[1] >= 0 ? 1 - e[0] : root - e[1];
    }
    const bool pole = c > 0 && s * s * c2 <= s2 * c * c;
    const double per = 0.5 / distance;
    end[0] = pole ? c * c : c2 * per;
    end[1] = pole ? s * s : s2 * per;
    end[2] = pole ? c * s : sqrt(c2 * s2) * per;
    return pole;
}

static inline arc visible_arc(const imp_conic *o) {
    arc a;
    const double distance = sqrt(o->free[0] * o->free[0] + o->free[1] * o->free[1]);
    const double c = o->free[0] / distance, s = o->free[1] / distance, cs = c * s, cc = c * c, ss = s * s, p = o->p;
    double H[3] = {cc * o->H[0] + 2 * cs * o->H[1] + ss * o->H[2], cs * (o->H[2] - o->H[0]) + (cc - ss) * o->H[1],
                   ss * o->H[0] - 2 * cs * o->H[1] + cc * o->H[2]};
    double g[2] = {c * o->g[0] + s * o->g[1], c * o->g[1] - s * o->g[0]};
    double e[2] = {c * o->e[0] + s * o->e[1], c * o->e[1] - s * o->e[0]}, end[3];
    const double D0 = 1 - e[0], F1 = D0 * g[0] - p * H[0], F2 = D0 * g[1] - p * H[1], G = -F1 * e[1] - F2 * D0;
    const double size = D0 * (fabs(g[0]) + fabs(g[1])) + p * (H[0] + H[2]);
    a.aligned = fabs(G) <= 0x1p-51 * size * (D0 + fabs(e[1]));
    a.axis[0] = c;
    a.axis[1] = s;
    a.side = G > 0 ? -1 : 1;
    H[1] *= a.side;
    g[1] *= a.side;
    e[1] *= a.side;
    const bool pole = bracket_end(e, p, o->opening, distance, end);
    const double c2 = end[0], s2 = end[1], sc = end[2];
    const double length[3] = {c2, 2 * c2, c2 + s2};
    double N[2][3], F[2][3]; /* u - e and (1 - e.u) g - p H u */
    const double v[2][3] = {{c2, 2 * c2, c2 - s2}, {0, 2 * sc, 2 * sc}};
    const double D[3] = {D0 * c2, 2 * (D0 * c2 - e[1] * sc), pole ? 0 : D0 * c2 - 2 * e[1] * sc + (1 + e[0]) * s2};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 2; i++) {
            a.v[i][k] = v[i][k];
            N[i][k] = v[i][k] - e[i] * length[k];
            F[i][k] = D[k] * g[i] - p * (H[i] * v[0][k] + H[i + 1] * v[1][k]);
        }
        a.D[k] = D[k];
    }
    for (int k = 0; k < 5; k++) {
        a.G[k] = 0;
        for (int i = k < 2 ? 0 : k - 2; i <= k && i < 3; i++)
            a.G[k] += F[0][i] * N[1][k - i] - F[1][i] * N[0][k - i];
    }
    return a;
}

static inline double form(const double a[3], double k0, double k1) {
    return a[0] * k0 * k0 + a[1] * k0 * k1 + a[2] * k1 * k1;
}

/* z <- the point of the arc at the root of G, by Halley's method between brackets in y, (k0, k1) = (1, y) or (y, 1),
 * 0 <= y <= 1. enough: last step relative to y; the error left is of the order of its cube. */
static inline void find_root(const arc *a, double p, double enough, double z[2], int *steps) {
    enum { MOST = 30 }; /* random problems take at most 20 */
    double y = 0;
    const bool far = !a->aligned && a->G[0] + a->G[1] + a->G[2] + a->G[3] + a->G[4] < 0;
    const double sign = far ? -1 : 1;
    double G[5];
    for (int k = 0; k < 5; k++)
        G[k] = sign * a->G[far ? 4 - k : k];
    if (!a->aligned) {
        double low = 0, high = 1, step = 1;
        y = -G[0] * G[1] / (G[1] * G[1] - G[0] * G[2]);
        if (!(y > 0 && y < 1)) y = 0.5;
        for (int n = 0; n < MOST; n++) {
            const double y2 = y * y;
            const double value = G[0] + y * G[1] + y2 * (G[2] + y * G[3] + y2 * G[4]);
            const double slope = G[1] + y * 2 * G[2] + y2 * (3 * G[3] + y * 4 * G[4]);
            const double bend = G[2] + y * 3 * G[3] + y2 * 6 * G[4]; /* half the second derivative */
            low = value < 0 ? y : low;
            high = value < 0 ? high : y;
            double next = y - value * slope / (slope * slope - value * bend);
            if (!(next >= low && next <= high) || fabs(next - y) > 0.5 * step)
                next = sqrt(larger(low, 1e-3 * high)) * sqrt(high); /* the root may be smaller by orders of magnitude */
            step = fabs(next - y);
            y = next;
            *steps += 1;
            if (step <= enough * y) break;
        }
    }
    const double k0 = far ? y : 1, k1 = far ? 1 : y, per = p / form(a->D, k0, k1);
    const double along = per * form(a->v[0], k0, k1), across = a->side * per * form(a->v[1], k0, k1);
    z[0] = a->axis[0] * along - a->axis[1] * across;
    z[1] = a->axis[1] * along + a->axis[0] * across;
}

/* The optimality conditions w = lambda N, lambda >= 0, |z| = p + e.z at a point z of the boundary, with w = g - Hz and
 * the outward normal N = z/|z| - e. */
typedef struct conditions {
    double r, u[2], N[2], NN, w[2];
    double press;   /* w.N = lambda N.N */
    double across;  /* cross(N, w) */
    double outside; /* |z| - p - e.z */
} conditions;

static inline conditions conditions_at(const imp_conic *o, double x, double y) {
    conditions c;
    c.r = sqrt(x * x + y * y);
    c.u[0] = x / c.r;
    c.u[1] = y / c.r;
    c.N[0] = c.u[0] - o->e[0];
    c.N[1] = c.u[1] - o->e[1];
    c.NN = c.N[0] * c.N[0] + c.N[1] * c.N[1];
    c.w[0] = o->g[0] - o->H[0] * x - o->H[1] * y;
    c.w[1] = o->g[1] - o->H[1] * x - o->H[2] * y;
    c.press = c.w[0] * c.N[0] + c.w[1] * c.N[1];
    c.across = c.w[1] * c.N[0] - c.w[0] * c.N[1];
    c.outside = c.r - o->e[0] * x - o->e[1] * y - o->p;
    return c;
}

/* Do the conditions hold to `allowed`? w - lambda N is measured against the larger of the data and lambda (1 + |e|), as
 * in the certificate; lambda > 0 must not be the rounding of N alone. */
static bool conditions_hold(const imp_conic *o, double x, double y, double allowed) {
    const conditions c = conditions_at(o, x, y);
    const double size = fabs(o->g[0]) + fabs(o->g[1]) + (fabs(o->H[0]) + fabs(o->H[1])) * fabs(x) +
                        (fabs(o->H[1]) + fabs(o->H[2])) * fabs(y);
    const double N = sqrt(c.NN);
    const bool stick = fabs(c.w[0]) + fabs(c.w[1]) <= allowed * size;
    const bool pressed = c.press > 0x1p-51 * (fabs(c.w[0]) + fabs(c.w[1])) * (1 + fabs(o->e[0]) + fabs(o->e[1]));
    const bool slide = pressed && fabs(c.across) * c.NN <= allowed * N * larger(size * c.NN, c.press);
    return fabs(c.outside) <= allowed * c.r && (stick || slide);
}

/* One step of Newton's method on the conditions. It leaves residuals of the order of its square over |N|, whatever the
 * shape of the conic. d <- the step; returns the conditions it started from. */
static inline conditions newton_step(const imp_conic *o, double x, double y, double d[2]) {
    const conditions c = conditions_at(o, x, y);
    const double press = larger(c.press, 0), *H = o->H, *N = c.N, *u = c.u;
    /* (t0, t1): N.N times the Hessian of the Lagrangian, H + (lambda/r)(1 - uu'), applied to the tangent (-N1, N0) */
    const double bend = press / c.r * (u[0] * N[0] + u[1] * N[1]);
    const double t0 = c.NN * (H[1] * N[0] - H[0] * N[1]) - bend * u[1];
    const double t1 = c.NN * (H[2] * N[0] - H[1] * N[1]) + bend * u[0];
    const double tt = t1 * N[0] - t0 * N[1], tn = t0 * N[0] + t1 * N[1];
    const double normal = -c.outside / c.NN, tangential = (c.across * c.NN - normal * tn) / tt;
    d[0] = normal * N[0] - tangential * N[1];
    d[1] = normal * N[1] + tangential * N[0];
    return c;
}

/* The power of two at or below x, for x positive and normal. */
static inline double power_of_two_below(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT64_C(0x7ff) << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

bool imp_conic_polish(const imp_conic *conic, double z[2]) {
    enum { MOST = 6, MOST_STIFF = 20 }; /* one step for most, two for nearly all the rest */
    const double strict = 1e8; /* one over the last step relative to |z|; for |N| < 1 relative to |z| sqrt(|N|) */
    const double exact = 1e-13, fair = 1e-11; /* rounding in w of stiff axes is that of the larger terms */
    const double tiny = 1e-24;                /* an N.N that may be rounding alone */
    const double unit = power_of_two_below(larger(fabs(z[0]), fabs(z[1]))); /* lengths are measured in it */
    imp_conic o = *conic;
    for (int i = 0; i < 3; i++)
        o.H[i] *= unit;
    o.p /= unit;
    /* A step small beside |z| may be large beside that component of z which the stiff one of the axes leaves. */
    const bool stiff = imp_conic_stiff(conic);
    double x = z[0] / unit, y = z[1] / unit;
    bool good = false;
    for (int k = 0; k < (stiff ? MOST_STIFF : MOST) && !good; k++) {
        double d[2];
        const conditions c = newton_step(&o, x, y, d);
        const double step = (fabs(d[0]) + fabs(d[1])) / c.r, ratio = step * strict;
        if (!(step <= 1)) break;
        x += d[0];
        y += d[1];
        good = stiff ? conditions_hold(&o, x, y, exact)
                     : c.press > 0 && c.NN > tiny && ratio <= 1 && ratio * ratio * ratio * ratio <= c.NN;
    }
    if (!good) good = conditions_hold(&o, x, y, stiff ? fair : exact);
    if (!good) { /* rounding may have driven the steps away from a start that was good enough */
        x = z[0] / unit;
        y = z[1] / unit;
        good = conditions_hold(&o, x, y, exact);
    }
    if (good) {
        z[0] = x * unit;
        z[1] = y * unit;
    }
    return good;
}

bool imp_conic_slide(const imp_conic *conic, double z[2], int *steps) {
    const arc a = visible_arc(conic);
    bool good = false;
    *steps = 0;
    for (double enough = 3e-3; !good && enough > 1e-16; enough *= 1e-10) { /* the second time for the corner alone */
        find_root(&a, conic->p, enough, z, steps);
        good = imp_conic_polish(conic, z);
    }
    return good;
}
