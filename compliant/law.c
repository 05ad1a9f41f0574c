/* law.c - Hertz or linear, Hunt and Crossley, Stribeck (Uchida, Sherman, Delp 2015, eqs.
 * 4.1-4.2). */
#include "compliant/law.h"

#include <gsl/gsl_sf_log.h>

#include <math.h>
#include <stdbool.h>

static double harmonic(double a, double b) {
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

compliant_law compliant_law_of(const compliant_material *a, const compliant_material *b,
                               double radius, double transition) {
    const double ka = pow(a->stiffness, 2.0 / 3), kb = pow(b->stiffness, 2.0 / 3);
    const bool linear = a->spring > 0 && b->spring > 0;
    const double share = linear ? b->spring / (a->spring + b->spring) : kb / (ka + kb),
                 k = ka * share, mu = harmonic(a->mu_dynamic, b->mu_dynamic);
    return (compliant_law){
        .stiffness = linear ? a->spring * share               /* springs in series */
                            : 4.0 / 3 * k * sqrt(radius * k), /* (4/3) k x sqrt(R k x) */
        .power = linear ? 1 : 1.5,
        .dissipation = a->dissipation * share + b->dissipation * (1 - share),
        .share = share,
        .mu_static = harmonic(a->mu_static, b->mu_static),
        .mu_dynamic = mu,
        .mu_viscous = harmonic(a->mu_viscous, b->mu_viscous),
        .transition = transition,
        .give = mu > 0 ? a->give * share + b->give * (1 - share) : 0,
    };
}

double compliant_elastic(const compliant_law *law, double x) {
    if (!(x > 0)) return 0;
    return law->power == 1 ? law->stiffness * x : law->stiffness * x * sqrt(x);
}

double compliant_stored(const compliant_law *law, double x) {
    return 1 / (law->power + 1) * x * compliant_elastic(law, x);
}

/* 1/2 m speed^2 = stiffness depth^(power + 1) / (power + 1) */
double compliant_stopping_depth(const compliant_law *law, double mass, double speed) {
    return pow(0.5 * (law->power + 1) * mass * speed * speed / law->stiffness,
               1 / (law->power + 1));
}

double compliant_resting_depth(const compliant_law *law, double force) {
    return pow(force / law->stiffness, 1 / law->power);
}

double compliant_normal(const compliant_law *law, double x, double rate) {
    return fmax(0, compliant_elastic(law, x) * (1 + 1.5 * law->dissipation * rate));
}

/* From 0 at x = 0 to 1 at x = 1 with two vanishing derivatives at both ends. */
static double step5(double x) {
    return x * x * x * (10 - x * (15 - 6 * x));
}

double compliant_friction(const compliant_law *law, double speed) {
    const double s = speed / law->transition, viscous = law->mu_viscous * speed;
    if (s < 1) return viscous + law->mu_static * step5(s);
    if (s < 3)
        return viscous + law->mu_static - (law->mu_static - law->mu_dynamic) * step5((s - 1) / 2);
    return viscous + law->mu_dynamic;
}

double compliant_restitution(double dissipation, double speed) {
    const double b = 1.5 * dissipation * speed;
    if (!(b > 1e-8)) return 1 - 2.0 / 3 * fmax(0, b); /* + 4/9 b^2 */
    /* f(e) = l(b) - l(-b e), l(x) = ln(1 + x) - x, rises from negative at 0 through its root; it is
     * +inf at e = 1/b. */
    const double compression = gsl_sf_log_1plusx_mx(b);
    double low = 0, high = fmin(1, 1 / b);
    for (int i = 0; i < 200 && high - low > 1e-16 * high; i++) {
        const double e = 0.5 * (low + high);
        if (b * e < 1 && compression < gsl_sf_log_1plusx_mx(-b * e))
            low = e;
        else
            high = e;
    }
    return 0.5 * (low + high);
}
