/* darboux_end.h - the straight stretches of LANES collisions, and the certificate of where they
 * ended.
 *
 * The motions of darboux_straight.c: along a ray, in stick, along the diverging ray, without
 * friction. Internal. */
#ifndef IMP_DARBOUX_END_H
#define IMP_DARBOUX_END_H

#include "single/darboux_lanes.h"

/* du/dp_z and dp_xy/dp_z of a straight stretch: dr and du_z, the direction of dp_xy times its
 * size. */
typedef struct stretch {
    vec slip, rise, friction[2];
} stretch;

/* Follows the stretch to the end or to the origin, through all changes of phase. */
static inline void straight(collision *c, imp_darboux_law law, const stretch *t, mask where) {
    enum { MOST_EVENTS = 6 };
    const vec zero = fill(0), never = fill(INFINITY), half = fill(0.5);
    mask active = where;
    for (int i = 0; i < MOST_EVENTS && any(active); i++) {
        const mask open = less(zero, c->opening);
        const mask back =
            either(both(open, less(t->rise, zero)), without(less(zero, t->rise), open));
        const vec origin = choose(less(t->slip, zero), c->r / -t->slip, never);
        const vec stop = choose(
            open, stopping_distance(law, goal_of(c, law) - own_quantity(c, law), c->uz, t->rise),
            never);
        const vec turn = choose(back, size_of(c->uz / t->rise), never);
        const vec distance = smaller(origin, smaller(turn, stop));
        const mask moves = both(active, less(distance, never)),
                   stops = both(moves, at_most(stop, distance));
        const mask crosses = without(both(moves, at_most(turn, distance)), stops);
        const mask arrives = without(without(moves, stops), crosses);
        add_to_phase(c, c->work, distance * (c->uz + half * t->rise * distance), moves);
        add_to_phase(c, c->impulse, distance, moves);
        c->r = choose(moves, choose(arrives, zero, larger(c->r + t->slip * distance, zero)), c->r);
        c->uz = choose(moves, c->uz + t->rise * distance, c->uz);
        for (int k = 0; k < 2; k++)
            c->pt[k] = choose(moves, c->pt[k] + t->friction[k] * distance, c->pt[k]);
        cross(c, law, crosses);
        c->place = choose(stops, fill(ENDED), choose(arrives, fill(AT_ORIGIN), c->place));
        active = without(without(without(moves, stops), arrives), is_place(c, ENDED));
        c->place = choose(
            without(without(where, moves), either(is_place(c, ENDED), is_place(c, AT_ORIGIN))),
            fill(LEFT), c->place);
    }
    c->place = choose(active, fill(LEFT), c->place);
}

static inline void follow_ray(collision *c, imp_darboux_law law) {
    const mask where = is_place(c, ON_RAY);
    if (!any(where)) return;
    const vec one = fill(1), rounding = fill(2 * DBL_EPSILON) * c->scale;
    rates k = rates_of(c, c->w);
    for (int i = 0; i < 4; i++) { /* onto the ray */
        const mask off = both(where, less(rounding, size_of(k.f)));
        if (!any(off)) break;
        const vec angle = -k.f / k.df,
                  w[2] = {c->w[0] - angle * c->w[1], c->w[1] + angle * c->w[0]};
        const vec over = one / root(w[0] * w[0] + w[1] * w[1]);
        for (int j = 0; j < 2; j++)
            c->w[j] = choose(off, w[j] * over, c->w[j]);
        k = rates_of(c, c->w);
    }
    straight(c, law, &(stretch){k.g, k.h, {-c->mu * c->w[0], -c->mu * c->w[1]}}, where);
}

/* From the origin to the end: stick where it is stable, else along the diverging ray. */
static inline void leave_origin(collision *c, imp_darboux_law law) {
    const mask where = is_place(c, AT_ORIGIN);
    if (!any(where)) return;
    const vec *M = c->M, *b = c->b, A[3] = {c->mu * M[0], c->mu * M[1], c->mu * M[2]};
    vec sticking[2];
    const vec rise = stick_at_origin(M, b, c->K33, sticking), x = sticking[0], y = sticking[1];
    const mask slips = without(where, at_most(root(x * x + y * y), c->mu));
    stretch t = {fill(0), rise, {-x, -y}};
    if (any(slips)) {
        vec w[2];
        const vec growth = diverging_ray(A, b, slips, w);
        t.slip = choose(slips, growth, t.slip);
        t.rise = choose(slips, c->K33 - c->mu * (b[0] * w[0] + b[1] * w[1]), t.rise);
        for (int k = 0; k < 2; k++) {
            c->w[k] = choose(slips, w[k], c->w[k]);
            t.friction[k] = choose(slips, -c->mu * w[k], t.friction[k]);
        }
    }
    straight(c, law, &t, where);
}

/* The largest residual of LANES collisions that ended, from the data, p and what the steps
 * noted. */
static inline vec certify(const collision *c, imp_darboux_law law) {
    const vec zero = fill(0), tiny = fill(DBL_MIN), *M = c->M, *b = c->b, *q = c->q, *pt = c->pt;
    const vec pn = c->impulse[0] + c->impulse[1], length = root(pt[0] * pt[0] + pt[1] * pt[1]),
              limit = c->mu * pn;
    const vec push = larger(larger(pn, length), tiny),
              cone = larger(length - limit, zero) / larger(larger(limit, length), tiny);
    const vec t0 = b[0] * pn, t1 = M[0] * pt[0], t2 = M[1] * pt[1], o0 = b[1] * pn,
              o1 = M[1] * pt[0], o2 = M[2] * pt[1];
    const vec n0 = c->K33 * pn, n1 = b[0] * pt[0], n2 = b[1] * pt[1];
    const vec ut = q[0] + (t0 + t1 + t2), uo = q[1] + (o0 + o1 + o2), un = q[2] + (n0 + n1 + n2);
    const vec size_t0 = size_of(q[0]) + size_of(t0) + size_of(t1) + size_of(t2);
    const vec size_o0 = size_of(q[1]) + size_of(o0) + size_of(o1) + size_of(o2);
    const vec size_n = size_of(q[2]) + size_of(n0) + size_of(n1) + size_of(n2);
    const vec off_t = size_of(ut - c->r * c->w[0]), off_o = size_of(uo - c->r * c->w[1]);
    const vec slip_off = (off_t + off_o) / larger(size_t0 + size_o0, tiny);
    const vec drift =
        larger(choose(less(zero, c->mu), slip_off, zero), size_of(un - c->uz) / size_n);
    const vec path = larger(c->path_off / push, drift), approach = larger(-un, zero) / size_n;
    const vec goal = goal_of(c, law),
              stops = choose(at_most(c->e, zero), size_of(un) / size_n, zero);
    vec stopping = larger(size_of(un - goal), c->late) / size_n;
    if (law == IMP_POISSON) stopping = larger(size_of(c->impulse[1] - goal), c->late) / push;
    if (law == IMP_STRONGE) {
        const vec size = c->e * (size_of(c->work[0]) + size_of(c->work[1]));
        stopping = (larger(size_of(c->work[1] - goal), c->late) + c->work_off) / larger(size, tiny);
    }
    const vec worst = larger(larger(cone, approach), larger(path, larger(stopping, stops)));
    return choose(less(q[2], zero), worst, zero);
}

#endif
