/* convex_least_sum.c - of all solutions of a frictionless impact one with the least sum of
 * impulses.
 *
 * With w = A y + b the same for every solution, they are the y >= 0 with y_j = 0 where w_j > 0 and
 * A y unchanged: a linear program, walked by the simplex method with Bland's rule. A basis P is a
 * largest set of contacts without opening velocity whose A_PP is regular; any other such contact j
 * can push in exchange for the basic ones, along e_j - A_PP^-1 A_Pj, and does so while that lowers
 * the sum, by 1'A_PP^-1 A_Pj - 1 = (A v)_j - 1 with v = A_PP^-1 1 on P. */
#include "cone/active_set.h"

#include <math.h>
#include <string.h>

static bool basic(const active_set *s, int j) {
    for (int i = 0; i < s->count; i++)
        if (s->P[i] == j) return true;
    return false;
}

/* May push and does not? It would then be held to w = 0, which it is but for what an answer may
 * leave. */
static bool may_enter(const active_set *s, int j) {
    return s->w[j] <= IMP_CONVEX_ACCURATE * s->size[j] && s->root[j] > 0 && !basic(s, j);
}

/* Grows the basis until every other contact with w = 0 depends on it. */
static void complete(active_set *s) {
    for (int j = 0; j < s->n; j++) {
        if (!may_enter(s, j)) continue;
        const double schur = imp_active_direction(s, j);
        if (imp_active_independent(s, j, schur)) imp_active_append(s, j, schur);
    }
}

/* (A v)_j */
static double lift(const active_set *s, const double *v, int j) {
    const double *A = imp_active_row(s, j);
    double sum = 0;
    for (int i = 0; i < s->count; i++)
        sum += A[s->P[i]] * v[s->P[i]];
    return sum;
}

/* v (n) <- A_PP^-1 1 on P, once refined, 0 elsewhere. */
static void witness(active_set *s, double *v) {
    memset(v, 0, (size_t)s->n * sizeof *v);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < s->count; i++)
            s->r[i] = 1 - lift(s, v, s->P[i]);
        imp_active_solve(s, s->r);
        for (int i = 0; i < s->count; i++)
            v[s->P[i]] += s->r[i];
    }
}

/* Contact j pushes until the first of P no longer does, which it replaces; false where none
 * ends. */
static bool enter(active_set *s, int j) {
    double most = INFINITY;
    int leaving = -1;
    (void)imp_active_direction(s, j);
    for (int k = 0; k < s->count; k++) {
        if (!imp_active_moves(s, k, j)) continue;
        const double ratio = s->y[s->P[k]] / s->r[k];
        if (ratio > most || (ratio == most && s->P[k] > s->P[leaving])) continue;
        most = ratio;
        leaving = k;
    }
    if (leaving < 0) return false;
    for (int k = 0; k < s->count; k++)
        s->y[s->P[k]] = fmax(0, s->y[s->P[k]] - most * s->r[k]);
    imp_active_drop(s, leaving);
    const double schur = imp_active_eliminate(s, j);
    if (schur > 0) imp_active_append(s, j, schur);
    s->y[j] = most;
    return true;
}

/* One exchange that lowers the sum or keeps it; false when there is none. */
static bool exchange(active_set *s, double *v) {
    witness(s, v);
    for (int j = 0; j < s->n; j++)
        if (may_enter(s, j) && lift(s, v, j) > 1 + IMP_CONVEX_LEAST && enter(s, j)) return true;
    return false;
}

void imp_active_least_sum(active_set *s, double *v) {
    bool moved = false;
    complete(s);
    for (int moves = 0; moves < 20 * s->n && exchange(s, v); moves++)
        moved = true;
    if (moved) imp_active_refine(s);
}
