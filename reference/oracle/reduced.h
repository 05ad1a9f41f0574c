/* reduced.h - one contact on its active plane, in quadruple precision: minimise 1/2 z'Hz - g'z over
 * |z| <= p + e.z.
 *
 * Preclik, Eibl, Ruede (2017), section 3, where H and g are called Ahat and bhat. */
#ifndef REDUCED_H
#define REDUCED_H

#include "oracle.h"
#include "quad.h"

typedef struct reduced {
    quad Ann, a[2], T[3];   /* W: nn, (nt, no), (tt, to, oo) */
    quad b[3], plane, mu;   /* b = -q */
    quad H[3], g[2];        /* T - aa'/Ann, b_to - a b_n/Ann */
    quad p, e[2], ecc;      /* the conic: mu plane/Ann, -mu a/Ann, |e| */
    quad target[2], length; /* H^-1 g, the sticking impulse, and its length */
} reduced;

reduced reduced_make(const quad W[6], const quad q[3], quad mu, quad plane);
reduced reduced_from_double(const double W[6], const double q[3], double mu, double plane);

/* oracle_maxdiss and oracle_coulomb of data that doubles cannot hold. */
oracle_solution reduced_maxdiss(const reduced *r);
int reduced_coulomb(const reduced *r, oracle_solution solution[ORACLE_MOST]);

/* The solution that a tangential impulse z on the plane means; the impulse zero. */
oracle_solution reduced_at(const reduced *r, const char *kind, const quad z[2], quad multiplier);
oracle_solution reduced_nothing(const reduced *r, const char *kind);

static inline quad dot2(const quad a[2], const quad b[2]) {
    return a[0] * b[0] + a[1] * b[1];
}

static inline quad cross2(const quad a[2], const quad b[2]) {
    return a[0] * b[1] - a[1] * b[0];
}

static inline quad length2(const quad a[2]) {
    return quad_sqrt(dot2(a, a));
}

/* y <- H x for the packed symmetric H. */
static inline void times2(const quad H[3], const quad x[2], quad y[2]) {
    y[0] = H[0] * x[0] + H[1] * x[1];
    y[1] = H[1] * x[0] + H[2] * x[1];
}

#endif
