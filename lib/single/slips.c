/* slips.c - how many zeros phi = L - f |y| has on k > 0, proved by its shape, and where they are.
 *
 * Why the count can be proved: (f |y|)'' = turn / |y|^3 > 0 falls as k grows and L'' is constant,
 * so phi' is convex on k >= 0. With b_n < 0 (q_n > 0) phi is concave: at most 2 zeros. With b_n > 0
 * phi may rise, fall and rise again: at most 3 zeros. Whether it falls at all, and whether the top
 * and the bottom lie on different sides of zero, is decided by bounds that convexity makes
 * rigorous; a sign that plain double cannot give is taken in double-double. The argument is ours;
 * the paper finds several solutions by example (section 4.1). */
#include "single/slips.h"

typedef enum verdict {
    NO,
    YES,
    TOUCHING
    /* TOUCHING: closer than double-double can tell */
} verdict;

/* phi with derivatives at k, and what rounding may have done to value and slope. */
typedef struct sample {
    double k, value, slope, bend, noise, slack;
} sample;

enum { STEPS = 200 }; /* where rounding keeps a bracket from closing, at most so many */

/* A power of two that keeps |w + k g|^2 in range. */
static double fit(double k) {
    return k > 0x1p300 ? 0x1p-600 : 1;
}

static double rounding(const imp_slips *c, double k) {
    return (c->curve.noise[2] * k + c->curve.noise[1]) * k + c->curve.noise[0];
}

static sample at(const imp_slips *c, double k) {
    const double scale = fit(k), P = c->curve.square.hi, l = c->curve.linear.hi, Pk = P * k;
    const double y[2] = {(c->curve.w[0].hi + k * c->curve.g[0].hi) * scale,
                         (c->curve.w[1].hi + k * c->curve.g[1].hi) * scale};
    const double length = sqrt(y[0] * y[0] + y[1] * y[1]), size = length / scale,
                 drag = c->f * size;
    const double along = c->f * ((y[0] * c->curve.g[0].hi + y[1] * c->curve.g[1].hi) / length);
    /* |w| + k |g| <= sqrt(2) |y| */
    const double terms = (fabs(Pk) + fabs(l)) * k + fabs(c->curve.constant.hi) + drag;
    return (sample){.k = k,
                    .value = (Pk + l) * k + c->curve.constant.hi - drag,
                    .slope = 2 * Pk + l - along,
                    .bend = 2 * P - c->turn / size / size / size,
                    .noise = 0x1p-49 * terms + rounding(c, k),
                    .slack = 0x1p-49 * (2 * fabs(Pk) + fabs(l) + c->ends[1]) +
                             2 * c->curve.noise[2] * k + c->curve.noise[1]};
}

/* The same with value and slope from double-double, rounded to double at the end. */
static sample exactly_at(const imp_slips *c, double k) {
    const double scale = fit(k);
    const dd y[2] = {dd_shift(dd_add(c->curve.w[0], dd_times(c->curve.g[0], k)), scale),
                     dd_shift(dd_add(c->curve.w[1], dd_times(c->curve.g[1], k)), scale)};
    const dd length = dd_sqrt(dd_dot(y, y)),
             along = dd_times(dd_div(dd_dot(y, c->curve.g), length), c->f);
    const dd Pk = dd_times(c->curve.square, k), drag = dd_shift(dd_times(length, c->f), 1 / scale);
    sample x = at(c, k);
    x.value = dd_sub(dd_add(dd_times(dd_add(Pk, c->curve.linear), k), c->curve.constant), drag).hi;
    x.slope = dd_sub(dd_add(dd_shift(Pk, 2), c->curve.linear), along).hi;
    x.noise = rounding(c, k);
    x.slack = 2 * c->curve.noise[2] * k + c->curve.noise[1] + c->ends[1] * (x.noise / drag.hi);
    return x;
}

/* The same in double-double only where the sign of the value would be in doubt. */
static sample certain(const imp_slips *c, double k) {
    const sample x = at(c, k);
    return fabs(x.value) <= x.noise ? exactly_at(c, k) : x;
}

/* Is the bound on rounding no small part of what phi(0) is the rest of, as where entries of W are
 * 1e30 apart? What is below it is no tie then. */
static bool vague(const imp_slips *c, sample zero) {
    const double plane = c->curve.square.hi * c->curve.det.hi,
                 terms = fabs(plane) + fabs(plane - c->curve.constant.hi) + c->ends[0];
    return fabs(zero.value) <= zero.noise && zero.noise > 0x1p-40 * terms;
}

int imp_slip_start(const imp_slips *c) {
    const sample x = certain(c, 0);
    const double noise = vague(c, x) ? 0 : x.noise;
    return (x.value > noise) - (x.value < -noise);
}

void imp_slips_complete(imp_slips *c) {
    const dd g = dd_sqrt(dd_dot(c->curve.g, c->curve.g));
    const double X = dd_cross(c->curve.g, c->curve.w).hi;
    c->ends[0] =
        c->f * sqrt(c->curve.w[0].hi * c->curve.w[0].hi + c->curve.w[1].hi * c->curve.w[1].hi);
    c->ends[1] = c->f * g.hi;
    c->rise = dd_sub(c->curve.linear, dd_times(g, c->f)).hi;
    c->turn = c->f * X * X;
}

/* f |y| lies above its asymptote, so that phi <= P k^2 + rise k + limit, and below the parallel
 * through f |w|, so that phi >= P k^2 + rise k + phi(0). */
static double limit(const imp_slips *c) {
    return c->curve.constant.hi -
           c->f * c->f *
               (c->curve.w[0].hi * c->curve.g[0].hi + c->curve.w[1].hi * c->curve.g[1].hi) /
               c->ends[1];
}

static double limit_noise(const imp_slips *c) {
    return 0x1p-49 * (fabs(c->curve.constant.hi) + c->ends[0]) + c->curve.noise[0];
}

/* No zero of phi lies beyond: the larger root of that parabola of the two which ends on the far
 * side of zero. */
static double beyond_all(const imp_slips *c, sample zero) {
    const double side = c->curve.square.hi > 0 ? 1 : -1, P = fabs(c->curve.square.hi);
    const double C = side > 0 ? zero.value - zero.noise : -limit(c) - limit_noise(c);
    const double B = side * c->rise - 2 * c->curve.noise[1],
                 root = sqrt(larger(B * B - 4 * P * C, 0));
    const double k = B <= 0 ? (root - B) / (2 * P) : -2 * C / (B + root);
    return larger(smaller(k, 0x1p900), 0x1p-900);
}

/* The zero of phi between low and high, where sign(phi) goes from -side to side. Newton, kept in
 * the bracket; the value is taken in double-double once the steps are small, so that kappa is right
 * to double where phi cancels. */
static double root_between(const imp_slips *c, double low, double high, double side, double k) {
    double last = INFINITY;
    bool exact = false;
    for (int n = 0; n < STEPS; n++) {
        const sample x = exact ? exactly_at(c, k) : at(c, k);
        if (!exact && fabs(x.value) <= x.noise) {
            exact = true;
            continue;
        }
        if (x.value * side < 0)
            low = k;
        else
            high = k;
        const double step = x.value / x.slope;
        double next = k - step;
        if (exact && fabs(step) <= 0x1p-52 * k) return k;
        const bool smooth = fabs(x.bend * step) <= 0x1p-26 * fabs(x.slope);
        if (!(next > low && next < high) || !(fabs(step) <= 0.5 * last))
            next = sqrt(larger(low, 1e-3 * high)) * sqrt(high);
        else if (exact && smooth && fabs(step) <= 0x1p-26 * k)
            return next;
        last = fabs(next - k);
        exact = exact || last <= 0x1p-20 * k;
        k = next;
    }
    return k;
}

/* Does phi fall anywhere between 0 and far, where it rises at both ends? phi' is convex, so it lies
 * above its tangents: where two of them meet is the best place to look, and if they meet above zero
 * phi rises throughout. */
static verdict falls(const imp_slips *c, sample left, double far, double *where) {
    sample right = at(c, far);
    if (right.bend <= 0) return NO; /* phi' has come down all the way to phi'(far) >= 0 */
    for (int n = 0;; n++) {
        const double apart = right.k - left.k;
        const double meet =
            left.k + ((right.slope - left.slope) - right.bend * apart) / (left.bend - right.bend);
        const double k = larger(left.k, smaller(meet, right.k)); /* rounding may put it outside */
        if (left.slope + left.bend * (k - left.k) > left.slack + right.slack) return NO;
        const sample x = at(c, k);
        if (x.slope < -x.slack) {
            *where = k;
            return YES;
        }
        if (x.slope <= x.slack || n == STEPS) return TOUCHING;
        if (x.bend < 0)
            left = x;
        else
            right = x;
    }
}

/* Is side * phi > 0 at the top (side 1) or the bottom (side -1) of phi between outer, where it
 * rises, and inner, where it falls? phi' is convex: Newton's step for phi' = 0 from outer and the
 * chord to inner close in from either side, and the slope at outer bounds what is left to gain. */
static verdict reaches(const imp_slips *c, double side, double outer, double inner, double *where) {
    sample o = certain(c, outer), i = certain(c, inner);
    for (int n = 0; n < STEPS; n++) {
        *where = side * o.value > o.noise ? o.k : i.k;
        if (side * o.value > o.noise || side * i.value > i.noise) return YES;
        if (side * o.value + (fabs(o.slope) + o.slack) * fabs(i.k - o.k) < -o.noise) return NO;
        const double newton = o.k - o.slope / o.bend,
                     chord = o.k + (i.k - o.k) * o.slope / (o.slope - i.slope);
        double k = n % 2 ? chord : newton;
        if (!((k - o.k) * side > 0 && (i.k - k) * side > 0)) k = 0.5 * (o.k + i.k);
        const sample x = certain(c, k);
        if (fabs(x.slope) <= x.slack) {
            /* this is the place, to rounding: within 2 slack / |bend| */
            o = x;
            if (side * x.value > x.noise) continue;
            *where = k;
            return side * x.value + 4 * x.slack * x.slack / fabs(x.bend) < -x.noise ? NO : TOUCHING;
        }
        if (x.slope > 0)
            o = x;
        else
            i = x;
    }
    return TOUCHING;
}

/* The zeros found so far. */
typedef struct zeros {
    int count;
    double *k;
    bool proven;
} zeros;

static void add_from(zeros *z, const imp_slips *c, double low, double high, double side,
                     double start) {
    z->k[z->count++] = root_between(c, low, high, side, start);
}

static void add(zeros *z, const imp_slips *c, double low, double high, double side) {
    add_from(z, c, low, high, side, 0.5 * (low + high));
}

static void add_double(zeros *z, double k) {
    z->k[z->count++] = k;
    z->proven = false;
}

/* Is phi > 0 just right of k = 0? */
static bool starts_above(sample zero, int stick) {
    return stick > 0 || (stick == 0 && zero.slope > zero.slack);
}

/* b_n > 0: phi ends rising, for certain beyond `far`, because phi' >= 2 P (k - far). */
static void closing(const imp_slips *c, sample zero, int stick, bool unique, zeros *z) {
    const double far =
        smaller((2 * c->curve.noise[1] - c->rise) / (2 * c->curve.square.hi), 0x1p900);
    const bool rising = zero.slope > zero.slack;
    double inner = 0, top = 0, bottom = 0;
    verdict fall = unique || far <= 0 || (rising && zero.bend >= 0) ? NO : YES;
    if (fall == YES && rising) fall = falls(c, zero, far, &inner);
    if (fall == TOUCHING) z->proven = false;
    if (fall != YES && stick >= 0) return;
    const double last = beyond_all(c, zero);
    if (fall != YES) {
        add(z, c, 0, 2 * last, 1);
        return;
    }
    if (!starts_above(zero, stick)) {
        const verdict above = rising ? reaches(c, 1, 0, inner, &top) : NO;
        if (!rising && zero.value + larger(zero.slope + zero.slack, 0) * far >= -zero.noise)
            z->proven = false; /* a top at k = 0 that may touch zero */
        if (above == TOUCHING) add_double(z, top);
        if (above != YES) {
            add(z, c, inner, 2 * last, 1);
            return;
        }
        add(z, c, 0, top, 1);
    }
    const verdict below = reaches(c, -1, far, inner, &bottom);
    if (below == TOUCHING) add_double(z, bottom);
    if (below != YES) return;
    add(z, c, top, bottom, -1);
    add(z, c, bottom, 2 * last, 1);
}

/* Where (f |y|)' = l, 0 < l < f |g|: |y|^2 = |g|^2 (k + w.g/|g|^2)^2 + (g x w)^2/|g|^2. */
static double where_drag_rises(const imp_slips *c) {
    const double l = c->curve.linear.hi, G = c->ends[1],
                 reach = c->f * sqrt(c->turn * c->f / (-c->rise * (G + l)));
    return (l * reach + G * (limit(c) - c->curve.constant.hi)) / (G * G);
}

/* phi is concave and ends falling: b_n < 0, or b_n = 0 and the linear end of L is less steep than
 * that of f |y|. */
static void opening(const imp_slips *c, sample zero, int stick, zeros *z) {
    double top = 0;
    if (!starts_above(zero, stick)) {
        const double P = fabs(c->curve.square.hi);
        const bool sinking = c->rise < -2 * c->curve.noise[1]; /* then phi <= limit */
        if (sinking && limit(c) < -limit_noise(c)) return;
        if (!(zero.slope > zero.slack)) {
            const double most = larger(zero.slope + zero.slack, 0);
            /* phi <= phi(0) + most k - P k^2, and past far phi <= limit + rise k < 0 */
            const double far =
                sinking ? 2 * larger(limit(c) + limit_noise(c), 0) / -c->rise : INFINITY;
            const double gain =
                smaller(P > 0 ? most * most / (4 * P) : INFINITY, most > 0 ? most * far : 0);
            if (zero.value + gain >= -zero.noise) z->proven = false;
            return;
        }
        /* phi' <= phi'(0) - 2 P k */
        double inner = zero.slope < 0x1p900 * P ? zero.slope / P : 0x1p900;
        const sample near = at(c, sinking ? 2 * where_drag_rises(c) : 0);
        if (near.slope < -near.slack) inner = smaller(inner, near.k);
        const verdict above = reaches(c, 1, 0, inner, &top);
        if (above == TOUCHING) add_double(z, top);
        if (above != YES) return;
        add(z, c, 0, top, 1);
    }
    const double last = beyond_all(c, zero);
    add(z, c, top, 2 * last, -1);
}

/* b_n = 0: phi is concave and goes towards limit + rise k. */
static void resting(const imp_slips *c, sample zero, int stick, zeros *z) {
    const double noise = 2 * c->curve.noise[1], start = -zero.value / zero.slope;
    if (c->rise < -noise) {
        opening(c, zero, stick, z);
        return;
    }
    if (c->rise <= noise) z->proven = false; /* a slip that may be there vanishes into p = 0 */
    if (stick < 0 && (c->rise > noise || limit(c) > limit_noise(c)))
        add_from(z, c, 0, 0x1p900, 1, start);
}

int imp_slip_roots(const imp_slips *c, int stick, bool unique, double root[3], bool *proven) {
    const sample zero = certain(c, 0);
    zeros z = {0, root, (stick != 0 || zero.slope > zero.slack) && !vague(c, zero)};
    if (c->curve.square.hi > 0)
        closing(c, zero, stick, unique, &z);
    else if (c->curve.square.hi < 0)
        opening(c, zero, stick, &z);
    else
        resting(c, zero, stick, &z);
    *proven = z.proven;
    return z.count;
}
