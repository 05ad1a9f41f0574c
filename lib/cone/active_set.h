/* active_set.h - the contacts that push and the factor of their part of A: what pivoting to a
 * solution (convex_active.c) and on to the least sum (convex_least_sum.c) walks on. */
#ifndef IMP_ACTIVE_SET_H
#define IMP_ACTIVE_SET_H

#include "cone/convex_active.h"

#include <stdbool.h>

typedef struct active_set {
    int n, count; /* contacts; of P, those that push */
    const double *A, *b;
    double *y, *w;
    double *floor; /* (n) |b| + |A| |b_j / A_jj| of those that close: what velocities are made of
                      before any pushes */
    double *size;  /* (n) floor + |A| y along the way: scale of the rounding in w */
    double *L;     /* (n x n) row-major factor of A_PP, its first count rows */
    double *l, *r; /* (n) L^-1 A_Pj; A_PP^-1 A_Pj */
    double *d;     /* (n) change of w per impulse at j */
    double *root;  /* (n) sqrt(A_ii) */
    int *P;        /* (n) */
} active_set;

/* In `work` of imp_convex_active_workspace bytes; P is empty. */
active_set imp_active_set(int n, const double *A, const double *b, double *y, double *w,
                          void *work);

static inline const double *imp_active_row(const active_set *s, int i) {
    return s->A + (size_t)i * (size_t)s->n;
}

/* r <- A_PP^-1 r. */
void imp_active_solve(const active_set *s, double *r);

/* l <- L^-1 A_Pj; returns the Schur complement A_jj - A_jP A_PP^-1 A_Pj of contact j, which
 * imp_active_append wants. */
double imp_active_eliminate(active_set *s, int j);

/* The same, with r <- A_PP^-1 A_Pj. */
double imp_active_direction(active_set *s, int j);

/* Does column j, with what imp_active_direction has made of it, not depend on those of P? */
bool imp_active_independent(const active_set *s, int j, double schur);

/* Contact j joins P. */
void imp_active_append(active_set *s, int j, double schur);

/* Contact number `out` of P leaves, with y = 0. */
void imp_active_drop(active_set *s, int out);

/* Is r_k, of imp_active_direction for contact j, no rounding where the columns depend on each
 * other? */
bool imp_active_moves(const active_set *s, int k, int j);

/* w and size from y. */
void imp_active_look(active_set *s);

/* y <- the solution of A_PP y = -b_P, once refined, without the rounding of the way there; w and
 * size follow. P loses contacts whose push is 0 but for rounding where the others need it. */
void imp_active_refine(active_set *s);

/* From a solution that P carries to one of the least sum, and P with it; v (n) <- what shows it.
 * convex_active.h says of what. */
void imp_active_least_sum(active_set *s, double *v);

#endif
