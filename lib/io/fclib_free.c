/* fclib_free.c - velocities of a global FCLIB file before the impact, v = M^-1 f, at its contacts
 * and along its constraints; and after it. */
#include "io/fclib_bilateral.h"

#include "base/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void imp_fclib_add_sizes(const imp_sparse *A, const double *y, double *x) {
    for (int i = 0; i < A->columns; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++)
            x[i] += fabs(A->value[k] * y[A->row[k]]);
}

/* x (columns) <- A'v + x, and size the sums of its absolute parts. */
static imp_status add_free(const imp_fclib *file, const imp_sparse *A, double *x, double *size) {
    double *v = malloc(((size_t)file->dof + 1) * sizeof *v);
    if (!v) return IMP_NO_MEMORY;
    memcpy(v, file->f, (size_t)file->dof * sizeof *v);
    const imp_status status = imp_sparse_solve(&file->M, v);
    for (int i = 0; i < A->columns; i++)
        size[i] = fabs(x[i]);
    if (status == IMP_OK) imp_fclib_add_sizes(A, v, size);
    if (status == IMP_OK) imp_sparse_multiply_transposed(A, v, x);
    free(v);
    return status;
}

imp_status imp_fclib_free_parts(const imp_fclib *file, double *q, double *size) {
    memcpy(q, file->w, 3 * (size_t)file->nc * sizeof *q);
    return add_free(file, &file->H, q, size);
}

bool imp_fclib_cancels(const double *q, const double *size, int i, double share) {
    const double *of = size + i - i % 3, all = of[0] + of[1] + of[2];
    return isfinite(all) && fabs(q[i]) <= share * all;
}

imp_status imp_fclib_free_velocity(const imp_fclib *file, double *q) {
    double *size = malloc((3 * (size_t)file->nc + 1) * sizeof *size);
    const imp_status status = size ? imp_fclib_free_parts(file, q, size) : IMP_NO_MEMORY;
    for (int i = 0; status == IMP_OK && i < 3 * file->nc; i++)
        if (imp_fclib_cancels(q, size, i, IMP_CANCELLED)) q[i] = 0;
    free(size);
    return status;
}

imp_status imp_fclib_velocity(const imp_fclib *file, const double *r, const double *l, double *v) {
    memcpy(v, file->f, (size_t)file->dof * sizeof *v);
    imp_sparse_multiply(&file->H, r, v);
    if (l) imp_sparse_multiply(&file->G, l, v);
    return imp_sparse_solve(&file->M, v);
}

imp_status imp_fclib_missed_rows(const imp_fclib *file, double *c, double *size) {
    memcpy(c, file->b, (size_t)file->bilateral * sizeof *c);
    const imp_status status = add_free(file, &file->G, c, size);
    for (int j = 0; j < file->bilateral; j++)
        c[j] = -c[j];
    return status;
}
