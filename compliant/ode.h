/* ode.h - what is integrated: the motion of what is pushed in a compliant system, the impulses of
 * the pairs that push, and the energy lost.
 *
 * The whole state is (q, v, springs, impulses of the pairs, damped, rubbed): springs along the
 * surfaces (3 each, grip.h; none at all where no pair gives); impulses on B in world axes (3
 * each, N s); the energy taken by Hunt and Crossley's term, with what is stored of a push that
 * ends before its surfaces part, and the work of friction (J), of which a spring may hold a part.
 * Of it y holds what is not known in closed form: (q, v) of the parts of the tree that are awake,
 * springs and impulses of the pairs that are taken, and the energies. A part sleeps while it flies
 * freely with a constant spin, so that a body costs nothing before it is touched. A pair exerts
 * its force while it is marked as pressing; others are left out whatever their depth, so that free
 * flight stays smooth up to the located touch. */
#ifndef COMPLIANT_ODE_H
#define COMPLIANT_ODE_H

#include "compliant/grip.h"

/* Where things stand in the whole state, q at 0. */
typedef struct compliant_layout {
    int nq, nv, npairs;
    int spring_size;                             /* 3, or 0: no pair gives */
    int v, spring, impulse, damped, rubbed, dim; /* offsets, and its length */
    /* a row of a history goes on with t, then per pair: depth, force on B (3, world); its length */
    int time, depth, force, width;
} compliant_layout;

compliant_layout compliant_layout_of(const compliant_system *system);

/* Numbers that follow each other in y and in the whole state. */
typedef struct compliant_piece {
    int own, whole, count;
} compliant_piece;

typedef struct compliant_ode {
    const compliant_system *system;
    compliant_layout at;
    bool *pressing;       /* (npairs) */
    compliant_grip *grip; /* (npairs) of those that press and give */
    double *scale;        /* (at.dim) what counts as 1, see compliant_ode_scale */
    /* m, m/s: the scales of penetrations and of contact velocities */
    double depth, speed;
    long evaluations; /* force evaluations so far */
    bool lacked;      /* memory, in any of them: nothing that came of it counts */
    /* y: parts that are awake and pairs that are taken, ascending; where they begin in it */
    int parts, pairs;
    int *part, *pair;
    compliant_piece *piece; /* (2 parts) their q, then their v */
    int v, spring, impulse, damped, rubbed, dim;
    double *unit; /* (dim) the scale of y */
    bool *asleep; /* (parts of the tree) */
    bool *still;  /* (parts of the tree) asleep, and placed where they rest */
    /* which of those that sleep are placed with those that are awake (near.h); of the tree's parts,
     * which these are */
    int followed, *follow;
    bool *follows;
    double *since; /* s, (parts of the tree) when it fell asleep, with q and v of `coasting` */
    double *coasting, *whole, *rate; /* (nq + nv) each; the others are scratch */
    double *moved;                   /* (at.dim) scratch of the Jacobian */
} compliant_ode;

/* All parts awake and all pairs taken: y is the whole state. IMP_OK, IMP_NO_MEMORY. */
imp_status compliant_ode_init(compliant_ode *ode, const compliant_system *system);
void compliant_ode_clear(compliant_ode *ode);

/* From the whole state at time t: parts without a pressing pair that can fly on their own fall
 * asleep, the others wake; pairs that press are taken. y <- what is integrated from now on. */
void compliant_ode_divide(compliant_ode *ode, double t, const double *whole, double *y);

/* y <- what of the whole state is integrated. */
void compliant_ode_collect(const compliant_ode *ode, const double *whole, double *y);

/* whole (at.dim) <- the whole state at time t; impulses that are not in y stay as they are. */
void compliant_ode_unite(const compliant_ode *ode, double t, const double *y, double *whole);

/* The right-hand side under GSL's contract; params is the compliant_ode. GSL_FAILURE when the mass
 * matrix is singular or a slope is not finite. */
int compliant_ode_slope(double t, const double y[], double slope[], void *params);

/* drift (q of y) <- q' of q and v of y. */
void compliant_ode_drift(const compliant_ode *ode, const double *y, double *drift);

/* Physical scales, from the state (q, v): velocities by the largest speed of a contact, of a fall
 * through the nearest gap, or of sagging under one's weight; positions by the depth at which that
 * speed is stored; both divided by how far a coordinate moves the contacts; impulses and energies
 * by the effective masses, those of normals that joints hold by what is joined. speed0 (m/s, > 0)
 * and depth0 (m, >= 0) are lower bounds. IMP_OK, IMP_NO_MEMORY, IMP_NOT_POSITIVE: a joint moves no
 * mass. */
imp_status compliant_ode_scale(compliant_ode *ode, const double *q, const double *v, double speed0,
                               double depth0);

/* Which part of the tree a side of a pair belongs to, -1: the ground. */
int compliant_ode_part(const compliant_ode *ode, int pair, int side);

/* Places the tree at y and t: what is awake or followed; all of it; only what a pair stands on. */
void compliant_ode_place(const compliant_ode *ode, double t, const double *y);
void compliant_ode_place_all(const compliant_ode *ode, double t, const double *y);
void compliant_ode_place_pair(const compliant_ode *ode, double t, const double *y, int pair);

/* J, of a placed system: the elastic energy of the pressing pairs along their normals; along their
 * surfaces, at the springs of a whole state. */
double compliant_ode_stored(const compliant_ode *ode);
double compliant_ode_strained(const compliant_ode *ode, const double *whole);

/* The pair as it holds at the touch, and its force on B, N, world, at its spring (read where it
 * gives); normal (may be NULL) receives the normal part. */
compliant_hold compliant_ode_hold(const compliant_ode *ode, int pair, const compliant_touch *touch);
void compliant_ode_force(const compliant_ode *ode, int pair, const compliant_touch *touch,
                         const double *spring, double force[3], double *normal);

/* The spring (3) of a taken pair in y. */
const double *compliant_ode_spring(const compliant_ode *ode, const double *y, int pair);

#endif
