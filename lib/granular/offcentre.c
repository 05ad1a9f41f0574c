/* offcentre.c - one contact given to the library's general solvers: of spheres whose centre of mass
 * is not their centre (tops.c), and by the general laws of any: slow, it shows that the closed form
 * is what they answer.
 *
 * Preclik, Eibl, Ruede (2017) run spheres only, on which maximum dissipation and Coulomb's law are
 * one problem. Here the lever of a contact is not parallel to its normal, W_nt and W_no are not 0,
 * and the laws differ.
 *
 * body.v is the velocity of the centre c, so that contact velocities and the search for contacts
 * are those of spheres: u = v_b - v_a + n x (q_a + q_b). With d the unit vector from c to the
 * centre of mass, e their distance, I_a and I_t the moments along and across d, an impulse P with
 * lever r from the centre of mass gives
 *     dw = I^-1 (r x P),  dv = P/m + e d x dw,  and  u changes by  (E/m + |r|^2/I_t E - r r'/I_t
 *     + (1/I_a - 1/I_t) (d x r)(d x r)') P. */
#include "granular/relax.h"
#include "base/vec3.h"
#include "contact/frame.h"
#include "single/single.h"

#include <string.h>

/* One side of a contact. */
typedef struct side {
    body *body;
    double radius, offset;
    double across, extra; /* 1/(kg m^2): 1/I_t and 1/I_a - 1/I_t; 0 for a shape */
    double axis[3];
    double lever[3]; /* m, from the centre of mass to the contact */
} side;

/* sign: 1 where n points out of the body, -1 where into it. */
static side side_of(const bodies *all, int number, double sign, const double n[3]) {
    side one = {.body = &all->body[number]};
    if (number >= all->count) return one;
    const top *t = &all->top[number];
    const double R = all->place[number].radius, s = t->offset / R,
                 per = one.body->inv_mass / (R * R);
    one.radius = R;
    one.offset = t->offset;
    one.across = per / imp_top_across(s);
    one.extra = per / imp_top_along(s) - one.across;
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
            K[3 * i + j] += (i == j ? straight : 0) - s->across * (s->lever[i] * s->lever[j]) +
                            s->extra * (c[i] * c[j]);
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
    const double c0 = W[3] * W[5] - W[4] * W[4], c1 = W[2] * W[4] - W[1] * W[5],
                 c2 = W[1] * W[4] - W[2] * W[3];
    const double per = -1 / (W[0] * c0 + W[1] * c1 + W[2] * c2);
    const double c3 = W[0] * W[5] - W[2] * W[2], c4 = W[1] * W[2] - W[0] * W[4],
                 c5 = W[0] * W[3] - W[1] * W[1];
    p[0] = per * (c0 * q[0] + c1 * q[1] + c2 * q[2]);
    p[1] = per * (c1 * q[0] + c3 * q[1] + c4 * q[2]);
    p[2] = per * (c2 * q[0] + c4 * q[1] + c5 * q[2]);
}

/* Apart at once and sticking where it can are answers of both laws, sticking the most dissipative
 * of all. */
static bool solve_quickly(const double W[6], const double q[3], double mu, double p[3]) {
    p[0] = p[1] = p[2] = 0;
    if (q[0] >= 0) return true;
    stick(W, q, p);
    return p[0] >= 0 && p[1] * p[1] + p[2] * p[2] <= mu * mu * p[0] * p[0];
}

/* p (n, t, o) <- the law's answer to u = W p + q; false: the solver has none. */
static bool solve(imp_granular_law law, const double W[6], const double q[3], double mu,
                  double p[3]) {
    imp_coulomb_set set = {0};
    if (!is_general(law) && solve_quickly(W, q, mu, p)) return true;
    if (law == IMP_GRANULAR_MAXDISS || law == IMP_GRANULAR_MAXDISS_GENERAL)
        return imp_maxdiss(W, q, mu, 0, p, NULL) >= IMP_OK;
    if (imp_coulomb_enumerate(W, q, mu, &set) < IMP_OK || set.count < 1) return false;
    memcpy(p, set.solution[imp_coulomb_choose(&set, IMP_MOST_DISSIPATIVE)].p,
           sizeof set.solution[0].p);
    return true;
}

/* p (world) <- the one-contact solution P(p - W^-1 (u + bias n)), unchanged where there is none;
 * returns W_nn in 1/kg.
 */
static double contact(imp_granular_law law, const side *a, const side *b, const double n[3],
                      double bias, double p[3]) {
    double frame[9], K[9] = {0}, W[9], u[3], sum[3], q[3], own[3], turned[3];
    if (a->offset == 0 && b->offset == 0 && !is_general(law))
        return imp_relax_closed(a->body, b->body, n, bias, p);
    if (imp_frame_from_normal(n, frame) != IMP_OK) return 0;
    for (int x = 0; x < 3; x++) {
        sum[x] = a->body->q[x] + b->body->q[x];
        u[x] = b->body->v[x] - a->body->v[x];
    }
    add_cross3(n, sum, u);
    give_way(a, K);
    give_way(b, K);
    congruent3(frame, K, W);
    apply3(frame, u, q);
    apply3(frame, p, own);
    apply3(W, own, turned);
    for (int x = 0; x < 3; x++)
        q[x] += (x == 0 ? bias : 0) - turned[x];
    const double packed[6] = {W[0], W[1], W[2], W[4], W[5], W[8]};
    if (solve(law, packed, q, a->body->friction, own)) apply3_transposed(frame, own, p);
    return W[0];
}

/* What a pass does with one contact; returns its change in m/s where it looks, which changes
 * nothing, at the impulse that the bodies got, `share` of what the octet holds. */
static double treat(const bodies *all, imp_granular_law law, octet *k, int l, work what,
                    double share) {
    const double n[3] = {k->n[0][l], k->n[1][l], k->n[2][l]}, held = what == LOOK ? share : 1;
    double p[3] = {held * k->p[0][l], held * k->p[1][l], held * k->p[2][l]}, an = 0, u[3];
    if (dot3(p, p) == 0) {
        /* without an impulse, and not in need of one: spins do not move the gap */
        sub3(all->body[k->b[l]].v, all->body[k->a[l]].v, u);
        if (dot3(u, n) + k->bias[l] >= 0) return 0;
    }
    const side a = side_of(all, k->a[l], 1, n), b = side_of(all, k->b[l], -1, n);
    if (what != WARM) {
        an = contact(law, &a, &b, n, k->bias[l], p);
        for (int x = 0; x < 3; x++) {
            const double change = p[x] - held * k->p[x][l];
            if (what == RELAX) k->p[x][l] = p[x];
            p[x] = change;
        }
    }
    if (what == LOOK) return an * norm3(p);
    push(&a, -1, p);
    push(&b, 1, p);
    return 0;
}

double imp_relax_offcentre(const relaxation *of, work what, brick_contacts *c, int first, int n) {
    const double share = handed_out(of->set->blend);
    double worst = 0;
    for (octet *k = c->octet + first; k < c->octet + first + n; k++)
        for (int l = 0; l < WIDTH; l++) {
            if (k->a[l] == k->b[l]) continue; /* idle */
            const double one = treat(of->bodies, of->set->law, k, l, what, share);
            if (one > worst) worst = one;
        }
    return worst;
}
