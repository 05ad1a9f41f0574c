/* engine.h - inline engines whose joints are contacts only: pins in polygonal bores (Drumwright,
 * Shell 2010, section 4.1; dimensions are the project's), from benchmarks/scenes, and the ideal
 * mechanism beside them. */
#ifndef ENGINE_H
#define ENGINE_H

#include "benchmarks/harness/report.h"
#include "lib/impact.h"
#include "scene/steps.h"

#include <stdbool.h>

typedef struct engine {
    scene_steps scene; /* bodies: crankshaft, then a rod and a piston per cylinder; 4 with crank
                          angles 0, pi, pi, 0 */
    int cylinders;
    double angle; /* rad from x, of the crank; engine_watch keeps count of turns */
} engine;

/* A variant (NULL: the first) of benchmarks/scenes/FILE.json. *e must stay where it is. On false a
 * failing row says why and the engine is empty. */
bool engine_open(report *r, const char *file, const char *variant, engine *e);
void engine_close(engine *e);

/* Brings e->angle up to date after a step of less than half a turn. */
void engine_watch(engine *e);

/* rad/s, of the crank. */
double engine_speed(const engine *e);

/* The ideal mechanism with one degree of freedom, clearance 0, after the time t from where the
 * engine is: crank angle and speed, and its kinetic energy (J). The engine's torque on the crank
 * and gravity act on it. */
typedef struct engine_ideal {
    double angle, speed, kinetic;
} engine_ideal;
engine_ideal engine_ideal_run(const engine *e, double t);

#endif
