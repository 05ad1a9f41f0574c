/* calibrate.c - the normal impact without friction, compliant and by a model. */
#include "scene/calibrate.h"

#include <math.h>
#include <string.h>

/* The run is made to 1e-10 a step; an elastic rebound comes out as 1 to this. */
static const double RUN_ERROR = 1e-9;

/* A ball of 1 kg on a plane, touching, with the law of the scene's pair but for friction. */
static imp_status run_ball(const compliant_law *law, const compliant_settings *settings,
                           scene_experiment *x) {
    const double radius = 0.1, up[3] = {0, 0, 1}, none[3] = {0}, turn = 0.4 * radius * radius;
    const imp_link link = {.parent = IMP_GROUND,
                           .joint = IMP_FREE,
                           .mass = 1,
                           .inertia = {turn, 0, 0, 0, turn, 0, 0, 0, turn}};
    const compliant_material any = {.stiffness = 1};
    const compliant_sphere sphere = {.radius = radius, .material = any};
    compliant_plane plane = {.material = any};
    const double q[7] = {0, 0, radius, 1}, v[6] = {0, 0, -x->speed};
    compliant_system system = {0};
    compliant_result result;
    imp_status status;
    imp_tree *tree = imp_tree_new(1, &link, &status);
    if (!tree) return status;
    memcpy(plane.normal, up, sizeof up);
    status = compliant_system_init(&system, tree, none, 1, &sphere, 1, &plane, law->transition);
    if (status == IMP_OK) {
        system.pairs[0].law = *law;
        system.pairs[0].law.mu_static = system.pairs[0].law.mu_dynamic =
            system.pairs[0].law.mu_viscous = system.pairs[0].law.give = 0;
        status = compliant_run(&system, settings, q, v, &result);
        x->end = result.end;
        if (status == IMP_OK && result.end != COMPLIANT_APART) status = IMP_NOT_CONVERGED;
        if (status == IMP_OK) x->rebound = result.y[result.layout.v + 2] / x->speed;
        compliant_result_clear(&result);
    }
    compliant_system_clear(&system);
    imp_tree_free(tree);
    return status;
}

imp_status scene_experiment_run(const scene *s, const scene_moment *moment,
                                scene_experiment *experiment) {
    int fastest = -1;
    *experiment = (scene_experiment){.rebound = NAN};
    for (int i = 0; i < moment->nc; i++)
        if (-moment->u[3 * i] > experiment->speed) {
            experiment->speed = -moment->u[3 * i];
            fastest = i;
        }
    if (fastest < 0) return IMP_OK;
    compliant_settings settings = compliant_settings_default();
    settings.history = false;
    settings.until = INFINITY; /* it ends by itself, as soon as the ball leaves */
    settings.proceed = s->run.proceed;
    settings.context = s->run.context;
    return run_ball(&s->system.pairs[moment->pair[fastest]].law, &settings, experiment);
}

/* Speed after over speed before in the model's answer. */
static imp_status rebound_of(const scene_experiment *x, const imp_model *model,
                             const imp_settings *settings, double e, double *rebound) {
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-x->speed, 0, 0}, mu = 0;
    const imp_operator dense = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &dense, .q = q, .mu = &mu, .e = &e};
    double p[3];
    const imp_status status = imp_solve(model, &problem, settings, p, NULL);
    if (status == IMP_OK) *rebound = (p[0] + q[0]) / x->speed;
    return status;
}

imp_status scene_calibrate(const scene_experiment *experiment, const imp_model *model,
                           const imp_settings *settings, double *e, double *off) {
    double low = 0, high = 1, at_low, at_high;
    if (!(experiment->speed > 0) || !(model->takes & IMP_TAKES_RESTITUTION)) return IMP_UNSUPPORTED;
    imp_status status = rebound_of(experiment, model, settings, 0, &at_low);
    if (status == IMP_OK) status = rebound_of(experiment, model, settings, 1, &at_high);
    if (status != IMP_OK) return status;
    if (experiment->rebound >= at_high - RUN_ERROR) low = 1, at_low = at_high;
    if (experiment->rebound <= at_low) high = low;
    while (high - low > 1e-12 && status == IMP_OK) { /* the rebound rises with e */
        const double half = 0.5 * (low + high);
        double at_half = NAN;
        status = rebound_of(experiment, model, settings, half, &at_half);
        if (at_half < experiment->rebound)
            low = half, at_low = at_half;
        else
            high = half;
    }
    *e = low;
    *off = fabs(at_low - experiment->rebound);
    return status;
}
