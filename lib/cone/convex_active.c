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
#include "cone/convex_active.h"

#include "base/length.h"
#include "linear/dense.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double rounding = 1e-13; /* of w_i, relative to the sums it comes from */
static const double accurate = 1e-12; /* what an answer is held to, the same way */
/* s below it, relative to A_jj: column j depends on those of P */
static const double dependent = 1e-12;
/* sum of y_i root_i that no solution is believed to have, over the largest |b_i| / root_i */
static const double beyond = 1e6;

enum { FINISHED = -1 };

typedef struct active {
    int n, count; /* contacts; of P */
    const double *A, *b;
    double *y, *w;
    double *floor;   /* (n) |b| + |A| |b_j / A_jj| of those that close: what velocities are made of
                        before any pushes */
    double *size;    /* (n) floor + |A| y along the way: scale of the rounding in w */
    double *L;       /* (n x n) row-major factor of A_PP, its first count rows */
    double *l, *r;   /* (n) L^-1 A_Pj; A_PP^-1 A_Pj */
    double *d;       /* (n) change of w per impulse at j */
    double *root;    /* (n) sqrt(A_ii) */
    int *P;          /* (n) */
    double *simplex; /* (n (n + 3)) for the least sum; the rows of L are in it */
} active;

size_t imp_convex_active_workspace(int n) {
    const size_t m = (size_t)n;
    return (m * (m + 3) + 6 * m) * sizeof(double) + m * sizeof(int);
}

static active lay_out(int n, const double *A, const double *b, double *y, double *w, void *work) {
    const size_t m = (size_t)n;
    active s = {.n = n, .A = A, .b = b, .y = y, .w = w, .simplex = work};
    s.L = s.simplex;
    s.floor = s.simplex + m * (m + 3);
    s.size = s.floor + m;
    s.l = s.size + m;
    s.r = s.l + m;
    s.d = s.r + m;
    s.root = s.d + m;
    s.P = (int *)(void *)(s.root + m);
    return s;
}

static const double *row(const active *s, int i) {
    return s->A + (size_t)i * (size_t)s->n;
}

/* l <- L^-1 r. */
static void solve_half(const active *s, const double *r) {
    for (int i = 0; i < s->count; i++) {
        const double *L = s->L + (size_t)i * (size_t)s->n;
        s->l[i] = (r[i] - imp_dense_dot(L, s->l, i)) / L[i];
    }
}

/* r <- L'^-1 l. */
static void solve_back(const active *s, double *r) {
    memcpy(r, s->l, (size_t)s->count * sizeof *r);
    for (int i = s->count - 1; i >= 0; i--) {
        const double *L = s->L + (size_t)i * (size_t)s->n;
        r[i] /= L[i];
        for (int k = 0; k < i; k++)
            r[k] -= L[k] * r[i];
    }
}

/* r <- A_PP^-1 r. */
static void solve(const active *s, double *r) {
    solve_half(s, r);
    solve_back(s, r);
}

/* r <- A_Pj, l <- L^-1 r; returns s of contact j. */
static double eliminate(active *s, int j) {
    const double *A = row(s, j);
    for (int i = 0; i < s->count; i++)
        s->r[i] = A[s->P[i]];
    solve_half(s, s->r);
    return A[j] - imp_dense_dot(s->l, s->l, s->count);
}

/* r and l; returns s of contact j. */
static double direction(active *s, int j) {
    const double schur = eliminate(s, j);
    solve_back(s, s->r);
    return schur;
}

/* s is the square of e_j - r in A, and rounded like the squares it is the difference of. */
static bool independent(const active *s, int j, double schur) {
    double length = s->root[j];
    for (int k = 0; k < s->count; k++)
        length += fabs(s->r[k]) * s->root[s->P[k]];
    return schur > fmax(dependent * s->root[j] * s->root[j], rounding * length * length);
}

static void append(active *s, int j, double schur) {
    double *L = s->L + (size_t)s->count * (size_t)s->n;
    memcpy(L, s->l, (size_t)s->count * sizeof *L);
    L[s->count] = sqrt(schur);
    s->P[s->count++] = j;
}

/* Contact number `out` of P leaves: its row goes, and plane rotations of columns make L a triangle
 * again. */
static void drop(active *s, int out) {
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

/* w and size from y. */
static void look(active *s) {
    for (int i = 0; i < s->n; i++) {
        s->w[i] = s->b[i];
        s->size[i] = s->floor[i];
    }
    for (int k = 0; k < s->count; k++) {
        const double *A = row(s, s->P[k]), y = s->y[s->P[k]];
        for (int i = 0; i < s->n; i++) {
            s->w[i] += y * A[i];
            s->size[i] += y * fabs(A[i]);
        }
    }
}

/* y grows by t at j and changes by -t r in P; w and size follow. */
static void push(active *s, int j, double t) {
    const double *A = row(s, j);
    for (int i = 0; i < s->n; i++) {
        s->d[i] = A[i];
        s->size[i] += t * fabs(A[i]);
    }
    for (int k = 0; k < s->count; k++) {
        const double *B = row(s, s->P[k]), r = s->r[k];
        for (int i = 0; i < s->n; i++)
            s->d[i] -= r * B[i];
        s->y[s->P[k]] = fmax(0, s->y[s->P[k]] - t * r);
    }
    for (int i = 0; i < s->n; i++)
        s->w[i] += t * s->d[i];
    s->y[j] += t;
}

static void measure(active *s) {
    for (int i = 0; i < s->n; i++) {
        s->root[i] = sqrt(fmax(0, row(s, i)[i]));
        s->floor[i] = fabs(s->b[i]);
    }
    for (int j = 0; j < s->n; j++) {
        const double *A = row(s, j), y = s->b[j] < 0 && A[j] > 0 ? -s->b[j] / A[j] : 0;
        for (int i = 0; i < s->n && y > 0; i++)
            s->floor[i] += y * fabs(A[i]);
    }
}

/* A set to begin with: all that close, less those that would have to pull, until none would. */
static void begin(active *s) {
    for (int i = 0; i < s->n; i++)
        if (s->b[i] < 0 && s->root[i] > 0) s->P[s->count++] = i;
    while (s->count > 0) {
        const int tried = s->count;
        s->count = 0;
        for (int i = 0; i < tried; i++) {
            const int j = s->P[i]; /* count <= i: the list is read ahead of where it is written */
            const double schur = eliminate(s, j);
            if (schur > dependent * s->root[j] * s->root[j]) append(s, j, schur);
        }
        for (int i = 0; i < s->count; i++)
            s->r[i] = -s->b[s->P[i]];
        solve(s, s->r);
        int kept = 0;
        for (int i = 0; i < s->count; i++)
            if (s->r[i] >= 0) s->P[kept++] = s->P[i];
        if (kept == s->count) break;
        s->count = kept;
    }
    for (int i = 0; i < s->count; i++)
        s->y[s->P[i]] = s->r[i];
    look(s);
}

/* The contact that closes with most energy, FINISHED when there is none. */
static int closing(const active *s) {
    int worst = FINISHED;
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        if (!(s->w[i] < -rounding * s->size[i])) continue;
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
static bool contradictory(active *s, int j) {
    double work = s->b[j], length = s->root[j]; /* |A_ik| <= root_i root_k */
    memcpy(s->d, row(s, j), (size_t)s->n * sizeof *s->d);
    for (int k = 0; k < s->count; k++) {
        const double z = fmax(0, -s->r[k]), *B = row(s, s->P[k]);
        work += z * s->b[s->P[k]];
        length += z * s->root[s->P[k]];
        for (int i = 0; i < s->n; i++)
            s->d[i] += z * B[i];
    }
    double moved = rounding * length, usual = 0;
    for (int i = 0; i < s->n; i++) {
        if (s->root[i] == 0) continue;
        moved = fmax(moved, fabs(s->d[i]) / s->root[i]);
        usual = fmax(usual, fabs(s->b[i]) / s->root[i]);
    }
    return -work > beyond * usual * moved;
}

/* Stops contact j. */
static imp_status stop(active *s, int j, int *steps) {
    while (*steps > 0) {
        const double schur = direction(s, j), own = s->root[j];
        const bool regular = independent(s, j, schur);
        double t = regular ? fmax(0, -s->w[j]) / schur : INFINITY;
        int out = -1;
        for (int k = 0; k < s->count; k++) {
            /* a tiny r is rounding where the columns depend on each other */
            const double least = regular ? 0 : 1e-10 * own / s->root[s->P[k]], y = s->y[s->P[k]];
            if (!(s->r[k] > least) || y >= t * s->r[k]) continue;
            t = y / s->r[k];
            out = k;
        }
        if (isinf(t)) {
            if (s->y[j] > 0 || -s->w[j] > accurate * s->size[j])
                return contradictory(s, j) ? IMP_NO_SOLUTION : IMP_NOT_CONVERGED;
            s->w[j] = 0; /* closes by rounding alone: the others decide what it does */
            return IMP_OK;
        }
        if (t > 0) push(s, j, t);
        (*steps)--;
        if (out < 0) {
            append(s, j, schur);
            return IMP_OK;
        }
        drop(s, out);
    }
    return IMP_NOT_CONVERGED;
}

/* y <- the solution of A_PP y = -b_P, once refined, without the rounding of the way there. */
static void refine(active *s) {
    memset(s->y, 0, (size_t)s->n * sizeof *s->y);
    look(s);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < s->count; i++)
            s->r[i] = -s->w[s->P[i]];
        solve(s, s->r);
        for (int i = 0; i < s->count; i++)
            s->y[s->P[i]] += s->r[i];
        look(s);
    }
    for (int i = 0; i < s->count; i++)
        s->y[s->P[i]] = fmax(0, s->y[s->P[i]]);
    look(s);
}

static bool accepted(const active *s) {
    for (int i = 0; i < s->n; i++) {
        const double off = accurate * s->size[i];
        if (!(s->y[i] >= 0 && s->w[i] >= -off && (s->y[i] == 0 || s->w[i] <= off))) return false;
    }
    return true;
}

imp_status imp_convex_active(int n, const double *A, const double *b, double *y, double *w,
                             void *work) {
    active s = lay_out(n, A, b, y, w, work);
    imp_status status = IMP_OK;
    int steps = 20 * n + 100;
    memset(y, 0, (size_t)n * sizeof *y);
    measure(&s);
    begin(&s);
    for (int j = closing(&s); j != FINISHED && status == IMP_OK; j = closing(&s))
        status = stop(&s, j, &steps);
    if (status == IMP_OK) {
        refine(&s);
        imp_convex_least_sum(n, A, b, w, s.size, y, s.P, s.count, s.simplex);
        s.count = 0;
        for (int i = 0; i < n; i++)
            if (y[i] > 0) s.P[s.count++] = i;
        look(&s);
    }
    if (status == IMP_OK && !accepted(&s)) status = IMP_NOT_CONVERGED;
    if (status != IMP_OK) memset(y, 0, (size_t)n * sizeof *y);
    return status;
}
