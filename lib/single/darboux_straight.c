/* darboux_straight.c - the stretches of the process on which du/dp_z is constant: rays, stick, no friction.
 *
 * Mirtich reworked, steps 4 to 6 (stable and unstable sticking), with two departures. The diverging ray is the root
 * lambda > 0 of |(lambda I + mu M)^-1 b| = 1, which exists and is unique where stick is unstable, instead of one of the
 * four roots of a quartic; and u_z may fall, so that a decompression can turn into a second compression. */
#include "single/darboux_process.h"

#include <float.h>
#include <math.h>

double imp_process_strain(double z) {
    if (fabs(z) > 0.1) return -(log1p(-z) + z) / (z * z);
    double sum = 0;
    for (int k = 16; k >= 0; k--)
        sum = sum * z + 1.0 / (k + 2);
    return sum;
}

/* u >= 0 with u^2 G(a u) = target: Newton from above on a convex function. */
static double strained_velocity(double target, double a) {
    if (!(target > 0)) return 0;
    const double ceiling = a * a * target; /* z - log(1 - z) stays above it from z = 1 - exp(-1 - ceiling) on */
    double u = sqrt(2 * target);
    if (ceiling > 36) return 1 / a; /* equal in double */
    if (a * u > -expm1(-1 - ceiling)) u = -expm1(-1 - ceiling) / a;
    for (int i = 0; i < 60; i++) {
        const double excess = u * u * imp_process_strain(a * u) - target, step = excess * (1 - a * u) / u;
        if (!(step > DBL_EPSILON * u)) break;
        u -= step;
    }
    return u;
}

/* p_z from here to the end of a decompression in which u_z changes by `slope` per p_z; INFINITY: it does not end. */
static double stopping_distance(const imp_process *p, double slope) {
    const double now[] = {
        [IMP_STRONGE] = p->work[1], [IMP_POISSON] = p->pz, [IMP_NEWTON] = p->uz, [IMP_COMPLIANT] = p->strain};
    const double n = imp_process_goal(p) - now[p->law], u = p->uz;
    if (!(n > 0)) return 0;
    if (p->law == IMP_POISSON) return n;
    if (p->law == IMP_NEWTON) return slope > 0 ? n / slope : INFINITY;
    if (p->law == IMP_STRONGE) {
        const double square = u * u + 2 * slope * n;
        return square >= 0 ? 2 * n / (u + sqrt(square)) : INFINITY;
    }
    if (slope == 0) return n * (1 - p->a * u) / u;
    const double target = u * u * imp_process_strain(p->a * u) + slope * n;
    return target >= 0 ? (strained_velocity(target, p->a) - u) / slope : INFINITY;
}

static void move(imp_process *p, double distance, const double rate[2], const double friction[2]) {
    const double slope = rate[1], u = p->uz, after = u + slope * distance, a = p->a;
    p->work[p->opening] += distance * (u + 0.5 * slope * distance);
    if (p->law == IMP_COMPLIANT)
        p->strain += slope == 0
                         ? distance * u / (1 - a * u)
                         : (after * after * imp_process_strain(a * after) - u * u * imp_process_strain(a * u)) / slope;
    p->r = fmax(0, p->r + rate[0] * distance);
    p->uz = after;
    p->pz += distance;
    p->pt[0] += friction[0] * distance;
    p->pt[1] += friction[1] * distance;
}

bool imp_process_straight(imp_process *p, const double rate[2], const double friction[2], char kind) {
    const double slope = rate[1];
    for (;;) {
        const double origin = rate[0] < 0 ? p->r / -rate[0] : INFINITY;
        const double stop = p->opening ? stopping_distance(p, slope) : INFINITY;
        const double zero = (p->opening ? slope < 0 : slope > 0) ? fabs(p->uz / slope) : INFINITY;
        const double distance = fmin(fmin(origin, zero), stop);
        if (!(distance < INFINITY)) { /* u_z rises along every lasting ray, but rounding of a singular K may deny it */
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

/* w <- the direction of the diverging ray; the growth of r along it. Newton on 1/|(lambda I + A)^-1 b|, which is
 * concave, from a bound below the root; then one correction of the angle on f itself. */
static double diverging_ray(const imp_process *p, double w[2]) {
    const double xx = p->A[0], xy = p->A[1], yy = p->A[2], *b = p->b, length = hypot(b[0], b[1]);
    double low = fmax(0, length - (xx + yy)), high = length, lambda = fmax(low, 1e-16 * (xx + yy)), x = 0, y = 0;
    for (int i = 0; i < 60; i++) {
        const double det = fmax((lambda + xx) * (lambda + yy) - xy * xy, lambda * (lambda + xx + yy));
        x = ((lambda + yy) * b[0] - xy * b[1]) / det;
        y = ((lambda + xx) * b[1] - xy * b[0]) / det;
        const double norm = hypot(x, y);
        const double bend = ((lambda + yy) * x * x - 2 * xy * x * y + (lambda + xx) * y * y) / det;
        if (norm > 1)
            low = lambda;
        else
            high = lambda;
        double next = lambda + norm * norm * (norm - 1) / bend;
        if (!(next >= low && next <= high)) next = 0.5 * (low + high);
        if (fabs(next - lambda) <= 1e-15 * length) break;
        lambda = next;
    }
    const double norm = hypot(x, y);
    w[0] = x / norm;
    w[1] = y / norm;
    const double Aw[2] = {xx * w[0] + xy * w[1], xy * w[0] + yy * w[1]};
    const double f = w[0] * (b[1] - Aw[1]) - w[1] * (b[0] - Aw[0]);
    const double decay = fmax(0, lambda) + xx * w[1] * w[1] - 2 * xy * w[0] * w[1] + yy * w[0] * w[0];
    const double turn = fabs(f) < 1e-3 * decay ? f / decay : 0;
    const double c = w[0] - turn * w[1], s = w[1] + turn * w[0], unit = hypot(c, s);
    w[0] = c / unit;
    w[1] = s / unit;
    return fmax(0, b[0] * w[0] + b[1] * w[1] - (xx * w[0] * w[0] + 2 * xy * w[0] * w[1] + yy * w[1] * w[1]));
}

void imp_process_leave_origin(imp_process *p) {
    const double tiny = 0.25 * DBL_EPSILON; /* what rounding may leave of a nearly singular K */
    const double l = p->M[1] / p->M[0], pivot = fmax(p->M[2] - l * p->M[1], tiny * p->M[2]), y = p->b[1] - l * p->b[0];
    const double c[2] = {(p->b[0] - p->M[1] * (y / pivot)) / p->M[0], y / pivot}; /* M^-1 b */
    if (hypot(c[0], c[1]) <= p->mu) {
        const double rise = p->K33 - p->b[0] * p->b[0] / p->M[0] - y * y / pivot; /* 1/(K^-1)_33 */
        const double rate[2] = {0, fmax(rise, tiny * p->K33)}, friction[2] = {-c[0], -c[1]};
        imp_process_straight(p, rate, friction, 'k');
        return;
    }
    const double growth = diverging_ray(p, p->w);
    const double rate[2] = {growth, p->K33 - p->mu * (p->b[0] * p->w[0] + p->b[1] * p->w[1])};
    const double friction[2] = {-p->mu * p->w[0], -p->mu * p->w[1]};
    imp_process_straight(p, rate, friction, 'd');
}
