/* granular_offcentre.h - spheres with an off-centre mass for the tests of granular flow: a box of
 * them, and what mechanics says of one, from the ball and the point that it is made of. */
#ifndef GRANULAR_OFFCENTRE_H
#define GRANULAR_OFFCENTRE_H

#include "granular_box.h"
#include "base/vec3.h"

static const double OFFCENTRE_SHARE = 0.3; /* offset over radius */

static inline imp_granular_settings law_settings(int coulomb) {
    imp_granular_settings set = imp_granular_settings_default();
    set.law = coulomb ? IMP_GRANULAR_COULOMB : IMP_GRANULAR_MAXDISS;
    return set;
}

static inline const char *law_name(int coulomb) {
    return coulomb ? "Coulomb" : "maximum dissipation";
}

/* I (world, about the centre of mass), from the ball and the point by parallel axes. */
static inline void inertia_of(const imp_sphere *s, double I[9]) {
    const double m = box_mass(s), e = s->offset, R = s->radius, share = e / R;
    const double parts[2] = {(1 - share) * m, share * m}, at[2] = {-e, R - e};
    double turn[9], d[3];
    rotation3(s->orientation, turn);
    for (int x = 0; x < 3; x++)
        d[x] = turn[3 * x + 2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            I[3 * i + j] = i == j ? 0.4 * parts[0] * R * R : 0;
            for (int k = 0; k < 2; k++)
                I[3 * i + j] += parts[k] * at[k] * at[k] * ((i == j ? 1 : 0) - d[i] * d[j]);
        }
}

/* Momentum, angular momentum about the origin and kinetic energy of a sphere, from its centre of
 * mass. */
typedef struct motion {
    double p[3], L[3], energy;
} motion;

static inline motion motion_of(const imp_sphere *s) {
    double turn[9], arm[3], at[3], v[3], I[9], own[3];
    motion of = {.energy = 0};
    rotation3(s->orientation, turn);
    for (int x = 0; x < 3; x++) {
        arm[x] = s->offset * turn[3 * x + 2];
        at[x] = s->position[x] + arm[x];
        v[x] = s->velocity[x];
    }
    add_cross3(s->spin, arm, v);
    inertia_of(s, I);
    apply3(I, s->spin, own);
    add3(box_mass(s), v, of.p);
    cross3(at, of.p, of.L);
    add3(1, own, of.L);
    of.energy = 0.5 * (dot3(of.p, v) + dot3(own, s->spin));
    return of;
}

static inline double energy_of(const imp_granular *g) {
    double sum = 0;
    for (int i = 0; i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        sum += motion_of(&s).energy;
    }
    return sum;
}

static inline void random_turn(gen_stream *draw, double turn[4]) {
    for (int c = 0; c < 4; c++)
        turn[c] = gen_normal(draw);
    normalise4(turn);
}

/* box_flow with off-centre masses: every third sphere stays homogeneous. */
static inline imp_granular *offcentre_flow(imp_granular_settings *set, int nx, int ny, int nz,
                                           uint64_t seed) {
    imp_granular *plain = box_flow(set, nx, ny, nz, 0.3, seed);
    imp_shape shape[5];
    imp_status status;
    const int shapes = packing_walls(set, shape);
    imp_granular *g = imp_granular_new(set, shapes, shape, NULL, &status);
    gen_stream draw = gen_seed(seed, 1);
    for (int i = 0; g && i < imp_granular_count(plain); i++) {
        imp_sphere s = imp_granular_sphere(plain, i);
        s.offset = i % 3 ? OFFCENTRE_SHARE * s.radius : 0;
        random_turn(&draw, s.orientation);
        if (imp_granular_add(g, 1, &s) != IMP_OK) return NULL;
    }
    imp_granular_free(plain);
    return g;
}

#endif
