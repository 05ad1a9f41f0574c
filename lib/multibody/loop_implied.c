/* loop_implied.c - which rows of loops the others imply: those that come last where each next row
 * is the one that is most independent of those before (QR with column pivoting, LAPACK dgeqp3). */
#include "linear/lapack.h"
#include "multibody/loop_internal.h"
#include "multibody/tree_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x (nv) <- a row as C' has it, of unit length. False: it is none. */
static bool unit_row(const imp_loops *s, int row, double *x) {
    const size_t nv = (size_t)s->tree->nv;
    double square = 0;
    memcpy(x, s->G + (size_t)row * nv, nv * sizeof *x);
    imp_tree_solve_half(s->tree, 1, 0, x);
    for (size_t k = 0; k < nv; k++)
        square += x[k] * x[k];
    for (size_t k = 0; k < nv && square > 0; k++)
        x[k] /= sqrt(square);
    return square > 0;
}

imp_status imp_loops_imply(imp_loops *s, bool implied) {
    const int nv = s->tree->nv, rows = s->rows;
    memset(s->implied, 0, (size_t)rows * sizeof *s->implied);
    if (!implied || imp_loops_rank(s) == rows) return IMP_OK;
    double *A = malloc(((size_t)nv * (size_t)rows + 1) * sizeof *A);
    double *tau = malloc(((size_t)rows + 1) * sizeof *tau);
    int *pivot = calloc((size_t)rows + 1, sizeof *pivot), kept = 0;
    imp_status status = A && tau && pivot ? IMP_OK : IMP_NO_MEMORY;
    for (int row = 0; status == IMP_OK && row < rows; row++)
        kept += unit_row(s, row, A + (size_t)row * (size_t)nv);
    if (status == IMP_OK) status = imp_lapack_qr(nv, rows, A, pivot, tau);
    /* rows that are nothing come last of all */
    for (int k = imp_loops_rank(s); status == IMP_OK && k < kept; k++)
        s->implied[pivot[k] - 1] = true;
    free(A);
    free(tau);
    free(pivot);
    return status;
}
