/* test_cof.c - the complete orthogonal factorisation: rank, least squares, least norm, small sizes
 * and large. */
#include "generators/gen.h"
#include "linear/cof.h"
#include "tap.h"

enum { MOST = 70 };

/* A (n x n): m equations, and rows of zeros below them, which change no least-squares solution. */
static double A[MOST * MOST], B[2 * MOST], X[2 * MOST];

/* m equations in n unknowns of the given rank, well conditioned otherwise: a product of m x rank,
 * unity where the rank is full, and rank x n. */
static void make(gen_stream *s, int m, int n, int rank) {
    static double L[MOST * MOST], R[MOST * MOST];
    for (int i = 0; i < n * rank; i++) {
        L[i] = rank < m ? gen_normal(s) : i / rank == i % rank;
        R[i] = gen_normal(s);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[j * n + i] = 0;
            for (int k = 0; k < rank && i < m; k++)
                A[j * n + i] += L[i * rank + k] * R[k * n + j];
        }
}

/* X <- the answer to its m equations, which are handed over without the zeros; the rank. -1 where
 * the first right-hand side alone has another answer. */
static int solve(int m, int n, double *work) {
    static double equations[MOST * MOST];
    double alone[MOST], size = 1;
    memcpy(alone, X, (size_t)n * sizeof *X);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            equations[j * m + i] = A[j * n + i];
    const int rank = imp_cof_solve(m, n, equations, 2, X, work);
    if (imp_cof_solve(m, n, equations, 1, alone, work) != rank) return -1;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(X[i]));
    for (int i = 0; i < n; i++)
        if (!(fabs(alone[i] - X[i]) <= 1e-12 * size)) return -1;
    return rank;
}

/* Largest entry of A'(A x - b), 0 for a least-squares solution. */
static double normal_residual(int n, const double *x, const double *b) {
    double worst = 0, r[MOST];
    for (int i = 0; i < n; i++) {
        r[i] = -b[i];
        for (int j = 0; j < n; j++)
            r[i] += A[j * n + i] * x[j];
    }
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += A[j * n + i] * r[i];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

/* Least norm: x is A'y for some y. A second solve, of A' y = x in the least-squares sense, must
 * leave nothing. */
static double outside_rows(int n, const double *x) {
    static double T[MOST * MOST];
    double y[MOST], worst = 0, *work = malloc(imp_cof_work(n, 1) * sizeof *work);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            T[i * n + j] = A[j * n + i];
    memcpy(y, x, (size_t)n * sizeof *y);
    imp_cof_solve(n, n, T, 1, y, work);
    free(work);
    for (int j = 0; j < n; j++) {
        double sum = -x[j];
        for (int i = 0; i < n; i++)
            sum += A[j * n + i] * y[i];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static void test(int m, int n, int rank) {
    gen_stream s = gen_seed(5, 100 * (uint64_t)(n + n - m) + (uint64_t)rank);
    double *work = malloc(imp_cof_work(n, 2) * sizeof *work), squares = 0, norm = 0;
    bool right = true;
    for (int trial = 0; trial < 20; trial++) {
        make(&s, m, n, rank);
        for (int i = 0; i < 2 * n; i++)
            X[i] = B[i] = i % n < m ? gen_normal(&s) : 0;
        right = solve(m, n, work) == rank && right;
        for (int c = 0; c < 2 * n; c += n) {
            double size = 1;
            for (int i = 0; i < n; i++)
                size = fmax(size, fabs(X[c + i]));
            squares = fmax(squares, normal_residual(n, X + c, B + c) / size);
            if (rank < n) norm = fmax(norm, outside_rows(n, X + c) / size);
        }
    }
    free(work);
    ok(right && squares < 1e-13 * n * n && norm < 1e-12,
       "%d equations in %d unknowns, of rank %d: least squares (%.1e), least norm (%.1e)", m, n,
       rank, squares, norm);
}

/* Nearly parallel columns: what is left of each after the first is 1e-16 of it, and only computed
 * anew does it tell the one that is a copy from the one that is not. */
static void test_cancelled(void) {
    double nearly[9] = {1, 0, 0, 1, 0, 0, 1, 1e-9, 0}, x[3] = {1, 1e-9, 0}, work[64];
    ok(imp_cof_work(3, 1) <= 64 && imp_cof_solve(3, 3, nearly, 1, x, work) == 2,
       "a copy and a near copy: rank 2");
    is_near(x[2], 1, 0, 1e-6, "and the near one holds the second row");
}

/* Three equations of four unknowns, the third nearly the sum of the others: they are met as closely
 * as three that are not. */
static void test_nearly_dependent(void) {
    gen_stream s = gen_seed(7, 0);
    double worst = 0, work[64];
    for (int trial = 0; trial < 200; trial++) {
        double M[12], x[4] = {gen_normal(&s), gen_normal(&s)}, b[3], size = 0;
        for (int j = 0; j < 4; j++) {
            M[3 * j] = gen_normal(&s);
            M[3 * j + 1] = gen_normal(&s);
            M[3 * j + 2] = M[3 * j] + M[3 * j + 1] + 1e-5 * gen_normal(&s);
        }
        x[2] = x[0] + x[1] + 1e-5 * gen_normal(&s);
        memcpy(b, x, sizeof b);
        imp_cof_solve(3, 4, M, 1, x, work);
        for (int j = 0; j < 4; j++)
            size = fmax(size, fabs(x[j]));
        for (int i = 0; i < 3; i++) {
            double miss = -b[i];
            for (int j = 0; j < 4; j++)
                miss += M[3 * j + i] * x[j];
            worst = tap_worst(worst, fabs(miss) / fmax(1, size));
        }
    }
    ok(imp_cof_work(4, 1) <= 64 && worst < 1e-13, "three equations, nearly dependent (%.1e)",
       worst);
}

/* The product of whose minors has no inverse among doubles: the same answer as in another unit. */
static void test_tiny(void) {
    const double unit = 0x1p-174, M[12] = {1, 2, 0, -1, 0.5, 1, 0, 1, 3, 2, -1, 1};
    double own[12], x[4] = {1, 2, 3}, tiny[4] = {1, 2, 3}, work[64];
    for (int k = 0; k < 12; k++)
        own[k] = unit * M[k];
    imp_cof_solve(3, 4, M, 1, x, work);
    imp_cof_solve(3, 4, own, 1, tiny, work);
    for (int j = 0; j < 4; j++)
        tiny[j] *= unit;
    is_vec(tiny, x, 4, 0, 1e-14, "three equations in a unit of 2^-174");
}

/* The line of what n - 1 equations leave free. */
static void test_line(int n) {
    gen_stream s = gen_seed(6, (uint64_t)n);
    double *work = malloc(imp_cof_work(n, 1) * sizeof *work), worst = 0, z[MOST];
    bool right = true;
    for (int trial = 0; trial < 20; trial++) {
        double length = 0;
        for (int i = 0; i < n * (n - 1); i++)
            A[i] = gen_normal(&s);
        right = imp_cof_line(n, A, z, work) && right;
        for (int i = 0; i < n; i++)
            length += z[i] * z[i];
        worst = tap_worst(worst, fabs(length - 1));
        for (int k = 0; k < n - 1; k++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += A[j * (n - 1) + k] * z[j];
            worst = tap_worst(worst, fabs(sum));
        }
    }
    for (int j = 0; j < n; j++) /* its second equation says nothing new */
        A[j * (n - 1) + 1] = 2 * A[j * (n - 1)];
    const bool depends = !imp_cof_line(n, A, z, work);
    free(work);
    ok(right && worst < 1e-13 && depends, "the line that %d equations leave (%.1e)", n - 1, worst);
}

int main(void) {
    test_cancelled();
    test_nearly_dependent();
    test_tiny();
    for (int n = 1; n <= 12; n++)
        test(n, n, n);
    test(4, 4, 3);
    test(3, 4, 3);
    test(3, 4, 2);
    test(1, 6, 1);
    test(3, 8, 3);
    test(3, 8, 2);
    test(12, 12, 6);
    test(12, 12, 1);
    test(40, 40, 30);
    test(60, 60, 60);
    test(60, 60, 45);
    test(1, 2, 1);
    test(6, 12, 6);
    test(6, 12, 4);
    test(11, 12, 11);
    test(40, 60, 40);
    for (int n = 3; n <= 12; n++)
        test_line(n);
    double zero[4] = {0}, right_side[2] = {1, 2}, work[64];
    ok(imp_cof_work(2, 1) <= 64 && imp_cof_solve(2, 2, zero, 1, right_side, work) == 0 &&
           right_side[0] == 0 && right_side[1] == 0,
       "a zero matrix has rank 0 and the solution 0");
    ok(imp_cof_solve(0, 0, zero, 1, right_side, work) == 0, "no unknowns, no work");
    return tap_done();
}
