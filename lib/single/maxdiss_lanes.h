/* maxdiss_lanes.h - one contact by maximum dissipation, LANES contacts at once; included by one
 * file per instruction set, and with one lane by maxdiss.c, whose imp_maxdiss it is.
 *
 * Preclik, Eibl, Ruede (2017), eqs. (3) and (6) to (9), the structogram of Fig. 3. With A = W, b =
 * -q and the plane a_n.x = b_n of maximum compression, the normal impulse is eliminated: over the
 * tangential impulse z
 *     min 1/2 z'Hz - g'z  over  |z| <= p + e.z,
 *     H = T - a a'/A_nn,  g = b_to - a b_n/A_nn,  p = mu b_n/A_nn,  e = -mu a/A_nn,
 * whose set is convex, a Kepler conic with its focus at z = 0: an ellipse (|e| < 1), a parabola, or
 * one branch of a hyperbola, with its vertex on -e.
 *
 * A contact that slides (eq. 8 and the appendix): the stationary directions u are the roots of a
 * quartic in the half-angle tangent. Departure: one root is wanted, it is bracketed, and no other
 * is looked at. From the free minimiser outside the conic the visible part of the boundary is the
 * arc {u : u.free > p + e.free} about the direction of `free`. On it tan(psi) = G / (sqrt(det H) (1
 * - e.u) (u.free - p - e.free)),   G = cross((1 - e.u) g - p H u, u - e), psi being the angle, in
 * the metric of H, between the normal and the line of sight, rises from -inf to +inf: along a
 * convex curve the normal turns one way while the line of sight to an outside point turns the other
 * way. So G, the paper's quartic, has one root there, simple, and it is the minimum. It is found in
 * a homogeneous coordinate that keeps its relative accuracy up to the poles 1 - e.u = 0. Newton's
 * method on the optimality conditions in z, where poles do not matter, then removes what is left of
 * the angle's error.
 *
 * Restitution e moves the plane to (1 + e) b_n and leaves the energy as it is: z = 0 stays
 * feasible, so the energy changes by at most -(1 - e^2) b_n^2/(2 A_nn), never upwards; the paper
 * leaves restitution open.
 *
 * What is rare is left to maxdiss.c: b_n = 0, extreme scales, a slide the polish does not settle at
 * once. Groups of LANES contacts go through stage by stage, a chunk through each stage: the groups
 * of a stage do not wait for each other, which hides the latency of divisions and roots.
 * Internal. */
#ifndef IMP_MAXDISS_LANES_H
#define IMP_MAXDISS_LANES_H

#include "single/maxdiss_batch.h"
#include "single/maxdiss_contact.h"

#include <float.h>

/* The most friction with which a slide is certain: beyond it mu^2 |a|^2 leaves no digit to its
 * rounding. */
static const double MOST_FRICTION = 1e30;

/* The end of the bracket of the root as c^2, s^2, c s; where it is a pole. */
static inline mask bracket_end(const vec e[2], vec p, vec opening, vec distance, vec end[3]) {
    const vec zero = fill(0), one = fill(1);
    /* cos^2 and sin^2 of half the angle at which the boundary goes out of sight, times 2 |free| */
    const vec c2 = larger((one + e[0]) * distance + p, zero),
              s2 = larger((one - e[0]) * distance - p, zero);
    /* the smallest positive root s/c of (1 - e1) - 2 e2 t + (1 + e1) t^2 */
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

/* The conic in the frame whose first axis points at `free`, mirrored (side -1) so that the root has
 * t = tan(angle/2) >= 0. With (1 : t) = (c (k0 + k1) : s k1), k0 and k1 >= 0, t runs from 0 to the
 * end s/c of the bracket: where the boundary goes out of sight, or the pole 1 - e.u = 0 before it.
 * Up to a common positive factor everything is then a form in k0, k1: z = p v/D with forms (k0^2,
 * k0 k1, k1^2), D[2] = 0 exactly at a pole, and G (k0^4 .. k1^4), negative at (1, 0), not negative
 * at (0, 1). aligned: the root is t = 0, to rounding. */
static inline void find_arc(contact *c) {
    const vec zero = fill(0), one = fill(1), two = fill(2), p = c->p;
    const vec distance = root(c->free[0] * c->free[0] + c->free[1] * c->free[1]);
    const vec cosine = c->free[0] / distance, sine = c->free[1] / distance;
    const vec cs = cosine * sine, cc = cosine * cosine, ss = sine * sine;
    const vec H0 = cc * c->H[0] + two * cs * c->H[1] + ss * c->H[2];
    const vec H1 = cs * (c->H[2] - c->H[0]) + (cc - ss) * c->H[1];
    const vec H2 = ss * c->H[0] - two * cs * c->H[1] + cc * c->H[2];
    const vec g0 = cosine * c->g[0] + sine * c->g[1], g1 = cosine * c->g[1] - sine * c->g[0];
    const vec e0 = cosine * c->e[0] + sine * c->e[1], e1 = cosine * c->e[1] - sine * c->e[0],
              D0 = one - e0;
    const vec F1 = D0 * g0 - p * H0, F2 = D0 * g1 - p * H1, across = -F1 * e1 - F2 * D0;
    const vec size = D0 * (size_of(g0) + size_of(g1)) + p * (H0 + H2);
    c->aligned = at_most(size_of(across), fill(0x1p-51) * size * (D0 + size_of(e1)));
    c->axis[0] = cosine, c->axis[1] = sine;
    const vec side = choose(less(zero, across), -one, one);
    const vec H[3] = {H0, H1 * side, H2}, g[2] = {g0, g1 * side}, e[2] = {e0, e1 * side};
    vec end[3];
    const mask pole = bracket_end(e, p, c->opening, distance, end);
    const vec c2 = end[0], s2 = end[1], sc = end[2], length[3] = {c2, two * c2, c2 + s2};
    const vec v[2][3] = {{c2, two * c2, c2 - s2}, {zero, two * sc, two * sc}};
    const vec D[3] = {D0 * c2, two * (D0 * c2 - e[1] * sc),
                      choose(pole, zero, D0 * c2 - two * e[1] * sc + (one + e0) * s2)};
    vec N[2][3], F[2][3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 2; i++) {
            c->v[i][k] = v[i][k];
            N[i][k] = v[i][k] - e[i] * length[k];
            F[i][k] = D[k] * g[i] - p * (H[i] * v[0][k] + H[i + 1] * v[1][k]);
        }
        c->D[k] = D[k];
    }
    c->side = side;
    c->G[0] = F[0][0] * N[1][0] - F[1][0] * N[0][0];
    c->G[1] = (F[0][0] * N[1][1] - F[1][0] * N[0][1]) + (F[0][1] * N[1][0] - F[1][1] * N[0][0]);
    c->G[2] = (F[0][0] * N[1][2] - F[1][0] * N[0][2]) + (F[0][1] * N[1][1] - F[1][1] * N[0][1]) +
              (F[0][2] * N[1][0] - F[1][2] * N[0][0]);
    c->G[3] = (F[0][1] * N[1][2] - F[1][1] * N[0][2]) + (F[0][2] * N[1][1] - F[1][2] * N[0][1]);
    c->G[4] = F[0][2] * N[1][2] - F[1][2] * N[0][2];
}

static inline vec form(const vec a[3], vec k0, vec k1) {
    return a[0] * k0 * k0 + a[1] * k0 * k1 + a[2] * k1 * k1;
}

/* Halley's method for the root of G between brackets in y, (k0, k1) = (1, y) or (y, 1), 0 <= y <=
 * 1: its start, */
static inline void begin_root(contact *c) {
    const vec zero = fill(0), one = fill(1);
    const mask far =
        without(less(c->G[0] + c->G[1] + c->G[2] + c->G[3] + c->G[4], zero), c->aligned);
    const vec sign = choose(far, -one, one);
    vec G[5];
    for (int k = 0; k < 5; k++)
        G[k] = sign * choose(far, c->G[4 - k], c->G[k]);
    for (int k = 0; k < 5; k++)
        c->G[k] = G[k];
    const vec y = -G[0] * G[1] / (G[1] * G[1] - G[0] * G[2]);
    c->far = far;
    c->y = choose(c->aligned, zero, choose(both(less(zero, y), less(y, one)), y, fill(0.5)));
    c->low = zero;
    c->high = c->step = one;
    c->active = without(c->slide, c->aligned);
}

/* one step of it, to a step that is so small relative to y; the error left is of the order of its
 * cube; */
static const double COARSE = 3e-3;
enum { MOST_STEPS = 30 }; /* random problems take at most 20 */

static inline void step_root(contact *c) {
    const vec *G = c->G, two = fill(2), three = fill(3), y = c->y, y2 = y * y;
    const vec value = G[0] + y * G[1] + y2 * (G[2] + y * G[3] + y2 * G[4]);
    const vec slope = G[1] + y * two * G[2] + y2 * (three * G[3] + y * fill(4) * G[4]);
    const vec bend = G[2] + y * three * G[3] + y2 * fill(6) * G[4];
    const mask below = less(value, fill(0));
    const vec low = choose(below, y, c->low), high = choose(below, c->high, y);
    const vec steep = slope * slope, bent = value * bend;
    vec next = y - value * slope / (steep - bent);
    const mask inside = both(at_most(low, next), at_most(next, high));
    /* near an extremum of G a step is short, and the root far */
    const mask flat = less(steep, -bent);
    const mask fit = without(without(inside, flat), less(fill(0.5) * c->step, size_of(next - y)));
    if (any(without(c->active, fit))) /* the root may be smaller by orders of magnitude */
        next = choose(fit, next, root(larger(low, fill(1e-3) * high)) * root(high));
    c->low = low;
    c->high = high;
    c->step = size_of(next - y);
    c->y = choose(c->active, next, y);
    c->active = without(c->active, at_most(c->step, fill(COARSE) * c->y));
}

/* and x_to <- the point of the arc it leads to. */
static inline void end_root(contact *c) {
    const vec one = fill(1), k0 = choose(c->far, c->y, one), k1 = choose(c->far, one, c->y);
    const vec per = c->p / form(c->D, k0, k1);
    const vec along = per * form(c->v[0], k0, k1), across = c->side * per * form(c->v[1], k0, k1);
    c->x[1] = c->axis[0] * along - c->axis[1] * across;
    c->x[2] = c->axis[1] * along + c->axis[0] * across;
}

/* The optimality conditions w = lambda N, lambda >= 0, |z| = p + e.z at a point z of the boundary,
 * with w = g - Hz and the outward normal N = z/|z| - e. */
typedef struct conditions {
    vec r, u[2], N[2], NN, w[2];
    vec press;   /* w.N = lambda N.N */
    vec across;  /* cross(N, w) */
    vec outside; /* |z| - p - e.z */
} conditions;

/* At (x, y), where H and p are those of the contact in units of length in which |z| is near 1. */
static inline conditions conditions_at(const contact *c, const vec H[3], vec p, vec x, vec y) {
    conditions k;
    k.r = root(x * x + y * y);
    k.u[0] = x / k.r;
    k.u[1] = y / k.r;
    k.N[0] = k.u[0] - c->e[0];
    k.N[1] = k.u[1] - c->e[1];
    k.NN = k.N[0] * k.N[0] + k.N[1] * k.N[1];
    k.w[0] = c->g[0] - H[0] * x - H[1] * y;
    k.w[1] = c->g[1] - H[1] * x - H[2] * y;
    k.press = k.w[0] * k.N[0] + k.w[1] * k.N[1];
    k.across = k.w[1] * k.N[0] - k.w[0] * k.N[1];
    k.outside = k.r - c->e[0] * x - c->e[1] * y - p;
    return k;
}

/* d <- one step of Newton's method on the conditions; returns its size over |z|. It leaves
 * residuals of the order of its square over |N|, whatever the shape of the conic. */
static inline vec newton_step(const conditions *k, const vec H[3], vec d[2]) {
    const vec press = larger(k->press, fill(0)), *N = k->N, *u = k->u;
    /* (t0, t1): N.N times the Hessian of the Lagrangian, H + (lambda/r)(1 - uu'), applied to the
     * tangent (-N1, N0) */
    const vec bend = press / k->r * (u[0] * N[0] + u[1] * N[1]);
    const vec t0 = k->NN * (H[1] * N[0] - H[0] * N[1]) - bend * u[1];
    const vec t1 = k->NN * (H[2] * N[0] - H[1] * N[1]) + bend * u[0];
    const vec tt = t1 * N[0] - t0 * N[1], tn = t0 * N[0] + t1 * N[1];
    const vec normal = -k->outside / k->NN, tangential = (k->across * k->NN - normal * tn) / tt;
    d[0] = normal * N[0] - tangential * N[1];
    d[1] = normal * N[1] + tangential * N[0];
    return (size_of(d[0]) + size_of(d[1])) / k->r;
}

/* Do the conditions hold to rounding after a step of that size? */
static inline mask settles(const conditions *k, vec step) {
    const vec tiny = fill(1e-24); /* an N.N that may be rounding alone */
    /* one over the last step relative to |z|; for |N| < 1 relative to |z| sqrt(|N|) */
    const vec ratio = step * fill(1e8);
    const mask small = both(at_most(ratio, fill(1)), at_most(ratio * ratio * ratio * ratio, k->NN));
    return both(less(tiny, k->NN), small);
}

/* Up to `most` steps of Newton's method from x_to; slides that do not settle are no longer
 * `slide`. */
static inline void polish(contact *c, int most) {
    const vec unit = binade(larger(size_of(c->x[1]), size_of(c->x[2]))), per = per_binade(unit);
    const vec H[3] = {c->H[0] * unit, c->H[1] * unit, c->H[2] * unit}, p = c->p * per;
    vec x = c->x[1] * per, y = c->x[2] * per;
    mask active = without(c->slide, less(fill(MOST_FRICTION), c->mu));
    mask settled = without(active, active);
    for (int n = 0; n < most && any(active); n++) {
        vec d[2];
        const conditions k = conditions_at(c, H, p, x, y);
        const vec step = newton_step(&k, H, d);
        active = both(active, at_most(step, fill(1)));
        x = choose(active, x + d[0], x);
        y = choose(active, y + d[1], y);
        const mask good = both(active, settles(&k, step));
        settled = either(settled, good);
        active = without(active, good);
    }
    c->slide = settled;
    c->x[1] = x * unit;
    c->x[2] = y * unit;
}

/* x_n on the plane and on the cone. */
static inline vec on_plane(const contact *c) {
    return (c->plane - c->a[0] * c->x[1] - c->a[1] * c->x[2]) * c->per;
}

static inline vec on_cone(const contact *c) {
    /* squares of an impulse that is tiny beside the slip would underflow */
    const vec unit = binade(larger(size_of(c->x[1]), size_of(c->x[2]))), per = per_binade(unit);
    const vec x1 = c->x[1] * per, x2 = c->x[2] * per;
    return root(x1 * x1 + x2 * x2) * unit / c->mu;
}

/* The impulse, but of contacts at rest: x_n from that of the two whose rounding the other can
 * bear. */
static inline void push(contact *c) {
    const vec zero = fill(0), x1 = choose(c->slide, c->x[1], choose(c->stick, c->free[0], zero));
    const vec x2 = choose(c->slide, c->x[2], choose(c->stick, c->free[1], zero));
    const mask open = both(c->slide, less(zero, c->opening));
    c->x[1] = x1, c->x[2] = x2;
    c->x[0] = on_plane(c);
    if (any(open)) c->x[0] = choose(open, on_cone(c), c->x[0]);
}

/* Which lanes have an impulse in range, that the certificate below can judge. */
static inline void accept(contact *c) {
    const vec zero = fill(0), least = fill(0x1p-1000), *x = c->x;
    /* friction too small for these units may be a number in N s */
    const mask smooth = both(c->frictionless, at_most(c->mu, zero));
    const mask pushed = either(either(c->stick, c->slide), smooth);
    c->x[0] = choose(pushed, x[0], zero);
    c->length = root(x[1] * x[1] + x[2] * x[2]);
    const vec pn = size_of(x[0] * c->unit),
              pt = larger(size_of(x[1] * c->unit), size_of(x[2] * c->unit));
    const mask small = less(choose(c->slide, choose(less(pn, pt), pn, pt), larger(pn, pt)), least);
    /* squares that underflow, for the certificate */
    const mask lost = without(c->slide, less(fill(0x1p-450), larger(size_of(x[1]), size_of(x[2]))));
    const mask whole = both(at_most(larger(pn, pt), fill(DBL_MAX)), at_most(zero, x[0]));
    const mask in_range = without(without(whole, small), lost);
    const mask inwards = at_most(zero, c->Ann * x[0] + c->a[0] * x[1] + c->a[1] * x[2]);
    c->done = either(c->separating, both(pushed, both(in_range, inwards)));
}

/* The residuals of imp_law_maxdiss (law_maxdiss.c), from the data and x alone; x_n >= 0 and
 * a_n.x >= 0 are known. */
static inline vec certify(const contact *c) {
    const vec zero = fill(0), one = fill(1), tiny = fill(DBL_MIN), *x = c->x, *a = c->a, *T = c->T,
              length = c->length;
    const vec n0 = c->Ann * x[0], n1 = a[0] * x[1], n2 = a[1] * x[2], ee = c->opening + one;
    const vec normal = n0 + n1 + n2, size = n0 + size_of(n1) + size_of(n2) + size_of(c->b[0]);
    const vec ecc = root(larger(ee, zero)), off = size_of(normal - c->plane);
    const vec restitution = off / (size + c->plane);
    const vec limit = c->mu * x[0], gap = length - limit,
              wide = size_of(gap) / larger(larger(limit, length), tiny);

    const vec shift = (c->b[0] - c->plane) * c->per, s0 = a[0] * shift, s1 = a[1] * shift;
    const vec t0 = a[0] * x[0], t1 = T[0] * x[1], t2 = T[1] * x[2], o0 = a[1] * x[0],
              o1 = T[1] * x[1], o2 = T[2] * x[2];
    const vec slip0 = t0 + t1 + t2 - c->b[1] + s0, slip1 = o0 + o1 + o2 - c->b[2] + s1;
    const vec size0 = size_of(t0) + size_of(t1) + size_of(t2) + size_of(c->b[1]) + size_of(s0);
    const vec size1 = size_of(o0) + size_of(o1) + size_of(o2) + size_of(c->b[2]) + size_of(s1);
    /* N in units of 1/|x_to| */
    const vec N0 = x[1] - c->e[0] * length, N1 = x[2] - c->e[1] * length,
              sN = slip0 * N0 + slip1 * N1;
    const vec lambda = choose(c->slide, larger(-sN / larger(N0 * N0 + N1 * N1, tiny), zero), zero);
    const vec R0 = slip0 + lambda * N0, R1 = slip1 + lambda * N1,
              press = lambda * length * (one + ecc);
    const vec whole = larger(larger(size0 * size0 + size1 * size1, press * press), tiny);
    const vec stationarity = root((R0 * R0 + R1 * R1) / whole);
    const vec cone = choose(less(zero, gap), wide, zero);
    const vec inner = choose(both(less(gap, zero), less(zero, lambda)), wide, zero);
    const vec slides = choose(c->frictionless, zero, stationarity + inner);
    return choose(c->separating, zero, larger(larger(restitution, cone), slides));
}

enum { GROUPS = IMP_MAXDISS_CHUNK / LANES };

static inline bool step_group(void *groups, size_t i) {
    contact *c = (contact *)groups + i;
    step_root(c);
    return any(c->active);
}

/* Solves the chunk from problem `first` on, but for the problems it leaves. */
static inline void solve_chunk(const imp_batch_columns *to, size_t first, int variant,
                               uint64_t *left) {
    contact groups[GROUPS];
    size_t sliding[GROUPS], count = 0;
    (void)variant;
    for (size_t k = 0; k < GROUPS; k++) {
        vec W[6], q[3], mu, e;
        load_data(to, first + k * LANES, W, q, &mu, &e);
        reduce(W, q, mu, e, &groups[k]);
        classify(&groups[k]);
    }
    for (size_t k = 0; k < GROUPS; k++) {
        sliding[count] = k;
        count += any(groups[k].slide);
    }
    for (size_t k = 0; k < count; k++) {
        find_arc(&groups[sliding[k]]);
        begin_root(&groups[sliding[k]]);
    }
    step_groups(groups, step_group, sliding, count, MOST_STEPS);
    for (size_t k = 0; k < count; k++) {
        end_root(&groups[sliding[k]]);
        polish(&groups[sliding[k]], 3);
    }
    for (size_t k = 0; k < GROUPS; k++) {
        contact *c = &groups[k];
        const size_t i = first + k * LANES;
        push(c);
        accept(c);
        const vec residual = certify(c);
        /* no number where a square in it is beyond double */
        c->done = both(c->done, at_most(residual, fill(DBL_MAX)));
        for (int j = 0; j < 3; j++)
            store(to->p[j] + i, c->x[j] * c->unit, c->done);
        store(to->residual + i, residual, c->done);
        leave(left, k, c->done);
    }
}

#endif
