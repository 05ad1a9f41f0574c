/* Dense factors: what they solve, recomputed from the matrices, on both sides of the size at which
 * LAPACK takes over.
 */
#include "linear/dense.h"
#include "linear/lapack.h"
#include "generators/gen.h"
#include "tap.h"

#include <lapacke.h>

/* In place of LAPACK's: an iteration that does not converge. */
lapack_int LAPACKE_dgesvd_work(int layout, char jobu, char jobvt, lapack_int m, lapack_int n,
                               double *A, lapack_int lda, double *s, double *u, lapack_int ldu,
                               double *vt, lapack_int ldvt, double *work, lapack_int lwork) {
    (void)layout, (void)jobu, (void)jobvt, (void)m, (void)n, (void)A, (void)lda, (void)s;
    (void)u, (void)ldu, (void)vt, (void)ldvt;
    work[0] = 1;
    return lwork == -1 ? 0 : 1;
}

enum { MOST = IMP_DENSE_OWN + 5, WIDE = 3 };

static double A[MOST * MOST], L[MOST * MOST], B[MOST * WIDE], X[MOST * WIDE], tall[2 * MOST * MOST];

/* |A x - b|, largest entry; A (m x n). */
static double left(int m, int n, const double *matrix, const double *x, const double *b) {
    double worst = 0;
    for (int i = 0; i < m; i++) {
        double sum = -b[i];
        for (int j = 0; j < n; j++)
            sum += matrix[(size_t)j * (size_t)m + (size_t)i] * x[j];
        worst = tap_worst(worst, fabs(sum));
    }
    return worst;
}

/* A = G G' + E/10 with entries of G below 1/sqrt(n). */
static void positive(gen_stream *s, int n) {
    for (int i = 0; i < n * n; i++)
        L[i] = gen_uniform(s, -1, 1) / sqrt(n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[j * n + i] = i == j ? 0.1 : 0;
            for (int k = 0; k < n; k++)
                A[j * n + i] += L[k * n + i] * L[k * n + j];
        }
}

static void test_cholesky(int n) {
    gen_stream s = gen_seed(9001, (uint64_t)n);
    double worst = 0;
    positive(&s, n);
    memcpy(L, A, sizeof A);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            L[j * n + i] = NAN; /* above the diagonal nothing is read */
    for (int i = 0; i < WIDE * n; i++)
        X[i] = B[i] = gen_uniform(&s, -1, 1);
    const bool good = imp_cholesky(n, L);
    imp_cholesky_forward(n, L, WIDE, X);
    for (int k = 0; k < WIDE && n > 0; k++) {
        imp_cholesky_backward(n, L, X + k * n);
        worst = tap_worst(worst, left(n, n, A, X + k * n, B + k * n));
    }
    ok(good && worst < 1e-13, "Cholesky of %d rows: %.1e left", n, worst);
    memcpy(L, A, sizeof A);
    if (n == 0) return;
    A[(n - 1) * (n + 1)] -= 100;
    ok(!imp_cholesky(n, A), "a matrix that is not positive has no factor");
    L[0] = INFINITY;
    if (n <= IMP_DENSE_OWN) ok(!imp_cholesky(n, L), "nor one that is not finite");
}

static void test_elimination(int n) {
    gen_stream s = gen_seed(9002, (uint64_t)n);
    for (int i = 0; i < n * n; i++)
        A[i] = gen_uniform(&s, -1, 1);
    A[0] = 0; /* rows must be exchanged */
    for (int i = 0; i < n; i++)
        X[i] = B[i] = gen_uniform(&s, -1, 1);
    memcpy(L, A, sizeof A);
    int row[MOST];
    double again[MOST];
    const bool good = imp_eliminate(n, L, row, X);
    double size = 1;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(X[i]));
    is_near(left(n, n, A, X, B) / size, 0, 1e-13, 0, "elimination of %d rows", n);
    memcpy(again, B, sizeof again);
    if (good) imp_eliminate_again(n, L, row, again);
    ok(memcmp(again, X, (size_t)n * sizeof *X) == 0, "and once more, to the bit");
    for (int i = 0; i < n; i++)
        A[i] = A[n + i] = 0;
    ok(good && !imp_eliminate(n, A, NULL, X), "a column of zeros has no solution");
}

/* The residual is at right angles to every column; damping below the matrix, as the polish stacks
 * it. */
static void test_least_squares(int n, double damping) {
    const int m = 2 * n;
    gen_stream s = gen_seed(9003, (uint64_t)n);
    double b[2 * MOST], x[2 * MOST], worst = 0, size = 1;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tall[j * m + i] = i < n || damping == 0 ? gen_uniform(&s, -1, 1)
                              : i - n == j          ? damping
                                                    : 0;
    for (int i = 0; i < m; i++)
        x[i] = b[i] = gen_uniform(&s, -1, 1);
    double *copy = malloc((size_t)n * m * sizeof *copy);
    memcpy(copy, tall, (size_t)n * m * sizeof *copy);
    const bool good = imp_least_squares(m, n, copy, x);
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(x[i]));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            b[i] -= tall[j * m + i] * x[j];
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < m; i++)
            sum += tall[j * m + i] * b[i];
        worst = tap_worst(worst, fabs(sum));
    }
    ok(good && worst / size < 1e-13, "least squares of %d unknowns: %.1e", n, worst / size);
    memset(tall, 0, (size_t)m * sizeof *tall);
    ok(!imp_least_squares(m, n, tall, x), "a column of zeros is refused");
    tall[0] = 1e200; /* its square is beyond the doubles */
    ok(!imp_least_squares(m, n, tall, x), "and one whose length has no double");
    free(copy);
}

/* What LAPACK is not given: it might go on for ever. */
static void test_not_finite(void) {
    double bad[4] = {1, 0, 0, NAN}, b[2] = {1, 2}, value[2] = {7, 7}, V[4];
    int rank = 5;
    ok(imp_lapack_eigen(true, 2, bad, value) == IMP_NOT_FINITE &&
           imp_lapack_least(2, bad, b, value, 1e-9, &rank) == IMP_NOT_FINITE &&
           imp_lapack_singular(2, bad, value, V) == IMP_NOT_FINITE && value[0] == 7 && rank == 5,
       "LAPACK is given no NaN");
    bad[3] = 1;
    ok(imp_lapack_singular(2, bad, value, V) == IMP_NOT_FINITE,
       "nor is what it gives without converging an answer");
}

int main(void) {
    test_not_finite();
    const int sizes[] = {0, 1, 2, 7, 24, IMP_DENSE_OWN, MOST};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        test_cholesky(sizes[k]);
    for (size_t k = 2; k < sizeof sizes / sizeof *sizes; k++)
        test_elimination(sizes[k]);
    for (size_t k = 1; k < 5; k++) {
        test_least_squares(sizes[k], 0);
        test_least_squares(sizes[k], 1e-3);
    }
    return tap_done();
}
