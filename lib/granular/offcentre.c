/* offcentre.c - spheres whose centre of mass is not their centre: their inertia, their free motion, their contacts.
 *
 * Preclik, Eibl, Ruede (2017) run spheres only, on which maximum dissipation and Coulomb's law are one problem. Here
 * the lever of a contact is not parallel to its normal, W_nt and W_no are not 0, and the laws differ.
 *
 * The mass m of the sphere of radius R is in two parts: a point of mass s m on its surface and a homogeneous ball of
 * mass (1 - s) m. With d the unit vector from the centre c to the point, the centre of mass is c + e d, e = s R, so
 * that s = e / R < 1. About the centre of mass, by the parallel axes of ball (at -e d) and point (at (R - e) d):
 *     along d   I_a = 2/5 (1 - s) m R^2
 *     across    I_t = 2/5 (1 - s) m R^2 + (1 - s) m e^2 + s m (R - e)^2 = (1 - s) (2/5 + s) m R^2.
 * As the inertia of masses it is a possible one: I_a <= 2 I_t.
 *
 * Free motion is that of a symmetric top and taken in closed form: the angular momentum L stands still, d turns about
 * it at L / I_t, and the body turns about d by (1/I_a - 1/I_t) L.d besides. The paper adds dt I^-1 (I w x w) to the
 * spin at the start of a step; here L and the energy are kept to rounding, and nothing is added before the contacts.
 *
 * body.v is the velocity of the centre c, so that contact velocities and the search for contacts are those of spheres:
 * u = v_b - v_a + n x (q_a + q_b). An impulse P with lever r from the centre of mass gives
 *     dw = I^-1 (r x P),  dv = P/m + e d x dw,  and  u changes by  (E/m + |r|^2/I_t E - r r'/I_t
 *     + (1/I_a - 1/I_t) (d x r)(d x r)') P. */
#include "granular/granular_internal.h"
#include "contact/frame.h"
#include "base/vec3.h"
#include "single/single.h"

#include <stdlib.h>
#include <string.h>

static const double BALL = 0.4; /* I / (m R^2) of a homogeneous ball */

/* Principal moments over m R^2. */
static double along(double s) {
    return BALL * (1 - s);
}

static double across(double s) {
    return (1 - s) * (BALL + s);
}

static void take_axis(top *t) {
    double R[9];
    rotation3(t->turn, R);
    for (int x = 0; x < 3; x++)
        t->axis[x] = R[3 * x + 2];
}

imp_body imp_sphere_body(const imp_sphere *s) {
    const double R = s->radius, share = s->offset / R, m = s->density * 4 / 3 * 3.14159265358979323846 * R * R * R;
    top t = imp_granular_top_of(s);
    imp_body b = {.inv_mass = 1 / m};
    b.inv_inertia[0] = b.inv_inertia[4] = 1 / (across(share) * m * R * R);
    b.inv_inertia[8] = 1 / (along(share) * m * R * R);
    memcpy(b.orientation, t.turn, sizeof b.orientation);
    memcpy(b.position, s->position, sizeof b.position);
    memcpy(b.velocity, s->velocity, sizeof b.velocity);
    memcpy(b.spin, s->spin, sizeof b.spin);
    for (int x = 0; x < 3; x++)
        t.axis[x] *= s->offset;
    add3(1, t.axis, b.position);
    add_cross3(s->spin, t.axis, b.velocity);
    return b;
}

top imp_granular_top_of(const imp_sphere *s) {
    top t = {.turn = {1}, .offset = s->offset};
    if (s->orientation[0] != 0 || dot3(s->orientation + 1, s->orientation + 1) > 0) {
        memcpy(t.turn, s->orientation, sizeof t.turn);
        normalise4(t.turn);
    }
    take_axis(&t);
    return t;
}

bool imp_granular_reserve_tops(imp_granular *g, int n) {
    const bool first = !g->top;
    if (!imp_granular_grow(&g->top, &g->top_room, n, sizeof *g->top) ||
        !imp_granular_grow(&g->top_spare, &g->top_spare_room, n, sizeof *g->top_spare))
        return false;
    const imp_sphere homogeneous = {.offset = 0};
    for (int i = 0; first && i < g->count; i++)
        g->top[i] = imp_granular_top_of(&homogeneous);
    return true;
}

void imp_granular_drop_tops(imp_granular *g) {
    free(g->top);
    free(g->top_spare);
    g->top = g->top_spare = NULL;
    g->top_room = g->top_spare_room = 0;
}

/* One particle over the time h, free. */
static void turn(double h, body *b, place *x, top *t) {
    const double e = t->offset, s = e / x->radius, ratio = along(s) / across(s);
    double w[3], arm[3], v[3], precession[3], own[3], step[4];
    for (int c = 0; c < 3; c++) {
        w[c] = b->q[c] / x->radius;
        arm[c] = e * t->axis[c];
        v[c] = b->v[c];
    }
    add_cross3(w, arm, v); /* of the centre of mass */
    const double rate = (1 - ratio) * dot3(w, t->axis);
    for (int c = 0; c < 3; c++) {
        precession[c] = h * (w[c] - rate * t->axis[c]);
        own[c] = h * rate * t->axis[c];
    }
    exponential4(own, step);
    multiply4(step, t->turn, t->turn);
    exponential4(precession, step);
    multiply4(step, t->turn, t->turn);
    normalise4(t->turn);
    for (int c = 0; c < 3; c++)
        w[c] -= rate * t->axis[c];
    take_axis(t);
    add3(rate, t->axis, w);
    for (int c = 0; c < 3; c++) {
        x->x[c] += h * v[c] + (arm[c] - e * t->axis[c]);
        arm[c] = -e * t->axis[c];
        b->q[c] = x->radius * w[c];
        b->v[c] = v[c];
    }
    add_cross3(w, arm, b->v);
}

void imp_granular_turn(imp_granular *g, int begin, int end) {
    const double h = g->set.step;
    for (int i = begin; i < end; i++)
        if (g->top[i].offset > 0)
            turn(h, &g->body[i], &g->place[i], &g->top[i]);
        else
            for (int c = 0; c < 3; c++)
                g->place[i].x[c] += h * g->body[i].v[c];
}

/* One side of a contact. */
typedef struct side {
    body *body;
    double radius, offset;
    double across, extra; /* 1/(kg m^2): 1/I_t and 1/I_a - 1/I_t; 0 for a shape */
    double axis[3];
    double lever[3]; /* m, from the centre of mass to the contact */
} side;

/* sign: 1 where n points out of the body, -1 where into it. */
static side side_of(const imp_granular *g, int number, double sign, const double n[3]) {
    side one = {.body = &g->body[number]};
    if (number >= g->count) return one;
    const top *t = &g->top[number];
    const double R = g->place[number].radius, s = t->offset / R, per = one.body->inv_mass / (R * R);
    one.radius = R;
    one.offset = t->offset;
    one.across = per / across(s);
    one.extra = per / along(s) - one.across;
    for (int x = 0; x < 3; x++) {
        one.axis[x] = t->axis[x];
        one.lever[x] = sign * R * n[x] - t->offset * t->axis[x];
    }
    return one;
}

/* K += what the side adds to the change of u per impulse, world axes. */
static void give_way(const side *s, double K[9]) {
    double c[3];
    const double straight = s->body->inv_mass + s->across * dot3(s->lever, s->lever);
    cross3(s->axis, s->lever, c);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            K[3 * i + j] +=
                (i == j ? straight : 0) - s->across * (s->lever[i] * s->lever[j]) + s->extra * (c[i] * c[j]);
}

/* The impulse P on the side. */
static void push(const side *s, double sign, const double P[3]) {
    double turn[3], arm[3];
    if (s->body->inv_mass == 0) return;
    cross3(s->lever, P, turn);
    const double about = s->extra * dot3(s->axis, turn);
    for (int x = 0; x < 3; x++) {
        turn[x] = sign * (s->across * turn[x] + about * s->axis[x]);
        arm[x] = s->offset * s->axis[x];
        s->body->q[x] += s->radius * turn[x];
    }
    add3(sign * s->body->inv_mass, P, s->body->v);
    add_cross3(arm, turn, s->body->v);
}

/* p <- -W^-1 q by cofactors, W packed (nn nt no tt to oo). */
static void stick(const double W[6], const double q[3], double p[3]) {
    const double c0 = W[3] * W[5] - W[4] * W[4], c1 = W[2] * W[4] - W[1] * W[5], c2 = W[1] * W[4] - W[2] * W[3];
    const double per = -1 / (W[0] * c0 + W[1] * c1 + W[2] * c2);
    const double c3 = W[0] * W[5] - W[2] * W[2], c4 = W[1] * W[2] - W[0] * W[4], c5 = W[0] * W[3] - W[1] * W[1];
    p[0] = per * (c0 * q[0] + c1 * q[1] + c2 * q[2]);
    p[1] = per * (c1 * q[0] + c3 * q[1] + c4 * q[2]);
    p[2] = per * (c2 * q[0] + c4 * q[1] + c5 * q[2]);
}

/* p (n, t, o) <- the law's answer. Apart at once and sticking where it can are answers of both laws, sticking the most
 * dissipative of all; unchanged where the solver has none. */
static void solve(imp_granular_law law, const double W[6], const double q[3], double mu, double p[3]) {
    double x[3];
    imp_coulomb_set set;
    if (q[0] >= 0) {
        p[0] = p[1] = p[2] = 0;
        return;
    }
    stick(W, q, x);
    const bool sticks = x[0] >= 0 && x[1] * x[1] + x[2] * x[2] <= mu * mu * x[0] * x[0];
    if (!sticks && (law == IMP_GRANULAR_COULOMB || law == IMP_GRANULAR_COULOMB_GENERAL)) {
        if (imp_coulomb_enumerate(W, q, mu, &set) < IMP_OK || set.count < 1) return;
        memcpy(x, set.solution[imp_coulomb_choose(&set, IMP_MOST_DISSIPATIVE)].p, sizeof x);
    } else if (!sticks && imp_maxdiss(W, q, mu, 0, x, NULL) < IMP_OK) {
        return;
    }
    memcpy(p, x, sizeof x);
}

/* p (world) <- the one-contact solution P(p - W^-1 (u + bias n)); returns W_nn in 1/kg. */
static double contact(imp_granular_law law, const side *a, const side *b, const double n[3], double bias, double p[3]) {
    double frame[9], K[9] = {0}, L[9], u[3], sum[3], q[3], own[3], turned[3];
    if (a->offset == 0 && b->offset == 0) return imp_granular_touch(a->body, b->body, n, bias, p);
    for (int x = 0; x < 3; x++) {
        sum[x] = a->body->q[x] + b->body->q[x];
        u[x] = b->body->v[x] - a->body->v[x];
    }
    add_cross3(n, sum, u);
    if (imp_frame_from_normal(n, frame) != IMP_OK) return 0;
    give_way(a, K);
    give_way(b, K);
    congruent3(frame, K, L);
    apply3(frame, u, q);
    apply3(frame, p, own);
    apply3(L, own, turned);
    for (int x = 0; x < 3; x++)
        q[x] += (x == 0 ? bias : 0) - turned[x];
    const double W[6] = {L[0], L[1], L[2], L[4], L[5], L[8]};
    solve(law, W, q, a->body->friction, own);
    apply3_transposed(frame, own, p);
    return W[0];
}

/* Everything a pass does with one contact; its worst change in m/s where `look`, which changes nothing. */
typedef enum work { WARM, RELAX, LOOK } work;

static double treat(const imp_granular *g, block *k, int l, work what) {
    const double n[3] = {k->n[0][l], k->n[1][l], k->n[2][l]};
    double p[3] = {k->p[0][l], k->p[1][l], k->p[2][l]}, an = 0, u[3];
    if (dot3(p, p) == 0) { /* without an impulse, and not in need of one: spins do not move the gap */
        sub3(g->body[k->b[l]].v, g->body[k->a[l]].v, u);
        if (what == WARM || dot3(u, n) + k->bias[l] >= 0) return 0;
    }
    const side a = side_of(g, k->a[l], 1, n), b = side_of(g, k->b[l], -1, n);
    if (what != WARM) {
        an = contact(g->set.law, &a, &b, n, k->bias[l], p);
        for (int x = 0; x < 3; x++) {
            const double change = p[x] - k->p[x][l];
            if (what == RELAX) k->p[x][l] = p[x];
            p[x] = change;
        }
    }
    if (what == LOOK) return an * norm3(p);
    push(&a, -1, p);
    push(&b, 1, p);
    return 0;
}

static double pass(const imp_granular *g, block *blocks, int n, work what) {
    double worst = 0;
    for (block *k = blocks; k < blocks + n; k++)
        for (int l = 0; l < LANES; l++) {
            if (is_idle(k, l)) continue;
            const double one = treat(g, k, l, what);
            if (one > worst) worst = one;
        }
    return worst;
}

double imp_granular_relax_tops(const imp_granular *g, block *blocks, int n) {
    return pass(g, blocks, n, RELAX);
}

double imp_granular_warm_tops(const imp_granular *g, block *blocks, int n) {
    return pass(g, blocks, n, WARM);
}

double imp_granular_residual_tops(const imp_granular *g, block *blocks, int n) {
    return pass(g, blocks, n, LOOK);
}
