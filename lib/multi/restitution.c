/* restitution.c - the three phases, and the law they keep. */
#include "multi/restitution.h"

#include "multi/blockwise.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool bounces(const imp_problem *problem) {
    for (int i = 0; problem->e && i < problem->nc; i++)
        if (problem->e[i] > 0) return true;
    return false;
}

static double dot(const double *x, const double *y, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* The theta of the header for b->p = p1 and d (3nc). u and p of b are left at p1 + d. */
static double share(blockwise *b, const double *d) {
    const size_t n = 3 * (size_t)b->nc;
    const double spent = fmin(0, 0.5 * (dot(b->p, b->u, n) + dot(b->p, b->q, n))), slope = fmin(0, dot(d, b->u, n));
    double curvature = -dot(d, b->u, n);
    for (size_t i = 0; i < n; i++)
        b->p[i] += d[i];
    imp_blockwise_refresh(b);
    curvature = fmax(0, curvature + dot(d, b->u, n));
    const double gain = spent + slope + 0.5 * curvature;
    if (gain <= 16 * DBL_EPSILON * (0.5 * curvature - slope - spent)) return 1;
    return fmin(1, (sqrt(slope * slope - 2 * curvature * spent) - slope) / curvature);
}

/* Frictions of least energy inside their discs of radius mu_i d_n around p1's, by sweeps that start from b->p. */
static void slide(blockwise *b, const double *p1, const double *d, double tolerance) {
    enum { MOST = 1000 };
    double change = INFINITY;
    for (int k = 0; k < MOST && change > tolerance * b->q_norm; k++) {
        change = 0;
        for (int i = 0; i < b->nc; i++) {
            const contact_block *c = &b->contact[i];
            double room[3];
            const double *p = b->p + 3 * (size_t)i, *u = imp_blockwise_velocity(b, i, room),
                         *first = p1 + 3 * (size_t)i;
            const double t[2] = {p[1] - first[1], p[2] - first[2]}, radius = c->mu * d[3 * (size_t)i];
            if (!(radius > 0)) continue;
            const double v[2] = {u[1] - c->A[4] * t[0] - c->A[5] * t[1], u[2] - c->A[7] * t[0] - c->A[8] * t[1]};
            double best[2];
            imp_blockwise_disc(c, v, radius, best);
            const double next[3] = {p[0], first[1] + best[0], first[2] + best[1]};
            change = fmax(change, c->weight * hypot(best[0] - t[0], best[1] - t[1]));
            imp_blockwise_change(b, i, next);
        }
    }
}

/* p (3nc) <- p1 and the expansion. False without memory. */
static bool expand(const imp_problem *problem, double tolerance, double *p) {
    const size_t n = 3 * (size_t)problem->nc;
    blockwise *b = imp_blockwise_new(problem, false);
    double *p1 = malloc(2 * n * sizeof *p1);
    const bool good = b && p1;
    if (good) {
        double *d = p1 + n;
        imp_blockwise_set(b, p);
        memcpy(p1, b->p, n * sizeof *p1);
        for (size_t i = 0; i < n; i++)
            d[i] = problem->e[i / 3] * p1[i];
        const double theta = share(b, d);
        for (size_t i = 0; i < n; i++) {
            d[i] *= theta;
            b->p[i] = p1[i] + d[i];
        }
        imp_blockwise_refresh(b);
        slide(b, p1, d, tolerance);
        imp_blockwise_get(b, b->p, p);
    }
    free(p1);
    imp_blockwise_free(b);
    return good;
}

static imp_status worse(imp_status a, imp_status b) {
    return a < 0 || b == IMP_OK ? a : b;
}

imp_status imp_restitution(const imp_problem *problem, const imp_blocks_settings *settings, imp_inelastic inelastic,
                           double *p, imp_info *info) {
    if (!bounces(problem)) return inelastic(problem, settings, p, info);
    const size_t n = 3 * (size_t)problem->nc;
    imp_problem plain = *problem;
    imp_blocks_settings from_rest = *settings;
    imp_info second = {0};
    double *sum = malloc(3 * n * sizeof *sum);
    if (!sum) return IMP_NO_MEMORY;
    double *p2 = sum + n, *reached = p2 + n;
    plain.e = NULL;
    from_rest.start = 0;
    memcpy(sum, p, n * sizeof *sum); /* it may hold a guess */
    imp_status status = inelastic(&plain, settings, sum, info);
    if (status >= 0 && !expand(problem, settings->tolerance, sum)) status = IMP_NO_MEMORY;
    if (status >= 0) {
        imp_operator_apply(problem->W, sum, problem->q, reached);
        plain.q = reached;
        status = worse(status, inelastic(&plain, &from_rest, p2, &second));
    }
    if (status >= 0) {
        for (size_t i = 0; i < n; i++)
            p[i] = sum[i] + p2[i];
        info->iterations += second.iterations;
        info->residual = fmax(info->residual, second.residual);
    }
    free(sum);
    return status;
}

/* No approach, push, cone: relative as in the other laws; the energy to the terms it is summed from. */
static void certify_bounce(const imp_problem *problem, const double *p, imp_certificate *result) {
    double stake = 0;
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        const double u = c.A[0] * c.p[0] + c.A[1] * c.p[1] + c.A[2] * c.p[2] + c.v[0];
        const double push = fmax(c.push, fmax(fabs(c.p[0]), fmax(fabs(c.p[1]), fabs(c.p[2]))));
        const double friction = hypot(c.p[1], c.p[2]), limit = c.mu * c.p[0];
        const double lean = fmax(c.push, fmax(fabs(limit), friction));
        const double approach = c.size[0] > 0 ? fmax(0, -u) / c.size[0] : 0;
        imp_certificate_note(result, "signorini", fmax(approach, push > 0 ? fmax(0, -c.p[0]) / push : 0), i);
        imp_certificate_note(result, "cone", lean > 0 ? fmax(0, friction - limit) / lean : 0, i);
        for (int r = 0; r < 3; r++)
            stake += fabs(c.p[r]) * c.size[r];
    }
    imp_certificate_note(result, "energy", stake > 0 ? fmax(0, result->energy) / stake : 0, 0);
}

static imp_status certify_coulomb(const imp_problem *problem, const void *settings, const double *p,
                                  const imp_path *path, imp_certificate *result) {
    (void)path;
    if (!bounces(problem)) return imp_law_coulomb.certify(problem, settings, p, NULL, result);
    certify_bounce(problem, p, result);
    return IMP_OK;
}

static imp_status certify_maxdiss(const imp_problem *problem, const void *settings, const double *p,
                                  const imp_path *path, imp_certificate *result) {
    (void)path;
    if (!bounces(problem)) return imp_law_maxdiss.certify(problem, settings, p, NULL, result);
    certify_bounce(problem, p, result);
    return IMP_OK;
}

const imp_law imp_law_coulomb_bounce = {
    .name = "coulomb-bounce",
    .statement =
        "e = 0: Coulomb's law; e > 0: no approach, impulses push from inside the friction cone, no gain of energy",
    .certify = certify_coulomb,
    .several = 1};

const imp_law imp_law_maxdiss_bounce = {.name = "maxdiss-bounce",
                                        .statement = "e = 0: maximum dissipation; e > 0: no approach, impulses push "
                                                     "from inside the friction cone, no gain of energy",
                                        .certify = certify_maxdiss};
