/* engine.h - an inline engine whose joints are contacts only: pins in polygonal bores (Drumwright, Shell 2010, section
 * 4.1; dimensions are the project's), and the ideal mechanism beside it. */
#ifndef ENGINE_H
#define ENGINE_H

#include "impact.h"

#include <stdbool.h>

typedef struct engine_design {
    int cylinders; /* 1, or 4 with crank angles 0, pi, pi, 0 */
    int facets;    /* K of every bore */
} engine_design;

typedef struct engine {
    imp_world *world; /* bodies: crankshaft, then a rod and a piston per cylinder */
    imp_stepper *stepper;
    imp_guard *guard;
    imp_shapes shapes;
    double angle; /* rad, of the crank; engine_watch keeps count of turns */
} engine;

/* An engine at a crank angle (rad from x) and speed (rad/s), its parts centred in their clearances. False without
 * memory; engine_free either way. */
bool engine_new(engine_design design, double angle, double speed, engine *e);
void engine_free(engine *e);

/* Brings e->angle up to date after a step of less than half a turn. */
void engine_watch(engine *e);

/* The ideal mechanism with one degree of freedom, clearance 0: angle and speed after the time t, and its kinetic energy
 * (J) then; torque (N m) on the crank, gravity (m/s^2) against the cylinders. */
typedef struct engine_ideal {
    double angle, speed, kinetic;
} engine_ideal;
engine_ideal engine_ideal_run(engine_design design, double angle, double speed, double torque, double gravity,
                              double t);

#endif
