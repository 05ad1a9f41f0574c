/* lemke.c - Lemke's method with an explicit basis inverse, in double, and again in double-double
 * where that ends without a solution, or with one that is none.
 *
 * Cottle, Pang, Stone (1992), "The linear complementarity problem", algorithm 4.4.5. The system is
 * w - M z - 1 z0 = q; variables are numbered w: 0..n-1, z: n..2n-1, z0: 2n. The inverse of the
 * basis is kept because the lexicographic rule compares its rows, and by columns, so that the
 * entering column and the update both run along memory. It serves pivoting only: the answer is
 * solved from the final basis again. Rounding adds up in it: with heavy bodies on light ones, or
 * many redundant contacts, pivots lose their way, which double-double's 32 digits do not. They are
 * kept for what is updated; a pivot is chosen as in double, by tolerances for the rounding of the
 * data, with which tighter ones lose their way again. */
#define IMP_ONE_LANE
#include "linear/lemke.h"

#include "base/dd.h"
#include "base/finite.h"

#include "linear/dense.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Of the largest unknown, or of 1: a residual that callers accept. */
static const double SOLVED = 1e-9;
/* One above which pivots have lost their way: a basis that is complementary leaves its rounding,
 * and large unknowns times 1e-9 are as much as all that moves. */
static const double EXACT = 1e-12;

typedef struct lemke {
    const imp_lcp *lcp;
    size_t n;
    double *inverse;   /* (n x n) column-major */
    double *matrix;    /* (n x n) column-major: the final basis, or inverse_rest */
    double *x;         /* (n) values of the basic variables */
    double *entering;  /* (n) a column of the system */
    double *direction; /* (n) inverse times it */
    /* what the inverse, x and direction are beyond double; NULL: they are in double */
    double *inverse_rest, *x_rest, *direction_rest;
    double *size; /* (n) of a tied row, the largest of the inverse */
    int *basis;   /* (n) the variable of each row */
    int *end;     /* (n) a basis that may be the last one */
    int *tied;    /* (n) rows that may leave */
    double left;  /* of z0 in it; what it has to be below before there is one */
    int enters;   /* the entering variable */
    bool ray;     /* the pivots ended on one */
} lemke;

size_t imp_lemke_workspace(int n) {
    const size_t m = (size_t)n;
    return (2 * m * m + 7 * m) * sizeof(double) + 3 * m * sizeof(int);
}

static lemke lay_out(const imp_lcp *lcp, bool precise, void *work) {
    const size_t n = (size_t)lcp->n;
    lemke l = {.lcp = lcp, .n = n, .inverse = work};
    l.matrix = l.inverse + n * n;
    l.x = l.matrix + n * n;
    l.entering = l.x + n;
    l.direction = l.entering + n;
    l.size = l.direction + n;
    if (precise) {
        l.inverse_rest = l.matrix;
        l.x_rest = l.size + n;
        l.direction_rest = l.x_rest + n;
    }
    l.basis = (int *)(void *)(l.size + 4 * n); /* behind the solution of another run */
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

/* x[k] in double-double. */
static dd wide(const double *x, const double *rest, size_t k) {
    return (dd){x[k], rest[k]};
}

static void put(dd value, double *x, double *rest, size_t k) {
    x[k] = value.hi;
    rest[k] = value.lo;
}

/* x[i] -= direction[i] times `scaled` but in the row, which is it. */
static void sweep(const lemke *l, dd scaled, size_t row, double *x, double *rest) {
    for (size_t i = 0; i < l->n; i++) {
        const dd d = wide(l->direction, l->direction_rest, i);
        put(dd_sub(wide(x, rest, i), dd_mul(d, scaled)), x, rest, i);
    }
    put(scaled, x, rest, row);
}

static void exchange_wide(lemke *l, size_t row) {
    const dd pivot = wide(l->direction, l->direction_rest, row), zero = {0, 0};
    for (size_t j = 0; j < l->n; j++) {
        double *column = l->inverse + j * l->n, *rest = l->inverse_rest + j * l->n;
        if (column[row] != 0) sweep(l, dd_div(wide(column, rest, row), pivot), row, column, rest);
    }
    const dd x = wide(l->x, l->x_rest, row);
    sweep(l, dd_div(x.hi > 0 ? x : zero, pivot), row, l->x, l->x_rest);
}

/* Exchanges the basic variable of `row` for the entering one. */
static void exchange(lemke *l, size_t row, int entering) {
    const size_t n = l->n;
    const double pivot = l->direction[row];
    l->basis[row] = entering;
    if (l->x_rest) {
        exchange_wide(l, row);
        return;
    }
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
}

/* direction += a times a column of the inverse. */
static void add_wide(lemke *l, double a, const double *column, const double *rest) {
    for (size_t i = 0; i < l->n; i++) {
        const dd sum = wide(l->direction, l->direction_rest, i);
        put(dd_add(sum, dd_times(wide(column, rest, i), a)), l->direction, l->direction_rest, i);
    }
}

/* direction <- inverse times the entering variable's column. */
static void enter(lemke *l, int variable) {
    const size_t n = l->n;
    l->enters = variable;
    system_column(l, variable, l->entering);
    memset(l->direction, 0, n * sizeof *l->direction);
    if (l->x_rest) memset(l->direction_rest, 0, n * sizeof *l->direction_rest);
    for (size_t j = 0; j < n; j++) {
        const double a = l->entering[j], *column = l->inverse + j * n;
        if (a == 0) continue;
        if (l->x_rest)
            add_wide(l, a, column, l->inverse_rest + j * n);
        else
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
    if (l->x_rest) {
        memset(l->inverse_rest, 0, n * n * sizeof *l->inverse_rest);
        for (size_t i = 0; i < n; i++) /* q + value exactly; of the row, value + value - value */
            l->x_rest[i] = i == row ? 0 : dd_add((dd){l->lcp->q[i], 0}, (dd){value, 0}).lo;
    }
    l->left = SOLVED * value;
    l->end[0] = -1;
    l->basis[row] = 2 * (int)n;
    return (int)row;
}

/* z from the final basis, solved from the data, and once more for what that leaves, which in a row
 * of little is rounding of the others. */
static imp_status final_solution(lemke *l, double *z) {
    const int n = (int)l->n;
    double *left = l->entering, *column = l->direction;
    for (size_t i = 0; i < l->n; i++)
        system_column(l, l->basis[i], l->matrix + i * l->n);
    memcpy(l->x, l->lcp->q, l->n * sizeof *l->x);
    memcpy(left, l->lcp->q, l->n * sizeof *left);
    if (!imp_eliminate(n, l->matrix, l->tied, l->x)) return IMP_NOT_CONVERGED;
    for (size_t i = 0; i < l->n; i++) {
        system_column(l, l->basis[i], column);
        for (size_t k = 0; k < l->n; k++)
            left[k] -= column[k] * l->x[i];
    }
    imp_eliminate_again(n, l->matrix, l->tied, left);
    for (size_t i = 0; i < l->n; i++)
        l->x[i] += left[i];
    for (size_t i = 0; i < l->n; i++)
        if (l->basis[i] >= n) z[l->basis[i] - n] = fmax(0, l->x[i]);
    return IMP_OK;
}

/* The end that was kept. */
static imp_status on_a_ray(lemke *l, double *z) {
    l->ray = true;
    if (l->end[0] < 0) return IMP_NO_SOLUTION;
    memcpy(l->basis, l->end, l->n * sizeof *l->basis);
    return final_solution(l, z);
}

static imp_status run(lemke *l, int max_pivots, const volatile int *cancel, double *z,
                      int *pivots) {
    const int n = (int)l->n;
    int left = first_pivot(l);
    *pivots = 0;
    memset(z, 0, l->n * sizeof *z);
    while (*pivots < max_pivots && !(cancel && *cancel)) {
        ++*pivots;
        const int entering = left < n ? left + n : left - n; /* the complement of what left */
        enter(l, entering);
        const int row = leaving_row(l);
        if (row < 0) return on_a_ray(l, z);
        left = l->basis[row];
        exchange(l, (size_t)row, entering);
        if (left == 2 * n) return final_solution(l, z);
    }
    return IMP_NOT_CONVERGED;
}

/* What z leaves, of the largest unknown, or of 1. After a run: its x and its entering column make
 * room for 2n numbers. */
static double unsolved(const lemke *l, const double *z) {
    double size = 1;
    for (size_t i = 0; i < l->n; i++)
        size = fmax(size, z[i]);
    return imp_lcp_residual(l->lcp, z, l->x) / size;
}

/* z (n) <- what double-double pivots come to, where that leaves less than `left`. */
static imp_status run_again(const imp_lcp *lcp, int max_pivots, const volatile int *cancel,
                            double left, double *z, void *work, int *pivots) {
    lemke l = lay_out(lcp, true, work);
    double *other = (double *)work + 2 * l.n * l.n + 6 * l.n;
    int count;
    const imp_status status = run(&l, max_pivots, cancel, other, &count);
    if (status != IMP_OK || !(unsolved(&l, other) < left)) return IMP_NOT_CONVERGED;
    memcpy(z, other, l.n * sizeof *z);
    *pivots = count;
    return IMP_OK;
}

imp_status imp_lemke(const imp_lcp *lcp, int max_pivots, const volatile int *cancel, double *z,
                     void *work, int *pivots) {
    double least = 0;
    for (int i = 0; i < lcp->n; i++)
        least = fmin(least, lcp->q[i]);
    *pivots = 0;
    memset(z, 0, (size_t)lcp->n * sizeof *z);
    if (!imp_all_finite(lcp->q, (size_t)lcp->n)) return IMP_NOT_FINITE;
    if (least >= 0) return IMP_OK;
    lemke l = lay_out(lcp, false, work);
    imp_status status = run(&l, max_pivots, cancel, z, pivots);
    const double left = status == IMP_OK ? unsolved(&l, z) : INFINITY;
    if (status == IMP_OK && l.ray && left > SOLVED) status = IMP_NOT_CONVERGED;
    if (left <= EXACT || (cancel && *cancel)) return status;
    const imp_status again = run_again(lcp, max_pivots, cancel, left, z, work, pivots);
    return again == IMP_OK ? again : status;
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
    /* fmin passes a NaN over, as fmax does */
    if (!imp_all_finite(z, n) || !imp_all_finite(w, n)) return INFINITY;
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(fmin(z[i], w[i])));
    return worst;
}
