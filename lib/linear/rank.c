/* rank.c - rank and condition of a Delassus operator by pivoted QR. */
#include "linear/rank.h"

#include "base/finite.h"
#include "linear/lapack.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* rank <- how many diagonal entries of R count, condition <- the first of them over the last; W (n
 * x n) is overwritten. The order of rows and columns does not matter: the transpose has the same
 * rank. */
static imp_status find_rank(double *W, imp_operator_facts *found) {
    const size_t rows = (size_t)found->rows;
    int *pivot = calloc(rows, sizeof *pivot);
    double *tau = malloc(rows * sizeof *tau);
    imp_status status = IMP_NO_MEMORY;
    if (pivot && tau) status = imp_lapack_qr(found->rows, found->rows, W, pivot, tau);
    free(pivot);
    free(tau);
    if (status != IMP_OK) return status;
    const double least = found->rows * DBL_EPSILON * fabs(W[0]);
    found->rank = 0;
    for (size_t k = 0; k < rows; k++)
        found->rank += fabs(W[k * rows + k]) > least;
    found->redundancy = 1 - (double)found->rank / found->rows;
    if (found->rank > 0) found->condition = fabs(W[0] / W[(size_t)(found->rank - 1) * (rows + 1)]);
    return IMP_OK;
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
        const imp_status status =
            imp_all_finite(dense, entries) ? find_rank(dense, &found) : IMP_NOT_FINITE;
        free(dense);
        if (status != IMP_OK) return status;
    }
    *facts = found;
    return IMP_OK;
}
