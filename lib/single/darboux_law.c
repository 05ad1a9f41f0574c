/* darboux_law.c - the certificate of a Darboux-Keller impact, for each law that can stop it.
 *
 * Nothing is taken from the solver: the process is followed again to the p_n of the answer, by
 * another method (darboux_check.c), and the answer must lie on that path and where the law stops
 * it: Stronge W_d = -e^2 W_c, Poisson P_d = e P_c, Newton u_n = -e q_n, each for the first time
 * once u_n >= 0 (Mirtich reworked, section 3.7; sums over all phases). */
#include "single/darboux.h"
#include "base/length.h"
#include "contact/local.h"
#include "single/darboux_check.h"

#include <math.h>

/* How far the law's quantity is from its goal at the end, and how far it was past it at the end of
 * an earlier decompression. Relative: an impulse to p_n, a velocity to size_n, what rounding in u_n
 * is relative to, a work to e times all work, since W_d is e^2 of it and its derivative e (but not
 * below 1e-3, for the sake of its rounding). With e = 0 all laws say u_n = 0. */
static double stopping(const imp_trail *t, imp_darboux_law law, double e, double q_n, double u_n,
                       double size_n) {
    double work[2] = {0, 0}, impulse[2] = {0, 0}, peak = 0, early = 0, size = 0, last = 0;
    for (int i = 0; i < t->phases; i++) {
        work[i % 2] += t->work[i];
        impulse[i % 2] += t->impulse[i];
        size += law == IMP_STRONGE ? fabs(t->work[i]) : t->impulse[i];
        if (i % 2) peak = fmax(peak, t->peak[i]);
        last = law == IMP_STRONGE ? sqrt(fmax(0, work[1])) - e * sqrt(fmax(0, -work[0]))
                                  : impulse[1] - e * impulse[0];
        if (i < t->phases - 1) early = fmax(early, last); /* a compression only lowers it */
    }
    const double goal = -e * q_n, newton = fmax(fabs(u_n - goal), peak - goal) / size_n;
    if (law == IMP_NEWTON) return newton;
    if (law == IMP_STRONGE) size = sqrt(size);
    const double own = size > 0 ? fmax(fabs(last), early) / size : 1;
    return e == 0 ? fmax(own, fabs(u_n) / size_n) : own;
}

/* How far friction is from that of the process, over the impulse, and the slip that it leaves from
 * the process's, over its size: friction that is little stops a slip all the same. */
static double off_path(const imp_local *c, double push, const double friction[2]) {
    const double d[2] = {c->p[1] - friction[0], c->p[2] - friction[1]},
                 slip[2] = {c->A[4] * d[0] + c->A[5] * d[1], c->A[7] * d[0] + c->A[8] * d[1]},
                 rise = fabs(c->A[1] * d[0] + c->A[2] * d[1]);
    const double moved =
        fmax(imp_relative(imp_length(slip[0], slip[1]), imp_length(c->size[1], c->size[2])),
             imp_relative(rise, c->size[0]));
    return fmax(imp_length(d[0], d[1]) / fmax(push, 1e-300), moved);
}

static imp_status certify(const imp_problem *problem, imp_darboux_law law, const double *impulse,
                          imp_certificate *result) {
    if (problem->nc != 1) return IMP_UNSUPPORTED;
    imp_local local = imp_local_problem(problem, impulse, 0);
    const double *A = local.A, *q = local.v, *p = local.p;
    /* trace(W) and q_n are near 1 */
    local = imp_local_in_units(&local, imp_exponent(A[0] + A[4] + A[8]),
                               imp_exponent(q[0] != 0 ? q[0] : local.size[0]));
    const double W[6] = {A[0], A[1], A[2], A[4], A[5], A[8]}, push = imp_largest(p, 3, 1);
    double u[3], path = 0, stop = 0;
    imp_local_velocity(&local, u);
    if (q[0] >= 0) { /* no impact: no impulse */
        stop = push > 0;
    } else {
        imp_trail trail;
        const bool followed =
            push < INFINITY && imp_darboux_trail(W, q, local.mu, fmax(p[0], 0), &trail);
        path = followed ? off_path(&local, push, trail.p) : INFINITY;
        stop = followed ? stopping(&trail, law, local.e, q[0], u[0], local.size[0]) : INFINITY;
    }
    imp_certificate_note(result, "signorini", imp_local_signorini(&local, u[0]), 0);
    imp_certificate_note(result, "cone",
                         imp_local_cone(&local, imp_length(p[1], p[2]), local.mu * p[0]), 0);
    imp_certificate_note(result, "path", path, 0);
    imp_certificate_note(result, "stopping", stop, 0);
    return IMP_OK;
}

static imp_status certify_stronge(const imp_problem *problem, const void *settings, const double *p,
                                  const imp_path *path, imp_certificate *result) {
    (void)path;
    (void)settings;
    return certify(problem, IMP_STRONGE, p, result);
}

static imp_status certify_poisson(const imp_problem *problem, const void *settings, const double *p,
                                  const imp_path *path, imp_certificate *result) {
    (void)path;
    (void)settings;
    return certify(problem, IMP_POISSON, p, result);
}

static imp_status certify_newton(const imp_problem *problem, const void *settings, const double *p,
                                 const imp_path *path, imp_certificate *result) {
    (void)path;
    (void)settings;
    return certify(problem, IMP_NEWTON, p, result);
}

const imp_law imp_law_darboux_stronge = {
    .name = "darboux-stronge",
    .statement = "on the path of the Darboux-Keller process, stopped where W_d = -e^2 W_c",
    .certify = certify_stronge,
    .follows = 1,
    .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
const imp_law imp_law_darboux_poisson = {
    .name = "darboux-poisson",
    .statement = "on the path of the Darboux-Keller process, stopped where P_d = e P_c",
    .certify = certify_poisson,
    .follows = 1,
    .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
const imp_law imp_law_darboux_newton = {
    .name = "darboux-newton",
    .statement = "on the path of the Darboux-Keller process, stopped where u_n = -e q_n",
    .certify = certify_newton,
    .may_gain = 1,
    .follows = 1,
    .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
