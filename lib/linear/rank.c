/* rank.c - rank and condition of a Delassus operator by pivoted QR. */
#include "linear/rank.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

/* How many diagonal entries of R count, and the first of them over the last; W (n x n) is
 * overwritten. -1 without memory. The order of rows and columns does not matter: the transpose has
 * the same rank. */
static int rank_of(double *W, int n, double *condition) {
    const size_t rows = (size_t)n;
    double best;
    int rank = -1;
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, n, W, n, NULL, NULL, &best, -1);
    const size_t room = (size_t)best;
    lapack_int *pivot = calloc(rows, sizeof *pivot);
    double *tau = malloc((rows + room) * sizeof *tau);
    if (pivot && tau) {
        rank = 0;
        LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, n, W, n, pivot, tau, tau + rows, (lapack_int)room);
        const double least = n * DBL_EPSILON * fabs(W[0]);
        for (size_t k = 0; k < rows; k++)
            rank += fabs(W[k * rows + k]) > least;
        *condition = rank > 0 ? fabs(W[0] / W[(size_t)(rank - 1) * (rows + 1)]) : NAN;
    }
    free(pivot);
    free(tau);
    return rank;
}

imp_status imp_operator_facts_of(const imp_operator *W, imp_operator_facts *facts) {
    if (W->nc < 1) return IMP_BAD_ARGUMENT;
    imp_operator_facts found = {.rows = 3 * W->nc,
                                .rank = -1,
                                .redundancy = NAN,
                                .condition = NAN,
                                .asymmetry = imp_operator_asymmetry(W)};
    if (isnan(found.asymmetry)) return IMP_NO_MEMORY;
    if (W->nc <= IMP_RANK_MOST) {
        const size_t entries = (size_t)found.rows * (size_t)found.rows;
        double *dense = malloc(entries * sizeof *dense);
        if (!dense) return IMP_NO_MEMORY;
        imp_operator_write(W, dense);
        imp_status status = IMP_OK;
        for (size_t k = 0; k < entries; k++)
            if (!isfinite(dense[k])) status = IMP_NOT_FINITE;
        if (status == IMP_OK) found.rank = rank_of(dense, found.rows, &found.condition);
        free(dense);
        if (status != IMP_OK) return status;
        if (found.rank < 0) return IMP_NO_MEMORY;
        found.redundancy = 1 - (double)found.rank / found.rows;
    }
    *facts = found;
    return IMP_OK;
}
