/* darboux_lanes.h - LANES collisions of the Darboux-Keller process at once: the problem, the state,
 * the slip's rates.
 *
 * The process, its units and its letters are those of darboux_process.h, in fewer kinds of motion:
 * Taylor steps (no series along the rays), each of which ends at the first event in it; straight
 * stretches along a ray, in stick and without friction. What is a branch there is a choice between
 * lanes here, so that no lane knows of its neighbours. Internal. */
#ifndef IMP_DARBOUX_LANES_H
#define IMP_DARBOUX_LANES_H

/* Of the Taylor series, even: a step costs more here than its coefficients. */
enum { ORDER = 24 };

#include "single/batch_lanes.h"
#include "single/darboux_batch.h"
#include "single/darboux_slip.h"

/* Kept a function of its own: inlined into each other, the compiler runs out of registers for the
 * large ones. */
#define STAGE __attribute__((noinline))

/* Where a collision is in its process. */
enum { SLIDES, NEAR_RAY, ON_RAY, AT_ORIGIN, ENDED, LEFT };

/* LANES collisions; all fields are vectors. */
typedef struct collision {
    /* the problem, in units of powers of two in which the largest of K and -u_z are in [1, 2) */
    vec M[3], b[2], K33, mu, e, q[3]; /* q: (t, o, n) */
    vec scale, least;                 /* mu trace(M) + |b|; p_z before u_z = 0, at least */
    vec turn[2][2];                   /* directions in which h changes sign, 0 if there are none */
    vec unit;                         /* an impulse in N s is that many scaled ones */
    /* the state */
    /* patience: how near (angle) a ray must be to try a jump along it */
    vec place, steps, patience;
    vec r, w[2], uz, pt[2], opening; /* opening: 1 in decompression, 0 in compression */
    vec impulse[2], work[2];         /* normal, of compression and decompression */
    /* for the certificate: sums of what steps are off by, and the most by which a decompression
     * passed its goal */
    vec path_off, work_off, late;
} collision;

static inline mask is_place(const collision *c, int place) {
    return both(at_most(fill(place), c->place), at_most(c->place, fill(place)));
}

static inline rates rates_of(const collision *c, const vec w[2]) {
    const vec A[3] = {c->mu * c->M[0], c->mu * c->M[1], c->mu * c->M[2]};
    return rates_at(A, c->b, c->K33, c->mu, w);
}

/* The law's own quantity, and its value at which the impact stops. */
static inline vec own_quantity(const collision *c, imp_darboux_law law) {
    return law == IMP_STRONGE ? c->work[1] : law == IMP_POISSON ? c->impulse[1] : c->uz;
}

static inline vec goal_of(const collision *c, imp_darboux_law law) {
    return law == IMP_STRONGE   ? -c->e * c->e * c->work[0]
           : law == IMP_POISSON ? c->e * c->impulse[0]
                                : -c->e * c->q[2];
}

/* Beside a converging ray to which a jump may lead, judged by the present rates: no other ray is
 * near (Rouche's bound), and the origin comes before the next event. */
static inline mask near_ray(const collision *c, imp_darboux_law law, const rates *k) {
    const vec zero = fill(0), half = fill(0.5), t = half * size_of(k->f / k->df);
    const vec q2 = fill(3) * k->A12, q3 = k->A22 - k->A11 - k->b1, q4 = half * (k->A12 + k->b2);
    const vec bend = t * (size_of(q2) + t * (size_of(q3) + t * size_of(q4)));
    const vec pz = -c->r / k->g, uz = c->uz + k->h * pz,
              missing = goal_of(c, law) - own_quantity(c, law);
    vec gain = pz;
    if (law == IMP_STRONGE) gain = half * (c->uz + uz) * pz;
    if (law == IMP_NEWTON) gain = uz - c->uz;
    const mask closed = without(less(uz, zero), less(zero, c->opening));
    const mask opens = both(less(zero, c->opening), both(less(zero, uz), less(gain, missing)));
    const mask alone = both(less(bend, -half * k->df), less(t, half * c->patience));
    return both(both(both(less(k->df, zero), less(k->g, zero)), alone), either(closed, opens));
}

/* Whether the slip goes on, or all that is left before the origin, or beside a ray, is beyond
 * rounding. */
static inline vec place_of_slip(const collision *c, imp_darboux_law law) {
    const rates k = rates_of(c, c->w);
    const vec zero = fill(0), off = size_of(k.f), tiny = fill(1e-17);
    const vec negligible = tiny * larger(c->impulse[0] + c->impulse[1], c->least);
    const vec rubs = fill(1) + c->mu; /* p_n that is left before the origin, and its friction */
    /* of friction so far, which answers are held to 1e-9 of (darboux_law.c) */
    const vec little = fill(DBL_MIN) + fill(1e-12) * larger(size_of(c->pt[0]), size_of(c->pt[1]));
    const mask origin = both(both(less(k.g, zero), at_most(rubs * c->r, -k.g * negligible)),
                             at_most(c->mu * c->r, -k.g * little));
    const mask stays = less(fill(100) * off, -k.df);
    const mask beside = both(stays, at_most(c->r * off, tiny * k.df * c->q[2]));
    const mask ray = either(at_most(off, fill(2 * DBL_EPSILON) * c->scale), beside);
    const vec goes_on = choose(near_ray(c, law, &k), fill(NEAR_RAY), fill(SLIDES));
    return choose(origin, fill(AT_ORIGIN), choose(ray, fill(ON_RAY), goes_on));
}

/* Adds to the work or impulse of the present phase. */
static inline void add_to_phase(const collision *c, vec sum[2], vec gain, mask where) {
    const vec zero = fill(0);
    const mask open = less(zero, c->opening);
    sum[0] = sum[0] + choose(without(where, open), gain, zero);
    sum[1] = sum[1] + choose(both(where, open), gain, zero);
}

/* The next phase where u_z = 0 was reached; the impact ends at the end of a compression without
 * restitution. */
static inline void cross(collision *c, imp_darboux_law law, mask where) {
    const vec zero = fill(0), one = fill(1);
    const mask open = less(zero, c->opening);
    const vec past = own_quantity(c, law) - goal_of(c, law);
    c->late = choose(both(where, open), larger(c->late, past), c->late);
    c->uz = choose(where, zero, c->uz);
    c->opening = choose(where, one - c->opening, c->opening);
    c->patience = choose(where, one, c->patience);
    c->place = choose(without(both(where, at_most(c->e, zero)), open), fill(ENDED), c->place);
}

/* The data of LANES problems from number i on, scaled, and the state they start from. */
static inline void reduce(const imp_batch_columns *from, size_t i, imp_darboux_law law,
                          collision *c) {
    const vec zero = fill(0);
    vec W[6], q[3], mu, e;
    load_data(from, i, W, q, &mu, &e);
    const vec W_binade = binade(larger(W[0], larger(W[3], W[5]))), q_binade = binade(q[0]);
    const vec W_unit = per_binade(W_binade), q_unit = per_binade(q_binade);
    *c = (collision){.K33 = W[0] * W_unit,
                     .mu = mu,
                     .e = e,
                     .unit = q_binade * W_unit,
                     .patience = fill(1),
                     .q[2] = q[0] * q_unit};
    for (int k = 0; k < 3; k++)
        c->M[k] = W[3 + k] * W_unit;
    for (int k = 0; k < 2; k++) {
        c->b[k] = W[1 + k] * W_unit;
        c->q[k] = q[1 + k] * q_unit;
    }
    const vec length = root(c->b[0] * c->b[0] + c->b[1] * c->b[1]);
    c->scale = mu * (c->M[0] + c->M[2]) + length;
    c->least = -c->q[2] / (c->K33 + mu * length);
    (void)find_turns(c->b, length, c->K33, mu, c->turn);
    c->uz = c->q[2];
    c->r = root(c->q[0] * c->q[0] + c->q[1] * c->q[1]);
    const mask rubs = less(zero, mu), slips = both(rubs, less(zero, c->r));
    for (int k = 0; k < 2; k++)
        c->w[k] = choose(slips, c->q[k] / c->r, zero);

    const vec l1 = c->b[0] / c->K33, l2 = c->b[1] / c->K33, d = c->M[0] - l1 * c->b[0],
              s = c->M[1] - l2 * c->b[0];
    const mask positive = both(both(less(zero, c->K33), less(zero, d)),
                               less(zero, c->M[2] - l2 * c->b[1] - s / d * s));
    const mask W_range = between(0x1p-500, W_binade, 0x1p500),
               q_range = between(0x1p-500, q_binade, 0x1p500);
    const mask ranges =
        both(both(W_range, q_range), both(at_most(c->r, fill(0x1p100)), at_most(mu, fill(0x1p20))));
    const mask faint =
        both(less(c->r, fill(0x1p-400)), less(zero, larger(size_of(q[1]), size_of(q[2]))));
    const mask good = without(both(good_data(W, q, mu, e), both(positive, ranges)), faint);
    c->place = choose(slips, place_of_slip(c, law), choose(rubs, fill(AT_ORIGIN), fill(ON_RAY)));
    c->place = choose(less(q[0], zero), c->place, fill(ENDED));
    c->place = choose(good, c->place, fill(LEFT));
}

#endif
