/* grip.h - tangential compliance of a contact, with history: a spring along the surfaces that
 * slides where Coulomb's bound mu f_n is reached.
 *
 * Source: Mindlin (1949) for the stiffness k_t = k_n / give, k_n = df_n/dx of the elastic force
 * (two alike elastic spheres: give = (2 - nu) / (2 - 2 nu)); Thornton, Cummins, Cleary (2011) for
 * how the force f follows from slip and penetration when nothing slides: f' = k_t slip while the
 * contact loads; while it eases, f / k_t grows by the slip. Micro-slip is left out: a contact
 * slides as a whole.
 *
 * Energy: k_t changes with the penetration, and what is stored, f^2 / (2 k_t), loses f^2 |k_t'| /
 * (2 k_t^2) in either direction besides what sliding takes. No path creates energy.
 *
 * The state that is integrated is a vector in the tangent plane, in world axes, that turns with
 * the surfaces: f / k_t (m) while the contact eases; f over k_t at the depth scale while it
 * loads, which is smooth at the touch; the direction of the force, of constant length, while it
 * slides. */
#ifndef COMPLIANT_GRIP_H
#define COMPLIANT_GRIP_H

#include "compliant/system.h"

#include <stdbool.h>

/* What a pair does along its surfaces. */
typedef struct compliant_grip {
    bool slides; /* at Coulomb's bound, else it sticks */
    bool eases;  /* its penetration shrinks, else it loads */
} compliant_grip;

/* A pair at the tree's present place: depth (m) is the scale of penetrations. */
typedef struct compliant_hold {
    const compliant_law *law;
    double depth;
    compliant_grip grip;
    const compliant_touch *touch;
} compliant_hold;

/* m, the elastic deflection along the surfaces at Coulomb's bound at the depth scale: what counts
 * as 1 in a spring, and its length while it slides. */
double compliant_grip_scale(const compliant_law *law, double depth);

/* The force on B, N, world, at the spring (3); normal (may be NULL) receives its normal part, N. */
void compliant_grip_force(const compliant_hold *hold, const double spring[3], double force[3],
                          double *normal);

/* d/dt of the spring, m/s. */
void compliant_grip_rate(const compliant_hold *hold, const double spring[3], double rate[3]);

/* J, stored along the surfaces. */
double compliant_grip_stored(const compliant_hold *hold, const double spring[3]);

/* A touch: does it stick or slide at once, and the spring then. Sliding wants the slip to outrun
 * the bound, which both grow like the penetration. */
compliant_grip compliant_grip_begin(const compliant_law *law, double depth,
                                    const compliant_touch *touch, double spring[3]);

/* The spring of the same force with the other of `slides`, `eases`. At the slide's end its force is
 * at the bound. */
void compliant_grip_slip(const compliant_hold *hold, double spring[3]);
void compliant_grip_ease(const compliant_hold *hold, double spring[3]);

/* Bound less force, over the bound at the depth scale: negative where a pair that sticks must
 * slide. */
double compliant_grip_reserve(const compliant_hold *hold, const double spring[3]);

/* m/s, how fast a sliding pair slips beyond its spring's yielding: negative where it sticks again.
 * yielding is d/dt of compliant_grip_bound. */
double compliant_grip_sliding(const compliant_hold *hold, const double spring[3], double yielding);

/* m, the deflection mu f_n / k_t at Coulomb's bound. */
double compliant_grip_bound(const compliant_hold *hold);

#endif
