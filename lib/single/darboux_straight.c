/* darboux_straight.c - the stretches of the process on which du/dp_z is constant: rays, stick, no
 * friction.
 *
 * Mirtich reworked, steps 4 to 6 (stable and unstable sticking), with two departures. The diverging
 * ray is the root lambda > 0 of |(lambda I + mu M)^-1 b| = 1, which exists and is unique where
 * stick is unstable, instead of one of the four roots of a quartic; and u_z may fall, so that a
 * decompression can turn into a second compression. */
#include "single/darboux_process.h"

#include "base/length.h"

#include <float.h>
#include <math.h>

/* int u/(1 - a u) du = u^2 G(a u), G(z) = -(log(1 - z) + z)/z^2, smooth at 0. */
static double strain(double z) {
    if (fabs(z) > 0.1) return -(log1p(-z) + z) / (z * z);
    double sum = 0;
    for (int k = 16; k >= 0; k--)
        sum = sum * z + 1.0 / (k + 2);
    return sum;
}

/* int u/(1 - a u) dp_z over a stretch on which u = u_z grows by slope: where the pole is far beside
 * the change of u, by Gauss's rule, for the difference of two u^2 G loses what slope is small by;
 * elsewhere they are far apart. */
static double strain_over(double a, double u, double slope, double distance) {
    const double change = slope * distance, after = u + change;
    if (!(a * fabs(change) < 0.3 * (1 - a * fmax(u, after))))
        return (after * after * strain(a * after) - u * u * strain(a * u)) / slope;
    double mean = 0;
    for (int i = 0; i < IMP_GAUSS_NODES; i++) {
        const double v = u + imp_gauss_node[i] * change;
        mean += imp_gauss_weight[i] * v / (1 - a * v);
    }
    return mean * distance;
}

/* u >= 0 with u^2 G(a u) = target >= 0: Newton from above on a convex function. */
static double strained_velocity(double target, double a) {
    /* z - log(1 - z) stays above it from z = 1 - exp(-1 - ceiling) on */
    const double ceiling = a * a * target;
    double u = sqrt(2 * target);
    if (ceiling > 36) return 1 / a; /* equal in double */
    if (a * u > -expm1(-1 - ceiling)) u = -expm1(-1 - ceiling) / a;
    for (int i = 0; i < 60; i++) {
        const double excess = u * u * strain(a * u) - target, step = excess * (1 - a * u) / u;
        if (!(step > DBL_EPSILON * u)) break;
        u -= step;
    }
    return u;
}

double imp_process_to_stop(const imp_process *p, double slope) {
    if (!p->opening) return INFINITY;
    const double now[] = {[IMP_STRONGE] = p->work[1],
                          [IMP_POISSON] = p->pz,
                          [IMP_NEWTON] = p->uz,
                          [IMP_COMPLIANT] = p->strain};
    const double n = imp_process_goal(p) - now[p->law], u = p->uz;
    if (p->law != IMP_COMPLIANT) return stopping_distance(p->law, n, u, slope);
    if (!(n > 0)) return 0; /* NaN where the pole 1/a is within the rounding of u_z = 0 */
    /* u_z all but constant: the root of the integral's series; one of Newton's steps takes away
     * what is left of it, or the rounding of a difference of nearly equal u */
    const double level = n * (1 - p->a * u) / u, part = slope * level / (u * (1 - p->a * u));
    double distance = level * (1 - 0.5 * part);
    if (!(fabs(part) < 1e-4)) {
        const double target = u * u * strain(p->a * u) + slope * n;
        if (!(target >= 0)) return INFINITY;
        distance = (strained_velocity(target, p->a) - u) / slope;
    }
    const double after = u + slope * distance,
                 step = (strain_over(p->a, u, slope, distance) - n) * (1 - p->a * after) / after;
    return fabs(step) < 1e-6 * distance ? distance - step : distance;
}

static void move(imp_process *p, double distance, const double rate[2], const double friction[2]) {
    const double slope = rate[1], u = p->uz;
    p->work[p->opening] += distance * (u + 0.5 * slope * distance);
    if (p->law == IMP_COMPLIANT) p->strain += strain_over(p->a, u, slope, distance);
    p->r = fmax(0, p->r + rate[0] * distance);
    p->uz = u + slope * distance;
    p->pz += distance;
    p->pt[0] += friction[0] * distance;
    p->pt[1] += friction[1] * distance;
}

bool imp_process_straight(imp_process *p, const double rate[2], const double friction[2],
                          char kind) {
    const double slope = rate[1];
    for (;;) {
        const double origin = rate[0] < 0 ? p->r / -rate[0] : INFINITY;
        const double stop = imp_process_to_stop(p, slope);
        const double zero = (p->opening ? slope < 0 : slope > 0) ? fabs(p->uz / slope) : INFINITY;
        const double distance = fmin(fmin(origin, zero), stop);
        if (!(distance < INFINITY)) { /* u_z rises along every lasting ray, but rounding of a
                                         singular K may deny it */
            p->endless = true;
            return true;
        }
        move(p, distance, rate, friction);
        if (distance == stop) {
            imp_process_mark(p, kind);
            return true;
        }
        if (distance == zero) {
            p->uz = 0;
            if (imp_process_cross(p, kind)) return true;
        } else {
            p->r = 0;
            imp_process_mark(p, kind);
            return false;
        }
    }
}

void imp_process_leave_origin(imp_process *p) {
    double c[2];
    const double rise = stick_at_origin(p->M, p->b, p->K33, c);
    if (imp_length(c[0], c[1]) <= p->mu) {
        const double rate[2] = {0, rise}, friction[2] = {-c[0], -c[1]};
        imp_process_straight(p, rate, friction, 'k');
        return;
    }
    const double unit = larger(binade(larger(fabs(p->b[0]), fabs(p->b[1]))), DBL_MIN);
    const double A[3] = {p->A[0] / unit, p->A[1] / unit, p->A[2] / unit},
                 b[2] = {p->b[0] / unit, p->b[1] / unit};
    const double growth = unit * diverging_ray(A, b, true, p->w);
    const double rate[2] = {growth, p->K33 - p->mu * (p->b[0] * p->w[0] + p->b[1] * p->w[1])};
    const double friction[2] = {-p->mu * p->w[0], -p->mu * p->w[1]};
    imp_process_straight(p, rate, friction, 'd');
}
