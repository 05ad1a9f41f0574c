/* law_coulomb.c - the certificate of Signorini's and Coulomb's laws on impulses.
 *
 * Preclik, Eibl, Ruede (2017), Fig. 1, lower half, per contact: u_n >= 0 _|_ p_n >= 0, |p_to| <= mu
 * p_n, and |u_to| p_to = -mu p_n u_to. Several impulses may satisfy it (section 4.1): the
 * certificate tells that an answer is one. */
#include "contact/local.h"

#include <math.h>
#include <stdbool.h>

/* A contact that pushes, with any component, stays closed: the smaller of its normal velocity and
 * its impulse. */
static double complementarity(const imp_local *c, double u_n) {
    double impulse = 0;
    for (int k = 0; k < 3; k++)
        if (c->size[k] > 0) impulse = fmax(impulse, c->A[4 * k] * fabs(c->p[k]) / c->size[k]);
    return fmin(imp_relative(fabs(u_n), c->size[0]), impulse);
}

void imp_coulomb_note(const imp_local *c, int i, imp_certificate *result) {
    /* trace(A) and the largest velocity are near 1 */
    const imp_local near = imp_local_in_units(c, imp_exponent(c->A[0] + c->A[4] + c->A[8]),
                                              imp_exponent(imp_largest(c->size, 3, 1)));
    const double *p = near.p, limit = c->mu * p[0];
    double u[3];
    imp_local_velocity(&near, u);
    imp_certificate_note(result, "signorini", imp_local_signorini(&near, u[0]), i);
    imp_certificate_note(result, "restitution", complementarity(&near, u[0]), i);
    imp_certificate_note(result, "cone", imp_local_cone(&near, hypot(p[1], p[2]), limit), i);
    /* without friction the contact may slip as it likes */
    imp_certificate_note(result, "slip", c->mu > 0 ? imp_local_slip(&near, p + 1, u + 1, limit) : 0,
                         i);
}

static imp_status certify(const imp_problem *problem, const void *settings, const double *p,
                          const imp_path *path, imp_certificate *result) {
    (void)path;
    (void)settings;
    for (int i = 0; i < problem->nc; i++) {
        const imp_local local = imp_local_problem(problem, p, i);
        imp_coulomb_note(&local, i, result);
    }
    return IMP_OK;
}

const imp_law imp_law_coulomb = {.name = "coulomb",
                                 .statement =
                                     "no penetration, no adhesion, complementary; friction in the "
                                     "cone and against the slip after the impact",
                                 .certify = certify,
                                 .several = 1};
