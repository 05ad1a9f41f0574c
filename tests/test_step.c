/* test_step.c - the time stepper against closed forms of what falls, slides, rolls, bounces and is
 * held, and what it refuses. */
#include "base/vec3.h"
#include "impact.h"
#include "step_bodies.h"
#include "tap.h"

static const double origin[3];

static void test_free_fall(void) {
    /* v exact, q semi-implicit: q(n) = q0 + n h v0 - g h^2 n (n + 1) / 2; and a spinning body keeps
     * its momentum */
    imp_link body = solid(2, 1, 2, 3);
    imp_status status;
    imp_world *w = imp_world_of_bodies(1, &body, (const double[3]){1, 2, 3}, &status);
    imp_stepper *s = imp_stepper_new(w);
    const imp_step_settings settings = {.h = 0.01, .gravity = {0, 0, -g}};
    memcpy(imp_world_v(w, 0), (const double[6]){1, 0, 2, 0.1, 0.2, 0.3}, 6 * sizeof(double));
    double momentum[2][3];
    imp_world_place(w);
    apply3(imp_world_state(w, 0)->inertia, imp_world_state(w, 0)->spin, momentum[0]);
    bool good = status == IMP_OK;
    const int n = 100;
    for (int k = 0; k < n; k++)
        good = good && imp_step(s, &settings) == IMP_OK;
    ok(good, "a hundred steps of free fall");
    is_near(w->q[0], 2, 1e-13, 0, "free fall: x");
    is_near(w->q[2], 3 + n * 0.01 * 2 - g * 1e-4 * n * (n + 1) / 2, 1e-12, 0,
            "free fall: z, semi-implicit");
    is_near(w->v[2], 2 - g, 1e-12, 0, "free fall: v_z");
    apply3(imp_world_state(w, 0)->inertia, imp_world_state(w, 0)->spin, momentum[1]);
    is_vec(momentum[1], momentum[0], 3, 0, 1e-2,
           "the gyroscopic term keeps the angular momentum to first order");
    imp_stepper_free(s);
    imp_world_free(w);
}

/* A cube on a slope of 30 degrees, gravity turned instead of the slope. */
static void test_sliding(const char *name, double tolerance) {
    const imp_model *model = imp_model_find(name);
    imp_link body = solid(1, 1. / 6, 1. / 6, 1. / 6);
    imp_world *w = imp_world_of_bodies(1, &body, (const double[3]){0, 0, 0.5}, NULL);
    imp_stepper *s = imp_stepper_new(w);
    imp_guard guard[CORNERS];
    corners_of(0, (const double[3]){0.5, 0.5, 0.5}, 0.54, guard);
    imp_shapes shapes = {.guards = CORNERS, .guard = guard, .reach = 0.01};
    const double slope = acos(-1) / 6, h = 0.01, mu = 0.54;
    const imp_step_settings settings = {.h = h,
                                        .gravity = {g * sin(slope), 0, -g * cos(slope)},
                                        .model = model,
                                        .detect = imp_shapes_nearby,
                                        .detect_data = &shapes};
    double worst_v = 0, worst_normal = 0, friction = 0;
    bool good = true;
    for (int k = 1; k <= 200; k++) {
        good = good && imp_step(s, &settings) == IMP_OK && s->problem.nc == CORNERS;
        worst_v = tap_worst(worst_v, fabs(w->v[0] - k * h * g * (sin(slope) - mu * cos(slope))));
        worst_normal = tap_worst(worst_normal, fabs(imp_stepper_normal(s) - h * g * cos(slope)));
        friction = 0;
        for (int i = 0; i < s->problem.nc; i++)
            friction += s->p[3 * i + 1];
    }
    ok(good, "%s: 200 steps of a box on a ramp", name);
    is_near(worst_v, 0, tolerance, 0, "%s: v = g (sin - mu cos) t at every step", name);
    is_near(worst_normal, 0, tolerance, 0, "%s: normal impulses carry the weight", name);
    is_near(friction, -mu * h * g * cos(slope), tolerance, 0,
            "%s: friction is mu times that, up the slope", name);
    is_near(w->q[2], 0.5, tolerance, 0, "%s: neither sinks nor rises", name);
    imp_stepper_free(s);
    imp_world_free(w);
}

static imp_status no_number(const imp_problem *problem, const void *settings, double *p,
                            void *workspace, imp_info *info) {
    (void)settings;
    (void)workspace;
    (void)info;
    for (int i = 0; i < 3 * problem->nc; i++)
        p[i] = i == 1 ? NAN : 1;
    return IMP_OK;
}

/* A model that says ok to an answer with a NaN. */
static void test_no_number(void) {
    imp_model model = *imp_model_find("anitescu");
    imp_link body = solid(1, 1, 1, 1);
    imp_world *w = imp_world_of_bodies(1, &body, (const double[3]){0, 0, 0.5}, NULL);
    imp_stepper *s = imp_stepper_new(w);
    const imp_guard floor = {.radius = 0.5, .plane = IMP_GROUND, .normal = {0, 0, 1}};
    imp_shapes shapes = {.guards = 1, .guard = &floor, .reach = 0.01};
    model.solve = no_number;
    const imp_step_settings settings = {.h = 0.01,
                                        .gravity = {0, 0, -g},
                                        .model = &model,
                                        .detect = imp_shapes_nearby,
                                        .detect_data = &shapes};
    ok(imp_step(s, &settings) == IMP_OVERFLOW, "an answer with a NaN is an overflow");
    is_near(w->v[2], -0.01 * g, 1e-15, 0, "and moves nothing");
    imp_shapes_clear(&shapes);
    imp_stepper_free(s);
    imp_world_free(w);
}

/* A sphere set sliding rolls in the end with 5/7 of its speed, whatever the friction. */
static void test_rolling(const char *name, double tolerance) {
    const double R = 0.1, m = 3;
    imp_link body = solid(m, 0.4 * m * R * R, 0.4 * m * R * R, 0.4 * m * R * R);
    imp_world *w = imp_world_of_bodies(1, &body, (const double[3]){0, 0, R}, NULL);
    imp_stepper *s = imp_stepper_new(w);
    const imp_guard floor = {.radius = R, .plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = 0.3};
    imp_shapes shapes = {.guards = 1, .guard = &floor, .reach = 0.01};
    const imp_step_settings settings = {.h = 0.002,
                                        .gravity = {0, 0, -g},
                                        .model = imp_model_find(name),
                                        .detect = imp_shapes_nearby,
                                        .detect_data = &shapes};
    imp_world_v(w, 0)[0] = 2;
    imp_world_place(w);
    double rise = 0, before = imp_world_kinetic(w);
    bool good = true;
    for (int k = 0; k < 300; k++) {
        good = good && imp_step(s, &settings) == IMP_OK;
        const double now = imp_world_kinetic(w);
        rise = tap_worst(rise, now - before);
        before = now;
    }
    ok(good && rise <= 1e-12, "%s: a sliding sphere never gains energy: %.1e", name, rise);
    is_near(w->v[0], 2 * 5. / 7, tolerance, 0, "%s: ends rolling at 5/7 of its speed", name);
    is_near(w->v[4], w->v[0] / R, tolerance / R, 0, "%s: spin fits", name);
    imp_stepper_free(s);
    imp_world_free(w);
}

/* Look-ahead: a ball is stopped on the floor, not above and not below it, and then rests. */
static void test_look_ahead(const char *name) {
    imp_link body = solid(1, 1, 1, 1);
    imp_world *w = imp_world_of_bodies(1, &body, (const double[3]){0, 0, 1}, NULL);
    imp_stepper *s = imp_stepper_new(w);
    const imp_guard floor = {.radius = 0.1, .plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = 0.3};
    imp_shapes shapes = {.guards = 1, .guard = &floor, .ahead = 1};
    const imp_step_settings settings = {.h = 0.01,
                                        .gravity = {0, 0, -g},
                                        .model = imp_model_find(name),
                                        .detect = imp_shapes_nearby,
                                        .detect_data = &shapes};
    double lowest = 1;
    bool good = true;
    for (int k = 0; k < 100; k++) {
        good = good && imp_step(s, &settings) == IMP_OK;
        lowest = fmin(lowest, w->q[2]);
    }
    ok(good && lowest >= 0.1 - 1e-12, "%s: a ball does not sink into the floor: %.1e", name,
       lowest - 0.1);
    is_near(w->q[2], 0.1, 1e-12, 0, "%s: and rests on it", name);
    is_near(imp_stepper_normal(s), g * 0.01, 1e-12, 0, "%s: carried by m g h", name);
    w->q[2] = 0.09; /* 1 cm deep: pushed out no faster than half a millimetre per step */
    imp_step_settings clipped = settings;
    clipped.least_gap = -5e-4;
    good = imp_step(s, &clipped) == IMP_OK;
    ok(good && tap_near(w->v[2], 0.05, 1e-12, 0),
       "%s: an overlap is pushed out at the clip's speed", name);
    imp_stepper_free(s);
    imp_world_free(w);
}

/* Restitution across a gap: the whole approach is reflected, also from within a step; an overlap
 * adds nothing to it. */
static void test_bounce(const char *name) {
    imp_link body = solid(1, 1, 1, 1);
    imp_world *w = imp_world_of_bodies(1, &body, (const double[3]){0, 0, 1}, NULL);
    imp_stepper *s = imp_stepper_new(w);
    const imp_guard floor = {
        .radius = 0.1, .plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = 0.3, .e = 0.5};
    imp_shapes shapes = {.guards = 1, .guard = &floor, .ahead = 1};
    const imp_step_settings settings = {.h = 0.01,
                                        .least_gap = -0.01,
                                        .model = imp_model_find(name),
                                        .detect = imp_shapes_nearby,
                                        .detect_data = &shapes};
    /* above the floor, m: closing 1 cm a step */
    const double heights[] = {0.1, 0.103, 0.1099, 0.117};
    for (int k = 0; k < 4; k++) {
        w->q[2] = heights[k];
        w->v[2] = -1;
        bool good = imp_step(s, &settings) == IMP_OK && imp_step(s, &settings) == IMP_OK;
        ok(good && tap_near(w->v[2], 0.5, 1e-9, 0),
           "%s: e = 0.5 from %g mm above: leaves with %.3g m/s", name, 1e3 * (heights[k] - 0.1),
           w->v[2]);
    }
    for (int slow = -1; slow <= 1; slow += 2) { /* on its way in, and out */
        w->q[2] = 0.098;
        w->v[2] = 0.1 * slow;
        const bool good = imp_step(s, &settings) == IMP_OK;
        ok(good && tap_near(w->v[2], 0.2, 1e-9, 0),
           "%s: 2 mm deep, at %g m/s: pushed out in a step and no faster", name, 0.1 * slow);
    }
    imp_step_settings falling = settings;
    falling.gravity[2] = -g;
    w->q[2] = 0.105;
    w->v[2] = -1;
    ok(imp_step(s, &falling) == IMP_OK && tap_near(w->v[2], 0.5, 1e-9, 0),
       "%s: half of what it fell with, not of what the step's gravity adds", name);
    w->q[2] = 0.1;
    w->v[2] = 0;
    /* PLUS restores slow approaches on its own account */
    const double most = strcmp(name, "plus") == 0 ? g * settings.h : 1e-12;
    ok(imp_step(s, &falling) == IMP_OK && fabs(w->v[2]) <= most, "%s: at rest it does not bounce",
       name);
    imp_stepper_free(s);
    imp_world_free(w);
}

static void test_joint_friction(void) {
    /* a pendulum held by dry friction above the gravity torque stays exactly; below it, its energy
     * falls by the work */
    imp_link arm = {
        .parent = IMP_GROUND, .joint = IMP_REVOLUTE, .turn = {1}, .axis = {0, 1, 0}, .mass = 1};
    arm.com[0] = 0.5;
    for (int k = 0; k < 3; k++)
        arm.inertia[4 * k] = 0.01;
    imp_tree *tree = imp_tree_new(1, &arm, NULL);
    imp_world *w = imp_world_new(1, &tree);
    imp_stepper *s = imp_stepper_new(w);
    double mu_c = 5, mu_v = 0;
    const imp_step_settings settings = {
        .h = 1e-3, .gravity = {0, 0, -g}, .mu_c = &mu_c, .mu_v = &mu_v};
    bool good = true;
    for (int k = 0; k < 100; k++)
        good = good && imp_step(s, &settings) == IMP_OK;
    ok(good && w->q[0] == 0 && w->v[0] == 0,
       "friction above the gravity torque holds a joint exactly");
    mu_c = 1;
    for (int k = 0; k < 300; k++)
        good = good && imp_step(s, &settings) == IMP_OK;
    const double energy = imp_world_kinetic(w) + imp_world_potential(w, settings.gravity);
    ok(good && w->q[0] > 0.5, "below it the joint falls");
    is_near(energy, -mu_c * w->q[0], 0, 0.01, "the energy lost is the friction's work");
    imp_stepper_free(s);
    imp_world_free(w);
}

static void test_refusals(void) {
    imp_link body = solid(1, 1, 1, 1);
    imp_world *w = imp_world_of_bodies(1, &body, origin, NULL);
    imp_stepper *s = imp_stepper_new(w);
    imp_guard bad = {.link = 0, .plane = IMP_GROUND, .normal = {0, 0, 1}};
    imp_shapes shapes = {.guards = 1, .guard = &bad, .reach = 1};
    imp_step_settings settings = {
        .h = 0.01, .gravity = {0, 0, -g}, .detect = imp_shapes_nearby, .detect_data = &shapes};
    ok(imp_step(s, &settings) == IMP_BAD_ARGUMENT && w->v[2] == 0,
       "no model: refused, the world as it was");
    settings.model = imp_model_find("maxdiss");
    ok(imp_step(s, &settings) == IMP_OK, "a model of one contact takes one");
    settings.h = 0;
    ok(imp_step(s, &settings) == IMP_BAD_ARGUMENT, "no time: refused");
    settings.h = 0.01;
    bad.mu = -1;
    w->v[2] = 0;
    ok(imp_step(s, &settings) == IMP_BAD_FRICTION && w->v[2] == 0, "negative friction: refused");
    bad.mu = 0;
    w->v[2] = NAN;
    ok(imp_step(s, &settings) == IMP_NOT_FINITE, "a velocity that is no number: refused");
    imp_stepper_free(s);
    imp_world_free(w);
    body.inertia[0] = 0;
    w = imp_world_of_bodies(1, &body, origin, NULL);
    s = imp_stepper_new(w);
    settings = (imp_step_settings){.h = 0.01};
    ok(imp_step(s, &settings) == IMP_NOT_POSITIVE, "no inertia about an axis: refused");
    imp_stepper_free(s);
    imp_world_free(w);
}

int main(void) {
    test_free_fall();
    test_no_number();
    test_sliding("drumwright", 1e-9);
    test_sliding("anitescu", 1e-9);
    test_sliding("gauss-seidel-coulomb", 1e-6);
    test_rolling("drumwright", 1e-9);
    test_rolling("anitescu", 1e-9);
    test_look_ahead("drumwright");
    test_look_ahead("anitescu");
    test_look_ahead("gauss-seidel-coulomb");
    test_bounce("drumwright");
    test_bounce("gauss-seidel-coulomb");
    test_bounce("plus");
    test_joint_friction();
    test_refusals();
    return tap_done();
}
