/* granular.h - flows of very many spheres: the impulse-velocity time-stepping scheme with hard
 * frictional contacts.
 *
 * Preclik, Eibl, Ruede (2017), section 3 and eq. (5): each step finds contacts, adds gravity to the
 * velocities, solves the multi-contact problem u = W p + q with u_n + gap/dt >= 0 by sweeps of
 * one-contact solutions, and moves the bodies with the new velocities. The contacts of a
 * homogeneous sphere have W_nt = W_no = 0 and W_tt = W_oo = 7/2 W_nn, where maximum dissipation and
 * Coulomb's law are the same problem with a closed solution. A sphere whose centre of mass is off
 * its centre couples normal and tangent; each law has its own solver there. Departures: a contact
 * is kept ahead of its touch when the approach within the step would close it (the paper allows it,
 * its program does not); impulses of the last step start the sweeps; deletion waits for the next
 * neighbour search.
 *
 * Results are the same bits for any number of threads and with or without SIMD. SI units, world
 * axes. A flow belongs to one thread at a time; different flows are independent. */
#ifndef IMP_GRANULAR_H
#define IMP_GRANULAR_H

#include "contact/delassus.h"
#include "base/status.h"
#include "base/threads.h"
#include "base/public.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

IMP_PUBLIC_BEGIN

/* What stands or moves as given, whatever hits it: the side a of its contacts. */
typedef enum imp_shape_kind {
    IMP_SHAPE_PLANE, /* half-space behind `point`, outer normal `normal` */
    /* along z without end: the half disc x <= point_x of `radius`, and on its flat side a box of
     * length `length` in x and width 2 radius in y (Preclik Fig. 7) */
    IMP_SHAPE_OBSTACLE,
} imp_shape_kind;

/* What particles meet besides each other. */
typedef struct imp_shape {
    imp_shape_kind kind;   /* a plane or an obstacle */
    double point[3];       /* m */
    double normal[3];      /* unit, into the room of the particles */
    double radius, length; /* m, of the obstacle */
    double velocity[3];    /* m/s, that `point` moves with */
    double friction;       /* coefficient against particles */
} imp_shape;

enum { IMP_SHAPES = 12 }; /* the most a flow may have */

/* A layer of spheres that enters in front of a moving plane, each time the plane has come `advance`
 * forward; the plane then starts again (Preclik section 4.3). Where a shape stands in the layer its
 * spheres enter into it all the same. */
typedef struct imp_inflow {
    int plane;       /* the shape that pushes, normal and velocity along +x alone; -1: no inflow */
    double advance;  /* m of travel per layer, at least 2 radius */
    int ny, nz;      /* layer: a grid of ny x nz spheres */
    double first[2]; /* m, y and z of the first */
    double spacing;  /* m */
    double radius;   /* m */
    double density;  /* kg/m^3 */
    /* m, of the centre of mass, imp_sphere.offset; > 0: each sphere stands at random */
    double offset;
    double speed;       /* m/s, along x */
    double disturbance; /* m/s, v_y and v_z are uniform in [-disturbance, disturbance] */
    uint64_t seed;      /* of the random numbers */
} imp_inflow;

/* velocity <- speed and disturbance of the particle `id`, a function of the seed and the id alone.
 * Thread-safe. */
void imp_inflow_disturb(const imp_inflow *inflow, int64_t id, double velocity[3]);

/* orientation (unit quaternion) <- uniform over all rotations, likewise. Thread-safe. */
void imp_inflow_orient(const imp_inflow *inflow, int64_t id, double orientation[4]);

/* Which law solves one contact, and how. */
typedef enum imp_granular_law {
    /* the closed form: for spheres that of both laws; off-centre ones as below */
    IMP_GRANULAR_MAXDISS,
    IMP_GRANULAR_COULOMB,         /* likewise */
    IMP_GRANULAR_MAXDISS_GENERAL, /* imp_maxdiss on the 3 x 3 block: slow, for comparison */
    IMP_GRANULAR_COULOMB_GENERAL, /* imp_coulomb_enumerate, most dissipative solution: slower */
} imp_granular_law;

/* Below, sweeps are too weak for what warm starts, which are over blend, leave to them: speeds
 * grow, at 0.01 and ten sweeps to the double. */
#define IMP_BLEND_LEAST 0.1

/* Settings of a flow; imp_granular_settings_default has presets. */
typedef struct imp_granular_settings {
    double step;       /* s, dt */
    double gravity[3]; /* m/s^2 */
    double friction;   /* between particles */
    double erp;        /* share of a penetration removed per step, 0 .. 1 */
    /* m >= 0: a contact is kept when its gap, less the approach of this step, is below this */
    double margin;
    /* false: kept when gap < margin, whatever the velocity (margin 0: the paper's program) */
    bool look_ahead;
    double warm; /* factor on the last step's impulses as first guess, 0 .. 1 */
    /* every second sweep goes through the contacts backwards: no direction is preferred */
    bool symmetric;
    /* Gauss-Seidel sweeps per step; the least number where `tolerance` decides */
    int sweeps;
    int split;        /* sweeps after the motion that want no push-out and take its velocity away
                          (split impulse: error reduction gives no energy), as far as they
                          converge: not counted, and under no tolerance; 0: it stays */
    double tolerance; /* > 0: sweep until the residual is at most this; 0: `sweeps` sweeps */
    int most_sweeps;  /* limit where `tolerance` decides */
    /* m, reach of the neighbour list beyond touch; grown by itself for fast particles */
    double skin;
    double low[3], high[3]; /* m, box of the neighbour grid; particles may leave it */
    double outlet;          /* m: particles with x beyond are deleted; INFINITY: none */
    int bricks[3];          /* pieces of the room per direction, at most one per grid cell: contacts
                               are swept brick by brick, threads and ranks share them; 0: as many
                               slabs along x, or 1 along y and z, as is fast for threads. Results
                               depend on them as on any order of contacts */
    /* 0: ranks sweep in the order of the whole flow; IMP_BLEND_LEAST to 1: each sweeps for itself
     * and every sweep is damped by this (Preclik's program: 0.75), so that results depend on the
     * ranks */
    double blend;
    /* 1 to IMP_THREADS_MOST; fastest where there are twice as many bricks along x. No result
     * depends on it. Where other programs want the processors, OMP_WAIT_POLICY=passive lets those
     * that wait sleep, as `impact flow` does. */
    int threads;
    bool simd; /* use AVX-512 or AVX2 where the CPU has it; no result depends on it */
    /* sweep in single precision, which is faster: positions, and velocities between steps, stay in
     * double, and what meets nothing keeps all digits of its velocity; a step adds rounding of 6e-8
     * of the velocities to what meets, below which no residual comes. For homogeneous spheres by
     * the closed form, with blend = 0, whose impulses are 1e-18 to 1e18 m/s times the mass of the
     * lightest: squares of others leave single precision, and friction its disc */
    bool single_precision;
    imp_granular_law law; /* of one contact, and how it is solved */
} imp_granular_settings;

/* dt 1e-5, gravity (0, 0, -9.81), friction 0.4, erp 0.8, margin 5e-6 with look-ahead, warm 0.9, 10
 * sweeps all in one direction, no split, tolerance 0, at most 1000, skin 1.8e-4, box 0 .. 0.1, no
 * outlet, bricks by itself, 1 thread, simd, maxdiss. */
imp_granular_settings imp_granular_settings_default(void);

/* Radii (m) and masses (kg) of spheres: in this range squares of impulses, which tell where
 * friction ends, and products of three entries of W stay in double precision, for velocities of
 * contacts of 1e-70 to 1e70 m/s. */
#define IMP_SPHERE_LEAST 1e-80
#define IMP_SPHERE_MOST  1e80

/* A particle. */
typedef struct imp_sphere {
    double position[3]; /* m, of the centre of the sphere */
    double velocity[3]; /* m/s, likewise */
    double spin[3];     /* rad/s */
    double radius;      /* m, in the range above */
    double density;     /* kg/m^3, mass over volume; the mass is in the range above, too */
    int64_t id;         /* unique in the flow, given on insertion, kept for life */
    double offset;      /* m, 0 <= offset < radius: the centre of mass is that far from the
                              centre. Of the mass m the share s = offset / radius is a point on the
                              surface, the rest a homogeneous ball */
    /* quaternion, body to world, which turns z to where the centre of mass is; all 0 for upright.
     * Finite in every flow; kept in those with an offset or a general law only */
    double orientation[4];
} imp_sphere;

/* A contact of the last step. */
typedef struct imp_granular_contact {
    int a, b;          /* particles by number; a = -1 - shape for a shape */
    double normal[3];  /* from a to b */
    double gap;        /* m, now; negative: penetration */
    double impulse[3]; /* N s on b */
} imp_granular_contact;

/* What a step did. Numbers of contacts count each once. */
typedef struct imp_granular_report {
    int particles, contacts; /* contacts solved */
    int touching;            /* gap < 0 at the start of the step */
    int close;               /* gap < 0.5 um: the threshold of the paper's program in metres */
    int loaded;              /* normal impulse > 0 at its end */
    double penetration;      /* m, the deepest at the start of the step; 0: none */
    int sweeps;              /* that were made, but those of `split` */
    /* largest |p - P(p - W_ii^-1 (u + bias n))| W_nn of a contact, P the one-contact solution, bias
     * gap / dt of gap > 0 and erp gap / dt of gap < 0, of the gap at the start of the step: after
     * the sweeps with push-out, before those of `split`, which nothing here looks at. m/s over |g|
     * dt; where g = 0 over the largest speed, of particles, shapes and push-outs (erp penetration /
     * dt) */
    double residual;
    double fastest;                      /* m/s, the largest particle speed at the end */
    bool rebuilt;                        /* the neighbour list was made anew */
    int inserted, deleted, lost;         /* lost: outside the box by more than its size */
    double shape_impulse[IMP_SHAPES][3]; /* N s from each shape on the particles */
} imp_granular_report;

/* Seconds spent by phase since the flow was made, and work counts. */
typedef struct imp_granular_costs {
    double list, detect, sweep, move; /* s, of each phase */
    /* steps, lists made anew, one-contact solves, particles times steps */
    long long steps, rebuilds, relaxations, particle_steps;
} imp_granular_costs;

/* A flow; made by imp_granular_new, freed by imp_granular_free. */
typedef struct imp_granular imp_granular;

/* An empty flow. NULL with *status IMP_BAD_ARGUMENT (a setting out of its range, too many shapes or
 * one of no kind, its friction or length below 0 or its radius not above, a normal that is not unit
 * within 1e-9, an inflow whose plane does not move along x alone or by less than a diameter),
 * IMP_NOT_FINITE or IMP_NO_MEMORY. inflow may be NULL. */
imp_granular *imp_granular_new(const imp_granular_settings *settings, int shapes,
                               const imp_shape *shape, const imp_inflow *inflow,
                               imp_status *status);
void imp_granular_free(imp_granular *flow);

/* Adds n spheres; ids are given in order, whatever theirs are. IMP_OK, IMP_NOT_FINITE,
 * IMP_BAD_ARGUMENT (radius or mass out of its range, offset not in [0, radius) or, in single
 * precision, not 0, n < 0 or too many), IMP_NO_MEMORY; nothing is added then. */
imp_status imp_granular_add(imp_granular *flow, int n, const imp_sphere *spheres);

/* One time step. report may be NULL. IMP_OK; IMP_NOT_CONVERGED: the step was made, the residual is
 * above the tolerance; IMP_NOT_FINITE: a position or velocity, or its square, is not finite;
 * IMP_NO_MEMORY: the flow can only be freed. */
imp_status imp_granular_step(imp_granular *flow, imp_granular_report *report);

/* Spheres in the flow; its time, s; what its steps have cost so far. */
int imp_granular_count(const imp_granular *flow);
double imp_granular_time(const imp_granular *flow);
imp_granular_costs imp_granular_cost(const imp_granular *flow);
size_t imp_granular_bytes(const imp_granular *flow); /* of memory that it has allocated */

/* Particle i, 0 <= i < count; the order changes when the list is made anew, the id does not. */
imp_sphere imp_granular_sphere(const imp_granular *flow, int i);

/* The first `room` of them at once; returns how many there are. */
int imp_granular_spheres(const imp_granular *flow, imp_sphere *spheres, int room);

/* Contacts of the last step, up to `room` of them; returns how many there are. They name particles
 * by number, as long as nothing is added. */
int imp_granular_contacts(const imp_granular *flow, imp_granular_contact *contacts, int room);

/* The sphere as a rigid body: its centre of mass, that one's velocity, and its inertia about it, in
 * a body frame with z through both centres: along z 2/5 (1 - s) m R^2, across (1 - s) (2/5 + s) m
 * R^2. Thread-safe. */
imp_body imp_sphere_body(const imp_sphere *sphere);

/* Shape i where it is now. */
imp_shape imp_granular_shape(const imp_granular *flow, int i);

/* gap (m) between a sphere and a shape and the normal (unit, from the shape) at `position`.
 * Thread-safe. */
double imp_shape_gap(const imp_shape *shape, const double position[3], double radius,
                     double normal[3]);

/* The whole state, written to and read from a stream so that the run goes on bit-identically; not
 * in it are the impulses of the last step where spheres were added after it, which would start the
 * next one's sweeps.
 * Reading needs a flow made with the same settings (threads and simd aside), shapes and inflow; its
 * particles are replaced. The stream to read from can be rewound. save: IMP_OK, IMP_IO. load:
 * IMP_OK, IMP_IO (cannot be read), IMP_NO_MEMORY, or IMP_BAD_ARGUMENT with *why one line: not a
 * checkpoint, another version, another set-up ("$.KEY" of what differs), damaged; the flow
 * is then empty. */
imp_status imp_granular_save(const imp_granular *flow, FILE *out);
imp_status imp_granular_load(imp_granular *flow, FILE *in, const char **why);

IMP_PUBLIC_END

/* Between the files of lib: the sum that ends a checkpoint of the flow. */
uint64_t imp_granular_sum(const imp_granular *flow);

#endif
