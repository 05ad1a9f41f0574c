/* hodograph_parts.h - what the quadrature along the hodograph is made of. Private to
 * hodograph*.c. */
#ifndef REFERENCE_HODOGRAPH_PARTS_H
#define REFERENCE_HODOGRAPH_PARTS_H

#include <complex.h>
#include <stdbool.h>

typedef long double real;

enum { NODES = 32 };

/* ---- Gauss-Legendre quadrature (hodograph_rule.c) ---- */

/* Nodes and weights on [-1, 1], the integral from -1 to each node, and Legendre values at the
 * nodes. */
typedef struct rule {
    real x[NODES], w[NODES], to[NODES][NODES], P[NODES + 1][NODES];
} rule;

/* A function given at the nodes, by its Legendre coefficients. */
typedef struct fitted {
    real a[NODES];
} fitted;

void hodograph_make_rule(rule *R);
void hodograph_legendre(real x, real P[NODES + 1]);
fitted hodograph_fit(const rule *R, const real *values);
/* Its integral from -1 to the x with these Legendre values. */
real hodograph_integral(const fitted *F, const real P[NODES + 1]);

/* ---- the interval between two rays (hodograph_interval.c) ---- */

typedef struct dynamics { /* M and b of K, normal last; 1/kg */
    real M[3], b[2], K33, mu;
} dynamics;

/* In the frame of the slip, mirrored so that it turns left (f > 0). */
typedef struct interval {
    dynamics d;
    real mirror; /* y -> mirror y */
    /* rays behind and ahead, relative to the slip; D = tb - ta */
    real ta, tb, D;
    real ca, sa, cb, sb, cm, sm, cd, sd; /* cosines and sines of ta, tb, tm = (ta + tb)/2, D/2 */
    real q0, q1, q2;                     /* Q = q0 + q1 cos(t - tm) + q2 sin(t - tm) */
    complex long double pole[4];         /* singularities in x besides +-i(pi - D/2) */
    int poles;
} interval;

/* At one x: the direction in the frame, g = dr/dp_z, kappa = dx/ds. */
typedef struct sample {
    real c, n, g, kappa;
} sample;

void hodograph_interval(const dynamics *d, const real w[2], interval *B);
real hodograph_start(const interval *B); /* x of the slip itself */
sample hodograph_sample(const interval *B, real x);
/* Is a panel from x over 2 hw short against the distance of the singularities and the growth of
 * r? */
bool hodograph_resolved(const interval *B, real x, real hw);
/* The next place in x where u_z' = K33 - mu b.w changes sign, after x; INFINITY: none. */
real hodograph_next_turn(const interval *B, real x);

#endif
