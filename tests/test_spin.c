/* test_spin.c - free bodies that tumble in the time stepper keep what Euler's equations keep. */
#include "base/vec3.h"
#include "impact.h"
#include "step_bodies.h"
#include "tap.h"

static const double origin[3];

static void momentum_of(const imp_world *w, double momentum[3]) {
    apply3(imp_world_state(w, 0)->inertia, imp_world_state(w, 0)->spin, momentum);
}

/* About the axis of the middle moment, which is unstable: `angle` in a step, some turns over. */
static void test_tumble(double angle, int steps, double off) {
    imp_link body = solid(2, 1, 2, 2.7);
    body.com[0] = off, body.com[1] = -2 * off;
    imp_world *w = imp_world_of_bodies(1, &body, origin, NULL);
    imp_stepper *s = imp_stepper_new(w);
    const imp_step_settings settings = {.h = 0.01};
    const double spin = angle / settings.h;
    memcpy(imp_world_v(w, 0), (const double[6]){1, 2, 3, 1e-3 * spin, spin, 2e-3 * spin},
           6 * sizeof(double));
    imp_world_place(w);
    double before[3], after[3], worst = 0, turned = 0;
    const double energy = imp_tree_kinetic(w->tree[0]);
    momentum_of(w, before);
    bool good = true;
    for (int k = 0; k < steps; k++) {
        good = good && imp_step(s, &settings) == IMP_OK;
        momentum_of(w, after);
        worst = tap_worst(worst, fabs(norm3(after) / norm3(before) - 1));
        sub3(after, before, after);
        turned = tap_worst(turned, norm3(after) / norm3(before));
    }
    ok(good, "%g rad a step: %d steps", angle, steps);
    is_near(imp_tree_kinetic(w->tree[0]), energy, 0, 1e-12, "%g rad a step: the energy is kept",
            angle);
    is_near(worst, 0, 1e-12, 0, "%g rad a step: so is the size of the momentum", angle);
    if (angle < 0.5)
        is_near(turned, 0, angle, 0, "%g rad a step: its axis wanders by less than that", angle);
    imp_stepper_free(s);
    imp_world_free(w);
}

/* A step's work: that of the couple along the mean of the spins. */
static void test_couple(void) {
    const imp_link body = solid(2, 1, 2, 2.7);
    imp_world *w = imp_world_of_bodies(1, &body, origin, NULL);
    imp_stepper *s = imp_stepper_new(w);
    const double force[6] = {0, 0, 0, 3, -1, 2};
    const imp_step_settings settings = {.h = 0.05, .force = force};
    double before[6] = {0, 0, 0, 2, 3, -4}, worst = 0;
    memcpy(imp_world_v(w, 0), before, sizeof before);
    for (int k = 0; k < 40; k++) {
        imp_world_place(w);
        memcpy(before, w->v, sizeof before);
        double work = 0, energy = imp_tree_kinetic(w->tree[0]);
        if (!ok(imp_step(s, &settings) == IMP_OK, "a step under a couple")) break;
        for (int i = 3; i < 6; i++)
            work += settings.h * force[i] * (before[i] + w->v[i]) / 2;
        worst = tap_worst(worst, fabs(imp_tree_kinetic(w->tree[0]) - energy - work) / energy);
    }
    is_near(worst, 0, 1e-14, 0, "the energy is that which the couple gives");
    imp_stepper_free(s);
    imp_world_free(w);
}

/* The spin at t = 1 s under a couple that stands in space, by steps of h: of first order. */
static void spun(double h, double spin[3]) {
    const imp_link body = solid(2, 1, 2, 2.7);
    imp_world *w = imp_world_of_bodies(1, &body, origin, NULL);
    imp_stepper *s = imp_stepper_new(w);
    const double force[6] = {0, 0, 0, 3, -1, 2};
    const imp_step_settings settings = {.h = h, .force = force};
    memcpy(imp_world_v(w, 0), (const double[6]){0, 0, 0, 2, 3, -4}, 6 * sizeof(double));
    for (int k = 0; k < lround(1 / h); k++)
        imp_step(s, &settings);
    memcpy(spin, w->v + 3, 3 * sizeof *spin);
    imp_stepper_free(s);
    imp_world_free(w);
}

static void test_order(void) {
    double fine[3], error[2], spin[3];
    spun(1. / 65536, fine);
    for (int k = 0; k < 2; k++) {
        spun(k ? 1. / 1024 : 1. / 512, spin);
        sub3(spin, fine, spin);
        error[k] = norm3(spin);
    }
    ok(error[0] < 0.05, "steps of 1/512 s are %.2g rad/s off at 1 s", error[0]);
    is_near(error[0] / error[1], 2, 0.1, 0, "half the step, half the error");
}

static void test_too_fast(void) {
    const imp_link body = solid(2, 1, 2, 2.7);
    imp_world *w = imp_world_of_bodies(1, &body, origin, NULL);
    imp_stepper *s = imp_stepper_new(w);
    const imp_step_settings settings = {.h = 1};
    memcpy(imp_world_v(w, 0), (const double[6]){0, 0, 0, 1000, 1000, 0}, 6 * sizeof(double));
    ok(imp_step(s, &settings) == IMP_UNSUPPORTED, "1414 rad a step: unsupported");
    ok(w->v[3] == 1000 && w->v[4] == 1000 && w->q[3] == 1, "and the world is as it was");
    memcpy(imp_world_v(w, 0), (const double[6]){0, 0, 0, 0, 0, 1e5}, 6 * sizeof(double));
    ok(imp_step(s, &settings) == IMP_OK && w->v[5] == 1e5,
       "about a principal axis as fast as it will");
    imp_stepper_free(s);
    imp_world_free(w);
}

/* A cuboid whose origin is off its centre by -com falls on a corner, slips and goes on: the
 * centre's ways and the spin, after some steps. */
static void thrown(const double com[3], double centre[3], double velocity[3], double spin[3]) {
    imp_link body = solid(2, 1, 2, 2.7);
    memcpy(body.com, com, sizeof body.com);
    const double at[3] = {1 - com[0], 2 - com[1], 3 - com[2]};
    imp_world *w = imp_world_of_bodies(1, &body, at, NULL);
    imp_stepper *s = imp_stepper_new(w);
    imp_guard guard[CORNERS];
    corners_of(0, (const double[3]){0.5, 0.4, 0.3}, 0.3, guard);
    for (int i = 0; i < CORNERS; i++)
        add3(1, com, guard[i].centre);
    imp_shapes shapes = {.guards = CORNERS, .guard = guard, .reach = 0.1};
    const imp_step_settings settings = {.h = 0.01,
                                        .gravity = {0, 0, -g},
                                        .model = imp_model_find("auto"),
                                        .detect = imp_shapes_nearby,
                                        .detect_data = &shapes};
    const double turning[3] = {1, 2, -3}, c[3] = {com[0], com[1], com[2]};
    double *v = imp_world_v(w, 0);
    memcpy(v, (const double[6]){0.5, 0, -1, 1, 2, -3}, 6 * sizeof(double));
    double turned[3];
    cross3(turning, c, turned);
    sub3(v, turned, v);
    bool good = true, touched = false;
    for (int k = 0; k < 100; k++) {
        good = good && imp_step(s, &settings) == IMP_OK;
        touched = touched || imp_stepper_normal(s) > 0;
    }
    ok(good && touched, "a cuboid falls on its corners");
    const imp_link_state *end = imp_world_state(w, 0);
    memcpy(centre, end->com, sizeof end->com);
    memcpy(spin, end->spin, sizeof end->spin);
    imp_tree_point_velocity(w->tree[0], 0, end->com, velocity);
    imp_stepper_free(s);
    imp_world_free(w);
}

static void test_origin_free(void) {
    double place[2][3], velocity[2][3], spin[2][3];
    thrown((const double[3]){0}, place[0], velocity[0], spin[0]);
    thrown((const double[3]){0.3, -0.2, 0.1}, place[1], velocity[1], spin[1]);
    is_vec(place[1], place[0], 3, 1e-9, 0, "wherever its origin is, it goes the same way");
    is_vec(velocity[1], velocity[0], 3, 1e-9, 0, "as fast");
    is_vec(spin[1], spin[0], 3, 1e-9, 0, "and turns as it did");
}

int main(void) {
    test_origin_free();
    test_tumble(0.02, 10000, 0);
    test_tumble(0.02, 10000, 0.5);
    test_tumble(2, 1000, 0.5);
    test_tumble(0.2, 10000, 0);
    test_tumble(2, 1000, 0);
    test_tumble(30, 1000, 0);
    test_couple();
    test_order();
    test_too_fast();
    return tap_done();
}
