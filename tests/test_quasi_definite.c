/* test_quasi_definite.c - sparse L D L' factors: solutions against the matrix itself. */
#include "linear/quasi_definite.h"
#include "linear/quasi_definite_plan.h"

#include "generators/gen.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

/* Both triangles, columns one after the other. */
typedef struct matrix {
    int n, *start, *row;
    double *value;
} matrix;

/* Entries of a dense column-major symmetric matrix that are not 0, and the diagonal. */
static matrix compress(int n, const double *A) {
    matrix m = {.n = n, .start = malloc(((size_t)n + 1) * sizeof *m.start)};
    int count = 0;
    m.row = malloc((size_t)n * (size_t)n * sizeof *m.row);
    m.value = malloc((size_t)n * (size_t)n * sizeof *m.value);
    for (int j = 0; j < n; j++) {
        m.start[j] = count;
        for (int i = 0; i < n; i++) {
            if (i != j && A[j * n + i] == 0) continue;
            m.row[count] = i;
            m.value[count++] = A[j * n + i];
        }
    }
    m.start[n] = count;
    return m;
}

static void clear(matrix *m) {
    free(m->start);
    free(m->row);
    free(m->value);
}

/* The largest entry of b - A x for a solution x, relative to b; INFINITY where there are no
 * factors. */
static double error_of(const double *A, int n, gen_stream *s) {
    matrix m = compress(n, A);
    quasi_definite *factor = imp_quasi_definite_new(n, m.start, m.row);
    double *x = malloc(2 * (size_t)n * sizeof *x), *b = x + n, worst = INFINITY;
    for (int twice = 0; twice < 2; twice++) { /* factors are made anew */
        if (!imp_quasi_definite_factor(factor, m.value)) break;
        for (int i = 0; i < n; i++)
            x[i] = b[i] = gen_uniform(s, -1, 1);
        imp_quasi_definite_solve(factor, x);
        worst = 0;
        for (int i = 0; i < n; i++) {
            double left = b[i];
            for (int j = 0; j < n; j++)
                left -= A[j * n + i] * x[j];
            worst = tap_worst(worst, fabs(left));
        }
    }
    imp_quasi_definite_free(factor);
    free(x);
    clear(&m);
    return worst;
}

/* Definite blocks of both signs, coupled at random by about `links` entries a row; neighbours on a
 * ring or anyone. */
static double random_error(uint64_t index, int n, double links, bool ring) {
    gen_stream s = gen_seed(99, index);
    double *A = calloc((size_t)n * (size_t)n, sizeof *A);
    for (int k = 0; k < (int)(links * n / 2); k++) {
        const int i = (int)gen_uniform(&s, 0, n);
        const int j = ring ? (i + 1 + (int)gen_uniform(&s, 0, 6)) % n : (int)gen_uniform(&s, 0, n);
        if (i != j) A[i * n + j] = A[j * n + i] = gen_uniform(&s, -1, 1);
    }
    for (int i = 0; i < n; i++) { /* rows of one sign dominate what they share with their like */
        double like = 0.5;
        for (int j = 0; j < n; j++)
            if ((j % 3 == 0) == (i % 3 == 0) && j != i) like += fabs(A[i * n + j]);
        A[i * n + i] = i % 3 == 0 ? -like : like;
    }
    const double error = error_of(A, n, &s);
    free(A);
    return error;
}

static void test_random(void) {
    static const int sizes[] = {1, 2, 3, 5, 17, 48, 60, 150, 300};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int n = sizes[k];
        double worst = 0;
        for (uint64_t index = 0; index < (n < 100 ? 40 : 4); index++) {
            worst = tap_worst(worst, random_error(index, n, 0, false)); /* a diagonal, all roots */
            worst = tap_worst(worst, random_error(index, n, 1.5, false));
            worst = tap_worst(worst, random_error(index, n, 3, true));
            worst = tap_worst(worst, random_error(index, n, 5, false));
            /* nearly full: one front of many blocks */
            worst = tap_worst(worst, random_error(index, n, n, false));
        }
        ok(worst < 1e-11, "%d rows: solutions fit the matrix (%.1e)", n, worst);
    }
}

/* An arrow: what is eliminated last touches all. And a singular matrix. */
static void test_shapes(void) {
    enum { N = 200 };
    static double A[N * N];
    gen_stream s = gen_seed(5, 0);
    for (int i = 0; i < N; i++) {
        A[i * N + i] = i == 0 ? -1 : 1 + 0.01 * i;
        A[i] = A[i * N] = i == 0 ? -1 : 0.1;
    }
    const double error = error_of(A, N, &s);
    ok(error < 1e-12, "an arrow (%.1e)", error);
    A[7 * N + 7] = A[7] = A[7 * N] = 0;
    ok(!(error_of(A, N, &s) < INFINITY), "a row of zeros has no factors");
    A[7 * N + 7] = NAN;
    ok(!(error_of(A, N, &s) < INFINITY), "nor has what is not a number");
    for (int k = 0; k < N * N; k++)
        A[k] = NAN;
    ok(!(error_of(A, N, &s) < INFINITY), "nor have blocks of it, of which the first one ends it");
    imp_quasi_definite_free(NULL);
}

/* A chain of blocks of six, each tied to the next: about a front for each block, not for each
 * column. */
static void test_fronts(void) {
    enum { BLOCKS = 20, N = 6 * BLOCKS };
    static double A[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[j * N + i] = abs(i / 6 - j / 6) <= 1 ? 1 + 30 * (i == j) : 0;
    matrix m = compress(N, A);
    quasi_definite_plan plan;
    const bool made = imp_quasi_definite_make_plan(N, m.start, m.row, &plan);
    ok(made && plan.fronts >= 1 && plan.fronts <= 2 * BLOCKS, "%d fronts for %d blocks",
       plan.fronts, BLOCKS);
    bool room = made;
    for (int f = 0; room && f < plan.fronts; f++) { /* a panel's product with D, a quarter of its
                                                       square, two vectors */
        const size_t width = (size_t)(plan.first[f + 1] - plan.first[f]),
                     height = plan.below[f + 1] - plan.below[f];
        room = plan.work >= width * height + width * width / 4 + width + height;
    }
    ok(room, "work for every one of them");
    imp_quasi_definite_unplan(&plan);
    clear(&m);
}

int main(void) {
    test_fronts();
    test_random();
    test_shapes();
    return tap_done();
}
