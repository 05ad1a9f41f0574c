/* springs_situations.h - what the tests of the model `springs` and of its certificate share. */
#ifndef SPRINGS_SITUATIONS_H
#define SPRINGS_SITUATIONS_H

#include "blocks/springs.h"
#include "rows_of_balls.h"

static inline imp_status solve(const situation *s, const imp_springs_settings *settings,
                               double *p) {
    return solve_by(&imp_model_springs, s, settings, p);
}

static inline double worst(const situation *s, const imp_springs_settings *settings,
                           const double *p) {
    return worst_by(&imp_law_springs, s, settings, p);
}

static inline imp_springs_settings with(double exponent, double grade) {
    imp_springs_settings settings = imp_springs_presets;
    settings.exponent = exponent;
    settings.grade = grade;
    return settings;
}

/* Bodies whose contacts, at most four, all approach; masses near 1, so that W is. */
static inline situation closing(uint64_t index) {
    static const double q[12] = {-1, 0.5, 0.2, -0.6, -0.3, 0.8, -0.8, 0.1, -0.4, -0.3, -0.9, 0.3};
    situation s = situation_many(&imp_model_springs, index);
    double trace = 0;
    for (int i = 0; i < 3 * s.nc; i++)
        trace = fmax(trace, s.W[i * (3 * s.nc + 1)]);
    for (int i = 0; i < 9 * s.nc * s.nc; i++)
        s.W[i] /= trace;
    memcpy(s.q, q, 3 * (size_t)s.nc * sizeof *q);
    return s;
}

#endif
