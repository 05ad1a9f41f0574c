/* law.c - certification common to all laws: finite input, one contact at a time, the largest residual kept. */
#include "contact/law.h"

#include <math.h>
#include <string.h>

imp_local imp_local_problem(const imp_problem *problem, const double *p, int i) {
    const imp_operator *W = problem->W;
    imp_local local = {.mu = problem->mu[i], .e = problem->e ? problem->e[i] : 0};
    W->kind->block(W, i, i, local.A);
    W->kind->row(W, i, i, p, local.v, local.size);
    memcpy(local.p, p + 3 * (size_t)i, sizeof local.p);
    for (int r = 0; r < 3; r++) {
        const double q = problem->q[3 * (size_t)i + (size_t)r];
        local.v[r] += q;
        local.size[r] += fabs(q);
        for (int c = 0; c < 3; c++)
            local.size[r] += fabs(local.A[3 * r + c] * local.p[c]);
    }
    if (problem->nc > 1) {
        const double trace = local.A[0] + local.A[4] + local.A[8];
        const double size = fmax(local.size[0], fmax(local.size[1], local.size[2]));
        local.size[0] = local.size[1] = local.size[2] = size;
        local.push = trace > 0 ? 3 * size / trace : 0;
    }
    return local;
}

void imp_certificate_note(imp_certificate *certificate, const char *name, double value, int i) {
    int k = 0;
    while (k < certificate->count && strcmp(certificate->residual[k].name, name) != 0)
        k++;
    if (k == IMP_RESIDUALS) return;
    if (k == certificate->count) certificate->residual[certificate->count++] = (imp_residual){name, 0};
    if (isnan(value)) value = INFINITY;
    certificate->residual[k].value = fmax(certificate->residual[k].value, value);
    if (value > certificate->worst) {
        certificate->worst = value;
        certificate->contact = i;
    }
}

imp_status imp_certify(const imp_problem *problem, const imp_law *law, const void *settings, const double *p,
                       imp_certificate *result) {
    if (!law || !p || !result) return IMP_BAD_ARGUMENT;
    imp_status status = imp_problem_check_vectors(problem, NULL);
    if (status != IMP_OK) return status;
    for (int i = 0; i < problem->nc; i++) {
        const imp_local local = imp_local_problem(problem, p, i);
        for (int r = 0; r < 3; r++)
            if (!isfinite(local.p[r]) || !isfinite(local.size[r])) return IMP_NOT_FINITE;
    }
    imp_certificate certificate = {
        .energy = imp_problem_energy(problem, p), .energy_excess = INFINITY, .velocity_excess = INFINITY};
    status = law->certify(problem, settings, p, &certificate);
    if (status == IMP_OK) *result = certificate;
    return status;
}
