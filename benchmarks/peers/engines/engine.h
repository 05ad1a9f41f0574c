/* engine.h - what a physics engine is to the scenes of trial.c and argued.c: open a scene, step it,
 * say where the bodies are.
 *
 * Each engine is a program of its own (these two and one of the other files here), so that one
 * that crashes, prints, or is not installed harms nobody. The engines bring their own collision
 * detection and their own steps; what they are told is the scene, and the settings in
 * `settings`. */
#ifndef PEER_ENGINE_H
#define PEER_ENGINE_H

#include "impact_dump.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PEER_BODIES = 16, PEER_CONTACTS = 128 };

/* A solid ball or box; or a capsule, along its own z axis, with any moments of inertia. */
typedef struct peer_body {
    double radius;      /* m, of a ball or capsule; 0: a box */
    double half[3];     /* m, of a box */
    double length;      /* m, of a capsule between the centres of its ends; 0: a ball */
    double moment[3];   /* kg m^2, of a capsule, about its own axes */
    double mass;        /* kg */
    double position[3]; /* m */
    double attitude[4]; /* unit quaternion, body to world, scalar first */
    double velocity[6]; /* m/s of the centre, then rad/s, world */
} peer_body;

typedef struct peer_scene {
    int bodies;
    peer_body body[PEER_BODIES];
    int ground;        /* 1: the half space z <= 0 is solid */
    double mu, e;      /* of every pair */
    double gravity[3]; /* m/s^2, world */
    double h;          /* s, time step */
    int tower;  /* 1: each box lies on the one before it; for programs that are told the pairs
                       that may touch */
    int report; /* 1: `contacts` will be asked */
} peer_scene;

typedef struct peer_engine {
    const char *name, *settings; /* "ODE 0.16", what was set, one line */
    int settle;                  /* steps from first touch until an impact is over: 1 where impulses
                                    act at once */
    /* NULL: it cannot take the scene, which outlives the world. */
    void *(*open)(const peer_scene *scene);
    /* The bodies are where the scene has them and move as there; of the steps since, memory alone
     * is kept. */
    void (*again)(void *world);
    void (*step)(void *world);
    void (*read)(void *world, int body, double position[3], double velocity[6]);
    void (*close)(void *world);
    /* The contacts of the last step, where they were when it began, without mu and e, and the
     * impulses (N s, world, on b) that the engine reports; returns how many, at most
     * PEER_CONTACTS. NULL: it reports none. */
    int (*contacts)(void *world, imp_dump_contact *contact, double *impulse);
} peer_engine;

/* The engines of this program, ended by one without a name. */
extern const peer_engine peer_engines[];

#ifdef __cplusplus
}
#endif

#endif
