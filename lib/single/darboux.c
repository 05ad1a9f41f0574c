/* darboux.c - the Darboux-Keller impact process of one contact, from the problem to its impulse.
 *
 * "Mirtich reworked" (an anonymous note on B. Mirtich 1996, chapter 3), sections 3 and 4: du/dp_z =
 * K (-mu w, 1) while slipping, stick where it is stable, otherwise the diverging ray, any number of
 * compression phases, stopped by Stronge's law. Departures: Taylor series in place of Euler steps,
 * series along the rays in place of the tail before the origin, all events at roots, the laws of
 * Poisson and Newton besides, decompression only tested once u_z >= 0 (the note's test is true at
 * once for e = 0), and p accumulated instead of K^-1 (u - u0), which loses the digits of u0/du. */
#include "single/darboux_process.h"
#include "base/exact.h"
#include "base/finite.h"
#include "base/length.h"

#include <float.h>
#include <math.h>

enum { MOST_STEPS = 400 }; /* the hardest of tests/test_darboux_stop.c need 52 */

/* Along the ray the slip is on, or so near to that what is between them does not count: turned onto
 * it first. */
static bool along_ray(imp_process *p, rates k) {
    const double rounding = 2 * DBL_EPSILON * p->scale;
    for (int i = 0; i < 4 && fabs(k.f) > rounding; i++) {
        const double angle = -k.f / k.df, c = p->w[0] - angle * p->w[1],
                     s = p->w[1] + angle * p->w[0];
        const double unit = sqrt(c * c + s * s);
        p->w[0] = c / unit;
        p->w[1] = s / unit;
        k = imp_process_rates(p, p->w);
    }
    const double rate[2] = {k.g, k.h}, friction[2] = {-p->mu * p->w[0], -p->mu * p->w[1]};
    return imp_process_straight(p, rate, friction, 's');
}

/* One move onwards from a state of slip; true when the impact ended in it. */
static bool slip(imp_process *p) {
    const rates k = imp_process_rates(p, p->w);
    /* what is left of p_n before the origin, r / -g, and its friction are beyond rounding, also
     * beside a friction that is little itself: 1e-12 of it, where 1e-9 is asked for */
    const double negligible = 1e-17 * larger(p->pz, -p->uz_start / p->steepest),
                 little = DBL_MIN + 1e-12 * larger(fabs(p->pt[0]), fabs(p->pt[1]));
    if (k.g < 0 && (1 + p->mu) * p->r <= -k.g * negligible && p->mu * p->r <= -k.g * little) {
        p->r = 0;
        imp_process_mark(p, 's');
        return false;
    }
    /* a ray nearby, which attracts: what is across it does not grow, since df = -g - A22 */
    const bool stays = -k.df > 100 * fabs(k.f);
    if (fabs(k.f) <= 2 * DBL_EPSILON * p->scale ||
        (stays && p->r * fabs(k.f) <= 1e-17 * k.df * p->uz_start &&
         p->mu * p->r * fabs(k.f) <= k.df * k.df * little))
        return along_ray(p, k);
    imp_stretch S;
    S.pz = p->pz;
    S.pt[0] = p->pt[0];
    S.pt[1] = p->pt[1];
    if (!imp_ray_begin(p, &k, &S)) {
        imp_series_begin(p, &k, &S);
        p->steps++;
    }
    return imp_process_follow(p, &S);
}

/* Follows the process until the law stops it; false when the cap of steps was reached or there is
 * no end. */
static bool run(imp_process *p) {
    while (p->r > 0) {
        p->endless = p->steps == MOST_STEPS;
        if (p->endless || slip(p)) return !p->endless;
    }
    imp_process_leave_origin(p);
    return !p->endless;
}

/* ---- the problem: checked, brought to its own units, and back ---- */

/* |x| < 2^exponent_of(x), within a factor of 2 and +-1020. */
static int exponent_of(double x) {
    return x != 0 ? imp_factor_exponent(x) : -1020;
}

static double length_of(double x, double y) {
    const double length = sqrt(x * x + y * y);
    return length > 1e-140 ? length : imp_length(x, y);
}

static imp_status check(const double W[6], const double q[3], double mu, double e) {
    if (!imp_all_finite(W, 6) || !imp_all_finite(q, 3) || !isfinite(mu) || !isfinite(e))
        return IMP_NOT_FINITE;
    if (mu < 0) return IMP_BAD_FRICTION;
    if (e < 0 || e > 1) return IMP_BAD_RESTITUTION;
    return IMP_OK;
}

/* K scaled to trace in [1/2, 2); false when it is not positive definite. */
static bool set_matrix(imp_process *p, const double W[6], double mu, int W_exponent) {
    double K[6];
    for (int i = 0; i < 6; i++)
        K[i] = imp_ldexp(W[i], -W_exponent);
    const double l1 = K[1] / K[0], l2 = K[2] / K[0], d1 = K[3] - l1 * K[1], s = K[4] - l2 * K[1];
    if (!(K[0] > 0 && d1 > 0 && K[5] - l2 * K[2] - s / d1 * s > 0)) return false;
    p->mu = mu = fmin(mu, 1e30 / (K[3] + K[5])); /* beyond, slip ends at once to rounding */
    p->K33 = K[0];
    for (int i = 0; i < 2; i++)
        p->b[i] = K[1 + i];
    for (int i = 0; i < 3; i++) {
        p->M[i] = K[3 + i];
        p->A[i] = mu * K[3 + i];
    }
    const double length = length_of(K[1], K[2]), reach = mu * length;
    p->scale = fmax(mu * (K[3] + K[5]) + length, 1e-100); /* s and works in range */
    p->steepest = p->K33 + reach;
    p->turns = find_turns(p->b, length, p->K33, mu, p->turn);
    return true;
}

static void set_velocity(imp_process *p, const double q[3], int q_exponent) {
    p->uz = p->uz_start = imp_ldexp(q[0], -q_exponent);
    for (int i = 0; i < 2; i++)
        p->v[i] = imp_ldexp(q[1 + i], -q_exponent);
    p->r = length_of(p->v[0], p->v[1]);
    if (p->r > 0)
        for (int i = 0; i < 2; i++)
            p->w[i] = p->v[i] / p->r;
}

/* The path in the caller's units; false when a work is beyond double. */
static bool unscale_path(imp_process *p, int W_exponent, int q_exponent) {
    imp_darboux_path *path = p->path;
    const int p_exponent = q_exponent - W_exponent;
    for (int i = 0; i < path->segments; i++)
        path->segment[i].p_n = imp_ldexp(path->segment[i].p_n, p_exponent);
    for (int i = 0; i < path->count; i++)
        for (int k = 0; k < 3; k++) {
            path->points[i].p[k] = imp_ldexp(path->points[i].p[k], p_exponent);
            path->points[i].u[k] = imp_ldexp(path->points[i].u[k], q_exponent);
        }
    const bool slips = p->mu > 0;
    path->u[0] = imp_ldexp(p->uz, q_exponent);
    for (int i = 0; i < 2; i++)
        path->u[1 + i] = imp_ldexp(slips ? p->r * p->w[i] : p->v[i] + p->b[i] * p->pz, q_exponent);
    path->work_c = imp_ldexp(p->work[0], p_exponent + q_exponent);
    path->work_d = imp_ldexp(p->work[1], p_exponent + q_exponent);
    return isfinite(path->work_c) && isfinite(path->work_d);
}

static imp_status solve(const double W[6], const double q[3], double mu, double e, double a,
                        imp_darboux_law law, double impulse[3], imp_darboux_path *path,
                        imp_info *info) {
    imp_process p = {.law = law, .e = e, .path = path};
    const imp_status fault = check(W, q, mu, e);
    if (fault != IMP_OK) return fault;
    const int W_exponent = exponent_of(fmax(W[0], fmax(W[3], W[5])));
    if (!set_matrix(&p, W, mu, W_exponent)) return IMP_NOT_POSITIVE;
    if (info) info->iterations = 0;
    if (path) path->segments = path->count = 0;
    /* u_z near 1, unless the slip would then leave the range of double; the largest, where nothing
     * closes */
    const int slip_exponent = exponent_of(fmax(fabs(q[1]), fabs(q[2])));
    const int least_exponent = q[0] < 0 ? slip_exponent - 300 : slip_exponent;
    const int q_exponent = exponent_of(q[0]) > least_exponent ? exponent_of(q[0]) : least_exponent;
    set_velocity(&p, q, q_exponent);
    p.a = imp_ldexp(a, q_exponent);
    p.works = path || (law == IMP_STRONGE && e > 0);
    bool ended = true;
    imp_process_point(&p);
    if (q[0] < 0) {
        const double rate[2] = {0, p.K33}, friction[2] = {0, 0};
        ended = mu == 0 ? imp_process_straight(&p, rate, friction, 'f') : run(&p);
    }
    double result[3] = {p.pz, p.pt[0], p.pt[1]};
    bool fits = true;
    for (int i = 0; i < 3; i++) {
        result[i] = imp_ldexp(result[i], q_exponent - W_exponent);
        fits = fits && isfinite(result[i]);
    }
    if (path) fits = unscale_path(&p, W_exponent, q_exponent) && fits;
    for (int i = 0; i < 3; i++)
        impulse[i] = fits ? result[i] : 0;
    if (info) info->iterations = p.steps;
    return !ended ? IMP_NOT_CONVERGED : fits ? IMP_OK : IMP_OVERFLOW;
}

imp_status imp_darboux(const double W[6], const double q[3], double mu, double e,
                       imp_darboux_law law, double p[3], imp_darboux_path *path, imp_info *info) {
    if (law != IMP_STRONGE && law != IMP_POISSON && law != IMP_NEWTON) return IMP_BAD_ARGUMENT;
    return solve(W, q, mu, e, 0, law, p, path, info);
}

imp_status imp_darboux_compliant(const double W[6], const double q[3], double mu, double a,
                                 double p[3], imp_darboux_path *path, imp_info *info) {
    if (!isfinite(a)) return IMP_NOT_FINITE;
    if (a < 0) return IMP_BAD_ARGUMENT;
    return solve(W, q, mu, 1, a, IMP_COMPLIANT, p, path, info);
}
