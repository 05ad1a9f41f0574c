/* coulomb_lanes.h - Coulomb's law where its solution is the only one, LANES problems at once;
 * included by one file per instruction set.
 *
 * The curve of slips is that of slip_curve.h, the proofs are those of slips.c. A lane takes a
 * problem whose only solution is p = 0, the stick, or one slip, and proves that it is the only one
 * by the shape of phi at kappa = 0 and far out, with the same bounds on rounding. Its slip is found
 * by Newton's method on phi from where phi > 0 for certain, last steps with phi in double-double,
 * so that it is right to rounding however H is conditioned. Several solutions, signs that rounding
 * leaves open, q_n = 0, mu = 0, bad data and extreme scales are left to imp_coulomb_search.
 *
 * Problems go through stage by stage, as in maxdiss_lanes.h. Internal. */
#ifndef IMP_COULOMB_LANES_H
#define IMP_COULOMB_LANES_H

#include "single/batch_lanes.h"
#include "single/coulomb_batch.h"
#include "single/slip_curve.h"

#include <float.h>

/* LANES problems between stages: b = -q, f = A_nn, kappa and H multiplied by A_nn, in units that
 * are powers of two. */
typedef struct contact {
    vec Ann, a[2], T[3], b[3], mu; /* the data */
    vec W_binade, q_binade, unit;  /* the units of W and q, and of an impulse */
    slip_curve curve;
    vec gg, wg, turn;                     /* g.g, w.g, (f |y|)'' = turn / |y|^3 */
    vec k, x[3];                          /* the impulse is x */
    mask separating, stick, slip, active; /* which solution it is, if it is the only one */
    /* the flags of imp_coulomb_set; sure: they are not in doubt */
    mask unique, parallel, sure;
} contact;

/* Zero, or not so small that the rest of a product could underflow. */
static inline mask in_range(vec x) {
    return either(at_most(fill(0x1p-200), size_of(x)), at_most(size_of(x), fill(0)));
}

/* The data of LANES problems, scaled; returns the lanes that can be taken. */
static inline mask take(const vec W[6], const vec q[3], vec mu, vec e, contact *s) {
    const vec q_size = larger(size_of(q[0]), larger(size_of(q[1]), size_of(q[2])));
    s->W_binade = binade(W[3] + W[5]), s->q_binade = binade(q_size);
    const vec W_unit = per_binade(s->W_binade), q_unit = per_binade(s->q_binade);
    s->unit = s->q_binade * W_unit;
    s->Ann = W[0] * W_unit;
    s->mu = mu;
    for (int k = 0; k < 2; k++)
        s->a[k] = W[1 + k] * W_unit;
    for (int k = 0; k < 3; k++)
        s->T[k] = W[3 + k] * W_unit, s->b[k] = -q[k] * q_unit;
    const mask scale =
        both(between(0x1p-1000, s->W_binade, 0x1p1000), between(0x1p-1000, s->q_binade, 0x1p1000));
    const mask apart = both(between(0x1p-60, s->Ann, 0x1p60), between(0x1p-60, mu, 0x1p60));
    const mask whole = both(both(in_range(s->a[0]), in_range(s->a[1])),
                            both(in_range(s->T[1]), in_range(s->b[0])));
    const mask range = both(whole, both(in_range(s->b[1]), in_range(s->b[2])));
    return both(both(both(good_data(W, q, mu, e), at_most(e, fill(0))), scale), both(apart, range));
}

/* The curve of slips; returns the lanes where A_nn H, g and w are right to double. */
static inline mask reduce(contact *s) {
    slip_curve *c = &s->curve;
    dd H[3];
    slip_begin(c, s->Ann, s->a, s->T, s->b, H);
    const slip_terms t = slip_end(c, s->Ann, s->a, s->T, s->b, H, s->mu, s->Ann, fill(1));
    const vec g0 = c->g[0].hi, g1 = c->g[1].hi, w0 = c->w[0].hi, w1 = c->w[1].hi;
    const vec g = size_of(g0) + size_of(g1), w = size_of(w0) + size_of(w1);
    const vec X = size_of(g0 * w1 - g1 * w0) + fill(0x1p-50) * w * g; /* |g x w| at most */
    s->gg = g0 * g0 + g1 * g1;
    s->wg = w0 * g0 + w1 * g1;
    s->turn = s->Ann * X * X;
    /* rounding is below 2^-51 of what exceeds that much of its terms */
    const vec least = fill(0x1p-48);
    const mask positive = both(both(less(fill(0), H[0].hi), less(fill(0), H[2].hi)),
                               less(least * t.H * t.H, c->det.hi));
    return both(positive, both(at_most(least * t.w, w), at_most(least * t.g, g)));
}

/* Where phi rises first and may then fall: does it stay below zero until it rises for good? phi' is
 * convex: between k = 0 and a place where phi falls it lies below its chord, and the triangle under
 * that is what phi may gain. The place is near where phi'' = 0, |y|^3 = turn / (2 P); a third of
 * the logarithm is cube root enough. */
static inline mask stays_below(const contact *s, vec zero, vec slope, vec doubt, vec slack) {
    const vec P = s->curve.square.hi, l = s->curve.linear.hi, w0 = s->curve.w[0].hi,
              w1 = s->curve.w[1].hi, A = s->Ann;
    const vec one = high_half(fill(1)), cube = high_half(s->turn / (fill(2) * P));
    const vec third = from_high_half((cube + fill(2) * one) / fill(3));
    const vec rest = third * third - (w0 * w0 + w1 * w1);
    const vec k = rest / (s->wg + root(larger(s->wg * s->wg + s->gg * rest, fill(0))));
    const vec y0 = w0 + k * s->curve.g[0].hi, y1 = w1 + k * s->curve.g[1].hi;
    const vec there = fill(2) * P * k + l - A * (s->wg + k * s->gg) / root(y0 * y0 + y1 * y1);
    const vec first = slope + slack, last = there + slack + fill(0x1p-48) * P * k;
    const vec gain = fill(0.5 + 0x1p-20) * k * (first * first) / (first - last);
    return both(both(less(fill(0), k), less(last, fill(0))), less(zero + gain, -doubt));
}

/* Which solution is the only one, where that is certain (the cases of closing() and opening() in
 * slips.c); where a slip is, k <- a place beyond it. */
static inline void decide(contact *s, mask good) {
    const vec none = fill(0), two = fill(2), eps = fill(0x1p-49), A = s->Ann,
              l = s->curve.linear.hi, c = s->curve.constant.hi;
    /* no slip at all: w = g = 0, w.g / |w| too */
    const vec least = fill(DBL_MIN);
    const vec P = s->curve.square.hi, length = larger(root(s->curve.w[0].hi * s->curve.w[0].hi +
                                                           s->curve.w[1].hi * s->curve.w[1].hi),
                                                      least);
    const vec W = A * length, G = larger(A * root(s->gg), least), zero = c - W,
              slope = l - A * (s->wg / length), rise = l - G;
    const vec doubt = eps * (size_of(c) + W) + s->curve.noise[0],
              slack = eps * (size_of(l) + G) + s->curve.noise[1];
    const vec doubled = slack + s->curve.noise[1]; /* of the rise */
    const mask above = less(doubt, zero), below = less(zero, -doubt), rising = less(slack, slope),
               closing = less(none, P);

    /* ecc <= 2 sqrt(c) / (1 + c) */
    const vec steep = s->mu * root(s->a[0] * s->a[0] + s->a[1] * s->a[1]) * s->curve.trace.hi,
              most = two * root(s->curve.det.hi) * A;
    const mask few = both(closing, at_most(steep, (fill(1) - fill(0x1p-46)) * most));
    const mask clear = either(few, less((fill(1) - fill(0x1p-50)) * most, steep));

    const vec bend = two * P * (fill(1) - fill(0x1p-40)) - s->turn / (length * length * length);
    const mask no_fall =
        either(few, either(less(doubled, rise), both(rising, at_most(none, bend))));
    const vec far = larger(doubled - rise, none) / (two * P), top = larger(slope + slack, none);
    const mask falls_first = without(less(zero + top * far, -doubt), rising);
    s->stick = both(both(good, closing), both(above, no_fall));
    s->slip = both(both(good, closing), both(below, either(no_fall, falls_first)));
    const mask open = without(both(both(good, closing), both(below, rising)), s->slip);
    if (any(open)) s->slip = either(s->slip, both(open, stays_below(s, zero, slope, doubt, slack)));

    s->separating = without(both(good, below), closing);
    if (any(s->separating)) {
        const vec limit = c - A * A * s->wg / G;
        const mask sinking = both(less(rise, -doubled), less(limit, -doubt));
        const mask low_top = without(less(zero - top * top / (fill(4) * P), -doubt), rising);
        s->separating = both(both(s->separating, less(P, none)), either(sinking, low_top));
    }
    s->unique = few;
    s->sure = either(clear, s->separating);

    s->active = s->slip;
    s->k = s->x[1] = s->x[2] = none;
    if (any(s->slip)) { /* the larger root of P k^2 + rise k + phi(0), which is below phi */
        const vec far_out = root(larger(rise * rise - fill(4) * P * zero, none));
        s->k = choose(less(none, rise), fill(-2) * zero / (rise + far_out),
                      (far_out - rise) / (two * P));
    }
}

/* Newton's method on phi, in double: one step. */
static inline void step_root(contact *s) {
    const vec k = s->k, Pk = s->curve.square.hi * k, l = s->curve.linear.hi, A = s->Ann;
    const vec y0 = s->curve.w[0].hi + k * s->curve.g[0].hi,
              y1 = s->curve.w[1].hi + k * s->curve.g[1].hi, length = root(y0 * y0 + y1 * y1);
    const vec value = (Pk + l) * k + s->curve.constant.hi - A * length;
    const vec rate = (fill(2) * Pk + l) * length - A * (s->wg + k * s->gg); /* |y| phi' */
    const vec next = k - value * length / rate;
    s->k = choose(s->active, next, k);
    s->active = without(s->active, at_most(size_of(next - k), fill(1e-4) * next));
}

/* The last steps, with phi = (L^2 - f^2 |y|^2) / (L + f |y|) in double-double, and x_to; slips that
 * do not settle are no longer `slip`. */
static inline void polish(contact *s) {
    enum { MOST = 3 };
    const vec A = s->Ann, P = s->curve.square.hi, G = A * root(s->gg), least = fill(0x1p-26);
    vec k = s->k, y[2] = {s->x[1], s->x[2]};
    mask active = s->slip, settled = without(active, active);
    for (int n = 0; n < MOST && any(active); n++) {
        const dd Y[2] = {dd_add(s->curve.w[0], dd_times(s->curve.g[0], k)),
                         dd_add(s->curve.w[1], dd_times(s->curve.g[1], k))};
        const dd line = dd_add(s->curve.linear, dd_times(s->curve.square, k)),
                 L = dd_add(s->curve.constant, dd_times(line, k));
        const dd yy = dd_add(dd_mul(Y[0], Y[0]), dd_mul(Y[1], Y[1]));
        const dd apart = dd_sub(dd_mul(L, L), dd_times(dd_times(yy, A), A));
        /* |y| phi' */
        const vec length = root(yy.hi), rate = (line.hi + P * k) * length - A * (s->wg + k * s->gg);
        const vec step = apart.hi * length / (rate * (L.hi + A * length));
        const vec bend = fill(2) * P * length - s->turn / yy.hi; /* |y| phi'' */
        const vec slack = fill(0x1p-49) * length * (size_of(line.hi) + size_of(P * k) + G);
        const mask smooth = at_most(size_of(bend * step) + slack, least * size_of(rate));
        const mask good = both(active, both(smooth, at_most(size_of(step), least * k)));
        k = choose(active, k - step, k);
        for (int i = 0; i < 2; i++)
            y[i] = choose(active, Y[i].hi + (Y[i].lo - step * s->curve.g[i].hi), y[i]);
        settled = either(settled, good);
        active = without(active, good);
    }
    const vec D = s->curve.det.hi + k * (s->curve.trace.hi + k);
    s->slip = settled;
    s->k = k;
    s->x[1] = y[0] / D;
    s->x[2] = y[1] / D;
}

/* The impulse, and which lanes have one. */
static inline mask finish(contact *s) {
    const vec none = fill(0), *a = s->a, A = s->Ann, m = s->mu;
    const mask pushes = either(s->stick, s->slip);
    for (int i = 0; i < 2; i++)
        s->x[1 + i] = choose(s->slip, s->x[1 + i],
                             choose(s->stick, s->curve.w[i].hi / s->curve.det.hi, none));
    const vec x1 = s->x[1], x2 = s->x[2], length = root(x1 * x1 + x2 * x2);
    const mask ellipse = at_most(m * (size_of(a[0]) + size_of(a[1])), A);
    const vec plane = (s->b[0] - (a[0] * x1 + a[1] * x2)) / A;
    const vec beyond = choose(s->slip, length, s->curve.constant.hi / (A * s->curve.det.hi)) / m;
    s->x[0] = choose(pushes, choose(ellipse, plane, beyond), none);

    vec scale;
    const vec off = off_normal(m, A, a, x1, x2, &scale);
    s->parallel = either(s->stick, either(s->separating, at_most(off, fill(0x1p-51) * scale)));
    const mask clear = either(s->parallel, less(fill(0x1p-49) * scale, off));

    const vec pn = size_of(s->x[0] * s->unit),
              pt = larger(size_of(x1 * s->unit), size_of(x2 * s->unit));
    const vec pe = larger(pn, pt);
    const mask fits =
        both(both(at_most(pe, fill(DBL_MAX)), less(none, s->x[0])), at_most(fill(DBL_MIN), pe));
    /* 0 in such units is a number */
    const mask open = both(s->separating, at_most(s->unit, fill(DBL_MAX)));
    return both(both(s->sure, clear), either(open, both(pushes, fits)));
}

/* The residuals of imp_law_coulomb (law_coulomb.c), from the data and x alone; x_n >= 0 is
 * known. */
static inline vec certify(const contact *s) {
    const vec none = fill(0), tiny = fill(DBL_MIN), *x = s->x, *a = s->a, *T = s->T, *b = s->b;
    const vec terms[3][3] = {{s->Ann * x[0], a[0] * x[1], a[1] * x[2]},
                             {a[0] * x[0], T[0] * x[1], T[1] * x[2]},
                             {a[1] * x[0], T[1] * x[1], T[2] * x[2]}};
    const vec diagonal[3] = {s->Ann, T[0], T[2]};
    vec u[3], size[3], impulse = none;
    for (int i = 0; i < 3; i++) {
        u[i] = terms[i][0] + terms[i][1] + terms[i][2] - b[i];
        size[i] =
            size_of(b[i]) + size_of(terms[i][0]) + size_of(terms[i][1]) + size_of(terms[i][2]);
        impulse = larger(impulse, diagonal[i] * size_of(x[i]) / larger(size[i], tiny));
    }
    const vec normal = u[0] / size[0], approach = larger(-normal, none);
    const vec complementarity = smaller(size_of(normal), impulse);
    const vec friction = root(x[1] * x[1] + x[2] * x[2]), limit = s->mu * x[0],
              lean = larger(larger(limit, friction), tiny);
    const vec cone = larger(friction - limit, none) / lean;
    const vec slip = root(u[1] * u[1] + u[2] * u[2]), t0 = slip * x[1] + limit * u[1],
              t1 = slip * x[2] + limit * u[2];
    const vec slip_size = larger(root(size[1] * size[1] + size[2] * size[2]), tiny);
    const vec opposition = larger(smaller(slip / slip_size, (limit - friction) / lean),
                                  smaller(slip, root(t0 * t0 + t1 * t1) / lean) / slip_size);
    return larger(larger(approach, complementarity),
                  larger(cone, choose(s->separating, none, opposition)));
}

enum { GROUPS = IMP_COULOMB_CHUNK / LANES, STEPS = 12 /* of Newton's method in double */ };

static inline bool step_group(void *groups, size_t i) {
    contact *s = (contact *)groups + i;
    step_root(s);
    return any(s->active);
}

static inline void write_sets(const imp_batch_columns *c, size_t first, const contact *s,
                              unsigned done) {
    const unsigned stick = bits_of(s->stick), slip = bits_of(s->slip),
                   parallel = bits_of(s->parallel), unique = bits_of(s->unique);
    for (unsigned k = 0; c->all && k < LANES; k++) {
        const imp_coulomb_brief found = {.count = 1,
                                         .kind = {(stick >> k & 1)  ? IMP_STICK
                                                  : (slip >> k & 1) ? IMP_SLIP
                                                                    : IMP_ZERO},
                                         .proven = 1,
                                         .unique = unique >> k & 1,
                                         .maxdiss = (parallel >> k & 1) ? 0 : -1};
        if (done >> k & 1) c->all->brief[first + k] = found;
    }
}

/* Solves the chunk from problem `first` on, but for the problems it leaves. */
static inline void solve_chunk(const imp_batch_columns *to, size_t first, int variant,
                               uint64_t *left) {
    contact groups[GROUPS];
    size_t slipping[GROUPS], count = 0;
    (void)variant;
    for (size_t k = 0; k < GROUPS; k++) {
        vec W[6], q[3], mu, e;
        load_data(to, first + k * LANES, W, q, &mu, &e);
        const mask taken = take(W, q, mu, e, &groups[k]), good = reduce(&groups[k]);
        decide(&groups[k], both(taken, good));
        slipping[count] = k;
        count += any(groups[k].slip);
    }
    step_groups(groups, step_group, slipping, count, STEPS);
    for (size_t k = 0; k < count; k++)
        polish(&groups[slipping[k]]);
    for (size_t k = 0; k < GROUPS; k++) {
        contact *s = &groups[k];
        const size_t i = first + k * LANES;
        const mask done = finish(s);
        for (int j = 0; j < 3; j++)
            store(to->p[j] + i, s->x[j] * s->unit, done);
        store(to->residual + i, certify(s), done);
        write_sets(to, i, s, bits_of(done));
        leave(left, k, done);
    }
}

#endif
