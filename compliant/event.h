/* event.h - when, within one step, does a pair begin or cease to press, to stick, to load? */
#ifndef COMPLIANT_EVENT_H
#define COMPLIANT_EVENT_H

#include "compliant/ode.h"

/* What a pair does or does not; the last two of those that press and give. */
typedef enum compliant_kind {
    COMPLIANT_PRESSES,
    COMPLIANT_STICKS, /* else it slides */
    COMPLIANT_LOADS,  /* else it eases */
    COMPLIANT_KINDS
} compliant_kind;

/* Can the pair change in this? Is it marked as doing it? */
bool compliant_may(const compliant_ode *ode, compliant_kind kind, int pair);
bool compliant_does(const compliant_ode *ode, compliant_kind kind, int pair);

/* A state on its way. */
typedef struct compliant_instant {
    double t;
    const double *y, *slope;
} compliant_instant;

/* The two ends of a step and the slopes there. */
typedef struct compliant_span {
    double t, h; /* s, its start and length */
    const double *y0, *f0, *y1, *f1;
} compliant_span;

/* Positive while the pair, at the tree's present place, presses: the smaller of depth / scale and 1
 * + 3/2 c rate. */
double compliant_margin(const compliant_ode *ode, const compliant_touch *touch, int pair);

/* Positive while the pair does what the kind says. Sticking: the bound's reserve, or, of a pair
 * that slides, how fast it slips back, over the speed scale; loading: the rate over it. Places
 * the tree; scratch (dim). */
double compliant_margin_at(const compliant_ode *ode, compliant_kind kind, int pair,
                           const compliant_instant *now, double *scratch);

/* The part of the step, in [from, 1], at which the pair's margin changes sign on the cubic through
 * both ends; `from` when it has the sign of the end already there. scratch (3 dim). */
double compliant_crossing(const compliant_ode *ode, const compliant_span *span, compliant_kind kind,
                          int pair, double from, double *scratch);

/* The part of the step at which a pair that first closes and then opens, or the reverse, turns on
 * the cubic. */
double compliant_turning(const compliant_ode *ode, const compliant_span *span, int pair, double *y);

#endif
