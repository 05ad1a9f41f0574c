/* darboux_jump.h - LANES slips beside an attracting converging ray, straight to the origin.
 *
 * The series of darboux_ray.c in tau = tan(angle/2) from the ray, at the present direction only:
 * all that is left of the slip at once. Slips in which an event comes before the origin go on by
 * steps. Internal. */
#ifndef IMP_DARBOUX_JUMP_H
#define IMP_DARBOUX_JUMP_H

#include "single/darboux_lanes.h"

enum { MOST_TERMS = 48 };

/* What is left to the origin: p_z = a^2 phi, p_xy = -mu a^2 chi, the work u_z,end p_z - a^4 psi. In
 * `off` by how much the sums miss their differential equations. */
typedef struct rest_of_slip {
    vec phi, chi[2], psi, off, work_off;
    mask known;
} rest_of_slip;

/* The four series at tau about the ray in whose frame the rates are given. */
static inline rest_of_slip sum_up(const collision *c, const rates *ray, vec tau, mask where) {
    const vec zero = fill(0), one = fill(1), two = fill(2), mu = c->mu;
    vec sum[4] = {zero, zero, zero, zero}, slope[4] = {zero, zero, zero, zero}, most = zero;
    mask active = where;
    ray_terms s;
    begin_ray(&s, ray, tau);
    for (int j = 0; j < MOST_TERMS && any(active); j++) {
        next_impulse(&s, j);
        next_work(&s, c->K33, mu, ray->b1, ray->b2);
        const vec term[4] = {s.last[0][0], s.last[0][1], s.last[0][2], s.psi[0]}, order = fill(j);
        for (int i = 0; i < 3; i++)
            most = larger(most, size_of(term[i]));
        for (int i = 0; i < 4; i++) {
            sum[i] = sum[i] + choose(active, term[i], zero);
            slope[i] = slope[i] + choose(active, order * term[i], zero);
        }
        if (j < 4) continue;
        vec size = size_of(term[0]) + size_of(term[1]) + size_of(term[2]);
        size = size + size_of(s.last[1][0]) + size_of(s.last[2][0]);
        const mask work =
            at_most(size_of(s.psi[0]) + size_of(s.psi[1]), fill(1e-17) * size_of(sum[3]));
        active = without(active, both(work, at_most(size, fill(1e-17) * most)));
    }
    const vec *q = s.q, *k = s.k, Q = q[1] + q[2] + q[3] + q[4], G = k[0] + k[1] + k[2] + k[3],
              T = one + s.t2;
    const vec right_end[3] = {T * T, T * (one - s.t2), two * tau * T};
    const vec eta_end = c->K33 * sum[0] - mu * (ray->b1 * sum[1] + ray->b2 * sum[2]);
    rest_of_slip r = {sum[0], {sum[1], sum[2]}, sum[3], zero, zero, without(where, active)};
    for (int i = 0; i < 3; i++)
        r.off = r.off + size_of(Q * slope[i] + G * sum[i] + right_end[i]);
    /* q_1 j + k_0 of the first term whose equation is not one product */
    r.off = r.off / size_of(q[1] + k[0]);
    r.work_off = size_of((Q * slope[3] + two * G * sum[3] + T * T * eta_end) / (q[1] + k[0]));
    return r;
}

/* Lanes in which no event comes before the origin: u_z is monotone and its end and the law's
 * quantity say so. */
static inline mask nothing_between(const collision *c, imp_darboux_law law, const rates *now,
                                   const rates *ray, vec uz, vec pz, vec work) {
    const vec zero = fill(0), missing = goal_of(c, law) - own_quantity(c, law);
    vec gain = pz;
    if (law == IMP_STRONGE) gain = work;
    if (law == IMP_NEWTON) gain = uz - c->uz;
    const mask turning = less(zero, c->turn[0][0] * c->turn[0][0] + c->turn[0][1] * c->turn[0][1]);
    const mask open = less(zero, c->opening),
               straight = both(less(zero, now->h * ray->h), less(zero, now->b2 * ray->b2));
    const mask closed = without(less(uz, zero), open),
               opens = both(open, both(less(zero, uz), less(gain, missing)));
    return without(either(closed, opens), without(turning, straight));
}

/* The jump of the lanes that are NEAR_RAY; where it is not to be, they slide on and try again much
 * nearer. */
static inline void jump(collision *c, imp_darboux_law law) {
    const vec zero = fill(0), one = fill(1), two = fill(2), half = fill(0.5);
    const mask near = is_place(c, NEAR_RAY);
    const rates now = rates_of(c, c->w);
    mask good = near;
    const vec t = find_ray(&now, &good), T = size_of(t), over = one / (one + t * t);
    const vec cosine = (one - t * t) * over, sine = two * t * over;
    const vec w[2] = {c->w[0] * cosine - c->w[1] * sine, c->w[1] * cosine + c->w[0] * sine};
    const rates ray = rates_of(c, w);
    const vec a2 = c->r * over, q2 = fill(3) * ray.A12, q3 = ray.A22 - ray.A11 - ray.b1,
              q4 = -ray.A12;
    const mask converges = both(less(ray.df, zero), less(ray.g, zero));
    const mask alone =
        less(T * (size_of(q2) + T * (size_of(q3) + T * size_of(q4))), -half * ray.df);
    const rest_of_slip left = sum_up(c, &ray, -t, both(good, both(converges, alone)));

    const vec pz = a2 * left.phi, X = a2 * left.chi[0], Y = a2 * left.chi[1];
    const vec uz = c->uz + c->K33 * pz - c->mu * (ray.b1 * X + ray.b2 * Y),
              work = uz * pz - a2 * a2 * left.psi;
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
