/* convex_phase1.h - the frictionless impact: find y >= 0 with A_N y + b >= 0 and y'(A_N y + b) =
 * 0. */
#ifndef IMP_CONVEX_PHASE1_H
#define IMP_CONVEX_PHASE1_H

#include "cone/convex_island.h"

/* y (n) <- of all solutions one with the least sum; v (n) <- the witness that it is: (A_N v)_i =
 * 1 where y_i > 0 and <= 1 where w_i = 0 (convex_law.c); b (n) normal velocities plus gaps.
 * IMP_OK: max |min(y, A_N y + b)| is at most 1e-10 of the largest entry of b (or 1) and 1e-13 of
 * y's. IMP_NO_SOLUTION: there is none, y is 0. IMP_NOT_CONVERGED: as below. IMP_NO_MEMORY. Thread-
 * safe. */
imp_status imp_convex_phase1(const convex_island *island, const double *b, double *y, double *v);

/* The same for islands too large for a dense matrix. IMP_OK as above; IMP_NOT_CONVERGED: y leaves
 * up to 1e-6 of the largest entry of b (or 1), or is 0; IMP_NO_SOLUTION: proven, as
 * imp_convex_proves says; IMP_NO_MEMORY. */
imp_status imp_convex_phase1_large(const convex_island *island, const double *b, double *y,
                                   double *v);

#endif
