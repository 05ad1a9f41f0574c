/* active_set.c - the factor of A_PP as contacts join P and leave it: Goldfarb, Idnani (1983), with
 * a Cholesky factor of whole rows. */
#include "cone/active_set.h"

#include "base/length.h"
#include "linear/dense.h"

#include <math.h>
#include <string.h>

size_t imp_convex_active_workspace(int n) {
    const size_t m = (size_t)n;
    return (m * m + 6 * m) * sizeof(double) + m * sizeof(int);
}

active_set imp_active_set(int n, const double *A, const double *b, double *y, double *w,
                          void *work) {
    const size_t m = (size_t)n;
    active_set s = {.n = n, .A = A, .b = b, .y = y, .w = w, .L = work};
    s.floor = s.L + m * m;
    s.size = s.floor + m;
    s.l = s.size + m;
    s.r = s.l + m;
    s.d = s.r + m;
    s.root = s.d + m;
    s.P = (int *)(void *)(s.root + m);
    return s;
}

/* l <- L^-1 r. */
static void solve_half(const active_set *s, const double *r) {
    for (int i = 0; i < s->count; i++) {
        const double *L = s->L + (size_t)i * (size_t)s->n;
        s->l[i] = (r[i] - imp_dense_dot(L, s->l, i)) / L[i];
    }
}

/* r <- L'^-1 l. */
static void solve_back(const active_set *s, double *r) {
    memcpy(r, s->l, (size_t)s->count * sizeof *r);
    for (int i = s->count - 1; i >= 0; i--) {
        const double *L = s->L + (size_t)i * (size_t)s->n;
        r[i] /= L[i];
        for (int k = 0; k < i; k++)
            r[k] -= L[k] * r[i];
    }
}

void imp_active_solve(const active_set *s, double *r) {
    solve_half(s, r);
    solve_back(s, r);
}

double imp_active_eliminate(active_set *s, int j) {
    const double *A = imp_active_row(s, j);
    for (int i = 0; i < s->count; i++)
        s->r[i] = A[s->P[i]];
    solve_half(s, s->r);
    return A[j] - imp_dense_dot(s->l, s->l, s->count);
}

double imp_active_direction(active_set *s, int j) {
    const double schur = imp_active_eliminate(s, j);
    solve_back(s, s->r);
    return schur;
}

/* The Schur complement is the square of e_j - r in A, and rounded like the squares it is the
 * difference of. */
bool imp_active_independent(const active_set *s, int j, double schur) {
    double length = s->root[j];
    for (int k = 0; k < s->count; k++)
        length += fabs(s->r[k]) * s->root[s->P[k]];
    return schur > IMP_CONVEX_ACCURATE * length * length;
}

/* Pivots of L are 1e-6 of their columns or more (the square root of the 1e-12 of
 * imp_active_independent), and magnify roundings to 1e-10 at most. */
bool imp_active_moves(const active_set *s, int k, int j) {
    return s->r[k] > 1e-10 * s->root[j] / s->root[s->P[k]];
}

void imp_active_append(active_set *s, int j, double schur) {
    double *L = s->L + (size_t)s->count * (size_t)s->n;
    memcpy(L, s->l, (size_t)s->count * sizeof *L);
    L[s->count] = sqrt(schur);
    s->P[s->count++] = j;
}

/* Its row goes, and plane rotations of columns make L a triangle again. */
void imp_active_drop(active_set *s, int out) {
    const size_t n = (size_t)s->n;
    s->y[s->P[out]] = 0;
    s->count--;
    for (int i = out; i < s->count; i++) {
        memcpy(s->L + (size_t)i * n, s->L + ((size_t)i + 1) * n, ((size_t)i + 2) * sizeof *s->L);
        s->P[i] = s->P[i + 1];
    }
    for (int k = out; k < s->count; k++) {
        double *L = s->L + (size_t)k * n;
        const double length = imp_length(L[k], L[k + 1]), c = L[k] / length, e = L[k + 1] / length;
        L[k] = length;
        for (int i = k + 1; i < s->count; i++) {
            double *under = s->L + (size_t)i * n;
            const double left = under[k], right = under[k + 1];
            under[k] = c * left + e * right;
            under[k + 1] = c * right - e * left;
        }
    }
}

void imp_active_look(active_set *s) {
    for (int i = 0; i < s->n; i++) {
        s->w[i] = s->b[i];
        s->size[i] = s->floor[i];
    }
    for (int k = 0; k < s->count; k++) {
        const double *A = imp_active_row(s, s->P[k]), y = s->y[s->P[k]];
        for (int i = 0; i < s->n; i++) {
            s->w[i] += y * A[i];
            s->size[i] += y * fabs(A[i]);
        }
    }
}

/* y <- the solution of A_PP y = -b_P, once refined. Returns which of P would have to pull most, -1
 * where none would. */
static int solve_refined(active_set *s) {
    int lowest = -1;
    memset(s->y, 0, (size_t)s->n * sizeof *s->y);
    imp_active_look(s);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < s->count; i++)
            s->r[i] = -s->w[s->P[i]];
        imp_active_solve(s, s->r);
        for (int i = 0; i < s->count; i++)
            s->y[s->P[i]] += s->r[i];
        imp_active_look(s);
    }
    for (int i = 0; i < s->count; i++)
        if (s->y[s->P[i]] < (lowest < 0 ? 0 : s->y[s->P[lowest]])) lowest = i;
    return lowest;
}

/* Does every contact of P stop, as accurately as an answer has to? */
static bool stops(const active_set *s) {
    for (int i = 0; i < s->count; i++)
        if (fabs(s->w[s->P[i]]) > IMP_CONVEX_ACCURATE * s->size[s->P[i]]) return false;
    return true;
}

/* A push that is 0 but for rounding may come out as a pull. Taken for 0 it moves the others, which
 * is no longer rounding where other pushes are large (test_convex_hard: a heavy box on a light
 * one): there P does without that contact. */
void imp_active_refine(active_set *s) {
    for (;;) {
        const int lowest = solve_refined(s);
        for (int i = 0; i < s->count; i++)
            s->y[s->P[i]] = fmax(0, s->y[s->P[i]]);
        imp_active_look(s);
        if (lowest < 0 || stops(s)) return;
        imp_active_drop(s, lowest);
    }
}
