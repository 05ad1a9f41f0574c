/* world.h - everything that moves: trees of rigid bodies and where they are. Contacts couple the
 * trees.
 *
 * Links are numbered through all trees, in their order, and so are coordinates and degrees of
 * freedom. */
#ifndef IMP_WORLD_H
#define IMP_WORLD_H

#include "multibody/tree.h"
#include "base/public.h"

#include <stdbool.h>

IMP_PUBLIC_BEGIN

/* Trees, their coordinates one behind another, and their velocities. */
typedef struct imp_world {
    int nt, nl, nq, nv; /* trees, links, coordinates, degrees of freedom */
    imp_tree **tree;    /* (nt) owned */
    int *q_at, *v_at;   /* (nt + 1) where the coordinates of each tree begin */
    int *tree_of;       /* (nl) the tree of a link, and its number there */
    int *link_of;       /* (nl) */
    int *carrier; /* (nl) the link that it moves with: itself, or the nearest above that is not
                     welded, or one that what else joins them welds it to; IMP_GROUND */
    double *q;    /* (nq) */
    double *v;    /* (nv) */
} imp_world;

/* A world of nt trees, which it owns from now on, at coordinates zero and at rest: free links at
 * the origin with the attitude of the world. NULL without memory; the trees are still the caller's
 * then. */
imp_world *imp_world_new(int nt, imp_tree *const *trees);

/* A world of nb free bodies, each a tree of its own. position (3 nb, m). NULL unless *status (may
 * be NULL) is IMP_OK; statuses of imp_tree_new. */
imp_world *imp_world_of_bodies(int nb, const imp_link *links, const double *position,
                               imp_status *status);
void imp_world_free(imp_world *world);

/* Puts all trees where q and v say. */
void imp_world_place(imp_world *world);

/* q of a link's joint, v of it; NULL never: a welded link has the next one's. */
double *imp_world_q(const imp_world *world, int link);
double *imp_world_v(const imp_world *world, int link);

/* Are the links a and b, or IMP_GROUND, parts of one rigid body: one, or welded together? */
bool imp_world_rigid(const imp_world *world, int a, int b);

/* Where a link is and how it moves; after imp_world_place. */
const imp_link_state *imp_world_state(const imp_world *world, int link);

/* point (3, m, world) <- the point `local` of a link; and the velocity (3, m/s) of its material
 * there; IMP_GROUND: at rest. Either, and the direction below, may be put where it came from. */
void imp_world_point(const imp_world *world, int link, const double local[3], double point[3]);
void imp_world_point_velocity(const imp_world *world, int link, const double point[3],
                              double velocity[3]);

/* direction (3, world) <- the direction `local`, fixed to a link. */
void imp_world_direction(const imp_world *world, int link, const double local[3],
                         double direction[3]);

/* J; after imp_world_place. gravity m/s^2. */
double imp_world_kinetic(const imp_world *world);
double imp_world_potential(const imp_world *world, const double gravity[3]);

IMP_PUBLIC_END

#endif
