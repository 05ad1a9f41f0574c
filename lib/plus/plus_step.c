/* plus_step.c - how far an interval reaches, and the settings behind it.
 *
 * Uchida, Sherman, Delp (2015), eqs. (2.12) to (2.14). Departures: the angle of eq. (2.14) squared
 * has spurious roots; here it is solved for alpha outright, |v|^2 sin(theta) / (|v x d| cos(theta)
 * - v.d sin(theta)), which is the one positive root, and there is none where the denominator is not
 * positive. The closest point ends an interval only where it is inside the transition circle;
 * ending there wins over both. The shortest interval is not imposed where it would carry the slip
 * beyond a right angle: friction would then push. */
#include "plus/plus_internal.h"

imp_plus_settings imp_plus_settings_default(void) {
    return (imp_plus_settings){.theta_max = 0.01,
                               .static_ratio = 1,
                               .v_transition = 0.1,
                               .v_capture = 0.01,
                               .v_plastic = 0.1,
                               .alpha_min = 1e-6,
                               .active_set = IMP_HEURISTIC};
}

bool imp_plus_settings_good(const imp_plus_settings *s) {
    return s && s->theta_max >= 1e-5 && s->theta_max <= 1.5 && s->v_transition >= 0 &&
           s->v_transition <= DBL_MAX && s->v_capture >= 0 && s->v_capture <= DBL_MAX &&
           s->v_plastic >= 0 && s->v_plastic <= DBL_MAX && s->alpha_min > 0 && s->alpha_min <= 1 &&
           s->static_ratio >= 1 && s->static_ratio <= PLUS_MOST_STATIC &&
           (s->active_set == IMP_HEURISTIC || s->active_set == IMP_EXHAUSTIVE);
}

plus_limits imp_plus_limits_of(const imp_plus_settings *settings, int nc, double unit) {
    /* below 1e-12 of the fastest component the direction of a slip is rounding */
    const double transition = fmax(settings->v_transition / unit, 1e-12);
    /* Most intervals cost far less than one system in which all contacts roll, 3 nc unknowns; those
     * that no choice solves cost hundreds, and chatter. So much work is a quarter more than any of
     * 10000 hard problems takes that is solved, and 0.6 s for 8 contacts. */
    const double n = 3.0 * nc;
    return (plus_limits){.cos_theta = cos(settings->theta_max),
                         .sin_theta = sin(settings->theta_max),
                         .v_transition2 = transition * transition,
                         .alpha_min = settings->alpha_min,
                         .intervals = 10000 + (long)(100.0 * nc / settings->theta_max),
                         .rounds = 1000 + 100L * nc,
                         .effort = (10000 + 300 / settings->theta_max) * n * n * n};
}

double imp_plus_restitution(const imp_plus_settings *settings, double e, double approach) {
    if (approach < settings->v_capture) return 0;
    if (approach >= settings->v_plastic) return e;
    return 1 - (1 - e) * approach / settings->v_plastic;
}

double imp_plus_step(const plus_limits *limits, const double v[2], const double d[2], double whole,
                     imp_interval_end *end) {
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

imp_status imp_plus_unscale(double *p, int n, int exponent) {
    /* neither overflows */
    const double some = imp_ldexp(1, exponent / 2), rest = imp_ldexp(1, exponent - exponent / 2);
    bool finite = true;
    for (int i = 0; i < n; i++) {
        p[i] = p[i] * some * rest;
        finite = finite && isfinite(p[i]);
    }
    return finite ? IMP_OK : IMP_OVERFLOW;
}
