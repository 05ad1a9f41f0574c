/* convex_least_sum.c - of all solutions of a frictionless impact one with the least sum of
 * impulses.
 *
 * With w = A y + b the same for every solution, they are the y >= 0 with y_j = 0 where w_j > 0 and
 * A y unchanged: a linear program, walked by the simplex method with Bland's rule. A basis P is a
 * largest set of contacts without opening velocity whose A_PP is regular; any other such contact j
 * can push in exchange for the basic ones, along e_j - A_PP^-1 A_Pj, and does so while that lowers
 * the sum. */
#include "cone/convex_active.h"

#include "linear/dense.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* w below it counts as zero, relative to the sums it comes from */
static const double closed = 1e-10;
static const double dependent = 1e-12; /* Schur complement below it, relative to A_jj: column j
                                          depends on the basis */

typedef struct simplex {
    int n, count; /* contacts, those of the basis */
    const double *A;
    const double *w, *size; /* (n) A y + b and its scale */
    double *factor;         /* (count x count) Cholesky factor of A_PP */
    double *a;              /* (n) A_PP^-1 A_Pj */
    int *basis;             /* (n) */
} simplex;

static bool factorise(simplex *s) {
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < s->count; j++)
            s->factor[i * s->count + j] = s->A[s->basis[i] * s->n + s->basis[j]];
    return imp_cholesky(s->count, s->factor);
}

/* a <- A_PP^-1 A_Pj. Does column j depend on the basis? Its Schur complement is the square of e_j -
 * a in A, and rounded like the squares it is the difference of. */
static bool eliminate(simplex *s, int j) {
    double schur = s->A[j * s->n + j], length = sqrt(fmax(0, schur));
    const double least = dependent * schur;
    for (int i = 0; i < s->count; i++)
        s->a[i] = s->A[s->basis[i] * s->n + j];
    imp_cholesky_forward(s->count, s->factor, 1, s->a);
    imp_cholesky_backward(s->count, s->factor, s->a);
    for (int i = 0; i < s->count; i++) {
        const int k = s->basis[i];
        schur -= s->a[i] * s->A[k * s->n + j];
        length += fabs(s->a[i]) * sqrt(fmax(0, s->A[k * s->n + k]));
    }
    return schur <= fmax(least, 1e-13 * length * length);
}

static bool basic(const simplex *s, int j) {
    for (int i = 0; i < s->count; i++)
        if (s->basis[i] == j) return true;
    return false;
}

/* Neither opens nor is held where it is: may push. */
static bool may_push(const simplex *s, int j) {
    return s->w[j] <= closed * s->size[j] && s->A[j * s->n + j] > 0;
}

/* Grows the basis until every other contact with w = 0 depends on it. */
static bool complete(simplex *s) {
    if (!factorise(s)) return false;
    for (int j = 0; j < s->n; j++) {
        if (basic(s, j) || !may_push(s, j) || eliminate(s, j)) continue;
        s->basis[s->count++] = j;
        if (factorise(s)) continue;
        s->count--;
        if (!factorise(s)) return false;
    }
    return true;
}

/* One exchange that lowers the sum or keeps it; false when there is none. */
static bool exchange(simplex *s, double *y) {
    for (int j = 0; j < s->n; j++) {
        if (basic(s, j) || !may_push(s, j)) continue;
        (void)eliminate(s, j);
        double saved = -1, most = INFINITY;
        int leaving = -1;
        for (int i = 0; i < s->count; i++)
            saved += s->a[i];
        if (saved <= 1e-9) continue;
        for (int i = 0; i < s->count; i++) {
            if (s->a[i] <= 1e-9) continue;
            const double ratio = fmax(0, y[s->basis[i]]) / s->a[i];
            if (ratio > most || (ratio == most && s->basis[i] > s->basis[leaving])) continue;
            most = ratio;
            leaving = i;
        }
        if (leaving < 0) continue;
        for (int i = 0; i < s->count; i++)
            y[s->basis[i]] = fmax(0, y[s->basis[i]] - most * s->a[i]);
        y[s->basis[leaving]] = 0;
        y[j] = most;
        s->basis[leaving] = j;
        return factorise(s);
    }
    return false;
}

void imp_convex_least_sum(int n, const double *A, const double *b, const double *w,
                          const double *size, double *y, int *basis, int count, double *work) {
    simplex s = {n, count, A, w, size, work, work + n * n, basis};
    double *start = s.a + n, *x = start + n;
    memcpy(start, y, (size_t)n * sizeof *y);
    if (!complete(&s)) return;
    for (int moves = 0; moves < 20 * n && exchange(&s, y);)
        moves++;
    if (memcmp(start, y, (size_t)n * sizeof *y) == 0 || !factorise(&s)) return;
    for (int i = 0; i < s.count; i++)
        x[i] = -b[basis[i]];
    imp_cholesky_forward(s.count, s.factor, 1, x);
    imp_cholesky_backward(s.count, s.factor, x);
    /* the basic solution anew, free of the rounding of the moves */
    for (int i = 0; i < s.count; i++)
        if (fabs(x[i] - y[basis[i]]) <= 1e-9 * (1 + y[basis[i]])) y[basis[i]] = fmax(0, x[i]);
}
