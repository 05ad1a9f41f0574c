/* quasi_definite.c - sparse L D L' factors by fronts: dense matrices in a tree.
 *
 * Duff, Reid (1983), "The multifrontal solution of indefinite sparse symmetric linear equations": a front gathers the
 * entries of its columns and its children's Schur complements, eliminates its columns densely and hands on what is left
 * of its rows. Departure: no pivoting, a quasi-definite matrix needs none. Contact graphs in space spend nearly all
 * operations in few large fronts, and so in products of dense matrices. */
#include "multi/quasi_definite.h"

#include "multi/quasi_definite_plan.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 48 }; /* columns eliminated at a time, and width of the strips of a lower triangle */

struct quasi_definite {
    quasi_definite_plan plan;
    const int *start, *row; /* the matrix */
    double *L;              /* panels: unit lower triangle on top; D stands on its diagonal */
    double *stack, *work, *y;
    int *local; /* (n) of a row: its place in the front at hand */
};

quasi_definite *imp_quasi_definite_new(int n, const int *start, const int *row) {
    quasi_definite *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    q->start = start;
    q->row = row;
    if (imp_quasi_definite_make_plan(n, start, row, &q->plan)) {
        const quasi_definite_plan *p = &q->plan;
        q->L = malloc((p->panel[p->fronts] + p->stack + p->work + 2 * (size_t)n + 1) * sizeof *q->L);
        q->local = malloc(((size_t)n + 1) * sizeof *q->local);
    }
    if (!q->L || !q->local) {
        imp_quasi_definite_free(q);
        return NULL;
    }
    q->stack = q->L + q->plan.panel[q->plan.fronts];
    q->work = q->stack + q->plan.stack;
    q->y = q->work + q->plan.work;
    return q;
}

void imp_quasi_definite_free(quasi_definite *q) {
    if (!q) return;
    imp_quasi_definite_unplan(&q->plan);
    free(q->L);
    free(q->local);
    free(q);
}

/* One front: its rows are the columns it eliminates, then those below. */
typedef struct front {
    int begin, width, height, rows;
    const int *below;
    double *panel; /* (rows x width) */
    double *left;  /* (height x height) the Schur complement, lower triangle */
} front;

static front front_at(const quasi_definite *q, int f, double *left) {
    const quasi_definite_plan *p = &q->plan;
    front a = {.begin = p->first[f], .width = p->first[f + 1] - p->first[f]};
    a.height = (int)(p->below[f + 1] - p->below[f]);
    a.rows = a.width + a.height;
    a.below = p->row + p->below[f];
    a.panel = q->L + p->panel[f];
    a.left = left;
    return a;
}

/* The entries of the front's own columns. */
static void gather_matrix(quasi_definite *q, const double *value, const front *a) {
    const quasi_definite_plan *p = &q->plan;
    memset(a->panel, 0, (size_t)a->rows * (size_t)a->width * sizeof *a->panel);
    memset(a->left, 0, (size_t)a->height * (size_t)a->height * sizeof *a->left);
    for (int j = 0; j < a->width; j++)
        q->local[a->begin + j] = j;
    for (int k = 0; k < a->height; k++)
        q->local[a->below[k]] = a->width + k;
    for (int j = 0; j < a->width; j++) {
        double *column = a->panel + (size_t)j * (size_t)a->rows;
        const int old = p->order[a->begin + j];
        for (int k = q->start[old]; k < q->start[old + 1]; k++) {
            const int i = p->place[q->row[k]];
            if (i >= a->begin + j) column[q->local[i]] += value[k];
        }
    }
}

/* Adds a child's complement. */
static void gather_child(const quasi_definite *q, const front *a, const front *child) {
    const size_t height = (size_t)child->height;
    for (size_t j = 0; j < height; j++) {
        const double *from = child->left + j * height;
        const int column = q->local[child->below[j]];
        double *to = column < a->width ? a->panel + (size_t)column * (size_t)a->rows
                                       : a->left + (size_t)(column - a->width) * (size_t)a->height - a->width;
        for (size_t i = j; i < height; i++)
            to[q->local[child->below[i]]] += from[i];
    }
}

/* L D L' of a small square block on the panel's diagonal; false at a pivot that is 0 or not finite. */
static bool factor_block(double *A, size_t rows, int width) {
    for (int j = 0; j < width; j++) {
        double *column = A + (size_t)j * rows;
        const double pivot = column[j];
        if (!isfinite(pivot) || pivot == 0) return false;
        for (int k = j + 1; k < width; k++) {
            const double l = column[k] / pivot;
            double *other = A + (size_t)k * rows;
            for (int i = k; i < width; i++)
                other[i] -= l * column[i];
        }
        for (int i = j + 1; i < width; i++)
            column[i] /= pivot;
    }
    return true;
}

/* Lower triangle of C (size x size) -= L W', both (size x width). */
static void subtract_product(const double *L, size_t L_rows, const double *W, size_t W_rows, int size, int width,
                             double *C, size_t C_rows) {
    for (int j = 0; j < size; j += BLOCK) {
        const int columns = size - j < BLOCK ? size - j : BLOCK;
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, size - j, columns, width, -1, L + j, (int)L_rows, W + j,
                    (int)W_rows, 1, C + (size_t)j * (C_rows + 1), (int)C_rows);
    }
}

/* Eliminates the front's columns, a block at a time; `work` takes L D below the block. */
static bool eliminate(const front *a, double *work) {
    const size_t rows = (size_t)a->rows, height = (size_t)a->height;
    for (int j = 0; j < a->width; j += BLOCK) {
        const int width = a->width - j < BLOCK ? a->width - j : BLOCK, end = j + width, under = a->rows - end;
        double *diagonal = a->panel + (size_t)j * (rows + 1), *L = diagonal + width;
        if (!factor_block(diagonal, rows, width)) return false;
        if (under == 0) break;
        cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasUnit, under, width, 1, diagonal, (int)rows,
                    L, (int)rows);
        for (int k = 0; k < width; k++) {
            double *column = L + (size_t)k * rows, *scaled = work + (size_t)k * (size_t)under;
            const double inverse = 1 / diagonal[(size_t)k * (rows + 1)];
            for (int i = 0; i < under; i++) {
                scaled[i] = column[i];
                column[i] *= inverse;
            }
        }
        for (int c = end; c < a->width; c += BLOCK) { /* the rest of the panel */
            const int columns = a->width - c < BLOCK ? a->width - c : BLOCK;
            cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, a->rows - c, columns, width, -1, L + (c - end),
                        (int)rows, work + (c - end), under, 1, a->panel + (size_t)c * (rows + 1), (int)rows);
        }
        subtract_product(L + (a->width - end), rows, work + (a->width - end), (size_t)under, a->height, width, a->left,
                         height);
    }
    return true;
}

bool imp_quasi_definite_factor(quasi_definite *q, const double *value) {
    const quasi_definite_plan *p = &q->plan;
    double *top = q->stack;
    int *open = (int *)(void *)q->y, depth = 0; /* fronts whose complements are on the stack */
    for (int f = 0; f < p->fronts; f++) {
        const front a = front_at(q, f, top);
        double *bottom = top;
        gather_matrix(q, value, &a);
        for (int c = 0; c < p->children[f]; c++) {
            front child = front_at(q, open[--depth], NULL);
            bottom -= (size_t)child.height * (size_t)child.height;
            child.left = bottom;
            gather_child(q, &a, &child);
        }
        if (!eliminate(&a, q->work)) return false;
        if (a.height == 0) continue;
        memmove(bottom, a.left, (size_t)a.height * (size_t)a.height * sizeof *bottom);
        open[depth++] = f;
        top = bottom + (size_t)a.height * (size_t)a.height;
    }
    return true;
}

/* y of the front's rows below, gathered into or out of one vector. */
static void forward(quasi_definite *q, const front *a) {
    double *y = q->y + a->begin, *below = q->work;
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasUnit, a->width, a->panel, a->rows, y, 1);
    if (a->height == 0) return;
    cblas_dgemv(CblasColMajor, CblasNoTrans, a->height, a->width, 1, a->panel + a->width, a->rows, y, 1, 0, below, 1);
    for (int k = 0; k < a->height; k++)
        q->y[a->below[k]] -= below[k];
}

static void backward(quasi_definite *q, const front *a) {
    double *y = q->y + a->begin, *below = q->work;
    for (int j = 0; j < a->width; j++)
        y[j] /= a->panel[(size_t)j * (size_t)(a->rows + 1)];
    for (int k = 0; k < a->height; k++)
        below[k] = q->y[a->below[k]];
    if (a->height > 0)
        cblas_dgemv(CblasColMajor, CblasTrans, a->height, a->width, -1, a->panel + a->width, a->rows, below, 1, 1, y,
                    1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasUnit, a->width, a->panel, a->rows, y, 1);
}

void imp_quasi_definite_solve(quasi_definite *q, double *b) {
    const quasi_definite_plan *p = &q->plan;
    for (int i = 0; i < p->n; i++)
        q->y[i] = b[p->order[i]];
    for (int f = 0; f < p->fronts; f++) {
        const front a = front_at(q, f, NULL);
        forward(q, &a);
    }
    for (int f = p->fronts - 1; f >= 0; f--) {
        const front a = front_at(q, f, NULL);
        backward(q, &a);
    }
    for (int i = 0; i < p->n; i++)
        b[p->order[i]] = q->y[i];
}
