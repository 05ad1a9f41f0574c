/* fclib_bilateral.c - V'r + R l + s = 0 solved for l: R+ = K K', K = D U / sqrt(e), from the
 * eigenvalues e and vectors U of D R D with ones on its diagonal. */
#include "io/fclib_bilateral.h"

#include "base/rounding.h"
#include "linear/join.h"
#include "linear/lapack.h"
#include "linear/triplets.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* smaller eigenvalues are 0, larger ones are not */
static const double DEPENDENT = 1e-12, INDEPENDENT = 1e-10;
enum { TURNS = 2 }; /* a solution and its correction */

/* The eigenvectors of D R D, column-major: the last `rank` make K. */
typedef struct root {
    int m, rank;
    double *R; /* (m x m) */
    double *e; /* (m) eigenvalues, those that are 0 first */
    double *D; /* (m) */
} root;

static void root_clear(root *k) {
    free(k->R);
    free(k->e);
    free(k->D);
}

/* R written out and scaled; its diagonal where it is 0 stays. */
static imp_status scale(const imp_sparse *R, root *k) {
    const size_t m = (size_t)k->m;
    for (int j = 0; j < k->m; j++)
        for (int i = R->start[j]; i < R->start[j + 1]; i++)
            k->R[(size_t)j * m + (size_t)R->row[i]] = R->value[i];
    for (size_t i = 0; i < m; i++) {
        const double own = k->R[i * m + i];
        if (own < 0) return IMP_NOT_POSITIVE;
        k->D[i] = own > 0 ? 1 / sqrt(own) : 0;
    }
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++) {
            double *entry = &k->R[j * m + i];
            if (*entry != 0 && (k->D[i] == 0 || k->D[j] == 0)) return IMP_NOT_POSITIVE;
            *entry *= k->D[i] * k->D[j];
        }
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < j; i++)
            if (!(fabs(k->R[j * m + i] - k->R[i * m + j]) <= 1e-12)) return IMP_UNSUPPORTED;
    return IMP_OK;
}

/* e and vector (m x *count) <- eigenvalues and eigenvectors of the rows of one set; block (m x m)
 * and row (m) are scratch. */
static imp_status eigen_set(root *k, const int *of, int set, double *block, double *vector,
                            double *e, int *row, int *count) {
    const size_t m = (size_t)k->m;
    size_t n = 0;
    for (size_t i = 0; i < m; i++)
        if (of[i] == set) row[n++] = (int)i;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            block[j * n + i] = k->R[(size_t)row[j] * m + (size_t)row[i]];
    const imp_status status = imp_lapack_eigen(true, (int)n, block, e);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            vector[j * m + (size_t)row[i]] = block[j * n + i];
    *count = (int)n;
    return status;
}

/* e and eigenvectors of R, those of e = 0 first, set by set of rows that R couples: taken together
 * those of one eigenvalue mix what has nothing to do with each other, and rounding of what is fast
 * is all that moves in what is slow. */
static imp_status eigen_apart(root *k) {
    const size_t m = (size_t)k->m;
    double *block = malloc((2 * m * m + m + 1) * sizeof *block), *vector = block + m * m,
           *e = vector + m * m;
    int *of = malloc((2 * m + 1) * sizeof *of), *row = of + m;
    imp_status status = block && of ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK) memset(vector, 0, m * m * sizeof *vector);
    for (size_t i = 0; status == IMP_OK && i < m; i++)
        of[i] = (int)i;
    for (size_t j = 0; status == IMP_OK && j < m; j++)
        for (size_t i = 0; i < m; i++)
            if (k->R[j * m + i] != 0) imp_join(of, (int)i, (int)j);
    for (size_t i = 0; status == IMP_OK && i < m; i++)
        of[i] = imp_join_first(of, (int)i);
    size_t done = 0;
    for (size_t i = 0; status == IMP_OK && i < m; i++) {
        int count = 0;
        if (of[i] != (int)i) continue;
        status = eigen_set(k, of, (int)i, block, vector + done * m, e + done, row, &count);
        done += (size_t)count;
    }
    size_t to = 0;
    for (int independent = 0; status == IMP_OK && independent < 2; independent++)
        for (size_t j = 0; j < m; j++) {
            if ((e[j] > DEPENDENT) != (independent == 1)) continue;
            k->e[to] = e[j];
            memcpy(k->R + to++ * m, vector + j * m, m * sizeof *vector);
        }
    free(block);
    free(of);
    return status;
}

static imp_status root_of(const imp_sparse *R, root *k) {
    const size_t m = (size_t)R->columns;
    *k = (root){.m = R->columns,
                .R = calloc(m * m, sizeof *k->R),
                .e = calloc(m, sizeof *k->e),
                .D = calloc(m, sizeof *k->D)};
    if (!k->R || !k->e || !k->D) return IMP_NO_MEMORY;
    imp_status status = scale(R, k);
    if (status == IMP_OK) status = eigen_apart(k);
    if (status != IMP_OK) return status;
    for (size_t j = 0; j < m; j++) {
        if (k->e[j] < -INDEPENDENT) return IMP_NOT_POSITIVE;
        if (k->e[j] > DEPENDENT && k->e[j] < INDEPENDENT) return IMP_NOT_CERTIFIED;
        k->rank += k->e[j] > DEPENDENT;
    }
    return IMP_OK;
}

/* y (rank) <- K'x. */
static void apply_root(const root *k, const double *x, double *y) {
    const size_t m = (size_t)k->m, first = m - (size_t)k->rank;
    for (size_t j = first; j < m; j++) {
        double sum = 0;
        for (size_t i = 0; i < m; i++)
            sum += k->R[j * m + i] * k->D[i] * x[i];
        y[j - first] = sum / sqrt(k->e[j]);
    }
}

/* Is x (m) something that R l can be, to rounding of numbers of this size in the scale of R? */
static bool reached(const root *k, const double *x, double size) {
    const size_t m = (size_t)k->m;
    for (size_t i = 0; i < m; i++)
        if (k->D[i] == 0 && x[i] != 0) return false;
    for (size_t j = 0; j < m - (size_t)k->rank; j++) {
        double sum = 0;
        for (size_t i = 0; i < m; i++)
            sum += k->R[j * m + i] * k->D[i] * x[i];
        if (!(fabs(sum) <= 1e-9 * size)) return false;
    }
    return true;
}

static bool meets(const root *k, const double *s) {
    double size = 0;
    for (size_t i = 0; i < (size_t)k->m; i++)
        size = fmax(size, fabs(k->D[i] * s[i]));
    return reached(k, s, size);
}

/* sqrt(W_ii), which bounds D_j V_ij where (W V; V' R) is positive semidefinite. */
static double bound_of(const imp_sparse *W, int i) {
    for (int l = W->start[i]; l < W->start[i + 1]; l++)
        if (W->row[l] == i) return sqrt(fmax(0, W->value[l]));
    return 0;
}

/* x (m) <- R+ c; work (2m). What one solution leaves of c is solved for again, so that each row is
 * right beside its own parts where rows almost depend. */
static void solve(const root *k, const imp_sparse *R, const double *c, double *x, double *work) {
    const size_t m = (size_t)k->m, first = m - (size_t)k->rank;
    double *y = work, *left = work + m;
    memset(x, 0, m * sizeof *x);
    for (int turn = 0; turn < TURNS; turn++) {
        for (size_t i = 0; i < m; i++)
            left[i] = -c[i];
        imp_sparse_multiply_transposed(R, x, left); /* R is symmetric */
        apply_root(k, left, y);
        for (size_t j = first; j < m; j++)
            for (size_t i = 0; i < m; i++)
                x[i] -= k->D[i] * k->R[j * m + i] / sqrt(k->e[j]) * y[j - first];
    }
}

/* X (3nc rows of m) <- V R+, row by row, behind it V written out and Y, |R| |X'|; work (2m). */
static imp_status turn(const root *k, const imp_fclib *local, double *X, double *work) {
    const size_t m = (size_t)k->m, n = (size_t)local->V.rows;
    imp_status status = IMP_OK;
    double *V = X + n * m, *Y = V + n * m;
    for (size_t j = 0; j < m; j++)
        for (int l = local->V.start[j]; l < local->V.start[j + 1]; l++)
            V[(size_t)local->V.row[l] * m + j] = local->V.value[l];
    for (size_t i = 0; i < n; i++) {
        if (!reached(k, V + i * m, bound_of(&local->W, (int)i))) status = IMP_NOT_POSITIVE;
        solve(k, &local->R, V + i * m, X + i * m, work);
        for (size_t j = 0; j < m; j++)
            for (int l = local->R.start[j]; l < local->R.start[j + 1]; l++)
                Y[i * m + j] += fabs(local->R.value[l] * X[i * m + (size_t)local->R.row[l]]);
    }
    return status;
}

/* W_ij less what constraints take of it, 0 where that is within rounding of its parts, and of what
 * R itself, whose numbers are rounded, makes of them. */
static double left_of(double W, size_t n, size_t m, const double *X, size_t i, size_t j) {
    const double *V = X + n * m, *Y = V + n * m;
    double taken = 0, size = fabs(W);
    for (size_t l = 0; l < m; l++) {
        const double one = V[i * m + l] * X[j * m + l], other = V[j * m + l] * X[i * m + l];
        taken += 0.5 * (one + other); /* the same both ways, where W is */
        size += fmax(fabs(one), fabs(other)) + fabs(X[i * m + l]) * Y[j * m + l];
    }
    return fabs(W - taken) > (double)(m + 1) * DBL_EPSILON * size ? W - taken : 0;
}

/* *reduced <- W - V X', without rounding: where that is all that is left on the diagonal it is in
 * the row and in the column. */
static imp_status subtract(const imp_sparse *W, const double *X, size_t m, imp_sparse *reduced) {
    const size_t n = (size_t)W->rows;
    double *dense = calloc(n * n, sizeof *dense), *own = malloc(n * sizeof *own);
    imp_triplets entries = {.lacked = !dense || !own};
    for (size_t j = 0; !entries.lacked && j < n; j++) {
        for (int l = W->start[j]; l < W->start[j + 1]; l++)
            dense[j * n + (size_t)W->row[l]] = W->value[l];
        own[j] = left_of(dense[j * n + j], n, m, X, j, j);
    }
    for (size_t j = 0; !entries.lacked && j < n; j++)
        for (size_t i = 0; i < n && own[j] != 0; i++) {
            const double value = own[i] != 0 ? left_of(dense[j * n + i], n, m, X, i, j) : 0;
            if (value != 0) imp_triplets_add(&entries, (int)i, (int)j, value);
        }
    free(dense);
    free(own);
    return imp_triplets_end(&entries, W->rows, W->rows, reduced);
}

/* q (3nc) -= X s, 0 where that is rounding of what there is at its contact. What no impulse changes
 * is what the constraints say it is, but for what these may contradict each other by. */
static void take_off(const imp_sparse *W, const double *X, size_t m, const double *s, double *q) {
    for (size_t first = 0; first < (size_t)W->rows; first += 3) {
        double size = 0;
        for (size_t i = first; i < first + 3; i++) {
            size += fabs(q[i]);
            for (size_t l = 0; l < m; l++) {
                const double part = X[i * m + l] * s[l];
                q[i] -= part;
                size += fabs(part);
            }
        }
        for (size_t i = first; i < first + 3; i++) {
            const double share = bound_of(W, (int)i) == 0 ? DEPENDENT : IMP_CANCELLED;
            if (isfinite(size) && fabs(q[i]) <= share * size) q[i] = 0;
        }
    }
}

imp_status imp_fclib_eliminate(const imp_fclib *local, imp_sparse *W, double *q) {
    const size_t n = (size_t)local->V.rows, m = (size_t)local->bilateral;
    root k;
    double *X = calloc(3 * n * m + 2 * m + 1, sizeof *X), *work = X + 3 * n * m;
    *W = (imp_sparse){0};
    imp_status status = root_of(&local->R, &k);
    if (!X) status = IMP_NO_MEMORY;
    if (status == IMP_OK && !meets(&k, local->s)) status = IMP_NO_SOLUTION;
    if (status == IMP_OK) status = turn(&k, local, X, work);
    if (status == IMP_OK) status = subtract(&local->W, X, m, W);
    if (status == IMP_OK) take_off(W, X, m, local->s, q);
    free(X);
    root_clear(&k);
    return status;
}

/* made (bilateral) <- how large the numbers are that make G'v of a global file, v = M^-1 (f + H r +
 * G l), from which its local form is computed; 0 of a local one. */
static imp_status sizes_of(const imp_fclib *file, const double *r, const double *l, double *made) {
    const size_t n = (size_t)file->dof;
    double *v = calloc(3 * n + 1, sizeof *v);
    imp_status status = v ? IMP_OK : IMP_NO_MEMORY;
    memset(made, 0, (size_t)file->bilateral * sizeof *made);
    if (n > 0 && v) {
        memcpy(v, file->f, n * sizeof *v);
        imp_sparse_multiply(&file->H, r, v + n);
        imp_sparse_multiply(&file->G, l, v + 2 * n);
    }
    for (size_t part = 0; n > 0 && part < 3 && status == IMP_OK; part++) {
        status = imp_sparse_solve(&file->M, v + part * n);
        if (status == IMP_OK) imp_fclib_add_sizes(&file->G, v + part * n, made);
    }
    free(v);
    return status;
}

/* sum, size (bilateral) <- V'r + R l + s and its absolute parts, of l those of `follows`: where
 * constraints are redundant l may be as large as one likes. */
static void add_up(const imp_fclib *local, const double *r, const double *l, const double *follows,
                   double *sum, double *size) {
    for (int j = 0; j < local->bilateral; j++) {
        sum[j] = local->s[j], size[j] = fabs(local->s[j]);
        for (int k = local->V.start[j]; k < local->V.start[j + 1]; k++) {
            sum[j] += local->V.value[k] * r[local->V.row[k]];
            size[j] += fabs(local->V.value[k] * r[local->V.row[k]]);
        }
        for (int k = local->R.start[j]; k < local->R.start[j + 1]; k++) { /* R is symmetric */
            sum[j] += local->R.value[k] * l[local->R.row[k]];
            size[j] += fabs(local->R.value[k] * follows[local->R.row[k]]);
        }
    }
}

/* What the velocity of a row of W or R is measured by, whatever its units: the root of its own
 * entry. */
static double measure_of(const imp_sparse *R, int j) {
    for (int k = R->start[j]; k < R->start[j + 1]; k++)
        if (R->row[k] == j && R->value[k] > 0) return sqrt(R->value[k]);
    return 0;
}

/* The largest of |sum| over its size, but for what is rounding of the numbers `made`, and for rows
 * all of which is rounding beside others, of constraints or contacts; INFINITY where they are no
 * numbers. */
static double missed(const imp_fclib *local, const double *made, const double *r, const double *sum,
                     const double *size) {
    double worst = 0, largest = 0;
    for (int i = 0; i < 3 * local->nc; i++) {
        const double by = measure_of(&local->W, i);
        if (by > 0) largest = fmax(largest, fmax(fabs(local->q[i]) / by, by * fabs(r[i])));
    }
    for (int j = 0; j < local->bilateral; j++) {
        const double by = measure_of(&local->R, j);
        if (!isfinite(sum[j]) || !isfinite(size[j]) || !isfinite(made[j])) return INFINITY;
        if (by > 0) largest = fmax(largest, size[j] / by);
    }
    for (int j = 0; j < local->bilateral; j++) {
        const double miss = fabs(sum[j]), least = largest * measure_of(&local->R, j);
        if (miss <= IMP_CANCELLED * made[j]) continue;
        if (fmax(miss, size[j]) > IMP_CANCELLED * least) worst = fmax(worst, miss / size[j]);
    }
    return worst;
}

/* By R+. */
static imp_status constrain_local(const imp_fclib *local, const double *r, double *l) {
    const size_t m = (size_t)local->bilateral;
    root k;
    double *c = calloc(3 * m + 1, sizeof *c);
    imp_status status = root_of(&local->R, &k);
    if (!c) status = IMP_NO_MEMORY;
    if (status == IMP_OK) {
        memcpy(c, local->s, m * sizeof *c);
        imp_sparse_multiply_transposed(&local->V, r, c);
        solve(&k, &local->R, c, l, c + m);
        for (size_t i = 0; i < m; i++)
            l[i] = -l[i];
    }
    free(c);
    root_clear(&k);
    return status;
}

/* Of l, by what follows from r in its place. */
static imp_status judge(const imp_fclib *file, const imp_fclib *local, const double *r,
                        const double *l, const double *follows, double *error) {
    const size_t m = (size_t)file->bilateral;
    double *made = malloc((3 * m + 1) * sizeof *made);
    const imp_status status = made ? sizes_of(file, r, follows, made) : IMP_NO_MEMORY;
    if (status == IMP_OK) {
        double *sum = made + m, *size = sum + m;
        add_up(local, r, l, follows, sum, size);
        *error = missed(local, made, r, sum, size);
    }
    free(made);
    return status;
}

imp_status imp_fclib_constrain(const imp_fclib *file, const imp_fclib *local, const double *r,
                               double *l, double *v, double *error) {
    imp_status status = imp_fclib_hold(file, r, l, v);
    if (status == IMP_UNSUPPORTED) {
        status = constrain_local(local, r, l);
        if (v && status == IMP_OK) status = imp_fclib_velocity(file, r, l, v);
    }
    if (status == IMP_OK) status = judge(file, local, r, l, l, error);
    if (status != IMP_OK) return status;
    return isfinite(*error) ? IMP_OK : IMP_OVERFLOW;
}

imp_status imp_fclib_judge(const imp_fclib *problem, const double *r, const double *l,
                           double *error) {
    imp_fclib local;
    imp_status status = imp_fclib_local(problem, &local);
    if (status != IMP_OK) return status;
    double *follows = calloc((size_t)local.bilateral + 1, sizeof *follows), ignored;
    status =
        follows ? imp_fclib_constrain(problem, &local, r, follows, NULL, &ignored) : IMP_NO_MEMORY;
    if (status != IMP_NO_MEMORY) /* where none follow it is judged by its own */
        status = judge(problem, &local, r, l, status == IMP_OK ? follows : l, error);
    free(follows);
    imp_fclib_clear(&local);
    return status;
}
