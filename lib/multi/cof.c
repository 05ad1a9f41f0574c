/* cof.c - complete orthogonal factorisation A P = Q [T 0; 0 0] Z, for the least-norm impulses of redundant contacts.
 *
 * Golub, Van Loan (1996), Matrix Computations, sections 5.4 and 5.5: Householder reflections with column pivoting from
 * the left, then, where the rank is short, from the right. Uchida, Sherman, Delp (2015), section 3a, for its use here.
 * Systems of up to SMALL unknowns are factorised here, where a call of LAPACK costs several times the arithmetic;
 * larger ones by LAPACK's dgelsy, which is the same algorithm in blocks. */
#include "multi/cof.h"

#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SMALL = 48 };
static const double RANK = 1e-12;   /* rounding leaves about n eps = 1e-14 of the largest pivot in a redundant row */
static const double REGULAR = 1e-7; /* so far from RANK that plain elimination need not measure the rank */

size_t imp_cof_work(int n, int k) {
    const size_t m = (size_t)n, small = 4 * m, lapack = m * (m + 5) + (size_t)k * (m + 1) + 64 * m + 1;
    return m * (m + (size_t)k) + (n <= SMALL ? small : m + lapack);
}

/* x <- (E - tau h h') x over n entries, h[0] = 1 implied. */
static void reflect(int n, const double *h, double tau, double *x) {
    double sum = x[0];
    for (int i = 1; i < n; i++)
        sum += h[i] * x[i];
    sum *= tau;
    x[0] -= sum;
    for (int i = 1; i < n; i++)
        x[i] -= sum * h[i];
}

/* Turns (x[0], tail of n entries a stride apart) into (beta, 0): beta in x[0], h in the tail; returns tau. */
static double householder(double *x, int n, double *tail, int stride) {
    double below = 0;
    for (int i = 0; i < n; i++)
        below += tail[i * stride] * tail[i * stride];
    if (below == 0) return 0;
    const double alpha = *x, beta = -copysign(sqrt(alpha * alpha + below), alpha);
    for (int i = 0; i < n; i++)
        tail[i * stride] /= alpha - beta;
    *x = beta;
    return (beta - alpha) / beta;
}

static double column_square(int n, const double *a) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}

/* The column of largest square among k..n-1 to place k. first: squares at the start, for judging the downdated ones. */
static void pivot(int n, double *A, int k, double *square, double *first, double *order) {
    int best = k;
    for (int j = k + 1; j < n; j++)
        if (square[j] > square[best]) best = j;
    if (best == k) return;
    for (int i = 0; i < n; i++) {
        const double swap = A[k * n + i];
        A[k * n + i] = A[best * n + i];
        A[best * n + i] = swap;
    }
    const double swap = order[k];
    order[k] = order[best];
    order[best] = swap;
    square[best] = square[k];
    first[best] = first[k];
}

/* Q and R: A <- R above the diagonal, B <- Q'B; returns the rank. */
static int factorise(int n, double *A, int k, double *B, double *order, double *square, double *first) {
    for (int j = 0; j < n; j++) {
        order[j] = j;
        square[j] = first[j] = column_square(n, A + j * n);
    }
    double largest = 0;
    for (int i = 0; i < n; i++) {
        pivot(n, A, i, square, first, order);
        double *a = A + i * n + i;
        const double tau = householder(a, n - i - 1, a + 1, 1);
        if (i == 0) largest = fabs(*a);
        if (!(fabs(*a) > RANK * largest)) return i;
        for (int j = i + 1; j < n; j++) {
            reflect(n - i, a, tau, A + j * n + i);
            square[j] -= A[j * n + i] * A[j * n + i];
            if (square[j] < 1e-6 * first[j]) /* cancelled away: anew */
                square[j] = first[j] = column_square(n - i - 1, A + j * n + i + 1);
        }
        for (int j = 0; j < k; j++)
            reflect(n - i, a, tau, B + j * n + i);
    }
    return n;
}

/* y (r) <- T^-1 y for the upper triangle of A. */
static void back_substitute(int n, int r, const double *A, double *y) {
    for (int i = r - 1; i >= 0; i--) {
        y[i] /= A[i * n + i];
        for (int j = 0; j < i; j++)
            y[j] -= A[i * n + j] * y[i];
    }
}

/* Z: the rows of the trapezoid [R11 R12] of rank r are turned, from the last, onto their triangle. */
static void annihilate(int n, int r, double *A, double *tau) {
    for (int i = r - 1; i >= 0; i--) {
        double *tail = A + r * n + i;
        tau[i] = householder(A + i * n + i, n - r, tail, n);
        for (int row = 0; row < i; row++) {
            double sum = A[i * n + row];
            for (int j = 0; j < n - r; j++)
                sum += tail[j * n] * A[(r + j) * n + row];
            sum *= tau[i];
            A[i * n + row] -= sum;
            for (int j = 0; j < n - r; j++)
                A[(r + j) * n + row] -= sum * tail[j * n];
        }
    }
}

/* y (n) <- Z' (y (r), 0). */
static void unturn(int n, int r, const double *A, const double *tau, double *y) {
    memset(y + r, 0, (size_t)(n - r) * sizeof *y);
    for (int i = 0; i < r; i++) {
        double sum = y[i];
        for (int j = 0; j < n - r; j++)
            sum += A[(r + j) * n + i] * y[r + j];
        sum *= tau[i];
        y[i] -= sum;
        for (int j = 0; j < n - r; j++)
            y[r + j] -= sum * A[(r + j) * n + i];
    }
}

static int solve_small(int n, double *A, int k, double *B, double *work) {
    double *order = work, *tau = work + n, *x = work + 2 * n;
    const int rank = factorise(n, A, k, B, order, tau, x);
    if (rank < n) annihilate(n, rank, A, tau);
    for (int c = 0; c < k; c++) {
        double *y = B + c * n;
        back_substitute(n, rank, A, y);
        if (rank < n) unturn(n, rank, A, tau, y);
        memcpy(x, y, (size_t)n * sizeof *x);
        for (int i = 0; i < n; i++)
            y[(int)order[i]] = x[i];
    }
    return rank;
}

static int solve_lapack(int n, double *A, int k, double *B, double *work) {
    lapack_int *order = (lapack_int *)work; /* n of them fit in n doubles */
    lapack_int rank = 0;
    memset(order, 0, (size_t)n * sizeof *order);
    const lapack_int size = (lapack_int)(imp_cof_work(n, k) - (size_t)n * (size_t)(n + k + 1));
    LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, k, A, n, B, n, order, RANK, &rank, work + n, size);
    return rank;
}

/* Gaussian elimination with row pivoting, B <- A^-1 B: true where all pivots are far from rounding. */
static bool solve_direct(int n, double *A, int k, double *B) {
    double least = INFINITY, most = 0;
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int r = i + 1; r < n; r++)
            if (fabs(A[i * n + r]) > fabs(A[i * n + best])) best = r;
        const double pivot = fabs(A[i * n + best]);
        least = pivot < least ? pivot : least;
        most = pivot > most ? pivot : most;
        if (!(least > REGULAR * most)) return false;
        for (int c = 0; c < n + k && best != i; c++) {
            double *column = c < n ? A + c * n : B + (c - n) * n;
            const double swap = column[i];
            column[i] = column[best];
            column[best] = swap;
        }
        const double inverse = 1 / A[i * n + i];
        for (int r = i + 1; r < n; r++)
            A[i * n + r] *= inverse;
        for (int c = i + 1; c < n + k; c++) {
            double *column = c < n ? A + c * n : B + (c - n) * n;
            for (int r = i + 1; r < n; r++)
                column[r] -= A[i * n + r] * column[i];
        }
    }
    for (int c = 0; c < k; c++)
        back_substitute(n, n, A, B + c * n);
    return true;
}

int imp_cof_solve(int n, const double *A, int k, double *B, double *work) {
    if (n == 0) return 0;
    const size_t A_size = (size_t)n * (size_t)n * sizeof *A, B_size = (size_t)n * (size_t)k * sizeof *B;
    double *copy = work, *X = copy + n * n, *scratch = X + n * k;
    int rank = n;
    memcpy(copy, A, A_size);
    if (n > SMALL) {
        rank = solve_lapack(n, copy, k, B, scratch);
    } else {
        memcpy(X, B, B_size);
        if (solve_direct(n, copy, k, X)) {
            memcpy(B, X, B_size);
        } else {
            memcpy(copy, A, A_size);
            rank = solve_small(n, copy, k, B, scratch);
        }
    }
    return rank;
}
