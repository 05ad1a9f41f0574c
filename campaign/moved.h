/* moved.h - what a world does, by arithmetic of the campaign's own: momenta and energies from where
 * its links are and how they move; masses, contact rows and W from the velocities that each degree
 * of freedom gives them. */
#ifndef CAMPAIGN_MOVED_H
#define CAMPAIGN_MOVED_H

#include "generators/gen_world.h"

enum { MOVED_CONTACTS = 96, MOVED_ROWS = 3 * MOVED_CONTACTS };

/* A tree's links together. */
typedef struct moved_tree {
    bool floats; /* it stands on the ground by no joint */
    double mass, com[3];
    double linear[3], angular[3];     /* kg m/s; kg m^2/s, about the world's origin */
    double linear_size, angular_size; /* of the terms that these are sums of */
    double kinetic;                   /* J */
} moved_tree;

/* Of tree t as the world is placed. */
moved_tree moved_of(const imp_world *world, int t);

/* What the degrees of freedom do at a place. */
typedef struct moved_basis {
    int nv, nl;
    double rate[GEN_WORLD_NV][GEN_WORLD_LINKS][6]; /* of each link's centre of mass, and its spin */
    double H[GEN_WORLD_NV * GEN_WORLD_NV];         /* (nv x nv) the mass matrix */
    double L[GEN_WORLD_NV * GEN_WORLD_NV];         /* its Cholesky factor */
    double condition; /* the largest of its diagonal over the square of its pivot */
} moved_basis;

/* Of the world at its q; it is placed at q and v again. false: no mass somewhere. */
bool moved_basis_of(imp_world *world, moved_basis *basis);
void moved_solve(const moved_basis *basis, double *x); /* x (nv) <- H^-1 x */

/* row (nv) <- row r of contact c: the velocity of b less that of a along its axis r. size (nv): of
 * its terms, with the places that arms are differences of. */
void moved_row(const imp_world *world, const moved_basis *basis, const imp_contact *c, int r,
               double *row, double *size);

#endif
