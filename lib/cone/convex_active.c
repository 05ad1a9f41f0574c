/* convex_active.c - QP3 of few contacts by a dual active set.
 *
 * Goldfarb, Idnani (1983), "A numerically stable dual method for solving strictly convex quadratic
 * programs", for the velocities after the impact: they begin as they are and each contact that
 * still closes is made to stop, while those that already push go on doing what they must. In terms
 * of W alone: with the set P of contacts that push (A_PP regular, Cholesky factor L) a contact j
 * that closes is given the impulse t, the others change by -t r with r = A_PP^-1 A_Pj, and w_j
 * grows by t s, s = A_jj - A_jP r, until w_j = 0 or one of P would have to pull, which then leaves.
 * Kinetic energy falls with every contact that is stopped, so that no set comes twice and it ends.
 * s = 0 with no one who could leave: impulses e_j - r >= 0 move nothing and w_j stays: no
 * solution. */
#include "cone/active_set.h"

#include <math.h>
#include <string.h>

enum { FINISHED = -1 };

/* y grows by t at j and changes by -t r in P; w and size follow. */
static void push(active_set *s, int j, double t) {
    const double *A = imp_active_row(s, j);
    for (int i = 0; i < s->n; i++) {
        s->d[i] = A[i];
        s->size[i] += t * fabs(A[i]);
    }
    for (int k = 0; k < s->count; k++) {
        const double *B = imp_active_row(s, s->P[k]), r = s->r[k];
        for (int i = 0; i < s->n; i++)
            s->d[i] -= r * B[i];
        s->y[s->P[k]] = fmax(0, s->y[s->P[k]] - t * r);
    }
    for (int i = 0; i < s->n; i++)
        s->w[i] += t * s->d[i];
    s->y[j] += t;
}

static void measure(active_set *s) {
    for (int i = 0; i < s->n; i++) {
        s->root[i] = sqrt(fmax(0, imp_active_row(s, i)[i]));
        s->floor[i] = fabs(s->b[i]);
    }
    for (int j = 0; j < s->n; j++) {
        const double *A = imp_active_row(s, j), y = s->b[j] < 0 && A[j] > 0 ? -s->b[j] / A[j] : 0;
        for (int i = 0; i < s->n && y > 0; i++)
            s->floor[i] += y * fabs(A[i]);
    }
}

/* A set to begin with: all that close, less those that would have to pull, until none would. */
static void begin(active_set *s) {
    for (int i = 0; i < s->n; i++)
        if (s->b[i] < 0 && s->root[i] > 0) s->P[s->count++] = i;
    while (s->count > 0) {
        const int tried = s->count;
        s->count = 0;
        for (int i = 0; i < tried; i++) {
            const int j = s->P[i]; /* count <= i: the list is read ahead of where it is written */
            const double schur = imp_active_eliminate(s, j);
            if (schur > IMP_CONVEX_ACCURATE * s->root[j] * s->root[j])
                imp_active_append(s, j, schur);
        }
        for (int i = 0; i < s->count; i++)
            s->r[i] = -s->b[s->P[i]];
        imp_active_solve(s, s->r);
        int kept = 0;
        for (int i = 0; i < s->count; i++)
            if (s->r[i] >= 0) s->P[kept++] = s->P[i];
        if (kept == s->count) break;
        s->count = kept;
    }
    for (int i = 0; i < s->count; i++)
        s->y[s->P[i]] = s->r[i];
    imp_active_look(s);
}

/* The contact that closes with most energy, FINISHED when there is none. */
static int closing(const active_set *s) {
    int worst = FINISHED;
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        if (!(s->w[i] < -IMP_ACTIVE_ROUNDING * s->size[i])) continue;
        const double speed = s->root[i] > 0 ? -s->w[i] / s->root[i] : INFINITY;
        if (speed <= most) continue;
        most = speed;
        worst = i;
    }
    return worst;
}

/* Is z = e_j - r, nowhere negative, an impulse that moves nothing and yet does work on b? */
static bool contradictory(active_set *s, int j) {
    convex_proof z = {.work = -s->b[j], .length = s->root[j]};
    memcpy(s->d, imp_active_row(s, j), (size_t)s->n * sizeof *s->d);
    for (int k = 0; k < s->count; k++) {
        const double push = fmax(0, -s->r[k]), *B = imp_active_row(s, s->P[k]);
        z.work -= push * s->b[s->P[k]];
        z.length += push * s->root[s->P[k]];
        for (int i = 0; i < s->n; i++)
            s->d[i] += push * B[i];
    }
    for (int i = 0; i < s->n; i++) {
        if (s->root[i] == 0) continue;
        z.moved = fmax(z.moved, fabs(s->d[i]) / s->root[i]);
        z.usual = fmax(z.usual, fabs(s->b[i]) / s->root[i]);
    }
    return imp_convex_proves(&z);
}

/* Stops contact j. */
static imp_status stop(active_set *s, int j, int *steps) {
    while (*steps > 0) {
        const double schur = imp_active_direction(s, j);
        const bool regular = imp_active_independent(s, j, schur);
        double t = regular ? fmax(0, -s->w[j]) / schur : INFINITY;
        int out = -1;
        for (int k = 0; k < s->count; k++) {
            const bool falls = regular ? s->r[k] > 0 : imp_active_moves(s, k, j);
            const double y = s->y[s->P[k]];
            if (!falls || y >= t * s->r[k]) continue;
            t = y / s->r[k];
            out = k;
        }
        if (isinf(t)) {
            if (s->y[j] > 0 || -s->w[j] > IMP_CONVEX_ACCURATE * s->size[j])
                return contradictory(s, j) ? IMP_NO_SOLUTION : IMP_NOT_CONVERGED;
            s->w[j] = 0; /* closes by rounding alone: the others decide what it does */
            return IMP_OK;
        }
        if (t > 0) push(s, j, t);
        (*steps)--;
        if (out < 0) {
            imp_active_append(s, j, schur);
            return IMP_OK;
        }
        imp_active_drop(s, out);
    }
    return IMP_NOT_CONVERGED;
}

static bool accepted(const active_set *s) {
    for (int i = 0; i < s->n; i++) {
        const double off = IMP_CONVEX_ACCURATE * s->size[i];
        if (!(s->y[i] >= 0 && s->w[i] >= -off && (s->y[i] == 0 || s->w[i] <= off))) return false;
    }
    return true;
}

/* Stops one after another and refines. The refined set may be without one whose push was rounding,
 * and another closes: then on from there. */
static imp_status walk(active_set *s, double *v) {
    int steps = 20 * s->n + 100;
    for (;;) {
        for (int j = closing(s); j != FINISHED; j = closing(s)) {
            const imp_status status = stop(s, j, &steps);
            if (status != IMP_OK) return status;
        }
        imp_active_refine(s);
        imp_active_least_sum(s, v);
        if (accepted(s)) return IMP_OK;
        steps -= s->n;
        if (closing(s) == FINISHED || steps <= 0) return IMP_NOT_CONVERGED;
    }
}

imp_status imp_convex_active(int n, const double *A, const double *b, double *y, double *w,
                             double *v, void *work) {
    active_set s = imp_active_set(n, A, b, y, w, work);
    memset(y, 0, (size_t)n * sizeof *y);
    memset(v, 0, (size_t)n * sizeof *v);
    measure(&s);
    begin(&s);
    const imp_status status = walk(&s, v);
    if (status != IMP_OK) memset(y, 0, (size_t)n * sizeof *y);
    return status;
}
