/* bounded.h - the least of a convex quadratic function within bounds around zero. */
#ifndef IMP_BOUNDED_H
#define IMP_BOUNDED_H

#include "base/status.h"

#include <stddef.h>

/* Bytes of workspace for n unknowns. */
size_t imp_bounded_workspace(int n);

/* x (n) minimises 1/2 x'A x + c'x over |x_i| <= bound_i. A (n x n, symmetric positive
 * semidefinite): where columns depend on each other, one of several x, of the one slope (n) <- A x
 * + c. size (n): how large the numbers are that c is a difference of, c being in the range of A up
 * to rounding of them. IMP_OK: slope_i is 0 within rounding where |x_i| < bound_i, and there is
 * none that leads back from a bound; of an unknown that depends on others up to 1e-12 of its
 * diagonal, within 1e-12 of the numbers that are added up. IMP_NOT_CONVERGED: the cap on exchanges
 * (100 + 20 n) was met. rounds (may be NULL) <- how many. Does not allocate. Thread-safe.
 *
 * By active sets as in bounded least squares (Stark, Parker 1995). Departures: it starts at x = 0,
 * where nothing rests on a bound, so that columns that depend on others may stay there; one whose
 * slope is more than rounding moves on with the others making up for it, to the first bound, so
 * that each set is left for a lower value and none comes back. */
imp_status imp_bounded_least(int n, const double *A, const double *c, const double *size,
                             const double *bound, double *x, double *slope, void *work,
                             int *rounds);

#endif
