/* build.h - what the files that read a scene share. */
#ifndef SCENE_BUILD_H
#define SCENE_BUILD_H

#include "scene/scene.h"

#include <float.h>

/* A body as it stands in a file. */
typedef struct scene_body {
    imp_link link;
    double position[3], orientation[4]; /* free: m, world; unit quaternion */
    double velocity[3], spin[3];        /* free: m/s, rad/s */
    double coordinate, rate;            /* revolute: rad, rad/s; slider: m, m/s */
    scene_friction friction;            /* of the joint */
    double clearance;                   /* m, free: its lowest sphere's height over the first plane;
                                           NAN: as placed */
    int first_sphere, spheres;          /* its own, in the list of all */
} scene_body;

/* Everything read so far. */
typedef struct scene_draft {
    int nbodies, nspheres, nplanes;
    scene_body *bodies;
    compliant_sphere *spheres;
    compliant_plane *planes;
    compliant_material material; /* the default */
    double gravity[3], transition;
} scene_draft;

/* Reads the whole of a scene; name is the variant's or NULL; rubs: joints may have friction. The
 * error of `at` is filled on a fault. */
imp_status scene_read(const imp_json *at, const char *name, bool rubs, scene *s);

/* Refuses what stands at `at`, where `name`, its text or its key, cannot be a field of the tables
 * that name what they are of. */
bool scene_read_name(const imp_json *at, const char *name);

/* imp_json_positive, of numbers that have all digits of a double: what is smaller is rounding. */
static inline bool scene_read_positive(const imp_json *at, double *x) {
    if (!imp_json_positive(at, x)) return false;
    return *x >= DBL_MIN ||
           imp_json_expected(at, "a number > 0 that keeps its digits, from 2.3e-308 on");
}

/* Parts of it: the title with the variant's name; half spaces; bodies with their names, allocated
 * one by one, and `numbers`, an object that maps them to their places. What has been read on a
 * fault is the caller's, too. */
bool scene_read_title(const imp_json *at, const char *name, char **title);
bool scene_read_ground(const imp_json *at, scene_draft *draft);
bool scene_read_bodies(const imp_json *at, scene_draft *draft, char ***names, int *count,
                       json_t *numbers);

/* Bodies with a clearance <- so high over the first plane; named in `bodies`, where one is refused
 * that has no ground. */
bool scene_lift_bodies(const imp_json *bodies, char **names, scene_draft *draft);

/* Frees what the draft holds. IMP_OK, or, not `good`, the status of what was refused at `at`. */
imp_status scene_end_draft(const imp_json *at, scene_draft *draft, bool good);

/* Adds a sphere to the draft's. */
bool scene_add_sphere(const imp_json *at, scene_draft *draft, const compliant_sphere *sphere);

/* Calls `read` with the root of a variant of the file, patched, and its name or NULL. Its
 * status. */
imp_status scene_read_variant(const scene_file *file, int variant,
                              imp_status (*read)(const imp_json *at, const char *name, void *to),
                              void *to, imp_error *error);

/* Reads the body `name` at `at` into draft->bodies[draft->nbodies] and its spheres behind the
 * others. `names` maps the bodies before it to their numbers. */
bool scene_read_body(const imp_json *at, const json_t *names, scene_draft *draft);

/* *link <- the number of the body whose name stands at `at`, by `numbers`; IMP_GROUND. */
bool scene_read_link(const imp_json *at, const json_t *numbers, int *link);

/* Reads "friction" and "viscous_friction" of a joint, absent or not. */
bool scene_read_friction(const imp_json *at, scene_friction *friction);

/* Reads a surface's material over the default. */
bool scene_read_material(const imp_json *at, compliant_material *material);

#endif
