/* null_space.c - C' P = Q (R, 0)' by islands; R' = Z L' turns minimum norms into two triangles. */
#include "linear/null_space.h"

#include "base/length.h"
#include "linear/dense.h"
#include "linear/lapack.h"
#include "linear/null_space_internal.h"
#include "linear/triplets.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void imp_null_space_free(imp_null_space *s) {
    if (!s) return;
    for (int k = 0; s->island && k < s->islands; k++) {
        free(s->island[k].Q);
        free(s->island[k].Z);
        free(s->island[k].L);
    }
    imp_sparse_clear(&s->unit);
    free(s->island);
    free(s->of);
    free(s->length);
    free(s);
}

int imp_null_space_rank(const imp_null_space *space) {
    return space->rank;
}

double imp_null_space_rounding(const imp_null_space *space) {
    double most = 0;
    for (int k = 0; k < space->islands; k++)
        most = fmax(most, space->island[k].rounding);
    return most;
}

/* A (n x m) <- the equations of an island, each of unit length; false where one overflows. */
static bool fill(imp_null_space *s, const imp_null_island *own, double *A) {
    imp_sparse *C = &s->unit;
    memset(A, 0, (size_t)own->n * (size_t)own->m * sizeof *A);
    for (int j = 0; j < own->m; j++, A += own->n) {
        const int r = own->row[j];
        double length = 0;
        for (int k = C->start[r]; k < C->start[r + 1]; k++)
            length = imp_length(length, C->value[k]);
        if (!isfinite(length)) return false;
        s->length[r] = length;
        for (int k = C->start[r]; k < C->start[r + 1]; k++) {
            if (C->value[k] == 0) continue; /* perhaps of another island */
            C->value[k] /= length;
            A[s->place[C->row[k]]] = C->value[k];
        }
    }
    return true;
}

/* How many pivots of R count; -1 where one is in doubt, *row the equation. */
static int rank_of(const imp_null_island *own, const double *A, const int *pivot, int *row) {
    const int most = own->n < own->m ? own->n : own->m;
    for (int k = 0; k < most; k++) {
        const double left = fabs(A[imp_null_at(own->n, k, k)]);
        if (left > IMP_INDEPENDENT) continue;
        *row = own->row[pivot[k] - 1];
        return left > IMP_DEPENDENT ? -1 : k;
    }
    return most;
}

/* That of a unit vector, times what the least pivot magnifies it by. */
static double rounding_of(const imp_null_island *own, const double *A) {
    if (own->rank <= 0) return 0; /* none, or in doubt */
    return own->n * DBL_EPSILON / fabs(A[imp_null_at(own->n, own->rank - 1, own->rank - 1)]);
}

/* Z and L of the first `rank` rows of R, in A, whose columns are permuted. */
static imp_status factorise_rows(imp_null_island *own, const double *A, const int *pivot) {
    const int m = own->m, rank = own->rank;
    const size_t size = (size_t)rank;
    double *T = calloc((size_t)m * size + 1, sizeof *T), *tau = calloc(size + 1, sizeof *tau);
    own->Z = malloc(((size_t)m * size + 1) * sizeof *own->Z);
    own->L = calloc(size * size + 1, sizeof *own->L);
    imp_status status = T && tau && own->Z && own->L ? IMP_OK : IMP_NO_MEMORY;
    for (int i = 0; status == IMP_OK && i < rank; i++)
        for (int j = i; j < m; j++)
            T[imp_null_at(m, j, i)] = A[imp_null_at(own->n, i, j)];
    if (status == IMP_OK) status = imp_lapack_qr(m, rank, T, NULL, tau);
    for (int i = 0; status == IMP_OK && i < rank; i++)
        for (int j = i; j < rank; j++)
            own->L[imp_null_at(rank, j, i)] = T[imp_null_at(m, i, j)];
    if (status == IMP_OK) status = imp_lapack_q(m, rank, rank, T, tau);
    for (int i = 0; status == IMP_OK && i < rank; i++)
        for (int j = 0; j < m; j++)
            own->Z[imp_null_at(m, pivot[j] - 1, i)] = T[imp_null_at(m, j, i)];
    free(T);
    free(tau);
    return status;
}

/* The factors of A (n x m), which is overwritten. */
static imp_status factorise(imp_null_island *own, double *A, int *row) {
    const size_t n = (size_t)own->n, m = (size_t)own->m, most = n < m ? n : m;
    int *pivot = calloc(m + 1, sizeof *pivot);
    double *tau = calloc(n + 1, sizeof *tau);
    own->Q = calloc(n * n + 1, sizeof *own->Q);
    imp_status status = IMP_NO_MEMORY;
    if (pivot && tau && own->Q) status = imp_lapack_qr(own->n, own->m, A, pivot, tau);
    if (status == IMP_OK) {
        own->rank = rank_of(own, A, pivot, row);
        status = own->rank < 0 ? IMP_NOT_CERTIFIED : IMP_OK;
        own->rounding = rounding_of(own, A);
        memcpy(own->Q, A, n * most * sizeof *A);
    }
    if (status == IMP_OK) status = factorise_rows(own, A, pivot);
    if (status == IMP_OK) status = imp_lapack_q(own->n, own->n, (int)most, own->Q, tau);
    free(pivot);
    free(tau);
    return status;
}

imp_status imp_null_space_new(const imp_sparse *Ct, imp_null_space **made, int *row) {
    imp_null_space *s = calloc(1, sizeof *s);
    *made = NULL;
    *row = -1;
    if (!s) return IMP_NO_MEMORY;
    s->n = Ct->rows;
    s->m = Ct->columns;
    imp_status status = imp_null_space_islands(s, Ct);
    if (status == IMP_OK) status = imp_sparse_copy(Ct, &s->unit);
    s->left = s->loose;
    for (int k = 0; k < s->islands && status == IMP_OK; k++) {
        imp_null_island *own = &s->island[k];
        double *A = malloc(((size_t)own->n * (size_t)own->m + 1) * sizeof *A);
        status = !A ? IMP_NO_MEMORY : fill(s, own, A) ? factorise(own, A, row) : IMP_NOT_FINITE;
        own->first = s->left;
        s->left += own->n - own->rank;
        s->rank += own->rank;
        free(A);
    }
    if (status != IMP_OK) imp_null_space_free(s);
    *made = status == IMP_OK ? s : NULL;
    return status;
}

/* Corrections of a solution: the second is for what the factors are good to half the digits of. */
enum { CORRECTIONS = 2 };

/* y <- Q'x of an island by its columns from .. to - 1; x and y (n) by its own places. */
static void turn(const imp_null_island *own, int from, int to, const double *x, double *y) {
    for (int j = from; j < to; j++)
        y[j] = imp_dense_dot(own->Q + imp_null_at(own->n, 0, j), x, own->n);
}

/* lambda (m) += Z y */
static void add_multipliers(const imp_null_island *own, const double *y, double *lambda) {
    for (int j = 0; j < own->rank; j++)
        for (int i = 0; i < own->m; i++)
            lambda[i] += own->Z[imp_null_at(own->m, i, j)] * y[j];
}

/* x (n) += sign C'lambda, and size (n; NULL: not asked for) += the absolute values of its parts. */
static void add_equations(const imp_null_space *s, const imp_null_island *own, double sign,
                          const double *lambda, double *x, double *size) {
    for (int i = 0; i < own->m; i++)
        for (int k = s->unit.start[own->row[i]]; k < s->unit.start[own->row[i] + 1]; k++) {
            if (s->unit.value[k] == 0) continue;
            const double part = s->unit.value[k] * lambda[i];
            x[s->place[s->unit.row[k]]] += sign * part;
            if (size) size[s->place[s->unit.row[k]]] += fabs(part);
        }
}

/* of the parts of a number, for each: what rounding leaves of them */
static const double ROUNDING = 2 * DBL_EPSILON;

/* What an island leaves of x (n, by its places), which is overwritten, to column j. What equations
 * take is taken by themselves first: of a light body in a heavy one's joint that is all but a
 * little, which rounding of N times all of it would hide. work (2n + m). */
static void add_left(const imp_null_space *s, const imp_null_island *own, double *x, int j,
                     double *work, imp_triplets *entries) {
    double *y = work, *size = y + own->n, *lambda = size + own->n, left = 0, least = 0;
    for (int i = 0; i < own->n; i++)
        size[i] = fabs(x[i]);
    for (int k = 0; k < CORRECTIONS; k++) {
        turn(own, 0, own->rank, x, y);
        imp_cholesky_forward(own->rank, own->L, 1, y);
        memset(lambda, 0, (size_t)own->m * sizeof *lambda);
        add_multipliers(own, y, lambda);
        add_equations(s, own, -1, lambda, x, size);
    }
    turn(own, own->rank, own->n, x, y);
    for (int i = own->rank; i < own->n; i++) {
        const double *q = own->Q + imp_null_at(own->n, 0, i);
        double rounding = 0;
        for (int k = 0; k < own->n; k++)
            rounding += fabs(q[k]) * size[k];
        rounding *= own->n * ROUNDING;
        left = imp_length(left, y[i]);
        least = imp_length(least, rounding);
        if (fabs(y[i]) <= rounding) y[i] = 0;
    }
    if (left <= least) return;
    for (int i = own->rank; i < own->n; i++)
        if (y[i] != 0) imp_triplets_add(entries, own->first + i - own->rank, j, y[i]);
}

/* Column j of N'X; x is zero before and after; work (2n + m) any; touched: (islands) the last
 * column that met each. */
static void project_column(const imp_null_space *s, const imp_sparse *X, int j, double *x,
                           double *work, int *touched, imp_triplets *entries) {
    for (int k = X->start[j]; k < X->start[j + 1]; k++) {
        const int at = X->row[k];
        if (s->of[at] < 0) imp_triplets_add(entries, s->place[at], j, X->value[k]);
    }
    for (int k = X->start[j]; k < X->start[j + 1]; k++) {
        const int of = s->of[X->row[k]];
        if (of < 0 || touched[of] == j) continue;
        const imp_null_island *own = &s->island[of];
        touched[of] = j;
        for (int l = k; l < X->start[j + 1]; l++)
            if (s->of[X->row[l]] == of) x[s->place[X->row[l]]] = X->value[l];
        add_left(s, own, x, j, work, entries);
        memset(x, 0, (size_t)own->n * sizeof *x);
    }
}

imp_status imp_null_space_project(const imp_null_space *s, const imp_sparse *X, imp_sparse *Y) {
    imp_triplets entries = {0};
    double *x = calloc(3 * (size_t)s->n + (size_t)s->m + 1, sizeof *x);
    int *touched = malloc(((size_t)s->islands + 1) * sizeof *touched);
    entries.lacked = !x || !touched;
    for (int k = 0; touched && k < s->islands; k++)
        touched[k] = -1;
    for (int j = 0; !entries.lacked && j < X->columns; j++)
        project_column(s, X, j, x, x + s->n, touched, &entries);
    free(x);
    free(touched);
    return imp_triplets_end(&entries, s->left, X->columns, Y);
}

/* Room for one island, each (n) or (m), by its places. */
typedef struct room {
    double *h, *c;      /* what is given */
    double *x, *lambda; /* what was found */
    double *r, *missed; /* what is left of h and c */
    double *y, *z;
} room;

static room room_of(const imp_null_island *own, double *work) {
    double *at[8];
    for (int k = 0; k < 8; k++) {
        at[k] = work;
        work += k % 2 ? own->m : own->n;
    }
    return (room){at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7]};
}

/* x and lambda += the solution of x - C'lambda = r, C x = missed, by the factors. */
static void correct(const imp_null_island *own, const room *it) {
    turn(own, 0, own->n, it->r, it->y);
    for (int j = 0; j < own->rank; j++)
        it->z[j] = imp_dense_dot(own->Z + imp_null_at(own->m, 0, j), it->missed, own->m);
    imp_cholesky_backward(own->rank, own->L, it->z);
    for (int j = 0; j < own->rank; j++) {
        const double along = it->z[j];
        it->z[j] -= it->y[j];
        it->y[j] = along;
    }
    imp_cholesky_forward(own->rank, own->L, 1, it->z);
    add_multipliers(own, it->z, it->lambda);
    for (int j = 0; j < own->n; j++)
        for (int i = 0; i < own->n; i++)
            it->x[i] += own->Q[imp_null_at(own->n, i, j)] * it->y[j];
}

/* r and missed <- what x and lambda leave of h and c. */
static void leave(const imp_null_space *s, const imp_null_island *own, const room *it) {
    for (int i = 0; i < own->n; i++)
        it->r[i] = it->h[i] - it->x[i];
    add_equations(s, own, 1, it->lambda, it->r, NULL);
    for (int i = 0; i < own->m; i++) {
        double sum = it->c[i];
        for (int k = s->unit.start[own->row[i]]; k < s->unit.start[own->row[i] + 1]; k++)
            if (s->unit.value[k] != 0) sum -= s->unit.value[k] * it->x[s->place[s->unit.row[k]]];
        it->missed[i] = sum;
    }
}

void imp_null_space_solve(const imp_null_space *s, const double *h, const double *c, double *x,
                          double *lambda, double *work) {
    for (int i = 0; i < s->n; i++)
        if (s->of[i] < 0) x[i] = h ? h[i] : 0;
    if (lambda) memset(lambda, 0, (size_t)s->m * sizeof *lambda);
    for (int k = 0; k < s->islands; k++) {
        const imp_null_island *own = &s->island[k];
        const room it = room_of(own, work);
        for (int i = 0; i < own->n; i++) {
            it.r[i] = it.h[i] = h ? h[own->coordinate[i]] : 0;
            it.x[i] = 0;
        }
        for (int i = 0; i < own->m; i++) {
            it.missed[i] = it.c[i] = c ? c[own->row[i]] / s->length[own->row[i]] : 0;
            it.lambda[i] = 0;
        }
        for (int more = CORRECTIONS; more >= 0; more--) {
            correct(own, &it);
            if (more > 0) leave(s, own, &it);
        }
        for (int i = 0; i < own->n; i++)
            x[own->coordinate[i]] = it.x[i];
        for (int i = 0; lambda && i < own->m; i++)
            lambda[own->row[i]] = it.lambda[i] / s->length[own->row[i]];
    }
}

void imp_null_space_keep(const imp_null_space *s, double *x, double *work) {
    imp_null_space_solve(s, x, NULL, x, NULL, work);
}

/* Does x solve the equations of an island? *row <- the one that is missed most, relative to
 * `most`. */
static bool solves(const imp_null_space *s, const imp_null_island *own, const double *y,
                   const double *c, const double *size, int *row) {
    double most = 0, worst = -1;
    for (int i = 0; i < own->m; i++)
        most = fmax(most, size[own->row[i]] / s->length[own->row[i]]);
    for (int i = 0; i < own->m; i++) {
        double sum = -c[own->row[i]] / s->length[own->row[i]];
        for (int j = 0; j < own->rank; j++)
            sum += own->Z[imp_null_at(own->m, i, j)] * y[j];
        if (!(fabs(sum) > worst)) continue;
        worst = fabs(sum);
        *row = own->row[i];
    }
    return worst <= IMP_DEPENDENT * most;
}

imp_status imp_null_space_particular(const imp_null_space *s, const double *c, const double *size,
                                     double *x, int *row, double *work) {
    for (int r = 0; r < s->m; r++)
        if (s->length[r] == 0 && fabs(c[r]) > IMP_DEPENDENT * size[r]) {
            *row = r;
            return IMP_NO_SOLUTION;
        }
    for (int k = 0; k < s->islands; k++) {
        const imp_null_island *own = &s->island[k];
        double *y = work + own->m; /* Z'c = L'Q_1'x */
        for (int i = 0; i < own->m; i++)
            work[i] = c[own->row[i]] / s->length[own->row[i]];
        for (int j = 0; j < own->rank; j++)
            y[j] = imp_dense_dot(own->Z + imp_null_at(own->m, 0, j), work, own->m);
        if (!solves(s, own, y, c, size, row)) return IMP_NO_SOLUTION;
    }
    *row = -1;
    imp_null_space_solve(s, NULL, c, x, NULL, work);
    return IMP_OK;
}

void imp_null_space_largest(const imp_null_space *s, const double *x, double *most) {
    memset(most, 0, (size_t)s->n * sizeof *most);
    for (int k = 0; k < s->islands; k++) {
        const imp_null_island *own = &s->island[k];
        double largest = 0;
        for (int i = 0; i < own->n; i++)
            largest = fmax(largest, fabs(x[own->coordinate[i]]));
        for (int i = 0; i < own->n; i++)
            most[own->coordinate[i]] = largest;
    }
}
