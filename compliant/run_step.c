/* run_step.c - one step of a compliant run: to its accuracy, and no further than to the first
 * contact event in it.
 *
 * A step that carries a pair's margin across zero is taken again up to the crossing that the cubic
 * through its ends proposes, until the margin there is zero to a hundredth of the accuracy. */
#include "compliant/run_internal.h"

#include "base/worse.h"

#include <gsl/gsl_errno.h>

#include <float.h>
#include <string.h>

/* Of the time that a run has: the longest step on the way to its first touch, however small and
 * fast the bodies, which at a low accuracy is more accurate than asked for. */
static const double FLIGHT = 1e-3;

/* y1, slope1, error and `then` <- a step of length h from y. False when the forces cannot be
 * evaluated. Where a sphere has moved too far for the list, that is made anew at y, with a reach
 * for this step. */
static bool try_step(compliant_simulation *r, double h) {
    if (r->t + h > r->near.quiet) {
        compliant_ode_place_all(&r->ode, r->t, r->y);
        compliant_near_settle(&r->near, &r->ode, r->t, h, r->now);
    }
    memcpy(r->y1, r->y, (size_t)r->ode.dim * sizeof *r->y);
    if (gsl_odeiv2_step_apply(r->driver->s, r->t, h, r->y1, r->error, r->slope, r->slope1,
                              &r->system) != GSL_SUCCESS)
        return false;
    compliant_ode_place(&r->ode, r->t + h, r->y1);
    const double drift = compliant_near_drift(&r->near, r->t + h);
    if (compliant_near_is_old(&r->near, drift)) {
        compliant_ode_place_all(&r->ode, r->t, r->y);
        /* which has drifted no farther: the step is of twice that at the most */
        compliant_near_list(&r->near, r->ode.pressing, 2 * drift);
        compliant_near_settle(&r->near, &r->ode, r->t, h, r->now);
        compliant_ode_place(&r->ode, r->t + h, r->y1);
    }
    compliant_near_look(&r->near, r->then);
    return true;
}

/* m, the depth of a pair that stops closing within the step just taken: the cubic through depths
 * and rates says when, a step up to there says how deep, to the accuracy of the method. */
static double turning_depth(compliant_simulation *r, int k, double h) {
    const compliant_touch *a = &r->now[k], *b = &r->then[k];
    const double mean = (b->depth - a->depth) / h;
    /* rate: a + 2 c s + 3 d s^2 */
    const double c = 3 * mean - 2 * a->rate - b->rate, d = a->rate + b->rate - 2 * mean;
    const double part = a->rate / (sqrt(fmax(0, c * c - 3 * d * a->rate)) - c);
    if (!(part > 0 && part < 1)) return b->depth;
    memcpy(r->scratch, r->y, (size_t)r->ode.dim * sizeof *r->y);
    if (gsl_odeiv2_step_apply(r->driver->s, r->t, part * h, r->scratch, r->error, r->slope, NULL,
                              &r->system) != GSL_SUCCESS)
        return b->depth;
    compliant_ode_place_pair(&r->ode, r->t + part * h, r->scratch, r->near.active[k]);
    const compliant_touch near = compliant_look(r->ode.system, r->near.active[k]);
    /* and the little that is left */
    return near.depth - 0.5 * near.rate * near.rate * h / (2 * c + 6 * d * part);
}

static void note_depths(compliant_simulation *r, double h) {
    for (int k = 0; k < r->near.actives; k++) {
        if (!r->ode.pressing[r->near.active[k]]) continue;
        double *deepest = &r->result->deepest[r->near.active[k]];
        *deepest = fmax(*deepest, r->then[k].depth);
        if (r->now[k].rate > 0 && r->then[k].rate < 0)
            *deepest = fmax(*deepest, turning_depth(r, k, h));
    }
}

imp_status compliant_run_keep(compliant_simulation *r) {
    if (!r->set->history) return IMP_OK;
    compliant_ode_unite(&r->ode, r->t, r->y, r->result->y);
    return compliant_history_add(&r->result->history, &r->ode, r->t, r->result->y);
}

/* Loops closed again after a step of length h, and everything looked at anew. */
static imp_status hold(compliant_simulation *r, double h) {
    imp_loops *loops = r->ode.system->loops;
    double drift;
    if (!loops) return IMP_OK;
    imp_status status = imp_loops_project(loops, r->y, r->y + r->ode.v, &drift);
    r->result->end = COMPLIANT_OPEN;
    if (status != IMP_OK) return status < 0 ? status : IMP_NOT_CONVERGED;
    r->result->drift = fmax(r->result->drift, drift);
    compliant_way_stop(&r->way);
    if (compliant_ode_slope(r->t, r->y, r->slope, &r->ode) != GSL_SUCCESS) return IMP_NOT_CONVERGED;
    r->result->end = COMPLIANT_CHANGE;
    status = compliant_way_go(&r->way, h);
    if (status != IMP_OK) return status < 0 ? status : IMP_NOT_CONVERGED;
    compliant_near_look(&r->near, r->now);
    return IMP_OK;
}

static imp_status accept(compliant_simulation *r, double h) {
    note_depths(r, h);
    double *swap = r->y;
    r->y = r->y1, r->y1 = swap;
    swap = r->slope, r->slope = r->slope1, r->slope1 = swap;
    compliant_touch *other = r->now;
    r->now = r->then, r->then = other;
    r->t += h;
    /* a sum of steps may miss the end by its last bit, which is no step */
    if (fabs(r->set->until - r->t) <= DBL_EPSILON * r->t) r->t = r->set->until;
    r->result->steps++;
    const imp_status status = hold(r, h);
    return status == IMP_OK ? compliant_run_keep(r) : status;
}

/* The estimated error of a step of length h from y, 1 = the accuracy. */
static double try_error(compliant_simulation *r, double h) {
    double worst = 0;
    if (!try_step(r, h)) return INFINITY;
    const imp_status status = compliant_way_error(&r->way, r->y1, r->y1 + r->ode.v, r->error,
                                                  r->error + r->ode.v, r->scratch);
    r->ode.lacked = r->ode.lacked || status == IMP_NO_MEMORY;
    if (status != IMP_OK) return INFINITY;
    for (int i = 0; i < r->ode.dim; i++) {
        const double part = fabs(r->error[i]) / (r->accuracy * r->ode.unit[i]);
        worst = imp_worse(worst, part);
    }
    return worst;
}

/* s, the longest step that leaves no pair which flies time to come, be through and go: over its
 * gap, or a quarter of its radii, as fast as at the start or end of the step tried. */
static double longest_flight(const compliant_simulation *r) {
    const compliant_system *s = r->ode.system;
    double longest = INFINITY;
    for (int k = 0; k < r->near.actives; k++) {
        const compliant_pair *pair = &s->pairs[r->near.active[k]];
        const double passing = fmax(r->now[k].passing, r->then[k].passing);
        if (r->ode.pressing[r->near.active[k]] || !(passing > 0)) continue;
        const double radii =
            s->spheres[pair->b].radius + (pair->plane < 0 ? s->spheres[pair->a].radius : 0);
        longest = fmin(longest, fmax(-r->now[k].depth, 0.25 * radii) / passing);
    }
    return longest;
}

/* A step from y that meets the accuracy, of the returned length; 0 when there is none, and *end
 * says why. The next length follows from this error and the one before (Gustafsson's PI control,
 * exponents between his 0.7, 0.4 and the plain 1, 0), which settles at the edge of stability while
 * friction creeps, where a plain rule would be refused every other step. */
static double meet_accuracy(compliant_simulation *r, compliant_end *end) {
    const double order = gsl_odeiv2_step_order(r->driver->s) + 1;
    /* a stage beside a change point errs without bound, one of a step half as long does not */
    const double least = r->ode.system->loops ? 0.5 : 0.1;
    double limit = fmin(r->set->until - r->t, r->swing), most = 5;
    if (r->ode.pairs == 0)
        limit = fmin(limit,
                     r->result->nspells > 0 ? r->stride : fmax(r->stride, FLIGHT * r->set->until));
    if (r->set->max_step > 0) limit = fmin(limit, r->set->max_step);
    for (double h = fmin(r->h, limit);; most = 1) {
        h = compliant_way_step(&r->way, h);
        *end = COMPLIANT_TOLERANCE;
        if (!(r->t + h > r->t) || h < DBL_EPSILON * r->ode.depth / r->ode.speed) return 0;
        *end = COMPLIANT_STEPS;
        if (r->result->steps + r->result->rejected >= r->set->max_steps) return 0;
        const double error = try_error(r, h);
        const double flight = error <= 1 ? longest_flight(r) : INFINITY;
        if (h > flight) {
            r->result->rejected++;
            h = 0.9 * flight;
            continue;
        }
        if (error <= 1) {
            const double floor = fmax(error, 1e-10);
            const double factor = 0.9 * pow(floor, -0.85 / order) * pow(r->last_error, 0.2 / order);
            const double next = h * fmin(most, fmax(0.2, factor));
            r->h = h < r->h ? fmax(next, r->h) : next; /* a step cut short by a limit does not
                                                          shorten the next */
            r->last_error = floor;
            return h;
        }
        r->result->rejected++;
        r->h = h = h * fmax(least, 0.9 * pow(error, -1 / order));
    }
}

bool compliant_run_advance(compliant_simulation *r, compliant_end *end, imp_status *status) {
    double h = meet_accuracy(r, end), part;
    if (h == 0) return false;
    while ((part = compliant_run_first_change(r, h)) < 1) {
        if (!(r->t + part * h > r->t)) { /* at the start already; a pair that cannot turn there is
                                            left to the end */
            if (compliant_run_switch(r, status) > 0 || *status != IMP_OK) return *status == IMP_OK;
            break;
        }
        *end = COMPLIANT_TOLERANCE;
        if (!try_step(r, part * h)) return false;
        r->h = fmax(h - part * h, part * h);
        h *= part;
        const compliant_instant end_now = {r->t + h, r->y1, r->slope1};
        bool beyond = false;
        for (int k = 0; k < r->near.actives; k++)
            beyond = beyond || compliant_run_changes(r, r->near.active[k], &r->then[k], &end_now);
        if (beyond) continue;
        if ((*status = accept(r, h)) == IMP_OK) compliant_run_switch(r, status);
        return *status == IMP_OK;
    }
    return (*status = accept(r, h)) == IMP_OK;
}
