/* planar.c - the Darboux-Keller impact in the plane, in closed form.
 *
 * Mirtich reworked, section 5: in the plane every path of the slip is a ray, so that the impact is
 * at most two straight stretches, slip to the origin and then stick or reversed slip, with one
 * change of phase. The same with the laws of Poisson and Newton in place of Stronge's. Departures:
 * p is accumulated, not K^-1 (u - u0), and the decompression's length is 2n/(u_n + sqrt(u_n^2 + 2
 * k_n n)), free of cancellation, for a missing work n. */
#define IMP_ONE_LANE
#include "single/darboux.h"
#include "base/dd.h"
#include "base/exact.h"
#include "base/finite.h"

#include <math.h>
#include <stdbool.h>

typedef struct impact {
    imp_darboux_law law;
    double e, start; /* u_n at the start */
    double u_n, u_t, p_n, p_t;
    double work_c, work_d, p_c; /* of the normal impulse; p_n of the compression */
} impact;

static void move(impact *s, double dp, double k_n, double k_t, double friction) {
    double *work = s->u_n < 0 ? &s->work_c : &s->work_d;
    *work += dp * (s->u_n + 0.5 * k_n * dp);
    s->u_n += k_n * dp;
    s->u_t += k_t * dp;
    s->p_n += dp;
    s->p_t += friction * dp;
}

/* p_n from here to the stop in a decompression with du_n/dp_n = k_n > 0. */
static double to_the_stop(const impact *s, double k_n) {
    if (s->law == IMP_POISSON) return fmax(0, (1 + s->e) * s->p_c - s->p_n);
    if (s->law == IMP_NEWTON) return fmax(0, -s->e * s->start - s->u_n) / k_n;
    const double n = fmax(0, -s->e * s->e * s->work_c - s->work_d);
    return n > 0 ? 2 * n / (s->u_n + sqrt(s->u_n * s->u_n + 2 * k_n * n)) : 0;
}

/* A straight stretch with room for p_n; true when the impact ended in it. */
static bool stretch(impact *s, double k_n, double k_t, double friction, double room) {
    if (s->u_n < 0) {
        const double dp = k_n > 0 ? -s->u_n / k_n : INFINITY;
        const bool compressed = dp <= room;
        move(s, compressed ? dp : room, k_n, k_t, friction);
        if (compressed || s->u_n >= 0) { /* or rounding leaves no approach where the slip ends */
            s->u_n = 0;
            s->p_c = s->p_n;
        }
        if (!compressed) return false;
        room -= dp;
    }
    const double dp = to_the_stop(s, k_n);
    move(s, fmin(dp, room), k_n, k_t, friction);
    return dp <= room;
}

/* K = [[nn, nt], [nt, tt]]. */
static void run(impact *s, double nn, double nt, double tt, double mu) {
    if (mu == 0) {
        stretch(s, nn, nt, 0, INFINITY);
        return;
    }
    if (s->u_t != 0) {
        const double side = s->u_t > 0 ? 1 : -1, k_t = nt - side * mu * tt,
                     k_n = nn - side * mu * nt;
        const double room = side * k_t < 0 ? -s->u_t / k_t : INFINITY;
        if (stretch(s, k_n, k_t, -side * mu, room)) return;
        s->u_t = 0;
    }
    if (fabs(nt) <= mu * tt) {
        const double slope = nt / tt;
        double rise = nn - nt * slope;
        if (rise < 0.5 * nn) { /* what is left of larger numbers, in double-double */
            const dd exact = dd_div((dd){nt, 0}, (dd){tt, 0});
            rise = dd_sub((dd){nn, 0}, dd_times(exact, nt)).hi;
        }
        stretch(s, rise, 0, -slope, INFINITY);
    } else {
        const double side = nt > 0 ? 1 : -1;
        stretch(s, nn - side * mu * nt, nt - side * mu * tt, -side * mu, INFINITY);
    }
}

imp_status imp_planar(const double W[3], const double q[2], double mu, double e,
                      imp_darboux_law law, double p[2]) {
    if (!imp_all_finite(W, 3) || !imp_all_finite(q, 2) || !isfinite(mu) || !isfinite(e))
        return IMP_NOT_FINITE;
    if (law != IMP_STRONGE && law != IMP_POISSON && law != IMP_NEWTON) return IMP_BAD_ARGUMENT;
    if (mu < 0) return IMP_BAD_FRICTION;
    if (e < 0 || e > 1) return IMP_BAD_RESTITUTION;
    /* units in which W and the velocity are near 1 */
    const int W_exponent = imp_exponent(fmax(W[0], W[2]));
    const int q_exponent = imp_exponent(fmax(fabs(q[0]), 0x1p-300 * fabs(q[1])));
    const double nn = imp_ldexp(W[0], -W_exponent), nt = imp_ldexp(W[1], -W_exponent),
                 tt = imp_ldexp(W[2], -W_exponent);
    if (!(nn > 0 && tt - nt / nn * nt > 0)) return IMP_NOT_POSITIVE;
    impact s = {.law = law, .e = e};
    s.u_n = s.start = imp_ldexp(q[0], -q_exponent);
    s.u_t = imp_ldexp(q[1], -q_exponent);
    if (q[0] < 0) run(&s, nn, nt, tt, mu);
    const double p_n = imp_ldexp(s.p_n, q_exponent - W_exponent),
                 p_t = imp_ldexp(s.p_t, q_exponent - W_exponent);
    const bool fits = isfinite(p_n) && isfinite(p_t);
    p[0] = fits ? p_n : 0;
    p[1] = fits ? p_t : 0;
    return fits ? IMP_OK : IMP_OVERFLOW;
}

static imp_status solve(const imp_problem *problem, imp_darboux_law law, double *p) {
    double B[9];
    problem->W->kind->block(problem->W, 0, 0, B);
    const double W[3] = {B[0], 0.5 * B[1] + 0.5 * B[3], B[4]};
    const imp_status status =
        imp_planar(W, problem->q, problem->mu[0], problem->e ? problem->e[0] : 0, law, p);
    if (status >= 0) p[2] = 0;
    return status;
}

static imp_status solve_stronge(const imp_problem *problem, const void *settings, double *p,
                                void *work, imp_info *info) {
    (void)settings, (void)work, (void)info;
    return solve(problem, IMP_STRONGE, p);
}

static imp_status solve_poisson(const imp_problem *problem, const void *settings, double *p,
                                void *work, imp_info *info) {
    (void)settings, (void)work, (void)info;
    return solve(problem, IMP_POISSON, p);
}

static imp_status solve_newton(const imp_problem *problem, const void *settings, double *p,
                               void *work, imp_info *info) {
    (void)settings, (void)work, (void)info;
    return solve(problem, IMP_NEWTON, p);
}

static const char citation[] = "Mirtich reworked, section 5; Keller 1986; Stronge 1990";

const imp_model imp_model_planar_stronge = {
    .name = "planar-stronge",
    .title = "planar impact process in closed form, energetic restitution",
    .citation = citation,
    .law = &imp_law_darboux_stronge,
    .takes = IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY | IMP_ONLY_PLANAR,
    .solve = solve_stronge};
const imp_model imp_model_planar_poisson = {
    .name = "planar-poisson",
    .title = "planar impact process in closed form, kinetic restitution",
    .citation = citation,
    .law = &imp_law_darboux_poisson,
    .takes = IMP_TAKES_RESTITUTION | IMP_NEVER_GAINS_ENERGY | IMP_ONLY_PLANAR,
    .solve = solve_poisson};
const imp_model imp_model_planar_newton = {
    .name = "planar-newton",
    .title = "planar impact process in closed form, kinematic restitution",
    .citation = citation,
    .law = &imp_law_darboux_newton,
    .takes = IMP_TAKES_RESTITUTION | IMP_ONLY_PLANAR,
    .solve = solve_newton};
