/* plus_solve.c - the linear system of an interval, and its least-norm solution.
 *
 * Uchida, Sherman, Delp (2015), eqs. (2.3), (2.7), (2.8), (2.10), (2.11) and Table 1: B pi = w of
 * size 3nc. Departure: only what is not given outright is an unknown: the normal impulse of a
 * compressing contact that slides, all three of one that rolls, the two tangential ones of an
 * expanding contact that rolls. A sliding contact's column is scaled by 1/sqrt(1 + mu^2), so that
 * the least norm of the unknowns is the least norm of pi. And where contacts are redundant, only
 * equations that W has independent are solved; the others follow from them, or else all are, in
 * the sense of least squares. */
#include "linear/cof.h"
#include "linear/dense.h"
#include "plus/plus_internal.h"

#include <string.h>

static bool rolls(const plus *s, int i) {
    return s->motion[i] == 'r' && s->phase[i] != 'O' && (s->phase[i] == 'X' || s->active[i]);
}

/* A compressing contact whose impulse has a given direction. */
static bool is_ray(const plus *s, int i) {
    return s->phase[i] == 'C' && s->active[i] && s->motion[i] != 'r';
}

/* of the largest: a smaller pivot of W, scaled to a diagonal of ones, is rounding */
static const double DEPENDENT = 1e-12;
/* of the fastest component: what an implied row may miss its aim by */
static const double IMPLIED = 1e-11;

/* The rows of the system, independent ones first: by elimination of W's, the largest share of a
 * diagonal entry that is left first. */
static inline __attribute__((always_inline)) void find_basis(plus *s, int m) {
    plus_basis *b = &s->own->basis;
    b->m = m;
    double *U = s->hessian, *left = s->x, *scale = s->rhs; /* left: of the diagonal */
    memcpy(b->of, s->unknown, (size_t)m * sizeof *b->of);
    memcpy(b->row, s->unknown, (size_t)m * sizeof *b->row);
    for (int j = 0; j < m; j++) {
        left[j] = s->W[(size_t)b->of[j] * s->n + b->of[j]];
        scale[j] = left[j] > 0 ? 1 / left[j] : 0;
    }
    for (b->rank = 0; b->rank < m; b->rank++) {
        const int k = b->rank;
        int best = k;
        for (int j = k + 1; j < m; j++)
            if (left[j] * scale[j] > left[best] * scale[best]) best = j;
        if (!(left[best] * scale[best] > DEPENDENT)) return;
        const int row = b->row[best];
        b->row[best] = b->row[k];
        b->row[k] = row;
        imp_dense_swap(left + k, left + best);
        imp_dense_swap(scale + k, scale + best);
        for (int j = 0; j < k; j++)
            imp_dense_swap(U + j * m + k, U + j * m + best);
        const double *W = s->W + (size_t)row * s->n, per_pivot = 1 / left[k];
        left[k] = per_pivot;
        for (int i = k + 1; i < m; i++) {
            double entry = W[b->row[i]];
            for (int j = 0; j < k; j++)
                entry -= left[j] * U[j * m + k] * U[j * m + i];
            U[k * m + i] = entry;
            left[i] -= per_pivot * entry * entry;
        }
    }
}

/* Leaves out equations that others imply. */
static void reduce(plus *s) {
    const plus_basis *b = &s->own->basis;
    s->equations = s->m;
    s->row = s->unknown;
    if (!b->wanted || b->contradicts || s->m < 2) return;
    if (b->m != s->m || memcmp(b->of, s->unknown, (size_t)s->m * sizeof *b->of) != 0) {
        if (s->m == PLUS_FACE / 3)
            find_basis(s, PLUS_FACE / 3);
        else
            find_basis(s, s->m);
    }
    s->row = b->row;
    s->equations = b->rank;
}

/* along (n) <- what a unit impulse on the edge of contact i's cone, against its slip, does to the
 * velocity. */
static inline __attribute__((always_inline)) void push_along(const plus *s, int i, int n,
                                                             double *restrict along) {
    const double *W = s->W + (size_t)(3 * i) * n, mu = s->mu[i], t = mu * s->slip[2 * i],
                 o = mu * s->slip[2 * i + 1], scale = s->ray[i];
    for (int r = 0; r < n; r++)
        along[r] = scale * (W[r] - t * W[n + r] - o * W[2 * n + r]);
}

/* Lists the unknowns, in the order of the contacts, and their images. */
static inline __attribute__((always_inline)) void list(plus *s, int n) {
    int m = 0;
    for (int i = 0; i < s->nc; i++) {
        double *along = s->along + (size_t)i * n;
        if (is_ray(s, i)) {
            push_along(s, i, n, along);
            s->unknown[m] = 3 * i;
            s->image[m++] = along;
        } else if (rolls(s, i))
            for (int c = 3 * i + (s->phase[i] == 'X'); c < 3 * i + 3; c++) {
                s->unknown[m] = c;
                s->image[m++] = s->W + (size_t)c * n;
            }
    }
    s->m = m;
}

/* sum (n) <- W x */
static inline __attribute__((always_inline)) void multiply(int n, const double *W, const double *x,
                                                           double *restrict sum) {
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int c = 0; c < n; c += 3, x += 3, W += 3 * (size_t)n) {
        if (x[0] == 0 && x[1] == 0 && x[2] == 0) continue;
        for (int r = 0; r < n; r++)
            sum[r] += W[r] * x[0] + W[n + r] * x[1] + W[2 * n + r] * x[2];
    }
}

void imp_plus_multiply(const plus *s, double *sum) {
    if (s->n == PLUS_FACE)
        multiply(PLUS_FACE, s->W, s->pi, sum);
    else
        multiply(s->n, s->W, s->pi, sum);
}

/* The impulses that are given, and what they do: expanding contacts' normal ones, and their
 * friction where it has a direction. */
static inline __attribute__((always_inline)) void give(const plus *s, int n, double *restrict pi,
                                                       double *restrict done) {
    bool given = false;
    for (int k = 0; k < n; k++)
        pi[k] = done[k] = 0;
    for (int i = 0; i < s->nc; i++)
        if (s->phase[i] == 'X') {
            given = true;
            pi[3 * i] = s->pushed[i];
            if (s->motion[i] == 'r') continue;
            const double friction = -s->mu[i] * s->pushed[i];
            pi[3 * i + 1] = friction * s->slip[2 * i];
            pi[3 * i + 2] = friction * s->slip[2 * i + 1];
        }
    if (given) multiply(n, s->W, pi, done);
}

/* The equations, without those that others imply; x starts as their right-hand sides. */
static void equate(plus *s) {
    reduce(s);
    const int count = s->equations, m = s->m, *row = s->row;
    const double *scale = s->row_scale, *const *image = s->image;
    double *restrict M = s->M, *restrict rhs = s->rhs;
    for (int j = 0; j < m; j++, M += count)
        for (int k = 0; k < count; k++)
            M[k] = scale[row[k]] * image[j][row[k]];
    for (int k = 0; k < count; k++) {
        const int r = row[k];
        s->x[k] = rhs[k] = scale[r] * (s->aim[r] - s->v[r] - s->given[r]);
    }
}

void imp_plus_assemble(plus *s) {
    if (s->n == PLUS_FACE) {
        list(s, PLUS_FACE);
        give(s, PLUS_FACE, s->pi, s->given);
    } else {
        list(s, s->n);
        give(s, s->n, s->pi, s->given);
    }
    equate(s);
}

/* sum (n) <- given and the images of the unknowns x */
static inline __attribute__((always_inline)) void superpose(const plus *s, int n, const double *x,
                                                            double *restrict sum) {
    const double *given = s->given, *const *image = s->image;
    for (int r = 0; r < n; r++)
        sum[r] = given[r];
    for (int j = 0; j < s->m; j++)
        for (int r = 0; r < n; r++)
            sum[r] += x[j] * image[j][r];
}

void imp_plus_expand(plus *s, const double *x) {
    const char *motion = s->motion;
    double *pi = s->pi;
    if (s->n == PLUS_FACE)
        superpose(s, PLUS_FACE, x, s->Wpi);
    else
        superpose(s, s->n, x, s->Wpi);
    for (int j = 0, m = s->m; j < m; j++) {
        const int c = s->unknown[j], i = c / 3;
        if (motion[i] == 'r') {
            pi[c] = x[j];
            continue;
        }
        const double p_n = x[j] * s->ray[i], friction = -s->mu[i] * p_n;
        pi[c] = p_n;
        pi[c + 1] = friction * s->slip[2 * i];
        pi[c + 2] = friction * s->slip[2 * i + 1];
    }
}

/* Do the rows that were left out come to their aims, too? */
static bool implied(const plus *s) {
    for (int k = s->equations; k < s->m; k++) {
        const int r = s->row[k];
        const double miss = fabs(s->v[r] + s->Wpi[r] - s->aim[r]);
        if (!(miss <= DBL_MAX) || plus_beyond_speed(s, miss, IMPLIED)) return false;
    }
    return true;
}

/* What makes a row, or a column, of W's diagonal a one. */
static double unit(const plus *s, int r) {
    return 1 / sqrt(s->W[(size_t)r * (s->n + 1)]);
}

/* The equations of independent rows of W in units in which its diagonal is ones, since contacts
 * that are light beside others have columns that cof.h takes for rounding. False, with x as it was,
 * where they are singular all the same. */
static bool solve_in_units(plus *s) {
    const int m = s->m;
    double *A = s->hessian;
    for (int k = 0; k < m; k++) {
        const double own = unit(s, s->row[k]) / s->row_scale[s->row[k]];
        for (int j = 0; j < m; j++)
            A[j * m + k] = own * s->M[j * m + k] * unit(s, s->unknown[j]);
        s->x[k] = own * s->rhs[k];
    }
    const bool regular = imp_cof_direct(m, A, 1, s->x, s->work);
    for (int j = 0; j < m; j++)
        s->x[j] = regular ? s->x[j] * unit(s, s->unknown[j]) : s->rhs[j];
    return regular;
}

/* x (m) <- the least-norm solution of the equations; false where these are to be reduced first. */
static bool solve_equations(plus *s) {
    const int m = s->m, k = s->equations;
    s->redundant = false;
    if (m == 1) s->x[0] = s->M[0] != 0 ? s->rhs[0] / s->M[0] : 0;
    if (m <= 1) return true;
    if (!s->own->basis.wanted) {
        s->own->basis.wanted = !imp_cof_direct(m, s->M, 1, s->x, s->work);
        return !s->own->basis.wanted;
    }
    if (!s->own->basis.contradicts && s->own->basis.rank == m) {
        if (s->in_units && solve_in_units(s)) return true;
        if (imp_cof_direct(m, s->M, 1, s->x, s->work)) return true;
        s->unlike = true;
    }
    s->redundant = imp_cof_solve(k, m, s->M, 1, s->x, s->work) < m;
    return true;
}

/* False where the equations are to be chosen anew. */
static bool solve(plus *s) {
    const int m = s->m, k = s->equations;
    if (!solve_equations(s)) return false;
    /* 10: passes over the contacts that judge it */
    s->effort += (double)k * k * m + (double)(m + 10) * s->n;
    imp_plus_expand(s, s->x);
    if (k == m || implied(s)) return true;
    s->own->basis.contradicts = true;
    return false;
}

void imp_plus_solve(plus *s) {
    imp_plus_assemble(s);
    while (!solve(s))
        equate(s);
}
