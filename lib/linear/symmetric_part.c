/* symmetric_part.c - half of M + M'. */
#include "linear/symmetric_part.h"

#include "linear/triplets.h"

#include <math.h>
#include <stdlib.h>

/* Half of M + M'; its diagonal is there. */
static imp_status half_of_both(const imp_sparse *M, imp_sparse *part) {
    imp_triplets entries = {0};
    for (int j = 0; j < M->columns; j++) {
        imp_triplets_add(&entries, j, j, 0);
        for (int k = M->start[j]; k < M->start[j + 1]; k++) {
            imp_triplets_add(&entries, M->row[k], j, M->value[k] / 2);
            imp_triplets_add(&entries, j, M->row[k], M->value[k] / 2);
        }
    }
    return imp_triplets_end(&entries, M->rows, M->columns, part);
}

/* M_ij and M_ji differ by less than 1e-12 of sqrt(M_ii M_jj): each from its half of both. */
static imp_status check_symmetric(const imp_sparse *M, const imp_sparse *part) {
    double *own = calloc((size_t)M->columns + 1, sizeof *own);
    if (!own) return IMP_NO_MEMORY;
    imp_status status = IMP_OK;
    for (int j = 0; j < M->columns; j++)
        own[j] = sqrt(fabs(part->value[imp_sparse_find(part, j, j)]));
    for (int j = 0; j < M->columns; j++) {
        int k = M->start[j];
        for (int l = part->start[j]; l < part->start[j + 1]; l++) {
            const int i = part->row[l];
            const double value = k < M->start[j + 1] && M->row[k] == i ? M->value[k++] : 0;
            if (!(fabs(value - part->value[l]) <= 0.5e-12 * own[i] * own[j]))
                status = IMP_NOT_SYMMETRIC;
        }
    }
    free(own);
    return status;
}

imp_status imp_sparse_symmetric_part(const imp_sparse *M, imp_sparse *part) {
    imp_status status = half_of_both(M, part);
    if (status == IMP_OK) status = check_symmetric(M, part);
    if (status != IMP_OK) imp_sparse_clear(part);
    return status;
}
