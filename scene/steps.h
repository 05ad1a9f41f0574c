/* steps.h - a scene for the time stepper: bodies, what they may touch, and the step. Read from the
 * same files as scene.h, with three more ways to say what touches what and without a compliant run:
 *
 *     "contacts": [{"body": "box", "at": [[0.5, 0.5, -0.5], ...], "against": "ground", "normal":
 *     [0, 0, 1]}], "bores": {"facets": 6, "clearance": 1e-4, "list": [{"pin": "piston", "at": [0,
 *     0, 0], "holder": "rod", ...}]}, "lattice": {"radius": 0.04, "density": 1000, "across": [3,
 *     3], "count": 27, ...}, "step": {"h": 0.01, "until": 2, "model": "drumwright", "reach": 0.01}
 *
 * Spheres of bodies and of the lattice meet each other and the ground. docs/formats-scene.md
 * lists every key. */
#ifndef SCENE_STEPS_H
#define SCENE_STEPS_H

#include "multibody/step.h"
#include "scene/scene.h"

typedef struct scene_steps {
    char *title;
    int bodies, named;          /* of the bodies the first `named` have names */
    char **names;               /* (named) */
    imp_world *world;           /* links in the file's order, those of the lattice last */
    imp_loops *loops;           /* joints besides those in trees; NULL: none */
    imp_stepper *stepper;       /* of the world */
    imp_guard *guard;           /* spheres against the ground, then contacts, then bores */
    imp_ball *ball;             /* spheres and boxes of bodies */
    imp_shapes shapes;          /* guards and balls, as the stepper asks them */
    double *force;              /* (nv) N, N m */
    scene_friction *of_loops;   /* (loops) */
    double *mu_c, *mu_v;        /* (nv + loops) friction of the joints */
    imp_settings own;           /* of the model */
    imp_step_settings settings; /* points to the above */
    double until;               /* s */
} scene_steps;

/* Builds a variant of a file that has a "step". *s must stay where it is: its settings point into
 * it. Faults as of scene_build. IMP_OK, IMP_BAD_ARGUMENT, IMP_NO_MEMORY; *s is empty unless
 * IMP_OK. */
imp_status scene_steps_build(const scene_file *file, int variant, scene_steps *s, imp_error *error);

/* Opens the file, builds the variant of that name (NULL: the first), closes the file. IMP_IO
 * besides. */
imp_status scene_steps_open(const char *path, const char *variant, scene_steps *s,
                            imp_error *error);
void scene_steps_clear(scene_steps *s);

/* The number of a body by name, -1: none. */
int scene_steps_find(const scene_steps *s, const char *name);

#endif
