/* gen_world.h - random worlds for the time stepper, and the same worlds seen otherwise: in other
 * units, turned, in the mirror, their trees and shapes in another order. */
#ifndef GEN_WORLD_H
#define GEN_WORLD_H

#include "gen.h"
#include "multibody/step.h"

typedef enum gen_world_class {
    GEN_WORLD_BALLS,  /* free balls that fly at each other, no gravity */
    GEN_WORLD_BOXES,  /* cuboids that tumble, uneven, off their frames' origins, no gravity */
    GEN_WORLD_HEAP,   /* balls and cuboids that fall on the ground */
    GEN_WORLD_AFLOAT, /* mechanisms that float, hit by balls; friction in joints, no gravity */
    GEN_WORLD_ROOTED, /* mechanisms on the ground, hit by balls; friction in joints, gravity */
    GEN_WORLD_CLASSES
} gen_world_class;

enum {
    GEN_WORLD_TREES = 5,
    GEN_WORLD_LINKS = 8,
    GEN_WORLD_NV = 6 * GEN_WORLD_TREES + GEN_WORLD_LINKS,
    GEN_WORLD_BALL = 9 * GEN_WORLD_LINKS /* a cuboid is a core and its eight corners */
};

/* What a world is made of. Links are numbered through all trees, their parents within their own. */
typedef struct gen_world {
    int trees, first[GEN_WORLD_TREES + 1]; /* the links of each */
    imp_link link[GEN_WORLD_LINKS];
    double q[7 * GEN_WORLD_LINKS], v[6 * GEN_WORLD_LINKS]; /* as imp_world has them */
    double mu_c[6 * GEN_WORLD_LINKS], mu_v[6 * GEN_WORLD_LINKS], force[6 * GEN_WORLD_LINKS];
    int balls, guards;
    imp_ball ball[GEN_WORLD_BALL];
    imp_guard guard[GEN_WORLD_BALL];
    double e, reach, least_gap, h, gravity[3];
} gen_world;

gen_world gen_world_make(gen_world_class c, uint64_t index);

/* How a world is seen: in the mirror x = 0, then turned by a unit quaternion, then with lengths,
 * masses and times so many times as large; its trees and shapes backwards. */
typedef struct gen_world_view {
    bool mirror, backwards;
    double turn[4], length, mass, time;
} gen_world_view;

extern const gen_world_view gen_world_as_is;

gen_world gen_world_seen(const gen_world *world, const gen_world_view *view);

/* y <- a vector of the world as it is seen, of unit size; `axial`: a spin. */
void gen_world_vector(const gen_world_view *view, bool axial, const double x[3], double y[3]);

/* The number of a link there. */
int gen_world_link(const gen_world *world, const gen_world_view *view, int link);

/* It and its stepper; *shapes and *settings (without a model) point into the gen_world, which must
 * outlive them. NULL without memory. Free the world and the stepper. */
imp_stepper *gen_world_open(const gen_world *world, imp_shapes *shapes,
                            imp_step_settings *settings);

#endif
