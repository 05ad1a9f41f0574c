/* event.c - contact starts and ends on the cubic Hermite interpolant of a step. The interpolant
 * only proposes: run.c steps there again and looks. */
#include "compliant/event.h"

#include <math.h>

double compliant_margin(const compliant_ode *ode, const compliant_touch *touch, int pair) {
    return fmin(touch->depth / ode->depth,
                1 + 1.5 * ode->system->pairs[pair].law.dissipation * touch->rate);
}

static compliant_touch look_at(const compliant_ode *ode, const compliant_span *s, int pair,
                               double part, double *y) {
    const double a = part, b = 1 - part;
    const double w0 = b * b * (1 + 2 * a), w1 = a * a * (1 + 2 * b), d0 = a * b * b * s->h,
                 d1 = -a * a * b * s->h;
    for (int i = 0; i < ode->impulse; i++) /* only q and v */
        y[i] = w0 * s->y0[i] + w1 * s->y1[i] + d0 * s->f0[i] + d1 * s->f1[i];
    compliant_ode_place_pair(ode, s->t + part * s->h, y, pair);
    return compliant_look(ode->system, pair);
}

static double margin_at(const compliant_ode *ode, const compliant_span *s, int pair, double part,
                        double *y) {
    const compliant_touch touch = look_at(ode, s, pair, part, y);
    return compliant_margin(ode, &touch, pair);
}

double compliant_crossing(const compliant_ode *ode, const compliant_span *span, int pair,
                          double *y) {
    double low = 0, high = 1, at_low = margin_at(ode, span, pair, 0, y),
           at_high = margin_at(ode, span, pair, 1, y);
    if ((at_low > 0) == (at_high > 0)) return at_high > 0 || at_low < 0 ? 0 : 1;
    int side = 0;
    for (int i = 0; i < 60 && high - low > 1e-15; i++) {
        /* Illinois, with a bisection now and then */
        double part =
            i % 4 == 3 ? 0.5 * (low + high) : (low * at_high - high * at_low) / (at_high - at_low);
        if (!(part > low && part < high)) part = 0.5 * (low + high);
        const double value = margin_at(ode, span, pair, part, y);
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

double compliant_closest(const compliant_ode *ode, const compliant_span *span, int pair,
                         double *y) {
    double low = 0, high = 1;
    for (int i = 0; i < 50; i++) { /* bisection for rate = 0 */
        const double part = 0.5 * (low + high);
        if (look_at(ode, span, pair, part, y).rate > 0)
            low = part;
        else
            high = part;
    }
    return low;
}
