/* maxdiss_batch.c - maximum dissipation for columns of problems: the widest kernel, and imp_maxdiss for what it leaves.
 *
 * The kernels repeat the operations of imp_maxdiss (Preclik, Eibl, Ruede 2017; see maxdiss.c) lane by lane, so that an
 * answer does not show who gave it. */
#include "single/maxdiss_batch.h"

#include "contact/law.h"
#include "single/single.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool machine_has(const imp_maxdiss_kernel *kernel) {
    switch (kernel->lanes) {
#if defined(__x86_64__) || defined(__i386__)
    case 8: return __builtin_cpu_supports("avx512f");
    case 4: return __builtin_cpu_supports("avx2");
#endif
    case 1: return true;
    default: return false;
    }
}

/* The widest kernel of at most that many lanes. */
static const imp_maxdiss_kernel *kernel_of(int most) {
    const imp_maxdiss_kernel *const widest = &imp_maxdiss_kernel_avx512, *const wide = &imp_maxdiss_kernel_avx2;
    if (widest->lanes <= most && machine_has(widest)) return widest;
    if (wide->lanes <= most && machine_has(wide)) return wide;
    return &imp_maxdiss_kernel_plain;
}

int imp_batch_lanes(int most) {
    return kernel_of(most)->lanes;
}

imp_batch_settings imp_batch_settings_default(void) {
    return (imp_batch_settings){.lanes = 0, .threads = 1};
}

/* Problem i by imp_maxdiss, with its certificate. */
static void solve_one(const imp_maxdiss_columns *c, size_t i) {
    double W[6], q[3], p[3], e = c->e ? c->e[i] : 0;
    for (int k = 0; k < 6; k++)
        W[k] = c->W[k][i];
    for (int k = 0; k < 3; k++)
        q[k] = c->q[k][i];
    const imp_status status = imp_maxdiss(W, q, c->mu[i], e, p, NULL);
    c->status[i] = status;
    if (status < 0) return;
    const double full[9] = {W[0], W[1], W[2], W[1], W[3], W[4], W[2], W[4], W[5]};
    const imp_operator dense = imp_operator_dense(1, full);
    const imp_problem problem = {1, &dense, q, &c->mu[i], &e};
    imp_certificate certificate;
    const bool known = imp_certify(&problem, &imp_law_maxdiss, NULL, p, &certificate) == IMP_OK;
    c->residual[i] = known ? certificate.worst : INFINITY;
    for (int k = 0; k < 3; k++)
        c->p[k][i] = p[k];
}

static void solve_whole(const imp_maxdiss_kernel *kernel, const imp_maxdiss_columns *c, size_t first) {
    uint64_t left = kernel->solve(c, first);
    for (size_t i = 0; i < IMP_BATCH_CHUNK; i++)
        c->status[first + i] = IMP_OK;
    for (; left; left &= left - 1)
        solve_one(c, first + (size_t)__builtin_ctzll(left));
}

/* The last problems, fewer than a chunk: in columns of their own, filled up with a separating contact. */
static void solve_rest(const imp_maxdiss_kernel *kernel, const imp_maxdiss_columns *c, size_t first, size_t count) {
    enum { COLUMNS = 15, W = 0, Q = 6, MU = 9, E = 10, P = 11, RESIDUAL = 14 };
    static const double padding[P] = {1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0};
    double room[COLUMNS][IMP_BATCH_CHUNK];
    imp_status status[IMP_BATCH_CHUNK];
    const double *const from[P] = {c->W[0], c->W[1], c->W[2], c->W[3], c->W[4], c->W[5],
                                   c->q[0], c->q[1], c->q[2], c->mu,   c->e};
    double *const to[COLUMNS - P] = {c->p[0], c->p[1], c->p[2], c->residual};
    for (int k = 0; k < P; k++)
        for (size_t i = 0; i < IMP_BATCH_CHUNK; i++)
            room[k][i] = i < count && from[k] ? from[k][first + i] : padding[k];
    const imp_maxdiss_columns padded = {.W = {room[W], room[W + 1], room[W + 2], room[W + 3], room[W + 4], room[W + 5]},
                                        .q = {room[Q], room[Q + 1], room[Q + 2]},
                                        .mu = room[MU],
                                        .e = room[E],
                                        .p = {room[P], room[P + 1], room[P + 2]},
                                        .residual = room[RESIDUAL],
                                        .status = status};
    solve_whole(kernel, &padded, 0);
    for (size_t i = 0; i < count; i++) {
        c->status[first + i] = status[i];
        for (int k = 0; k < COLUMNS - P && status[i] >= 0; k++)
            to[k][first + i] = room[P + k][i];
    }
}

static bool complete(const imp_maxdiss_columns *c) {
    bool good = c && c->mu && c->residual && c->status;
    for (int k = 0; k < 6; k++)
        good = good && c->W[k];
    for (int k = 0; k < 3; k++)
        good = good && c->q[k] && c->p[k];
    return good;
}

imp_status imp_maxdiss_batch(const imp_maxdiss_columns *columns, size_t n, const imp_batch_settings *settings) {
    const imp_batch_settings chosen = settings ? *settings : imp_batch_settings_default();
    const int most = chosen.lanes ? chosen.lanes : 8;
    const imp_maxdiss_kernel *kernel = kernel_of(most);
    if (!complete(columns) || chosen.threads < 1 || chosen.lanes < 0) return IMP_BAD_ARGUMENT;
    if (chosen.lanes && kernel->lanes != chosen.lanes) return IMP_UNSUPPORTED;
    const size_t chunks = n / IMP_BATCH_CHUNK, rest = n % IMP_BATCH_CHUNK;
#ifdef _OPENMP
#pragma omp parallel for num_threads(chosen.threads) if (chosen.threads > 1) schedule(static)
#endif
    for (size_t k = 0; k < chunks; k++)
        solve_whole(kernel, columns, k * IMP_BATCH_CHUNK);
    if (rest) solve_rest(kernel, columns, n - rest, rest);
    return IMP_OK;
}
