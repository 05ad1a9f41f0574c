/* guards.h - what bodies may touch when a scene is stepped. */
#ifndef SCENE_GUARDS_H
#define SCENE_GUARDS_H

#include "multibody/nearby.h"
#include "scene/build.h"

typedef struct scene_guards {
    const imp_world *world; /* of the bodies */
    int count, room;
    imp_guard *guard; /* (room) the caller frees */
} scene_guards;

/* Balls of the draft against its ground, then "contacts" and "bores" of the scene at `at`.
 * `numbers` maps names to links. The error of `at` is filled on a fault. */
bool scene_read_guards(const imp_json *at, const json_t *numbers, const scene_draft *draft,
                       scene_guards *g);

/* Adds the balls of a "lattice" to the draft's bodies and spheres: count balls in layers of
 * across[0] x across[1], the first at the height `bottom`, each coordinate moved by jitter (u -
 * 1/2), u drawn x, y, z in the order of the balls.
 */
bool scene_read_lattice(const imp_json *at, scene_draft *draft);

#endif
