/* metric_step.c - the time stepper: a cube that slides as it must, and one that tumbles. */
#include "benchmarks/metrics/metric_parts.h"
#include "base/worse.h"

#include "impact.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 8 };

static const double g = 9.81, h = 0.005, mu = 0.4;

typedef struct cube {
    imp_world *world;
    imp_stepper *stepper;
    imp_guard guard[CORNERS];
    imp_shapes shapes;
    imp_step_settings settings;
} cube;

/* A cube of 1 kg and 1 m, its lower face at `height` over a plane sloping by `slope`; gravity is
 * turned instead. */
static bool cube_open(cube *c, double height, double slope, double e) {
    const imp_link body = {.mass = 1, .inertia = {1. / 6, 0, 0, 0, 1. / 6, 0, 0, 0, 1. / 6}};
    c->world = imp_world_of_bodies(1, &body, (const double[3]){0, 0, 0.5 + height}, NULL);
    c->stepper = c->world ? imp_stepper_new(c->world) : NULL;
    for (int i = 0; i < CORNERS; i++)
        c->guard[i] =
            (imp_guard){.link = 0,
                        .centre = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5},
                        .plane = IMP_GROUND,
                        .normal = {0, 0, 1},
                        .mu = mu,
                        .e = e};
    c->shapes = (imp_shapes){.guards = CORNERS, .guard = c->guard, .reach = 0.05};
    c->settings = (imp_step_settings){.h = h,
                                      .gravity = {g * sin(slope), 0, -g * cos(slope)},
                                      .model = &imp_model_auto,
                                      .detect = imp_shapes_nearby,
                                      .detect_data = &c->shapes};
    return c->stepper;
}

static void cube_close(cube *c) {
    imp_stepper_free(c->stepper);
    imp_world_free(c->world);
}

/* m/s: the worst difference from v = h k g (sin - mu cos) while it slides down 30 degrees. */
double metric_step_slide(bool worse) {
    cube c;
    const double slope = acos(-1) / 6;
    double error = INFINITY;
    if (cube_open(&c, 0, slope, 0)) {
        error = 0;
        for (int k = 1; k <= 200; k++) {
            if (imp_step(c.stepper, &c.settings) != IMP_OK) error = INFINITY;
            error =
                imp_worse(error, fabs(c.world->v[0] - k * h * g * (sin(slope) - mu * cos(slope))));
        }
    }
    cube_close(&c);
    return worse ? error + 1e-6 : error;
}

/* A spinning cube falls from half a metre onto its corners and comes to rest. J: the most energy it
 * has above that of the start; the solver's iterations. */
static double tumble(bool energy, int steps) {
    cube c;
    double iterations = 0, gain = 0;
    if (!cube_open(&c, 0.5, 0, 0.5)) {
        cube_close(&c);
        return INFINITY;
    }
    memcpy(imp_world_v(c.world, 0), (const double[6]){1, 0, 0, 2, 3, 1}, 6 * sizeof(double));
    const double start = 0.5 * (1 + (4 + 9 + 1) / 6.0) + g * c.world->q[2];
    for (int k = 0; k < steps; k++) {
        if (imp_step(c.stepper, &c.settings) < 0) iterations = gain = INFINITY;
        const double *v = c.world->v;
        double now = g * c.world->q[2];
        for (int i = 0; i < 6; i++)
            now += v[i] * v[i] / (i < 3 ? 2 : 12);
        gain = imp_worse(gain, now - start);
        iterations += 1 + c.stepper->info.iterations;
    }
    cube_close(&c);
    return energy ? gain : iterations;
}

double metric_step_energy(bool worse) {
    return tumble(true, 400) + (worse ? 1e-6 : 0);
}

double metric_step_iterations(bool worse) {
    return (worse ? 2 : 1) * tumble(false, 400);
}

double metric_run_step(bool worse) {
    return tumble(false, worse ? 400 : 200);
}
