/* convex_active.h - the frictionless impact of few contacts: 0 <= y _|_ A y + b >= 0 by a dual
 * active set. */
#ifndef IMP_CONVEX_ACTIVE_H
#define IMP_CONVEX_ACTIVE_H

#include "base/status.h"

#include <stddef.h>

/* Contacts up to which this is the method: cost and memory grow with their square, and with how
 * many push. */
enum { IMP_CONVEX_DENSE = 256 };

/* What phase I's velocities are held to, relative to the sums they come from: ten times what
 * rounding is taken for (active_set.h). */
#define IMP_CONVEX_ACCURATE 1e-12
/* What the sum of its impulses may be above the least, relative: as exact as the law holds any sum
 * to (bound in convex.c). */
#define IMP_CONVEX_LEAST 1e-9

/* Bytes of workspace for n contacts. */
size_t imp_convex_active_workspace(int n);

/* y (n) <- of all solutions one with the least sum; w (n) <- A y + b; v (n) <- the witness of the
 * sum: (A v)_i = 1 where y_i > 0 and at most 1 where w_i = 0, to 1e-9. A (n x n) symmetric positive
 * semidefinite, its largest entry and that of b near 1 (powers of ten do not matter, overflow
 * does).
 * IMP_OK: y >= 0, w_i >= -r_i everywhere and |w_i| <= r_i where y_i > 0, with r_i 1e-12 of the sums
 * that w_i comes from, and at most 1e-9 of the largest |b|: checked at the end. IMP_NO_SOLUTION:
 * there are z >= 0 that nothing resists (A z = 0) with b'z < 0, checked; y is 0. IMP_NOT_CONVERGED:
 * neither could be shown in 20 n + 100 steps; y is 0. Does not allocate. Thread-safe. */
imp_status imp_convex_active(int n, const double *A, const double *b, double *y, double *w,
                             double *v, void *work);

#endif
