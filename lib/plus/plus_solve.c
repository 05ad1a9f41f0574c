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
#include "plus/plus_internal.h"

#include <string.h>

static bool rolls(const plus *s, int i) {
    return s->motion[i] == 'r' && s->phase[i] != 'O' && (s->phase[i] == 'X' || s->active[i]);
}

/* A compressing contact whose impulse has a given direction. */
static bool is_ray(const plus *s, int i) {
    return s->phase[i] == 'C' && s->active[i] && s->motion[i] != 'r';
}

enum { FACE = 12 }; /* entries of four contacts, a face's corners: loops of that size unroll */
/* of the largest: a smaller pivot of W, scaled to a diagonal of ones, is rounding */
static const double DEPENDENT = 1e-12;
/* of the fastest component: what an implied row may miss its aim by */
static const double IMPLIED = 1e-11;

/* The rows of the system, independent ones first: Cholesky's pivots, largest first. */
static void find_basis(plus *s) {
    plus_basis *b = &s->basis;
    const int m = b->m = s->m;
    double *A = s->hessian, *scale = s->x;
    memcpy(b->of, s->unknown, (size_t)m * sizeof *b->of);
    memcpy(b->row, s->unknown, (size_t)m * sizeof *b->row);
    for (int j = 0; j < m; j++) {
        const double own = s->W[(size_t)b->of[j] * s->n + b->of[j]];
        scale[j] = own > 0 ? 1 / sqrt(own) : 0;
    }
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            A[j * m + i] = scale[i] * s->W[(size_t)b->of[j] * s->n + b->of[i]] * scale[j];
    for (b->rank = 0; b->rank < m; b->rank++) {
        const int k = b->rank;
        int best = k;
        for (int j = k + 1; j < m; j++)
            if (A[j * m + j] > A[best * m + best]) best = j;
        if (!(A[best * m + best] > DEPENDENT)) return;
        const int kept = b->row[k];
        b->row[k] = b->row[best];
        b->row[best] = kept;
        for (int i = 0; i < m; i++) {
            const double a = A[k * m + i];
            A[k * m + i] = A[best * m + i];
            A[best * m + i] = a;
        }
        for (int j = 0; j < m; j++) {
            const double a = A[j * m + k];
            A[j * m + k] = A[j * m + best];
            A[j * m + best] = a;
        }
        for (int j = k + 1; j < m; j++) {
            const double factor = A[j * m + k] / A[k * m + k];
            for (int i = k + 1; i < m; i++)
                A[j * m + i] -= factor * A[k * m + i];
        }
    }
}

/* Leaves out equations that others imply. */
static void reduce(plus *s) {
    const plus_basis *b = &s->basis;
    s->equations = s->m;
    if (!b->wanted || b->contradicts || s->m < 2) return;
    if (b->m != s->m || memcmp(b->of, s->unknown, (size_t)s->m * sizeof *b->of) != 0) find_basis(s);
    memcpy(s->row, b->row, (size_t)s->m * sizeof *s->row);
    s->equations = b->rank;
}

/* Lists the unknowns and equations, in the order of the contacts. */
static void list(plus *s) {
    s->m = 0;
    for (int i = 0; i < s->nc; i++) {
        const int first = is_ray(s, i) || (rolls(s, i) && s->phase[i] == 'C') ? 0 : 1,
                  last = rolls(s, i) ? 2 : 0;
        for (int k = first; k <= last; k++) {
            s->row[s->m] = s->unknown[s->m] = 3 * i + k;
            s->m++;
        }
    }
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

void imp_plus_multiply(plus *s) {
    if (s->n == FACE)
        multiply(FACE, s->W, s->pi, s->Wpi);
    else
        multiply(s->n, s->W, s->pi, s->Wpi);
}

/* The impulses that are given: expanding contacts' normal ones, and their friction where it has a
 * direction. */
static void give(plus *s) {
    bool given = false;
    memset(s->pi, 0, (size_t)s->n * sizeof *s->pi);
    memset(s->Wpi, 0, (size_t)s->n * sizeof *s->Wpi);
    for (int i = 0; i < s->nc; i++)
        if (s->phase[i] == 'X') {
            given = true;
            double *pi = s->pi + 3 * i;
            pi[0] = s->pushed[i];
            if (s->motion[i] == 'r') continue;
            pi[1] = -s->mu[i] * pi[0] * s->slip[2 * i];
            pi[2] = -s->mu[i] * pi[0] * s->slip[2 * i + 1];
        }
    if (given) imp_plus_multiply(s);
}

static inline __attribute__((always_inline)) void image_of(const plus *s, int j, int count,
                                                           const int *rows,
                                                           double *restrict image) {
    const int n = s->n, c = s->unknown[j], i = c / 3;
    const double *W = s->W + (size_t)c * n;
    if (!is_ray(s, i)) {
        for (int k = 0; k < count; k++)
            image[k] = W[rows[k]];
        return;
    }
    const double mu = s->mu[i], t = mu * s->slip[2 * i], o = mu * s->slip[2 * i + 1],
                 scale = s->ray[i];
    for (int k = 0; k < count; k++) {
        const int r = rows[k];
        image[k] = scale * (W[r] - t * W[n + r] - o * W[2 * n + r]);
    }
}

void imp_plus_image(const plus *s, int j, int count, const int *rows, double *image) {
    image_of(s, j, count, rows, image);
}

void imp_plus_assemble(plus *s) {
    list(s);
    reduce(s);
    give(s);
    for (int j = 0; j < s->m; j++) {
        double *column = s->M + (size_t)j * s->equations;
        image_of(s, j, s->equations, s->row, column);
        for (int k = 0; k < s->equations; k++)
            column[k] *= s->row_scale[s->row[k]];
    }
    for (int k = 0; k < s->equations; k++) {
        const int r = s->row[k];
        s->rhs[k] = s->row_scale[r] * (s->aim[r] - s->v[r] - s->Wpi[r]);
    }
}

void imp_plus_expand(plus *s, const double *x) {
    for (int j = 0; j < s->m; j++) {
        const int c = s->unknown[j], i = c / 3;
        if (!is_ray(s, i)) {
            s->pi[c] = x[j];
            continue;
        }
        const double mu = s->mu[i], p_n = x[j] * s->ray[i];
        s->pi[c] = p_n;
        s->pi[c + 1] = -mu * p_n * s->slip[2 * i];
        s->pi[c + 2] = -mu * p_n * s->slip[2 * i + 1];
    }
    imp_plus_multiply(s);
}

/* Do the rows that were left out come to their aims, too? */
static bool implied(const plus *s) {
    const double speed = plus_speed(s);
    for (int k = s->equations; k < s->m; k++) {
        const int r = s->row[k];
        if (!(fabs(s->v[r] + s->Wpi[r] - s->aim[r]) <= IMPLIED * speed)) return false;
    }
    return true;
}

/* x <- the solution of the assembled system; false where it is to be assembled anew. */
static bool solve_assembled(plus *s) {
    const int m = s->m, k = s->equations;
    s->redundant = false;
    if (m == 1) s->x[0] = s->M[0] != 0 ? s->rhs[0] / s->M[0] : 0;
    if (m <= 1) return true;
    memcpy(s->x, s->rhs, (size_t)k * sizeof *s->x);
    if (!s->basis.wanted) {
        s->basis.wanted = !imp_cof_direct(m, s->M, 1, s->x, s->work);
        return !s->basis.wanted;
    }
    s->redundant = imp_cof_solve(k, m, s->M, 1, s->x, s->work) < m;
    return true;
}

void imp_plus_solve(plus *s) {
    imp_plus_assemble(s);
    if (!solve_assembled(s)) {
        imp_plus_assemble(s);
        (void)solve_assembled(s);
    }
    const int m = s->m, k = s->equations;
    /* 10: passes over the contacts that judge it */
    s->effort += (double)k * k * m + (double)(m + 10) * s->n;
    if (m > 0) imp_plus_expand(s, s->x);
    if (k < m && !implied(s)) {
        s->basis.contradicts = true;
        imp_plus_solve(s);
    }
}
