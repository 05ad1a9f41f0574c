/* blockwise_local.c - one contact with all other impulses fixed: Coulomb's law by its slip parameter, and the laws of
 * lib/single. */
#include "multi/blockwise.h"

#include "single/single.h"

#include <math.h>
#include <string.h>

contact_block imp_contact_block(const double A[9], double mu) {
    contact_block c = {.mu = mu};
    memcpy(c.A, A, sizeof c.A);
    if (A[0] > 0) {
        c.c[0] = A[3] / A[0];
        c.c[1] = A[6] / A[0];
    }
    c.S[0] = A[4] - c.c[0] * A[1];
    c.S[1] = A[5] - c.c[0] * A[2];
    c.S[2] = A[7] - c.c[1] * A[1];
    c.S[3] = A[8] - c.c[1] * A[2];
    c.trace = c.S[0] + c.S[3];
    c.det = c.S[0] * c.S[3] - c.S[1] * c.S[2];
    c.weight = (A[0] + A[4] + A[8]) / 3;
    return c;
}

/* p_t of a slip with u_t = -l p_t: -(S + l E)^-1 g. */
static void slip_friction(const contact_block *c, const double g[2], double l, double t[2]) {
    const double d = 1 / (l * l + c->trace * l + c->det);
    t[0] = -d * ((c->S[3] + l) * g[0] - c->S[1] * g[1]);
    t[1] = -d * ((c->S[0] + l) * g[1] - c->S[2] * g[0]);
}

/* Exact Coulomb by the slip parameter l, bracketed: gap(l) = |p_t| - mu p_n is positive at 0 (not sticking) and
 * negative at infinity, so a root always exists, and the bracket keeps the sign of p_n (no mirror roots). */
static void coulomb(contact_block *c, const double v[3], double next[3]) {
    const double An = c->A[0], g[2] = {v[1] - c->c[0] * v[0], v[2] - c->c[1] * v[0]};
    if (!(c->mu > 0 && c->trace > 0)) {
        next[0] = -v[0] / An;
        next[1] = next[2] = 0;
        return;
    }
    const bool regular = c->det > 1e-13 * c->trace * c->trace;
    double t[2] = {0, 0}, n = -v[0] / An;
    if (regular) {
        slip_friction(c, g, 0, t);
        n = -(v[0] + c->A[1] * t[0] + c->A[2] * t[1]) / An;
        const double limit = c->mu * n;
        if (n >= 0 && t[0] * t[0] + t[1] * t[1] <= limit * limit) {
            next[0] = n;
            next[1] = t[0];
            next[2] = t[1];
            return;
        }
    }
    double low = 0, high = INFINITY, l = c->slowness > 0 ? c->slowness : 1e-3 * c->trace;
    for (int k = 0; k < 60; k++) {
        slip_friction(c, g, l, t);
        n = -(v[0] + c->A[1] * t[0] + c->A[2] * t[1]) / An;
        const double length = sqrt(t[0] * t[0] + t[1] * t[1]), gap = length - c->mu * n;
        if (gap > 0)
            low = l;
        else
            high = l;
        if (length == 0) break;
        double dt[2]; /* derivative of t by l: -(S + l E)^-1 t */
        slip_friction(c, t, l, dt);
        const double d_length = (t[0] * dt[0] + t[1] * dt[1]) / length;
        const double d_n = -(c->A[1] * dt[0] + c->A[2] * dt[1]) / An;
        double step;
        if (n > 0) { /* h = mu n / |t| - 1 is nearly linear in l */
            const double h = c->mu * n / length - 1, slope = c->mu * (d_n - n / length * d_length) / length;
            step = -h / slope;
        } else
            step = -gap / (d_length - c->mu * d_n);
        double tried = l + step;
        if (!(tried > low && tried < high))
            tried = isinf(high) ? 8 * l + 1e-3 * c->trace : low > 0 ? sqrt(low * high) : 0.1 * high;
        const bool done = fabs(tried - l) <= 4e-16 * l || fabs(gap) <= 1e-15 * length;
        if (done) break;
        l = tried;
    }
    c->slowness = l;
    const double length = sqrt(t[0] * t[0] + t[1] * t[1]);
    n = fmax(0, n);
    const double fit = length > 0 ? c->mu * n / length : 0;
    next[0] = n;
    next[1] = t[0] * fit;
    next[2] = t[1] * fit;
}

/* The disc problem is Coulomb's with a normal direction of its own, whose impulse is the radius. */
void imp_blockwise_disc(const contact_block *c, const double v[2], double radius, double t[2]) {
    const double A[9] = {1, 0, 0, 0, c->A[4], c->A[5], 0, c->A[7], c->A[8]}, free_velocity[3] = {-radius, v[0], v[1]};
    contact_block apart = imp_contact_block(A, 1);
    double next[3];
    coulomb(&apart, free_velocity, next);
    t[0] = next[1];
    t[1] = next[2];
}

/* A law of lib/single on the symmetric part of the block; next keeps its value where the law has no answer. */
static void single(const contact_block *c, local_law law, const double v[3], double next[3]) {
    const double *A = c->A;
    const double W[6] = {A[0], 0.5 * (A[1] + A[3]), 0.5 * (A[2] + A[6]), A[4], 0.5 * (A[5] + A[7]), A[8]};
    double p[3];
    imp_coulomb_set set = {0};
    if (law == LOCAL_MAXDISS) {
        if (imp_maxdiss(W, v, c->mu, 0, p, NULL) >= 0) memcpy(next, p, sizeof p);
        return;
    }
    if (imp_coulomb_enumerate(W, v, c->mu, &set) >= 0 && set.count > 0)
        memcpy(next, set.solution[imp_coulomb_choose(&set, (imp_coulomb_choice)(law - LOCAL_CHOSEN))].p, sizeof p);
}

void imp_blockwise_local(contact_block *c, local_law law, const double v[3], double next[3]) {
    if (!(c->A[0] > 0) || (!(v[0] < 0) && law < LOCAL_CHOSEN)) { /* the first: nothing there can move */
        next[0] = next[1] = next[2] = 0;
        return;
    }
    if (law == LOCAL_COULOMB)
        coulomb(c, v, next);
    else
        single(c, law, v, next);
}
