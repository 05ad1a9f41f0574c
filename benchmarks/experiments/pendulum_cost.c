/* pendulum_cost.c - cost and error of a triple pendulum's impact. */
#include "benchmarks/experiments/pendulum_cost.h"

#include "base/clock.h"
#include "base/vec3.h"
#include "compliant/euler.h"
#include "compliant/merson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const pendulum_method pendulum_methods[PENDULUM_METHODS] = {
    {"Runge-Kutta-Merson", &compliant_step_merson, 1e-7, "115 to 376"},
    {"Dormand-Prince 8(7)", &gsl_odeiv2_step_rk8pd, 1e-7, NULL},
    {"semi-explicit Euler", &compliant_step_semi_explicit, 1e-5, "126 to 505"},
    {"implicit Euler", &gsl_odeiv2_step_rk1imp, 1e-5, "6400 to 6900"},
};

enum { REPEATS = 5 };

static const double after = 0.1; /* s, from the touch until the sphere's height is compared */

/* From the touch to the end of the contact. */
static compliant_settings impact_alone(const course *c) {
    compliant_settings settings = c->scene.run;
    settings.apart = 0;
    settings.history = false;
    return settings;
}

/* m, of the sphere when `left` seconds have passed from the state (q, v). */
static double height_later(const course *c, const double *q, const double *v, double left) {
    const compliant_system *system = &c->scene.system;
    const int pair = c->touch.pair[0];
    compliant_settings settings = c->scene.run;
    compliant_result run;
    settings.until = left;
    settings.apart = -1;
    settings.history = false;
    double result = NAN;
    if (compliant_run(system, &settings, q, v, &run) == IMP_OK) {
        imp_tree_place(c->scene.tree, run.y, run.y + run.layout.v);
        result = system->spheres[system->pairs[pair].b].radius - compliant_look(system, pair).depth;
    }
    compliant_result_clear(&run);
    return result;
}

double pendulum_height(course *c, const gsl_odeiv2_step_type *stepper, double accuracy) {
    compliant_settings settings = impact_alone(c);
    compliant_result run;
    settings.stepper = stepper;
    settings.accuracy = accuracy;
    double result = NAN;
    if (compliant_run(&c->scene.system, &settings, c->touch.q, c->touch.v, &run) == IMP_OK)
        result = height_later(c, run.y, run.y + run.layout.v, after - run.time);
    compliant_result_clear(&run);
    return result;
}

double pendulum_height_plus(course *c) {
    scene_outcome outcome;
    double result = NAN;
    if (scene_outcome_init(&outcome, &c->touch) != IMP_OK) return NAN;
    if (imp_solve(&imp_model_plus, &c->touch.problem, NULL, outcome.p, NULL) == IMP_OK &&
        scene_outcome_from_impulse(&c->scene, &c->touch, &outcome) == IMP_OK)
        result = height_later(c, c->touch.q, outcome.v, after);
    scene_outcome_clear(&outcome);
    return result;
}

double pendulum_loosest(course *c, const pendulum_method *method, double reference, double most,
                        double *error) {
    double found = *error = NAN;
    for (int k = 0;; k++) {
        const double accuracy = method->tightest * pow(10, 0.25 * k);
        if (!(accuracy < 2)) break;
        const double off = fabs(pendulum_height(c, *method->stepper, accuracy) / reference - 1);
        if (!(off <= most)) break;
        found = accuracy;
        *error = off;
    }
    return found;
}

double pendulum_time(course *c, const pendulum_method *method, double accuracy, long *evaluations) {
    compliant_settings settings = impact_alone(c);
    settings.stepper = *method->stepper;
    settings.accuracy = accuracy;
    double least = INFINITY;
    for (int k = 0; k < REPEATS; k++) {
        compliant_result result;
        const double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
        const imp_status status =
            compliant_run(&c->scene.system, &settings, c->touch.q, c->touch.v, &result);
        least = fmin(least, imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start);
        *evaluations = result.evaluations;
        compliant_result_clear(&result);
        if (status != IMP_OK) return NAN;
    }
    return least;
}

double pendulum_time_plus(course *c, double *solver) {
    const imp_plus_settings settings = imp_plus_settings_default();
    double packed[6], least = INFINITY, v[8], scratch[24], own[9], u[3], p[3];
    *solver = INFINITY;
    pack3(c->touch.W, packed);
    if (c->touch.nc != 1 || c->touch.nv > 8) return NAN;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const int calls = 100;
        double start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
        for (int k = 0; k < calls; k++) {
            imp_tree_place(c->scene.tree, c->touch.q, c->touch.v);
            (void)imp_tree_delassus(c->scene.tree, 1, c->touch.contact, own, u, scratch);
            (void)imp_plus_single(packed, c->touch.u, c->touch.mu[0], c->touch.e[0], &settings, p,
                                  NULL, NULL);
            memcpy(v, c->touch.v, (size_t)c->touch.nv * sizeof *v);
            imp_tree_impulse(c->scene.tree, 1, c->touch.contact, p, v, scratch);
        }
        least = fmin(least, (imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / calls);
        start = imp_seconds(CLOCK_THREAD_CPUTIME_ID);
        for (int k = 0; k < calls; k++)
            (void)imp_plus_single(packed, c->touch.u, c->touch.mu[0], c->touch.e[0], &settings, p,
                                  NULL, NULL);
        *solver = fmin(*solver, (imp_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / calls);
    }
    return least;
}
