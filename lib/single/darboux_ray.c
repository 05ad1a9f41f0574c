/* darboux_ray.c - the slip near an attracting ray, in closed form up to convergent series.
 *
 * The series of darboux_slip.h, convergent up to the next ray, real or complex. On a converging ray
 * (k0 < 0) they lead to the origin; on a diverging one (k0 > 0) r = 0 lies behind and only
 * differences count. Integrating the hodograph,
 *
 *     a^2 = a_0^2 (tau/tau_0)^rho exp(R(tau) - R(tau_0)),   rho = k0/q1,   R regular.
 *
 * The parameter is s = |(tau/tau_0)^rho - 1|, nearly linear in p_z: from 0 to 1 (the origin) or to
 * infinity. */
#include "single/darboux_process.h"

#include <math.h>
#include <string.h>

enum { TERMS = IMP_RAY_TERMS };
enum { MOST_PARTS = 64 }; /* of a small work */

/* The series is used within this part of the distance at which another ray is possible (Rouche's
 * bound). */
static const double REACH = 0.5;
/* Most cancellation allowed in the difference of impulses left. */
static const double CANCEL = 4;
/* The largest |R(tau_0)|: s is nearly linear in p_z where exp(R) changes little. Two rays that
 * nearly coincide break it. */
static const double BEND = 5;

/* tan(angle/2) of the next ray ahead in the present frame; 0: none was found. */
static double ray_ahead(const rates *k) {
    const double q1 = k->df, q2 = 3 * k->A12, q3 = k->A22 - k->A11 - k->b1,
                 q4 = -0.5 * (k->A12 + k->b2);
    const double first = fabs(0.5 * k->f / q1);
    /* not hopeless */
    mask found = first * (fabs(q2) + first * (fabs(q3) + fabs(first * q4))) < -q1;
    const double t = find_ray(k, &found);
    return found ? t : 0;
}

/* The terms of phi, chi, R and psi at tau_0; false when they fall too slowly, or when one is above
 * the limit: of phi and chi, of psi. */
static bool expand(imp_ray *R, const rates *ray, bool works, double most_impulse,
                   double most_work) {
    ray_terms s;
    double most = 0, kappa[3] = {0}; /* the last terms of R' tau, newest first */
    begin_ray(&s, ray, R->tau);
    const double inverse = 1 / s.q[1];
    for (int i = 0; i < 5; i++)
        R->start[i] = 0;
    for (int j = 0; j < TERMS; j++) {
        next_impulse(&s, j);
        const double bend = j < 4 ? s.k[j] : 0;
        const double next =
            (bend - s.q[4] * kappa[2] - s.q[3] * kappa[1] - s.q[2] * kappa[0]) * inverse;
        kappa[2] = kappa[1];
        kappa[1] = kappa[0];
        kappa[0] = next;
        for (int i = 0; i < 3; i++)
            R->sum[j][i] = s.last[0][i];
        R->sum[j][3] = j > 0 ? next / j : 0;
        for (int i = 0; i < 4; i++)
            R->start[i] += R->sum[j][i];
        if (works) {
            next_work(&s, R->K33, R->mu, R->b[0], R->b[1]);
            R->psi[j] = s.psi[0];
            R->start[4] += s.psi[0];
        }
        for (int i = 0; i < 3; i++)
            most = larger(fabs(s.last[0][i]), most);
        if (!(most <= most_impulse && fabs(s.psi[0]) <= most_work)) return false;
        const double small = fabs(s.last[0][0]) + fabs(s.last[0][1]) + fabs(s.last[0][2]) +
                             fabs(s.last[1][0]) + fabs(s.last[2][0]);
        if (j >= 4 && small <= 1e-17 * most &&
            fabs(kappa[0]) + fabs(kappa[1]) <= 1e-17 * fabs(R->k[0] * inverse) &&
            (!works || fabs(s.psi[0]) + fabs(s.psi[1]) <= 1e-17 * fabs(R->psi[0]))) {
            R->terms = j; /* this one is lost in rounding */
            return true;
        }
    }
    return false;
}

imp_instant imp_ray_at(const imp_stretch *S, double s) {
    const imp_ray *R = &S->ray;
    const double *q = R->q, *k = R->k, *b = R->b, *start = R->start;
    const double rho = k[0] / q[1], side = k[0] > 0 ? 1 : -1, growth = 1 + side * s;
    const double t = growth > 0 ? exp(log(growth) / rho) : 0, tau = R->tau * t, tt = tau * tau,
                 T = 1 + tt, over = 1 / T;
    const int last = t > 0 ? R->terms - 1 : 0; /* at the origin the first term is all */
    double sum[4] = {0}, psi = 0;
    for (int j = last; j >= 0; j--)
        for (int i = 0; i < 4; i++)
            sum[i] = sum[i] * t + R->sum[j][i];
    if (start[4] != 0)
        for (int j = last; j >= 0; j--)
            psi = psi * t + R->psi[j];
    /* rate = a^2/(1 +- s) */
    const double rate = R->a2 * exp(sum[3] - start[3]), a2 = rate * growth;
    const double P = R->a2 * start[0] - a2 * sum[0];
    const double X = R->a2 * start[1] - a2 * sum[1], Y = R->a2 * start[2] - a2 * sum[2];
    const double slope = q[1] + tau * (q[2] + tau * (q[3] + tau * q[4])); /* q/tau */
    const double kappa = (k[0] + tau * (k[1] + tau * (k[2] + tau * k[3]))) / slope;
    const double steps = growth > 0 ? side / (rho * growth) : 0; /* d log(tau)/ds */
    const double c = (1 - tt) * over, n = 2 * tau * over,
                 h = R->K33 - R->mu * (b[0] * c + b[1] * n);
    const double h1 = 2 * R->mu * over * tau * (b[0] * n - b[1] * c) * steps,
                 pz1 = rate * T * T / fabs(slope * rho);
    const double bend = tau * (q[2] + tau * (2 * q[3] + tau * 3 * q[4])) / slope;
    const double pz2 = pz1 * steps * (kappa - rho + 4 * tt * over - bend);
    return (imp_instant){.s = s,
                         .r = a2 * T,
                         .c = c,
                         .n = n,
                         .pz = P,
                         .X = X,
                         .Y = Y,
                         .uz = R->uz_end -
                               a2 * (R->K33 * sum[0] - R->mu * (b[0] * sum[1] + b[1] * sum[2])),
                         .work = R->uz_end * P - (R->a2 * R->a2 * start[4] - a2 * a2 * psi),
                         .pz1 = pz1,
                         .pz2 = pz2,
                         .uz1 = h * pz1,
                         .uz2 = h1 * pz1 + h * pz2};
}

double imp_ray_work(const imp_stretch *S, const imp_instant *from, const imp_instant *to) {
    const imp_ray *R = &S->ray;
    const double work = to->work - from->work, length = to->s - from->s,
                 rho = fabs(R->k[0] / R->q[1]);
    const double left = R->k[0] > 0 ? 1 + from->s : 1 - from->s; /* (tau/tau_0)^rho */
    /* what rounding of the two is of: the work of the whole ray, which leads to the origin */
    const double whole = R->a2 * (fabs(R->uz_end * R->start[0]) + R->a2 * fabs(R->start[4]));
    const bool small =
        fabs(work) < 0.02 * (fabs(to->work) + fabs(from->work)) || fabs(work) < 1e-3 * whole;
    /* t is a power 1/rho of s, which the nodes see to rounding on so short a part; where that takes
     * more, the work is large enough beside rounding of the whole */
    const double parts = larger(1, ceil(length / (0.3 * left * (rho < 1 ? rho : 1))));
    if (!small || length > 0.3 * left || !(parts <= MOST_PARTS)) return work;
    double sum = 0; /* a small work, of a small restitution: not as a difference of large ones */
    for (int k = 0; k < parts; k++)
        for (int i = 0; i < IMP_GAUSS_NODES; i++) {
            const imp_instant t =
                imp_ray_at(S, from->s + length * ((k + imp_gauss_node[i]) / parts));
            sum += imp_gauss_weight[i] * t.uz * t.pz1;
        }
    return length / parts * sum;
}

/* The ends of the pieces with monotone u_z: where h changes sign, and the origin. */
static void split(const imp_process *p, imp_stretch *S) {
    const imp_ray *R = &S->ray;
    S->ends = 0;
    for (int i = 0; p->turns && i < 2; i++) {
        const double *d = p->turn[i], c = d[0] * S->w[0] + d[1] * S->w[1],
                     n = d[1] * S->w[0] - d[0] * S->w[1];
        const double ratio = n / (1 + c) / R->tau; /* tau there, of tau now */
        if (ratio > 0 && ratio < 1)
            S->end[S->ends++] = imp_ray_at(S, fabs(expm1(R->k[0] / R->q[1] * log(ratio))));
    }
    if (S->ends == 2 && S->end[0].s > S->end[1].s) {
        const imp_instant second = S->end[0];
        S->end[0] = S->end[1];
        S->end[1] = second;
    }
    if (R->k[0] < 0) S->end[S->ends++] = imp_ray_at(S, 1);
}

bool imp_ray_begin(const imp_process *p, const rates *now, imp_stretch *S) {
    if (!(now->df < 0) || p->law == IMP_COMPLIANT) return false;
    /* p_z to the next event; far less than that of the whole ray, judged by the present rates:
     * expand would refuse */
    const double stop = imp_process_to_stop(p, now->h);
    const double event = smaller(fabs(p->uz) / fabs(now->h), stop);
    if (p->r > 2 * CANCEL * fabs(now->g) * larger(p->pz, event)) return false;
    const double t = ray_ahead(now);
    if (t == 0) return false;
    imp_ray *R = &S->ray;
    const double turn = 1 / (1 + t * t), c = (1 - t * t) * turn, n = 2 * t * turn, T = fabs(t);
    S->w[0] = p->w[0] * c - p->w[1] * n;
    S->w[1] = p->w[1] * c + p->w[0] * n;
    const rates k = imp_process_rates(p, S->w);
    const double q[5] = {0, k.df, 3 * k.A12, k.A22 - k.A11 - k.b1, -k.A12};
    const double growth[4] = {k.g, -2 * k.A12, k.b1 + k.A11 - 2 * k.A22, 2 * k.A12};
    if (!(k.g != 0 && T * (fabs(q[2]) + T * (fabs(q[3]) + T * fabs(q[4]))) < REACH * -q[1]))
        return false;
    memcpy(R->q, q, sizeof q);
    memcpy(R->k, growth, sizeof growth);
    R->tau = -t;
    R->a2 = p->r * turn;
    R->b[0] = k.b1;
    R->b[1] = k.b2;
    R->K33 = p->K33;
    R->mu = p->mu;
    /* p_z to the next event, at least; u_z may hardly change where the law soon stops */
    double step = smaller(fabs(p->uz) / larger(fabs(k.h), fabs(now->h)), stop);
    const double whole = R->a2 / fabs(k.g), speed = larger(fabs(p->uz), -p->uz_start);
    if (k.g < 0 && whole < step) step = whole;
    const double most = CANCEL * (p->pz > step ? p->pz : step) / R->a2;
    if (!expand(R, &k, p->works, most, CANCEL * most * speed / R->a2) ||
        !(fabs(R->start[3]) < BEND))
        return false;
    R->uz_end =
        p->uz + R->a2 * (p->K33 * R->start[0] - p->mu * (k.b1 * R->start[1] + k.b2 * R->start[2]));
    S->along_ray = true;
    S->start = imp_ray_at(S, 0);
    split(p, S);
    return true;
}
