/* dense.c - Cholesky, elimination with pivoting, and least squares by reflections.
 *
 * Golub, Van Loan (1996), Matrix Computations, algorithms 4.2.1, 3.4.1 and 5.2.1. Inner loops run
 * down columns, each entry by itself, so that a compiler may take as many at once as it likes
 * without changing a bit. */
#include "linear/dense.h"

#include <lapacke.h>
#include <math.h>
#include <stddef.h>

static double *at(double *A, int rows, int row, int column) {
    return A + (size_t)column * (size_t)rows + row;
}

/* y -= a x over n entries. */
static void subtract(double *y, double a, const double *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] -= a * x[i];
}

static bool cholesky(int n, double *A) {
    for (int j = 0; j < n; j++) {
        double *column = at(A, n, j, j);
        for (int k = 0; k < j; k++) {
            const double *L = at(A, n, j, k);
            subtract(column, L[0], L, n - j);
        }
        if (!(column[0] > 0) || isinf(column[0])) return false;
        const double root = sqrt(column[0]);
        for (int i = 0; i < n - j; i++)
            column[i] /= root;
    }
    return true;
}

bool imp_cholesky(int n, double *A) {
    if (n <= IMP_DENSE_OWN) return cholesky(n, A);
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, A, n) == 0;
}

void imp_cholesky_forward(int n, const double *L, int k, double *B) {
    if (n > IMP_DENSE_OWN) {
        (void)LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', n, k, L, n, B, n);
        return;
    }
    for (int c = 0; c < k; c++, B += n)
        for (int i = 0; i < n; i++) {
            const double *column = L + (size_t)i * (size_t)n + i;
            B[i] /= column[0];
            subtract(B + i + 1, B[i], column + 1, n - i - 1);
        }
}

void imp_cholesky_backward(int n, const double *L, double *b) {
    if (n > IMP_DENSE_OWN) {
        (void)LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'T', 'N', n, 1, L, n, b, n);
        return;
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *column = L + (size_t)i * (size_t)n + i;
        b[i] = (b[i] - imp_dense_dot(column + 1, b + i + 1, n - i - 1)) / column[0];
    }
}

/* The row of the largest entry of a column among i..n-1. */
static int largest(int n, int i, const double *column) {
    int best = i;
    for (int r = i + 1; r < n; r++)
        if (fabs(column[r]) > fabs(column[best])) best = r;
    return best;
}

/* b <- U^-1 b of the upper triangle. */
static void upper_solve(int n, const double *U, double *b) {
    for (int i = n - 1; i >= 0; i--) {
        const double *column = U + (size_t)i * (size_t)n;
        b[i] /= column[i];
        subtract(b, b[i], column, i);
    }
}

bool imp_eliminate(int n, double *A, int *row, double *b) {
    for (int i = 0; i < n; i++) {
        double *column = at(A, n, 0, i);
        const int best = largest(n, i, column);
        if (!(fabs(column[best]) > 0)) return false;
        for (int c = 0; c < n && best != i; c++)
            imp_dense_swap(at(A, n, i, c), at(A, n, best, c));
        if (row) row[i] = best;
        imp_dense_swap(b + i, b + best);
        for (int r = i + 1; r < n; r++)
            column[r] /= column[i];
        for (int c = i + 1; c < n; c++)
            if (*at(A, n, i, c) != 0)
                subtract(at(A, n, i + 1, c), *at(A, n, i, c), column + i + 1, n - i - 1);
        subtract(b + i + 1, b[i], column + i + 1, n - i - 1);
    }
    upper_solve(n, A, b);
    return true;
}

void imp_eliminate_again(int n, const double *A, const int *row, double *b) {
    for (int i = 0; i < n; i++)
        imp_dense_swap(b + i, b + row[i]);
    for (int i = 0; i < n; i++)
        subtract(b + i + 1, b[i], A + (size_t)i * (size_t)n + i + 1, n - i - 1);
    upper_solve(n, A, b);
}

bool imp_least_squares(int m, int n, double *A, double *b) {
    for (int j = 0; j < n; j++) {
        double *h = at(A, m, j, j);
        int rows = m - j;
        while (rows > 1 && h[rows - 1] == 0)
            rows--;
        const double length = sqrt(imp_dense_dot(h, h, rows)), end = -copysign(length, h[0]);
        if (!(length > 0) || isinf(length)) return false;
        h[0] -= end; /* the reflection E - h h' / (-end h[0]) turns the column into (end, 0) */
        const double over = -1 / (end * h[0]);
        for (int c = j + 1; c < n; c++) {
            double *other = at(A, m, j, c);
            subtract(other, over * imp_dense_dot(h, other, rows), h, rows);
        }
        subtract(b + j, over * imp_dense_dot(h, b + j, rows), h, rows);
        h[0] = end;
    }
    for (int i = n - 1; i >= 0; i--) {
        b[i] /= *at(A, m, i, i);
        subtract(b, b[i], at(A, m, 0, i), i);
    }
    return true;
}
