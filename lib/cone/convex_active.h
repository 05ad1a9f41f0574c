/* convex_active.h - the frictionless impact of few contacts: 0 <= y _|_ A y + b >= 0 by a dual
 * active set. */
#ifndef IMP_CONVEX_ACTIVE_H
#define IMP_CONVEX_ACTIVE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Contacts up to which this is the method: cost and memory grow with their square, and with how
 * many push. */
enum { IMP_CONVEX_DENSE = 256 };

/* What phase I's velocities are held to, relative to the sums they come from: ten times what
 * rounding is taken for. */
#define IMP_CONVEX_ACCURATE 1e-12
/* What the sum of its impulses may be above the least, relative: as exact as the law holds any sum
 * to (bound in convex.c). */
#define IMP_CONVEX_LEAST 1e-9

/* Rounding of what is computed from A and b, relative to the sums it comes from: a thousand
 * roundings, for sums of IMP_CONVEX_DENSE terms and what they cancel. */
#define IMP_ACTIVE_ROUNDING 1e-13

/* What impulses z >= 0 do, by root_i = sqrt(A_ii): of a solution y, y'A z = w'z - b'z >= -b'z, so
 * that there is none where nothing resists z, A z = 0, and -b'z > 0. */
typedef struct convex_proof {
    double work;   /* -b'z */
    double moved;  /* max |A z|_i / root_i */
    double length; /* sum z_i root_i: |A z|_i <= root_i length */
    double usual;  /* max |b_i| / root_i: |b'z| <= usual length */
} convex_proof;

/* Do they prove that there is no solution? Nothing resists them as far as A is known, to its
 * rounding: what is little but more than that is the reciprocal of a large mass, which impulses as
 * large do stop. Nor is their work what velocities are uncertain by; 1e-7 of them may be. */
static inline bool imp_convex_proves(const convex_proof *z) {
    return z->moved <= IMP_ACTIVE_ROUNDING * z->length && z->work > 1e-7 * z->usual * z->length;
}

/* Bytes of workspace for n contacts. */
size_t imp_convex_active_workspace(int n);

/* y (n) <- of all solutions one with the least sum; w (n) <- A y + b; v (n) <- the witness of the
 * sum: (A v)_i = 1 where y_i > 0 and at most 1 where w_i = 0, to 1e-9. A (n x n) symmetric positive
 * semidefinite, its largest entry and that of b near 1 (powers of ten do not matter, overflow
 * does).
 * IMP_OK: y >= 0, w_i >= -r_i everywhere and |w_i| <= r_i where y_i > 0, with r_i 1e-12 of the sums
 * that w_i comes from: checked at the end. IMP_NO_SOLUTION: there are z >= 0 that nothing resists
 * (A z = 0) with b'z < 0, checked (imp_convex_proves); y is 0. IMP_NOT_CONVERGED: neither could be
 * shown in 20 n + 100 steps; y is 0. Does not allocate. Thread-safe. */
imp_status imp_convex_active(int n, const double *A, const double *b, double *y, double *w,
                             double *v, void *work);

#endif
