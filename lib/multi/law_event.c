/* law_event.c - certificates of what event models promise: push, friction cone and, for some, no approach.
 *
 * Uchida, Sherman, Delp (2015), eqs. (2.5) and (2.6) for the whole impact. The residuals are relative as in the other
 * laws: the approach to the terms u_n is summed from, the pull to the contact's impulse, the cone to its limit. */
#include "multi/plus.h"

#include <math.h>

static double relative(double part, double whole) {
    return part > 0 ? (whole > 0 ? part / whole : INFINITY) : 0;
}

static double pull(const imp_local *c) {
    return relative(-c->p[0], fmax(fabs(c->p[0]), fmax(fabs(c->p[1]), fabs(c->p[2]))));
}

static double outside_cone(const imp_local *c) {
    const double friction = hypot(c->p[1], c->p[2]), limit = c->mu * c->p[0];
    return relative(friction - limit, fmax(fabs(limit), friction));
}

static double approach(const imp_local *c) {
    const double *A = c->A, *p = c->p;
    return relative(-(A[0] * p[0] + A[1] * p[1] + A[2] * p[2] + c->v[0]), c->size[0]);
}

static imp_status certify_event(const imp_problem *problem, const void *settings, const double *p, const imp_path *path,
                                imp_certificate *result) {
    (void)path;
    (void)settings;
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        imp_certificate_note(result, "signorini", fmax(approach(&c), pull(&c)), i);
        imp_certificate_note(result, "cone", outside_cone(&c), i);
    }
    return IMP_OK;
}

static imp_status certify_phase(const imp_problem *problem, const void *settings, const double *p, const imp_path *path,
                                imp_certificate *result) {
    (void)path;
    (void)settings;
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        imp_certificate_note(result, "push", pull(&c), i);
        imp_certificate_note(result, "cone", outside_cone(&c), i);
    }
    return IMP_OK;
}

const imp_law imp_law_event = {
    .name = "event",
    .statement = "impulses push from inside the friction cone, and no contact approaches after the impact",
    .certify = certify_event,
    .may_gain = 1};

const imp_law imp_law_phase = {.name = "phase",
                               .statement = "impulses push from inside the friction cone",
                               .certify = certify_phase,
                               .may_gain = 1};
