/* delassus_internal.h - what the files that assemble W from bodies share. */
#ifndef IMP_DELASSUS_INTERNAL_H
#define IMP_DELASSUS_INTERNAL_H

#include "base/rounding.h"
#include "contact/delassus.h"
#include "linear/sparse.h"

#include <stdbool.h>

/* How contact c moves with one of its bodies: the sign of the impulse on it, and the angular rows
 * lever x axis. */
typedef struct imp_arm {
    double sign;
    double angular[9]; /* rows (n, t, o), m */
} imp_arm;

imp_arm imp_arm_of(const imp_contact *c, int body, const imp_body *bodies);

/* Has an impulse any effect on the body? IMP_GROUND: no. */
bool imp_body_moves(int body, const imp_body *bodies);

/* q (3) <- the relative velocity at a contact, 0 where that is rounding of how fast its bodies are:
 * of those that move as one the sign of what is left says nothing. */
void imp_contact_velocity(const imp_contact *c, const imp_body *bodies, double q[3]);

/* Is an inertia, or its inverse, symmetric positive semidefinite to rounding? IMP_OK,
 * IMP_NOT_SYMMETRIC (beyond 1e-12), IMP_NOT_POSITIVE (beyond 1e-10). */
imp_status imp_inertia_check(const double I[9]);

/* The statuses of imp_delassus_dense. */
imp_status imp_delassus_check(int nb, const imp_body *bodies, int nc, const imp_contact *contacts);

/* Bodies in coordinates x in which their kinetic energy is half a sum of squares: a velocity
 * changes by B x with B B' = M^-1, six coordinates for each body that moves. */
typedef struct imp_roots {
    int rows;   /* coordinates */
    int *first; /* (nb) of each body, -1: it does not move */
    double *B;  /* (9nb) 1/sqrt(kg m^2), spin; of velocities it is 1/sqrt(mass) */
} imp_roots;

/* IMP_OK, IMP_NO_MEMORY; clear it afterwards. */
imp_status imp_roots_new(int nb, const imp_body *bodies, imp_roots *roots);
void imp_roots_clear(imp_roots *roots);

/* x (6) <- B' axis, the coordinates of a row over the body's velocity and spin. */
void imp_roots_row(const imp_roots *roots, const imp_body *bodies, int body, const double axis[6],
                   double x[6]);

/* *H (rows x 3nc) <- B'H, a column for each axis of each contact. IMP_OK, IMP_NO_MEMORY. */
imp_status imp_roots_contacts(const imp_roots *roots, const imp_body *bodies, int nc,
                              const imp_contact *contacts, imp_sparse *H);

#endif
