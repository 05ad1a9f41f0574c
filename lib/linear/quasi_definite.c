/* quasi_definite.c - sparse L D L' factors by fronts.
 *
 * Duff, Reid (1983), "The multifrontal solution of indefinite sparse symmetric linear equations".
 * Departure: no pivoting, a quasi-definite matrix needs none. Contact graphs in space spend nearly
 * all operations in few large fronts, and so in products of dense matrices. Panels hold the unit
 * lower triangle on top, D on its diagonal; of complements the lower triangle counts. */
#include "linear/quasi_definite.h"

#include "linear/fronts.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

enum { BLOCK = 48 }; /* columns eliminated at a time, and width of the strips of a lower triangle */

struct quasi_definite {
    fronts fronts;
};

quasi_definite *imp_quasi_definite_new(int n, const int *start, const int *row) {
    quasi_definite *q = calloc(1, sizeof *q);
    if (!q || imp_fronts_open(&q->fronts, n, start, row)) return q;
    imp_quasi_definite_free(q);
    return NULL;
}

void imp_quasi_definite_free(quasi_definite *q) {
    if (q) imp_fronts_close(&q->fronts);
    free(q);
}

static void gather_matrix(fronts *q, const double *value, const front *a) {
    const quasi_definite_plan *p = &q->plan;
    for (int j = 0; j < a->width; j++) {
        double *column = a->panel + (size_t)j * (size_t)a->rows;
        const int old = p->order[a->begin + j];
        for (int k = q->start[old]; k < q->start[old + 1]; k++) {
            const int i = p->place[q->row[k]];
            if (i >= a->begin + j) column[q->local[i]] += value[k];
        }
    }
}

static void gather_child(fronts *q, const front *a, const front *child, const int *place) {
    (void)q;
    const size_t height = (size_t)child->height;
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
static bool eliminate_columns(const front *a, int begin, int end, double *work) {
    const size_t rows = (size_t)a->rows;
    double *diagonal = a->panel + (size_t)begin * (rows + 1);
    if (end - begin > BLOCK) {
        const int middle = begin + (end - begin) / 2;
        if (!eliminate_columns(a, begin, middle, work)) return false;
        scaled_rows(a, middle, end - middle, begin, middle, work);
        subtract_product(a, middle, begin, middle, work, end - middle,
                         a->panel + (size_t)middle * (rows + 1), a->rows);
        return eliminate_columns(a, middle, end, work);
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

static bool eliminate(fronts *q, const front *a) {
    if (!eliminate_columns(a, 0, a->width, q->work)) return false;
    if (a->height == 0) return true;
    scaled_rows(a, a->width, a->height, 0, a->width, q->work);
    subtract_product(a, a->width, 0, a->width, q->work, a->height, a->left, a->height);
    return true;
}

static void forward(fronts *q, const front *a, double *y, double *below) {
    (void)q;
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasUnit, a->width, a->panel, a->rows, y,
                1);
    if (a->height > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, a->height, a->width, 1, a->panel + a->width,
                    a->rows, y, 1, 0, below, 1);
}

static void backward(fronts *q, const front *a, double *y, const double *below) {
    (void)q;
    for (int j = 0; j < a->width; j++)
        y[j] /= a->panel[(size_t)j * (size_t)(a->rows + 1)];
    if (a->height > 0)
        cblas_dgemv(CblasColMajor, CblasTrans, a->height, a->width, -1, a->panel + a->width,
                    a->rows, below, 1, 1, y, 1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasUnit, a->width, a->panel, a->rows, y,
                1);
}

static const fronts_kind symmetric = {gather_matrix, gather_child, eliminate, forward, backward};

bool imp_quasi_definite_factor(quasi_definite *q, const double *value) {
    return imp_fronts_factor(&q->fronts, &symmetric, value);
}

bool imp_quasi_definite_positive(const quasi_definite *q) {
    const quasi_definite_plan *p = &q->fronts.plan;
    for (int f = 0; f < p->fronts; f++) {
        const size_t width = (size_t)(p->first[f + 1] - p->first[f]),
                     rows = width + p->below[f + 1] - p->below[f];
        for (size_t j = 0; j < width; j++)
            if (!(q->fronts.L[p->panel[f] + j * (rows + 1)] > 0)) return false;
    }
    return true;
}

void imp_quasi_definite_solve(quasi_definite *q, double *b) {
    imp_fronts_solve(&q->fronts, &symmetric, b);
}
