/* problem.c - validation, energy and the dense form of a contact problem. */
#include "contact/problem.h"

#include "base/exact.h"
#include "base/finite.h"
#include "linear/dense.h"
#include "linear/gram.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The largest 3nc whose eigenvalue test is made on the whole matrix. */
enum { DENSE_CHECK_ROWS = 3000 };

imp_status imp_problem_check_vectors(const imp_problem *problem, int *contact) {
    int ignored;
    if (!contact) contact = &ignored;
    *contact = -1;
    if (!problem || problem->nc < 1 || !problem->W || !problem->W->kind ||
        problem->W->nc != problem->nc || !problem->q || !problem->mu)
        return IMP_BAD_ARGUMENT;
    for (int i = 0; i < problem->nc; i++) {
        *contact = i;
        const double e = problem->e ? problem->e[i] : 0,
                     mu_v = problem->mu_v ? problem->mu_v[i] : 0;
        const double gap = problem->gap ? problem->gap[i] : 0;
        if (!imp_all_finite(problem->q + 3 * (size_t)i, 3) || !isfinite(problem->mu[i]) ||
            !isfinite(e) || !isfinite(mu_v) || !isfinite(gap))
            return IMP_NOT_FINITE;
        if (problem->mu[i] < 0 || mu_v < 0) return IMP_BAD_FRICTION;
        if (e < 0 || e > 1) return IMP_BAD_RESTITUTION;
    }
    *contact = -1;
    return IMP_OK;
}

/* Is the 3 x 3 block positive definite? Its Cholesky pivots, relative to its own diagonal. */
static bool block_positive(const double B[9]) {
    const double l10 = B[3] / B[0], l20 = B[6] / B[0];
    const double d1 = B[4] - l10 * B[1], s21 = B[7] - l20 * B[1];
    const double d2 = B[8] - l20 * B[2] - s21 / d1 * (B[5] - l10 * B[2]);
    return B[0] > 0 && d1 > 0 && d2 > 0;
}

/* Does row i have its diagonal block? */
static bool has_own(const imp_blocks *blocks, int i) {
    int k = blocks->start[i];
    while (k < blocks->start[i + 1] && blocks->column[k] != i)
        k++;
    return k < blocks->start[i + 1];
}

static imp_status check_blocks(const imp_problem *problem, int *contact) {
    const imp_operator *W = problem->W;
    const imp_blocks *stored = imp_operator_stored(W);
    for (int i = 0; i < problem->nc; i++) {
        double B[9];
        *contact = i;
        if (stored && !has_own(stored, i)) return IMP_BAD_ARGUMENT;
        W->kind->block(W, i, i, B);
        if (!imp_all_finite(B, 9)) return IMP_NOT_FINITE;
        for (int r = 0; r < 3 && !W->as_given; r++)
            for (int c = 0; c < r; c++) {
                const double size = sqrt(fabs(B[4 * r])) * sqrt(fabs(B[4 * c]));
                if (fabs(B[3 * r + c] - B[3 * c + r]) > 1e-12 * size) return IMP_NOT_SYMMETRIC;
            }
        if (problem->nc == 1 && !W->as_given && !imp_gram_known(imp_gram_of(W)) &&
            !block_positive(B))
            return IMP_NOT_POSITIVE;
        if (!(B[0] >= 0 && B[4] >= 0 && B[8] >= 0)) return IMP_NOT_POSITIVE;
    }
    return IMP_OK;
}

/* Symmetry and smallest eigenvalue of the whole matrix: W + 1e-10 trace(W) E must have a Cholesky
 * factor. */
static imp_status check_matrix(const imp_problem *problem) {
    const int n = 3 * problem->nc;
    const size_t rows = (size_t)n;
    double *W = malloc(rows * rows * sizeof *W);
    if (!W) return IMP_NO_MEMORY;
    imp_problem_dense(problem, W);
    imp_status status = IMP_OK;
    double trace = 0;
    /* brings the largest entry near 1, so that no factor under- or overflows */
    const int exponent = imp_exponent(imp_largest(W, rows, rows + 1));
    for (size_t i = 0; i < rows && status == IMP_OK; i++)
        for (size_t j = 0; j < i && status == IMP_OK; j++) {
            const double size = sqrt(fabs(W[i * rows + i])) * sqrt(fabs(W[j * rows + j]));
            if (!isfinite(W[i * rows + j]) || !isfinite(W[j * rows + i]))
                status = IMP_NOT_FINITE;
            else if (fabs(W[i * rows + j] - W[j * rows + i]) > 1e-12 * size)
                status = IMP_NOT_SYMMETRIC;
        }
    imp_shift(W, rows * rows, -exponent);
    for (size_t i = 0; i < rows; i++)
        trace += W[i * rows + i];
    for (size_t i = 0; i < rows; i++)
        W[i * rows + i] += 1e-10 * trace + DBL_MIN;
    if (status == IMP_OK && !imp_cholesky(n, W)) status = IMP_NOT_POSITIVE; /* symmetric by now */
    free(W);
    return status;
}

/* Is every block finite? Those of G'G are no larger than the diagonal ones, which have been
 * seen. */
static imp_status check_finite(const imp_operator *W) {
    if (imp_operator_factor(W) && !imp_operator_stored(W)) return IMP_OK;
    int *columns = malloc((size_t)W->nc * sizeof *columns);
    if (!columns) return IMP_NO_MEMORY;
    imp_status status = IMP_OK;
    for (int i = 0; i < W->nc && status == IMP_OK; i++) {
        const int count = W->kind->columns(W, i, columns);
        for (int k = 0; k < count; k++) {
            double B[9];
            W->kind->block(W, i, columns[k], B);
            if (!imp_all_finite(B, 9)) status = IMP_NOT_FINITE;
        }
    }
    free(columns);
    return status;
}

/* What is asked of a matrix too large for its eigenvalues. */
static imp_status check_mirrors(const imp_operator *W) {
    const imp_status status = check_finite(W);
    if (status != IMP_OK) return status;
    const double asymmetry = imp_operator_asymmetry(W);
    return asymmetry <= 1e-12 ? IMP_OK : isnan(asymmetry) ? IMP_NO_MEMORY : IMP_NOT_SYMMETRIC;
}

imp_status imp_problem_check(const imp_problem *problem, int *contact) {
    int ignored;
    if (!contact) contact = &ignored;
    imp_status status = imp_problem_check_vectors(problem, contact);
    if (status == IMP_OK) status = check_blocks(problem, contact);
    if (status != IMP_OK) return status;
    *contact = -1;
    if (problem->W->as_given || imp_operator_factor(problem->W))
        return check_finite(problem->W); /* G'G needs no more */
    if (problem->nc == 1) return IMP_OK;
    return problem->nc <= DENSE_CHECK_ROWS / 3 ? check_matrix(problem) : check_mirrors(problem->W);
}

int imp_problem_overlaps(const imp_problem *problem) {
    for (int i = 0; problem->gap && i < problem->nc; i++)
        if (problem->gap[i] < 0) return 1;
    return 0;
}

double imp_problem_energy(const imp_problem *problem, const double *p) {
    double energy = 0;
    /* out of the sum, so that it overflows only where the energy itself does */
    const int exponent = imp_exponent(imp_largest(p, 3 * (size_t)problem->nc, 1));
    for (int i = 0; i < problem->nc; i++) {
        const double *own = p + 3 * (size_t)i;
        double Wp[3];
        if (own[0] == 0 && own[1] == 0 && own[2] == 0) continue;
        problem->W->kind->row(problem->W, i, -1, p, Wp, NULL);
        for (size_t r = 0; r < 3; r++)
            energy += imp_ldexp(own[r], -exponent) * (0.5 * Wp[r] + problem->q[3 * (size_t)i + r]);
    }
    return imp_ldexp(energy, exponent);
}

void imp_problem_dense(const imp_problem *problem, double *W) {
    imp_operator_write(problem->W, W);
}
