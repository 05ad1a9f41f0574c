/* cof.h - least-norm solutions of small dense systems by a complete orthogonal factorisation. */
#ifndef IMP_COF_H
#define IMP_COF_H

#include <stddef.h>

/* doubles of workspace for n unknowns and k right-hand sides */
size_t imp_cof_work(int n, int k);

/* B (n x k) <- the X of least norm among those that minimise |A X - B| by columns. Both
 * column-major, leading dimension n, with rows of comparable size. A diagonal entry of the
 * triangular factor below 1e-12 of the largest counts as zero. Returns the rank, n for a regular
 * matrix: then X is the plain solution. */
int imp_cof_solve(int n, const double *A, int k, double *B, double *work);

#endif
