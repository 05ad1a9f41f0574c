/* batch.c - columns of problems through the widest kernel of a method, and one by one what the
 * kernel leaves. */
#include "single/batch_kernel.h"

#include "base/machine.h"

#include <math.h>

const imp_batch_kernel *imp_batch_kernel_of(const imp_batch_method *method, int most) {
    const imp_batch_kernel *const kernel[2] = {method->avx512, method->avx2};
    for (int i = 0; i < 2; i++)
        if (kernel[i]->lanes <= most && imp_machine_has(kernel[i]->lanes)) return kernel[i];
    return method->plain;
}

imp_batch_settings imp_batch_settings_default(void) {
    return (imp_batch_settings){.lanes = 0, .threads = 1};
}

/* How many impulses a problem has columns for; the first is there even where no solution is
 * representable. */
static int solutions_of(const imp_batch_columns *c, const imp_coulomb_brief *found) {
    return c->all && found->count > 1 ? found->count : 1;
}

/* Problem i by the method for one, its solutions with their certificates. */
static void solve_one(const imp_batch_method *method, int variant, const imp_batch_columns *c,
                      size_t i) {
    double W[6], q[3], e = c->e ? c->e[i] : 0;
    for (int k = 0; k < 6; k++)
        W[k] = c->W[k][i];
    for (int k = 0; k < 3; k++)
        q[k] = c->q[k][i];
    imp_batch_answer answer = {0};
    const imp_status status = method->solve_one(W, q, c->mu[i], e, variant, &answer);
    c->status[i] = status;
    if (status < 0) return;
    const double full[9] = {W[0], W[1], W[2], W[1], W[3], W[4], W[2], W[4], W[5]};
    const imp_operator dense = imp_operator_dense(1, full);
    const imp_problem problem = {.nc = 1, .W = &dense, .q = q, .mu = &c->mu[i], .e = &e};
    const int wanted = solutions_of(c, &answer.brief);
    if (c->all) c->all->brief[i] = answer.brief;
    for (int s = 0; s < wanted; s++) {
        double *const *p = s ? c->all->p[s - 1] : c->p,
                      *residual = s ? c->all->residual[s - 1] : c->residual;
        imp_certificate certificate;
        const bool known = imp_certify_along(&problem, method->laws[variant], NULL, answer.p[s],
                                             NULL, &certificate) == IMP_OK;
        residual[i] = known ? certificate.worst : INFINITY;
        for (int k = 0; k < 3; k++)
            p[k][i] = answer.p[s][k];
    }
}

typedef struct batch_plan {
    const imp_batch_method *method;
    const imp_batch_kernel *kernel;
    int variant;
} batch_plan;

/* The `count` problems from `first` on, of a chunk that is whole. */
static void solve_chunk(const batch_plan *r, const imp_batch_columns *c, size_t first,
                        size_t count) {
    uint64_t left[IMP_BATCH_WORDS] = {0};
    r->kernel->solve(c, first, r->variant, left);
    for (size_t i = 0; i < count; i++) {
        c->status[first + i] = IMP_OK;
        if (left[i / 64] >> i % 64 & 1) solve_one(r->method, r->variant, c, first + i);
    }
}

/* All columns that hold doubles, the inputs first. */
enum {
    INPUTS = 11,
    OUTPUTS = 4,
    MORE = 4 * (IMP_COULOMB_MOST - 1),
    COLUMNS = INPUTS + OUTPUTS + MORE
};

/* The last problems, fewer than a chunk: in columns of their own, filled up with a separating
 * contact. */
static void solve_rest(const batch_plan *r, const imp_batch_columns *c, size_t first,
                       size_t count) {
    static const double padding[INPUTS] = {1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0};
    double room[COLUMNS][IMP_BATCH_MOST], (*const more)[IMP_BATCH_MOST] = room + INPUTS + OUTPUTS;
    imp_status status[IMP_BATCH_MOST];
    imp_coulomb_brief brief[IMP_BATCH_MOST];
    const imp_coulomb_columns all = {
        brief, {{more[0], more[1], more[2]}, {more[4], more[5], more[6]}}, {more[3], more[7]}};
    const imp_batch_columns padded = {.W = {room[0], room[1], room[2], room[3], room[4], room[5]},
                                      .q = {room[6], room[7], room[8]},
                                      .mu = room[9],
                                      .e = room[10],
                                      .p = {room[11], room[12], room[13]},
                                      .residual = room[14],
                                      .status = status,
                                      .all = c->all ? &all : NULL};
    const double *const from[INPUTS] = {c->W[0], c->W[1], c->W[2], c->W[3], c->W[4], c->W[5],
                                        c->q[0], c->q[1], c->q[2], c->mu,   c->e};
    for (int k = 0; k < INPUTS; k++)
        for (size_t i = 0; i < r->method->chunk; i++)
            room[k][i] = i < count && from[k] ? from[k][first + i] : padding[k];
    solve_chunk(r, &padded, 0, count);
    for (size_t i = 0; i < count; i++) {
        c->status[first + i] = status[i];
        if (status[i] < 0) continue;
        if (c->all) c->all->brief[first + i] = brief[i];
        for (int s = 0; s < solutions_of(c, &brief[i]); s++) {
            double *const *p = s ? c->all->p[s - 1] : c->p,
                          *residual = s ? c->all->residual[s - 1] : c->residual;
            for (int k = 0; k < 3; k++)
                p[k][first + i] = room[INPUTS + 4 * s + k][i];
            residual[first + i] = room[INPUTS + 4 * s + 3][i];
        }
    }
}

static bool complete(const imp_batch_columns *c) {
    bool good = c && c->mu && c->residual && c->status;
    for (int k = 0; good && k < 6; k++)
        good = c->W[k];
    for (int k = 0; good && k < 3; k++)
        good = c->q[k] && c->p[k];
    if (!good || !c->all) return good;
    good = c->all->brief;
    for (int s = 0; good && s < IMP_COULOMB_MOST - 1; s++)
        good = c->all->residual[s] && c->all->p[s][0] && c->all->p[s][1] && c->all->p[s][2];
    return good;
}

imp_status imp_batch_run(const imp_batch_method *method, int variant,
                         const imp_batch_columns *columns, size_t n,
                         const imp_batch_settings *settings) {
    const imp_batch_settings chosen = settings ? *settings : imp_batch_settings_default();
    const batch_plan r = {method, imp_batch_kernel_of(method, chosen.lanes ? chosen.lanes : 8),
                          variant};
    if (!complete(columns) || (columns->all && !method->enumerates) || chosen.threads < 1 ||
        chosen.threads > IMP_THREADS_MOST || chosen.lanes < 0)
        return IMP_BAD_ARGUMENT;
    if (chosen.lanes && r.kernel->lanes != chosen.lanes) return IMP_UNSUPPORTED;
    const size_t chunks = n / method->chunk, rest = n % method->chunk;
#ifdef _OPENMP
#pragma omp parallel for num_threads(chosen.threads) if (chosen.threads > 1) schedule(static)
#endif
    for (size_t k = 0; k < chunks; k++)
        solve_chunk(&r, columns, k * method->chunk, method->chunk);
    if (rest) solve_rest(&r, columns, n - rest, rest);
    return IMP_OK;
}
