/* event.h - when, within one step, does a pair begin or cease to press? */
#ifndef COMPLIANT_EVENT_H
#define COMPLIANT_EVENT_H

#include "compliant/ode.h"

/* The two ends of a step and the slopes there. */
typedef struct compliant_span {
    double t, h; /* s, its start and length */
    const double *y0, *f0, *y1, *f1;
} compliant_span;

/* Positive while the pair, at the tree's present place, presses: the smaller of depth / scale and 1
 * + 3/2 c rate. */
double compliant_margin(const compliant_ode *ode, const compliant_touch *touch, int pair);

/* The part of the step, in [0, 1], at which the pair's margin changes sign on the cubic through
 * both ends; 0 when it has the sign of the end already at the start. y (dim) is scratch. */
double compliant_crossing(const compliant_ode *ode, const compliant_span *span, int pair,
                          double *y);

/* The part of the step at which a pair that first closes and then opens comes deepest on the
 * cubic. */
double compliant_closest(const compliant_ode *ode, const compliant_span *span, int pair, double *y);

#endif
