/* quasi_definite.c - AMD's ordering, up-looking sparse factors, and a dense tail.
 *
 * Davis (2005), "Algorithm 849: a concise sparse Cholesky factorization package": row i of L solves a triangular system
 * with the rows before it, whose pattern is a walk up the elimination tree. Departure: the last columns, which fill in
 * nearly completely, are left out of L; what remains of them is a dense symmetric matrix, factorised by LAPACK (with
 * pivoting, which costs nothing there). Contact graphs in space leave a tail that holds most of the operations. */
#include "multi/quasi_definite.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>
#include <suitesparse/ldl.h>

enum { LEAST_TAIL = 48, TAIL_BLOCK = 64 };

static const double dense_cost = 0.2; /* of an operation on a dense tail, relative to a sparse one */

struct quasi_definite {
    int n, tail;                /* rows; the last `tail` of them are dense */
    const int *start, *row;     /* the matrix */
    int *order, *place;         /* (n) the permutation and its inverse */
    int *parent, *count, *flag; /* (n) elimination tree, entries so far per column of L, mark */
    int *pattern, *L_start;     /* (n), (n + 1) */
    int *L_row;                 /* (entries of L) */
    double *L, *D, *y;          /* (entries of L), (n), (n) */
    double *S, *work;           /* (tail x tail) column-major, lower triangle; (TAIL_BLOCK tail) */
    lapack_int *pivots;         /* (tail) */
};

/* The tail that leaves the least work: c^2 / 2 for a column of L with c entries, m^3 / 6 for a tail of m. */
static int choose_tail(const quasi_definite *q) {
    double saved = 0, most = 0;
    int tail = 0;
    for (int m = 1; m <= q->n; m++) {
        const double c = q->count[q->n - m];
        saved += c * c / 2;
        const double gain = saved - dense_cost * m * m * m / 6.0;
        if (m < LEAST_TAIL || gain <= most) continue;
        most = gain;
        tail = m;
    }
    return tail;
}

static bool analyse(quasi_definite *q) {
    const size_t n = (size_t)q->n;
    q->order = malloc((7 * n + 1) * sizeof *q->order);
    if (!q->order) return false;
    q->place = q->order + n;
    q->parent = q->place + n;
    q->count = q->parent + n;
    q->flag = q->count + n;
    q->pattern = q->flag + n;
    q->L_start = q->pattern + n;
    if (amd_order(q->n, q->start, q->row, q->order, NULL, NULL) < AMD_OK) return false;
    int *start, *row; /* LDL reads them, though it does not say so */
    memcpy(&start, &q->start, sizeof start);
    memcpy(&row, &q->row, sizeof row);
    ldl_symbolic(q->n, start, row, q->L_start, q->parent, q->count, q->flag, q->order, q->place);
    return q->L_start[q->n] >= 0;
}

quasi_definite *imp_quasi_definite_new(int n, const int *start, const int *row) {
    quasi_definite *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    *q = (quasi_definite){.n = n, .start = start, .row = row};
    bool good = analyse(q);
    if (good) {
        q->tail = choose_tail(q);
        const size_t entries = (size_t)q->L_start[n - q->tail], m = (size_t)q->tail;
        q->L_row = malloc((entries + 1) * sizeof *q->L_row);
        q->pivots = malloc((m + 1) * sizeof *q->pivots);
        q->L = malloc((entries + 2 * (size_t)n + m * m + TAIL_BLOCK * m + 1) * sizeof *q->L);
        good = q->L_row && q->pivots && q->L;
        if (good) {
            q->D = q->L + entries;
            q->y = q->D + n;
            q->S = q->y + n;
            q->work = q->S + m * m;
        }
    }
    if (good) return q;
    imp_quasi_definite_free(q);
    return NULL;
}

void imp_quasi_definite_free(quasi_definite *q) {
    if (!q) return;
    free(q->order);
    free(q->L_row);
    free(q->pivots);
    free(q->L);
    free(q);
}

/* y <- row i of the permuted matrix up to its diagonal; the columns of L (before the tail) that row i of L needs, each
 * after all below it in the tree, are pattern[returned .. n - 1]. */
static int reach(quasi_definite *q, const double *value, int i) {
    const int column = q->order[i], sparse = q->n - q->tail, last = i < sparse ? i : sparse;
    int top = q->n;
    q->flag[i] = i;
    for (int k = q->start[column]; k < q->start[column + 1]; k++) {
        int j = q->place[q->row[k]], length = 0;
        if (j > i) continue;
        q->y[j] += value[k];
        for (; j >= 0 && j < last && q->flag[j] != i; j = q->parent[j]) {
            q->pattern[length++] = j;
            q->flag[j] = i;
        }
        while (length > 0)
            q->pattern[--top] = q->pattern[--length];
    }
    return top;
}

/* Row i of L; returns its pivot, before the tail's own elimination. */
static double eliminate(quasi_definite *q, int top, int i) {
    double pivot = q->y[i], *y = q->y;
    y[i] = 0;
    for (; top < q->n; top++) {
        const int j = q->pattern[top], end = q->L_start[j] + q->count[j]++;
        const double yj = y[j], l = yj / q->D[j];
        y[j] = 0;
        for (int k = q->L_start[j]; k < end; k++)
            y[q->L_row[k]] -= q->L[k] * yj;
        pivot -= l * yj;
        q->L_row[end] = i;
        q->L[end] = l;
    }
    return pivot;
}

bool imp_quasi_definite_factor(quasi_definite *q, const double *value) {
    const int sparse = q->n - q->tail, m = q->tail;
    memset(q->y, 0, (size_t)q->n * sizeof *q->y);
    memset(q->count, 0, (size_t)q->n * sizeof *q->count);
    for (int i = 0; i < q->n; i++)
        q->flag[i] = -1;
    for (int i = 0; i < q->n; i++) {
        const double pivot = eliminate(q, reach(q, value, i), i);
        if (!isfinite(pivot) || (pivot == 0 && i < sparse)) return false;
        if (i < sparse) {
            q->D[i] = pivot;
            continue;
        }
        for (int j = sparse; j < i; j++) {
            q->S[(size_t)(j - sparse) * (size_t)m + (size_t)(i - sparse)] = q->y[j];
            q->y[j] = 0;
        }
        q->S[(size_t)(i - sparse) * (size_t)(m + 1)] = pivot;
    }
    return m == 0 || LAPACKE_dsytrf_work(LAPACK_COL_MAJOR, 'L', m, q->S, m, q->pivots, q->work, TAIL_BLOCK * m) == 0;
}

void imp_quasi_definite_solve(quasi_definite *q, double *b) {
    const int sparse = q->n - q->tail, m = q->tail;
    double *y = q->y;
    for (int i = 0; i < q->n; i++)
        y[i] = b[q->order[i]];
    for (int j = 0; j < sparse; j++)
        for (int k = q->L_start[j]; k < q->L_start[j] + q->count[j]; k++)
            y[q->L_row[k]] -= q->L[k] * y[j];
    if (m > 0) (void)LAPACKE_dsytrs_work(LAPACK_COL_MAJOR, 'L', m, 1, q->S, m, q->pivots, y + sparse, m);
    for (int j = sparse - 1; j >= 0; j--) {
        y[j] /= q->D[j];
        for (int k = q->L_start[j]; k < q->L_start[j] + q->count[j]; k++)
            y[j] -= q->L[k] * y[q->L_row[k]];
    }
    for (int i = 0; i < q->n; i++)
        b[q->order[i]] = y[i];
}
