/* trial.h - scenes put to an engine, and the rows they come to. */
#ifndef PEER_TRIAL_H
#define PEER_TRIAL_H

#include "benchmarks/peers/engines/engine.h"

/* Of each body: the centre (m) first, or its velocity (m/s) and spin (rad/s). */
typedef double trial_state[PEER_BODIES][6];

/* x, v <- where the bodies are, and how they move. */
void trial_read(const peer_engine *e, void *world, int bodies, trial_state x, trial_state v);

/* A row of standard output: ns of a step, NAN: not asked; an error above 0.1 is a failure. */
void trial_row(const char *question, const char *name, const peer_engine *e, double ns,
               double error);

/* Steps of a scene that lasts; x, v <- where the bodies are at the end, and how they move. Returns
 * ns of a step, NAN: the engine cannot. */
double trial_run(const peer_engine *e, const peer_scene *s, int steps, trial_state x,
                 trial_state v);

/* argued.c: what users of engines argue about. */
void argued(const peer_engine *e);

#endif
