/* system.h - a tree of rigid bodies with compliant spheres and boxes welded to it, among fixed
 * compliant planes.
 *
 * Source: Uchida, Sherman, Delp (2015), section 4. The force of a pair acts where the two deformed
 * surfaces meet: at `share` of the penetration below A's undeformed surface. */
#ifndef COMPLIANT_SYSTEM_H
#define COMPLIANT_SYSTEM_H

#include "compliant/law.h"
#include "contact/frame.h"
#include "multibody/loop.h"

#include <stdbool.h>

/* A ball; or a box with rounded edges, all points within `radius` of a core, whose sides lie along
 * the link's axes. */
typedef struct compliant_sphere {
    int link;                    /* of the tree, or IMP_GROUND */
    double centre[3];            /* m, in the link's frame (world for the ground) */
    double radius;               /* m, > 0 */
    compliant_material material; /* of its surface */
    double half[3];              /* m, half sides of the core; 0: a ball */
    bool corner;                 /* a ball at a corner of a box: it meets planes alone */
} compliant_sphere;

/* A half space of the ground. */
typedef struct compliant_plane {
    double point[3];             /* m, world, on the surface */
    double normal[3];            /* unit, out of the material */
    compliant_material material; /* of its surface */
} compliant_plane;

/* Two surfaces that may touch; the normal goes from A to B. */
typedef struct compliant_pair {
    int plane;         /* A is this plane ... */
    int a;             /* ... or, when plane = -1, this sphere or box */
    int b;             /* sphere */
    compliant_law law; /* of the two */
} compliant_pair;

/* The most pairs that a system may have: each has its place in the state. */
enum { COMPLIANT_PAIRS = 1000000 };

typedef struct compliant_system {
    imp_tree *tree;    /* not owned; placed by every evaluation */
    imp_loops *loops;  /* of it, kept throughout; not owned; NULL: none */
    double gravity[3]; /* m/s^2 */
    int nspheres, nplanes, npairs;
    compliant_sphere *spheres;
    compliant_plane *planes;
    compliant_pair *pairs;
} compliant_system;

/* A system of copies of the spheres and planes, with every pair that can touch: spheres of links
 * that can move against each other (not joined to each other by a joint) and against planes. A box
 * meets spheres as a plane does, by the sphere's radius, wherever it is touched, so that the force
 * goes on as a sphere rolls over an edge; planes meet the spheres at its corners, which are the
 * caller's to give; boxes do not meet each other.
 * transition (m/s) of every pair's friction. IMP_OK, IMP_NO_MEMORY, IMP_BAD_ARGUMENT: more than
 * COMPLIANT_PAIRS. */
imp_status compliant_system_init(compliant_system *system, imp_tree *tree, const double gravity[3],
                                 int nspheres, const compliant_sphere *spheres, int nplanes,
                                 const compliant_plane *planes, double transition);
/* Joins the tree by loops besides its joints: spheres of links that one joins, other than by
 * rolling, or that welds of loops make one body, do not touch. IMP_OK, IMP_NO_MEMORY. */
imp_status compliant_system_join(compliant_system *system, imp_loops *loops);

void compliant_system_clear(compliant_system *system);

/* One pair at the tree's present place. */
typedef struct compliant_touch {
    double depth;     /* m, penetration; negative: the gap */
    double rate;      /* m/s, of depth */
    double normal[3]; /* world, from A to B */
    double point[3];  /* m, world: where the force acts */
    double slip[3];   /* m/s, tangential velocity of B against A at the point, world */
    /* rad/s, world: how the tangent plane turns, about its normal by the mean of both bodies; zero
     * where nothing gives */
    double turn[3];
    double passing; /* m/s, compliant_passing, where compliant_near looked; else 0 */
} compliant_touch;

compliant_touch compliant_look(const compliant_system *system, int pair);

/* m/s: no faster does a pair's gap change: the velocity of B's centre against A, where the tree is
 * placed. */
double compliant_passing(const compliant_system *system, int pair);

/* The pair as a contact (A, B, point, frame); the frame's t lies along the world's x, or y where n
 * does. */
imp_contact compliant_contact(const compliant_system *system, int pair,
                              const compliant_touch *touch);

/* point[0], [1] <- m, world: where A's and B's surfaces are nearest; the touch's own point, both,
 * where they overlap. */
void compliant_surfaces(const compliant_system *system, int pair, const compliant_touch *touch,
                        double point[2][3]);

/* m, how far from the origin of its link any ball reaches; 0 without balls. */
double compliant_reach(const compliant_system *system);

/* lever (nv, m per unit of v) <- the larger of itself and how far each degree of freedom moves the
 * bodies where they touch, or would, each at its own surface; row (nv) is scratch. */
void compliant_lever(const compliant_system *system, int pair, const compliant_touch *touch,
                     double *lever, double *row);

/* The force on B, N, world; normal (may be NULL) receives its normal part, N. */
void compliant_force(const compliant_law *law, const compliant_touch *touch, double force[3],
                     double *normal);

#endif
