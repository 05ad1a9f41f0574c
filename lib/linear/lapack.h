/* lapack.h - LAPACK on dense matrices, column-major, with work of its own: where LAPACKE finds no
 * memory it says so on standard output.
 *
 * All return IMP_OK, IMP_NO_MEMORY, or IMP_NOT_FINITE where an iteration does not end, or an entry
 * is none of its numbers. */
#ifndef IMP_LAPACK_H
#define IMP_LAPACK_H

#include "base/status.h"

#include <stdbool.h>

/* A (n x m) <- R above Householder vectors, tau (min(n, m)); A P = Q R where *pivot (m, at first 0)
 * is P's columns, from 1; pivot NULL: A = Q R. */
imp_status imp_lapack_qr(int n, int m, double *A, int *pivot, double *tau);

/* A (n x m) <- the first m columns of the Q of k such vectors, m <= n. */
imp_status imp_lapack_q(int n, int m, int k, double *A, const double *tau);

/* value (n) <- eigenvalues, ascending, of A (n x n), of which the lower triangle is read; A <- the
 * eigenvectors where asked for, else nothing of use. */
imp_status imp_lapack_eigen(bool vectors, int n, double *A, double *value);

/* b (n) <- the shortest x of least |A x - b|, A (n x n) overwritten; singular values (value, n)
 * up to `least` of the largest count as 0, *rank is how many do not. */
imp_status imp_lapack_least(int n, double *A, double *b, double *value, double least, int *rank);

/* value (n) <- singular values of A (n x n), descending; V (n x n) <- the right singular vectors,
 * transposed: a row each. A is overwritten. */
imp_status imp_lapack_singular(int n, double *A, double *value, double *V);

#endif
