/* maxdiss_contact.h - LANES contacts as maximum dissipation sees them: their data in units of their
 * own, the reduced form, and of which kind each is; for maxdiss_lanes.h, whose equations these are.
 * Internal. */
#ifndef IMP_MAXDISS_CONTACT_H
#define IMP_MAXDISS_CONTACT_H

#include "single/batch_lanes.h"

#include <float.h>

/* A normal velocity below it, in the units of `reduce`, has lost digits beside the slip. */
#define LOST 0x1p-1000

/* LANES contacts, in units of powers of two: trace(T) in [1, 2), largest |q| near 2^200, with room
 * below it for a q_n that is denormal in comparison. They are exact: an answer does not depend on
 * its units. */
typedef struct contact {
    /* the data; b[0] the closing velocity, per = 1/A_nn */
    vec Ann, a[2], T[3], per, b[3], mu, plane;
    /* the reduced form, (tt to oo) and (t o); e the eccentricity vector */
    vec H[3], g[2], e[2], p;
    vec opening, free[2];                   /* |e|^2 - 1; the free minimiser H^-1 g */
    vec unit;                               /* an impulse in N s is that many scaled ones */
    vec axis[2], side, v[2][3], D[3], G[5]; /* the visible arc */
    vec y, low, high, step;                 /* the search on it */
    vec x[3], length;                       /* the impulse, |x_to| */
    mask aligned, far, active;
    mask good; /* data and scales can be taken */
    /* none of four: at rest; done: the answer is in x */
    mask separating, frictionless, stick, slide, done;
} contact;

/* The contacts, scaled, and their reduced form. */
static inline void reduce(const vec W[6], const vec q[3], vec mu, vec e, contact *c) {
    const vec zero = fill(0), one = fill(1), W_binade = binade(W[3] + W[5]);
    const vec q_size = larger(size_of(q[0]), larger(size_of(q[1]), size_of(q[2])));
    const vec q_binade = binade(larger(fill(0x1p-200) * q_size, fill(0x1p-600)));
    const vec W_unit = per_binade(W_binade), q_unit = per_binade(q_binade);
    const vec Ann = W[0] * W_unit, a0 = W[1] * W_unit, a1 = W[2] * W_unit, per = one / Ann;
    const vec T0 = W[3] * W_unit, T1 = W[4] * W_unit, T2 = W[5] * W_unit, c0 = W[1] / W[0],
              c1 = W[2] / W[0];
    const vec H0 = T0 - a0 * c0, H1 = T1 - a0 * c1, H2 = T2 - a1 * c1, det = H0 * H2 - H1 * H1;
    const vec b0 = -q[0] * q_unit, b1 = -q[1] * q_unit, b2 = -q[2] * q_unit, plane = (one + e) * b0;
    const vec g0 = b1 - c0 * b0, g1 = b2 - c1 * b0, e0 = -mu * c0, e1 = -mu * c1;
    const vec m0 = mu * a0, m1 = mu * a1, p = mu * plane * per;
    c->Ann = Ann, c->per = per, c->mu = mu, c->plane = plane, c->unit = q_binade * W_unit;
    c->a[0] = a0, c->a[1] = a1, c->T[0] = T0, c->T[1] = T1, c->T[2] = T2;
    c->b[0] = b0, c->b[1] = b1, c->b[2] = b2, c->H[0] = H0, c->H[1] = H1, c->H[2] = H2;
    c->g[0] = g0, c->g[1] = g1, c->e[0] = e0, c->e[1] = e1, c->p = p;
    c->opening = (m0 * m0 + m1 * m1 - Ann * Ann) * per * per;
    const mask positive = both(both(less(zero, Ann), less(zero, larger(H0, H2))), less(zero, det));
    const mask scales =
        both(between(0x1p-400, W_binade, 0x1p400), at_most(q_binade, fill(0x1p600)));
    c->good = both(both(good_data(W, q, mu, e), positive), scales);
    c->separating = both(c->good, less(plane, zero));
}

/* The free minimiser of those that close, by which they are told apart. */
static inline void classify(contact *c) {
    const vec zero = fill(0), *H = c->H, *g = c->g, p = c->p;
    /* Cramer's rule for one entry, then the row of the larger diagonal entry for the other:
     * backward stable, and only one division waits for another */
    const mask swap = less(H[0], H[2]);
    const vec d0 = choose(swap, H[2], H[0]), first = choose(swap, g[1], g[0]),
              second = choose(swap, g[0], g[1]);
    const vec v = (d0 * second - H[1] * first) / (H[0] * H[2] - H[1] * H[1]),
              u = (first - H[1] * v) * (fill(1) / d0);
    const vec z0 = choose(swap, v, u), z1 = choose(swap, u, v);
    const vec within = p + c->e[0] * z0 + c->e[1] * z1;
    vec zz = z0 * z0 + z1 * z1, square = within * within;
    const mask faint = less(larger(zz, square), fill(0x1p-600));
    if (any(faint)) { /* squares that underflow; by a power of two */
        const vec up = choose(faint, fill(0x1p500), fill(1)), y0 = up * z0, y1 = up * z1;
        zz = y0 * y0 + y1 * y1;
        square = (up * within) * (up * within);
    }
    const mask sticks =
        both(both(at_most(zero, within), at_most(zz, square)), at_most(zz, fill(DBL_MAX)));
    const mask closing = without(c->good, c->separating), moving = less(fill(LOST), c->plane);
    /* p = 0: the friction is below the smallest double in these units, and turns no slip */
    c->frictionless = both(closing, either(at_most(c->mu, zero), both(moving, at_most(p, zero))));
    const mask rough = without(closing, c->frictionless), slips = without(rough, sticks);
    c->stick = both(rough, sticks);
    c->slide = both(slips, moving);
    c->free[0] = z0, c->free[1] = z1;
    c->x[1] = c->x[2] = zero;
}

#endif
