/* lemke.c - Lemke's method with an explicit basis inverse.
 *
 * Cottle, Pang, Stone (1992), "The linear complementarity problem", algorithm 4.4.5. The system is
 * w - M z - 1 z0 = q; variables are numbered w: 0..n-1, z: n..2n-1, z0: 2n. The inverse of the
 * basis is kept because the lexicographic rule compares its rows, and by columns, so that the
 * entering column and the update both run along memory. It serves pivoting only: the answer is
 * solved from the final basis again. */
#include "linear/lemke.h"

#include "linear/dense.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct lemke {
    const imp_lcp *lcp;
    size_t n;
    double *inverse;   /* (n x n) column-major */
    double *matrix;    /* (n x n) column-major: the final basis */
    double *x;         /* (n) values of the basic variables */
    double *entering;  /* (n) a column of the system */
    double *direction; /* (n) inverse times it */
    double *size;      /* (n) of a tied row, the largest of the inverse */
    int *basis;        /* (n) the variable of each row */
    int *end;          /* (n) a basis that may be the last one */
    int *tied;         /* (n) rows that may leave */
    double left;       /* of z0 in it; what it has to be below before there is one */
    int enters;        /* the entering variable */
} lemke;

size_t imp_lemke_workspace(int n) {
    const size_t m = (size_t)n;
    return (2 * m * m + 4 * m) * sizeof(double) + 3 * m * sizeof(int);
}

static lemke lay_out(const imp_lcp *lcp, void *work) {
    const size_t n = (size_t)lcp->n;
    lemke l = {.lcp = lcp, .n = n, .inverse = work};
    l.matrix = l.inverse + n * n;
    l.x = l.matrix + n * n;
    l.entering = l.x + n;
    l.direction = l.entering + n;
    l.size = l.direction + n;
    l.basis = (int *)(void *)(l.size + n);
    l.end = l.basis + n;
    l.tied = l.end + n;
    return l;
}

/* column (n) <- the system's column of a variable but z0, which never comes back: e_i for w, -M_j
 * for z. */
static void system_column(const lemke *l, int variable, double *column) {
    const int n = (int)l->n;
    if (variable < n) {
        memset(column, 0, l->n * sizeof *column);
        column[variable] = 1;
        return;
    }
    l->lcp->column(l->lcp->data, variable - n, column);
    for (size_t i = 0; i < l->n; i++)
        column[i] = -column[i];
}

/* The rows tied (count) whose values / direction are the least, to rounding of the row that they
 * stand in: with ties that rounding decides pivots go round in circles. Returns how many. */
static int least_rows(lemke *l, const double *value, int count) {
    /* the middle of 1e-14 to 1e-7, in which none of the 400,000 problems of test_lemke and
     * test_anitescu goes round; with 1e-15 one does */
    static const double rounding = 1e-11;
    double least = INFINITY;
    int left = 0, zeros = 0; /* zeros, most of an inverse at first, leave all of them tied */
    while (zeros < count && value[l->tied[zeros]] == 0)
        zeros++;
    if (zeros == count) return count;
    for (int k = 0; k < count; k++) {
        const int i = l->tied[k];
        least = fmin(least, (value[i] + rounding * l->size[i]) / l->direction[i]);
    }
    for (int k = 0; k < count; k++) {
        const int i = l->tied[k];
        if ((value[i] - rounding * l->size[i]) / l->direction[i] <= least) l->tied[left++] = i;
    }
    return left;
}

/* Of the rows tied (count) the lexicographically least one of inverse / direction. */
static int least_row(lemke *l, int count) {
    for (int k = 0; k < count && count > 1; k++) {
        const int i = l->tied[k];
        const double *entry = l->inverse + i;
        double largest = 0;
        for (size_t j = 0; j < l->n; j++, entry += l->n)
            largest = fmax(largest, fabs(*entry));
        l->size[i] = largest;
    }
    for (size_t j = 0; j < l->n && count > 1; j++)
        count = least_rows(l, l->inverse + j * l->n, count);
    return l->tied[0];
}

/* z0 in `row` might leave for the entering variable, as far as rounding tells: less would be left
 * of it than callers accept of a residual. Such an end with the least left is kept: where solutions
 * meet rays, as those of redundant contacts do, pivots go on beyond it, to a ray. */
static void note_end(lemke *l, size_t row, double step) {
    const double left = fabs(l->x[row] - step * l->direction[row]);
    if (left >= l->left) return;
    l->left = left;
    memcpy(l->end, l->basis, l->n * sizeof *l->end);
    l->end[row] = l->enters;
}

/* The row that leaves when `direction` enters, -1 on a ray. z0 leaves whenever it may. */
static int leaving_row(lemke *l) {
    double largest = 0, least = INFINITY;
    for (size_t i = 0; i < l->n; i++)
        largest = fmax(largest, fabs(l->direction[i]));
    const double smallest_pivot = 1e-11 * largest; /* below it a pivot is rounding of the inverse */
    for (size_t i = 0; i < l->n; i++)
        if (l->direction[i] > smallest_pivot)
            least = fmin(least, fmax(0, l->x[i]) / l->direction[i]);
    if (isinf(least)) return -1;
    const double tie = least + 1e-13 * (1 + least);
    int count = 0;
    for (size_t i = 0; i < l->n; i++) {
        if (!(l->direction[i] > smallest_pivot)) continue;
        const bool artificial = l->basis[i] == 2 * (int)l->n;
        if (artificial) note_end(l, i, least);
        if (fmax(0, l->x[i]) / l->direction[i] > tie) continue;
        if (artificial) return (int)i;
        l->tied[count++] = (int)i;
    }
    return least_row(l, count);
}

/* Exchanges the basic variable of `row` for the entering one. */
static void exchange(lemke *l, size_t row, int entering) {
    const size_t n = l->n;
    const double pivot = l->direction[row];
    l->direction[row] = 0; /* so that the loops below leave the row alone */
    for (size_t j = 0; j < n; j++) {
        double *column = l->inverse + j * n;
        const double scaled = column[row] / pivot;
        if (scaled == 0) continue;
        for (size_t i = 0; i < n; i++)
            column[i] -= l->direction[i] * scaled;
        column[row] = scaled;
    }
    const double value = fmax(0, l->x[row]) / pivot;
    for (size_t i = 0; i < n; i++)
        l->x[i] -= l->direction[i] * value;
    l->x[row] = value;
    l->basis[row] = entering;
}

/* direction <- inverse times the entering variable's column. */
static void enter(lemke *l, int variable) {
    const size_t n = l->n;
    l->enters = variable;
    system_column(l, variable, l->entering);
    memset(l->direction, 0, n * sizeof *l->direction);
    for (size_t j = 0; j < n; j++) {
        const double a = l->entering[j], *column = l->inverse + j * n;
        if (a == 0) continue;
        for (size_t i = 0; i < n; i++)
            l->direction[i] += a * column[i];
    }
}

/* All w basic, then z0 in at the most negative q; on a tie at the last, which keeps every row
 * lexicographically positive. Returns that row: the w that left. */
static int first_pivot(lemke *l) {
    const size_t n = l->n;
    memset(l->inverse, 0, n * n * sizeof *l->inverse);
    size_t row = 0;
    for (size_t i = 0; i < n; i++) {
        l->inverse[i * n + i] = 1;
        l->basis[i] = (int)i;
        if (l->lcp->q[i] <= l->lcp->q[row]) row = i;
    }
    const double value = -l->lcp->q[row];
    for (size_t i = 0; i < n; i++) {
        l->inverse[row * n + i] = -1;
        l->x[i] = l->lcp->q[i] + value;
    }
    l->x[row] = value;
    l->left = 1e-9 * value;
    l->end[0] = -1;
    l->basis[row] = 2 * (int)n;
    return (int)row;
}

/* z from the final basis, solved from the data. */
static imp_status final_solution(const lemke *l, double *z) {
    const int n = (int)l->n;
    for (size_t i = 0; i < l->n; i++)
        system_column(l, l->basis[i], l->matrix + i * l->n);
    memcpy(l->x, l->lcp->q, l->n * sizeof *l->x);
    if (!imp_eliminate(n, l->matrix, l->x)) return IMP_NOT_CONVERGED;
    for (size_t i = 0; i < l->n; i++)
        if (l->basis[i] >= n) z[l->basis[i] - n] = fmax(0, l->x[i]);
    return IMP_OK;
}

/* The end that was kept. */
static imp_status on_a_ray(lemke *l, double *z) {
    if (l->end[0] < 0) return IMP_NO_SOLUTION;
    memcpy(l->basis, l->end, l->n * sizeof *l->basis);
    return final_solution(l, z);
}

imp_status imp_lemke(const imp_lcp *lcp, int max_pivots, const volatile int *cancel, double *z,
                     void *work, int *pivots) {
    lemke l = lay_out(lcp, work);
    const int n = lcp->n;
    memset(z, 0, l.n * sizeof *z);
    *pivots = 0;
    double least = 0;
    for (size_t i = 0; i < l.n; i++)
        least = fmin(least, lcp->q[i]);
    if (least >= 0) return IMP_OK;
    int left = first_pivot(&l);
    while ((*pivots)++ < max_pivots && !(cancel && *cancel)) {
        const int entering = left < n ? left + n : left - n; /* the complement of what left */
        enter(&l, entering);
        const int row = leaving_row(&l);
        if (row < 0) return on_a_ray(&l, z);
        left = l.basis[row];
        exchange(&l, (size_t)row, entering);
        if (left == 2 * n) return final_solution(&l, z);
    }
    return IMP_NOT_CONVERGED;
}

double imp_lcp_residual(const imp_lcp *lcp, const double *z, double *work) {
    const size_t n = (size_t)lcp->n;
    double *w = work, *column = work + n, worst = 0;
    memcpy(w, lcp->q, n * sizeof *w);
    for (int j = 0; j < lcp->n; j++) {
        if (z[j] == 0) continue;
        lcp->column(lcp->data, j, column);
        for (size_t i = 0; i < n; i++)
            w[i] += column[i] * z[j];
    }
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(fmin(z[i], w[i])));
    return worst;
}
