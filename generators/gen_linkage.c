/* gen_linkage.c - a four-bar linkage. */
#include "generators/gen_linkage.h"

#include "base/vec3.h"
#include "contact/frame.h"
#include "generators/gen.h"

#include <math.h>
#include <string.h>

static const double z[3] = {0, 0, 1}, mass[3] = {0.7, 1.1, 0.9};

/* A rod in the plane, x along it. */
static imp_body rod(const double from[3], const double to[3], double kilograms) {
    double d[3];
    sub3(to, from, d);
    const double length = norm3(d), across = 12 / (kilograms * length * length),
                 half = 0.5 * atan2(d[1], d[0]);
    imp_body b = {.inv_mass = 1 / kilograms,
                  .inv_inertia = {4 * across, 0, 0, 0, across, 0, 0, 0, across},
                  .orientation = {cos(half), 0, 0, sin(half)}};
    for (int k = 0; k < 3; k++)
        b.position[k] = 0.5 * (from[k] + to[k]);
    return b;
}

/* B and C at the angle: AB is 0.4 m, BC 1.1 m, DC 0.8 m. */
static void place(double angle, const double D[3], double B[3], double C[3]) {
    B[0] = 0.4 * cos(angle);
    B[1] = 0.4 * sin(angle);
    B[2] = C[2] = 0;
    const double e[2] = {D[0] - B[0], D[1] - B[1]}, l = hypot(e[0], e[1]),
                 x = (l * l + 1.1 * 1.1 - 0.8 * 0.8) / (2 * l), y = sqrt(1.1 * 1.1 - x * x);
    C[0] = B[0] + (x * e[0] - y * e[1]) / l;
    C[1] = B[1] + (x * e[1] + y * e[0]) / l;
}

/* Velocities of a unit of the crank's rate, from z x (B + w_2 (C - B) - w_3 (C - D)) = 0, and the
 * inertia, twice their kinetic energy. */
static void move(gen_linkage *g, const double B[3], const double C[3], const double D[3]) {
    static const double A[3] = {0, 0, 0};
    const double p[2] = {C[0] - B[0], C[1] - B[1]}, r[2] = {C[0] - D[0], C[1] - D[1]},
                 det = p[1] * r[0] - p[0] * r[1], *pivot[3] = {A, B, D};
    g->turns[0] = 1;
    g->turns[1] = (B[0] * r[1] - B[1] * r[0]) / det;
    g->turns[2] = (p[1] * B[0] - p[0] * B[1]) / det;
    for (int i = 0; i < 3; i++) {
        imp_body *b = &g->body[i];
        double arm[3];
        b->spin[2] = g->turns[i];
        sub3(b->position, pivot[i], arm);
        cross3(b->spin, arm, b->velocity);
        if (i == 1) add_cross3(z, B, b->velocity);
        g->inertia +=
            mass[i] * dot3(b->velocity, b->velocity) + b->spin[2] * b->spin[2] / b->inv_inertia[8];
    }
}

/* The tip of the rocker meets the ground on the side to which it moves. */
static void stop(gen_linkage *g, const double C[3], const double D[3]) {
    static const double normal[3] = {-0.8, 0.6, 0};
    const double turn[3] = {0, 0, g->turns[2]};
    double arm[3], velocity[3];
    g->stop = (imp_contact){.a = IMP_GROUND, .b = 2, .point = {C[0] + 0.1, C[1] + 0.05, 0}};
    imp_frame_from_tangent(normal, z, g->stop.frame);
    sub3(g->stop.point, D, arm);
    cross3(turn, arm, velocity);
    apply3(g->stop.frame, velocity, g->jacobian);
    g->rate = g->jacobian[0] > 0 ? -2 : 2;
}

static void turn(const double R[9], double v[3]) {
    double turned[3];
    apply3(R, v, turned);
    memcpy(v, turned, sizeof turned);
}

/* Everything in space, moving at the crank's rate. */
static void turn_all(gen_linkage *g, const double R[9]) {
    for (int i = 0; i < 3; i++) {
        imp_body *b = &g->body[i];
        double own[9], whole[9];
        rotation3(b->orientation, own);
        for (int k = 0; k < 9; k++)
            whole[k] = R[k / 3 * 3] * own[k % 3] + R[k / 3 * 3 + 1] * own[3 + k % 3] +
                       R[k / 3 * 3 + 2] * own[6 + k % 3];
        quaternion3(whole, b->orientation);
        for (int k = 0; k < 3; k++) {
            b->velocity[k] *= g->rate;
            b->spin[k] *= g->rate;
        }
        turn(R, b->position);
        turn(R, b->velocity);
        turn(R, b->spin);
        turn(R, g->stop.frame + 3 * i);
    }
    turn(R, g->stop.point);
}

gen_linkage gen_linkage_of(double angle) {
    static const int between[4][2] = {{IMP_GROUND, 0}, {0, 1}, {1, 2}, {IMP_GROUND, 2}};
    static const double A[3] = {0, 0, 0}, D[3] = {1.3, 0.1, 0};
    double B[3], C[3], R[9];
    gen_stream s = gen_seed(904, (uint64_t)(1000 * angle));
    place(angle, D, B, C);
    gen_linkage g = {.body = {rod(A, B, mass[0]), rod(B, C, mass[1]), rod(D, C, mass[2])}};
    move(&g, B, C, D);
    stop(&g, C, D);
    gen_rotation(&s, R);
    turn_all(&g, R);
    const double *joint[4] = {A, B, C, D};
    for (int k = 0; k < 4; k++) {
        imp_pair pair = {
            .kind = IMP_PAIR_REVOLUTE, .a = between[k][0], .b = between[k][1], .axis = {0, 0, 1}};
        int rows;
        apply3(R, joint[k], pair.point);
        turn(R, pair.axis);
        g.terms += imp_pair_terms(&pair, g.body, 5 * k, g.term + g.terms, &rows);
    }
    return g;
}

imp_constraints gen_linkage_joints(const gen_linkage *linkage) {
    return (imp_constraints){
        .rows = GEN_LINKAGE_ROWS, .terms = linkage->terms, .term = linkage->term};
}
