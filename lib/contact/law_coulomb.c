/* law_coulomb.c - the certificate of Signorini's and Coulomb's laws on impulses.
 *
 * Preclik, Eibl, Ruede (2017), Fig. 1, lower half, per contact: u_n >= 0 _|_ p_n >= 0, |p_to| <= mu
 * p_n, and |u_to| p_to = -mu p_n u_to. Several impulses may satisfy it (section 4.1): the
 * certificate tells that an answer is one. Upper half, on forces: the same with accelerations for u
 * and forces for p, but that friction is against the velocity of a contact that slides. */
#include "contact/local.h"

#include "base/length.h"

#include <math.h>
#include <stdbool.h>

/* A contact that pushes, with any component, stays closed: the smaller of its normal velocity and
 * its impulse. */
static double complementarity(const imp_local *c, double u_n) {
    return fmin(imp_relative(fabs(u_n), c->size[0]), imp_local_impulse(c));
}

/* All but slip. *near <- the contact in units in which trace(A) and the largest velocity are near
 * 1, u (3) its velocity there. */
static void note_normal(const imp_local *c, int i, imp_local *near, double u[3],
                        imp_certificate *result) {
    imp_local_to_units(c, imp_exponent(c->A[0] + c->A[4] + c->A[8]),
                       imp_exponent(imp_largest(c->size, 3, 1)), near);
    const double *p = near->p;
    imp_local_velocity(near, u);
    imp_certificate_note(result, "signorini", imp_local_signorini(near, u[0]), i);
    imp_certificate_note(result, "restitution", complementarity(near, u[0]), i);
    imp_certificate_note(result, "cone", imp_local_cone(near, imp_length(p[1], p[2]), c->mu * p[0]),
                         i);
}

/* A contact without an impulse may only not approach. */
static void note_idle(const imp_local *c, int i, imp_certificate *result) {
    imp_certificate_note(result, "signorini", imp_relative(-c->v[0], c->size[0]), i);
    imp_certificate_note(result, "restitution", 0, i);
    imp_certificate_note(result, "cone", 0, i);
    imp_certificate_note(result, "slip", 0, i);
}

void imp_coulomb_note(const imp_local *c, int i, imp_certificate *result) {
    imp_local near;
    double u[3];
    if (c->p[0] == 0 && c->p[1] == 0 && c->p[2] == 0) {
        note_idle(c, i, result);
        return;
    }
    note_normal(c, i, &near, u, result);
    /* without friction the contact may slip as it likes */
    const double slip = c->mu > 0 ? imp_local_slip(&near, near.p + 1, u + 1, c->mu * near.p[0]) : 0;
    imp_certificate_note(result, "slip", slip, i);
}

void imp_coulomb_note_sliding(const imp_local *c, const double v[2], int i,
                              imp_certificate *result) {
    imp_local near;
    double u[3];
    note_normal(c, i, &near, u, result);
    const double *f = near.p + 1, limit = c->mu * near.p[0], fit = imp_largest(v, 2, 1),
                 s[2] = {v[0] / fit, v[1] / fit}, speed = imp_length(s[0], s[1]);
    const double off = imp_length(speed * f[0] + limit * s[0], speed * f[1] + limit * s[1]);
    imp_certificate_note(
        result, "slip",
        imp_relative(off, speed * imp_local_lean(&near, imp_length(f[0], f[1]), limit)), i);
}

const imp_law imp_law_coulomb = {.name = "coulomb",
                                 .statement =
                                     "no penetration, no adhesion, complementary; friction in the "
                                     "cone and against the slip after the impact",
                                 .several = 1,
                                 .note = imp_coulomb_note,
                                 .reads = IMP_READS_FRICTION};
