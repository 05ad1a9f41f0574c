/* frontal.c - sparse LU factors by fronts: dense matrices in a tree.
 *
 * Duff, Reid (1984), "The multifrontal solution of unsymmetric sets of linear equations", with the
 * fronts of quasi_definite_plan.h: a front gathers the entries of its rows and columns and its
 * children's Schur complements, eliminates its columns densely and hands on what is left.
 * Departure: no pivot is delayed to the parent, its row is chosen among those of the front. */
#include "linear/frontal.h"

#include "linear/dense_product.h"
#include "linear/quasi_definite_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 32 }; /* columns eliminated at a time */

struct frontal {
    quasi_definite_plan plan;
    const int *start, *row; /* the matrix */
    double *L;              /* panels: L below U on the diagonal block */
    double *U; /* (height x width) of each front: what stands right of that block, transposed */
    double *stack, *work, *y;
    size_t *beside; /* (fronts) where its U begins */
    int *local;     /* (n) of a row: its place in the front at hand */
    /* (fronts + n) those whose complements are on the stack; room for a child's places */
    int *open;
    int *pivot;  /* (n) the row exchanged with this one, in its front */
    int *mirror; /* (start[n]) of an entry (i, j): where (j, i) stands */
    int sign;
};

/* One front: its rows are the columns it eliminates, then those below. */
typedef struct front {
    int begin, width, height, rows;
    const int *below;
    double *panel; /* (rows x width) */
    double *right; /* (height x width) */
    double *left;  /* (height x height) the Schur complement */
    int *pivot;    /* (width) */
} front;

static size_t height_of(const quasi_definite_plan *p, int f) {
    return p->below[f + 1] - p->below[f];
}

static size_t width_of(const quasi_definite_plan *p, int f) {
    return (size_t)(p->first[f + 1] - p->first[f]);
}

/* Columns that ascend meet the rows of each in order. */
static void find_mirrors(frontal *q, int n) {
    int *next = q->local;
    memcpy(next, q->start, (size_t)n * sizeof *next);
    for (int j = 0; j < n; j++)
        for (int k = q->start[j]; k < q->start[j + 1]; k++)
            q->mirror[k] = next[q->row[k]]++;
}

frontal *imp_frontal_new(int n, const int *start, const int *row) {
    frontal *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    q->start = start;
    q->row = row;
    const quasi_definite_plan *p = &q->plan;
    if (imp_quasi_definite_make_plan(n, start, row, &q->plan)) {
        size_t right = 0, most = 0;
        q->beside = malloc(((size_t)p->fronts + 1) * sizeof *q->beside);
        for (int f = 0; q->beside && f < p->fronts; f++) {
            q->beside[f] = right;
            right += width_of(p, f) * height_of(p, f);
            most =
                height_of(p, f) + width_of(p, f) > most ? height_of(p, f) + width_of(p, f) : most;
        }
        most = imp_dense_product_room(most);
        q->L =
            malloc((p->panel[p->fronts] + right + p->stack + most + (size_t)n + 1) * sizeof *q->L);
        q->local = malloc((4 * (size_t)n + (size_t)start[n] + 1) * sizeof *q->local);
        q->U = q->L ? q->L + p->panel[p->fronts] : NULL;
        q->stack = q->U + right;
        q->work = q->stack + p->stack;
        q->y = q->work + most;
    }
    if (!q->L || !q->local || !q->beside) {
        imp_frontal_free(q);
        return NULL;
    }
    q->pivot = q->local + n;
    q->mirror = q->pivot + n;
    q->open = q->mirror + start[n];
    find_mirrors(q, n);
    return q;
}

void imp_frontal_free(frontal *q) {
    if (!q) return;
    imp_quasi_definite_unplan(&q->plan);
    free(q->beside);
    free(q->L);
    free(q->local);
    free(q);
}

double imp_frontal_work(const frontal *q) {
    double sum = 0;
    for (int f = 0; f < q->plan.fronts; f++) {
        const double w = (double)width_of(&q->plan, f), h = (double)height_of(&q->plan, f);
        sum += w * w * w / 3 + w * w * h + w * h * h;
    }
    return sum;
}

double imp_frontal_entries(const frontal *q) {
    double sum = 0;
    for (int f = 0; f < q->plan.fronts; f++) {
        const double w = (double)width_of(&q->plan, f), h = (double)height_of(&q->plan, f);
        sum += w * w + 2 * w * h + 2 * h * h;
    }
    return sum;
}

static front front_at(const frontal *q, int f, double *left) {
    const quasi_definite_plan *p = &q->plan;
    front a = {.begin = p->first[f], .width = (int)width_of(p, f), .height = (int)height_of(p, f)};
    a.rows = a.width + a.height;
    a.below = p->row + p->below[f];
    a.panel = q->L + p->panel[f];
    a.right = q->U + q->beside[f];
    a.left = left;
    a.pivot = q->pivot + a.begin;
    return a;
}

/* Where entry (row, column) of the front stands. */
static double *entry(const front *a, int row, int column) {
    const size_t r = (size_t)row, c = (size_t)column, w = (size_t)a->width, h = (size_t)a->height;
    if (column < a->width) return a->panel + c * (size_t)a->rows + r;
    return row < a->width ? a->right + r * h + (c - w) : a->left + (c - w) * h + (r - w);
}

/* The entries of the front's own columns, and of its own rows beside them. */
static void gather_matrix(frontal *q, const double *value, const front *a) {
    const quasi_definite_plan *p = &q->plan;
    const size_t width = (size_t)a->width, height = (size_t)a->height;
    memset(a->panel, 0, (size_t)a->rows * width * sizeof *a->panel);
    memset(a->right, 0, height * width * sizeof *a->right);
    memset(a->left, 0, height * height * sizeof *a->left);
    for (int j = 0; j < a->width; j++)
        q->local[a->begin + j] = j;
    for (int k = 0; k < a->height; k++)
        q->local[a->below[k]] = a->width + k;
    for (int j = 0; j < a->width; j++) {
        const int old = p->order[a->begin + j];
        for (int k = q->start[old]; k < q->start[old + 1]; k++) {
            const int i = p->place[q->row[k]];
            if (i < a->begin) continue;
            *entry(a, q->local[i], j) += value[k];
            if (i >= a->begin + a->width) *entry(a, j, q->local[i]) += value[q->mirror[k]];
        }
    }
}

/* Adds a child's complement. */
static void gather_child(frontal *q, const front *a, const front *child) {
    const size_t height = (size_t)child->height;
    int *place = q->open + q->plan.fronts; /* of the child's rows */
    for (size_t i = 0; i < height; i++)
        place[i] = q->local[child->below[i]];
    for (size_t j = 0; j < height; j++) {
        const double *from = child->left + j * height;
        if (place[j] < a->width) {
            double *to = a->panel + (size_t)place[j] * (size_t)a->rows;
            for (size_t i = 0; i < height; i++)
                to[place[i]] += from[i];
            continue;
        }
        for (size_t i = 0; i < height; i++)
            *entry(a, place[i], place[j]) += from[i];
    }
}

static void exchange(double *x, double *y, int n, size_t step) {
    for (int i = 0; i < n; i++) {
        const double was = x[(size_t)i * step];
        x[(size_t)i * step] = y[(size_t)i * step];
        y[(size_t)i * step] = was;
    }
}

/* y (n) -= factor x */
static void subtract(double factor, const double *x, double *y, int n) {
    for (int i = 0; i < n; i++)
        y[i] -= factor * x[i];
}

/* The columns begin .. end - 1 of the panel, with the rows exchanged everywhere. */
static bool factor_columns(const front *a, int begin, int end, int *sign) {
    const size_t rows = (size_t)a->rows, height = (size_t)a->height;
    for (int k = begin; k < end; k++) {
        double *column = a->panel + (size_t)k * rows;
        int best = k;
        for (int i = k + 1; i < a->width; i++)
            if (fabs(column[i]) > fabs(column[best])) best = i;
        /* the diagonal where it is not much smaller: less is moved */
        if (fabs(column[k]) >= 0.1 * fabs(column[best])) best = k;
        const double pivot = column[best];
        if (!isfinite(pivot) || pivot == 0) return false;
        a->pivot[k] = best;
        if (pivot < 0) *sign = -*sign;
        if (best != k) {
            *sign = -*sign;
            exchange(a->panel + k, a->panel + best, a->width, rows);
            exchange(a->right + (size_t)k * height, a->right + (size_t)best * height, a->height, 1);
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
static void eliminate_rows(const front *a, int begin, int end) {
    const size_t rows = (size_t)a->rows, height = (size_t)a->height;
    for (int k = begin; k < end; k++) {
        const double *column = a->panel + (size_t)k * rows;
        for (int j = end; j < a->width; j++) {
            double *other = a->panel + (size_t)j * rows;
            subtract(other[k], column + k + 1, other + k + 1, end - k - 1);
        }
        for (int i = k + 1; i < end && a->height > 0; i++)
            subtract(column[i], a->right + (size_t)k * height, a->right + (size_t)i * height,
                     a->height);
    }
}

static bool factor_front(const front *a, double *work, int *sign) {
    const int rows = a->rows, height = a->height, width = a->width;
    for (int begin = 0; begin < width; begin += BLOCK) {
        const int end = width - begin < BLOCK ? width : begin + BLOCK;
        const double *L = a->panel + (size_t)begin * (size_t)rows;
        double *rest = a->panel + (size_t)end * (size_t)rows;
        if (!factor_columns(a, begin, end, sign)) return false;
        eliminate_rows(a, begin, end);
        imp_dense_subtract(rows - end, width - end, end - begin, L + end, rows, rest + begin, 1,
                           rows, rest + end, rows, work);
        imp_dense_subtract(height, width - end, end - begin,
                           a->right + (size_t)begin * (size_t)height, height, L + end, rows, 1,
                           a->right + (size_t)end * (size_t)height, height, work);
    }
    imp_dense_subtract(height, height, width, a->panel + width, rows, a->right, height, 1, a->left,
                       height, work);
    return true;
}

bool imp_frontal_factor(frontal *q, const double *value) {
    const quasi_definite_plan *p = &q->plan;
    double *top = q->stack;
    int depth = 0;
    q->sign = 1;
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
        if (!factor_front(&a, q->work, &q->sign)) return false;
        top = bottom + (size_t)a.height * (size_t)a.height;
        if (a.height == 0) continue;
        memmove(bottom, a.left, (size_t)(top - bottom) * sizeof *bottom);
        q->open[depth++] = f;
    }
    return true;
}

int imp_frontal_sign(const frontal *q) {
    return q->sign;
}

static void forward(frontal *q, const front *a) {
    double *y = q->y + a->begin, *below = q->work;
    for (int k = 0; k < a->width; k++)
        exchange(y + k, y + a->pivot[k], 1, 1);
    memset(below, 0, (size_t)a->height * sizeof *below);
    for (int k = 0; k < a->width; k++) {
        const double *column = a->panel + (size_t)k * (size_t)a->rows;
        subtract(y[k], column + k + 1, y + k + 1, a->width - k - 1);
        subtract(y[k], column + a->width, below, a->height);
    }
    for (int k = 0; k < a->height; k++)
        q->y[a->below[k]] += below[k];
}

static void backward(frontal *q, const front *a) {
    double *y = q->y + a->begin, *below = q->work;
    for (int k = 0; k < a->height; k++)
        below[k] = q->y[a->below[k]];
    for (int k = 0; k < a->width; k++) {
        const double *right = a->right + (size_t)k * (size_t)a->height;
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

void imp_frontal_solve(frontal *q, double *b) {
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
