/* oblique.c - force by force through an oblique impact. */
#include "reference/oracle/oblique.h"

#include <math.h>

double oblique_increments(const oblique_impact *i, long steps) {
    /* a contact without dissipation takes 2.943 depths at 1 m/s, one with it less of easing */
    const double deepest = pow(1.25 / i->stiffness, 0.4), h = 4 * deepest / (double)steps;
    double x = 0, rate = 1, u = i->slip, f = 0, stiffness = 0;
    do {
        const double before =
            fmax(0, i->stiffness * pow(fmax(0, x), 1.5) * (1 + 1.5 * i->dissipation * rate));
        rate -= 0.5 * h * before;
        x += h * rate;
        const double elastic = i->stiffness * pow(fmax(0, x), 1.5);
        rate -= 0.5 * h * fmax(0, elastic * (1 + 1.5 * i->dissipation * rate));
        const double now = 1.5 * i->stiffness * sqrt(fmax(0, x)) / i->give,
                     bound = i->mu * fmax(0, elastic * (1 + 1.5 * i->dissipation * rate));
        if (rate < 0) f *= now / stiffness;
        stiffness = now;
        f = fmax(-bound, fmin(bound, f + stiffness * h * u));
        u -= h * i->tangential * f;
    } while (x > 0);
    return u;
}
