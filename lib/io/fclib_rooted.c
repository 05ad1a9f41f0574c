/* fclib_rooted.c - constraints of a global file over its bodies, in velocities in which masses are
 * 1: as joints of bodies (contact/bilateral.h). */
#include "io/fclib_bilateral.h"
#include "linear/triplets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* *rooted <- L^-1 A of the columns `first` on, as many as `columns`, of what was factored. */
static imp_status columns_of(const imp_factored *f, int first, int columns, imp_sparse *rooted) {
    imp_triplets entries = {0};
    for (int j = 0; j < columns; j++)
        for (int k = f->start[(first + j) / 3]; k < f->start[(first + j) / 3 + 1]; k++) {
            const double value = f->G[3 * (size_t)k + (size_t)((first + j) % 3)];
            if (value != 0) imp_triplets_add(&entries, f->row[k], j, value);
        }
    return imp_triplets_end(&entries, f->rows, columns, rooted);
}

/* *H and *C <- L^-1 H and L^-1 G of M = LL'. Statuses of imp_factored_new. */
static imp_status root_both(const imp_fclib *file, imp_sparse *H, imp_sparse *C) {
    imp_triplets entries = {0};
    imp_sparse both = {0};
    imp_factored *rooted = NULL;
    const int n = 3 * file->nc, m = file->bilateral;
    for (int j = 0; j < n + m; j++) {
        const imp_sparse *from = j < n ? &file->H : &file->G;
        const int column = j < n ? j : j - n;
        for (int k = from->start[column]; k < from->start[column + 1]; k++)
            imp_triplets_add(&entries, from->row[k], j, from->value[k]);
    }
    /* as if constraints were contacts: three columns each */
    imp_status status = imp_triplets_end(&entries, file->dof, n + 3 * ((m + 2) / 3), &both);
    if (status == IMP_OK) status = imp_factored_new(&file->M, &both, &rooted);
    if (status == IMP_OK) status = columns_of(rooted, 0, n, H);
    if (status == IMP_OK) status = columns_of(rooted, n, m, C);
    imp_factored_free(rooted);
    imp_sparse_clear(&both);
    return status;
}

void imp_fclib_rooted_clear(imp_fclib_rooted *it) {
    imp_sparse_clear(&it->H);
    imp_sparse_clear(&it->C);
    imp_null_space_free(it->space);
}

imp_status imp_fclib_rooted_of(const imp_fclib *file, imp_fclib_rooted *it) {
    int row;
    *it = (imp_fclib_rooted){0};
    imp_status status = file->dof > 0 ? root_both(file, &it->H, &it->C) : IMP_UNSUPPORTED;
    return status == IMP_OK ? imp_null_space_new(&it->C, &it->space, &row) : status;
}

/* v (dof) <- M^-1 f + L'^-1 x, by the columns of L^-1. */
static imp_status move(const imp_fclib *file, const double *x, double *v) {
    const int n = file->dof;
    imp_triplets entries = {0};
    imp_sparse one = {0}, inverse = {0};
    imp_factored *rooted = NULL;
    for (int i = 0; i < n; i++)
        imp_triplets_add(&entries, i, i, 1);
    imp_status status = imp_triplets_end(&entries, n, 3 * ((n + 2) / 3), &one);
    if (status == IMP_OK) status = imp_factored_new(&file->M, &one, &rooted);
    if (status == IMP_OK) status = columns_of(rooted, 0, n, &inverse);
    if (status == IMP_OK) {
        memcpy(v, file->f, (size_t)n * sizeof *v);
        status = imp_sparse_solve(&file->M, v);
    }
    if (status == IMP_OK) imp_sparse_multiply_transposed(&inverse, x, v);
    imp_factored_free(rooted);
    imp_sparse_clear(&one);
    imp_sparse_clear(&inverse);
    return status;
}

imp_status imp_fclib_hold(const imp_fclib *file, const double *r, double *l, double *v) {
    const size_t n = (size_t)file->dof, m = (size_t)file->bilateral;
    double *x = calloc(5 * n + 6 * m + 1, sizeof *x), *c = x + n;
    imp_fclib_rooted it;
    imp_status status = imp_fclib_rooted_of(file, &it);
    if (!x) status = IMP_NO_MEMORY;
    if (status == IMP_OK) status = imp_fclib_missed_rows(file, c, c + m);
    if (status == IMP_OK) {
        imp_sparse_multiply(&it.H, r, x);
        imp_null_space_solve(it.space, x, c, x, l, c + 2 * m);
        if (v) status = move(file, x, v);
    }
    imp_fclib_rooted_clear(&it);
    free(x);
    return status;
}
