/* argued.c - what users of physics engines argue about, as scenes with outcomes in closed form:
 * does a box hold on a ramp, how far does it slide, does it go straight, does it lift off, how high
 * does a ball rebound, does a light ball bear a heavy one, does a pressed capsule creep, how fast
 * does a top precess, does a thrown plate keep its energy, does a rod jam. */
#include "benchmarks/peers/engines/scenes.h"
#include "benchmarks/peers/engines/trial.h"
#include "base/worse.h"

#include <math.h>
#include <stdbool.h>

static const char question[] = "what users argue about";
static const double g = 9.81; /* m/s^2 */

static void row(const char *name, const peer_engine *e, double error) {
    trial_row(question, name, e, NAN, error);
}

/* A box on the plane z = 0, which is inclined: gravity is turned. */
static peer_scene box_on_ramp(const double half[3], double degrees, double mu) {
    const double a = degrees * acos(-1) / 180;
    return (peer_scene){.bodies = 1,
                        .body = {{.half = {half[0], half[1], half[2]},
                                  .mass = 1,
                                  .position = {0, 0, half[2]},
                                  .attitude = {1, 0, 0, 0}}},
                        .ground = 1,
                        .mu = mu,
                        .gravity = {g * sin(a), 0, -g * cos(a)},
                        .h = 1e-3};
}

static const double flat[3] = {0.1, 0.1, 0.02}, cube[3] = {0.05, 0.05, 0.05}; /* m */

/* tan 25 degrees = 0.466: how far it has crept in 1 s, of the way without friction. */
static void holds(const peer_engine *e) {
    const peer_scene s = box_on_ramp(flat, 25, 0.5);
    trial_state x = {{0}}, v = {{0}};
    const double ns = trial_run(e, &s, 1000, x, v);
    if (ns > 0) row("ramp 25°, mu 0.5: holds", e, hypot(x[0][0], x[0][1]) / (s.gravity[0] / 2));
}

/* tan 28 degrees = 0.532. */
static void slides(const peer_engine *e) {
    const peer_scene s = box_on_ramp(flat, 28, 0.5);
    const double way = (s.gravity[0] + s.mu * s.gravity[2]) / 2; /* m, in 1 s */
    trial_state x = {{0}}, v = {{0}};
    const double ns = trial_run(e, &s, 1000, x, v);
    if (ns > 0) row("ramp 28°: slides", e, hypot(x[0][0] - way, x[0][1]) / way);
}

/* To rest after v^2 / (2 mu g), in the direction it began with. */
static void goes_straight(const peer_engine *e) {
    peer_scene s = box_on_ramp(flat, 0, 0.25);
    s.body[0].velocity[0] = 4;
    s.body[0].velocity[1] = 0.8;
    const double speed = hypot(4, 0.8), way = speed * speed / (2 * s.mu * g);
    trial_state x = {{0}}, v = {{0}};
    const double ns = trial_run(e, &s, 2000, x, v);
    if (ns > 0)
        row("straight on, 3.39 m", e,
            hypot(x[0][0] - 4 / speed * way, x[0][1] - 0.8 / speed * way) / way);
}

/* mu 0.5 does not tip a cube: how high its centre has been above where it was, in edges; one where
 * it does not slide to rest after v^2 / (2 mu g), within 1 %. */
static void stays_down(const peer_engine *e) {
    peer_scene s = box_on_ramp(cube, 0, 0.5);
    const double speed = s.body[0].velocity[0] = 6, way = speed * speed / (2 * s.mu * g);
    double highest = 0, x[3], v[6];
    void *world = e->open(&s);
    if (!world) return;
    for (int k = 0; k < 1500; k++) {
        e->step(world);
        e->read(world, 0, x, v);
        const double lift = (x[2] - cube[2]) / (2 * cube[2]);
        highest = imp_worse(highest, lift);
    }
    e->close(world);
    const bool slid = hypot(x[0] - way, x[1]) <= 0.01 * way;
    row("cube at 6 m/s: no lift", e, imp_worse(highest, slid ? 0 : 1));
}

/* From 1 m and up to a step's way higher, so that it comes at all times of a step: at the top after
 * the first bounce it is e^2 of that high. The worst of them. */
static void rebounds(const peer_engine *e, const char *name, double h) {
    enum { DROPS = 8 };
    const double restitution = 0.8;
    double worst = 0, least = NAN;
    for (int k = 0; k < DROPS; k++) {
        const double high = 1 + h * sqrt(2 * g) * k / DROPS, fall = sqrt(2 * high / g),
                     top = restitution * restitution * high;
        const peer_scene s = {.bodies = 1,
                              .body = {{.radius = 0.1,
                                        .mass = 1,
                                        .position = {0, 0, 0.1 + high},
                                        .attitude = {1, 0, 0, 0}}},
                              .ground = 1,
                              .e = restitution,
                              .gravity = {0, 0, -g},
                              .h = h};
        trial_state x = {{0}}, v = {{0}};
        least = fmin(least, trial_run(e, &s, (int)lround((1 + restitution) * fall / h), x, v));
        const double off = fabs(x[0][2] - 0.1 - top) / top;
        worst = imp_worse(worst, off);
    }
    if (least > 0) row(name, e, worst);
}

/* 100 kg come down at 1 m/s on a ball of 1 kg that rests, without restitution: how far either is
 * from where it should lie after half a second, in diameters. */
static void bears(const peer_engine *e) {
    const peer_scene s = {
        .bodies = 2,
        .body = {{.radius = 0.1, .mass = 1, .position = {0, 0, 0.1}, .attitude = {1, 0, 0, 0}},
                 {.radius = 0.1,
                  .mass = 100,
                  .position = {0, 0, 0.3},
                  .attitude = {1, 0, 0, 0},
                  .velocity = {0, 0, -1}}},
        .ground = 1,
        .mu = 0.5,
        .gravity = {0, 0, -g},
        .h = 1e-3};
    trial_state x = {{0}}, v = {{0}};
    const double ns = trial_run(e, &s, 500, x, v);
    double worst = 0;
    for (int i = 0; i < 2; i++) {
        const double off = hypot(hypot(x[i][0], x[i][1]), x[i][2] - s.body[i].position[2]) / 0.2;
        worst = imp_worse(worst, off);
    }
    if (ns > 0) row("100 kg on a ball of 1 kg", e, worst);
}

/* A capsule of 45 g is pressed on the ground by 12 N, mu 0.7, its weight pulling along it: friction
 * could hold nineteen times that. How far it has crept in 1 s, mm. */
static void creeps(const peer_engine *e) {
    const double mass = 0.045, half_turn = acos(-1) / 4;
    const peer_scene s = {.bodies = 1,
                          .body = {{.radius = 0.01,
                                    .length = 0.06,
                                    .moment = {1.9e-5, 1.9e-5, 2e-6},
                                    .mass = mass,
                                    .position = {0, 0, 0.01},
                                    .attitude = {cos(half_turn), 0, sin(half_turn), 0}}},
                          .ground = 1,
                          .mu = 0.7,
                          .gravity = {g, 0, -12 / mass},
                          .h = 1e-3};
    trial_state x = {{0}}, v = {{0}};
    if (trial_run(e, &s, 1000, x, v) > 0)
        row("pressed capsule creeps, mm", e, 1e3 * hypot(x[0][0], x[0][1]));
}

/* A top whose tip slides without friction: its centre rests, and it precesses steadily at the
 * rate O with I3 w3 O - I1 O^2 cos(tilt) = m g l, l from the centre to the tip. After 1 s, the
 * error of its spin over the part of that which turns round. */
static void precesses(const peer_engine *e, const char *name, double h) {
    const double mass = 0.1, l = 0.05, tip = 0.01, across = 4e-5, along = 5e-5, w3 = 200,
                 tilt = acos(-1) / 6, t = 1;
    const double b = along * w3, a = across * cos(tilt),
                 rate = (b - sqrt(b * b - 4 * a * mass * g * l)) / (2 * a),
                 own = w3 - rate * cos(tilt); /* rad/s, about its axis against the precession */
    const peer_scene s = {
        .bodies = 1,
        .body = {{.radius = tip,
                  .length = 2 * l,
                  .moment = {across, across, along},
                  .mass = mass,
                  .position = {0, 0, tip + l * cos(tilt)},
                  .attitude = {cos(tilt / 2), 0, sin(tilt / 2), 0},
                  .velocity = {0, 0, 0, own * sin(tilt), 0, rate + own * cos(tilt)}}},
        .ground = 1,
        .gravity = {0, 0, -g},
        .h = h};
    trial_state x = {{0}}, v = {{0}};
    if (!(trial_run(e, &s, (int)lround(t / s.h), x, v) > 0)) return;
    const double off[3] = {v[0][3] - own * sin(tilt) * cos(rate * t),
                           v[0][4] - own * sin(tilt) * sin(rate * t),
                           v[0][5] - rate - own * cos(tilt)};
    row(name, e, hypot(hypot(off[0], off[1]), off[2]) / (own * sin(tilt)));
}

/* A square plate tumbles on its own for 10 s, by 0.02 rad a step. It keeps its energy and its
 * momentum, and so, symmetric as it is, the size of its spin: by how much that is off. */
static void tumbles(const peer_engine *e) {
    const double spin = 20;
    const peer_scene s = {.bodies = 1,
                          .body = {{.half = {flat[0], flat[1], flat[2]},
                                    .mass = 1,
                                    .position = {0, 0, 10},
                                    .attitude = {1, 0, 0, 0},
                                    .velocity = {0, 0, 0, spin * sqrt(0.5), 0, spin * sqrt(0.5)}}},
                          .ground = 1,
                          .h = 1e-3};
    trial_state x = {{0}}, v = {{0}};
    if (trial_run(e, &s, 10000, x, v) > 0)
        row("thrown plate tumbles 10 s", e,
            fabs(hypot(hypot(v[0][3], v[0][4]), v[0][5]) / spin - 1));
}

/* A rod that turns about its round tip, which rolls on the ground. */
typedef struct jammed {
    double l, tip, moment, mass; /* m, tip to centre and of its radius; kg m^2, kg */
    double energy;               /* J, over that at the slope 0 */
    double slope;                /* rad, rising */
} jammed;

/* Moment of inertia about where it touches. */
static double about_tip(const jammed *r) {
    return r->moment +
           r->mass * (r->l * r->l + r->tip * r->tip + 2 * r->l * r->tip * sin(r->slope));
}

static double turning(const jammed *r) {
    return sqrt(2 * (r->energy - r->mass * g * r->l * sin(r->slope)) / about_tip(r));
}

/* By the rate in the middle of the time. */
static void turn_jammed(jammed *r, double time) {
    jammed half = *r;
    half.slope += 0.5 * time * turning(r);
    r->slope += time * turning(&half);
}

/* A slender rod slides on its tip into the ground, mu 2, at the slope 2, where sliding forces have
 * no solution (Painleve): its tip jams at once and the rod goes on turning about it, at first with
 * the angular momentum about the tip, then with its energy. The error of its velocities after the
 * time that the engine is given to settle, over the speed before. */
static void jams(const peer_engine *e) {
    const double l = 0.5, tip = 1e-3, speed = 2, mass = 1, slope = atan(2.),
                 lean = acos(-1) / 2 - slope, moment = mass * l * l / 3;
    const double arm[2] = {l * cos(slope), l * sin(slope) + tip}; /* tip to centre: x, z */
    const peer_scene s = {.bodies = 1,
                          .body = {{.radius = tip,
                                    .length = 2 * l,
                                    .moment = {moment, moment, 1e-6},
                                    .mass = mass,
                                    .position = {0, 0, arm[1] - scene_depth},
                                    .attitude = {cos(lean / 2), 0, sin(lean / 2), 0},
                                    .velocity = {-speed, 0, 0}}},
                          .ground = 1,
                          .mu = 2,
                          .gravity = {0, 0, -g},
                          .h = 1e-4};
    jammed rod = {.l = l, .tip = tip, .moment = moment, .mass = mass, .slope = slope};
    rod.energy = pow(mass * arm[1] * speed, 2) / (2 * about_tip(&rod)) + mass * g * l * sin(slope);
    enum { PARTS = 1000 };
    for (int k = 0; k < PARTS; k++)
        turn_jammed(&rod, e->settle * s.h / PARTS);
    const double spin = -turning(&rod), /* about y, from z to x */
        now[2] = {l * cos(rod.slope), l * sin(rod.slope) + tip};
    trial_state x = {{0}}, v = {{0}};
    if (!(trial_run(e, &s, e->settle, x, v) > 0)) return;
    const double off[3] = {v[0][0] - spin * now[1], v[0][2] + spin * now[0],
                           sqrt(moment / mass) * (v[0][4] - spin)};
    row("rod jams, mu 2", e, hypot(hypot(off[0], off[1]), hypot(off[2], v[0][1])) / speed);
}

void argued(const peer_engine *e) {
    holds(e);
    slides(e);
    goes_straight(e);
    stays_down(e);
    rebounds(e, "rebound, e = 0.8, 1 ms", 1e-3);
    rebounds(e, "rebound, 1/60 s", 1. / 60);
    bears(e);
    creeps(e);
    precesses(e, "top, 1 ms", 1e-3);
    precesses(e, "top, 0.1 ms", 1e-4);
    tumbles(e);
    jams(e);
}
