/* cof.c - complete orthogonal factorisation A P = Q [T 0; 0 0] Z, for the least-norm impulses of
 * redundant contacts; and elimination, or Cramer's rule, where the rank is beyond doubt.
 *
 * Golub, Van Loan (1996), Matrix Computations, sections 5.4 and 5.5: Householder reflections with
 * column pivoting from the left, then, where the rank is short, from the right. Uchida, Sherman,
 * Delp (2015), section 3a, for its use here. LAPACK's dgelsy is the same algorithm in blocks, but
 * with kernels that differ from CPU to CPU in the last bits. */
#include "linear/cof.h"

#include "base/vec3.h"
#include "linear/dense.h"

#include <math.h>
#include <string.h>

/* rounding leaves about n eps = 1e-14 of the largest pivot in a redundant row */
static const double RANK = 1e-12;
/* so far from RANK that plain elimination need not measure the rank */
static const double REGULAR = 1e-7;
/* of the product of the rows' squares: the square of three digits, which Cramer's rule may lose;
 * and so large that its inverse is a double */
static const double CRAMER = 1e-6, LEAST_SQUARE = 0x1p-1000;

size_t imp_cof_work(int n, int k) {
    const size_t m = (size_t)n, r = (size_t)k;
    return m * (m + 3 + r);
}

/* x <- (E - tau h h') x over n entries, h[0] = 1 implied. */
static inline __attribute__((always_inline)) void reflect(int n, const double *h, double tau,
                                                          double *x) {
    const double sum = tau * (x[0] + imp_dense_dot(h + 1, x + 1, n - 1));
    x[0] -= sum;
    for (int i = 1; i < n; i++)
        x[i] -= sum * h[i];
}

/* Turns (x[0], tail of n entries a stride apart) into (beta, 0): beta in x[0], h in the tail;
 * returns tau. */
static inline __attribute__((always_inline)) double householder(double *x, int n, double *tail,
                                                                int stride) {
    double below = 0;
    for (int i = 0; i < n; i++)
        below += tail[i * stride] * tail[i * stride];
    if (below == 0) return 0;
    const double alpha = *x, beta = -copysign(sqrt(alpha * alpha + below), alpha),
                 scale = 1 / (alpha - beta);
    for (int i = 0; i < n; i++)
        tail[i * stride] *= scale;
    *x = beta;
    return 1 - alpha / beta;
}

static double column_square(int n, const double *a) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}

/* The column of largest square among k..n-1 to place k. first: squares at the start, for judging
 * the downdated ones. */
static void pivot(int m, int n, double *A, int k, double *square, double *first, double *order) {
    int best = k;
    for (int j = k + 1; j < n; j++)
        if (square[j] > square[best]) best = j;
    if (best == k) return;
    for (int i = 0; i < m; i++)
        imp_dense_swap(A + k * m + i, A + best * m + i);
    imp_dense_swap(order + k, order + best);
    square[best] = square[k];
    first[best] = first[k];
}

/* Q and R: A (m x n) <- R above the diagonal, B <- Q'B; returns the rank. */
static int factorise(int m, int n, double *A, int k, double *B, double *order, double *square,
                     double *first) {
    for (int j = 0; j < n; j++) {
        order[j] = j;
        square[j] = first[j] = column_square(m, A + j * m);
    }
    double largest = 0;
    for (int i = 0; i < m; i++) {
        pivot(m, n, A, i, square, first, order);
        double *a = A + i * m + i;
        const double tau = householder(a, m - i - 1, a + 1, 1);
        if (i == 0) largest = fabs(*a);
        if (!(fabs(*a) > RANK * largest)) return i;
        for (int j = i + 1; j < n; j++) {
            reflect(m - i, a, tau, A + j * m + i);
            square[j] -= A[j * m + i] * A[j * m + i];
            if (square[j] < 1e-6 * first[j]) /* cancelled away: anew */
                square[j] = first[j] = column_square(m - i - 1, A + j * m + i + 1);
        }
        for (int j = 0; j < k; j++)
            reflect(m - i, a, tau, B + j * n + i);
    }
    return m;
}

/* y (r) <- T^-1 y for the upper triangle of A, of m rows. */
static void back_substitute(int m, int r, const double *A, double *y) {
    for (int i = r - 1; i >= 0; i--) {
        y[i] /= A[i * m + i];
        for (int j = 0; j < i; j++)
            y[j] -= A[i * m + j] * y[i];
    }
}

/* Z: the rows of the trapezoid [R11 R12] of rank r are turned, from the last, onto their
 * triangle. */
static void annihilate(int m, int n, int r, double *A, double *tau) {
    for (int i = r - 1; i >= 0; i--) {
        double *tail = A + r * m + i;
        tau[i] = householder(A + i * m + i, n - r, tail, m);
        for (int row = 0; row < i; row++) {
            double sum = A[i * m + row];
            for (int j = 0; j < n - r; j++)
                sum += tail[j * m] * A[(r + j) * m + row];
            sum *= tau[i];
            A[i * m + row] -= sum;
            for (int j = 0; j < n - r; j++)
                A[(r + j) * m + row] -= sum * tail[j * m];
        }
    }
}

/* y (n) <- Z' (y (r), 0). */
static void unturn(int m, int n, int r, const double *A, const double *tau, double *y) {
    memset(y + r, 0, (size_t)(n - r) * sizeof *y);
    for (int i = 0; i < r; i++) {
        double sum = y[i];
        for (int j = 0; j < n - r; j++)
            sum += A[(r + j) * m + i] * y[r + j];
        sum *= tau[i];
        y[i] -= sum;
        for (int j = 0; j < n - r; j++)
            y[r + j] -= sum * A[(r + j) * m + i];
    }
}

/* X (n x k) <- the least-norm solution for B = X. */
static int solve_orthogonal(int m, int n, const double *A, int k, double *X, double *work) {
    double *order = work, *tau = order + n, *x = tau + n, *R = x + n;
    memcpy(R, A, (size_t)m * n * sizeof *R);
    const int rank = factorise(m, n, R, k, X, order, tau, x);
    if (rank < n) annihilate(m, n, rank, R, tau);
    for (int c = 0; c < k; c++) {
        double *y = X + c * n;
        back_substitute(m, rank, R, y);
        if (rank < n) unturn(m, n, rank, R, tau, y);
        memcpy(x, y, (size_t)n * sizeof *x);
        for (int i = 0; i < n; i++)
            y[(int)order[i]] = x[i];
    }
    return rank;
}

/* A (m x n + k, the right-hand sides last) <- E x + C x' = y in its columns from m on, order (n) <-
 * whose columns they are, by elimination with pivoting of columns, which keeps C small. False where
 * a pivot is not far from rounding. */
static inline __attribute__((always_inline)) bool eliminate(int m, int n, int k, double *A,
                                                            double *order) {
    double least = INFINITY, most = 0;
    for (int j = 0; j < n; j++)
        order[j] = j;
    for (int i = 0; i < m; i++) {
        int best = i;
        for (int j = i + 1; j < n; j++)
            if (fabs(A[j * m + i]) > fabs(A[best * m + i])) best = j;
        for (int r = 0; r < m && best != i; r++)
            imp_dense_swap(A + i * m + r, A + best * m + r);
        if (best != i) imp_dense_swap(order + i, order + best);
        const double *a = A + i * m, size = fabs(a[i]), scale = 1 / a[i];
        least = size < least ? size : least;
        most = size > most ? size : most;
        if (!(least > REGULAR * most)) return false;
        for (double *c = A + (i + 1) * m; c < A + (n + k) * m; c += m) {
            c[i] *= scale;
            for (int r = i + 1; r < m; r++)
                c[r] -= c[i] * a[r];
        }
    }
    for (double *c = A + m * m; c < A + (n + k) * m; c += m)
        for (int i = m - 1; i > 0; i--)
            for (int r = 0; r < i; r++)
                c[r] -= A[i * m + r] * c[i];
    return true;
}

/* b (n) <- (E + G)^-1 b, the lower triangle of G (n x n) being positive semidefinite. */
static inline __attribute__((always_inline)) void damp(int n, double *G, double *b) {
    for (int i = 0; i < n; i++)
        G[i * n + i] += 1;
    if (n == 1) {
        b[0] /= G[0];
        return;
    }
    (void)imp_cholesky(n, G); /* no eigenvalue is below 1 */
    imp_cholesky_forward(n, G, 1, b);
    imp_cholesky_backward(n, G, b);
}

/* The least norm of x (m) - C t and t (d), C (m x d), takes the place of x: t = (E + C'C)^-1 C'x,
 * or, where that is the larger system, x <- (E + CC')^-1 x and t = C'x. G is room. */
static inline __attribute__((always_inline)) void share(int m, int d, const double *C, double *x,
                                                        double *G, double *t) {
    if (d > m) {
        for (int i = 0; i < m; i++)
            for (int r = i; r < m; r++) {
                double sum = 0;
                for (int j = 0; j < d; j++)
                    sum += C[j * m + i] * C[j * m + r];
                G[i * m + r] = sum;
            }
        damp(m, G, x);
        for (int j = 0; j < d; j++)
            t[j] = imp_dense_dot(C + j * m, x, m);
        return;
    }
    for (int j = 0; j < d; j++) {
        t[j] = imp_dense_dot(C + j * m, x, m);
        for (int i = j; i < d; i++)
            G[j * d + i] = imp_dense_dot(C + j * m, C + i * m, m);
    }
    damp(d, G, t);
    for (int j = 0; j < d; j++)
        for (int i = 0; i < m; i++)
            x[i] -= C[j * m + i] * t[j];
}

/* X (n x k) <- the least-norm solution of fewer equations than unknowns; where these are not
 * independent beyond doubt: false, and X as it was. */
static bool wide(int m, int n, const double *A, int k, double *restrict X, double *work) {
    const int d = n - m;
    double *R = work, *C = R + m * m, *order = R + m * (n + k), *t = order + n, *G = t + d;
    memcpy(R, A, (size_t)m * n * sizeof *R);
    for (int c = 0; c < k; c++)
        memcpy(R + (n + c) * m, X + c * n, (size_t)m * sizeof *R);
    if (!eliminate(m, n, k, R, order)) return false;
    for (double *x = R + n * m; x < R + (n + k) * m; x += m, X += n) {
        share(m, d, C, x, G, t);
        for (int j = 0; j < d; j++)
            X[(int)order[m + j]] = t[j];
        for (int i = 0; i < m; i++)
            X[(int)order[i]] = x[i];
    }
    return true;
}

/* X (4 x k) <- the least-norm solution of three equations, A (3 x 4); false where they are not far
 * from dependent. Without unknown j the solution is D_j / z_j by Cramer's rule, z_j being that
 * minor; the least norm is their mean with weights z_j^2 (Ben-Israel 1992): no pivots, one
 * division. */
static bool solve_face(const double *A, int k, double *x) {
    static const int of[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    double product[6][3], rows = 1;
    for (int pair = 0; pair < 6; pair++) {
        const double *a = A + 3 * of[pair][0], *b = A + 3 * of[pair][1];
        product[pair][0] = a[1] * b[2] - a[2] * b[1];
        product[pair][1] = a[2] * b[0] - a[0] * b[2];
        product[pair][2] = a[0] * b[1] - a[1] * b[0];
    }
    const double z[4] = {dot3(A + 3, product[5]), dot3(A, product[5]), dot3(A, product[4]),
                         dot3(A, product[3])};
    const double square = z[0] * z[0] + z[1] * z[1] + z[2] * z[2] + z[3] * z[3];
    for (int r = 0; r < 3; r++)
        rows *= A[r] * A[r] + A[3 + r] * A[3 + r] + A[6 + r] * A[6 + r] + A[9 + r] * A[9 + r];
    if (!(square > CRAMER * rows && square > LEAST_SQUARE)) return false;
    const double scale = 1 / square;
    for (; k > 0; k--, x += 4) {
        double D[6];
        for (int pair = 0; pair < 6; pair++)
            D[pair] = dot3(x, product[pair]);
        x[0] = scale * (D[5] * z[1] + D[4] * z[2] + D[3] * z[3]);
        x[1] = scale * (D[5] * z[0] - D[2] * z[2] - D[1] * z[3]);
        x[2] = scale * (D[0] * z[3] - D[2] * z[1] - D[4] * z[0]);
        x[3] = scale * (D[3] * z[0] + D[1] * z[1] + D[0] * z[2]);
    }
    return true;
}

static bool solve_wide(int m, int n, const double *A, int k, double *X, double *work) {
    if (m == 3 && n == 4 && solve_face(A, k, X)) return true;
    return wide(m, n, A, k, X, work);
}

bool imp_cof_line(int n, const double *A, double *z, double *work) {
    const int m = n - 1;
    double *R = work, *order = R + m * n, *c = R + m * m;
    memcpy(R, A, (size_t)m * n * sizeof *R);
    if (!eliminate(m, n, 0, R, order)) return false;
    const double length = sqrt(1 + column_square(m, c));
    for (int i = 0; i < m; i++)
        z[(int)order[i]] = -c[i] / length;
    z[(int)order[m]] = 1 / length;
    return true;
}

bool imp_cof_direct(int n, const double *A, int k, double *X, double *work) {
    double *LU = work, *Y = LU + n * n, least = INFINITY, most = 0;
    memcpy(LU, A, (size_t)n * n * sizeof *LU);
    memcpy(Y, X, (size_t)n * k * sizeof *Y);
    for (int i = 0; i < n; i++) {
        const double *column = LU + i * n;
        int best = i;
        for (int r = i + 1; r < n; r++)
            if (fabs(column[r]) > fabs(column[best])) best = r;
        const double size = fabs(column[best]);
        least = size < least ? size : least;
        most = size > most ? size : most;
        if (!(least > REGULAR * most)) return false;
        for (int c = 0; c < n + k && best != i; c++) /* Y follows LU in memory */
            imp_dense_swap(LU + c * n + i, LU + c * n + best);
        const double scale = 1 / column[i];
        for (int r = i + 1; r < n; r++)
            LU[i * n + r] *= scale;
        for (int c = i + 1; c < n + k; c++)
            for (int r = i + 1; r < n; r++)
                LU[c * n + r] -= column[r] * LU[c * n + i];
    }
    for (int c = 0; c < k; c++, Y += n)
        back_substitute(n, n, LU, Y);
    memcpy(X, work + n * n, (size_t)n * k * sizeof *X);
    return true;
}

int imp_cof_solve(int m, int n, const double *A, int k, double *B, double *work) {
    if (n == 0) return 0;
    const bool good = m < n ? solve_wide(m, n, A, k, B, work) : imp_cof_direct(n, A, k, B, work);
    return good ? m : solve_orthogonal(m, n, A, k, B, work);
}
