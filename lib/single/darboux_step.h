/* darboux_step.h - one Taylor step of LANES slips, to its end or to the first event in it.
 *
 * The series of darboux_series.c. Every quantity of the events is a polynomial in s here, the work
 * of the normal impulse too (the product of u_z and p_z'), so that there is one way to find a root.
 * The step's certificate is how far the polynomials are from the differential equation at its end,
 * where what was truncated is largest. Internal. */
#ifndef IMP_DARBOUX_STEP_H
#define IMP_DARBOUX_STEP_H

#include "single/darboux_lanes.h"

/* Orders of the motion and of the work, whose coefficients are products. */
enum { WORK_ORDER = 30, TILE = 5, MOST_STEPS = 60, MOST_TRIES = 60 };

typedef struct series {
    rates k; /* in the unit of s */
    vec r, push, mub2, K33;
    vec x[ORDER + 1], y[ORDER + 1], d[ORDER + 1]; /* v = r (x, y), |v| = r (x + d) */
    vec uz[WORK_ORDER + 1];                       /* 0 above ORDER, for Stronge */
    vec gain[WORK_ORDER + 1]; /* of work (Stronge) or p_z (Poisson), as far as their orders go */
    vec power[WORK_ORDER];    /* u_z p_z' (Stronge) */
} series;

/* (floor / size)^(1/order), to 7 per cent: the upper bits of a double are its logarithm. */
static inline vec root_of_ratio(vec floor, vec size, double order) {
    return from_high_half(fill(0x3ff00000) +
                          (high_half(floor) - high_half(size)) * fill(1 / order));
}

static STAGE void expand(series *S) {
    taylor(&S->k, S->x, S->y, S->d);
}

/* u_z and what the law is about. */
static STAGE void integrate(series *S, vec uz, imp_darboux_law law) {
    vec pace[ORDER + 1];
    S->uz[0] = uz;
    S->gain[0] = fill(0);
    for (int k = 0; k < ORDER; k++) {
        const vec x = S->x[k], d = S->d[k], rise = S->k.h * x - S->mub2 * S->y[k] + S->K33 * d;
        S->uz[k + 1] = S->r * rise * fill(reciprocal[k + 1]);
        if (law == IMP_POISSON) S->gain[k + 1] = S->push * (x + d) * fill(reciprocal[k + 1]);
    }
    if (law != IMP_STRONGE) return;
    for (int k = ORDER + 1; k <= WORK_ORDER; k++)
        S->uz[k] = fill(0);
    for (int k = 0; k <= ORDER; k++)
        pace[k] = S->push * (S->x[k] + S->d[k]);
    /* so many sums at once share what they load */
    FLAT for (int first = 0; first < WORK_ORDER; first += TILE) {
        vec sum[TILE];
        FLAT for (int j = 0; j < TILE; j++) sum[j] = fill(0);
        FLAT for (int i = 0; i <= ORDER; i++) FLAT for (int j = 0; j < TILE; j++) {
            const int other = first + j - i;
            if (other >= 0 && other <= ORDER) sum[j] = sum[j] + S->uz[i] * pace[other];
        }
        FLAT for (int j = 0; j < TILE; j++) {
            S->power[first + j] = sum[j];
            S->gain[first + j + 1] = sum[j] * fill(reciprocal[first + j + 1]);
        }
    }
}

/* F(s): four sums side by side, since one operation need not wait for another there. */
static inline vec at(const vec *F, int order, vec s) {
    const vec ss = s * s, step = ss * ss;
    vec sum[4] = {F[order], F[order - 1], F[order - 2], F[order - 3]};
    int k = order - 4;
    for (; k >= 3; k -= 4)
        for (int j = 0; j < 4; j++)
            sum[j] = sum[j] * step + F[k - j];
    vec tail = (sum[0] * s + sum[1]) * ss + (sum[2] * s + sum[3]);
    for (; k >= 0; k--)
        tail = tail * s + F[k];
    return tail;
}

/* The same of the integral of F from 0, to the order ORDER, a multiple of 4. */
static inline vec integral_at(const vec *F, vec s) {
    const vec ss = s * s, step = ss * ss;
    vec sum[4];
    for (int j = 0; j < 4; j++)
        sum[j] = F[ORDER - 1 - j] * fill(reciprocal[ORDER - j]);
    for (int k = ORDER - 4; k >= 4; k -= 4)
        for (int j = 0; j < 4; j++)
            sum[j] = sum[j] * step + F[k - 1 - j] * fill(reciprocal[k - j]);
    return ((sum[0] * s + sum[1]) * ss + (sum[2] * s + sum[3])) * s;
}

typedef struct jet {
    vec value, slope, bend; /* F, F', F''/2 */
} jet;

/* The same with derivatives, for an even order: F = E(s^2) + s O(s^2). */
static inline jet jet_at(const vec *F, int order, vec s) {
    const vec ss = s * s, zero = fill(0), two = fill(2), three = fill(3), four = fill(4);
    vec E[3] = {F[order], zero, zero}, O[3] = {zero, zero, zero};
    for (int k = order - 1; k > 0; k -= 2) {
        O[2] = O[2] * ss + O[1];
        O[1] = O[1] * ss + O[0];
        O[0] = O[0] * ss + F[k];
        E[2] = E[2] * ss + E[1];
        E[1] = E[1] * ss + E[0];
        E[0] = E[0] * ss + F[k - 1];
    }
    return (jet){E[0] + s * O[0], O[0] + two * (s * E[1] + ss * O[1]),
                 E[1] + three * s * O[1] + four * ss * (E[2] + s * O[2])};
}

/* How far the series reach: the last terms are 1e-16 of the velocity, more of a slip so small that
 * all of its impulse is less than rounding; y counts relative to the turning rate, so that a
 * direction close beside a repelling ray keeps its distance. */
static inline vec reach(const collision *c, imp_darboux_law law, const series *S, vec g) {
    const vec one = fill(1), speed = size_of(g), turn = size_of(S->k.f);
    const vec small = fill(0.1) * smaller(speed * c->least, -c->q[2]);
    const vec loose = choose(less(c->r, small), smaller(small / c->r, fill(1e12)), one);
    const vec weight = choose(less(one, loose * turn), one / turn, loose),
              floor = fill(1e-16) * loose;
    vec length = fill(1e10);
    if (law == IMP_STRONGE) /* the work has twice the exponents */
        length = smaller(length, fill(1.6) / size_of(S->k.g) * root_of_ratio(loose, one, 16));
    for (int k = ORDER - 1; k <= ORDER; k++) {
        const vec last =
            larger(larger(size_of(S->x[k]), size_of(S->d[k])), weight * size_of(S->y[k]));
        length = smaller(length, root_of_ratio(floor, last, k));
    }
    return length;
}

static inline vec begin(const collision *c, imp_darboux_law law, series *S) {
    const vec unit = fill(1) / c->scale; /* of s: all rates are at most 1 */
    const rates k = rates_of(c, c->w);
    S->k = rates_in(&k, unit);
    S->r = c->r;
    S->push = c->r * unit;
    S->K33 = c->K33 * unit;
    S->mub2 = c->mu * S->k.b2;
    expand(S);
    integrate(S, c->uz, law);
    return reach(c, law, S, k.g);
}

/* ---- events ---- */

/* Where F, which rises to `end` at s = length, reaches the target; Halley steps in a bracket, as in
 * darboux_stretch.c: from a relative error of `enough` on one more leaves its cube. Lanes elsewhere
 * keep the length. */
static STAGE vec find_root(const vec *F, int order, vec length, vec end, vec target, double enough,
                           mask where) {
    const vec zero = fill(0), half = fill(0.5), one = fill(1), missing = target - F[0];
    vec s = parabola(missing, F[1], end - F[0], length), low = zero, high = length,
        result = choose(where, zero, length);
    mask active = both(where, less(zero, missing));
    for (int i = 0; i < MOST_TRIES && any(active); i++) {
        const vec middle = half * (low + high);
        s = choose(both(less(low, s), less(s, high)), s, middle);
        const jet now = jet_at(F, order, s);
        const vec error = now.value - target, newton = error / now.slope,
                  curve = newton * now.bend / now.slope;
        const mask below = less(error, zero);
        low = choose(below, s, low);
        high = choose(below, high, s);
        const vec next = s - newton / (one - curve), least = fill(enough);
        const mask small =
            both(at_most(size_of(error), least * missing), at_most(size_of(curve), least));
        const mask stays =
            either(at_most(size_of(error), zero), at_most(size_of(next - s), fill(1e-15) * s));
        const mask fine = both(small, both(less(low, next), less(next, high)));
        result = choose(active, choose(without(fine, stays), next, s), result);
        active = without(active, either(stays, fine));
        s = next;
    }
    return result;
}

/* The length up to the next direction in which h changes sign: u_z is monotone to there. Directions
 * turn by less than 53 degrees, so that "ahead" has a meaning. */
static STAGE vec before_turn(const collision *c, const series *S, vec length) {
    const vec zero = fill(0), half = fill(0.5),
              side = choose(less(zero, S->k.f), fill(1), fill(-1));
    const mask turns = less(zero, c->turn[0][0] * c->turn[0][0] + c->turn[0][1] * c->turn[0][1]),
               turning = both(turns, is_place(c, SLIDES));
    if (!any(turning)) return length;
    vec x = at(S->x, ORDER, length), y = at(S->y, ORDER, length);
    for (int i = 0; i < MOST_TRIES; i++) { /* cosine below 0.6: slope of y/x above 4/3 */
        const mask far = both(turning, less(fill(3) * x, fill(4) * size_of(y)));
        if (!any(far)) break;
        length = choose(far, half * length, length);
        x = at(S->x, ORDER, length);
        y = at(S->y, ORDER, length);
    }
    vec across = zero, along = fill(-1); /* of the nearer one ahead */
    for (int i = 0; i < 2; i++) {
        const vec *w = c->w, *d = c->turn[i], cosine = d[0] * w[0] + d[1] * w[1];
        /* below 1e-9 u_z has no turn beyond rounding */
        const vec sine = side * (d[1] * w[0] - d[0] * w[1]);
        const mask ahead = both(less(zero, cosine), less(fill(1e-9), sine));
        const mask nearer = either(less(along, zero), less(sine * along, across * cosine));
        across = choose(both(ahead, nearer), sine, across);
        along = choose(both(ahead, nearer), cosine, along);
    }
    const mask passed = both(turning, both(less(zero, along), less(across * x, along * side * y)));
    if (!any(passed)) return length;
    vec F[ORDER + 1];
    along = side * along;
    for (int k = 0; k <= ORDER; k++)
        F[k] = along * S->y[k] - across * S->x[k];
    /* 1e-12 of s is far below rounding of u_z, which is extreme there */
    return find_root(F, ORDER, length, at(F, ORDER, length), zero, 1e-4, passed);
}

typedef struct event {
    vec s;
    mask crosses, stops; /* u_z = 0; the law's end */
} event;

static STAGE event first_event(const collision *c, imp_darboux_law law, const series *S,
                               vec length) {
    const vec zero = fill(0), goal = goal_of(c, law), own = own_quantity(c, law);
    const vec *gain = law == IMP_NEWTON ? S->uz : S->gain;
    vec target = goal - own;
    if (law == IMP_NEWTON) target = goal;
    int order = law == IMP_STRONGE ? WORK_ORDER : ORDER;
    const mask slides = is_place(c, SLIDES), open = both(slides, less(zero, c->opening));
    const vec end = at(S->uz, ORDER, length);
    const mask rises = both(without(slides, open), less(zero, end)),
               falls = both(open, less(end, zero));
    vec F[WORK_ORDER + 1];
    mask down = without(falls, falls);
    if (any(falls)) {
        for (int k = 0; k <= ORDER; k++)
            F[k] = -S->uz[k];
        length = find_root(F, ORDER, length, -end, zero, 1e-5, falls);
        down = both(falls, less(at(gain, order, length), target));
    }
    const vec gained = at(gain, order, length);
    const mask stops = both(without(open, down), at_most(target, gained)),
               sought = either(rises, stops);
    if (any(sought)) {
        order = any(stops) ? order : ORDER; /* u_z has no more */
        for (int k = 0; k <= order; k++)
            F[k] = choose(open, gain[k], S->uz[k]);
        length = find_root(F, order, length, choose(open, gained, end), choose(open, target, zero),
                           1e-5, sought);
    }
    return (event){length, either(rises, down), stops};
}

/* ---- the step ---- */

/* How far the polynomials are at s from v' = .., p' = .. and W' = u_z p_z', times s. */
static inline void certify_step(collision *c, imp_darboux_law law, const series *S, vec s, vec x,
                                vec y, vec speed, vec uz, mask where) {
    const vec zero = fill(0), d = y * y / (speed + x);
    const vec X1 = at(S->x, ORDER - 1, s), Y1 = at(S->y, ORDER - 1, s), D1 = at(S->d, ORDER - 1, s);
    const vec off = S->push * s * (size_of(X1 - x) + size_of(Y1 - y) + size_of(D1 - d));
    c->path_off = c->path_off + choose(where, off, zero);
    if (law != IMP_STRONGE) return;
    const vec rate = at(S->power, WORK_ORDER - 1, s);
    /* what it does to W_d + e^2 W_c */
    const vec weight = choose(less(zero, c->opening), fill(1), c->e * c->e);
    c->work_off =
        c->work_off + choose(where, weight * s * size_of(rate - uz * S->push * speed), zero);
}

/* One step of the lanes that slide. */
static inline void step(collision *c, imp_darboux_law law) {
    series S;
    const vec zero = fill(0), one = fill(1), most = fill(MOST_STEPS), reached = begin(c, law, &S);
    const mask slides = is_place(c, SLIDES);
    const event e = first_event(c, law, &S, before_turn(c, &S, reached));
    const vec s = e.s, X = integral_at(S.x, s), Y = integral_at(S.y, s), D = integral_at(S.d, s);
    const rates *k = &S.k;
    const vec x = one + (k->g * X - k->A12 * Y + k->b1 * D), y = k->f * X - k->A22 * Y + k->b2 * D;
    const vec speed = root(x * x + y * y), over = one / speed, cosine = x * over, sine = y * over;
    const vec uz = c->uz + S.r * (k->h * X - S.mub2 * Y + S.K33 * D), friction = c->mu * S.push;
    const vec w[2] = {c->w[0], c->w[1]};
    certify_step(c, law, &S, s, x, y, speed, uz, slides);
    add_to_phase(c, c->impulse, S.push * (X + D), slides);
    if (law == IMP_STRONGE) add_to_phase(c, c->work, at(S.gain, WORK_ORDER, s), slides);
    c->r = choose(slides, S.r * speed, c->r);
    c->w[0] = choose(slides, w[0] * cosine - w[1] * sine, w[0]);
    c->w[1] = choose(slides, w[1] * cosine + w[0] * sine, w[1]);
    c->pt[0] = c->pt[0] - choose(slides, friction * (w[0] * X - w[1] * Y), zero);
    c->pt[1] = c->pt[1] - choose(slides, friction * (w[1] * X + w[0] * Y), zero);
    c->uz = choose(slides, uz, c->uz);
    c->steps = c->steps + choose(slides, one, zero);
    cross(c, law, both(slides, e.crosses));
    const vec place = choose(is_place(c, ENDED), fill(ENDED), place_of_slip(c, law));
    c->place = choose(slides, choose(less(c->steps, most), place, fill(LEFT)), c->place);
    c->place = choose(both(slides, e.stops), fill(ENDED), c->place);
}

#endif
