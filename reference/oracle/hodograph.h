/* hodograph.h - the Darboux-Keller impact by quadrature along the hodograph: a slow second method
 * in long double. */
#ifndef REFERENCE_HODOGRAPH_H
#define REFERENCE_HODOGRAPH_H

#include "single/darboux.h"

#include <stdbool.h>

typedef struct hodograph {
    double p[3], u[3];     /* (n, t, o): N s, m/s */
    double work_c, work_d; /* J */
    int compressions;      /* phases of compression */
    int panels;            /* quadrature panels used */
} hodograph;

/* The impact of imp_darboux (not IMP_COMPLIANT), W packed (nn, nt, no, tt, to, oo), data of
 * moderate scale. false: the panels or the rays were not found. Not for the library: it integrates
 * in long double. */
bool hodograph_impact(const double W[6], const double q[3], double mu, double e,
                      imp_darboux_law law, hodograph *result);

#endif
