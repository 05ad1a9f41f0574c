/* law.c - Hertz, Hunt and Crossley, Stribeck (Uchida, Sherman, Delp 2015, eqs. 4.1-4.2). */
#include "compliant/law.h"

#include <math.h>

static double harmonic(double a, double b) {
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

compliant_law compliant_law_of(const compliant_material *a, const compliant_material *b,
                               double radius, double transition) {
    const double ka = pow(a->stiffness, 2.0 / 3), kb = pow(b->stiffness, 2.0 / 3);
    const double share = kb / (ka + kb), k = ka * share;
    return (compliant_law){
        .hertz = 4.0 / 3 * k * sqrt(radius * k), /* (4/3) k x sqrt(R k x) */
        .dissipation = a->dissipation * share + b->dissipation * (1 - share),
        .share = share,
        .mu_static = harmonic(a->mu_static, b->mu_static),
        .mu_dynamic = harmonic(a->mu_dynamic, b->mu_dynamic),
        .mu_viscous = harmonic(a->mu_viscous, b->mu_viscous),
        .transition = transition,
    };
}

double compliant_hertz(const compliant_law *law, double x) {
    return x > 0 ? law->hertz * x * sqrt(x) : 0;
}

double compliant_stored(const compliant_law *law, double x) {
    return 0.4 * x * compliant_hertz(law, x);
}

double compliant_normal(const compliant_law *law, double x, double rate) {
    return fmax(0, compliant_hertz(law, x) * (1 + 1.5 * law->dissipation * rate));
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
    if (!(b > 0)) return 1;
    /* f(e) = ln((1 + b) / (1 - b e)) - b (1 + e) rises from negative at 0 through its root; it is
     * +inf at e = 1/b. */
    double low = 0, high = fmin(1, 1 / b);
    for (int i = 0; i < 200 && high - low > 1e-16 * high; i++) {
        const double e = 0.5 * (low + high);
        if (log1p(b) - log1p(-b * e) - b * (1 + e) < 0)
            low = e;
        else
            high = e;
    }
    return 0.5 * (low + high);
}
