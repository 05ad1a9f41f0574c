/* near.c - the list of near pairs, by distances of centres. */
#include "compliant/near.h"

#include "base/vec3.h"

#include <stdlib.h>

imp_status compliant_near_init(compliant_near *near, const compliant_system *system, double least,
                               double skin) {
    *near = (compliant_near){.system = system, .least = least, .skin = skin};
    near->pair = calloc((size_t)system->npairs + 1, sizeof *near->pair);
    near->base = calloc(3 * (size_t)system->nspheres + 1, sizeof *near->base);
    return near->pair && near->base ? IMP_OK : IMP_NO_MEMORY;
}

void compliant_near_clear(compliant_near *near) {
    free(near->pair);
    free(near->base);
    *near = (compliant_near){0};
}

static void centre_of(const compliant_system *system, int sphere, double centre[3]) {
    const compliant_sphere *s = &system->spheres[sphere];
    imp_tree_point(system->tree, s->link, s->centre, centre);
}

/* m, the gap of a pair between the places in `base`, or less. */
static double gap_of(const compliant_near *near, int i) {
    const compliant_system *s = near->system;
    const compliant_pair *pair = &s->pairs[i];
    const double *b = near->base + 3 * (size_t)pair->b, radius = s->spheres[pair->b].radius;
    double arm[3];
    if (pair->plane >= 0) {
        sub3(b, s->planes[pair->plane].point, arm);
        return dot3(arm, s->planes[pair->plane].normal) - radius;
    }
    const compliant_sphere *A = &s->spheres[pair->a];
    sub3(b, near->base + 3 * (size_t)pair->a, arm);
    return norm3(arm) - radius - A->radius -
           norm3(A->half); /* around a box, whatever its attitude */
}

void compliant_near_list(compliant_near *near, const bool *pressing, double far) {
    const compliant_system *s = near->system;
    for (int i = 0; i < s->nspheres; i++)
        centre_of(s, i, near->base + 3 * (size_t)i);
    near->reach = near->least + near->skin + 2 * far;
    near->count = 0;
    for (int i = 0; i < s->npairs; i++)
        if (pressing[i] || gap_of(near, i) <= near->reach) near->pair[near->count++] = i;
}

double compliant_near_drift(const compliant_near *near) {
    double farthest = 0;
    for (int i = 0; i < near->system->nspheres; i++) {
        double centre[3], way[3];
        centre_of(near->system, i, centre);
        sub3(centre, near->base + 3 * (size_t)i, way);
        farthest = fmax(farthest, dot3(way, way));
    }
    return sqrt(farthest);
}

void compliant_near_look(const compliant_near *near, compliant_touch *touch) {
    for (int k = 0; k < near->count; k++)
        touch[k] = compliant_look(near->system, near->pair[k]);
}
