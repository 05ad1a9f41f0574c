/* ode.h - what is integrated: the motion of a compliant system, the impulse of every pair and the
 * energy lost.
 *
 * y = (q, v, impulses of the pairs, damped, rubbed): impulses on B in world axes (3 each, N s); the
 * energy taken by Hunt and Crossley's term and by friction (J). A pair exerts its force while it is
 * marked as pressing; others are left out whatever their depth, so that free flight stays smooth up
 * to the located touch. */
#ifndef COMPLIANT_ODE_H
#define COMPLIANT_ODE_H

#include "compliant/system.h"

#include <stdbool.h>

typedef struct compliant_ode {
    const compliant_system *system;
    int nq, nv, dim;
    int v, impulse, damped, rubbed; /* where these begin in y */
    bool *pressing;                 /* (npairs) */
    double *scale;                  /* (dim) what counts as 1 in y, see compliant_ode_scale */
    /* m, m/s: the scales of penetrations and of contact velocities */
    double depth, speed;
    long evaluations; /* force evaluations so far */
} compliant_ode;

imp_status compliant_ode_init(compliant_ode *ode, const compliant_system *system);
void compliant_ode_clear(compliant_ode *ode);

/* The right-hand side under GSL's contract; params is the compliant_ode. GSL_FAILURE when the mass
 * matrix is singular or a slope is not finite. */
int compliant_ode_slope(double t, const double y[], double slope[], void *params);

/* Physical scales, from the state (q, v): velocities by the largest speed of a contact, of a fall
 * through the nearest gap, or of sagging under one's weight; positions by the depth at which that
 * speed is stored; both divided by how far a coordinate moves the contacts; impulses and energies
 * by the effective masses. speed0 (m/s, > 0) is a lower bound on the speed. IMP_OK,
 * IMP_NO_MEMORY. */
imp_status compliant_ode_scale(compliant_ode *ode, const double *q, const double *v, double speed0);

/* Places the tree at y. */
void compliant_ode_place(const compliant_ode *ode, const double *y);

/* J, of a placed system: the elastic energy of the pressing pairs. */
double compliant_ode_stored(const compliant_ode *ode);

#endif
