/* event.c - what pairs begin and cease to do, on the cubic Hermite interpolant of a step. The
 * interpolant only proposes: run.c steps there again and looks. */
#include "compliant/event.h"

#include <math.h>

double compliant_margin(const compliant_ode *ode, const compliant_touch *touch, int pair) {
    return fmin(touch->depth / ode->depth,
                1 + 1.5 * ode->system->pairs[pair].law.dissipation * touch->rate);
}

bool compliant_may(const compliant_ode *ode, compliant_kind kind, int pair) {
    const compliant_law *law = &ode->system->pairs[pair].law;
    if (kind == COMPLIANT_PRESSES) return true;
    /* a linear spring is as stiff whether it loads or eases */
    return ode->pressing[pair] && law->give > 0 && (kind == COMPLIANT_STICKS || law->power != 1);
}

bool compliant_does(const compliant_ode *ode, compliant_kind kind, int pair) {
    if (kind == COMPLIANT_PRESSES) return ode->pressing[pair];
    return kind == COMPLIANT_STICKS ? !ode->grip[pair].slides : !ode->grip[pair].eases;
}

/* The deflection at Coulomb's bound, a time dt (s) away. */
static double bound_near(const compliant_ode *ode, int pair, const compliant_instant *now,
                         double dt, double *scratch) {
    for (int i = 0; i < ode->spring; i++)
        scratch[i] = now->y[i] + dt * now->slope[i];
    compliant_ode_place_pair(ode, now->t + dt, scratch, pair);
    const compliant_touch touch = compliant_look(ode->system, pair);
    const compliant_hold hold = compliant_ode_hold(ode, pair, &touch);
    return compliant_grip_bound(&hold);
}

double compliant_margin_at(const compliant_ode *ode, compliant_kind kind, int pair,
                           const compliant_instant *now, double *scratch) {
    double yielding = 0;
    if (kind == COMPLIANT_STICKS && ode->grip[pair].slides) {
        /* a difference, as the rate of the normal force takes accelerations: off by 1e-8 */
        const double dt = 1e-4 * ode->depth / ode->speed;
        yielding =
            (bound_near(ode, pair, now, dt, scratch) - bound_near(ode, pair, now, -dt, scratch)) /
            (2 * dt);
    }
    compliant_ode_place_pair(ode, now->t, now->y, pair);
    const compliant_touch touch = compliant_look(ode->system, pair);
    const compliant_hold hold = compliant_ode_hold(ode, pair, &touch);
    if (kind == COMPLIANT_PRESSES) return compliant_margin(ode, &touch, pair);
    if (kind == COMPLIANT_LOADS) return touch.rate / ode->speed;
    const double *spring = compliant_ode_spring(ode, now->y, pair);
    return hold.grip.slides ? -compliant_grip_sliding(&hold, spring, yielding) / ode->speed
                            : compliant_grip_reserve(&hold, spring);
}

static compliant_touch look_at(const compliant_ode *ode, const compliant_span *s, int pair,
                               double part, double *y) {
    const double a = part, b = 1 - part;
    const double w0 = b * b * (1 + 2 * a), w1 = a * a * (1 + 2 * b), d0 = a * b * b * s->h,
                 d1 = -a * a * b * s->h;
    for (int i = 0; i < ode->impulse; i++) /* only q, v and springs */
        y[i] = w0 * s->y0[i] + w1 * s->y1[i] + d0 * s->f0[i] + d1 * s->f1[i];
    compliant_ode_place_pair(ode, s->t + part * s->h, y, pair);
    return compliant_look(ode->system, pair);
}

static double margin_at(const compliant_ode *ode, const compliant_span *s, compliant_kind kind,
                        int pair, double part, double *scratch) {
    double *slope = scratch + ode->dim;
    const compliant_touch touch = look_at(ode, s, pair, part, scratch);
    if (kind == COMPLIANT_PRESSES) return compliant_margin(ode, &touch, pair);
    const double a = part, b = 1 - part, across = 6 * a * b / s->h, d0 = b * (1 - 3 * a),
                 d1 = a * (1 - 3 * b);
    for (int i = 0; i < ode->impulse; i++)
        slope[i] = across * (s->y1[i] - s->y0[i]) + d0 * s->f0[i] + d1 * s->f1[i];
    const compliant_instant at = {s->t + part * s->h, scratch, slope};
    return compliant_margin_at(ode, kind, pair, &at, slope + ode->dim);
}

double compliant_crossing(const compliant_ode *ode, const compliant_span *span, compliant_kind kind,
                          int pair, double from, double *scratch) {
    double low = from, high = 1, at_low = margin_at(ode, span, kind, pair, from, scratch),
           at_high = margin_at(ode, span, kind, pair, 1, scratch);
    if ((at_low > 0) == (at_high > 0)) return at_high > 0 || at_low < 0 ? from : 1;
    int side = 0;
    for (int i = 0; i < 60 && high - low > 1e-15; i++) {
        /* Illinois, with a bisection now and then */
        double part =
            i % 4 == 3 ? 0.5 * (low + high) : (low * at_high - high * at_low) / (at_high - at_low);
        if (!(part > low && part < high)) part = 0.5 * (low + high);
        const double value = margin_at(ode, span, kind, pair, part, scratch);
        if (value == 0) return part;
        if ((value > 0) == (at_high > 0)) {
            high = part, at_high = value;
            if (side == 1) at_low *= 0.5;
            side = 1;
        } else {
            low = part, at_low = value;
            if (side == -1) at_high *= 0.5;
            side = -1;
        }
    }
    return high;
}

double compliant_turning(const compliant_ode *ode, const compliant_span *span, int pair,
                         double *y) {
    double low = 0, high = 1;
    const bool closes = look_at(ode, span, pair, 0, y).rate > 0;
    for (int i = 0; i < 50; i++) { /* bisection for rate = 0 */
        const double part = 0.5 * (low + high);
        if ((look_at(ode, span, pair, part, y).rate > 0) == closes)
            low = part;
        else
            high = part;
    }
    return low;
}
