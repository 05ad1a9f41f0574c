/* brute.c - the least energy by trying: nothing but the definition of the problem.
 *
 * Preclik, Eibl, Ruede (2017), eq. (3), on the plane of maximum compression: points on the conic
 * r(alpha) = p / (1 - e.u) in directions spread evenly and crowded towards the poles, where a
 * parabola or hyperbola runs to infinity; inside it by steps that lower the energy. */
#include "oracle.h"

#include <math.h>

typedef long double real;

typedef struct problem {
    const double *W, *q;
    real plane, p, e[2]; /* the conic |z| = p + e.z */
    real first, span;    /* directions first + span (-1 .. 1) */
} problem;

typedef struct sample {
    real energy, at; /* INFINITY where there is no such point; direction in (-1, 1) */
    real x[3];
} sample;

static sample evaluate(const problem *c, const real z[2]) {
    const double *W = c->W;
    const real n = (c->plane - W[1] * z[0] - W[2] * z[1]) / W[0], x[3] = {n, z[0], z[1]};
    const real Wx[3] = {W[0] * n + W[1] * z[0] + W[2] * z[1], W[1] * n + W[3] * z[0] + W[4] * z[1],
                        W[2] * n + W[4] * z[0] + W[5] * z[1]};
    sample s = {0, 0, {n, z[0], z[1]}};
    for (int i = 0; i < 3; i++)
        s.energy += x[i] * (Wx[i] / 2 + c->q[i]);
    if (isnan(s.energy)) s.energy = INFINITY;
    return s;
}

static sample on_boundary(const problem *c, real at) {
    const real alpha = c->first + c->span * at, u[2] = {cosl(alpha), sinl(alpha)};
    const real room = 1 - c->e[0] * u[0] - c->e[1] * u[1];
    sample s = {INFINITY, at, {0}};
    if (!(room > 0)) return s;
    const real z[2] = {c->p / room * u[0], c->p / room * u[1]};
    s = evaluate(c, z);
    s.at = at;
    return s;
}

/* Direction k of n: even in the middle, exponentially close to both ends. */
static real direction(int k, int n) {
    const real x = 2 * ((real)k + 0.5L) / n - 1, y = fabsl(x);
    return copysignl(y < 0.8L ? y : 1 - 0.2L * expl(-200 * (y - 0.8L)), x);
}

/* Golden section on the boundary between two directions. */
static sample golden(const problem *c, real low, real high) {
    const real ratio = (sqrtl(5) - 1) / 2;
    sample a = on_boundary(c, high - ratio * (high - low)),
           b = on_boundary(c, low + ratio * (high - low));
    for (int i = 0; i < 90; i++) {
        if (a.energy < b.energy) {
            high = b.at;
            b = a;
            a = on_boundary(c, high - ratio * (high - low));
        } else {
            low = a.at;
            a = b;
            b = on_boundary(c, low + ratio * (high - low));
        }
    }
    return a.energy < b.energy ? a : b;
}

static sample boundary(const problem *c) {
    enum { DIRECTIONS = 2000 };
    sample best = {INFINITY, 0, {0}};
    int nearest = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        const sample s = on_boundary(c, direction(k, DIRECTIONS));
        if (!(s.energy < best.energy)) continue;
        best = s;
        nearest = k;
    }
    return golden(c, nearest > 0 ? direction(nearest - 1, DIRECTIONS) : -1,
                  nearest < DIRECTIONS - 1 ? direction(nearest + 1, DIRECTIONS) : 1);
}

/* Compass search from z = 0, which is always inside: steps in 16 directions, longer after a
 * success. */
static sample inside(const problem *c) {
    const real nothing[2] = {0};
    sample best = evaluate(c, nothing);
    real step = c->p;
    for (int tries = 0;
         tries < 2000 && step > 1e-18L * (c->p + fabsl(best.x[1]) + fabsl(best.x[2])); tries++) {
        sample next = best;
        for (int k = 0; k < 16; k++) {
            const real turn = acosl(-1) / 8 * k,
                       z[2] = {best.x[1] + step * cosl(turn), best.x[2] + step * sinl(turn)};
            if (sqrtl(z[0] * z[0] + z[1] * z[1]) > c->p + c->e[0] * z[0] + c->e[1] * z[1]) continue;
            const sample s = evaluate(c, z);
            if (s.energy < next.energy) next = s;
        }
        step = next.energy < best.energy ? 2 * step : step / 2;
        best = next;
    }
    return best;
}

long double oracle_brute(const double W[6], const double q[3], double mu, double plane,
                         double p[3]) {
    problem c = {.W = W, .q = q, .plane = plane, .p = mu * (real)plane / W[0]};
    c.e[0] = -(real)mu * W[1] / W[0];
    c.e[1] = -(real)mu * W[2] / W[0];
    const real ecc = sqrtl(c.e[0] * c.e[0] + c.e[1] * c.e[1]);
    c.first =
        ecc > 0 ? atan2l(-c.e[1], -c.e[0]) : 0; /* the vertex; the poles, where there are, lie on
                                                   both its sides */
    c.span = ecc > 1 ? acosl(-1 / ecc) : acosl(-1);
    const sample within = inside(&c), edge = boundary(&c),
                 best = edge.energy < within.energy ? edge : within;
    for (int i = 0; i < 3; i++)
        p[i] = (double)best.x[i];
    return best.energy;
}
