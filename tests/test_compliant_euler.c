/* test_compliant_euler.c - Euler's methods with variable step: their steps in closed form, the
 * Jacobian, and how runs by them converge. */
#include "base/vec3.h"
#include "compliant/euler.h"
#include "compliant/run.h"
#include "tap.h"

#include <gsl/gsl_errno.h>

static const double stiffness = 1e6, radius = 0.1; /* N/m, m */

/* A ball of 1 kg, its centre at a height over a plane; linear springs, or Hertz at 1 GPa. */
typedef struct ball_scene {
    imp_tree *tree;
    compliant_system system;
    compliant_ode ode;
    double y[32];
} ball_scene;

static void place(ball_scene *s, double height, double speed, double gravity, bool linear,
                  double friction) {
    const double I = 0.4 * radius * radius, down[3] = {0, 0, -gravity};
    const imp_link link = {
        .parent = IMP_GROUND, .joint = IMP_FREE, .mass = 1, .inertia = {I, 0, 0, 0, I, 0, 0, 0, I}};
    const compliant_material m = {.stiffness = 1e9,
                                  .mu_static = friction,
                                  .mu_dynamic = friction,
                                  .spring = linear ? 2 * stiffness : 0};
    const compliant_sphere sphere = {.radius = radius, .material = m};
    const compliant_plane plane = {.normal = {0, 0, 1}, .material = m};
    *s = (ball_scene){.tree = imp_tree_new(1, &link, NULL), .y = {0, 0, height, 1}};
    compliant_system_init(&s->system, s->tree, down, 1, &sphere, 1, &plane, 0.01);
    compliant_ode_init(&s->ode, &s->system);
    s->y[s->ode.v + 2] = -speed;
    compliant_ode_scale(&s->ode, s->y, s->y + s->ode.v, 1, 0);
}

static void clear(ball_scene *s) {
    compliant_ode_clear(&s->ode);
    compliant_system_clear(&s->system);
    imp_tree_free(s->tree);
}

/* One step of a free fall: two halves, each with its new velocity; the error is the distance from
 * one whole. */
static void test_fall(void) {
    const double h = 0.25, g = 9.81, v = 3;
    ball_scene s;
    place(&s, 10, v, g, false, 0);
    const gsl_odeiv2_system system = {compliant_ode_slope, NULL, (size_t)s.ode.dim, &s.ode};
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(compliant_step_semi_explicit, system.dimension);
    double error[32], in[32], out[32];
    gsl_odeiv2_step_apply(step, 0, h, s.y, error, NULL, out, &system);
    ok(s.ode.evaluations == 3, "three evaluations from scratch");
    is_near(s.y[2], 10 - v * h - 0.75 * g * h * h, 0, 1e-15, "fall of two half steps");
    is_near(s.y[s.ode.v + 2], -v - g * h, 0, 1e-15, "speed");
    is_near(error[2], 0.25 * g * h * h, 1e-15, 1e-14, "error: a whole step falls g h^2");
    is_near(error[s.ode.v + 2], 0, 1e-15, 0, "and has the same speed");
    is_near(out[2], s.y[s.ode.v + 2], 0, 0, "the slope handed out belongs to the end");
    memcpy(in, out, sizeof in);
    s.ode.evaluations = 0;
    gsl_odeiv2_step_apply(step, h, h, s.y, error, in, out, &system);
    ok(s.ode.evaluations == 2, "two with the slope at the start given");
    s.y[2] = NAN;
    ok(gsl_odeiv2_step_apply(step, h, h, s.y, error, NULL, out, &system) != GSL_SUCCESS,
       "a state that is none is refused");
    ok(gsl_odeiv2_step_order(step) == 1, "order 1");
    gsl_odeiv2_step_free(step);
    clear(&s);
}

/* On a linear spring x'' = -w^2 x symplectic Euler with steps h/2 keeps v^2 + w^2 x^2 - (h/2) w^2 x
 * v, x the penetration; the explicit and the implicit method change it in the second digit. */
static void test_symplectic(void) {
    ball_scene s;
    place(&s, radius, 1, 0, true, 0);
    const double w2 = stiffness, h = 0.2 / sqrt(w2); /* kg = 1 */
    const gsl_odeiv2_system system = {compliant_ode_slope, NULL, (size_t)s.ode.dim, &s.ode};
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(compliant_step_semi_explicit, system.dimension);
    double error[32], worst = 0;
    s.ode.pressing[0] = true;
    for (int k = 0; k < 14; k++) {
        gsl_odeiv2_step_apply(step, k * h, h, s.y, error, NULL, NULL, &system);
        const double x = radius - s.y[2], v = -s.y[s.ode.v + 2];
        const double off = fabs(v * v + w2 * x * x - 0.5 * h * w2 * x * v - 1);
        worst = tap_worst(worst, x > 0 ? off : (double)NAN);
    }
    is_near(worst, 0, 1e-13, 0, "symplectic: keeps its energy on a linear spring");
    gsl_odeiv2_step_free(step);
    clear(&s);
}

/* A step of backward Euler on the linear spring: two of half the length, each (1 + (k w)^2) x1 = x0
 * + k v0. */
static void test_implicit(void) {
    ball_scene s;
    place(&s, radius, 1, 0, true, 0);
    const double w2 = stiffness, h = 0.2 / sqrt(w2);
    const gsl_odeiv2_system system = {compliant_ode_slope, compliant_ode_jacobian,
                                      (size_t)s.ode.dim, &s.ode};
    gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_scaled_new(&system, gsl_odeiv2_step_rk1imp,
                                                                   1, 1e-12, 0, 1, 0, s.ode.unit);
    double error[32], x = 0, v = 1;
    s.ode.pressing[0] = true;
    gsl_odeiv2_step_apply(driver->s, 0, h, s.y, error, NULL, NULL, &system);
    for (int k = 0; k < 2; k++) {
        x = (x + 0.5 * h * v) / (1 + 0.25 * h * h * w2);
        v -= 0.5 * h * w2 * x;
    }
    is_near(radius - s.y[2], x, 1e-12 * radius, 0, "backward Euler: penetration");
    is_near(-s.y[s.ode.v + 2], v, 1e-10, 0, "speed");
    gsl_odeiv2_driver_free(driver);
    clear(&s);
}

/* The Jacobian against central differences of another length, of a ball that slides as it presses;
 * impulses and energies push nothing. */
static void test_jacobian(void) {
    ball_scene s;
    place(&s, radius - 1e-5, 1, 9.81, false, 0.3);
    const int n = s.ode.dim;
    double J[32 * 32], rest[32], up[32], down[32], worst = 0, largest = 0;
    s.ode.pressing[0] = true;
    s.y[s.ode.v] = 0.008; /* m/s, on the rising side of friction */
    ok(compliant_ode_jacobian(0, s.y, J, rest, &s.ode) == GSL_SUCCESS && n <= 32, "a Jacobian");
    for (int j = 0; j < n; j++) {
        const double own = s.y[j], far = 1e-5 * s.ode.unit[j];
        s.y[j] = own + far;
        const double above = s.y[j];
        compliant_ode_slope(0, s.y, up, &s.ode);
        s.y[j] = own - far;
        const double below = s.y[j];
        compliant_ode_slope(0, s.y, down, &s.ode);
        s.y[j] = own;
        for (int i = 0; i < n; i++) {
            /* in units of both scales, times the time scale */
            const double unit = s.ode.unit[j] / s.ode.unit[i] * s.ode.depth / s.ode.speed,
                         entry = (up[i] - down[i]) / (above - below) * unit;
            largest = fmax(largest, fabs(entry));
            worst = tap_worst(worst, fabs(J[i * n + j] * unit - entry));
        }
    }
    is_near(worst / largest, 0, 1e-6, 0, "every entry, against central differences");
    is_vec(rest, (double[32]){0}, n, 0, 0, "nothing depends on time");
    clear(&s);
}

/* Rebound speed of a Hertz impact at 1 m/s, less 1. */
static double rebound(const gsl_odeiv2_step_type *stepper, double accuracy, long *steps) {
    ball_scene s;
    place(&s, radius + 1e-3, 1, 0, false, 0);
    compliant_settings set = compliant_settings_default();
    compliant_result r;
    set.stepper = stepper, set.accuracy = accuracy;
    const double q[7] = {0, 0, radius + 1e-3, 1}, v[6] = {0, 0, -1};
    const imp_status status = compliant_run(&s.system, &set, q, v, &r);
    const double off = status == IMP_OK && r.nspells == 1 ? r.y[r.layout.v + 2] - 1 : NAN;
    *steps = r.steps;
    compliant_result_clear(&r);
    clear(&s);
    return off;
}

/* Of order 1: the error of a step, held at the accuracy, is like h^2, that of the end like h. */
static void test_order(void) {
    const gsl_odeiv2_step_type *const steppers[] = {compliant_step_semi_explicit,
                                                    gsl_odeiv2_step_rk1imp};
    for (int k = 0; k < 2; k++) {
        long few, many;
        const double coarse = rebound(steppers[k], 1e-5, &few),
                     fine = rebound(steppers[k], 1e-7, &many);
        note("%s: off by %g in %ld steps, %g in %ld", steppers[k]->name, coarse, few, fine, many);
        is_near(log10(fabs(coarse / fine)) / 2, 0.5, 0.1, 0,
                "%s: a hundredth of the accuracy, a tenth of the error", steppers[k]->name);
        is_near(log10((double)many / (double)few) / 2, 0.5, 0.1, 0, "in ten times the steps");
        ok(fabs(fine) < 0.01, "and it rebounds");
    }
}

int main(void) {
    gsl_set_error_handler_off();
    test_fall();
    test_symplectic();
    test_implicit();
    test_jacobian();
    test_order();
    return tap_done();
}
