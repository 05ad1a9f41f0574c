/* spheres.h - spheres that drop into an open box (Drumwright, Shell 2010, section 4.2; what the
 * paper does not print is the project's): benchmarks/scenes/spheres.json. */
#ifndef SPHERES_H
#define SPHERES_H

#include "scene/steps.h"

#include <stdbool.h>

typedef struct spheres {
    scene_steps scene;
    int count;
} spheres;

/* A variant of the scene: "27", "96" or "1001" spheres at rest above the box. False with the error
 * filled; spheres_free either way. `s` must stay where it is. */
bool spheres_open(const char *variant, spheres *s, imp_error *error);
void spheres_free(spheres *s);

/* kg, of one; max |v| (m/s), KE / m (J/kg), (KE + PE) / m. */
double spheres_mass(const spheres *s);
double spheres_fastest(const spheres *s);
double spheres_kinetic(const spheres *s);
double spheres_energy(const spheres *s);

#endif
