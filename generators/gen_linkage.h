/* gen_linkage.h - a four-bar linkage in free bodies and joints, with the motion of its crank's
 * angle in closed form. */
#ifndef GEN_LINKAGE_H
#define GEN_LINKAGE_H

#include "contact/bilateral.h"

enum { GEN_LINKAGE_BODIES = 3, GEN_LINKAGE_ROWS = 20, GEN_LINKAGE_RANK = 17 };

/* Crank AB, coupler BC and rocker DC, thin rods joined by revolute joints of three dimensions: 20
 * rows, of which a planar loop has 3 twice. Turned in space at random. */
typedef struct gen_linkage {
    imp_body body[GEN_LINKAGE_BODIES];
    imp_contact stop;   /* of the rocker, against the ground; t across the linkage's plane */
    double rate;        /* rad/s, of the crank; the contact closes */
    double inertia;     /* kg m^2, of all for the crank's angle */
    double jacobian[3]; /* m, the contact's velocity for a unit of its rate */
    double turns[3];    /* the bodies' rates for a unit of it, about stop.frame's t */
    int terms;          /* of its joints */
    imp_term term[2 * GEN_LINKAGE_ROWS];
} gen_linkage;

/* The linkage with its crank at `angle` (rad), turning at 2 rad/s one way or the other. */
gen_linkage gen_linkage_of(double angle);

/* The joints; they point into the linkage. */
imp_constraints gen_linkage_joints(const gen_linkage *linkage);

#endif
