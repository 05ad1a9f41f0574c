/* convex_phase1.h - the frictionless impact: find y >= 0 with A_N y + b >= 0 and y'(A_N y + b) = 0. */
#ifndef IMP_CONVEX_PHASE1_H
#define IMP_CONVEX_PHASE1_H

#include "multi/convex_island.h"

/* y (n) <- of all solutions one with the least sum; b (n) normal velocities plus gaps. IMP_OK: max |min(y, A_N y + b)|
 * is at most 1e-9 of the largest entry of y, b or 1. IMP_NO_SOLUTION: none found, y is 0. IMP_NO_MEMORY. Thread-safe.
 */
imp_status convex_phase1(const convex_island *island, const double *b, double *y);

/* max |min(y, A_N y + b)|; w (n) <- A_N y + b. */
double convex_phase1_residual(const convex_island *island, const double *b, const double *y, double *w);

/* For islands beyond the reach of pivoting: accelerated projected gradient, then active sets solved sparsely. Statuses
 * as above, and IMP_NOT_CONVERGED with the best y found. */
imp_status convex_phase1_large(const convex_island *island, const double *b, double *y);

/* Moves y (n) to a solution of least sum by the simplex method, A (n x n), w = A y + b. work (n (n + 5)) doubles,
 * basis (n) ints. */
void convex_least_sum(int n, const double *A, const double *b, const double *w, double *y, double *work, int *basis);

#endif
