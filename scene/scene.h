/* scene.h - a described situation: bodies, spheres welded to them, joints, ground, material,
 * initial state, and until when to watch it. Read from JSON, turned into multibody objects, a
 * compliant run, or a contact problem.
 *
 *     {"kind": "scene", "title": "...", "source": "...", "gravity": [0, 0, -9.81],
 *      "material": {"stiffness": 1e10, "dissipation": 0.26, "friction": 0.225}, "transition": 0.01,
 *      "ground": [{"point": [0, 0, 0], "normal": [0, 0, 1]}],
 *      "bodies": {"brick": {"mass": 2, "box": [0.4, 0.6, 0.8], "turns": [["x", 45], ["y", 30]],
 *      "clearance": 0,
 *                           "velocity": [-5, 0, -5.74], "spheres": [{"radius": 0.1, "at":
 *                           "corners"}]}},
 *      "run": {"until": 1, "apart": 0.001}, "impact": {"proximity": 1e-6},
 *      "variants": {"slippery": {"material": {"friction": 0.125}}, ...}}
 *
 * SI units; angles in "turns" and "angle" are in degrees. docs/formats-scene.md lists every
 * key. A variant is a merge patch (RFC 7396) on the rest of the file: its objects are merged,
 * everything else in it replaces. */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "compliant/run.h"
#include "contact/model.h"
#include "io/json_path.h"

/* A scene file: its text, and the variants in it. */
typedef struct scene_file {
    char *name;    /* as opened */
    json_t *root;  /* the document */
    int variants;  /* how many it names; a file without any counts as one, without a name */
    char **assign; /* (assigned) "key.key=value", behind every variant */
    int assigned;
} scene_file;

/* Opens and reads, "-" for standard input. IMP_OK, IMP_IO, IMP_BAD_ARGUMENT, IMP_NO_MEMORY. */
imp_status scene_open(const char *path, scene_file *file, imp_error *error);
void scene_close(scene_file *file);

/* From now on every variant has this value: "key.key=value" overwrites a key of the scene,
 * "key=value" the setting of that name in every model of the list that has one, otherwise a key
 * of the scene, too. What the value may be is for scene_build to say. IMP_OK, IMP_BAD_ARGUMENT
 * (no such setting or key), IMP_NO_MEMORY. */
imp_status scene_assign(scene_file *file, const imp_model *const models[], const char *assignment,
                        imp_error *error);
/* Takes back all but the first `count` of scene_file.assigned. */
void scene_unassign(scene_file *file, int count);

/* The name of a variant, NULL where the file has none; its number by name, -1: unknown. */
const char *scene_variant_name(const scene_file *file, int variant);
int scene_variant_find(const scene_file *file, const char *name);

/* How the scene becomes a contact problem at its first touch. */
typedef struct scene_impact {
    double proximity; /* m, pairs with a smaller gap take part */
    /* of every contact; NAN: what the compliant law does to the fastest closing one */
    double restitution;
} scene_impact;

/* Of a joint: its torque, or force, is at most dry + viscous |rate|. */
typedef struct scene_friction {
    double dry, viscous; /* N m, N m s/rad; of a slider N, N s/m */
} scene_friction;

typedef struct scene {
    char *title; /* file's title and the variant's name */
    int bodies;
    /* (bodies) in the file's order, which is the order of the tree's links */
    char **names;
    imp_tree *tree;          /* the bodies and their joints */
    imp_loops *loops;        /* joints that close loops of it; NULL: none */
    compliant_system system; /* their surfaces, and the planes */
    double *mu_c, *mu_v;     /* (nv + loops) friction of the joints of the tree, and of its loops */
    int rubs;                /* how many have any */
    double *q, *v;           /* initial state */
    compliant_settings run;  /* of a compliant run */
    scene_impact impact;     /* of a contact problem */
    json_t *settings;        /* {model name: its settings}; NULL: none; checked */
} scene;

/* Builds a variant. Every fault is one line with the JSON path: unknown keys, wrong types, a mass
 * not above 0, an inertia against the triangle inequality, a joint with friction, a parent that is
 * not an earlier body, spheres that overlap at the start by more than 1e-9 of the smaller radius,
 * and by more than rounding hides. IMP_OK, IMP_BAD_ARGUMENT, IMP_NO_MEMORY. */
imp_status scene_build(const scene_file *file, int variant, scene *s, imp_error *error);
/* The same with joints that rub, which a course (course.h) follows and a compliant run does not. */
imp_status scene_build_rubbing(const scene_file *file, int variant, scene *s, imp_error *error);
void scene_clear(scene *s);

/* Under which name settings of a model stand in a scene: its own; of a solver outside that of the
 * first model of its law, which the law reads. */
const char *scene_settings_name(const imp_model *model);

/* The settings of a model: its presets, overwritten by the scene's. */
void scene_model_settings(const scene *s, const imp_model *model, imp_settings *settings);

#endif
