/* maxdiss_lanes.h - the body of the batch solver, LANES problems at once; included by one file per instruction set.
 *
 * The common leaves of maxdiss.c and maxdiss_slide.c (separating, no friction, sticking, sliding), operation by
 * operation, so that the bits are theirs: read those files for the mathematics. What they treat by a branch is a choice
 * between lanes here. Lanes that do not end in a common leaf (bad data, b_n = 0, extreme scales, a slide the polish
 * does not settle at once) are left to imp_maxdiss.
 *
 * Problems go through in blocks of LANES, stage by stage, a chunk of blocks through each stage: the blocks of a stage
 * do not wait for each other, which hides the latency of divisions and roots. Internal. */
#ifndef IMP_MAXDISS_LANES_H
#define IMP_MAXDISS_LANES_H

#include "base/lanes.h"
#include "single/maxdiss_batch.h"
#include "single/maxdiss_slide.h"

#include <float.h>

/* LANES problems between stages, in the units of maxdiss.c. */
typedef struct block {
    vec Ann, a[2], T[3], per, b[3], mu, plane; /* the data; b[0] the closing velocity, per = 1/A_nn */
    vec H[3], g[2], e[2], opening, p, free[2]; /* the reduced form */
    vec unit;                                  /* an impulse in N s is that many scaled ones */
    vec axis[2], side, v[2][3], D[3], G[5];    /* the visible arc */
    vec y, low, high, step;                    /* the search on it */
    vec x[3], length, push[3];                 /* the impulse, |x_to|, the terms of a_n.x */
    mask aligned, far, active;
    mask separating, frictionless, stick, slide, done; /* done: the answer is in x */
} block;

/* The data of LANES problems from number i on, scaled, and their reduced form; the lanes are told apart. */
static inline void reduce(const imp_batch_columns *c, size_t i, block *s) {
    const vec zero = fill(0), one = fill(1), mu = load(c->mu + i), e = c->e ? load(c->e + i) : zero;
    vec W[6], q[3];
    for (int k = 0; k < 6; k++)
        W[k] = load(c->W[k] + i);
    for (int k = 0; k < 3; k++)
        q[k] = load(c->q[k] + i);
    const vec W_binade = binade(W[3] + W[5]);
    const vec q_binade = binade(fill(0x1p-200) * larger(size_of(q[0]), larger(size_of(q[1]), size_of(q[2]))));
    const vec W_unit = per_binade(W_binade), q_unit = per_binade(q_binade);
    const vec Ann = W[0] * W_unit, a0 = W[1] * W_unit, a1 = W[2] * W_unit, per = one / Ann;
    const vec T0 = W[3] * W_unit, T1 = W[4] * W_unit, T2 = W[5] * W_unit, c0 = W[1] / W[0], c1 = W[2] / W[0];
    const vec H0 = T0 - a0 * c0, H1 = T1 - a0 * c1, H2 = T2 - a1 * c1;
    const vec b0 = -q[0] * q_unit, b1 = -q[1] * q_unit, b2 = -q[2] * q_unit, plane = (one + e) * b0;
    const vec g0 = b1 - c0 * b0, g1 = b2 - c1 * b0;
    const mask swap = less(H0, H2);
    const vec d0 = choose(swap, H2, H0), d1 = choose(swap, H0, H2), first = choose(swap, g1, g0),
              second = choose(swap, g0, g1);
    const vec det = d0 * d1 - H1 * H1, v = (d0 * second - H1 * first) / det, u = (first - H1 * v) * (one / d0);
    const vec m0 = mu * a0, m1 = mu * a1, z0 = choose(swap, v, u), z1 = choose(swap, u, v);
    const vec e0 = -mu * c0, e1 = -mu * c1, p = mu * plane * per;
    s->Ann = Ann, s->per = per, s->mu = mu, s->plane = plane, s->p = p, s->unit = q_binade * W_unit;
    s->a[0] = a0, s->a[1] = a1, s->T[0] = T0, s->T[1] = T1, s->T[2] = T2;
    s->b[0] = b0, s->b[1] = b1, s->b[2] = b2, s->H[0] = H0, s->H[1] = H1, s->H[2] = H2;
    s->g[0] = g0, s->g[1] = g1, s->e[0] = e0, s->e[1] = e1, s->free[0] = z0, s->free[1] = z1;
    s->opening = (m0 * m0 + m1 * m1 - Ann * Ann) * per * per;

    const mask positive = both(both(less(zero, Ann), less(zero, d0)), less(zero, det));
    const mask W_scale = both(at_most(fill(0x1p-400), W_binade), at_most(W_binade, fill(0x1p400)));
    const mask q_scale = both(at_most(fill(0x1p-600), q_binade), at_most(q_binade, fill(0x1p600)));
    const mask good = both(both(good_data(W, q, mu, e), positive), both(W_scale, q_scale));
    const mask closing = both(good, less(zero, plane)), rough = both(closing, less(zero, p));
    const vec within = p + e0 * z0 + e1 * z1, zz = z0 * z0 + z1 * z1;
    const mask sticks = both(both(at_most(zero, within), at_most(zz, within * within)), at_most(zz, fill(DBL_MAX)));
    s->separating = both(good, less(b0, zero));
    s->frictionless = both(closing, at_most(mu, zero));
    s->stick = both(rough, sticks);
    s->slide = without(rough, sticks);
    s->x[1] = s->x[2] = zero;
}

/* The end of the bracket as c^2, s^2, c s; where it is a pole. */
static inline mask bracket_end(const vec e[2], vec p, vec opening, vec distance, vec end[3]) {
    const vec zero = fill(0), one = fill(1);
    const vec c2 = larger((one + e[0]) * distance + p, zero), s2 = larger((one - e[0]) * distance - p, zero);
    const mask open = at_most(zero, opening), ahead = at_most(zero, e[1]);
    const vec depth = root(larger(opening, zero));
    const vec c = choose(open, choose(ahead, e[1] + depth, larger(-one - e[0], zero)), zero);
    const vec s = choose(ahead, one - e[0], depth - e[1]);
    const mask pole = both(less(zero, c), at_most(s * s * c2, s2 * c * c));
    const vec per = fill(0.5) / distance;
    end[0] = choose(pole, c * c, c2 * per);
    end[1] = choose(pole, s * s, s2 * per);
    end[2] = choose(pole, c * s, root(c2 * s2) * per);
    return pole;
}

static inline void find_arc(block *b) {
    const vec zero = fill(0), one = fill(1), two = fill(2), p = b->p;
    const vec distance = root(b->free[0] * b->free[0] + b->free[1] * b->free[1]);
    const vec c = b->free[0] / distance, s = b->free[1] / distance, cs = c * s, cc = c * c, ss = s * s;
    const vec H0 = cc * b->H[0] + two * cs * b->H[1] + ss * b->H[2];
    const vec H1 = cs * (b->H[2] - b->H[0]) + (cc - ss) * b->H[1];
    const vec H2 = ss * b->H[0] - two * cs * b->H[1] + cc * b->H[2];
    const vec g0 = c * b->g[0] + s * b->g[1], g1 = c * b->g[1] - s * b->g[0];
    const vec e0 = c * b->e[0] + s * b->e[1], e1 = c * b->e[1] - s * b->e[0], D0 = one - e0;
    const vec F1 = D0 * g0 - p * H0, F2 = D0 * g1 - p * H1, across = -F1 * e1 - F2 * D0;
    const vec size = D0 * (size_of(g0) + size_of(g1)) + p * (H0 + H2);
    b->aligned = at_most(size_of(across), fill(0x1p-51) * size * (D0 + size_of(e1)));
    b->axis[0] = c, b->axis[1] = s;
    const vec side = choose(less(zero, across), -one, one);
    const vec H[3] = {H0, H1 * side, H2}, g[2] = {g0, g1 * side}, e[2] = {e0, e1 * side};
    vec end[3];
    const mask pole = bracket_end(e, p, b->opening, distance, end);
    const vec c2 = end[0], s2 = end[1], sc = end[2], length[3] = {c2, two * c2, c2 + s2};
    const vec v[2][3] = {{c2, two * c2, c2 - s2}, {zero, two * sc, two * sc}};
    const vec D[3] = {D0 * c2, two * (D0 * c2 - e[1] * sc),
                      choose(pole, zero, D0 * c2 - two * e[1] * sc + (one + e0) * s2)};
    vec N[2][3], F[2][3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 2; i++) {
            b->v[i][k] = v[i][k];
            N[i][k] = v[i][k] - e[i] * length[k];
            F[i][k] = D[k] * g[i] - p * (H[i] * v[0][k] + H[i + 1] * v[1][k]);
        }
        b->D[k] = D[k];
    }
    b->side = side;
    b->G[0] = F[0][0] * N[1][0] - F[1][0] * N[0][0];
    b->G[1] = (F[0][0] * N[1][1] - F[1][0] * N[0][1]) + (F[0][1] * N[1][0] - F[1][1] * N[0][0]);
    b->G[2] = (F[0][0] * N[1][2] - F[1][0] * N[0][2]) + (F[0][1] * N[1][1] - F[1][1] * N[0][1]) +
              (F[0][2] * N[1][0] - F[1][2] * N[0][0]);
    b->G[3] = (F[0][1] * N[1][2] - F[1][1] * N[0][2]) + (F[0][2] * N[1][1] - F[1][2] * N[0][1]);
    b->G[4] = F[0][2] * N[1][2] - F[1][2] * N[0][2];
}

static inline vec form(const vec a[3], vec k0, vec k1) {
    return a[0] * k0 * k0 + a[1] * k0 * k1 + a[2] * k1 * k1;
}

/* Halley's method for the root of G between brackets: its start, */
static inline void begin_root(block *b) {
    const vec zero = fill(0), one = fill(1);
    const mask far = without(less(b->G[0] + b->G[1] + b->G[2] + b->G[3] + b->G[4], zero), b->aligned);
    const vec sign = choose(far, -one, one);
    vec G[5];
    for (int k = 0; k < 5; k++)
        G[k] = sign * choose(far, b->G[4 - k], b->G[k]);
    for (int k = 0; k < 5; k++)
        b->G[k] = G[k];
    const vec y = -G[0] * G[1] / (G[1] * G[1] - G[0] * G[2]);
    b->far = far;
    b->y = choose(b->aligned, zero, choose(both(less(zero, y), less(y, one)), y, fill(0.5)));
    b->low = zero;
    b->high = b->step = one;
    b->active = without(b->slide, b->aligned);
}

/* one step of it, */
static inline void step_root(block *b) {
    const vec *G = b->G, two = fill(2), three = fill(3), y = b->y, y2 = y * y;
    const vec value = G[0] + y * G[1] + y2 * (G[2] + y * G[3] + y2 * G[4]);
    const vec slope = G[1] + y * two * G[2] + y2 * (three * G[3] + y * fill(4) * G[4]);
    const vec bend = G[2] + y * three * G[3] + y2 * fill(6) * G[4];
    const mask below = less(value, fill(0));
    const vec low = choose(below, y, b->low), high = choose(below, b->high, y);
    vec next = y - value * slope / (slope * slope - value * bend);
    const mask inside = both(at_most(low, next), at_most(next, high));
    const mask fit = without(inside, less(fill(0.5) * b->step, size_of(next - y)));
    if (any(without(b->active, fit))) next = choose(fit, next, root(larger(low, fill(1e-3) * high)) * root(high));
    b->low = low;
    b->high = high;
    b->step = size_of(next - y);
    b->y = choose(b->active, next, y);
    b->active = without(b->active, at_most(b->step, fill(3e-3) * b->y));
}

/* and x_to <- the point of the arc it leads to. */
static inline void end_root(block *b) {
    const vec one = fill(1), k0 = choose(b->far, b->y, one), k1 = choose(b->far, one, b->y);
    const vec per = b->p / form(b->D, k0, k1);
    const vec along = per * form(b->v[0], k0, k1), across = b->side * per * form(b->v[1], k0, k1);
    b->x[1] = b->axis[0] * along - b->axis[1] * across;
    b->x[2] = b->axis[1] * along + b->axis[0] * across;
}

/* Newton's method on the optimality conditions; slides that do not settle are no longer `slide`. */
static inline void polish(block *b) {
    enum { MOST = 3 };
    const vec zero = fill(0), one = fill(1), tiny = fill(1e-24);
    const vec unit = binade(larger(size_of(b->x[1]), size_of(b->x[2]))), per = per_binade(unit);
    const vec H0 = b->H[0] * unit, H1 = b->H[1] * unit, H2 = b->H[2] * unit, p = b->p * per, e0 = b->e[0], e1 = b->e[1];
    vec x = b->x[1] * per, y = b->x[2] * per;
    const vec apart = fill(1e6); /* imp_conic_stiff */
    const mask stiff = either(less(apart * b->H[2], b->H[0]), less(apart * b->H[0], b->H[2]));
    const mask left = either(stiff, less(fill(IMP_MAXDISS_FRICTION), b->mu));
    mask active = without(b->slide, left), settled = without(active, active);
    for (int k = 0; k < MOST && any(active); k++) {
        const vec r = root(x * x + y * y), u0 = x / r, u1 = y / r, N0 = u0 - e0, N1 = u1 - e1, NN = N0 * N0 + N1 * N1;
        const vec w0 = b->g[0] - H0 * x - H1 * y, w1 = b->g[1] - H1 * x - H2 * y;
        const vec press = w0 * N0 + w1 * N1, across = w1 * N0 - w0 * N1, outside = r - e0 * x - e1 * y - p;
        const vec bend = larger(press, zero) / r * (u0 * N0 + u1 * N1);
        const vec t0 = NN * (H1 * N0 - H0 * N1) - bend * u1, t1 = NN * (H2 * N0 - H1 * N1) + bend * u0;
        const vec tt = t1 * N0 - t0 * N1, tn = t0 * N0 + t1 * N1;
        const vec normal = -outside / NN, tangential = (across * NN - normal * tn) / tt;
        const vec d0 = normal * N0 - tangential * N1, d1 = normal * N1 + tangential * N0;
        const vec step = (size_of(d0) + size_of(d1)) / r, ratio = step * fill(1e8);
        active = both(active, at_most(step, one));
        x = choose(active, x + d0, x);
        y = choose(active, y + d1, y);
        const mask fine = both(at_most(ratio, one), at_most(ratio * ratio * ratio * ratio, NN));
        const mask good = both(active, both(both(less(zero, press), less(tiny, NN)), fine));
        settled = either(settled, good);
        active = without(active, good);
    }
    b->slide = settled;
    b->x[1] = x * unit;
    b->x[2] = y * unit;
}

/* The impulse of every leaf into x, and which lanes have one that is in range. */
static inline void finish(block *b) {
    const vec zero = fill(0), least = fill(0x1p-1000);
    for (int i = 0; i < 2; i++)
        b->x[i + 1] = choose(b->slide, b->x[i + 1], choose(b->stick, b->free[i], zero));
    const vec x1 = b->x[1], x2 = b->x[2], on_plane = (b->plane - b->a[0] * x1 - b->a[1] * x2) * b->per;
    b->length = root(x1 * x1 + x2 * x2);
    const mask open = both(b->slide, less(zero, b->opening));
    const mask pushed = either(either(b->stick, b->slide), b->frictionless);
    b->x[0] = choose(pushed, choose(open, b->length / b->mu, on_plane), zero);
    const vec pn = size_of(b->x[0] * b->unit);
    const vec pt = larger(size_of(x1 * b->unit), size_of(x2 * b->unit));
    const mask small = less(choose(b->slide, choose(less(pn, pt), pn, pt), larger(pn, pt)), least);
    const mask in_range = without(both(at_most(larger(pn, pt), fill(DBL_MAX)), at_most(zero, b->x[0])), small);
    b->push[0] = b->Ann * b->x[0], b->push[1] = b->a[0] * x1, b->push[2] = b->a[1] * x2;
    const mask inwards = at_most(zero, b->push[0] + b->push[1] + b->push[2]);
    b->done = either(b->separating, both(pushed, both(in_range, inwards)));
}

/* The residuals of imp_law_maxdiss (law_maxdiss.c), from the data and x alone; x_n >= 0 and
 * a_n.x >= 0 are known. */
static inline vec certify(const block *b) {
    const vec zero = fill(0), one = fill(1), tiny = fill(DBL_MIN), *x = b->x, *a = b->a, *T = b->T, length = b->length;
    const vec normal = b->push[0] + b->push[1] + b->push[2], ee = b->opening + one;
    const vec size = b->push[0] + size_of(b->push[1]) + size_of(b->push[2]) + size_of(b->b[0]);
    const vec ecc = root(larger(ee, zero)), off = size_of(normal - b->plane);
    const vec restitution = off / ((size + b->plane) * larger(one, ecc));
    const vec limit = b->mu * x[0], gap = length - limit, wide = size_of(gap) / larger(larger(limit, length), tiny);

    const vec shift = (b->b[0] - b->plane) * b->per, s0 = a[0] * shift, s1 = a[1] * shift;
    const vec t0 = a[0] * x[0], t1 = T[0] * x[1], t2 = T[1] * x[2], o0 = a[1] * x[0], o1 = T[1] * x[1],
              o2 = T[2] * x[2];
    const vec slip0 = t0 + t1 + t2 - b->b[1] + s0, slip1 = o0 + o1 + o2 - b->b[2] + s1;
    const vec size0 = size_of(t0) + size_of(t1) + size_of(t2) + size_of(b->b[1]) + size_of(s0);
    const vec size1 = size_of(o0) + size_of(o1) + size_of(o2) + size_of(b->b[2]) + size_of(s1);
    /* N in units of 1/|x_to| */
    const vec N0 = x[1] - b->e[0] * length, N1 = x[2] - b->e[1] * length, sN = slip0 * N0 + slip1 * N1;
    const vec lambda = choose(b->slide, larger(-sN / larger(N0 * N0 + N1 * N1, tiny), zero), zero);
    const vec R0 = slip0 + lambda * N0, R1 = slip1 + lambda * N1, press = lambda * length * (one + ecc);
    const vec whole = larger(larger(size0 * size0 + size1 * size1, press * press), tiny);
    const vec stationarity = root((R0 * R0 + R1 * R1) / whole);
    const vec cone = choose(less(zero, gap), wide, zero);
    const vec inner = choose(both(less(gap, zero), less(zero, lambda)), wide, zero);
    const vec slides = choose(b->frictionless, zero, stationarity + inner);
    return choose(b->separating, zero, larger(larger(restitution, cone), slides));
}

enum { BLOCKS = IMP_MAXDISS_CHUNK / LANES };

/* The search in those blocks; every pass takes one step in each block that has not stopped. */
static inline void find_roots(block *blocks, const size_t *which, size_t count) {
    enum { MOST = 30 };
    size_t active[BLOCKS], left = count;
    for (size_t k = 0; k < count; k++)
        active[k] = which[k];
    for (int pass = 0; pass < MOST && left > 0; pass++) {
        const size_t now = left;
        left = 0;
        for (size_t k = 0; k < now; k++) {
            const size_t i = active[k];
            step_root(&blocks[i]);
            active[left] = i;
            left += any(blocks[i].active);
        }
    }
    for (size_t k = 0; k < count; k++)
        end_root(&blocks[which[k]]);
}

/* Solves the chunk from problem `first` on, but for the problems it leaves. */
static void solve_chunk(const imp_batch_columns *c, size_t first, int variant, uint64_t *left) {
    block blocks[BLOCKS];
    (void)variant;
    for (size_t k = 0; k < BLOCKS; k++)
        reduce(c, first + k * LANES, &blocks[k]);
    size_t sliding[BLOCKS], count = 0;
    for (size_t k = 0; k < BLOCKS; k++) {
        sliding[count] = k;
        count += any(blocks[k].slide);
    }
    for (size_t k = 0; k < count; k++) {
        find_arc(&blocks[sliding[k]]);
        begin_root(&blocks[sliding[k]]);
    }
    find_roots(blocks, sliding, count);
    for (size_t k = 0; k < count; k++)
        polish(&blocks[sliding[k]]);
    for (size_t k = 0; k < BLOCKS; k++) {
        block *b = &blocks[k];
        const size_t i = first + k * LANES;
        finish(b);
        for (int j = 0; j < 3; j++)
            store(c->p[j] + i, b->x[j] * b->unit, b->done);
        store(c->residual + i, certify(b), b->done);
        left[0] |= (uint64_t)(~bits_of(b->done) & ((1u << LANES) - 1)) << (k * LANES);
    }
}

#endif
