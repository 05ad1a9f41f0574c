/* run_turns.c - what begins and ends within a run: pairs press, stick, load, or cease to. */
#include "compliant/run_internal.h"

#include "compliant/euler.h"
#include "base/vec3.h"

#include <gsl/gsl_errno.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Of the way that a pair closes in a step: a gap this large at its turning on the cubic is one. */
static const double CUBIC = 0.1;

void compliant_run_unite(compliant_simulation *r) {
    compliant_ode_unite(&r->ode, r->t, r->y, r->result->y);
}

/* s, in which none that circles goes further than a list of pairs allows for. */
static double longest_swing(const compliant_simulation *r) {
    const compliant_system *s = r->ode.system;
    double fastest = 0;
    for (int i = 0; i < s->nspheres; i++) {
        const compliant_sphere *one = &s->spheres[i];
        const int part = one->link == IMP_GROUND ? -1 : imp_tree_part_of(s->tree, one->link);
        if (part < 0 || !r->ode.asleep[part]) continue;
        const double *v = r->ode.coasting + r->ode.at.v + imp_tree_part_at(s->tree, part).v;
        fastest = fmax(fastest, norm3(v + 3) * (norm3(one->centre) + norm3(one->half)));
    }
    return fastest > 0 ? r->near.skin / fastest : INFINITY;
}

imp_status compliant_run_divide(compliant_simulation *r) {
    compliant_ode_divide(&r->ode, r->t, r->result->y, r->y);
    r->swing = longest_swing(r);
    compliant_ode_place(&r->ode, r->t, r->y);
    compliant_near_settle(&r->near, &r->ode, r->t, r->h, r->now);
    r->last_error = 1; /* the errors so far were those of other equations */
    if (r->driver) gsl_odeiv2_driver_free(r->driver);
    r->system = (gsl_odeiv2_system){compliant_ode_slope, compliant_ode_jacobian, (size_t)r->ode.dim,
                                    &r->ode};
    r->driver = gsl_odeiv2_driver_alloc_scaled_new(&r->system, r->set->stepper, 1, r->set->accuracy,
                                                   0, 1, 0, r->ode.unit);
    if (!r->driver) return IMP_NO_MEMORY;
    return compliant_ode_slope(r->t, r->y, r->slope, &r->ode) == GSL_SUCCESS ? IMP_OK
                                                                             : IMP_NOT_POSITIVE;
}

/* The spring of a pair in the whole state. */
static double *spring_of(const compliant_simulation *r, int pair) {
    return r->result->y + r->ode.at.spring + r->ode.at.spring_size * pair;
}

imp_status compliant_run_press(compliant_simulation *r, int pair, const compliant_touch *touch,
                               bool begins) {
    compliant_result *result = r->result;
    const compliant_law *law = &r->ode.system->pairs[pair].law;
    r->ode.pressing[pair] = begins;
    /* what is stored where surfaces are left behind is lost, or found again; energy0 counts it of
     * the pairs of the start */
    if (r->driver)
        result->y[r->ode.at.damped] += (begins ? -1 : 1) * compliant_stored(law, touch->depth);
    if (law->give > 0 && begins)
        r->ode.grip[pair] = compliant_grip_begin(law, r->ode.depth, touch, spring_of(r, pair));
    if (!begins) {
        for (int i = result->nspells - 1; i >= 0; i--)
            if (result->spells[i].pair == pair && isnan(result->spells[i].end)) {
                result->spells[i].end = result->last_end = r->t;
                break;
            }
        return IMP_OK;
    }
    if ((result->nspells & (result->nspells - 1)) == 0) { /* full at every power of two */
        const size_t room = result->nspells ? 2 * (size_t)result->nspells : 1;
        compliant_spell *spells = realloc(result->spells, room * sizeof *spells);
        if (!spells) return IMP_NO_MEMORY;
        result->spells = spells;
    }
    if (result->nspells == 0) {
        result->first_touch = r->t;
        r->before_touch = r->ode.evaluations;
    }
    result->spells[result->nspells++] = (compliant_spell){pair, r->t, NAN};
    return IMP_OK;
}

/* A pair that hardly moves and whose depth stores no more than compliant_touching of the speed,
 * its energy being like depth^(power + 1): by Hertz its force is compliant_touching^1.2 of the
 * largest. Bodies that the accuracy leaves at rest meet like that, for long. */
static bool is_still(const compliant_simulation *r, int pair, const compliant_touch *touch) {
    const double power = r->ode.system->pairs[pair].law.power;
    return fabs(touch->rate) <= compliant_touching * r->ode.speed &&
           touch->depth <= pow(compliant_touching, 2 / (power + 1)) * r->ode.depth;
}

/* Has the pair, looking like this, left the state of pressing or not that it is marked with? */
static bool changed(const compliant_simulation *r, int pair, const compliant_touch *touch) {
    const double margin = compliant_margin(&r->ode, touch, pair), zero = r->zero[COMPLIANT_PRESSES];
    return r->ode.pressing[pair] ? margin < -zero : margin > zero && !is_still(r, pair, touch);
}

unsigned char compliant_run_changes(const compliant_simulation *r, int pair,
                                    const compliant_touch *touch, const compliant_instant *now) {
    unsigned char set = changed(r, pair, touch) ? 1 << COMPLIANT_PRESSES : 0;
    if (!r->ode.pressing[pair] || r->ode.at.spring_size == 0) return set;
    for (int kind = COMPLIANT_STICKS; kind < COMPLIANT_KINDS; kind++) {
        if (!compliant_may(&r->ode, kind, pair)) continue;
        const double margin = compliant_margin_at(&r->ode, kind, pair, now, r->scratch);
        if (compliant_does(&r->ode, kind, pair) ? margin < -r->zero[kind] : margin > r->zero[kind])
            set |= (unsigned char)(1 << kind);
    }
    return set;
}

/* Where nothing falls, still pairs press no more, but those that turn in this step: what is behind
 * a wave can sleep. */
static void release_still(compliant_simulation *r) {
    if (norm3(r->ode.system->gravity) > 0) return;
    for (int k = 0; k < r->near.actives; k++)
        if (r->ode.pressing[r->near.active[k]] && !r->turns[k] &&
            is_still(r, r->near.active[k], &r->now[k]))
            (void)compliant_run_press(r, r->near.active[k], &r->now[k],
                                      false); /* which needs no memory */
}

double compliant_run_first_step(const compliant_simulation *r) {
    return 3 * r->ode.depth / r->ode.speed * pow(r->set->accuracy, 0.4);
}

/* Does the pair stand at its margin of this kind, now? */
static bool at_margin(const compliant_simulation *r, compliant_kind kind, int k) {
    const int i = r->near.active[k];
    if (!(r->turns[k] & 1 << kind) || !compliant_may(&r->ode, kind, i)) return false;
    const compliant_instant now = {r->t, r->y, r->slope};
    const double margin = kind == COMPLIANT_PRESSES
                              ? compliant_margin(&r->ode, &r->now[k], i)
                              : compliant_margin_at(&r->ode, kind, i, &now, r->scratch);
    double zero = r->zero[kind];
    /* no step is shorter than the last bit of the time: what crosses its margin in less is there */
    if (kind == COMPLIANT_PRESSES)
        zero = fmax(zero, 2 * DBL_EPSILON * r->t * fabs(r->now[k].rate) / r->ode.depth);
    return compliant_does(&r->ode, kind, i) ? margin <= zero : margin >= -zero;
}

/* The pair slides, where it stuck, or eases, where it loaded, or the reverse. */
static void regrip(compliant_simulation *r, compliant_kind kind, int k) {
    const int i = r->near.active[k];
    const compliant_hold hold = compliant_ode_hold(&r->ode, i, &r->now[k]);
    compliant_grip *grip = &r->ode.grip[i];
    if (kind == COMPLIANT_STICKS) {
        compliant_grip_slip(&hold, spring_of(r, i));
        grip->slides = !grip->slides;
    } else {
        compliant_grip_ease(&hold, spring_of(r, i));
        grip->eases = !grip->eases;
    }
}

int compliant_run_switch(compliant_simulation *r, imp_status *status) {
    int switched = 0;
    bool any = false;
    compliant_run_unite(r);
    for (int k = 0; k < r->near.actives && *status == IMP_OK; k++) {
        const int i = r->near.active[k];
        if (!r->turns[k]) continue;
        for (int kind = COMPLIANT_STICKS; kind < COMPLIANT_KINDS; kind++) {
            if (!at_margin(r, kind, k)) continue;
            regrip(r, kind, k);
            switched++;
        }
        if (!at_margin(r, COMPLIANT_PRESSES, k)) continue;
        const bool begins = !r->ode.pressing[i];
        *status = compliant_run_press(r, i, &r->now[k], begins);
        any = any || begins;
        switched++;
    }
    if (any) r->h = fmin(r->h, compliant_run_first_step(r));
    if (switched > 0 && *status == IMP_OK) {
        release_still(r);
        *status = compliant_run_divide(r);
    }
    return switched;
}

/* The part of the trial step after which a pair that first closes and then opens has changed; 1
 * where it has not, at its turning. The cubic is off by h^4, a step up to its turning is not: more
 * such steps, by the secant of rates, find the turning. `closest` and `there`: on the cubic. */
static double grazing(compliant_simulation *r, int k, double h, double closest,
                      const compliant_touch *there) {
    const int i = r->near.active[k];
    double low = 0, high = 1, at_low = r->now[k].rate, at_high = r->then[k].rate, part = closest;
    if (-there->depth > CUBIC * (there->depth - r->now[k].depth)) return 1;
    for (int tries = 0; tries < 8 && part > low && part < high; tries++) {
        memcpy(r->scratch, r->y, (size_t)r->ode.dim * sizeof *r->y);
        if (gsl_odeiv2_step_apply(r->driver->s, r->t, part * h, r->scratch, r->error, r->slope,
                                  NULL, &r->system) != GSL_SUCCESS)
            return 1;
        compliant_ode_place_pair(&r->ode, r->t + part * h, r->scratch, i);
        const compliant_touch touch = compliant_look(r->ode.system, i);
        if (changed(r, i, &touch)) return part;
        if (touch.rate > 0)
            low = part, at_low = touch.rate;
        else
            high = part, at_high = touch.rate;
        const double next = (low * at_high - high * at_low) / (at_high - at_low);
        /* what is still to come is less than twice this way at the present rate */
        if (touch.depth + 2 * fabs(touch.rate * (next - part)) * h < 0) return 1;
        part = next;
    }
    return 1;
}

double compliant_run_first_change(compliant_simulation *r, double h) {
    const compliant_span span = {r->t, h, r->y, r->slope, r->y1, r->slope1};
    const compliant_instant end = {r->t + h, r->y1, r->slope1};
    double part = 1;
    for (int k = 0; k < r->near.actives; k++) {
        const compliant_touch *a = &r->now[k], *b = &r->then[k];
        const int i = r->near.active[k];
        r->turns[k] = compliant_run_changes(r, i, b, &end);
        /* what opens first, from a margin of 0, comes back behind its turning */
        const bool back = r->turns[k] && !r->ode.pressing[i] && a->rate < 0 && b->rate > 0;
        const double from = back ? compliant_turning(&r->ode, &span, i, r->scratch) : 0;
        for (int kind = 0; r->turns[k] && kind < COMPLIANT_KINDS; kind++)
            if (r->turns[k] & 1 << kind)
                part = fmin(part, compliant_crossing(&r->ode, &span, kind, i, from, r->scratch));
        /* a graze? */
        if (!r->turns[k] && !r->ode.pressing[i] && a->rate > 0 && b->rate < 0) {
            const double closest = compliant_turning(&r->ode, &span, i, r->scratch);
            const compliant_touch touch = compliant_look(r->ode.system, i); /* there */
            part = fmin(part, changed(r, i, &touch) ? closest : grazing(r, k, h, closest, &touch));
        }
    }
    return part;
}
