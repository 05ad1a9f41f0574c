/* limit.c - the rigid limit of a compliant impact.
 *
 * One contact: Hunt and Crossley's force with nothing turning is the Darboux-Keller process,
 * stopped where the integral of u_n / (1 - a u_n) dp_n vanishes, a = 3/2 c. Several have no such
 * form and are extrapolated: with depth and duration measured in units of s = E^(-2/5), the
 * equations of an impact depend on s only through the change of configuration, which is of order
 * s; friction's transition speed is made of order s as well. A linear spring has s = k^(-1/2). A
 * contact has another limit, which is extrapolated, where it gives along its surfaces, too, where
 * its friction is not Coulomb's with one coefficient (static or viscous friction), and where its
 * bodies cannot move in every direction (W singular). The outcome is then p(s) = p(0) + p' s + ...,
 * and runs at s = 1, 1/2, 1/4, ... give p(0) by Neville's scheme. */
#include "scene/impact.h"

#include "base/vec3.h"
#include "single/darboux.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 3, MOST = 8 };         /* levels s = 1, 1/2, 1/4, ... */
static const double ACCURACY = 1e-10; /* of the runs, and the least doubt */
/* of the speed before: two extrapolations this close end the search */
static const double ENOUGH = 1e-6;

/* The scene's system with stiffness E s^-5/2 or k s^-2 and transition speed v s; its pairs are
 * the caller's to free. */
static imp_status stiffened(const compliant_system *system, double s, compliant_system *result) {
    *result = *system;
    result->pairs = malloc((size_t)system->npairs * sizeof *result->pairs);
    if (!result->pairs) return IMP_NO_MEMORY;
    memcpy(result->pairs, system->pairs, (size_t)system->npairs * sizeof *result->pairs);
    for (int i = 0; i < system->npairs; i++) {
        result->pairs[i].law.stiffness *= pow(s, -(result->pairs[i].law.power + 1));
        result->pairs[i].law.transition *= s;
    }
    return IMP_OK;
}

/* One more run, at s. */
static imp_status run_at(const scene *s, const scene_moment *moment, double size,
                         scene_outcome *outcome) {
    scene stiff = *s;
    compliant_settings settings = s->run;
    settings.accuracy = ACCURACY;
    settings.stepper = gsl_odeiv2_step_rk8pd;
    settings.history = false;
    imp_status status = scene_outcome_init(outcome, moment);
    if (status == IMP_OK) status = stiffened(&s->system, size, &stiff.system);
    if (status != IMP_OK) return status;
    status = scene_compliant(&stiff, moment, &settings, outcome, NULL);
    free(stiff.system.pairs);
    return status;
}

/* far <- the value at s = 0 of the polynomial through `near` (of the levels k - order .. k - 1) and
 * `far` (of the levels k - order + 1 .. k). */
static void extrapolate(const scene_moment *moment, int order, const scene_outcome *near,
                        scene_outcome *far) {
    const double factor = 1 / (ldexp(1, order) - 1);
    for (int i = 0; i < moment->nv; i++)
        far->v[i] += factor * (far->v[i] - near->v[i]);
    for (int i = 0; i < 3 * moment->nc; i++)
        far->p[i] += factor * (far->p[i] - near->p[i]);
}

/* One contact with Coulomb's friction of one coefficient, whose bodies move in every direction. */
static bool is_process(const scene *s, const scene_moment *moment) {
    if (moment->nc != 1 || moment->factored) return false;
    const compliant_law *law = &s->system.pairs[moment->pair[0]].law;
    return law->mu_static == law->mu_dynamic && law->mu_viscous == 0 && law->give == 0;
}

/* One contact, in closed form up to quadrature. */
static imp_status limit_of_one(const scene *s, const scene_moment *moment, scene_outcome *outcome,
                               double *doubt) {
    double W[6];
    pack3(moment->W, W);
    const double a = 1.5 * s->system.pairs[moment->pair[0]].law.dissipation;
    const imp_status status =
        imp_darboux_compliant(W, moment->u, moment->mu[0], a, outcome->p, NULL, NULL);
    *doubt = status == IMP_OK ? 0 : INFINITY;
    return status == IMP_OK ? scene_outcome_from_impulse(s, moment, outcome) : status;
}

imp_status scene_plastic(const scene *s, const scene_moment *moment, scene_outcome *outcome) {
    if (!is_process(s, moment)) return IMP_UNSUPPORTED;
    double W[6];
    pack3(moment->W, W);
    const imp_status status =
        imp_darboux(W, moment->u, moment->mu[0], 0, IMP_NEWTON, outcome->p, NULL, NULL);
    return status == IMP_OK ? scene_outcome_from_impulse(s, moment, outcome) : status;
}

imp_status scene_limit(const scene *s, const scene_moment *moment, scene_outcome *outcome,
                       double *doubt) {
    if (is_process(s, moment)) return limit_of_one(s, moment, outcome, doubt);
    return scene_limit_extrapolated(s, moment, outcome, doubt);
}

imp_status scene_limit_extrapolated(const scene *s, const scene_moment *moment,
                                    scene_outcome *outcome, double *doubt) {
    /* Neville's last row and the one that follows */
    scene_outcome row[MOST] = {{0}}, next[MOST] = {{0}};
    imp_status status = IMP_OK;
    const double speed = scene_velocity_distance(moment, moment->v, NULL);
    *doubt = INFINITY;
    int rows = 0;
    while (rows < MOST && (rows < LEAST || *doubt > ENOUGH * speed)) {
        status = run_at(s, moment, ldexp(1, -rows), &next[0]);
        for (int order = 1; order <= rows && status == IMP_OK; order++) {
            status = scene_outcome_init(&next[order], moment);
            if (status != IMP_OK) break;
            memcpy(next[order].p, next[order - 1].p, 3 * (size_t)moment->nc * sizeof(double));
            memcpy(next[order].v, next[order - 1].v, (size_t)moment->nv * sizeof(double));
            extrapolate(moment, order, &row[order - 1], &next[order]);
        }
        if (status != IMP_OK) break;
        if (rows > 0)
            *doubt = fmax(ACCURACY * speed,
                          scene_velocity_distance(moment, row[rows - 1].v, next[rows].v));
        for (int i = 0; i < MOST; i++) {
            scene_outcome_clear(&row[i]);
            row[i] = next[i];
            next[i] = (scene_outcome){0};
        }
        rows++;
    }
    if (status >= 0) status = *doubt <= ENOUGH * speed ? IMP_OK : IMP_NOT_CONVERGED;
    if (rows > 0) {
        memcpy(outcome->p, row[rows - 1].p, 3 * (size_t)moment->nc * sizeof(double));
        memcpy(outcome->v, row[rows - 1].v, (size_t)moment->nv * sizeof(double));
    }
    for (int i = 0; i < MOST; i++)
        scene_outcome_clear(&next[i]);
    for (int i = 0; i < MOST; i++)
        scene_outcome_clear(&row[i]);
    return status;
}
