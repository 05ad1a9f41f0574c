/* plus_step.h - how far an interval reaches. In line: each interval of one contact waits for it.
 *
 * Uchida, Sherman, Delp (2015), eqs. (2.12) to (2.14). Departures: the angle of eq. (2.14) squared
 * has spurious roots; here it is solved for alpha outright, |v|^2 sin(theta) / (|v x d| cos(theta)
 * - v.d sin(theta)), which is the one positive root, and there is none where the denominator is not
 * positive. The closest point ends an interval only where it is inside the transition circle;
 * ending there wins over both. The shortest interval is not imposed where it would carry the slip
 * beyond a right angle: friction would then push. */
#ifndef IMP_PLUS_STEP_H
#define IMP_PLUS_STEP_H

#include "plus/plus_internal.h"

/* How much of the step `whole` times d (2), 1 or another number, a contact sliding with v (2)
 * allows, eqs. (2.13), (2.14): at most `whole`. */
static inline double imp_plus_step(const plus_limits *limits, const double v[2], const double d[2],
                                   double whole, imp_interval_end *end) {
    const double x = v[0] + whole * d[0], y = v[1] + whole * d[1];
    const double along = v[0] * d[0] + v[1] * d[1], least = limits->alpha_min * whole;
    *end = IMP_END_PHASE;
    if (x * x + y * y < limits->v_transition2) return whole;
    const double across = fabs(v[0] * d[1] - v[1] * d[0]), length2 = d[0] * d[0] + d[1] * d[1];
    const double speed2 = v[0] * v[0] + v[1] * v[1];
    double part;
    if (along < 0 && -along <= whole * length2 &&
        across * across < limits->v_transition2 * length2) {
        *end = IMP_END_STICK;
        part = -along / length2;
    } else {
        const double turning = across * limits->cos_theta - along * limits->sin_theta;
        if (!(whole * turning > speed2 * limits->sin_theta)) return whole;
        *end = IMP_END_DIRECTION;
        part = speed2 * limits->sin_theta / turning;
    }
    if (part >= least) return part;
    /* where the slip has turned by a right angle */
    const double reversal = along < 0 ? speed2 / -along : whole;
    return reversal < least ? part : least;
}

#endif
