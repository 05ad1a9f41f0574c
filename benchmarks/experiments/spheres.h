/* spheres.h - spheres that drop into an open box (Drumwright, Shell 2010, section 4.2; what the paper does not print is
 * the project's). */
#ifndef SPHERES_H
#define SPHERES_H

#include "impact.h"

#include <stdbool.h>

typedef struct spheres_design {
    int across[2], layers; /* the full layers of a grid */
    int count;             /* of spheres; the last layer may be less full */
    double bottom;         /* m, height of the first layer */
    double half_width;     /* m, of the box */
} spheres_design;

extern const spheres_design spheres_27, spheres_96, spheres_1001;
extern const double spheres_radius, spheres_mass, spheres_gravity; /* m, kg, m/s^2 */

typedef struct spheres {
    int count;
    imp_world *world;
    imp_stepper *stepper;
    imp_guard *wall; /* floor and four walls for each */
    imp_ball *ball;
    imp_shapes shapes;
    imp_step_settings settings; /* h = 5 ms, overlaps pushed out no faster than 0.5 mm a step */
} spheres;

/* Spheres at rest above the box, jittered; contacts within `reach` and `ahead` h |relative velocity|; with `late`,
 * pairs that would overlap are added until there are none. False without memory; spheres_free either way. `s` must stay
 * where it is. */
bool spheres_new(const spheres_design *design, const imp_model *model, double reach, double ahead, bool late,
                 spheres *s);
void spheres_free(spheres *s);

/* max |v| (m/s), KE / m (J/kg), (KE + PE) / m. */
double spheres_fastest(const spheres *s);
double spheres_kinetic(const spheres *s);
double spheres_energy(const spheres *s);

#endif
