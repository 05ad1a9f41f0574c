/* mirtich_euler.h - the impact algorithm of "Mirtich reworked" as the note prints it: Euler steps
 * of fixed size. */
#ifndef REFERENCE_MIRTICH_EULER_H
#define REFERENCE_MIRTICH_EULER_H

#include <stdbool.h>

typedef struct mirtich_euler {
    double p[3], u[3]; /* (n, t, o): N s, m/s */
    double work_c, work_d;
    long steps;
} mirtich_euler;

/* The note's section 4 with Stronge's law: W packed (nn, nt, no, tt, to, oo), step delta in N s.
 * false: more than `most` steps. */
bool mirtich_euler_impact(const double W[6], const double q[3], double mu, double e, double delta,
                          long most, mirtich_euler *result);

/* Directions (radians, measured from t towards o) of the rays of constant sliding: real roots of
 * the note's quartic in tan(theta/2), and theta = pi when its leading coefficient vanishes. Returns
 * how many; diverging[i]: slip grows. */
int mirtich_rays(const double W[6], double mu, double theta[5], bool diverging[5]);

#endif
