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
    double before[3], after[3], worst = 0;
    const double energy = imp_tree_kinetic(w->tree[0]);
    momentum_of(w, before);
    bool good = true;
    for (int k = 0; k < steps; k++) {
        good = good && imp_step(s, &settings) == IMP_OK;
        momentum_of(w, after);
        sub3(after, before, after);
        worst = tap_worst(worst, norm3(after) / norm3(before));
    }
    ok(good, "%g rad a step: %d steps", angle, steps);
    is_near(imp_tree_kinetic(w->tree[0]), energy, 0, 1e-11, "%g rad a step: the energy is kept",
            angle);
    is_near(worst, 0, 1e-11, 0, "%g rad a step: so is the angular momentum", angle);
    const double *a = imp_world_q(w, 0) + 3;
    is_near(sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]), 1, 1e-14, 0,
            "%g rad a step: its quaternion is of unit length", angle);
    imp_stepper_free(s);
    imp_world_free(w);
}

/* Turned by 1e5 rad in a step about an origin beside its centre, far from the world's: the centre
 * goes as it did, under gravity, too, and the body keeps its energy of turning. */
static void test_fast_beside(double gravity, bool round) {
    const double com[3] = {0.3, -0.1, 0.2}, far[3] = {1e5, -2e4, 3e4};
    imp_link body = solid(3, 1, round ? 1 : 2, round ? 1 : 2.9);
    memcpy(body.com, com, sizeof com);
    imp_world *w = imp_world_of_bodies(1, &body, far, NULL);
    imp_stepper *s = imp_stepper_new(w);
    const imp_step_settings settings = {.h = 1, .gravity = {0, 0, -gravity}};
    double *v = imp_world_v(w, 0), want[3] = {1, 2, 3}, turned[3], worst = 0;
    memcpy(v, (const double[6]){1, 2, 3, 4e4, 9e4, 2e3}, 6 * sizeof *v);
    cross3(v + 3, com, turned);
    add3(-1, turned, v);
    imp_world_place(w);
    double energy = 0, kept = 0;
    bool good = true;
    for (int k = 0; k < 20; k++) {
        double c[3], centre[3], momentum[3];
        apply3(imp_world_state(w, 0)->rotation, com, c);
        memcpy(centre, v, sizeof centre);
        add_cross3(v + 3, c, centre);
        sub3(centre, want, centre);
        worst = tap_worst(worst, norm3(centre));
        momentum_of(w, momentum);
        energy = dot3(momentum, v + 3);
        if (k == 0) kept = energy;
        good = good && imp_step(s, &settings) == IMP_OK;
        want[2] -= gravity;
    }
    ok(good, "1e5 rad a step about an origin beside the centre, %g m/s^2", gravity);
    is_near(worst, 0, 1e-8, 0, "the centre goes its way");
    is_near(energy, kept, 0, 1e-9, "and the body turns on");
    imp_stepper_free(s);
    imp_world_free(w);
}

/* An axisymmetric body: its axis goes round the momentum at |L| / across. */
static void test_precession(void) {
    const imp_link body = solid(2, 2, 2, 1);
    imp_world *w = imp_world_of_bodies(1, &body, origin, NULL);
    imp_stepper *s = imp_stepper_new(w);
    const imp_step_settings settings = {.h = 0.01};
    memcpy(imp_world_v(w, 0), (const double[6]){0, 0, 0, 6, 0, 16}, 6 * sizeof(double));
    imp_world_place(w);
    double L[3];
    momentum_of(w, L);
    for (int k = 0; k < 100; k++)
        imp_step(s, &settings);
    const double *R = imp_world_state(w, 0)->rotation, size = norm3(L), angle = size / 2,
                 tilt = L[2] / size, along[3] = {L[0] / size, 0, L[2] / size},
                 across[3] = {-along[2] * tilt, 0, 1 - along[2] * tilt};
    /* (0, 0, 1) turned about along: tilt along + cos (z - tilt along) + sin along x z */
    const double want[3] = {tilt * along[0] + cos(angle) * (0 - tilt * along[0]),
                            -sin(angle) * along[0], tilt * along[2] + cos(angle) * across[2]};
    const double axis[3] = {R[2], R[5], R[8]};
    is_vec(axis, want, 3, 0.03, 0, "where its axis is after 7 rad of precession, 0.17 a step");
    imp_stepper_free(s);
    imp_world_free(w);
}

/* A step's work: that of the couple along the mean of the spins before it and with what it adds. */
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
        double added[6], work = 0, energy = imp_tree_kinetic(w->tree[0]);
        memcpy(added, force, sizeof added);
        imp_tree_factor(w->tree[0]);
        imp_tree_solve(w->tree[0], added);
        if (!ok(imp_step(s, &settings) == IMP_OK, "a step under a couple")) break;
        for (int i = 3; i < 6; i++)
            work += settings.h * force[i] * (before[i] + settings.h * added[i] / 2);
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
    static const double turns[4] = {0.8, 0.36, 0.48, 0};
    const imp_link body = solid(2, 1, 2, 2.7);
    imp_world *w = imp_world_of_bodies(1, &body, origin, NULL);
    imp_stepper *s = imp_stepper_new(w);
    double force[6] = {0};
    imp_step_settings settings = {.h = 1};
    memcpy(imp_world_v(w, 0), (const double[6]){0, 0, 0, 1e7, 1e7, 0}, 6 * sizeof(double));
    ok(imp_step(s, &settings) == IMP_UNSUPPORTED && s->tumbles == 0,
       "1.4e7 rad a step: unsupported, of that body");
    ok(w->v[3] == 1e7 && w->v[4] == 1e7 && w->q[3] == 1, "and the world is as it was");
    memcpy(w->q + 3, turns, sizeof turns);
    imp_world_place(w);
    const double *R = imp_world_state(w, 0)->rotation, axis[3] = {R[2], R[5], R[8]};
    for (int k = 0; k < 3; k++)
        w->v[3 + k] = 1e7 * axis[k];
    bool good = true;
    for (int k = 0; k < 100; k++)
        good = good && imp_step(s, &settings) == IMP_OK;
    ok(good && fabs(dot3(w->v + 3, axis) / 1e7 - 1) < 1e-12, "1e7 rad a step about an axis");
    settings.force = force;
    force[4] = NAN;
    memcpy(imp_world_v(w, 0), (const double[6]){0, 0, 0, 1, 2, 3}, 6 * sizeof(double));
    ok(imp_step(s, &settings) == IMP_NOT_FINITE && w->v[4] == 2, "a couple that is no number");
    imp_stepper_free(s);
    imp_world_free(w);
}

/* A ball does not tumble, in whatever attitude rounding has its moments. */
static void test_ball(void) {
    static const double turns[4] = {0.8, 0.36, 0.48, 0};
    const imp_link body = solid(2, 0.3, 0.3, 0.3);
    imp_world *w = imp_world_of_bodies(1, &body, origin, NULL);
    imp_stepper *s = imp_stepper_new(w);
    imp_step_settings settings = {.h = 1};
    memcpy(w->q + 3, turns, sizeof turns);
    memcpy(imp_world_v(w, 0), (const double[6]){0, 0, 0, 1e7, 2e7, -3e7}, 6 * sizeof(double));
    bool good = true;
    for (int k = 0; k < 100; k++)
        good = good && imp_step(s, &settings) == IMP_OK;
    ok(good, "a ball turns by 4e7 rad a step");
    is_vec(w->v + 3, (const double[3]){1e7, 2e7, -3e7}, 3, 0, 1e-14, "and as it did");
    const double force[6] = {0, 0, 0, 3e6, 6e6, -9e6}; /* its rounding is multiplied by up to 4e9 */
    settings.force = force;
    for (int k = 0; k < 100; k++)
        good = good && imp_step(s, &settings) == IMP_OK;
    ok(good, "a couple along its axis");
    is_vec(w->v + 3, (const double[3]){101e7, 202e7, -303e7}, 3, 0, 1e-6, "adds tau h / I a step");
    imp_stepper_free(s);
    imp_world_free(w);
}

/* Moments of no body: the largest is more than the others' sum. */
static void test_no_body(void) {
    const imp_link body = solid(2, 1, 2, 1e-4);
    imp_world *w = imp_world_of_bodies(1, &body, origin, NULL);
    imp_stepper *s = imp_stepper_new(w);
    const imp_step_settings settings = {.h = 1};
    memcpy(imp_world_v(w, 0), (const double[6]){0, 0, 0, 0.5, 0.5, 0.67}, 6 * sizeof(double));
    imp_world_place(w);
    const double energy = imp_tree_kinetic(w->tree[0]);
    imp_status status = IMP_OK;
    for (int k = 0; k < 100 && status == IMP_OK; k++)
        status = imp_step(s, &settings);
    ok(status == IMP_OK || status == IMP_UNSUPPORTED, "moments of no body: %s",
       imp_status_text(status));
    is_near(imp_tree_kinetic(w->tree[0]), energy, 0, 1e-3, "and no energy from nowhere");
    imp_stepper_free(s);
    imp_world_free(w);
}

/* Two free bodies; a swing hangs on what is welded to the first; `turning` is one of them. */
static void test_swing(int turning, double h, int steps, double tolerance, const char *name) {
    const imp_link swing = {.parent = 1,
                            .joint = IMP_REVOLUTE,
                            .offset = {0.5, 0, 0},
                            .turn = {1},
                            .axis = {1, 0, 0},
                            .mass = 1,
                            .com = {0, 0, 0.5},
                            .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const imp_link hook = {.parent = 0, .joint = IMP_WELD, .turn = {1}};
    imp_link link[4] = {solid(2, 1, 2, 2.7), hook, solid(2, 1, 2, 2.7), swing};
    for (int i = 0; i < 4; i += 2) {
        link[i].parent = IMP_GROUND;
        link[i].joint = IMP_FREE;
    }
    imp_status status;
    imp_tree *tree = imp_tree_new(4, link, &status);
    imp_world *w = imp_world_new(1, &tree);
    imp_stepper *s = w ? imp_stepper_new(w) : NULL;
    ok(status == IMP_OK && s, "%s: made", name);
    if (!s) return;
    w->q[3] = w->q[10] = 1;
    memcpy(imp_world_v(w, turning), (const double[6]){0, 0, 0, 3, 20, 5}, 6 * sizeof(double));
    const imp_step_settings settings = {.h = h};
    imp_world_place(w);
    const double energy = imp_tree_kinetic(tree);
    bool good = true;
    for (int k = 0; k < steps; k++)
        good = good && imp_step(s, &settings) == IMP_OK;
    ok(good, "%s: %d steps", name, steps);
    is_near(imp_tree_kinetic(tree), energy, 0, tolerance, "%s: the energy", name);
    imp_stepper_free(s);
    imp_world_free(w);
}

/* motion <- the centre of mass of a tree of 4 kg, its velocity, the angular momentum about it. */
static void motion_of(const imp_tree *tree, double motion[3][3]) {
    double velocity[3], turned[3], arm[3];
    memset(motion, 0, 3 * sizeof *motion);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < imp_tree_links(tree); i++) {
            const imp_link_state *s = imp_tree_state(tree, i);
            const double mass = imp_tree_link(tree, i)->mass;
            imp_tree_point_velocity(tree, i, s->com, velocity);
            if (pass == 0) {
                add3(mass / 4, s->com, motion[0]);
                add3(mass / 4, velocity, motion[1]);
                continue;
            }
            sub3(s->com, motion[0], arm);
            cross3(arm, velocity, turned);
            add3(mass, turned, motion[2]);
            apply3(s->inertia, s->spin, turned);
            add3(1, turned, motion[2]);
        }
}

/* A free link, one welded to it and one to that, `apart` from each other, as one body. */
static void test_welded(double apart, const char *name) {
    imp_link link[3] = {solid(2, 1, 2, 2.7), solid(1, 0.1, 0.2, 0.15), solid(1, 0.2, 0.1, 0.25)};
    const double turn[4] = {0.8, 0, 0.48, 0.36}, back[4] = {0.8, 0, -0.48, -0.36};
    for (int i = 0; i < 3; i++) {
        link[i].parent = i - 1;
        link[i].joint = i ? IMP_WELD : IMP_FREE;
    }
    link[0].com[0] = apart / 3;
    link[1].offset[0] = apart, link[1].offset[2] = 0.4 * apart;
    memcpy(link[1].turn, turn, sizeof turn);
    link[2].offset[1] = apart;
    memcpy(link[2].turn, back, sizeof back);
    imp_status status;
    imp_tree *tree = imp_tree_new(3, link, &status);
    imp_world *w = imp_world_new(1, &tree);
    imp_stepper *s = w ? imp_stepper_new(w) : NULL;
    ok(status == IMP_OK && s, "%s: made", name);
    if (!s) return;
    const imp_step_settings settings = {.h = 0.01};
    w->q[3] = 1;
    memcpy(w->v, (const double[6]){1, 2, 3, 3, 20, 5}, 6 * sizeof(double));
    imp_world_place(w);
    const double energy = imp_tree_kinetic(tree);
    double before[3][3], after[3][3];
    motion_of(tree, before);
    bool good = true;
    for (int k = 0; k < 3000; k++)
        good = good && imp_step(s, &settings) == IMP_OK;
    motion_of(tree, after);
    for (int i = 0; i < 3; i++)
        before[0][i] += 30 * before[1][i];
    ok(good, "%s: 3000 steps", name);
    is_near(imp_tree_kinetic(tree), energy, 0, 1e-11, "%s: the energy", name);
    is_vec(after[0], before[0], 3, 1e-9, 0, "%s: its centre goes straight", name);
    is_vec(after[1], before[1], 3, 1e-11, 0, "%s: as fast as it did", name);
    is_near(norm3(after[2]), norm3(before[2]), 0, 1e-11, "%s: the angular momentum", name);
    imp_stepper_free(s);
    imp_world_free(w);
}

/* Left a billionth off the middle axis a body turns over: that is no principal axis. */
static void test_turns_over(void) {
    const imp_link body = solid(2, 1, 2, 2.7);
    imp_world *w = imp_world_of_bodies(1, &body, origin, NULL);
    imp_stepper *s = imp_stepper_new(w);
    const imp_step_settings settings = {.h = 1e-3};
    memcpy(imp_world_v(w, 0), (const double[6]){0, 0, 0, 2e-8, 20, 0}, 6 * sizeof(double));
    double least = 1;
    for (int k = 0; k < 4000; k++) {
        imp_step(s, &settings);
        const imp_link_state *now = imp_world_state(w, 0);
        const double *R = now->rotation, axis[3] = {R[1], R[4], R[7]};
        least = fmin(least, dot3(axis, now->spin) / 20);
    }
    is_near(least, -1, 1e-3, 0, "a billionth off the middle axis it turns over");
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
    const double turning[3] = {1, 2, -3};
    double *v = imp_world_v(w, 0);
    memcpy(v, (const double[6]){0.5, 0, -1, 1, 2, -3}, 6 * sizeof(double));
    double turned[3];
    cross3(turning, com, turned);
    sub3(v, turned, v);
    imp_world_place(w);
    bool good = true, touched = false;
    double worst = 0;
    for (int k = 0; k < 100; k++) {
        double before[3], after[3], impulse[6] = {0};
        momentum_of(w, before);
        good = good && imp_step(s, &settings) == IMP_OK;
        touched = touched || imp_stepper_normal(s) > 0;
        momentum_of(w, after);
        for (int column = 0; column < 3 * s->problem.nc; column++)
            for (int i = 0; i < 6; i++)
                impulse[i] += s->J.value[6 * column + i] * s->p[column];
        sub3(after, before, after);
        sub3(after, impulse + 3, after);
        if (norm3(com) == 0) worst = tap_worst(worst, norm3(after));
    }
    ok(good && touched, "a cuboid falls on its corners");
    is_near(worst, 0, 1e-13, 0, "what contacts push is what its angular momentum changes by");
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
    test_tumble(1e4, 3, 0);
    test_fast_beside(0, false);
    test_fast_beside(10, false);
    test_fast_beside(10, true);
    test_precession();
    test_couple();
    test_order();
    test_too_fast();
    test_ball();
    test_no_body();
    test_swing(2, 0.01, 1000, 1e-12, "free, between two links");
    test_swing(0, 1e-3, 1000, 2e-3, "with a swing on it");
    test_welded(0.5, "three welded links");
    test_welded(0, "three links with one centre");
    test_turns_over();
    return tap_done();
}
