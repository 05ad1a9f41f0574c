/* plus_step.c - the settings of PLUS, and what follows from them. */
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
