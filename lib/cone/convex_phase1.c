/* convex_phase1.c - phase I (Drumwright, Shell 2010, QP3): which method for which island, and the check of the answer.
 *
 * A_N y is unique, y need not be: wedged contacts have a ray of solutions, and kappa = 1'y would then be arbitrary. The
 * least sum is taken (a linear program over the solutions, see convex_least_sum.c); the paper leaves this open. */
#include "cone/convex_phase1.h"

#include "cone/convex_active.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Is y a solution? Rounding of A y grows with y; where no solution exists y grows without bound and the residual stays.
 */
static bool solved(const convex_island *s, const double *b, const double *y, double *w) {
    double speed = 1, push = 0;
    for (int i = 0; i < s->n; i++) {
        speed = fmax(speed, fabs(b[i]));
        push = fmax(push, y[i]);
    }
    return imp_convex_phase1_residual(s, b, y, w) <= fmin(1e-10 * speed + 1e-13 * push, 1e-8 * speed);
}

/* By the dual active set on the matrix of the normals. */
static imp_status dense(const convex_island *s, const double *b, double *y) {
    const size_t n = (size_t)s->n;
    double *A = malloc((n * n + n) * sizeof *A + imp_convex_active_workspace(s->n)), *w = A + n * n;
    if (!A) return IMP_NO_MEMORY;
    imp_convex_normal_matrix(s, A);
    const imp_status status = imp_convex_active(s->n, A, b, y, w, w + n);
    free(A);
    return status;
}

static imp_status sparse(const convex_island *s, const double *b, double *y) {
    double *w = malloc((size_t)s->n * sizeof *w);
    imp_status status = w ? imp_convex_phase1_large(s, b, y) : IMP_NO_MEMORY;
    if (status == IMP_OK && !solved(s, b, y, w)) status = IMP_NO_SOLUTION;
    free(w);
    return status;
}

imp_status imp_convex_phase1(const convex_island *s, const double *b, double *y) {
    double least = 0;
    memset(y, 0, (size_t)s->n * sizeof *y);
    for (int i = 0; i < s->n; i++)
        least = fmin(least, b[i]);
    if (least >= 0) return IMP_OK;
    imp_status status = s->n <= IMP_CONVEX_DENSE ? dense(s, b, y) : IMP_NOT_CONVERGED;
    if (status == IMP_NOT_CONVERGED) status = sparse(s, b, y);
    if (status == IMP_NO_SOLUTION) memset(y, 0, (size_t)s->n * sizeof *y);
    return status;
}
