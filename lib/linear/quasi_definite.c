/* quasi_definite.c - sparse L D L' factors by fronts: dense matrices in a tree.
 *
 * Duff, Reid (1983), "The multifrontal solution of indefinite sparse symmetric linear equations": a
 * front gathers the entries of its columns and its children's Schur complements, eliminates its
 * columns densely and hands on what is left of its rows. Departure: no pivoting, a quasi-definite
 * matrix needs none. Contact graphs in space spend nearly all operations in few large fronts, and
 * so in products of dense matrices. */
#include "linear/quasi_definite.h"

#include "linear/quasi_definite_plan.h"

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
    /* (fronts + n) those whose complements are on the stack; room for a child's places */
    int *open;
};

quasi_definite *imp_quasi_definite_new(int n, const int *start, const int *row) {
    quasi_definite *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    q->start = start;
    q->row = row;
    if (imp_quasi_definite_make_plan(n, start, row, &q->plan)) {
        const quasi_definite_plan *p = &q->plan;
        q->L = malloc((p->panel[p->fronts] + p->stack + p->work + (size_t)n + 1) * sizeof *q->L);
        q->local = malloc((3 * (size_t)n + 1) * sizeof *q->local);
    }
    if (!q->L || !q->local) {
        imp_quasi_definite_free(q);
        return NULL;
    }
    q->stack = q->L + q->plan.panel[q->plan.fronts];
    q->work = q->stack + q->plan.stack;
    q->y = q->work + q->plan.work;
    q->open = q->local + n;
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
static void gather_child(quasi_definite *q, const front *a, const front *child) {
    const size_t height = (size_t)child->height;
    int *place = q->open + q->plan.fronts; /* of the child's rows */
    for (size_t i = 0; i < height; i++)
        place[i] = q->local[child->below[i]];
    for (size_t j = 0; j < height; j++) {
        const double *from = child->left + j * height;
        const int column = place[j];
        double *to = column < a->width
                         ? a->panel + (size_t)column * (size_t)a->rows
                         : a->left + (size_t)(column - a->width) * (size_t)a->height - a->width;
        for (size_t i = j; i < height; i++)
            to[place[i]] += from[i];
    }
}

/* L D L' of a small square block on the panel's diagonal; false at a pivot that is 0 or not
 * finite. */
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

/* W <- L D of rows row .. row + count - 1 and the panel's columns begin .. end - 1. */
static void scaled_rows(const front *a, int row, int count, int begin, int end, double *W) {
    for (int k = begin; k < end; k++) {
        const double *column = a->panel + (size_t)k * (size_t)a->rows, pivot = column[k];
        for (int i = 0; i < count; i++)
            *W++ = column[row + i] * pivot;
    }
}

/* C -= L W' on and below the diagonal of C (rows x columns, as far apart as C_rows): strips of
 * columns. */
static void subtract_product(const front *a, int row, int begin, int end, const double *W,
                             int columns, double *C, int C_rows) {
    for (int j = 0; j < columns; j += BLOCK) {
        const int width = columns - j < BLOCK ? columns - j : BLOCK;
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, a->rows - row - j, width, end - begin,
                    -1, a->panel + (size_t)begin * (size_t)a->rows + row + j, a->rows, W + j,
                    columns, 1, C + (size_t)j * (size_t)(C_rows + 1), C_rows);
    }
}

/* Eliminates the panel's columns begin .. end - 1, the second half after the first. */
static bool eliminate(const front *a, int begin, int end, double *work) {
    const size_t rows = (size_t)a->rows;
    double *diagonal = a->panel + (size_t)begin * (rows + 1);
    if (end - begin > BLOCK) {
        const int middle = begin + (end - begin) / 2;
        if (!eliminate(a, begin, middle, work)) return false;
        scaled_rows(a, middle, end - middle, begin, middle, work);
        subtract_product(a, middle, begin, middle, work, end - middle,
                         a->panel + (size_t)middle * (rows + 1), a->rows);
        return eliminate(a, middle, end, work);
    }
    if (!factor_block(diagonal, rows, end - begin)) return false;
    double *L = diagonal + (end - begin);
    if (a->rows > end)
        cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasUnit, a->rows - end,
                    end - begin, 1, diagonal, a->rows, L, a->rows);
    for (int k = begin; k < end; k++, L += rows) {
        const double inverse = 1 / a->panel[(size_t)k * (rows + 1)];
        for (int i = 0; i < a->rows - end; i++)
            L[i] *= inverse;
    }
    return true;
}

/* What the front leaves to its parent. */
static bool factor_front(const front *a, double *work) {
    if (!eliminate(a, 0, a->width, work)) return false;
    if (a->height == 0) return true;
    scaled_rows(a, a->width, a->height, 0, a->width, work);
    subtract_product(a, a->width, 0, a->width, work, a->height, a->left, a->height);
    return true;
}

bool imp_quasi_definite_factor(quasi_definite *q, const double *value) {
    const quasi_definite_plan *p = &q->plan;
    double *top = q->stack;
    int depth = 0;
    for (int f = 0; f < p->fronts; f++) {
        const front a = front_at(q, f, top);
        double *bottom = top;
        gather_matrix(q, value, &a);
        for (int c = 0; c < p->children[f]; c++) {
            front child = front_at(q, q->open[--depth], NULL);
            bottom -= (size_t)child.height * (size_t)child.height;
            child.left = bottom;
            gather_child(q, &a, &child);
        }
        if (!factor_front(&a, q->work)) return false;
        top = bottom + (size_t)a.height * (size_t)a.height;
        if (a.height == 0) continue;
        memmove(bottom, a.left, (size_t)(top - bottom) * sizeof *bottom);
        q->open[depth++] = f;
    }
    return true;
}

/* y of the front's rows below, gathered into or out of one vector. */
static void forward(quasi_definite *q, const front *a) {
    double *y = q->y + a->begin, *below = q->work;
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasUnit, a->width, a->panel, a->rows, y,
                1);
    if (a->height == 0) return;
    cblas_dgemv(CblasColMajor, CblasNoTrans, a->height, a->width, 1, a->panel + a->width, a->rows,
                y, 1, 0, below, 1);
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
        cblas_dgemv(CblasColMajor, CblasTrans, a->height, a->width, -1, a->panel + a->width,
                    a->rows, below, 1, 1, y, 1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasUnit, a->width, a->panel, a->rows, y,
                1);
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
