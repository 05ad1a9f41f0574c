/* brute.c - the least energy by trying: nothing but the definition of the problem.
 *
 * Preclik, Eibl, Ruede (2017), eq. (3), on the plane of maximum compression: points z = s r(alpha) (cos, sin) with
 * r(alpha) = p / (1 - e.u) the conic in polar form and 0 <= s <= 1. Directions are spread evenly and crowded towards
 * the poles, where a parabola or hyperbola runs to infinity. */
#include "oracle.h"

#include <math.h>
#include <stdbool.h>

typedef long double real;

typedef struct conic {
    const double *W, *q;
    real plane, p, e[2], first, span; /* directions first + span (-1 .. 1) */
} conic;

typedef struct sample {
    real energy, at, part; /* at in (-1, 1), part s in [0, 1] */
    real x[3];
} sample;

static sample evaluate(const conic *c, real at, real part) {
    sample s = {INFINITY, at, part, {0}};
    const real alpha = c->first + c->span * at, u[2] = {cosl(alpha), sinl(alpha)};
    const real room = 1 - c->e[0] * u[0] - c->e[1] * u[1];
    if (!(room > 0)) return s;
    const real r = part * c->p / room;
    s.x[1] = r * u[0];
    s.x[2] = r * u[1];
    s.x[0] = (c->plane - c->W[1] * s.x[1] - c->W[2] * s.x[2]) / c->W[0];
    const double *W = c->W;
    const real Wx[3] = {W[0] * s.x[0] + W[1] * s.x[1] + W[2] * s.x[2], W[1] * s.x[0] + W[3] * s.x[1] + W[4] * s.x[2],
                        W[2] * s.x[0] + W[4] * s.x[1] + W[5] * s.x[2]};
    s.energy = 0;
    for (int i = 0; i < 3; i++)
        s.energy += s.x[i] * (Wx[i] / 2 + c->q[i]);
    return isnan(s.energy) ? (sample){INFINITY, at, part, {0}} : s;
}

/* Direction k of n: even in the middle, exponentially close to both ends. */
static real direction(int k, int n) {
    const real x = 2 * ((real)k + 0.5L) / n - 1, y = fabsl(x);
    const real spread = y < 0.8L ? y : 1 - 0.2L * expl(-200 * (y - 0.8L));
    return copysignl(spread, x);
}

/* Golden section on the boundary between two directions. */
static sample golden(const conic *c, real low, real high) {
    const real ratio = (sqrtl(5) - 1) / 2;
    sample a = evaluate(c, high - ratio * (high - low), 1), b = evaluate(c, low + ratio * (high - low), 1);
    for (int i = 0; i < 90; i++) {
        if (a.energy < b.energy) {
            high = b.at;
            b = a;
            a = evaluate(c, high - ratio * (high - low), 1);
        } else {
            low = a.at;
            a = b;
            b = evaluate(c, low + ratio * (high - low), 1);
        }
    }
    return a.energy < b.energy ? a : b;
}

/* Compass search inside, from the best point of a coarse grid. */
static sample inside(const conic *c) {
    sample best = evaluate(c, 0, 0);
    for (int i = 0; i < 120; i++)
        for (int j = 1; j <= 12; j++) {
            const sample s = evaluate(c, direction(i, 120), j / (real)12);
            if (s.energy < best.energy) best = s;
        }
    real step = 0.05L;
    for (int tries = 0; tries < 4000 && step > 1e-11L; tries++) {
        const real try[4][2] = {{step, 0}, {-step, 0}, {0, step}, {0, -step}};
        bool better = false;
        for (int k = 0; k < 4 && !better; k++) {
            const real at = fmaxl(-1, fminl(1, best.at + try[k][0])), part = fmaxl(0, fminl(1, best.part + try[k][1]));
            const sample s = evaluate(c, at, part);
            better = s.energy < best.energy;
            if (better) best = s;
        }
        if (!better) step /= 2;
    }
    return best;
}

long double oracle_brute(const double W[6], const double q[3], double mu, double plane, double p[3]) {
    enum { DIRECTIONS = 2000 };
    conic c = {.W = W, .q = q, .plane = plane, .p = mu * (real)plane / W[0]};
    c.e[0] = -(real)mu * W[1] / W[0];
    c.e[1] = -(real)mu * W[2] / W[0];
    const real ecc = sqrtl(c.e[0] * c.e[0] + c.e[1] * c.e[1]);
    c.first = ecc > 0 ? atan2l(-c.e[1], -c.e[0]) : 0; /* the vertex; the poles, where there are, lie both sides of it */
    c.span = ecc > 1 ? acosl(-1 / ecc) : acosl(-1);
    sample best = inside(&c);
    int nearest = 0;
    real least = INFINITY;
    for (int k = 0; k < DIRECTIONS; k++) {
        const sample s = evaluate(&c, direction(k, DIRECTIONS), 1);
        if (s.energy < least) {
            least = s.energy;
            nearest = k;
        }
    }
    const real low = nearest > 0 ? direction(nearest - 1, DIRECTIONS) : -1;
    const real high = nearest < DIRECTIONS - 1 ? direction(nearest + 1, DIRECTIONS) : 1;
    const sample edge = golden(&c, low, high);
    if (edge.energy < best.energy) best = edge;
    for (int i = 0; i < 3; i++)
        p[i] = (double)best.x[i];
    return best.energy;
}
