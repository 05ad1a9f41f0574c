/* bodies.h - the state of a flow's particles, and the shapes that they meet. */
#ifndef IMP_GRANULAR_BODIES_H
#define IMP_GRANULAR_BODIES_H

#include "granular/granular.h"

/* The moving part of a particle or a shape, one cache line. */
typedef struct body {
    double v[3];     /* m/s */
    double inv_mass; /* 1/kg; 0: a shape */
    double q[3];     /* m/s, radius times spin: contact velocities need no radius then */
    double friction;
} body;

/* What sweeps in single precision know of it. */
typedef struct single_body {
    _Alignas(32) float v[3];
    float inv_mass; /* over that of the unit of mass (contacts.h) */
    float q[3], friction;
} single_body;

typedef struct place {
    double x[3], radius; /* m */
} place;

/* How a particle stands that is not the same all round, one cache line. */
typedef struct top {
    double turn[4]; /* unit quaternion, body to world */
    double axis[3]; /* unit, world, from the centre to the centre of mass: what `turn` makes of z */
    double offset;  /* m, of the centre of mass; 0: homogeneous, never turned */
} top;

/* One particle, alone. */
typedef struct particle {
    body body;
    place place;
    int64_t id;
    top top; /* the last: only flows with off-centre particles have it */
} particle;

typedef struct bodies {
    int count, room;          /* particles; bodies of shapes and idle lanes stand behind them */
    body *body;               /* (room), as all that follow */
    place *place, *reference; /* now, and when the neighbour list was made */
    int64_t *id;
    unsigned char *own; /* 1; on ranks 0 for a copy of another rank's */
    top *top;           /* NULL: all are homogeneous, and the law is not a general one */
} bodies;

/* The share of a contact's impulse that its bodies get. */
static inline double handed_out(double blend) {
    return blend > 0 ? blend : 1;
}

/* Does the law want the general solvers for every contact? */
static inline bool is_general(imp_granular_law law) {
    return law == IMP_GRANULAR_MAXDISS_GENERAL || law == IMP_GRANULAR_COULOMB_GENERAL;
}

/* Where the sweeps have the velocities. */
typedef struct swept_bodies {
    body *body;
    single_body *single; /* instead, in single precision */
} swept_bodies;

typedef struct surfaces {
    int n;
    imp_shape at[IMP_SHAPES];
} surfaces;

/* Room for n bodies, with tops where `tops` or where there are some: who had none is homogeneous.
 * false: no memory. */
bool imp_bodies_reserve(bodies *b, int n, bool tops);
void imp_bodies_free(bodies *b);

/* bytes of a particle, with a top where there are some */
size_t imp_particle_size(const bodies *b);
particle imp_bodies_get(const bodies *b, int i);
/* An own particle, which stands where the list is made. */
void imp_bodies_put(bodies *b, int i, const particle *one);
int imp_bodies_own(const bodies *b); /* how many */

/* Each of the bricks has bodies of its own for the shapes, and one at rest for idle lanes, so no
 * two threads share one. They stand behind the particles. false: no memory. */
bool imp_bodies_statics(bodies *b, const surfaces *walls, int bricks);

/* The body of a shape (shape = walls->n: of idle lanes) for a brick. */
static inline int static_body(const bodies *b, const surfaces *walls, int brick, int shape) {
    return b->count + brick * (walls->n + 1) + shape;
}

double imp_sphere_mass(const imp_sphere *sphere); /* kg */
/* The state that a sphere is added with; its top upright where its quaternion is 0. */
particle imp_particle_of(const imp_sphere *sphere, int64_t id, double friction);
imp_sphere imp_particle_sphere(const particle *one);

/* Free motion of particles [begin, end) over the time h, of those off-centre as tops. */
void imp_bodies_move(bodies *b, double h, int begin, int end);

/* Principal moments of inertia over m R^2 where the share s of the mass is the point (tops.c). */
double imp_top_along(double s);
double imp_top_across(double s);
/* axis <- what `turn` makes of z. */
void imp_top_axis(top *t);
top imp_top_of(const imp_sphere *sphere);
void imp_top_move(double h, body *b, place *x, top *t);

#endif
