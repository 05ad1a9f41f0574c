/* convex_least_sum.c - of all solutions of a frictionless impact one with the least sum of impulses.
 *
 * With w = A y + b the same for every solution, they are the y >= 0 with y_j = 0 where w_j > 0 and A y unchanged: a
 * linear program, walked by the simplex method with Bland's rule. A basis P is a largest set of contacts without
 * opening velocity whose A_PP is regular; any other such contact j can push in exchange for the basic ones, along
 * e_j - A_PP^-1 A_Pj, and does so while that lowers the sum. */
#include "multi/convex_phase1.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double closed = 1e-10;    /* w below it counts as zero, in units of the island */
static const double dependent = 1e-12; /* Schur complement below it, relative to A_jj: column j depends on the basis */

typedef struct simplex {
    int n, size; /* contacts, size of the basis */
    const double *A;
    double *factor; /* (size x size) Cholesky factor of A_PP */
    double *a;      /* (n) A_PP^-1 A_Pj */
    int *basis;     /* (n) */
} simplex;

static bool factorise(simplex *s) {
    for (int i = 0; i < s->size; i++)
        for (int j = 0; j < s->size; j++)
            s->factor[i * s->size + j] = s->A[s->basis[i] * s->n + s->basis[j]];
    return s->size == 0 || LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', s->size, s->factor, s->size) == 0;
}

/* a <- A_PP^-1 A_Pj; returns the Schur complement of j. */
static double eliminate(simplex *s, int j) {
    double schur = s->A[j * s->n + j];
    for (int i = 0; i < s->size; i++)
        s->a[i] = s->A[s->basis[i] * s->n + j];
    if (s->size) (void)LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', s->size, 1, s->factor, s->size, s->a, s->size);
    for (int i = 0; i < s->size; i++)
        schur -= s->a[i] * s->A[s->basis[i] * s->n + j];
    return schur;
}

static bool basic(const simplex *s, int j) {
    for (int i = 0; i < s->size; i++)
        if (s->basis[i] == j) return true;
    return false;
}

/* Grows the basis until every other contact with w = 0 depends on it. */
static bool complete(simplex *s, const double *w) {
    if (!factorise(s)) return false;
    for (int j = 0; j < s->n; j++) {
        if (basic(s, j) || w[j] > closed || eliminate(s, j) <= dependent * s->A[j * s->n + j]) continue;
        s->basis[s->size++] = j;
        if (factorise(s)) continue;
        s->size--;
        if (!factorise(s)) return false;
    }
    return true;
}

/* One exchange that lowers the sum or keeps it; false when there is none. */
static bool exchange(simplex *s, const double *w, double *y) {
    for (int j = 0; j < s->n; j++) {
        if (basic(s, j) || w[j] > closed || !(s->A[j * s->n + j] > 0)) continue;
        (void)eliminate(s, j);
        double saved = -1, most = INFINITY;
        int leaving = -1;
        for (int i = 0; i < s->size; i++)
            saved += s->a[i];
        if (saved <= 1e-9) continue;
        for (int i = 0; i < s->size; i++) {
            if (s->a[i] <= 1e-9) continue;
            const double ratio = fmax(0, y[s->basis[i]]) / s->a[i];
            if (ratio > most || (ratio == most && s->basis[i] > s->basis[leaving])) continue;
            most = ratio;
            leaving = i;
        }
        if (leaving < 0) continue;
        for (int i = 0; i < s->size; i++)
            y[s->basis[i]] = fmax(0, y[s->basis[i]] - most * s->a[i]);
        y[s->basis[leaving]] = 0;
        y[j] = most;
        s->basis[leaving] = j;
        return factorise(s);
    }
    return false;
}

void imp_convex_least_sum(int n, const double *A, const double *b, const double *w, double *y, double *work,
                          int *basis) {
    simplex s = {n, 0, A, work, work + n * n, basis};
    double *start = s.a + n, *x = start + n;
    int idle = 0; /* contacts that could push but do not */
    for (int j = 0; j < n; j++)
        if (y[j] > closed)
            basis[s.size++] = j;
        else if (w[j] <= closed && A[j * n + j] > 0)
            idle++;
    memcpy(start, y, (size_t)n * sizeof *y);
    if (idle == 0 || !complete(&s, w)) return;
    for (int moves = 0; moves < 20 * n && exchange(&s, w, y);)
        moves++;
    if (memcmp(start, y, (size_t)n * sizeof *y) == 0 || !factorise(&s)) return;
    for (int i = 0; i < s.size; i++)
        x[i] = -b[basis[i]];
    (void)LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', s.size, 1, s.factor, s.size, x, s.size);
    for (int i = 0; i < s.size; i++) /* the basic solution anew, free of the rounding of the moves */
        if (fabs(x[i] - y[basis[i]]) <= 1e-9 * (1 + y[basis[i]])) y[basis[i]] = fmax(0, x[i]);
}
