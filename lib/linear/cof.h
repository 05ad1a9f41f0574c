/* cof.h - least-norm solutions of small dense systems by a complete orthogonal factorisation. */
#ifndef IMP_COF_H
#define IMP_COF_H

#include <stdbool.h>
#include <stddef.h>

/* doubles of workspace for n unknowns and k right-hand sides */
size_t imp_cof_work(int n, int k);

/* B (n x k) <- the X of least norm among those that minimise |A X - B| by columns, for m <= n
 * equations in n unknowns: A (m x n) and B, of which the first m rows are the right-hand sides, are
 * column-major with leading dimensions m and n, A's rows of comparable size. By elimination where
 * no pivot is below 1e-7 of the largest, three equations in four unknowns by Cramer's rule where
 * their minors are above 1e-3 of the product of their norms; else a diagonal entry of the
 * triangular factor below 1e-12 of the largest counts as zero. Returns the rank; n for a regular
 * square matrix: then X is the plain solution. */
int imp_cof_solve(int m, int n, const double *A, int k, double *B, double *work);

/* Its first attempt for n equations: B (n x k) <- A^-1 B by elimination; false, with B as it was,
 * where a pivot is below 1e-7 of the largest. */
bool imp_cof_direct(int n, const double *A, int k, double *B, double *work);

/* z (n) <- the unit vector with A z = 0 of n - 1 independent equations (n - 1 x n), of either sign;
 * false, with z as it was, where a pivot is below 1e-7 of the largest. */
bool imp_cof_line(int n, const double *A, double *z, double *work);

#endif
