/* darboux_jump.h - LANES slips beside an attracting converging ray, straight to the origin.
 *
 * The series of darboux_ray.c in tau = tan(angle/2) from the ray, at the present direction only: all that is left of
 * the slip at once. Slips in which an event comes before the origin go on by steps. Internal. */
#ifndef IMP_DARBOUX_JUMP_H
#define IMP_DARBOUX_JUMP_H

#include "single/darboux_lanes.h"

enum { MOST_TERMS = 48 };

/* What is left to the origin: p_z = a^2 phi, p_xy = -mu a^2 chi, the work u_z,end p_z - a^4 psi. In `off` by how much
 * the sums miss their differential equations. */
typedef struct rest_of_slip {
    vec phi, chi[2], psi, off, work_off;
    mask known;
} rest_of_slip;

/* tan(angle/2) of the ray ahead in the present frame by Newton's method; `found`: where it is one. */
static inline vec find_ray(const rates *k, mask *found) {
    const vec half = fill(0.5), two = fill(2), three = fill(3), least = fill(1e-9);
    const vec q0 = half * k->f, q1 = k->df, q2 = three * k->A12, q3 = k->A22 - k->A11 - k->b1,
              q4 = -half * (k->A12 + k->b2);
    vec t = -q0 / q1, step = t;
    for (int i = 0; i < 8; i++) { /* one more step than shown squares the error */
        const mask coarse = both(*found, less(least * size_of(t), size_of(step)));
        if (!any(coarse)) break;
        const vec value = q0 + t * (q1 + t * (q2 + t * (q3 + t * q4)));
        step = choose(coarse, value / (q1 + t * (two * q2 + t * (three * q3 + t * fill(4) * q4))), step);
        t = choose(coarse, t - step, t);
    }
    const mask good = both(at_most(size_of(step), least * size_of(t)), less(size_of(t), fill(1)));
    *found = both(*found, both(good, less(fill(0), t * q0)));
    return t;
}

/* The four series at tau, q and k the polynomials of darboux_ray.c in the frame of the ray, times powers of tau. */
static inline rest_of_slip sum_up(const collision *c, const rates *ray, vec tau, const vec q[5], const vec k[4],
                                  mask where) {
    const vec zero = fill(0), one = fill(1), two = fill(2), t2 = tau * tau, mu = c->mu;
    const vec right[5][3] = {{one, one, zero},
                             {zero, zero, two * tau},
                             {two * t2, zero, zero},
                             {zero, zero, two * t2 * tau},
                             {t2 * t2, -t2 * t2, zero}};
    vec last[3][3], psi[3] = {zero, zero, zero}, eta[5] = {zero, zero, zero, zero, zero};
    vec sum[4] = {zero, zero, zero, zero}, slope[4] = {zero, zero, zero, zero}, most = zero;
    mask active = where;
    for (int i = 0; i < 3; i++)
        last[0][i] = last[1][i] = last[2][i] = zero;
    for (int j = 0; j < MOST_TERMS && any(active); j++) {
        const vec order = fill(j), c0 = q[1] * order + k[0], c1 = q[2] * fill(j - 1) + k[1];
        const vec c2 = q[3] * fill(j - 2) + k[2], c3 = q[4] * fill(j - 3) + k[3], over = -one / c0;
        vec term[4];
        for (int i = 0; i < 3; i++) {
            vec next = c3 * last[2][i] + c2 * last[1][i] + c1 * last[0][i];
            if (j < 5) next = next + right[j][i];
            term[i] = next * over;
            last[2][i] = last[1][i];
            last[1][i] = last[0][i];
            last[0][i] = term[i];
            most = larger(most, size_of(term[i]));
        }
        for (int i = 4; i > 0; i--)
            eta[i] = eta[i - 1];
        eta[0] = c->K33 * term[0] - mu * (ray->b1 * term[1] + ray->b2 * term[2]);
        const vec known = eta[0] + two * t2 * eta[2] + t2 * t2 * eta[4];
        term[3] = -(known + (c3 + k[3]) * psi[2] + (c2 + k[2]) * psi[1] + (c1 + k[1]) * psi[0]) / (c0 + k[0]);
        psi[2] = psi[1];
        psi[1] = psi[0];
        psi[0] = term[3];
        for (int i = 0; i < 4; i++) {
            sum[i] = sum[i] + choose(active, term[i], zero);
            slope[i] = slope[i] + choose(active, order * term[i], zero);
        }
        if (j < 4) continue;
        vec size = size_of(term[0]) + size_of(term[1]) + size_of(term[2]);
        size = size + size_of(last[1][0]) + size_of(last[2][0]);
        const mask work = at_most(size_of(psi[0]) + size_of(psi[1]), fill(1e-17) * size_of(sum[3]));
        active = without(active, both(work, at_most(size, fill(1e-17) * most)));
    }
    const vec Q = q[1] + q[2] + q[3] + q[4], G = k[0] + k[1] + k[2] + k[3], T = one + t2;
    const vec right_end[3] = {T * T, T * (one - t2), two * tau * T};
    const vec eta_end = c->K33 * sum[0] - mu * (ray->b1 * sum[1] + ray->b2 * sum[2]);
    rest_of_slip r = {sum[0], {sum[1], sum[2]}, sum[3], zero, zero, without(where, active)};
    for (int i = 0; i < 3; i++)
        r.off = r.off + size_of(Q * slope[i] + G * sum[i] + right_end[i]);
    r.off = r.off / size_of(q[1] + k[0]); /* q_1 j + k_0 of the first term whose equation is not one product */
    r.work_off = size_of((Q * slope[3] + two * G * sum[3] + T * T * eta_end) / (q[1] + k[0]));
    return r;
}

/* Lanes in which no event comes before the origin: u_z is monotone and its end and the law's quantity say so. */
static inline mask nothing_between(const collision *c, imp_darboux_law law, const rates *now, const rates *ray, vec uz,
                                   vec pz, vec work) {
    const vec zero = fill(0), missing = goal_of(c, law) - own_quantity(c, law);
    vec gain = pz;
    if (law == IMP_STRONGE) gain = work;
    if (law == IMP_NEWTON) gain = uz - c->uz;
    const mask turning = less(zero, c->turn[0][0] * c->turn[0][0] + c->turn[0][1] * c->turn[0][1]);
    const mask open = less(zero, c->opening),
               straight = both(less(zero, now->h * ray->h), less(zero, now->b2 * ray->b2));
    const mask closed = without(less(uz, zero), open), opens = both(open, both(less(zero, uz), less(gain, missing)));
    return without(either(closed, opens), without(turning, straight));
}

/* The jump of the lanes that are NEAR_RAY; where it is not to be, they slide on and try again much nearer. */
static inline void jump(collision *c, imp_darboux_law law) {
    const vec zero = fill(0), one = fill(1), two = fill(2), half = fill(0.5);
    const mask near = is_place(c, NEAR_RAY);
    const rates now = rates_of(c, c->w);
    mask good = near;
    const vec t = find_ray(&now, &good), T = size_of(t), over = one / (one + t * t);
    const vec cosine = (one - t * t) * over, sine = two * t * over;
    const vec w[2] = {c->w[0] * cosine - c->w[1] * sine, c->w[1] * cosine + c->w[0] * sine};
    const rates ray = rates_of(c, w);
    const vec tau = -t, t2 = t * t, a2 = c->r * over;
    const vec q2 = fill(3) * ray.A12, q3 = ray.A22 - ray.A11 - ray.b1, q4 = -ray.A12;
    const vec q[5] = {zero, ray.df, q2 * tau, q3 * t2, q4 * t2 * tau};
    const vec k[4] = {ray.g, -two * ray.A12 * tau, (ray.b1 + ray.A11 - two * ray.A22) * t2, two * ray.A12 * t2 * tau};
    const mask converges = both(less(ray.df, zero), less(ray.g, zero));
    const mask alone = less(T * (size_of(q2) + T * (size_of(q3) + T * size_of(q4))), -half * ray.df);
    const rest_of_slip left = sum_up(c, &ray, tau, q, k, both(good, both(converges, alone)));

    const vec pz = a2 * left.phi, X = a2 * left.chi[0], Y = a2 * left.chi[1];
    const vec uz = c->uz + c->K33 * pz - c->mu * (ray.b1 * X + ray.b2 * Y), work = uz * pz - a2 * a2 * left.psi;
    const mask jumps = both(left.known, nothing_between(c, law, &now, &ray, uz, pz, work));
    const vec weight = choose(less(zero, c->opening), one, c->e * c->e);
    c->path_off = c->path_off + choose(jumps, a2 * left.off, zero);
    c->work_off = c->work_off + choose(jumps, weight * a2 * a2 * left.work_off, zero);
    add_to_phase(c, c->impulse, pz, jumps);
    add_to_phase(c, c->work, work, jumps);
    for (int i = 0; i < 2; i++) {
        const vec friction = i ? w[1] * X + w[0] * Y : w[0] * X - w[1] * Y;
        c->pt[i] = c->pt[i] - choose(jumps, c->mu * friction, zero);
        c->w[i] = choose(jumps, w[i], c->w[i]);
    }
    c->r = choose(jumps, zero, c->r);
    c->uz = choose(jumps, uz, c->uz);
    c->patience = choose(without(near, jumps), fill(0.25) * size_of(now.f / now.df), c->patience);
    c->place = choose(near, choose(jumps, fill(AT_ORIGIN), fill(SLIDES)), c->place);
}

#endif
