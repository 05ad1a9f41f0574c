/* law_coulomb.c - the certificate of Signorini's and Coulomb's laws on impulses.
 *
 * Preclik, Eibl, Ruede (2017), Fig. 1, lower half, per contact: u_n >= 0 _|_ p_n >= 0, |p_to| <= mu p_n, and
 * |u_to| p_to = -mu p_n u_to. Several impulses may satisfy it (section 4.1): the certificate tells that an answer is
 * one. */
#include "contact/local.h"

#include <math.h>
#include <stdbool.h>

/* A contact that pushes, with any component, stays closed: the smaller of its normal velocity and its impulse. */
static double complementarity(const double A[9], const double p[3], const double u[3], const double size[3]) {
    double impulse = 0;
    for (int k = 0; k < 3; k++)
        if (size[k] > 0) impulse = fmax(impulse, A[4 * k] * fabs(p[k]) / size[k]);
    return size[0] > 0 ? fmin(fabs(u[0]) / size[0], impulse) : 0;
}

/* Sticking, or |u_to| p_to + mu p_n u_to = 0, which is friction at its limit and against the slip. */
static double opposition(const double p[3], const double u[3], double limit, double lean, double size) {
    const double slip = hypot(u[1], u[2]);
    if (size == 0) return 0;
    return fmin(slip, hypot(slip * p[1] + limit * u[1], slip * p[2] + limit * u[2]) / lean) / size;
}

void imp_coulomb_note(const imp_local *c, int i, imp_certificate *result) {
    /* trace(A) and the largest velocity are near 1 */
    const imp_local near =
        imp_local_in_units(c, imp_exponent(c->A[0] + c->A[4] + c->A[8]), imp_exponent(imp_largest(c->size, 3, 1)));
    const double *A = near.A, *p = near.p, *size = near.size;
    double u[3];
    for (int k = 0; k < 3; k++)
        u[k] = A[3 * k] * p[0] + A[3 * k + 1] * p[1] + A[3 * k + 2] * p[2] + near.v[k];
    const double push = fmax(near.push, imp_largest(p, 3, 1));
    const double friction = hypot(p[1], p[2]), limit = c->mu * p[0];
    const double lean = fmax(near.push, fmax(fabs(limit), friction)); /* what friction is compared with */
    const double approach = size[0] > 0 ? fmax(0, -u[0]) / size[0] : 0;
    const double pull = push > 0 ? fmax(0, -p[0]) / push : 0;
    const bool bound = c->mu > 0 && lean > 0; /* otherwise the contact may slip as it likes */
    imp_certificate_note(result, "signorini", fmax(approach, pull), i);
    imp_certificate_note(result, "restitution", complementarity(A, p, u, size), i);
    imp_certificate_note(result, "cone", lean > 0 ? fmax(0, friction - limit) / lean : 0, i);
    imp_certificate_note(result, "slip", bound ? opposition(p, u, limit, lean, hypot(size[1], size[2])) : 0, i);
}

static imp_status certify(const imp_problem *problem, const void *settings, const double *p, const imp_path *path,
                          imp_certificate *result) {
    (void)path;
    (void)settings;
    for (int i = 0; i < problem->nc; i++) {
        const imp_local local = imp_local_problem(problem, p, i);
        imp_coulomb_note(&local, i, result);
    }
    return IMP_OK;
}

const imp_law imp_law_coulomb = {
    .name = "coulomb",
    .statement =
        "no penetration, no adhesion, complementary; friction in the cone and against the slip after the impact",
    .certify = certify,
    .several = 1};
