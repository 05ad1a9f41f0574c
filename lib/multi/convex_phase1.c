/* convex_phase1.c - phase I (Drumwright, Shell 2010, QP3) of small islands: Lemke's method on the n-variable LCP.
 *
 * A_N y is unique, y need not be: wedged contacts have a ray of solutions, and kappa = 1'y would then be arbitrary. The
 * least sum is taken (a linear program over the solutions, see convex_least_sum.c); the paper leaves this open. */
#include "multi/convex_phase1.h"

#include "multi/lemke.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 64, PIVOTS_PER_CONTACT = 50 }; /* Lemke's cost grows as n^3; both far beyond what is ever needed */

double imp_convex_phase1_residual(const convex_island *s, const double *b, const double *y, double *w) {
    double worst = 0;
    imp_convex_apply_normal(s, y, w);
    for (int i = 0; i < s->n; i++) {
        w[i] += b[i];
        worst = fmax(worst, fabs(fmin(y[i], w[i])));
    }
    return worst;
}

/* Is y a solution? Rounding of A y grows with y; where no solution exists y grows without bound and the residual stays.
 */
static bool solved(const convex_island *s, const double *b, const double *y, double *w) {
    double speed = 1, push = 0;
    for (int i = 0; i < s->n; i++) {
        speed = fmax(speed, fabs(b[i]));
        push = fmax(push, y[i]);
    }
    return imp_convex_phase1_residual(s, b, y, w) <= 1e-10 * speed + 1e-13 * push;
}

typedef struct normal_matrix {
    size_t n;
    const double *A;
} normal_matrix;

static void column(const void *data, int j, double *m) {
    const normal_matrix *matrix = data;
    memcpy(m, matrix->A + (size_t)j * matrix->n, matrix->n * sizeof *m); /* symmetric */
}

static imp_status pivoting(const convex_island *s, const double *b, double *y) {
    const size_t n = (size_t)s->n;
    const size_t doubles = n * n + n * (n + 5) + n;
    double *A = malloc(doubles * sizeof *A + n * sizeof(int));
    void *work = malloc(imp_lemke_workspace(s->n));
    if (!A || !work) {
        free(A);
        free(work);
        return IMP_NO_MEMORY;
    }
    double *own = A + n * n, *w = own + n * (n + 5);
    imp_convex_normal_matrix(s, A);
    const normal_matrix matrix = {n, A};
    const imp_lcp lcp = {s->n, b, column, &matrix};
    imp_info info = {0};
    imp_status status = imp_lemke(&lcp, PIVOTS_PER_CONTACT * (s->n + 2), y, work, &info);
    if (status == IMP_OK && !solved(s, b, y, w)) status = IMP_NOT_CONVERGED;
    if (status == IMP_OK) imp_convex_least_sum(s->n, A, b, w, y, own, (int *)(void *)(w + n));
    free(A);
    free(work);
    return status;
}

imp_status imp_convex_phase1(const convex_island *s, const double *b, double *y) {
    double least = 0;
    memset(y, 0, (size_t)s->n * sizeof *y);
    for (int i = 0; i < s->n; i++)
        least = fmin(least, b[i]);
    if (least >= 0) return IMP_OK;
    imp_status status = s->n <= SMALL ? pivoting(s, b, y) : IMP_NOT_CONVERGED;
    if (status != IMP_OK && status != IMP_NO_MEMORY) {
        double *w = malloc((size_t)s->n * sizeof *w);
        status = w ? imp_convex_phase1_large(s, b, y) : IMP_NO_MEMORY;
        if (status == IMP_OK && !solved(s, b, y, w)) status = IMP_NO_SOLUTION;
        free(w);
    }
    if (status == IMP_NO_SOLUTION) memset(y, 0, (size_t)s->n * sizeof *y);
    return status;
}
