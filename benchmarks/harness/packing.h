/* packing.h - dense packings of spheres at rest in an open box, for the granular benchmark and its
 * peer. */
#ifndef PACKING_H
#define PACKING_H

#include "granular/granular.h"

typedef struct packing {
    int n;              /* spheres; 0: making it failed */
    double wide, high;  /* m, of the box */
    imp_sphere *sphere; /* (n), free it */
} packing;

/* Room for n spheres. */
packing packing_new(int n, double wide, double high);

/* side^3 spheres of radius 0.47 mm that fell from a grid, on which they tumbled, and settled for
 * 0.1 s. */
packing packing_settle(int side);

/* Five planes, the walls and the floor of the box of the settings, open above; returns how many. */
int packing_walls(const imp_granular_settings *settings, imp_shape shape[5]);

/* The spheres as a flow within the box, whose size replaces that of `settings`. NULL without
 * memory. */
imp_granular *packing_flow(const packing *p, const imp_granular_settings *settings);

#endif
