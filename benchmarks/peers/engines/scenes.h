/* scenes.h - the scenes that the engines are put to: by trial.c for their outcomes, by steps.c for
 * what happens in each step. */
#ifndef PEER_SCENES_H
#define PEER_SCENES_H

#include "benchmarks/peers/engines/engine.h"

extern const double scene_depth; /* m, of bodies in touch */

/* A ball of 1 kg that falls at 1 m/s, `gap` (m) above the ground, and moves at vx along x. */
peer_scene scene_ball(double mu, double e, double vx, double gap);

/* A spinning box that strikes the ground with one corner. */
peer_scene scene_corner(void);

/* The lowest corner of a box, m from its centre. */
void scene_lowest_corner(const peer_body *b, double corner[3]);

/* Five equal balls in a row that touch, the first coming in, e = 1. */
peer_scene scene_cradle(void);

/* A flat box that slides at 2 m/s, 30 degrees off the axes. */
peer_scene scene_sliding(void);

/* Ten cubes on top of each other. */
peer_scene scene_stack(void);

#endif
