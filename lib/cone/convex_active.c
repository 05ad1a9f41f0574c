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

/* The sum of y_i root_i that no solution is believed to have, over the largest |b_i| / root_i: with
 * it A y is known to 1e6 IMP_ACTIVE_ROUNDING = 1e-7 of b at best, and pivots that lead there are
 * noise, as impulses beyond the 1 / nearly of convex_phase1.c are. */
static const double beyond = 1e6;

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

/* Is z = e_j - r, nowhere negative, an impulse that moves nothing and yet does work on b? A
 * solution y has y'A z = w'z - b'z >= -b'z, and so a sum of y_i root_i of -b'z / max |A z|_i /
 * root_i and more. */
static bool contradictory(active_set *s, int j) {
    double work = s->b[j], length = s->root[j]; /* |A_ik| <= root_i root_k */
    memcpy(s->d, imp_active_row(s, j), (size_t)s->n * sizeof *s->d);
    for (int k = 0; k < s->count; k++) {
        const double z = fmax(0, -s->r[k]), *B = imp_active_row(s, s->P[k]);
        work += z * s->b[s->P[k]];
        length += z * s->root[s->P[k]];
        for (int i = 0; i < s->n; i++)
            s->d[i] += z * B[i];
    }
    double moved = IMP_ACTIVE_ROUNDING * length, usual = 0;
    for (int i = 0; i < s->n; i++) {
        if (s->root[i] == 0) continue;
        moved = fmax(moved, fabs(s->d[i]) / s->root[i]);
        usual = fmax(usual, fabs(s->b[i]) / s->root[i]);
    }
    return -work > beyond * usual * moved;
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

imp_status imp_convex_active(int n, const double *A, const double *b, double *y, double *w,
                             double *v, void *work) {
    active_set s = imp_active_set(n, A, b, y, w, work);
    imp_status status = IMP_OK;
    int steps = 20 * n + 100;
    memset(y, 0, (size_t)n * sizeof *y);
    memset(v, 0, (size_t)n * sizeof *v);
    measure(&s);
    begin(&s);
    for (int j = closing(&s); j != FINISHED && status == IMP_OK; j = closing(&s))
        status = stop(&s, j, &steps);
    if (status == IMP_OK) {
        imp_active_refine(&s);
        imp_active_least_sum(&s, v);
        if (!accepted(&s)) status = IMP_NOT_CONVERGED;
    }
    if (status != IMP_OK) memset(y, 0, (size_t)n * sizeof *y);
    return status;
}
