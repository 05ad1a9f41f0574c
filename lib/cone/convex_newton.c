/* convex_newton.c - dense factors of the Newton systems, by two Cholesky factorisations, and their
 * refinement.
 *
 * With T = W + B and C = [-W E, 1]: T dx + C y = r_x, C'dx - D y = r_y; T is positive definite and
 * so is the Schur complement D + C'T^-1 C. */
#include "cone/convex_newton.h"

#include "linear/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most of them: each is kept while it leaves a tenth of what was left. */
enum { REFINEMENTS = 6 };

struct convex_newton {
    const convex_island *island;
    convex_sparse *sparse; /* NULL: dense */
    int n;
    double *W;            /* (3n x 3n) */
    double *T;            /* (3n x 3n) factor */
    double *C;            /* (3n x (n + 1)) column-major: L^-1 C */
    double *schur;        /* (n + 1 x n + 1) factor */
    double *right, *left; /* (4n + 1) */
    double *next;         /* (4n + 1) the solution with one more correction */
    double *product, *y;  /* (3n) */
    const double *B, *D;  /* the matrix factorised last */
};

enum { SMALL = 24 }; /* contacts up to which dense factors are as fast, and more exact */

/* Worth the indices of a sparse factor? Dense ones run some ten times faster per operation. */
static bool is_sparse(const convex_island *s, const convex_bodies *bodies) {
    return s->n > SMALL && (bodies || 5.0 * s->start[s->n] < (double)s->n * s->n);
}

convex_newton *imp_convex_newton_new(const convex_island *island, convex_bodies *bodies) {
    const bool sparse = is_sparse(island, bodies);
    const size_t n = (size_t)island->n, rows = 3 * n, vector = 4 * n + 1;
    const size_t dense = sparse ? 0 : 2 * rows * rows + rows * (n + 1) + (n + 1) * (n + 1);
    convex_newton *k = calloc(1, sizeof *k);
    if (!k) return NULL;
    *k = (convex_newton){.island = island, .n = island->n};
    k->right = malloc((5 * vector + dense) * sizeof *k->right);
    if (sparse) k->sparse = imp_convex_sparse_new(island, bodies);
    if (!k->right || (sparse && !k->sparse)) {
        imp_convex_newton_free(k);
        return NULL;
    }
    k->left = k->right + vector;
    k->next = k->left + vector;
    k->product = k->next + vector;
    k->y = k->product + vector;
    if (sparse) return k;
    k->W = k->y + vector;
    k->T = k->W + rows * rows;
    k->C = k->T + rows * rows;
    k->schur = k->C + rows * (n + 1);
    imp_convex_dense(island, k->W);
    return k;
}

void imp_convex_newton_free(convex_newton *k) {
    if (!k) return;
    imp_convex_sparse_free(k->sparse);
    free(k->right);
    free(k);
}

static bool dense_factor(convex_newton *k, double shift) {
    const size_t n = (size_t)k->n, rows = 3 * n, columns = n + 1;
    memcpy(k->T, k->W, rows * rows * sizeof *k->T);
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < 3; r++) {
            for (size_t c = 0; c < 3; c++)
                k->T[(3 * i + r) * rows + 3 * i + c] += k->B[9 * i + 3 * r + c];
            k->T[(3 * i + r) * (rows + 1)] += shift;
        }
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < rows; i++)
            k->C[j * rows + i] = -k->W[3 * j * rows + i]; /* W is symmetric */
    for (size_t i = 0; i < rows; i++)
        k->C[n * rows + i] = i % 3 == 0 ? 1 : 0;
    if (!imp_cholesky((int)rows, k->T)) return false;
    imp_cholesky_forward((int)rows, k->T, (int)columns, k->C);
    for (size_t i = 0; i < columns; i++)
        for (size_t j = 0; j <= i; j++)
            k->schur[j * columns + i] = (i == j ? k->D[i] + shift : 0) +
                                        imp_dense_dot(k->C + i * rows, k->C + j * rows, (int)rows);
    return imp_cholesky((int)columns, k->schur);
}

static void dense_solve(convex_newton *k, double *r) {
    const int rows = 3 * k->n, columns = k->n + 1;
    double *y = r + rows;
    imp_cholesky_forward(rows, k->T, 1, r);
    for (int j = 0; j < columns; j++) {
        y[j] = -y[j];
        for (int a = 0; a < rows; a++)
            y[j] += k->C[(size_t)j * (size_t)rows + (size_t)a] * r[a];
    }
    imp_cholesky_forward(columns, k->schur, 1, y);
    imp_cholesky_backward(columns, k->schur, y);
    for (int j = 0; j < columns; j++)
        for (int a = 0; a < rows; a++)
            r[a] -= k->C[(size_t)j * (size_t)rows + (size_t)a] * y[j];
    imp_cholesky_backward(rows, k->T, r);
}

bool imp_convex_newton_factor(convex_newton *k, const double *B, const double *D) {
    k->B = B;
    k->D = D;
    /* the least that gives a factor; with the first alone 6 more of 40000 hard little problems stay
     * unsolved (build/campaign/campaign stress) */
    static const double shifts[] = {1e-13, 1e-11, 1e-9, 1e-7};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
        if (k->sparse ? imp_convex_sparse_factor(k->sparse, B, D, 1e3 * shifts[i])
                      : dense_factor(k, shifts[i]))
            return true;
    return false;
}

/* out <- r - K v. Returns its largest entry. */
static double defect(convex_newton *k, const double *r, const double *v, double *out) {
    const int n = k->n;
    double worst = 0, sum = 0;
    imp_convex_apply(k->island, v, k->product);
    for (int i = 0; i < n; i++) {
        out[3 * n + i] = r[3 * n + i] + k->product[3 * i] + k->D[i] * v[3 * n + i];
        sum += v[3 * i];
    }
    out[4 * n] = r[4 * n] - sum + k->D[n] * v[4 * n];
    for (int i = 0; i < 3 * n; i++)
        k->y[i] = v[i] - (i % 3 == 0 ? v[3 * n + i / 3] : 0);
    imp_convex_apply(k->island, k->y, k->product);
    for (int i = 0; i < 3 * n; i++) {
        const double *B = k->B + 3 * (size_t)i, *x = v + 3 * (i / 3);
        out[i] = r[i] - k->product[i] - B[0] * x[0] - B[1] * x[1] - B[2] * x[2] -
                 (i % 3 == 0 ? v[4 * n] : 0);
    }
    for (int i = 0; i <= 4 * n; i++)
        worst = fmax(worst, fabs(out[i]));
    return worst;
}

void imp_convex_newton_solve(convex_newton *k, double *r) {
    const size_t size = 4 * (size_t)k->n + 1;
    double best = INFINITY;
    memcpy(k->right, r, size * sizeof *r);
    memcpy(k->left, r, size * sizeof *r);
    memset(r, 0, size * sizeof *r);
    for (int round = 0; round <= REFINEMENTS; round++) {
        /* r: the solution so far; left: what it leaves */
        if (k->sparse)
            imp_convex_sparse_solve(k->sparse, k->left);
        else
            dense_solve(k, k->left);
        for (size_t i = 0; i < size; i++)
            k->next[i] = r[i] + k->left[i];
        const double worst = defect(k, k->right, k->next, k->left);
        if (!(worst < best)) break;
        memcpy(r, k->next, size * sizeof *r);
        if (!(worst < 0.1 * best)) break;
        best = worst;
    }
}
