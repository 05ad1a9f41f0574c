/* hops.c - a ball and a pendulum that bounce, in closed form.
 *
 * The pendulum of amplitude a with k = sin(a / 2): sin(x / 2) = k cd(u), u = sqrt(g) times the time
 * from the apex (Jacobi's functions of modulus k). */
#include "benchmarks/experiments/hops.h"

#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <math.h>

/* sin(a / 2) of the amplitude that a pendulum reaches from `rest` at a speed. */
static double modulus(const hops *h, double speed) {
    return hypot(sin(0.5 * h->rest), speed / (2 * sqrt(h->g)));
}

/* s, from `rest` at a speed up to the apex. The pendulum's is F(psi, k), by the cotangents'
 * theorem for K(k) - F(phi, k) with sin(rest / 2) = k sin(phi), which cancels. */
static double rise(const hops *h, double speed) {
    if (!h->swings) return speed / h->g;
    const double k = modulus(h, speed), tangent = 0.5 * speed / sqrt(h->g) / sin(0.5 * h->rest);
    const double psi = atan(tangent / sqrt(1 - k * k));
    return gsl_sf_ellint_F(psi, k, GSL_PREC_DOUBLE) / sqrt(h->g);
}

/* x at a time from the apex, for the speed at `rest`. */
static double around_apex(const hops *h, double speed, double t, double *rate) {
    if (!h->swings) {
        *rate = -h->g * t;
        return h->rest + 0.5 * speed * speed / h->g - 0.5 * h->g * t * t;
    }
    double sn, cn, dn;
    const double k = modulus(h, speed), m = k * k;
    (void)gsl_sf_elljac_e(sqrt(h->g) * t, m, &sn, &cn, &dn);
    const double s = k * cn / dn; /* sin(x / 2) */
    *rate = -2 * k * (1 - m) * sn / (dn * dn) * sqrt(h->g) / sqrt(1 - s * s);
    return 2 * asin(s);
}

static hops bounce(hops h, double fall, double e) {
    double t = rise(&h, fall), speed = fall;
    for (int i = 0; i < HOPS_IMPACTS; i++) {
        h.time[i] = t;
        h.speed[i] = speed *= e;
        t += 2 * rise(&h, speed);
    }
    h.zeno = t;
    return h;
}

hops hops_ball(double g, double rest, double start, double e) {
    return bounce((hops){.g = g, .rest = rest, .start = start}, sqrt(2 * g * (start - rest)), e);
}

hops hops_pendulum(double g, double rest, double start, double e) {
    return bounce((hops){.swings = true, .g = g, .rest = rest, .start = start},
                  sqrt(2 * g * (cos(rest) - cos(start))), e);
}

double hops_at(const hops *h, double t, double *rate) {
    double ignored;
    int k = 0;
    if (!rate) rate = &ignored;
    while (k < HOPS_IMPACTS && h->time[k] <= t)
        k++;
    if (k == HOPS_IMPACTS) {
        *rate = 0;
        return h->rest;
    }
    const double fall = h->swings ? sqrt(2 * h->g * (cos(h->rest) - cos(h->start)))
                                  : sqrt(2 * h->g * (h->start - h->rest));
    return k == 0 ? around_apex(h, fall, t, rate)
                  : around_apex(h, h->speed[k - 1], t - hops_apex(h, k - 1), rate);
}

double hops_apex(const hops *h, int k) {
    return h->time[k] + rise(h, h->speed[k]);
}
