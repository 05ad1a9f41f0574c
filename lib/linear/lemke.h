/* lemke.h - linear complementarity problems by Lemke's method, lexicographic, with its answer
 * recomputed at the end. */
#ifndef IMP_LEMKE_H
#define IMP_LEMKE_H

#include "base/public.h"
#include "base/status.h"

#include <stddef.h>

IMP_PUBLIC_BEGIN

/* Find z >= 0 with w = M z + q >= 0 and z'w = 0. */
typedef struct imp_lcp {
    int n;           /* unknowns */
    const double *q; /* (n) */
    /* m (n) <- column j of M */
    void (*column)(const void *data, int j, double *m);
    const void *data; /* given to it */
} imp_lcp;

/* Bytes of workspace for n unknowns. */
size_t imp_lemke_workspace(int n);

/* z (n) <- a solution by Lemke's method with covering vector (1, ..., 1) and lexicographic tie
 * break (Cottle, Pang, Stone 1992, section 4.4): in exact arithmetic it ends for every M, and
 * with a solution for every copositive-plus M whose problem is feasible. Scaling is the
 * caller's: entries of M and q should be near 1. IMP_OK: z solves the final complementary basis,
 * computed anew from M and q, or on a ray the one that the artificial variable was nearest to
 * leave, if less than 1e-9 of it was left; the caller must still check it, since pivoting in
 * rounded arithmetic may end on a basis that is none. IMP_NO_SOLUTION: ended on a ray.
 * IMP_NOT_CONVERGED: max_pivots reached, *cancel (NULL: nobody) no longer 0, or a singular final
 * basis. z is 0 in the last two cases. *pivots <- how many. work:
 * imp_lemke_workspace bytes. Thread-safe. */
imp_status imp_lemke(const imp_lcp *lcp, int max_pivots, const volatile int *cancel, double *z,
                     void *work, int *pivots);

/* max over i of |min(z_i, (M z + q)_i)|: zero exactly at the solutions. work (2n doubles).
 * Thread-safe. */
double imp_lcp_residual(const imp_lcp *lcp, const double *z, double *work);

IMP_PUBLIC_END

#endif
