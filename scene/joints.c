/* joints.c - loops of a scene, from its JSON. */
#include "scene/joints.h"

#include "scene/build.h"

#include <stdlib.h>

static bool read_joint(const imp_json *at, const json_t *numbers, const imp_tree *tree,
                       imp_loop *loop, scene_friction *friction) {
    static const char *const kinds[] = {"ball", "revolute", "slider", "weld", "rolling", NULL};
    static const char *const keys[][10] = {
        [IMP_LOOP_BALL] = {"joint", "a", "b", "at", "meets", NULL},
        [IMP_LOOP_REVOLUTE] = {"joint", "a", "b", "at", "meets", "axis", "friction",
                               "viscous_friction", NULL},
        [IMP_LOOP_SLIDER] = {"joint", "a", "b", "at", "meets", "axis", "friction",
                             "viscous_friction", NULL},
        [IMP_LOOP_WELD] = {"joint", "a", "b", "at", "meets", NULL},
        [IMP_LOOP_ROLLING] = {"joint", "a", "b", "centre", "radius", "normal", NULL}};
    const imp_json kind = imp_json_member(at, "joint"), first = imp_json_member(at, "a"),
                   second = imp_json_member(at, "b");
    double point[3] = {0}, meets[3] = {0}, axis[3] = {0, 0, 1}, radius = 0;
    int word, a = IMP_GROUND, b = IMP_GROUND;
    if (!imp_json_choice(&kind, kinds, &word) || !imp_json_object(at, keys[word]) ||
        !scene_read_link(&first, numbers, &a) || !scene_read_link(&second, numbers, &b))
        return false;
    const bool rolls = word == IMP_LOOP_ROLLING;
    const imp_json to = imp_json_member(at, rolls ? "centre" : "meets"),
                   from = imp_json_member(at, "at"), size = imp_json_member(at, "radius"),
                   along = imp_json_member(at, rolls ? "normal" : "axis");
    if (a == b) return imp_json_refuse(&second, "the same as a, expected another");
    if (!rolls && !imp_json_vector(&from, 3, point)) return false;
    if (to.value && !imp_json_vector(&to, 3, meets)) return false;
    if (rolls && !scene_read_positive(&size, &radius)) return false;
    const bool directed = word == IMP_LOOP_REVOLUTE || word == IMP_LOOP_SLIDER;
    if ((directed || along.value) && !imp_json_direction(&along, axis)) return false;
    if (!scene_read_friction(at, friction)) return false;
    const imp_status status = imp_loop_of(tree, (imp_loop_kind)word, a, b, point,
                                          to.value || rolls ? meets : NULL, axis, radius, loop);
    return status == IMP_OK || imp_json_no_direction(&along);
}

bool scene_read_joints(const imp_json *at, const json_t *numbers, imp_tree *tree, double *q,
                       double *v, imp_loops **loops, scene_friction **friction) {
    size_t n = 0;
    *loops = NULL;
    *friction = NULL;
    if (!at->value) return true;
    if (!imp_json_array(at, &n)) return false;
    if (n == 0) return true;
    imp_loop *loop = calloc(n, sizeof *loop);
    *friction = calloc(n, sizeof **friction);
    bool good = (loop && *friction) || imp_json_no_memory(at);
    for (size_t i = 0; good && i < n; i++) {
        const imp_json item = imp_json_item(at, i);
        good = read_joint(&item, numbers, tree, &loop[i], &(*friction)[i]);
    }
    if (good) *loops = imp_loops_new(tree, (int)n, loop);
    free(loop);
    if (!good) return false;
    const imp_status status = *loops ? imp_loops_project(*loops, q, v, NULL) : IMP_NO_MEMORY;
    if (status == IMP_NO_MEMORY) return imp_json_no_memory(at);
    if (status == IMP_NOT_CERTIFIED)
        return imp_json_refuse(at,
                               "joints that almost depend on each other, expected another pose");
    return status == IMP_OK ||
           imp_json_refuse(at, "joints that no near pose closes, expected bodies that reach them");
}
