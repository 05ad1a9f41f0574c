/* joints.h - joints between bodies of a scene that close loops, and rolling:
 *
 *     "joints": [{"joint": "revolute", "a": "coupler", "b": "rocker", "at": [0.6, 0, 0],
 *                 "meets": [0, 0, 0.5], "axis": [0, 1, 0]}, ...] */
#ifndef SCENE_JOINTS_H
#define SCENE_JOINTS_H

#include "io/json_path.h"
#include "multibody/loop.h"
#include "scene/scene.h"

/* Reads the list at `at`, absent or not, of joints of the placed tree, whose links `numbers` names:
 * *loops, NULL without any, and *friction, one of each, for the caller to free. Then q and v are
 * moved to the nearest that keep them. */
bool scene_read_joints(const imp_json *at, const json_t *numbers, imp_tree *tree, double *q,
                       double *v, imp_loops **loops, scene_friction **friction);

#endif
