/* test_frontal.c - sparse LU factors by fronts: solutions against the matrix itself, the sign of
 * the determinant against elimination of the dense one; the dense product inside. */
#include "linear/dense_product.h"
#include "linear/frontal.h"

#include "generators/gen.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

/* A dense column-major matrix, and its pattern made symmetric, columns one after the other. */
typedef struct matrix {
    int n, *start, *row;
    double *dense, *value;
} matrix;

/* About `links` pairs of entries a row, of neighbours on a ring or of anyone, unlike above and
 * below the diagonal; `diagonal` times the sum of a row on it, of either sign where `mixed`. */
static matrix random_matrix(uint64_t index, int n, double links, bool ring, double diagonal,
                            bool mixed) {
    gen_stream s = gen_seed(77, index);
    const size_t N = (size_t)n;
    matrix m = {.n = n, .start = malloc((N + 1) * sizeof *m.start)};
    bool *there = calloc(N * N, sizeof *there);
    m.dense = calloc(N * N, sizeof *m.dense);
    m.row = malloc(N * N * sizeof *m.row);
    m.value = malloc(N * N * sizeof *m.value);
    for (int k = 0; k < (int)(links * n / 2); k++) {
        const int i = (int)gen_uniform(&s, 0, n);
        const int j = ring ? (i + 1 + (int)gen_uniform(&s, 0, 6)) % n : (int)gen_uniform(&s, 0, n);
        there[i * n + j] = there[j * n + i] = true;
        m.dense[i * n + j] = gen_uniform(&s, -1, 1);
        m.dense[j * n + i] = k % 5 == 0 ? 0 : gen_uniform(&s, -1, 1);
    }
    int count = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0.1;
        for (int i = 0; i < n; i++)
            sum += fabs(m.dense[j * n + i]);
        there[j * n + j] = true;
        m.dense[j * n + j] = diagonal * sum * (mixed && j % 3 == 0 ? -1 : 1);
        m.start[j] = count;
        for (int i = 0; i < n; i++) {
            if (!there[j * n + i]) continue;
            m.row[count] = i;
            m.value[count++] = m.dense[j * n + i];
        }
    }
    m.start[n] = count;
    free(there);
    return m;
}

static void clear(matrix *m) {
    free(m->start);
    free(m->row);
    free(m->dense);
    free(m->value);
}

/* The sign of the determinant, by rows exchanged for the largest; `dense` is used up. */
static int sign_of(int n, double *dense) {
    int sign = 1;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(dense[k * n + i]) > fabs(dense[k * n + best])) best = i;
        if (best != k) sign = -sign;
        for (int j = k; j < n; j++) {
            const double was = dense[j * n + k];
            dense[j * n + k] = dense[j * n + best];
            dense[j * n + best] = was;
        }
        if (dense[k * n + k] < 0) sign = -sign;
        for (int j = k + 1; j < n; j++)
            for (int i = k + 1; i < n; i++)
                dense[j * n + i] -= dense[k * n + i] / dense[k * n + k] * dense[j * n + k];
    }
    return sign;
}

/* The largest entry of b - A x, relative to x; INFINITY where there are no factors, or where their
 * sign is not the determinant's. */
static double error_of(matrix m, uint64_t index) {
    const int n = m.n;
    frontal *factor = imp_frontal_new(n, m.start, m.row);
    gen_stream s = gen_seed(78, index);
    double *x = malloc(2 * (size_t)n * sizeof *x), *b = x + n, worst = INFINITY;
    for (int twice = 0; twice < 2; twice++) { /* factors are made anew */
        double most = 1;
        if (!imp_frontal_factor(factor, m.value)) break;
        for (int i = 0; i < n; i++)
            x[i] = b[i] = gen_uniform(&s, -1, 1);
        imp_frontal_solve(factor, x);
        worst = 0;
        for (int i = 0; i < n; i++) {
            double left = b[i];
            for (int j = 0; j < n; j++)
                left -= m.dense[j * n + i] * x[j];
            worst = tap_worst(worst, fabs(left));
            most = fmax(most, fabs(x[i]));
        }
        worst /= most;
    }
    if (isfinite(worst) && imp_frontal_sign(factor) != sign_of(n, m.dense)) worst = INFINITY;
    imp_frontal_free(factor);
    free(x);
    clear(&m);
    return worst;
}

static void test_random(void) {
    double ring = 0, any = 0, full = 0, exchanged = 0;
    for (uint64_t k = 0; k < 60; k++) {
        const int n = 1 + (int)(7 * k);
        const bool mixed = k % 2;
        ring = tap_worst(ring, error_of(random_matrix(k, n, 3, true, 1, mixed), k));
        any = tap_worst(any, error_of(random_matrix(k + 100, n, 1.5, false, 1, mixed), k));
    }
    for (uint64_t k = 0; k < 12; k++) { /* one front, of more columns than are taken at a time */
        const int n = 60 + 8 * (int)k;
        full = tap_worst(full, error_of(random_matrix(k + 200, n, 3 * n, false, 1, k % 2), k));
        exchanged =
            tap_worst(exchanged, error_of(random_matrix(k + 300, n, 3 * n, false, 1e-3, k % 2), k));
    }
    ok(ring < 1e-13, "neighbours on a ring: worst error %.1e", ring);
    ok(any < 1e-13, "anyone with anyone: worst error %.1e", any);
    ok(full < 1e-13, "all with all: worst error %.1e", full);
    ok(exchanged < 1e-11, "with a small diagonal, by rows exchanged: worst error %.1e", exchanged);
}

static void test_singular(void) {
    const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    const double singular[] = {1, 2, 2, 4}, none[] = {0, 0, 0, 0}, nan[] = {NAN, 1, 1, 1},
                 good[] = {0, 2, 4, 0};
    frontal *f = imp_frontal_new(2, start, row);
    double b[2] = {4, 2};
    ok(!imp_frontal_factor(f, singular) && !imp_frontal_factor(f, none) &&
           !imp_frontal_factor(f, nan),
       "no factors of what is singular or no number");
    const bool factored = imp_frontal_factor(f, good);
    imp_frontal_solve(f, b);
    ok(factored && b[0] == 1 && b[1] == 1 && imp_frontal_sign(f) == -1,
       "a diagonal of zeros: solved, sign %d", imp_frontal_sign(f));
    ok(imp_frontal_work(f) > 0 && imp_frontal_entries(f) == 4, "one front: %.0f entries",
       imp_frontal_entries(f));
    imp_frontal_free(f);
    f = imp_frontal_new(0, start, row);
    ok(f && imp_frontal_factor(f, good) && imp_frontal_sign(f) == 1, "of no rows: 1");
    imp_frontal_free(f);
}

/* The product by vectors of each width that this build and this CPU have. */
static int widths(imp_dense_product *by[3]) {
    int count = 0;
    by[count++] = imp_dense_product_plain;
    if (imp_dense_product_avx2 && __builtin_cpu_supports("avx2"))
        by[count++] = imp_dense_product_avx2;
    if (imp_dense_product_avx512 && __builtin_cpu_supports("avx512f"))
        by[count++] = imp_dense_product_avx512;
    return count;
}

static void test_product(void) {
    gen_stream s = gen_seed(79, 0);
    imp_dense_product *by[3];
    const int count = widths(by);
    double worst = 0;
    int unlike = 0;
    for (int trial = 0; trial < 200; trial++) {
        const int m = (int)gen_uniform(&s, 0, 30), n = (int)gen_uniform(&s, 0, 30),
                  k = (int)gen_uniform(&s, 0, 150), turned = trial % 2;
        double *A = calloc(40 * 150, sizeof *A), *B = calloc(40 * 150, sizeof *B), C[40 * 40],
               expected[40 * 40], *work = malloc(imp_dense_product_room(40) * sizeof *work);
        for (int i = 0; i < 40 * 150; i++) {
            A[i] = gen_uniform(&s, -1, 1);
            B[i] = gen_uniform(&s, -1, 1);
        }
        for (int i = 0; i < 40 * 40; i++)
            C[i] = expected[i] = gen_uniform(&s, -1, 1);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                for (int l = 0; l < k; l++)
                    expected[40 * j + i] -=
                        A[40 * l + i] * (turned ? B[40 * l + j] : B[150 * j + l]);
        double before[40 * 40], own[40 * 40];
        memcpy(before, C, sizeof before);
        imp_dense_subtract(m, n, k, A, 40, B, turned ? 40 : 1, turned ? 1 : 150, C, 40, work);
        for (int i = 0; i < 40 * 40; i++)
            worst = tap_worst(worst, fabs(C[i] - expected[i]));
        for (int w = 0; w < count; w++) {
            memcpy(own, before, sizeof own);
            by[w](m, n, k, A, 40, B, turned ? 40 : 1, turned ? 1 : 150, own, 40, work);
            unlike += memcmp(own, C, sizeof own) != 0;
        }
        free(A);
        free(B);
        free(work);
    }
    ok(worst < 1e-13, "products of all shapes, nothing beside them touched: worst error %.1e",
       worst);
    ok(unlike == 0, "  the same bits by vectors of each of %d widths", count);
}

int main(void) {
    test_random();
    test_singular();
    test_product();
    return tap_done();
}
