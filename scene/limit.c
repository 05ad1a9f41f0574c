/* limit.c - the rigid limit of a compliant impact.
 *
 * One contact: Hunt and Crossley's force with nothing turning is the Darboux-Keller process,
 * stopped where the integral of u_n / (1 - a u_n) dp_n vanishes, a = 3/2 c. Several have no such
 * form and are extrapolated: with depth and duration measured in units of s = E^(-2/5), the
 * equations of an impact depend on s only through the change of configuration, which is of order
 * s; friction's transition speed is made of order s as well. A linear spring has s = k^(-1/2). A
 * contact has another limit, which is extrapolated, where it gives along its surfaces, too, where
 * its friction is viscous, where static friction stops it on the way, where its bodies cannot move
 * in every direction (W singular), and where another pair closes behind it for which the run waits.
 * The outcome is then p(s) = p(0) + p' s + ..., and runs at s = 1, 1/2, 1/4, ... give p(0) by
 * Neville's scheme.
 *
 * Not every power of s is whole. A run with static friction also holds a slip that passes zero at
 * less than its transition speed, where dynamic friction could not: how small such a slip may be
 * has no bound, so that runs may agree for long on what the limit is not. */
#include "scene/impact.h"

#include "base/vec3.h"
#include "base/worse.h"
#include "compliant/near.h"
#include "scene/speeds.h"
#include "single/darboux.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 3, MOST = 9 };         /* levels s = 1, 1/2, 1/4, ... */
static const double ACCURACY = 1e-10; /* of the runs, and the least doubt */
/* of the speed before: a doubt this small ends the search */
static const double ENOUGH = 1e-6;
/* As the force along the surface rises with the time t, a contact breaks away from static friction
 * where the slip x, in transition speeds, passes the top of mu(x), which falls off as |x - 1|^3:
 * s x' = t + |x - 1|^3 keeps its form with x - 1 in s^(1/5) and t in s^(3/5). So late it slips. */
static const double BREAKAWAY = 0.6;

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

/* Does a contact yield by more than a gap that counts as touching and closes later than another, by
 * more than rounding? Stiffer ones yield by less before it does, and meet one after another. */
static bool bridges(const scene *s, const scene_moment *moment, const compliant_result *result) {
    const double rounding = compliant_rounding(&s->system, moment->q);
    double nearest = INFINITY, gap = 0, deepest = 0;
    imp_tree_place(s->tree, moment->q, moment->v);
    for (int i = 0; i < moment->nc; i++) {
        const double yields = result->deepest[moment->pair[i]];
        if (!(yields > 0)) continue;
        const double own = fmax(0, -compliant_look(&s->system, moment->pair[i]).depth);
        nearest = fmin(nearest, own);
        gap = fmax(gap, own);
        deepest = fmax(deepest, yields);
    }
    return gap - nearest > rounding && deepest > gap - nearest;
}

/* One more run, at s. */
static imp_status run_at(const scene *s, const scene_moment *moment, double size,
                         scene_outcome *outcome, bool *bridged) {
    compliant_result result;
    scene stiff = *s;
    compliant_settings settings = s->run;
    settings.accuracy = ACCURACY;
    settings.stepper = gsl_odeiv2_step_rk8pd;
    settings.history = false;
    imp_status status = scene_outcome_init(outcome, moment);
    if (status == IMP_OK) status = stiffened(&s->system, size, &stiff.system);
    if (status != IMP_OK) return status;
    status = scene_compliant(&stiff, moment, &settings, outcome, &result);
    if (status >= 0) *bridged = bridges(s, moment, &result);
    compliant_result_clear(&result);
    free(stiff.system.pairs);
    return status;
}

static void copy(const scene_moment *moment, const scene_outcome *from, scene_outcome *to) {
    memcpy(to->p, from->p, 3 * (size_t)moment->nc * sizeof(double));
    memcpy(to->v, from->v, (size_t)moment->nv * sizeof(double));
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

static bool holds_more(const compliant_law *law) {
    return law->mu_static > law->mu_dynamic;
}

/* One contact whose bodies move in every direction, with Coulomb's friction. */
static bool is_process(const scene *s, const scene_moment *moment) {
    if (moment->nc != 1 || moment->factored) return false;
    const compliant_law *law = &s->system.pairs[moment->pair[0]].law;
    return law->mu_viscous == 0 && law->give == 0;
}

/* May slip be zero somewhere on the path without sticking there? */
static bool leaves_rest(const imp_darboux_path *path) {
    for (int i = 0; i < path->segments; i++)
        if (strchr("df", path->segment[i].kind)) return true;
    return false;
}

/* The process of one contact, compliant or up to the end of its compression. Static friction acts
 * where slip is zero: nowhere, where the path under dynamic friction has no such instant or sticks;
 * from the start on, where the contact does not slip then. IMP_UNSUPPORTED where it acts later. */
static imp_status process(const scene *s, const scene_moment *moment, bool plastic,
                          scene_outcome *outcome) {
    if (!is_process(s, moment)) return IMP_UNSUPPORTED;
    const compliant_law *law = &s->system.pairs[moment->pair[0]].law;
    const double a = 1.5 * law->dissipation, *u = moment->u,
                 coefficient[2] = {law->mu_dynamic, law->mu_static};
    double W[6], p[3];
    pack3(moment->W, W);
    for (int i = 0; i < 2; i++) {
        imp_darboux_path path = {0}, *asked = holds_more(law) ? &path : NULL;
        const imp_status status =
            plastic ? imp_darboux(W, u, coefficient[i], 0, IMP_NEWTON, p, asked, NULL)
                    : imp_darboux_compliant(W, u, coefficient[i], a, p, asked, NULL);
        if (status != IMP_OK) return status;
        if (!leaves_rest(&path)) {
            memcpy(outcome->p, p, sizeof p);
            return scene_outcome_from_impulse(s, moment, outcome);
        }
        if (u[1] != 0 || u[2] != 0) return IMP_UNSUPPORTED;
    }
    return IMP_UNSUPPORTED;
}

imp_status scene_plastic(const scene *s, const scene_moment *moment, scene_outcome *outcome) {
    return process(s, moment, true, outcome);
}

/* Would the run wait for what follows the outcome: does another pair close that is so near? */
static bool is_followed(const scene *s, const scene_moment *moment, const scene_outcome *outcome) {
    imp_tree_place(s->tree, moment->q, outcome->v);
    const double slow = compliant_touching * scene_speed(s);
    for (int i = 0; i < s->system.npairs; i++) {
        const compliant_touch touch = compliant_look(&s->system, i);
        if (i != moment->pair[0] && touch.depth > -s->run.apart && touch.rate > slow) return true;
    }
    return false;
}

imp_status scene_limit(const scene *s, const scene_moment *moment, scene_outcome *outcome,
                       double *doubt) {
    const imp_status status = process(s, moment, false, outcome);
    if (status == IMP_UNSUPPORTED || (status == IMP_OK && is_followed(s, moment, outcome)))
        return scene_limit_extrapolated(s, moment, outcome, doubt);
    *doubt = status == IMP_OK ? 0 : INFINITY;
    return status;
}

/* Neville's scheme. *doubt: two extrapolations in a row that differ by d leave d / (2^order - 1) of
 * a term s^order, which no polynomial takes away; the last three are to agree, as two may by
 * chance. */
static imp_status neville(const scene *s, const scene_moment *moment, double order,
                          scene_outcome *outcome, double *doubt) {
    /* Neville's last row and the one that follows */
    scene_outcome row[MOST] = {{0}}, next[MOST] = {{0}};
    imp_status status = IMP_OK;
    const double speed = scene_velocity_distance(moment, moment->v, NULL);
    double apart = 0; /* the last two extrapolations */
    *doubt = INFINITY;
    int rows = 0;
    bool bridged = false; /* by the last run */
    while (rows < MOST && (rows < LEAST || *doubt > ENOUGH * speed)) {
        status = run_at(s, moment, ldexp(1, -rows), &next[0], &bridged);
        for (int k = 1; k <= rows && status == IMP_OK; k++) {
            status = scene_outcome_init(&next[k], moment);
            if (status != IMP_OK) break;
            copy(moment, &next[k - 1], &next[k]);
            extrapolate(moment, k, &row[k - 1], &next[k]);
        }
        if (status != IMP_OK) break;
        if (rows > 0) {
            const double before = apart;
            apart = scene_velocity_distance(moment, row[rows - 1].v, next[rows].v);
            *doubt = imp_worse(ACCURACY * speed, imp_worse(before, apart) / (exp2(order) - 1));
        }
        for (int i = 0; i < MOST; i++) {
            scene_outcome_clear(&row[i]);
            row[i] = next[i];
            next[i] = (scene_outcome){0};
        }
        rows++;
    }
    if (rows > 0) copy(moment, &row[rows - 1], outcome);
    if (bridged) *doubt = INFINITY;
    for (int i = 0; i < MOST; i++)
        scene_outcome_clear(&next[i]);
    for (int i = 0; i < MOST; i++)
        scene_outcome_clear(&row[i]);
    return status;
}

/* Static friction holds what comes to rest, and in runs what comes near it: the limit is `outcome`
 * or the one without it or, of several contacts, what some of them hold. *doubt <- no less than how
 * far the second may be, and twice that for the third. */
static imp_status doubt_static(const scene *s, const scene_moment *moment,
                               const scene_outcome *outcome, double *doubt) {
    scene dynamic = *s;
    scene_outcome other = {0};
    double doubt_of_other = INFINITY;
    imp_status status = stiffened(&s->system, 1, &dynamic.system);
    if (status != IMP_OK) return status;
    for (int i = 0; i < dynamic.system.npairs; i++)
        dynamic.system.pairs[i].law.mu_static = dynamic.system.pairs[i].law.mu_dynamic;
    status = scene_outcome_init(&other, moment);
    if (status == IMP_OK) status = neville(&dynamic, moment, 1, &other, &doubt_of_other);
    if (status >= 0)
        *doubt = imp_worse(*doubt, 2 * scene_velocity_distance(moment, outcome->v, other.v) +
                                       doubt_of_other);
    scene_outcome_clear(&other);
    free(dynamic.system.pairs);
    return status;
}

imp_status scene_limit_extrapolated(const scene *s, const scene_moment *moment,
                                    scene_outcome *outcome, double *doubt) {
    bool more = false;
    for (int i = 0; i < s->system.npairs; i++)
        more = more || holds_more(&s->system.pairs[i].law);
    imp_status status = neville(s, moment, more ? BREAKAWAY : 1, outcome, doubt);
    if (status >= 0 && more && isfinite(*doubt)) /* it is never less for the runs that follow */
        status = doubt_static(s, moment, outcome, doubt);
    if (status < 0) return status;
    const double speed = scene_velocity_distance(moment, moment->v, NULL);
    return *doubt <= ENOUGH * speed ? IMP_OK : IMP_NOT_CONVERGED;
}
