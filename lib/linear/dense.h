/* dense.h - factors of dense matrices, column-major.
 *
 * Up to IMP_DENSE_OWN rows they are computed here: every sum in one order, so that the answer does
 * not depend on which kernels a BLAS picks for the CPU, and without memory of their own. Cholesky
 * factors of more rows are left to LAPACK, which is faster there. */
#ifndef IMP_DENSE_H
#define IMP_DENSE_H

#include <stdbool.h>

enum { IMP_DENSE_OWN = 192 }; /* 64 contacts */

/* In four sums, so that an addition need not wait for the one before. */
static inline double imp_dense_dot(const double *a, const double *b, int n) {
    double sum[4] = {0};
    int i = 0;
    for (; i + 3 < n; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static inline void imp_dense_swap(double *a, double *b) {
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* The lower triangle of A (n x n) <- L with A = L L', of which only that triangle is read; false
 * where a pivot is not positive. */
bool imp_cholesky(int n, double *A);

/* B (n x k) <- L^-1 B; b (n) <- L'^-1 b. */
void imp_cholesky_forward(int n, const double *L, int k, double *B);
void imp_cholesky_backward(int n, const double *L, double *b);

/* b (n) <- A^-1 b by elimination with row pivoting, of any size; A and row (n, may be NULL) <- what
 * imp_eliminate_again solves by for another b. False where a pivot is 0. */
bool imp_eliminate(int n, double *A, int *row, double *b);
void imp_eliminate_again(int n, const double *A, const int *row, double *b);

/* The first n entries of b (m) <- the x of least |A x - b|, A (m x n) of full rank, m >= n, by
 * Householder reflections, of any size; A and the rest of b are overwritten. False where a column
 * depends on those before it. */
bool imp_least_squares(int m, int n, double *A, double *b);

#endif
