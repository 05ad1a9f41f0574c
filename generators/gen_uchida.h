/* gen_uchida.h - the impacts of Uchida, Sherman, Delp (2015), and the tables of reference answers
 * for them.
 *
 * The paper and the tables have the normal last; here everything is normal first, (x, y, z) -> (n,
 * t, o) = (z, x, y).
 */
#ifndef GEN_UCHIDA_H
#define GEN_UCHIDA_H

#include "plus/plus.h"

#include <stdint.h>
#include <stdio.h>

enum { UCHIDA_CONTACTS = 4, UCHIDA_ROWS = 3 * UCHIDA_CONTACTS };

typedef struct uchida_scene {
    int nc;
    double W[UCHIDA_ROWS * UCHIDA_ROWS], q[UCHIDA_ROWS]; /* (3nc x 3nc) 1/kg, (3nc) m/s */
    double mu[UCHIDA_CONTACTS], e[UCHIDA_CONTACTS];
} uchida_scene;

/* Example 1: the brick on one vertex, contact point moving with v (x, y, z) m/s. */
uchida_scene uchida_vertex(double mu, double e, const double v[3]);

/* Example 2: the brick of half sizes h (m) flat on four vertices, sliding along -x; contacts 0 and
 * 1 lead. */
uchida_scene uchida_flat(const double h[3]);

/* The same on its four vertices, moving as it may: impact k of as many as you like. */
uchida_scene uchida_moving(const double h[3], uint64_t k);

/* Example 3: five balls in a row, the first coming in at 2 m/s, e = 1, no friction. */
uchida_scene uchida_cradle(void);

/* One interval of a reference trajectory. */
typedef struct uchida_interval {
    char name[32]; /* of the case */
    int round;
    double alpha;
    char end[8];                         /* full, dcK, cpK */
    char state[2 * UCHIDA_CONTACTS + 2]; /* phases/motions */
    double e[UCHIDA_CONTACTS], pi[UCHIDA_ROWS], v[UCHIDA_ROWS];
} uchida_interval;

/* The next row of the table, false at its end. */
int uchida_read_interval(FILE *file, uchida_interval *row);

/* A random brick on two or three points, and its answer. */
typedef struct uchida_random {
    char name[32];
    uchida_scene scene;
    double theta_max; /* rad */
    int intervals, rounds;
    double p[UCHIDA_ROWS], u[UCHIDA_ROWS]; /* N s, m/s */
} uchida_random;

int uchida_read_random(FILE *file, uchida_random *row);

#endif
