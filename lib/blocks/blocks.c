/* blocks.c - the field's errors, and block Gauss-Seidel with its blend with Jacobi. */
#include "blocks/blocks.h"

#include "base/exact.h"
#include "base/length.h"
#include "blocks/blocks_internal.h"
#include "contact/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void imp_natural_error(const imp_problem *problem, const double *p, double *field,
                       double *scale_free) {
    const size_t rows = 3 * (size_t)problem->nc;
    const double speed = imp_largest(problem->q, rows, 1), push = imp_largest(p, rows, 1);
    const int q_unit = imp_factor_exponent(speed);
    double trace = 0, q_square = 0;
    for (int i = 0; i < problem->nc; i++) {
        double B[9];
        problem->W->kind->block(problem->W, i, i, B);
        trace += (B[0] + B[4] + B[8]) / (3.0 * problem->nc);
    }
    const double of_q = imp_ldexp(1, -q_unit);
    for (size_t k = 0; k < rows; k++) {
        const double q = of_q * problem->q[k];
        q_square += q * q;
    }
    const double a[2] = {1, trace}, size = q_square > 0 ? sqrt(q_square) : 1;
    /* in units in which the squares stay in range */
    const int unit[2] = {imp_factor_exponent(fmax(speed, push)),
                         imp_factor_exponent(fmax(speed, trace * push))};
    const double of_unit[2] = {imp_ldexp(1, -unit[0]), imp_ldexp(1, -unit[1])};
    double square[2] = {0, 0};
    for (int i = 0; i < problem->nc; i++) {
        const double *q = problem->q + 3 * (size_t)i, mu = problem->mu[i];
        double Wp[3];
        problem->W->kind->row(problem->W, i, -1, p, Wp, NULL);
        for (int k = field ? 0 : 1; k < 2; k++) {
            double own[3], u[3];
            for (int r = 0; r < 3; r++) {
                own[r] = of_unit[k] * p[3 * (size_t)i + (size_t)r];
                u[r] = of_unit[k] * (Wp[r] + q[r]);
            }
            square[k] += imp_natural_square(own, u, mu, mu * imp_length(u[1], u[2]), a[k]);
        }
    }
    if (field) *field = imp_ldexp(sqrt(square[0]) / size, unit[0] - q_unit);
    *scale_free = imp_ldexp(sqrt(square[1]) / size, unit[1] - q_unit);
}

bool imp_blocks_field_too(const imp_problem *problem, const imp_blocks_settings *settings) {
    return settings->stop == IMP_STOP_BOTH ||
           (settings->stop == IMP_STOP_BY_ORIGIN && problem->W->as_given);
}

double imp_blocks_bound(const void *settings) {
    return fmax(1e-9, 1e2 * ((const imp_blocks_settings *)settings)->tolerance);
}

static const double large = 100; /* friction that no pair of materials has */

double imp_blocks_told(double error, const imp_blocks_settings *settings, double mu,
                       double rounding) {
    const double hidden = mu >= large ? mu * rounding : fmin(rounding, imp_blocks_bound(settings));
    return error > settings->tolerance && error <= hidden ? settings->tolerance : error;
}

double imp_blocks_judged(const blockwise *b, natural_error errors,
                         const imp_blocks_settings *settings) {
    const double error = imp_blockwise_judged(b, errors);
    if (error <= settings->tolerance || !(b->q_norm > 0)) return error;
    if (b->most_friction < large && error > imp_blocks_bound(settings)) return error;
    return imp_blocks_told(error, settings, b->most_friction,
                           imp_blockwise_rounding(b) / b->q_norm);
}

/* Does the law hold at p? Where the contact that refuted the last certificate refutes this one,
 * too, it is noted alone. */
static bool holds(const blockwise *b, const imp_problem *problem, const imp_law *law,
                  const double *p, double bound, imp_certificate *certificate) {
    *certificate = (imp_certificate){0};
    if (law->note && b->suspect >= 0) {
        const imp_local c = imp_local_problem(problem, p, b->suspect);
        law->note(&c, b->suspect, certificate);
        if (certificate->worst > bound) return false;
    }
    if (imp_certify_island(problem, law, p, certificate) != IMP_OK) certificate->worst = INFINITY;
    return certificate->worst <= bound;
}

/* Impulses that change their own contact by no more than this share of |q| are tried without: far
 * above what long sums round to, far below the tolerance; the certificate decides. */
static double dust_of(const imp_blocks_settings *settings) {
    return fmin(1e-12, 0.01 * settings->tolerance);
}

double imp_blocks_certified_error(blockwise *b, const imp_problem *problem, const imp_law *law,
                                  const imp_blocks_settings *settings, double *p, double error) {
    const double bound = imp_blocks_bound(settings);
    imp_certificate certificate;
    imp_blockwise_get(b, b->p, p);
    if (imp_blockwise_without_dust(b, dust_of(settings), p)) {
        if (holds(b, problem, law, p, bound, &certificate)) {
            imp_blockwise_set(b, p);
            return error;
        }
        imp_blockwise_get(b, b->p, p);
    }
    if (holds(b, problem, law, p, bound, &certificate)) return error;
    b->suspect = certificate.contact;
    return settings->tolerance * (certificate.worst / bound);
}

/* What one sweep changes, in velocities relative to |q|: zero at the fixed points of any local
 * law. */
static double sweep_change(blockwise *b, const sweep_rule *rule, const sweep_parts *parts,
                           double blend) {
    double square = 0;
    if (parts->count > 1)
        imp_blockwise_sweep_parts(b, rule, parts, blend);
    else {
        memcpy(parts->p, b->p, 3 * (size_t)b->nc * sizeof *b->p);
        imp_blockwise_sweep(b, rule);
    }
    for (int i = 0; i < 3 * b->nc; i++) {
        const double change = b->contact[i / 3].weight * (b->p[i] - parts->p[i]);
        square += change * change;
    }
    const double damping = rule->relaxation * (parts->count > 1 ? blend : 1);
    return sqrt(square) / (b->q_norm > 0 ? b->q_norm : 1) / damping;
}

/* The error that decides. Of velocities brought up to date piece by piece only where it is beyond
 * the tolerance. */
static double deciding_error(blockwise *b, const imp_blocks_settings *settings) {
    imp_blockwise_look(b);
    const double seems = imp_blocks_judged(b, imp_blockwise_error(b), settings);
    if (seems > settings->tolerance) return seems;
    imp_blockwise_refresh(b);
    return imp_blocks_judged(b, imp_blockwise_error(b), settings);
}

/* Sweeps until the errors and the certificate are good enough; the error where they ended is
 * returned. p (3nc, N s) <- the iterate. A certificate costs some sweeps: after one that failed the
 * next is asked for when a tenth more of them have been made. */
static double sweep_on(blockwise *b, const imp_problem *problem,
                       const imp_blocks_settings *settings, sweep_rule *rule,
                       const sweep_parts *parts, double *p, imp_info *info) {
    const imp_law *demanded = local_is_maxdiss(rule->law) ? &imp_law_maxdiss : &imp_law_coulomb;
    double error = INFINITY;
    int next_look = 0;
    bool still = false;
    while (error > settings->tolerance && !still && info->iterations < settings->max_sweeps &&
           !imp_blockwise_cancelled(b)) {
        rule->backwards = settings->symmetric && info->iterations % 2 == 1;
        const double change = sweep_change(b, rule, parts, settings->blend), before = error;
        if (++info->iterations % 64 == 0) imp_blockwise_refresh(b);
        error = local_is_maxdiss(rule->law) ? change : deciding_error(b, settings);
        if (!(error <= settings->tolerance)) continue;
        still = change == 0; /* a fixed point: more sweeps change nothing */
        if (info->iterations < next_look && !still) {
            error = fmax(before, 2 * settings->tolerance);
            continue;
        }
        next_look = info->iterations + info->iterations / 10;
        error = imp_blocks_certified_error(b, problem, demanded, settings, p, error);
    }
    imp_blockwise_get(b, b->p, p);
    return error;
}

imp_status imp_gauss_seidel(const imp_problem *problem, const imp_blocks_settings *settings,
                            local_law law, double *p, imp_info *info) {
    blockwise *b = imp_blockwise_new(problem, imp_blocks_field_too(problem, settings));
    sweep_parts parts = {0};
    if (!b || !imp_sweep_parts_new(b, settings->parts, &parts)) {
        imp_blockwise_free(b);
        return IMP_NO_MEMORY;
    }
    sweep_rule rule = {.law = law, .relaxation = settings->relaxation};
    if (settings->start) imp_blockwise_start(b, p);
    b->cancel = info->cancel;
    const double error = sweep_on(b, problem, settings, &rule, &parts, p, info);
    imp_blockwise_look(b);
    info->residual = local_is_maxdiss(law)
                         ? error
                         : fmax(error, imp_blockwise_judged(b, imp_blockwise_error(b)));
    imp_blockwise_free(b);
    imp_sweep_parts_clear(&parts);
    return error <= settings->tolerance ? IMP_OK : IMP_NOT_CONVERGED;
}
