/* maxdiss_search.h - the slide of maximum dissipation by the published one-dimensional searches
 * over its direction, beside the solver of maxdiss_lanes.h; for maxdiss.c.
 *
 * On the rim of the cone's section, z = r u with u = (cos a, sin a) and r = p / (1 - e.u), the
 * energy is f(a) = 1/2 r^2 u'Hu - r g.u (Preclik, Eibl, Ruede 2017, section 3.2).
 *
 * Golden section: f over the directions that lead off z = 0 downhill, g.u > 0, and for which the
 * cone bounds z, e.u < 1; of two such arcs that of the free minimiser; the direction of the free
 * minimiser itself, if that is lower at the end. Values of f alone are compared, so that the angle
 * is good to the root of the rounding at best; f may have two minima, and the search ends in one of
 * them.
 *
 * Bisection (Hwangbo, Lee, Hutter 2018, the engine RaiSim): the sign of f' from the direction of
 * the free minimiser on, in strides along the descent until it changes, then halves. Strides of
 * ours: 0.01 rad, each twice the last; a stride beyond a pole ends them.
 *
 * Departure: what does not slide, b_n = 0 and extreme scales are maxdiss.c's. Internal. */
#ifndef IMP_MAXDISS_SEARCH_H
#define IMP_MAXDISS_SEARCH_H

#include "single/maxdiss_lanes.h"

#include <math.h>

/* 1 - e.u: positive where the cone bounds z. */
static inline double bounded(const contact *c, double angle) {
    return 1 - (c->e[0] * cos(angle) + c->e[1] * sin(angle));
}

/* f, and what has the sign of f': cross((1 - e.u) g - p Hu, u - e). */
static inline double rim_energy(const contact *c, double angle) {
    const double u0 = cos(angle), u1 = sin(angle), *H = c->H, r = c->p / bounded(c, angle);
    return r * (r * (0.5 * (H[0] * u0 * u0 + H[2] * u1 * u1) + H[1] * u0 * u1) -
                (c->g[0] * u0 + c->g[1] * u1));
}

static inline double rim_slope(const contact *c, double angle) {
    const double u0 = cos(angle), u1 = sin(angle), *H = c->H, D = bounded(c, angle), p = c->p;
    return (D * c->g[0] - p * (H[0] * u0 + H[1] * u1)) * (u1 - c->e[1]) -
           (D * c->g[1] - p * (H[1] * u0 + H[2] * u1)) * (u0 - c->e[0]);
}

/* An angle within pi of `middle`. */
static inline double near_angle(double angle, double middle) {
    return middle + remainder(angle - middle, 2 * acos(-1));
}

/* [low, high] <- its part in the arc `half` around `centre`, in which `inside` is. */
static inline void cut_arc(double centre, double half, double inside, double *low, double *high) {
    const double middle = near_angle(centre, inside);
    *low = fmax(*low, middle - half);
    *high = fmin(*high, middle + half);
}

static inline double golden_section(const contact *c, double radial, int steps) {
    const double share = 0.5 * (sqrt(5) - 1), pi = acos(-1);
    double low = radial - pi, high = radial + pi;
    cut_arc(atan2(c->g[1], c->g[0]), 0.5 * pi, radial, &low, &high);
    if (c->opening >= 0)
        cut_arc(atan2(-c->e[1], -c->e[0]), acos(-1 / sqrt(c->opening + 1)), radial, &low, &high);
    double a = high - share * (high - low), b = low + share * (high - low);
    double at_a = rim_energy(c, a), at_b = rim_energy(c, b);
    for (int k = 0; k < steps; k++)
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a;
            a = high - share * (high - low), at_a = rim_energy(c, a);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + share * (high - low), at_b = rim_energy(c, b);
        }
    const double found = at_a < at_b ? a : b;
    return rim_energy(c, radial) < fmin(at_a, at_b) ? radial : found;
}

static inline double bisection(const contact *c, double radial, int steps, int *strides) {
    const double slope = rim_slope(c, radial), way = slope > 0 ? -1 : 1;
    if (slope == 0) return radial;
    double low = 0, high = 0.01;
    while (bounded(c, radial + way * high) > 0 && way * rim_slope(c, radial + way * high) < 0) {
        low = high;
        high += 0.01 * exp2(++*strides);
        if (high > 2 * acos(-1)) break;
    }
    for (int k = 0; k < steps; k++) {
        const double middle = 0.5 * (low + high), angle = radial + way * middle;
        if (bounded(c, angle) > 0 && way * rim_slope(c, angle) < 0)
            low = middle;
        else
            high = middle;
    }
    return radial + way * low;
}

/* x_to <- where the search ends. Returns how often it evaluated f or f'. */
static inline int search_slide(contact *c, const imp_maxdiss_settings *s) {
    const double radial = atan2(c->free[1], c->free[0]);
    const int steps = (int)s->steps;
    int strides = 0;
    const double angle = s->solver == IMP_GOLDEN_SECTION ? golden_section(c, radial, steps)
                                                         : bisection(c, radial, steps, &strides);
    const double r = c->p / bounded(c, angle);
    c->x[1] = r * cos(angle);
    c->x[2] = r * sin(angle);
    return steps + 2 + strides + (s->solver == IMP_GOLDEN_SECTION);
}

#endif
