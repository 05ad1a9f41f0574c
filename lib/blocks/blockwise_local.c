/* blockwise_local.c - one contact with all other impulses fixed: Coulomb's law by its slip
 * parameter, and the laws of lib/single. */
#include "blocks/blockwise.h"

#include "base/exact.h"
#include "base/length.h"
#include "single/single.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* of the block's trace: what an entry of it may be off by */
static const double rounding = 1e-14;

/* of the free velocity: what is left of it by the least energy on a block whose ridge is 1e-7 */
static const double stopped = 1e-12;

/* The lift of both tangents, 1 and more: what rounding of W_nn does to g grows with it, and to S
 * with its square. */
static double lift_of(const contact_block *c) {
    return 1 + fabs(c->lifts[0]) + fabs(c->lifts[1]);
}

/* of_normal, lifts, pushes, S, its trace and det; of_det stays open. */
static void eliminate_normal(contact_block *c) {
    const double *A = c->A;
    c->weight = (A[0] + A[4] + A[8]) / 3;
    c->of_normal = A[0] > 0 ? 1 / A[0] : 0;
    for (int i = 0; i < 2; i++) {
        c->lifts[i] = A[3 + 3 * i] * c->of_normal;
        c->pushes[i] = A[1 + i] * c->of_normal;
    }
    c->S[0] = A[4] - c->lifts[0] * A[1];
    c->S[1] = A[5] - c->lifts[0] * A[2];
    c->S[2] = A[7] - c->lifts[1] * A[1];
    c->S[3] = A[8] - c->lifts[1] * A[2];
    c->trace = c->S[0] + c->S[3];
    c->det = c->S[0] * c->S[3] - c->S[1] * c->S[2];
}

void imp_contact_block(contact_block *c) {
    eliminate_normal(c);
    const double of_S = rounding * 3 * c->weight * lift_of(c) * lift_of(c);
    /* rank 0 (without it joints that leave a contact one direction are held by impulses without
     * bound: report, U-Loop) */
    if (fabs(c->S[0]) + fabs(c->S[3]) <= of_S) {
        memset(c->S, 0, sizeof c->S);
        c->trace = c->det = 0;
    }
    /* else rank 1: rounding makes up a tenth of det S */
    c->of_det = c->det > 10 * of_S * c->trace ? 1 / c->det : 0;
}

void imp_contact_block_definite(contact_block *c) {
    eliminate_normal(c);
    const double *A = c->A, of_det = rounding * (fabs(A[4]) + fabs(c->lifts[0] * A[1])) *
                                     (fabs(A[8]) + fabs(c->lifts[1] * A[2]));
    c->of_det = c->det > 10 * of_det ? 1 / c->det : 0;
}

/* t <- -(S + l E)^-1 g, given 1 / det(S + l E). */
static inline void resist(const contact_block *c, double l, double of_det, const double g[2],
                          double t[2]) {
    t[0] = of_det * (c->S[1] * g[1] - (c->S[3] + l) * g[0]);
    t[1] = of_det * (c->S[2] * g[0] - (c->S[0] + l) * g[1]);
}

/* What rounding of the block and of v leaves of g, m/s. */
static double unsure(const contact_block *c, const double v[3]) {
    const double lifted = lift_of(c) * fabs(v[0]), v_size = lifted + fabs(v[1]) + fabs(v[2]);
    return rounding * 3 * c->weight * c->of_normal * lifted +
           imp_larger(IMP_UNSURE_VELOCITY * v_size, lift_of(c) * c->still);
}

/* t <- what stops the slip g where S has rank 1 or 0, the least: t = -S+ g, S+ = S'/|S|^2. False:
 * it leaves more than `rest` (m/s), nothing stops it. */
static bool hold(const contact_block *c, const double g[2], double rest, double t[2]) {
    const double *S = c->S, square = S[0] * S[0] + S[1] * S[1] + S[2] * S[2] + S[3] * S[3];
    const double per = square > 0 ? 1 / square : 0;
    t[0] = -per * (S[0] * g[0] + S[2] * g[1]);
    t[1] = -per * (S[1] * g[0] + S[3] * g[1]);
    const double left[2] = {S[0] * t[0] + S[1] * t[1] + g[0], S[2] * t[0] + S[3] * t[1] + g[1]};
    return fabs(left[0]) + fabs(left[1]) <= rest;
}

/* From t (2) and n, which stop the contact with the least friction but outside the cone, on along
 * what S does not resist to where n has grown enough: t + s d, S d = 0, d of length 1. Where joints
 * leave two directions that may wedge a contact, and no slip is left to find. False, and both as
 * they were: it leads to no place in the cone, or S has rank 0 and t is 0. */
static bool wedge(const contact_block *c, double t[2], double *n) {
    const double *S = c->S, *row = imp_length(S[0], S[1]) >= imp_length(S[2], S[3]) ? S : S + 2;
    const double length = imp_length(row[0], row[1]);
    if (!(length > 0)) return false;
    const double d[2] = {-row[1] / length, row[0] / length};
    const double pushed = c->pushes[0] * d[0] + c->pushes[1] * d[1];
    /* a s^2 + 2 b s + e = mu^2 (n + s |pushed|)^2 - |t|^2 - s^2: t and d are at right angles */
    const double square = t[0] * t[0] + t[1] * t[1], limit = c->mu * *n,
                 lift = c->mu * fabs(pushed), a = lift * lift - 1, b = limit * lift,
                 e = limit * limit - square, under = limit * limit + a * square;
    if (!(under >= 0 && (*n > 0 || a > 0))) return false;
    const double s = *n > 0 ? -e / (b + sqrt(under)) : (sqrt(under) - b) / a;
    if (!(s < INFINITY)) return false;
    for (int i = 0; i < 2; i++)
        t[i] += pushed > 0 ? -s * d[i] : s * d[i];
    *n += s * fabs(pushed);
    return true;
}

/* A slip: friction t = -(S + l E)^-1 g and the normal impulse n that goes with it, at the root of
 * gap(l) = |t| - mu n. It is positive at 0 (not sticking) and negative at infinity, so a root
 * always exists, and the bracket keeps the sign of n (no mirror roots). `rest` is n for t = 0.
 * Newton on mu n / |t| - 1, nearly linear in l. */
static void slip(contact_block *c, const double g[2], double rest, double next[3]) {
    const double mu = c->mu;
    const double first =
        c->trace > 0 ? 1e-3 * c->trace : fmin((fabs(g[0]) + fabs(g[1])) / (mu * rest), 0x1p400);
    double low = 0, high = INFINITY, l = c->slowness > 0 ? c->slowness : first;
    const double least = 1e-20 * first; /* where no root is: friction cannot reach its limit */
    double t[2] = {0, 0}, n = rest, length = 0;
    for (int k = 0; k < 60; k++) {
        const double of_det = 1 / (l * l + c->trace * l + c->det);
        resist(c, l, of_det, g, t);
        n = rest - (c->pushes[0] * t[0] + c->pushes[1] * t[1]);
        const double square = t[0] * t[0] + t[1] * t[1];
        length = sqrt(square);
        const double gap = length - mu * n;
        if (length == 0 || fabs(gap) <= 1e-15 * length) break;
        if (gap > 0)
            low = l;
        else
            high = l;
        double dt[2]; /* derivative of t by l: -(S + l E)^-1 t */
        resist(c, l, of_det, t, dt);
        const double along = t[0] * dt[0] + t[1] * dt[1],
                     dn = -(c->pushes[0] * dt[0] + c->pushes[1] * dt[1]);
        const double step = n > 0 ? gap * square / (mu * (dn * square - n * along))
                                  : gap / (mu * dn - along / length);
        double tried = l + step;
        if (!(tried > low && tried < high))
            tried = isinf(high) ? 8 * l + first : low > 0 ? sqrt(low * high) : 0.1 * high;
        const double change = tried - l;
        if (fabs(change) <= 4e-16 * l || tried < least) break;
        l = tried;
        if (fabs(change) > 1e-8 * l) continue;
        t[0] += change * dt[0]; /* what is left is of second order */
        t[1] += change * dt[1];
        n += change * dn;
        length = sqrt(t[0] * t[0] + t[1] * t[1]);
        break;
    }
    c->slowness = l;
    n = fmax(0, n);
    const double fit = length > 0 ? mu * n / length : 0;
    next[0] = n;
    next[1] = t[0] * fit;
    next[2] = t[1] * fit;
}

/* A slip whose friction is too little to turn or slow it: along -g, and n with what it lifts, at
 * most 2 rest, for which friction is as little. False where it is not so little. */
static bool glance(const contact_block *c, const double g[2], double rest, double next[3]) {
    if (!(c->mu * rest * c->trace <= DBL_EPSILON * (fabs(g[0]) + fabs(g[1])))) return false;
    const double speed = imp_length(g[0], g[1]), t[2] = {g[0] / speed, g[1] / speed},
                 lifted = c->mu * (c->pushes[0] * t[0] + c->pushes[1] * t[1]);
    if (!(rest > 0 && lifted < 0.5)) return false;
    next[0] = rest / (1 - lifted);
    next[1] = -c->mu * next[0] * t[0];
    next[2] = -c->mu * next[0] * t[1];
    return true;
}

/* Exact Coulomb: stick where that keeps within the cone, else a slip. */
static void coulomb(contact_block *c, const double v[3], double next[3]) {
    const double rest = -v[0] * c->of_normal,
                 g[2] = {v[1] - c->lifts[0] * v[0], v[2] - c->lifts[1] * v[0]};
    next[0] = rest;
    next[1] = next[2] = 0;
    if (!(c->mu > 0)) return;
    bool held = c->of_det > 0;
    if (held)
        resist(c, 0, c->of_det, g, next + 1);
    else
        held = hold(c, g, unsure(c, v), next + 1);
    if (held) {
        next[0] = rest - (c->pushes[0] * next[1] + c->pushes[1] * next[2]);
        const double limit = c->mu * next[0];
        if (limit >= 0 && next[1] * next[1] + next[2] * next[2] <= limit * limit) return;
        if (!(c->of_det > 0) && wedge(c, next + 1, next)) return;
    }
    if (!glance(c, g, rest, next)) slip(c, g, rest, next);
}

/* The disc problem is Coulomb's with a normal direction of its own, whose impulse is the radius. */
void imp_blockwise_disc(const double A[9], const double v[2], double radius, double t[2]) {
    const double free_velocity[3] = {-radius, v[0], v[1]};
    contact_block apart = {.A = {1, 0, 0, 0, A[4], A[5], 0, A[7], A[8]}, .mu = 1};
    double next[3];
    imp_contact_block(&apart);
    coulomb(&apart, free_velocity, next);
    t[0] = next[1];
    t[1] = next[2];
}

/* Does the impulse p, inside the cone, stop the contact? No energy is less then; what joints leave
 * one direction many impulses stop, and to look for a better one only wanders among them. */
static bool stops(const contact_block *c, const double W[6], const double v[3], const double p[3]) {
    const double u = v[0] + W[0] * p[0] + W[1] * p[1] + W[2] * p[2],
                 s = v[1] + W[1] * p[0] + W[3] * p[1] + W[4] * p[2],
                 t = v[2] + W[2] * p[0] + W[4] * p[1] + W[5] * p[2];
    return imp_length(p[1], p[2]) <= (1 + stopped) * c->mu * p[0] &&
           fabs(u) + fabs(s) + fabs(t) <= stopped * (fabs(v[0]) + fabs(v[1]) + fabs(v[2]));
}

/* next <- of the impulses that stop a contact whose block is singular the one with the least
 * friction. False, and next as it was: it is not inside the cone. */
static bool stop_least(const contact_block *c, const double v[3], double next[3]) {
    const double g[2] = {v[1] - c->lifts[0] * v[0], v[2] - c->lifts[1] * v[0]};
    double t[2];
    if (!hold(c, g, unsure(c, v), t)) return false;
    const double n = -v[0] * c->of_normal - (c->pushes[0] * t[0] + c->pushes[1] * t[1]);
    if (!(imp_length(t[0], t[1]) <= c->mu * n)) return false;
    next[0] = n;
    next[1] = t[0];
    next[2] = t[1];
    return true;
}

/* Maximum dissipation on W, the symmetric part of the block. Where the block is singular next is
 * the impulse so far, from which a proximal term ridge (p_to - next_to) makes the least energy
 * definite: it slows nothing that the block itself moves, and fixed points are those without it.
 * next keeps its value where there is no answer. */
static void maxdiss(const contact_block *c, int solver, double W[6], const double v[3],
                    double next[3]) {
    const imp_maxdiss_settings by = {.steps = 40, .solver = solver};
    const double ridge = c->of_det > 0 ? 0 : 1e-7 * c->weight;
    const double free_velocity[3] = {v[0], v[1] - ridge * next[1], v[2] - ridge * next[2]};
    double p[3];
    if (ridge > 0 && (stop_least(c, v, next) || stops(c, W, v, next))) return;
    W[3] += ridge;
    W[5] += ridge;
    if (imp_maxdiss_by(W, free_velocity, c->mu, 0, &by, p, NULL) >= 0) memcpy(next, p, sizeof p);
}

/* A law of lib/single on the symmetric part of the block. Where that is singular, of Coulomb's
 * solutions a stick if there is one: enumeration takes the rounding of the block for more. */
static void single(contact_block *c, local_law law, const double v[3], double next[3]) {
    const double *A = c->A;
    double W[6] = {A[0], 0.5 * (A[1] + A[3]), 0.5 * (A[2] + A[6]), A[4], 0.5 * (A[5] + A[7]), A[8]};
    imp_coulomb_set set = {0};
    if (local_is_maxdiss(law))
        maxdiss(c, (int)law - LOCAL_MAXDISS, W, v, next);
    else if (c->of_det > 0 && imp_coulomb_enumerate(W, v, c->mu, &set) >= 0 && set.count > 0)
        memcpy(next,
               set.solution[imp_coulomb_choose(&set, (imp_coulomb_choice)(law - LOCAL_CHOSEN))].p,
               3 * sizeof *next);
    else if (v[0] < 0)
        coulomb(c, v, next);
    else
        next[0] = next[1] = next[2] = 0;
}

void imp_blockwise_local(contact_block *c, local_law law, const double v[3], double next[3]) {
    /* the first: nothing there can move */
    if (!(c->of_normal > 0) || local_opens(law, v[0])) {
        next[0] = next[1] = next[2] = 0;
        return;
    }
    if (law == LOCAL_COULOMB)
        coulomb(c, v, next);
    else
        single(c, law, v, next);
}
