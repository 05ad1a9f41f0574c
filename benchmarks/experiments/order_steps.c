/* order_steps.c - the time stepper beside motions in closed form. */
#include "benchmarks/experiments/order_steps.h"
#include "base/worse.h"

#include <math.h>
#include <string.h>

double order_slide_rolls(const order_slide *s) {
    return 2 * s->speed / (7 * s->mu * s->g);
}

double order_slide_at(const order_slide *s, double t, double *rate, double *spin) {
    const double slides = fmin(t, order_slide_rolls(s)), slows = s->mu * s->g * slides;
    *rate = s->speed - slows;
    *spin = 2.5 * slows / s->radius;
    return s->speed * slides - 0.5 * slows * slides + *rate * (t - slides);
}

static double exact(const order_motion *m, double t, double *rate, double *spin) {
    *spin = 0;
    return m->hops ? hops_at(m->hops, t, rate) : order_slide_at(&m->slide, t, rate, spin);
}

/* The exact state at a time. */
static void set(const order_motion *m, double t, imp_world *w) {
    double rate, spin;
    const double x = exact(m, t, &rate, &spin);
    memset(w->q, 0, (size_t)w->nq * sizeof *w->q);
    memset(w->v, 0, (size_t)w->nv * sizeof *w->v);
    if (m->link.joint == IMP_FREE) {
        w->q[2] = m->radius;
        w->q[3] = 1;
    }
    w->q[m->coordinate] = x;
    w->v[m->coordinate] = rate;
    if (spin != 0) w->v[4] = spin;
    imp_world_place(w);
}

static imp_status follow(const order_motion *m, imp_stepper *stepper,
                         const imp_step_settings *settings, double from,
                         double error[ORDER_ERRORS]) {
    const imp_world *w = stepper->world;
    const long steps = lround(floor((m->end - from) / settings->h));
    for (long k = 1; k <= steps; k++) {
        double rate, spin;
        const imp_status status = imp_step(stepper, settings);
        if (status != IMP_OK) return status;
        const double x = exact(m, from + (double)k * settings->h, &rate, &spin),
                     off = fabs(w->v[m->coordinate] - rate);
        error[ORDER_PLACE] = imp_worse(error[ORDER_PLACE], fabs(w->q[m->coordinate] - x));
        error[ORDER_RATE_MOST] = imp_worse(error[ORDER_RATE_MOST], off);
        error[ORDER_RATE_MEAN] += off / (double)steps;
    }
    return IMP_OK;
}

imp_status order_run(const order_motion *m, const imp_model *model, double h, double late,
                     double error[ORDER_ERRORS]) {
    imp_status status;
    imp_tree *tree = imp_tree_new(1, &m->link, &status);
    imp_world *world = tree ? imp_world_new(1, &tree) : NULL;
    imp_stepper *stepper = world ? imp_stepper_new(world) : NULL;
    imp_guard guard = {
        .radius = m->radius, .plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = m->mu, .e = m->e};
    imp_shapes shapes = {.guards = 1, .guard = &guard, .reach = INFINITY};
    const imp_step_settings settings = {.h = h,
                                        .gravity = {0, 0, -m->gravity},
                                        .model = model,
                                        .detect = imp_shapes_nearby,
                                        .detect_data = &shapes};
    memcpy(guard.centre, m->centre, sizeof guard.centre);
    memset(error, 0, ORDER_ERRORS * sizeof *error);
    status = stepper ? IMP_OK : IMP_NO_MEMORY;
    if (stepper) {
        set(m, m->begin + late, world);
        status = follow(m, stepper, &settings, m->begin + late, error);
    }
    imp_shapes_clear(&shapes);
    imp_stepper_free(stepper);
    if (world)
        imp_world_free(world);
    else
        imp_tree_free(tree);
    return status;
}
