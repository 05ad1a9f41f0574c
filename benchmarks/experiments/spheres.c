/* spheres.c - spheres on a jittered grid above an open box. */
#include "benchmarks/experiments/spheres.h"

#include "base/vec3.h"

bool spheres_open(const char *variant, spheres *s, imp_error *error) {
    *s = (spheres){0};
    if (scene_steps_open("benchmarks/scenes/spheres.json", variant, &s->scene, error) != IMP_OK)
        return false;
    s->count = s->scene.bodies;
    return true;
}

void spheres_free(spheres *s) {
    scene_steps_clear(&s->scene);
}

double spheres_mass(const spheres *s) {
    return imp_tree_link(s->scene.world->tree[0], 0)->mass;
}

double spheres_fastest(const spheres *s) {
    double fastest = 0;
    for (int i = 0; i < s->count; i++)
        fastest = fmax(fastest, norm3(imp_world_v(s->scene.world, i)));
    return fastest;
}

double spheres_kinetic(const spheres *s) {
    return imp_world_kinetic(s->scene.world) / spheres_mass(s);
}

double spheres_energy(const spheres *s) {
    return spheres_kinetic(s) +
           imp_world_potential(s->scene.world, s->scene.settings.gravity) / spheres_mass(s);
}
