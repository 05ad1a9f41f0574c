/* lapack.c - each asks first how much work it wants. */
#include "linear/lapack.h"

#include "base/finite.h"

#include <lapacke.h>
#include <stddef.h>
#include <stdlib.h>

_Static_assert(sizeof(lapack_int) == sizeof(int), "LAPACK's integers are those of C");

static double *room(double best) {
    return malloc(((size_t)best + 1) * sizeof(double));
}

static imp_status ended(double *work, int info) {
    free(work);
    return !work ? IMP_NO_MEMORY : info == 0 ? IMP_OK : IMP_NOT_FINITE;
}

/* What is not finite may keep an iteration going for ever. */
static bool all_finite(int n, const double *A) {
    return imp_all_finite(A, (size_t)n * (size_t)n);
}

imp_status imp_lapack_qr(int n, int m, double *A, int *pivot, double *tau) {
    double best = 0;
    if (!pivot) {
        LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, n, m, A, n, tau, &best, -1);
        double *work = room(best);
        return ended(work,
                     work ? LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, n, m, A, n, tau, work, (int)best)
                          : 0);
    }
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, m, A, n, pivot, tau, &best, -1);
    double *work = room(best);
    return ended(
        work,
        work ? LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, m, A, n, pivot, tau, work, (int)best) : 0);
}

imp_status imp_lapack_q(int n, int m, int k, double *A, const double *tau) {
    double best = 0;
    LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, n, m, k, A, n, tau, &best, -1);
    double *work = room(best);
    return ended(work,
                 work ? LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, n, m, k, A, n, tau, work, (int)best)
                      : 0);
}

imp_status imp_lapack_eigen(bool vectors, int n, double *A, double *value) {
    const char job = vectors ? 'V' : 'N';
    double best = 0;
    if (!all_finite(n, A)) return IMP_NOT_FINITE;
    LAPACKE_dsyev_work(LAPACK_COL_MAJOR, job, 'L', n, A, n, value, &best, -1);
    double *work = room(best);
    return ended(
        work,
        work ? LAPACKE_dsyev_work(LAPACK_COL_MAJOR, job, 'L', n, A, n, value, work, (int)best) : 0);
}

imp_status imp_lapack_least(int n, double *A, double *b, double *value, double least, int *rank) {
    double best = 0;
    int integers = 0;
    if (!all_finite(n, A)) return IMP_NOT_FINITE;
    LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, n, n, 1, A, n, b, n, value, least, rank, &best, -1,
                        &integers);
    double *work = room(best);
    int *own = malloc(((size_t)integers + 1) * sizeof *own);
    if (!own) return ended(work, 0), IMP_NO_MEMORY;
    const int info = work ? LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, n, n, 1, A, n, b, n, value, least,
                                                rank, work, (int)best, own)
                          : 0;
    free(own);
    return ended(work, info);
}

imp_status imp_lapack_singular(int n, double *A, double *value, double *V) {
    double best = 0, none;
    if (!all_finite(n, A)) return IMP_NOT_FINITE;
    LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'A', n, n, A, n, value, &none, 1, V, n, &best, -1);
    double *work = room(best);
    return ended(work, work ? LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'A', n, n, A, n, value,
                                                  &none, 1, V, n, work, (int)best)
                            : 0);
}
