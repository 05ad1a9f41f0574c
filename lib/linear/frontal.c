/* frontal.c - sparse LU factors by fronts.
 *
 * Duff, Reid (1984), "The multifrontal solution of unsymmetric sets of linear equations".
 * Departure: no pivot is delayed to the parent, its row is chosen among those of the front. Panels
 * hold L below U on the diagonal block. */
#include "linear/frontal.h"

#include "linear/dense.h"
#include "linear/dense_product.h"
#include "linear/fronts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8 }; /* columns eliminated at a time */

struct frontal {
    fronts fronts;
    double *U;    /* (height x width) of each front: what stands right of that block, transposed */
    double *work; /* of dense products */
    size_t *beside; /* (fronts) where its U begins */
    int *pivot;     /* (n) the row exchanged with this one, in its front */
    int *mirror;    /* (start[n]) of an entry (i, j): where (j, i) stands */
    int sign;
};

static double *right_of(const frontal *q, const front *a) {
    return q->U + q->beside[a->number];
}

/* Columns that ascend meet the rows of each in order. */
static void find_mirrors(frontal *q, int n) {
    const fronts *m = &q->fronts;
    int *next = m->local;
    memcpy(next, m->start, (size_t)n * sizeof *next);
    for (int j = 0; j < n; j++)
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            q->mirror[k] = next[m->row[k]]++;
}

static double width_of(const quasi_definite_plan *p, int f) {
    return p->first[f + 1] - p->first[f];
}

static double height_of(const quasi_definite_plan *p, int f) {
    return (double)(p->below[f + 1] - p->below[f]);
}

/* Room for what other factors do not have. */
static bool open_beside(frontal *q) {
    const quasi_definite_plan *p = &q->fronts.plan;
    const size_t n = (size_t)p->n, entries = (size_t)q->fronts.start[n];
    size_t right = 0, most = 0;
    q->beside = malloc(((size_t)p->fronts + 1) * sizeof *q->beside);
    for (int f = 0; q->beside && f < p->fronts; f++) {
        const size_t width = (size_t)width_of(p, f), rows = width + (size_t)height_of(p, f);
        q->beside[f] = right;
        right += width * (rows - width);
        most = rows > most ? rows : most;
    }
    q->U = malloc((right + imp_dense_product_room(most)) * sizeof *q->U);
    q->pivot = malloc((n + entries + 1) * sizeof *q->pivot);
    if (!q->beside || !q->U || !q->pivot) return false;
    q->work = q->U + right;
    q->mirror = q->pivot + n;
    return true;
}

frontal *imp_frontal_new(int n, const int *start, const int *row) {
    frontal *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    if (imp_fronts_open(&q->fronts, n, start, row) && open_beside(q)) {
        find_mirrors(q, n);
        return q;
    }
    imp_frontal_free(q);
    return NULL;
}

void imp_frontal_free(frontal *q) {
    if (!q) return;
    imp_fronts_close(&q->fronts);
    free(q->beside);
    free(q->U);
    free(q->pivot);
    free(q);
}

double imp_frontal_work(const frontal *q) {
    const quasi_definite_plan *p = &q->fronts.plan;
    double sum = 0;
    for (int f = 0; f < p->fronts; f++) {
        const double w = width_of(p, f), h = height_of(p, f);
        sum += w * w * w / 3 + w * w * h + w * h * h;
    }
    return sum;
}

double imp_frontal_entries(const frontal *q) {
    const quasi_definite_plan *p = &q->fronts.plan;
    double sum = 0;
    for (int f = 0; f < p->fronts; f++) {
        const double w = width_of(p, f), h = height_of(p, f);
        sum += w * w + 2 * w * h + 2 * h * h;
    }
    return sum;
}

static void gather_matrix(fronts *m, const double *value, const front *a) {
    const frontal *q = (const frontal *)m;
    const quasi_definite_plan *p = &m->plan;
    double *right = right_of(q, a);
    memset(right, 0, (size_t)a->height * (size_t)a->width * sizeof *right);
    for (int j = 0; j < a->width; j++) {
        const int old = p->order[a->begin + j];
        double *column = a->panel + (size_t)j * (size_t)a->rows,
               *row = right + (size_t)j * (size_t)a->height;
        for (int k = m->start[old]; k < m->start[old + 1]; k++) {
            const int i = p->place[m->row[k]], at = m->local[i];
            if (i < a->begin) continue;
            column[at] += value[k];
            if (at >= a->width) row[at - a->width] += value[q->mirror[k]];
        }
    }
}

static void gather_child(fronts *m, const front *a, const front *child, const int *place) {
    const size_t height = (size_t)child->height, w = (size_t)a->width, h = (size_t)a->height;
    double *right = right_of((const frontal *)m, a);
    size_t above = 0; /* rows of the child that are eliminated here; places ascend */
    while (above < height && place[above] < a->width)
        above++;
    for (size_t j = 0; j < height; j++) {
        const double *from = child->left + j * height;
        const size_t column = (size_t)place[j];
        if (j < above) {
            double *to = a->panel + column * (size_t)a->rows;
            for (size_t i = 0; i < height; i++)
                to[place[i]] += from[i];
            continue;
        }
        double *to = right + (column - w), *left = a->left + (column - w) * h;
        for (size_t i = 0; i < above; i++)
            to[(size_t)place[i] * h] += from[i];
        for (size_t i = above; i < height; i++)
            left[(size_t)place[i] - w] += from[i];
    }
}

static void exchange(double *x, double *y, int n, size_t step) {
    for (int i = 0; i < n; i++)
        imp_dense_swap(x + (size_t)i * step, y + (size_t)i * step);
}

/* y (n) -= factor x */
static void subtract(double factor, const double *x, double *y, int n) {
    for (int i = 0; i < n; i++)
        y[i] -= factor * x[i];
}

/* The columns begin .. end - 1 of the panel, with the rows exchanged everywhere. */
static bool factor_columns(frontal *q, const front *a, int begin, int end) {
    const size_t rows = (size_t)a->rows, height = (size_t)a->height;
    double *right = right_of(q, a);
    for (int k = begin; k < end; k++) {
        double *column = a->panel + (size_t)k * rows;
        int best = k;
        for (int i = k + 1; i < a->width; i++)
            if (fabs(column[i]) > fabs(column[best])) best = i;
        /* the diagonal where it is not much smaller: less is moved */
        if (fabs(column[k]) >= 0.1 * fabs(column[best])) best = k;
        const double pivot = column[best];
        if (!isfinite(pivot) || pivot == 0) return false;
        q->pivot[a->begin + k] = best;
        if (pivot < 0) q->sign = -q->sign;
        if (best != k) {
            q->sign = -q->sign;
            exchange(a->panel + k, a->panel + best, a->width, rows);
            exchange(right + (size_t)k * height, right + (size_t)best * height, a->height, 1);
        }
        const double inverse = 1 / pivot;
        for (int i = k + 1; i < a->rows; i++)
            column[i] *= inverse;
        for (int j = k + 1; j < end; j++)
            subtract(a->panel[(size_t)j * rows + (size_t)k], column + k + 1,
                     a->panel + (size_t)j * rows + k + 1, a->rows - k - 1);
    }
    return true;
}

/* What a block of eliminated columns does to the rest of its rows. */
static void eliminate_rows(const front *a, double *right, int begin, int end) {
    const size_t rows = (size_t)a->rows, height = (size_t)a->height;
    for (int k = begin; k < end; k++) {
        const double *column = a->panel + (size_t)k * rows;
        for (int j = end; j < a->width; j++) {
            double *other = a->panel + (size_t)j * rows;
            subtract(other[k], column + k + 1, other + k + 1, end - k - 1);
        }
        for (int i = k + 1; i < end && a->height > 0; i++)
            subtract(column[i], right + (size_t)k * height, right + (size_t)i * height, a->height);
    }
}

static bool eliminate(fronts *m, const front *a) {
    frontal *q = (frontal *)m;
    double *right = right_of(q, a), *work = q->work;
    const int rows = a->rows, height = a->height, width = a->width;
    for (int begin = 0; begin < width; begin += BLOCK) {
        const int end = width - begin < BLOCK ? width : begin + BLOCK;
        const double *L = a->panel + (size_t)begin * (size_t)rows;
        double *rest = a->panel + (size_t)end * (size_t)rows;
        if (!factor_columns(q, a, begin, end)) return false;
        eliminate_rows(a, right, begin, end);
        imp_dense_subtract(rows - end, width - end, end - begin, L + end, rows, rest + begin, 1,
                           rows, rest + end, rows, work);
        imp_dense_subtract(height, width - end, end - begin, right + (size_t)begin * (size_t)height,
                           height, L + end, rows, 1, right + (size_t)end * (size_t)height, height,
                           work);
    }
    imp_dense_subtract(height, height, width, a->panel + width, rows, right, height, 1, a->left,
                       height, work);
    return true;
}

static void forward(fronts *m, const front *a, double *y, double *below) {
    const int *pivot = ((const frontal *)m)->pivot + a->begin;
    for (int k = 0; k < a->width; k++)
        imp_dense_swap(y + k, y + pivot[k]);
    memset(below, 0, (size_t)a->height * sizeof *below);
    for (int k = 0; k < a->width; k++) {
        const double *column = a->panel + (size_t)k * (size_t)a->rows;
        subtract(y[k], column + k + 1, y + k + 1, a->width - k - 1);
        subtract(-y[k], column + a->width, below, a->height);
    }
}

static void backward(fronts *m, const front *a, double *y, const double *below) {
    const double *right = right_of((const frontal *)m, a);
    for (int k = 0; k < a->width; k++, right += a->height) {
        double sum = 0;
        for (int i = 0; i < a->height; i++)
            sum += right[i] * below[i];
        y[k] -= sum;
    }
    for (int k = a->width - 1; k >= 0; k--) {
        const double *column = a->panel + (size_t)k * (size_t)a->rows;
        y[k] /= column[k];
        subtract(y[k], column, y, k);
    }
}

static const fronts_kind unsymmetric = {gather_matrix, gather_child, eliminate, forward, backward};

bool imp_frontal_factor(frontal *q, const double *value) {
    q->sign = 1;
    return imp_fronts_factor(&q->fronts, &unsymmetric, value);
}

int imp_frontal_sign(const frontal *q) {
    return q->sign;
}

void imp_frontal_solve(frontal *q, double *b) {
    imp_fronts_solve(&q->fronts, &unsymmetric, b);
}
