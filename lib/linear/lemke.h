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
 * with a solution for every copositive-plus M whose problem is feasible. In double; and once more
 * in double-double, several times as slow, where that came to no z whose residual is at most 1e-12
 * of the largest z, or of 1; of both z that with less. Scaling is the caller's: entries of M and q
 * should be near 1. *pivots <- how many, of the run that answers. work: imp_lemke_workspace bytes.
 * Thread-safe.
 * IMP_OK: z solves a complementary basis, computed anew from M and q: the final one, or, where
 * the pivots ended on a ray, that with the least left of the artificial variable, if this was
 * less than 1e-9 of its start. The caller must still check z, since pivoting in rounded
 * arithmetic may end on a basis that is none.
 * IMP_NO_SOLUTION: the pivots ended on a ray, and none of them left less than 1e-9 of the
 * artificial variable; z is 0. Exact pivots on a copositive-plus M would prove so that no z
 * solves the problem; rounded ones, and for other M, say that this method found none.
 * IMP_NOT_FINITE: of q; z is 0. M is not looked at.
 * IMP_NOT_CONVERGED: max_pivots reached in each run, *cancel (NULL: nobody) no longer 0, or the
 * basis that IMP_OK speaks of singular; z is 0. Or that basis, of a ray, misses by more than 1e-9
 * of the largest z, or of 1; z is what it gives. */
imp_status imp_lemke(const imp_lcp *lcp, int max_pivots, const volatile int *cancel, double *z,
                     void *work, int *pivots);

/* max over i of |min(z_i, (M z + q)_i)|: zero exactly at the solutions, INFINITY where M z + q
 * or z is no finite number. work (2n doubles). Thread-safe. */
double imp_lcp_residual(const imp_lcp *lcp, const double *z, double *work);

IMP_PUBLIC_END

#endif
