/* tops.c - spheres whose centre of mass is not their centre: their inertia and their free motion.
 *
 * The mass m of the sphere of radius R is in two parts: a point of mass s m on its surface and a
 * homogeneous ball of mass (1 - s) m. With d the unit vector from the centre c to the point, the
 * centre of mass is c + e d, e = s R, so that s = e / R < 1. About the centre of mass, by the
 * parallel axes of ball (at -e d) and point (at (R - e) d):
 *     along d   I_a = 2/5 (1 - s) m R^2
 *     across    I_t = 2/5 (1 - s) m R^2 + (1 - s) m e^2 + s m (R - e)^2 = (1 - s) (2/5 + s) m R^2.
 * As the inertia of masses it is a possible one: I_a <= 2 I_t.
 *
 * Free motion is that of a symmetric top and taken in closed form: the angular momentum L stands
 * still, d turns about it at L / I_t, and the body turns about d by (1/I_a - 1/I_t) L.d besides.
 * Preclik, Eibl, Ruede (2017) add dt I^-1 (I w x w) to the spin at the start of a step; here L and
 * the energy are kept to rounding, and nothing is added before the contacts. */
#include "granular/bodies.h"
#include "base/vec3.h"

#include <string.h>

static const double BALL = 0.4; /* I / (m R^2) of a homogeneous ball */

double imp_sphere_mass(const imp_sphere *s) {
    return s->density * 4 / 3 * 3.14159265358979323846 * s->radius * s->radius * s->radius;
}

double imp_top_along(double s) {
    return BALL * (1 - s);
}

double imp_top_across(double s) {
    return (1 - s) * (BALL + s);
}

void imp_top_axis(top *t) {
    double R[9];
    rotation3(t->turn, R);
    for (int x = 0; x < 3; x++)
        t->axis[x] = R[3 * x + 2];
}

imp_body imp_sphere_body(const imp_sphere *s) {
    const double R = s->radius, share = s->offset / R, m = imp_sphere_mass(s);
    top t = imp_top_of(s);
    imp_body b = {.inv_mass = 1 / m};
    b.inv_inertia[0] = b.inv_inertia[4] = 1 / (imp_top_across(share) * m * R * R);
    b.inv_inertia[8] = 1 / (imp_top_along(share) * m * R * R);
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

top imp_top_of(const imp_sphere *s) {
    top t = {.turn = {1}, .offset = s->offset};
    if (s->orientation[0] != 0 || dot3(s->orientation + 1, s->orientation + 1) > 0) {
        memcpy(t.turn, s->orientation, sizeof t.turn);
        normalise4(t.turn);
    }
    imp_top_axis(&t);
    return t;
}

void imp_top_move(double h, body *b, place *x, top *t) {
    const double e = t->offset, s = e / x->radius, ratio = imp_top_along(s) / imp_top_across(s);
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
    imp_top_axis(t);
    add3(rate, t->axis, w);
    for (int c = 0; c < 3; c++) {
        x->x[c] += h * v[c] + (arm[c] - e * t->axis[c]);
        arm[c] = -e * t->axis[c];
        b->q[c] = x->radius * w[c];
        b->v[c] = v[c];
    }
    add_cross3(w, arm, b->v);
}
