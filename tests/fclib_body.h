/* fclib_body.h - a body under constraints as a global problem of FCLIB. */
#ifndef FCLIB_BODY_H
#define FCLIB_BODY_H

#include "base/vec3.h"
#include "impact.h"
#include "io/fclib.h"
#include "linear/triplets.h"

#include <stdlib.h>

/* Of a body whose inertia is the same about every axis, with its contacts and the terms of rows
 * that are to be 0; without friction. */
static inline imp_fclib fclib_of_body(const imp_body *body, int nc, const imp_contact *contact,
                                      int rows, int terms, const imp_term *term) {
    enum { DOF = 6 };
    imp_fclib p = {.nc = nc, .dof = DOF, .bilateral = rows};
    imp_triplets M = {0}, H = {0}, G = {0};
    p.f = calloc(DOF, sizeof *p.f);
    p.w = calloc(3 * (size_t)nc, sizeof *p.w);
    p.b = calloc((size_t)rows, sizeof *p.b);
    p.mu = calloc((size_t)nc, sizeof *p.mu);
    for (int k = 0; k < DOF; k++) {
        const double mass = 1 / (k < 3 ? body->inv_mass : body->inv_inertia[0]);
        imp_triplets_add(&M, k, k, mass);
        p.f[k] = mass * (k < 3 ? body->velocity[k] : body->spin[k - 3]);
    }
    for (int r = 0; r < 3 * nc; r++) {
        const double *axis = contact[r / 3].frame + 3 * (size_t)(r % 3);
        double arm[3], angular[3];
        sub3(contact[r / 3].point, body->position, arm);
        cross3(arm, axis, angular);
        for (int k = 0; k < DOF; k++)
            imp_triplets_add(&H, k, r, k < 3 ? axis[k] : angular[k - 3]);
    }
    for (const imp_term *t = term; t < term + terms; t++)
        for (int k = 0; k < DOF; k++)
            imp_triplets_add(&G, k, t->row, t->axis[k]);
    if (imp_triplets_end(&M, DOF, DOF, &p.M) != IMP_OK ||
        imp_triplets_end(&H, DOF, 3 * nc, &p.H) != IMP_OK ||
        imp_triplets_end(&G, DOF, rows, &p.G) != IMP_OK)
        abort();
    return p;
}

#endif
