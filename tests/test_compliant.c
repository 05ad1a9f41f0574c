/* test_compliant.c - compliant runs against closed forms: Hertz impacts, touch times, conservation,
 * failures. The printed numbers of the paper's scenes are in test_scene.c. */
#include "base/vec3.h"
#include "compliant/event.h"
#include "compliant/merson.h"
#include "compliant/run.h"
#include "tap.h"

static const double still[3] = {0, 0, 0};

/* A ball of 1 kg and radius r over a plane. */
typedef struct ball_scene {
    imp_tree *tree;
    compliant_system system;
    double q[7], v[6];
} ball_scene;

static ball_scene drop(double height, double speed, double gravity, double dissipation,
                       double friction) {
    const double r = 0.1, I = 0.4 * r * r, down[3] = {0, 0, -gravity};
    const imp_link link = {
        .parent = IMP_GROUND, .joint = IMP_FREE, .mass = 1, .inertia = {I, 0, 0, 0, I, 0, 0, 0, I}};
    const compliant_material m = {1e9, dissipation, friction, friction, 0, 0, 0};
    const compliant_sphere sphere = {.radius = r, .material = m};
    const compliant_plane plane = {{0}, {0, 0, 1}, m};
    ball_scene s = {
        .tree = imp_tree_new(1, &link, NULL), .q = {0, 0, r + height, 1}, .v = {0, 0, -speed}};
    compliant_system_init(&s.system, s.tree, down, 1, &sphere, 1, &plane, 0.01);
    return s;
}

static void clear(ball_scene *s) {
    compliant_system_clear(&s->system);
    imp_tree_free(s->tree);
}

/* Hertz's impact in closed form: depth, duration 4/5 B(2/5, 1/2) depth / v, and the located
 * ends. */
static void test_hertz(void) {
    const gsl_odeiv2_step_type *const steppers[] = {gsl_odeiv2_step_rk8pd, gsl_odeiv2_step_rkf45,
                                                    compliant_step_merson};
    const double beta = exp(lgamma(0.4) + lgamma(0.5) - lgamma(0.9));
    for (int k = 0; k < 3; k++) {
        ball_scene s = drop(0.02, 3, 0, 0, 0);
        compliant_settings set = compliant_settings_default();
        compliant_result r;
        set.stepper = steppers[k];
        const imp_status status = compliant_run(&s.system, &set, s.q, s.v, &r);
        const char *name = steppers[k]->name;
        const double depth = pow(1.25 * 9 / s.system.pairs[0].law.stiffness, 0.4),
                     duration = 0.8 * beta * depth / 3;
        ok(status == IMP_OK && r.end == COMPLIANT_APART && r.nspells == 1,
           "%s: one contact, then apart", name);
        is_near(r.first_touch, 0.02 / 3, 1e-14, 0, "%s: touch time", name);
        is_near(r.last_end - r.first_touch, duration, 0, 2e-9, "%s: duration of the contact", name);
        is_near(r.deepest[0], depth, 0, 1e-8, "%s: depth", name);
        is_near(r.y[r.layout.v + 2], 3, 0, 1e-9, "%s: elastic rebound", name);
        is_near(r.y[r.layout.impulse + 2], 6, 0, 1e-9, "%s: impulse", name);
        compliant_result_clear(&r);
        clear(&s);
    }
    for (int k = 1; k <= 4; k++) { /* a central impact, whatever the stiffness */
        ball_scene s = drop(0, 2, 0, 0.25 * k, 0);
        compliant_settings set = compliant_settings_default();
        compliant_result r;
        compliant_run(&s.system, &set, s.q, s.v, &r);
        is_near(r.y[r.layout.v + 2] / 2, compliant_restitution(0.25 * k, 2), 1e-9, 0,
                "rebound with dissipation c v = %g", 0.5 * k);
        compliant_result_clear(&r);
        clear(&s);
    }
    ball_scene s = drop(0.01, 1, 0, 0, 0);
    compliant_settings near = compliant_settings_default();
    compliant_result r;
    near.apart = 0;
    ok(compliant_run(&s.system, &near, s.q, s.v, &r) == IMP_OK && r.end == COMPLIANT_APART &&
           r.last_end == r.time && r.y[r.layout.v + 2] > 0.999,
       "apart = 0: over when the contact ends, not when it begins");
    compliant_result_clear(&r);
    clear(&s);
    /* at rest on the ground, it sags and swings: x'' = g - hertz x^1.5 */
    s = drop(0, 0, 9.81, 0, 0);
    compliant_settings set = compliant_settings_default();
    const double low = pow(2.5 * 9.81 / s.system.pairs[0].law.stiffness, 2.0 / 3);
    set.until = 0.01, set.apart = -1;
    ok(compliant_run(&s.system, &set, s.q, s.v, &r) == IMP_OK && r.nspells == 1,
       "a ball set down stays");
    is_near(r.deepest[0], low, 0, 1e-8, "as deep as its fall stores");
    compliant_result_clear(&r);
    clear(&s);
    s = drop(0.5, 0, 9.81, 0, 0);
    set.until = 3;
    const imp_status status = compliant_run(&s.system, &set, s.q, s.v, &r);
    ok(status == IMP_OK && r.end == COMPLIANT_TIME && r.time == 3 && r.nspells == 5,
       "five bounces in three seconds");
    is_near(r.first_touch, sqrt(2 * 0.5 / 9.81), 1e-13, 0, "touch after a fall");
    bool alternate = true;
    for (int i = 0; i < r.nspells; i++)
        alternate = alternate && r.spells[i].end > r.spells[i].start &&
                    (!i || r.spells[i].start > r.spells[i - 1].end);
    ok(alternate, "starts and ends alternate");
    is_near(r.kinetic + r.potential + r.elastic, r.energy0, 1e-8, 0, "energy after five bounces");
    compliant_result_clear(&r);
    clear(&s);
}

/* What counts as 1: the speed of a fall through the gap, the depth that stores it, both over the
 * lever of a coordinate on the ball's lowest point, however far the ground: 1 along the axes, the
 * arm about horizontal ones; 1 for the spin about the normal, which moves nothing. */
static void test_scale(void) {
    const double height = 0.5, g = 9.81, arm = 0.1, speed = sqrt(2 * g * height);
    ball_scene s = drop(height, 0, g, 0, 0);
    compliant_ode ode;
    if (ok(compliant_ode_init(&ode, &s.system) == IMP_OK &&
               compliant_ode_scale(&ode, s.q, s.v, 1e-3, 0) == IMP_OK,
           "a ball's scales")) {
        const double depth = pow(1.25 * speed * speed / s.system.pairs[0].law.stiffness, 0.4);
        const double of_v[6] = {speed, speed, speed, speed / arm, speed / arm, speed};
        const double of_q[4] = {depth, depth, depth, 0.5 * depth / 1};
        is_near(ode.speed, speed, 0, 1e-14, "its speed at the ground");
        is_near(ode.depth, depth, 0, 1e-12, "its depth");
        is_vec(ode.scale + ode.v, of_v, 6, 0, 1e-12, "velocities, and the spin about the normal");
        is_vec(ode.scale, of_q, 4, 0, 1e-12, "places, and half an angle");
    }
    compliant_ode_clear(&ode);
    clear(&s);
}

/* Which of five spheres may touch: a plane, and two arms on one pin with a weld at the end of one.
 * Neighbours at a joint never do, nor what is one piece, nor what cannot move. */
static void test_pairs(void) {
    const compliant_material m = {1e9, 0, 0, 0, 0, 0, 0};
    const imp_link piece = {.parent = IMP_GROUND,
                            .joint = IMP_WELD,
                            .mass = 1,
                            .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                            .axis = {0, 1, 0},
                            .turn = {1}};
    imp_link links[5] = {piece, piece, piece, piece, piece}; /* 0: a post */
    links[1].joint = links[2].joint = IMP_REVOLUTE;
    links[1].parent = 0;
    links[2].parent = 1;
    links[3].parent = 2; /* welded to the second arm */
    links[4].joint = IMP_FREE;
    compliant_sphere spheres[5];
    for (int i = 0; i < 5; i++)
        spheres[i] = (compliant_sphere){.link = i, .radius = 0.1, .material = m};
    const compliant_plane plane = {{0}, {0, 0, 1}, m};
    imp_tree *tree = imp_tree_new(5, links, NULL);
    compliant_system system = {0};
    static const int wanted[][2] = {{-1, 1}, {-1, 2}, {0, 2}, {-1, 3}, {0, 3},
                                    {-1, 4}, {0, 4},  {1, 4}, {2, 4},  {3, 4}};
    enum { PAIRS = sizeof wanted / sizeof *wanted };
    bool same =
        tree &&
        compliant_system_init(&system, tree, still, 5, spheres, 1, &plane, 0.01) == IMP_OK &&
        system.npairs == PAIRS;
    for (int i = 0; i < PAIRS && same; i++)
        same = system.pairs[i].a == wanted[i][0] && system.pairs[i].b == wanted[i][1] &&
               system.pairs[i].plane == (wanted[i][0] < 0 ? 0 : -1);
    ok(same, "%d pairs of a post, two arms, a weld and a free body over a plane", system.npairs);
    compliant_system_clear(&system);
    imp_tree_free(tree);
}

/* A sliding, spinning ball with friction and dissipation: where the energy goes, and Newton's
 * second law. */
static void test_balance(void) {
    ball_scene s = drop(0.001, 1, 9.81, 0.2, 0.3);
    compliant_settings set = compliant_settings_default();
    compliant_result r;
    s.v[0] = 0.5, s.v[4] = -3;
    compliant_run(&s.system, &set, s.q, s.v, &r);
    const double *y = r.y, *p = y + r.layout.impulse;
    const double energy =
        r.kinetic + r.potential + r.elastic + y[r.layout.damped] + y[r.layout.rubbed];
    is_near(energy, r.energy0, 1e-9, 0, "kinetic + potential + elastic + damped + rubbed stays");
    ok(y[r.layout.damped] > 0.01 && y[r.layout.rubbed] > 0.01, "both losses are losses");
    is_near(y[r.layout.v] - 0.5, p[0], 1e-10, 0, "momentum along the ground");
    is_near(y[r.layout.v + 2] + 1, p[2] - 9.81 * r.time, 1e-10, 0, "momentum upwards");
    const double *last = compliant_history_row(&r.history, r.history.rows - 1);
    ok(r.history.rows == r.steps + 1 && last[r.layout.time] == r.time, "a row per step");
    double worst = 0, impulse = 0;
    for (int i = 1; i < r.history.rows; i++) { /* Simpson needs the middle: trapezium, on fine
                                                  steps, as a check */
        const double *a = compliant_history_row(&r.history, i - 1),
                     *b = compliant_history_row(&r.history, i);
        impulse += 0.5 * (b[r.layout.time] - a[r.layout.time]) *
                   (a[r.layout.force + 2] + b[r.layout.force + 2]);
        worst = tap_worst(worst, fabs(impulse - b[r.layout.impulse + 2]));
    }
    ok(worst < 0.01 * p[2], "the impulse is the integral of the force recorded: %.1e of %.3f",
       worst, p[2]);
    compliant_result_clear(&r);
    clear(&s);
}

static const imp_link unit_ball = {.parent = IMP_GROUND,
                                   .joint = IMP_FREE,
                                   .mass = 1,
                                   .inertia = {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3}};

/* Two balls that pass each other closely: the contact is found when they touch, however briefly and
 * wherever the steps of free flight happen to end. */
static void test_graze(void) {
    const imp_link links[2] = {unit_ball, unit_ball};
    const compliant_material m = {1e9, 0, 0, 0, 0, 0, 0};
    const compliant_sphere spheres[2] = {{.radius = 0.1, .material = m},
                                         {.link = 1, .radius = 0.1, .material = m}};
    for (int decade = 2; decade <= 6; decade++) {
        const double overlap = 0.2 * pow(10, -decade); /* m, at the closest */
        int found = 0, invented = 0;
        double worst = 0;
        for (int k = 0; k < 40; k++) {
            const double beside = 0.2 + (k % 2 ? overlap : -overlap), ahead = 1 + 0.00131 * k;
            imp_tree *tree = imp_tree_new(2, links, NULL);
            compliant_system system;
            compliant_system_init(&system, tree, still, 2, spheres, 0, NULL, 0.01);
            const double q[14] = {-ahead, 0, 0, 1, 0, 0, 0, 1, beside, 0, 1},
                         v[12] = {10, 0, 0, 0, 0, 0, -10};
            compliant_settings set = compliant_settings_default();
            compliant_result r;
            set.until = 0.2;
            set.history = false;
            compliant_run(&system, &set, q, v, &r);
            found += k % 2 == 0 && r.nspells == 1;
            invented += k % 2 == 1 && r.nspells > 0;
            worst = tap_worst(worst, fabs(r.kinetic - r.energy0));
            compliant_result_clear(&r);
            compliant_system_clear(&system);
            imp_tree_free(tree);
        }
        ok(found == 20 && !invented, "grazes of %g m: %d of 20 found, %d invented", overlap, found,
           invented);
        ok(worst < 1e-7, "and their energy: %.1e", worst);
    }
}

/* Two unlike balls that meet off centre, with friction: the force acts where the surfaces meet, and
 * which of them is called A does not matter. */
static void test_order(void) {
    const compliant_material soft = {1e8, 0.1, 0.4, 0.3, 0, 0, 0},
                             hard = {2e9, 0.3, 0.6, 0.5, 0, 0, 0};
    double spin[2][2][3], momentum[3] = {0};
    for (int k = 0; k < 2; k++) { /* ball `one` is link k */
        imp_link links[2] = {unit_ball, unit_ball};
        links[k].mass = 2;
        const compliant_sphere one = {.link = k, .radius = 0.1, .material = soft},
                               other = {.link = 1 - k, .radius = 0.3, .material = hard};
        const compliant_sphere spheres[2] = {k ? other : one, k ? one : other};
        imp_tree *tree = imp_tree_new(2, links, NULL);
        compliant_system system;
        compliant_system_init(&system, tree, still, 2, spheres, 0, NULL, 0.01);
        double q[14] = {0}, v[12] = {0};
        q[7 * k] = -0.5, q[7 * k + 1] = 0.2, q[7 * k + 3] = q[7 * (1 - k) + 3] = 1;
        v[6 * k] = 3, v[6 * k + 5] = 4;
        imp_tree_place(tree, q, v);
        const compliant_touch gap = compliant_look(&system, 0);
        const double depth = 0.4 - sqrt(0.29);
        is_near(gap.depth, depth, 1e-15, 0, "the gap");
        double from[3];
        sub3(gap.point, q + 7 * k, from);
        is_near(norm3(from),
                0.1 - (k ? 1 - system.pairs[0].law.share : system.pairs[0].law.share) * depth,
                1e-15, 0, "the point lies its share of the depth inside the surface");
        compliant_settings set = compliant_settings_default();
        compliant_result r;
        compliant_run(&system, &set, q, v, &r);
        const double *w = r.y + r.layout.v;
        ok(r.nspells == 1 && r.y[r.layout.rubbed] > 0, "they meet and rub");
        memcpy(spin[k][0], w + 6 * k + 3, sizeof spin[k][0]);
        memcpy(spin[k][1], w + 6 * (1 - k) + 3, sizeof spin[k][1]);
        for (int i = 0; i < 3; i++)
            momentum[i] += 2 * w[6 * k + i] + w[6 * (1 - k) + i] - (i == 0 ? 6 : 0);
        compliant_result_clear(&r);
        compliant_system_clear(&system);
        imp_tree_free(tree);
    }
    is_vec(spin[1][0], spin[0][0], 6, 0, 1e-9, "the order of the balls does not matter");
    ok(norm3(momentum) < 1e-11, "momentum stays: %.1e", norm3(momentum));
}

/* The cubic of a step finds crossings and closest approaches of cubic motion exactly. */
static void test_event(void) {
    ball_scene s = drop(0, 0, 0, 0, 0);
    compliant_ode ode;
    compliant_ode_init(&ode, &s.system);
    ode.depth = 1;
    double y0[40] = {0}, y1[40] = {0}, f0[40] = {0}, f1[40] = {0}, scratch[40];
    /* height over the touch 0.3 t^3 - 1.1 t^2 + 0.2 t + 0.5 for t in [0, 2]: zero at t = 0.9266...,
     * lowest later */
    const double h = 2, at0 = 0.5, at1 = 0.3 * 8 - 1.1 * 4 + 0.4 + 0.5, slope0 = 0.2,
                 slope1 = 0.9 * 4 - 2.2 * 2 + 0.2;
    y0[2] = 0.1 + at0, y1[2] = 0.1 + at1, y0[3] = y1[3] = 1;
    f0[2] = y0[ode.v + 2] = slope0, f1[2] = y1[ode.v + 2] = slope1;
    f0[ode.v + 2] = -2.2, f1[ode.v + 2] = 1.8 * 2 - 2.2;
    const compliant_span span = {0, h, y0, f0, y1, f1};
    const double t = h * compliant_crossing(&ode, &span, COMPLIANT_PRESSES, 0, 0, scratch);
    is_near(0.3 * t * t * t - 1.1 * t * t + 0.2 * t + 0.5, 0, 1e-14, 0,
            "crossing of a cubic at %.6f", t);
    y0[ode.v + 2] = f0[2] = -0.2, y1[ode.v + 2] = f1[2] = 0.6; /* closing at first, then opening */
    const double part = compliant_turning(&ode, &span, 0, scratch);
    is_near(scratch[ode.v + 2], 0, 1e-12, 0, "at the closest, part %.3f, nothing moves", part);
    /* up from the ground and back to it within the step, at t = 1.5 of 2: 0.5 t (1.5 - t) */
    y0[2] = 0.1, y1[2] = 0.1 - 0.5, f0[2] = y0[ode.v + 2] = 0.75, f1[2] = y1[ode.v + 2] = -1.25;
    f0[ode.v + 2] = f1[ode.v + 2] = -1;
    const double top = compliant_turning(&ode, &span, 0, scratch);
    is_near(h * top, 0.75, 1e-12, 0, "a hop turns at its height");
    is_near(h * compliant_crossing(&ode, &span, COMPLIANT_PRESSES, 0, top, scratch), 1.5, 1e-14, 0,
            "and ends behind it");
    compliant_ode_clear(&ode);
    clear(&s);
}

static bool stop_at_once(double t, void *context) {
    (void)t;
    return --*(int *)context > 0;
}

static void test_failures(void) {
    ball_scene s = drop(0.1, 1, 9.81, 0.1, 0.2);
    const compliant_settings preset = compliant_settings_default();
    compliant_settings set = preset;
    compliant_result r;
    set.max_steps = 20;
    imp_status status = compliant_run(&s.system, &set, s.q, s.v, &r);
    ok(status == IMP_NOT_CONVERGED && r.end == COMPLIANT_STEPS && r.time > 0 && r.y,
       "step limit: time reached %g", r.time);
    compliant_result_clear(&r);
    set = preset, set.accuracy = 1e-40;
    status = compliant_run(&s.system, &set, s.q, s.v, &r);
    ok(status == IMP_NOT_CONVERGED && r.end == COMPLIANT_TOLERANCE && r.time < 1,
       "an accuracy nobody meets");
    compliant_result_clear(&r);
    int left = 5;
    set = preset, set.proceed = stop_at_once, set.context = &left;
    status = compliant_run(&s.system, &set, s.q, s.v, &r);
    ok(status == IMP_NOT_CONVERGED && r.end == COMPLIANT_INTERRUPTED && r.steps == 5,
       "interrupted after five steps");
    compliant_result_clear(&r);
    set = preset, set.to_touch = true;
    status = compliant_run(&s.system, &set, s.q, s.v, &r);
    ok(status == IMP_OK && r.end == COMPLIANT_TOUCH && r.time == r.first_touch,
       "stopped at the touch");
    compliant_result_clear(&r);
    set = preset, set.accuracy = -1;
    ok(compliant_run(&s.system, &set, s.q, s.v, &r) == IMP_BAD_ARGUMENT && !r.y,
       "negative accuracy");
    s.v[3] = NAN;
    ok(compliant_run(&s.system, &preset, s.q, s.v, &r) == IMP_NOT_FINITE && !r.y,
       "a velocity that is no number");
    clear(&s);
    const imp_link massless = {.parent = IMP_GROUND, .joint = IMP_FREE, .mass = 0};
    imp_tree *tree = imp_tree_new(1, &massless, NULL);
    compliant_system system;
    const double q[7] = {0, 0, 1, 1}, v[6] = {0};
    compliant_system_init(&system, tree, still, 0, NULL, 0, NULL, 0.01);
    ok(compliant_run(&system, &preset, q, v, &r) == IMP_NOT_POSITIVE && !r.y,
       "a body without mass");
    compliant_system_clear(&system);
    imp_tree_free(tree);
}

/* A ball that bounces and sticks: its slip creeps far below the transition, where a step is as long
 * as stability lets it be, and few of them are refused. */
static void test_creep(void) {
    const gsl_odeiv2_step_type *const steppers[] = {gsl_odeiv2_step_rk8pd, gsl_odeiv2_step_rkf45,
                                                    compliant_step_merson};
    const double share[] = {0.02, 0.08, 0.02}; /* a rule without memory: 0.04, 0.13, 0.09 */
    for (int k = 0; k < 3; k++) {
        ball_scene s = drop(0, 1, 0, 0.3, 0.6);
        compliant_settings set = compliant_settings_default();
        compliant_result r;
        set.stepper = steppers[k];
        s.v[0] = 0.02;
        s.system.pairs[0].law.transition = 1e-6;
        const imp_status status = compliant_run(&s.system, &set, s.q, s.v, &r);
        ok(status == IMP_OK && (double)r.rejected < share[k] * (double)r.steps,
           "%s: %ld steps, %ld refused", steppers[k]->name, r.steps, r.rejected);
        compliant_result_clear(&r);
        clear(&s);
    }
}

int main(void) {
    test_creep();
    test_hertz();
    test_scale();
    test_pairs();
    test_balance();
    test_graze();
    test_order();
    test_event();
    test_failures();
    return tap_done();
}
