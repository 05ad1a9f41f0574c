/* one.h - one contact on bare arrays, as experiments need it: W packed (nn, nt, no, tt, to, oo) in
 * 1/kg, q (n, t, o) in m/s, p in N s; and the plane of maximum compression u_n = 0, in which the
 * papers draw. */
#ifndef ONE_H
#define ONE_H

#include "benchmarks/harness/report.h"
#include "lib/impact.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct one_contact {
    double W[6], q[3], mu;
} one_contact;

/* u <- W p + q, m/s. */
void one_velocity(const double W[6], const double q[3], const double p[3], double u[3]);

/* 1/2 p'Wp + p'q, J. */
double one_energy(const double W[6], const double q[3], const double p[3]);

/* p <- -W^-1 q: the impulse that brings the contact to rest, wherever it lies; false when W is
 * singular. */
bool one_stick(const double W[6], const double q[3], double p[3]);

/* The certificate of p under a law; `worst` is infinite when there is none to give. */
imp_certificate one_certify(const one_contact *c, double e, const imp_law *law, const double p[3]);

/* W and q of a body, index 0, against the ground; NaN where the assembly refuses. */
one_contact one_assemble(const imp_body *body, const imp_contact *contact, double mu);

/* The reduced form of Preclik, Eibl, Ruede (2017), section 3.2, with z = p_to on the plane u_n = 0
 * and b = -q: minimise 1/2 z'Hz - g'z over |z| <= size + e.z, whose boundary is |z| = size / (1 -
 * e.(cos, sin)). */
typedef struct one_plane {
    double H[3], g[2], e[2]; /* H = (tt, to, oo), 1/kg; g in m/s; e [-] */
    double size;             /* N s, the paper's mu b_n / A_nn */
    double eccentricity;     /* |e| */
} one_plane;

one_plane one_reduce(const one_contact *c);
double one_plane_energy(const one_plane *plane, const double z[2]); /* 1/2 z'Hz - g'z, J */
void one_plane_minimum(const one_plane *plane, double z[2]);        /* H^-1 g */

/* Writes rows `series x y` with the series "contour" (the ellipses of the given levels, J), "zero"
 * (level 0) and "conic" (the boundary as far as |z| <= reach); a blank line ends each line to be
 * drawn. */
void one_plane_draw(report_rows *table, const one_plane *plane, const double *levels, int count,
                    double reach);

#endif
