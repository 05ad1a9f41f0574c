/* trial.c - scenes with known outcomes, put to the physics engine this program is linked with. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/peers/engines/scenes.h"
#include "benchmarks/peers/engines/trial.h"
#include "base/clock.h"
#include "base/worse.h"
#include "impact.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { REPEATS = 50, UNTIL_TOUCH = 400 };
static const double grazing = 1e-6; /* relative change of velocity that counts as touched */

/* Twice the kinetic energy of velocities (6) of a body, J. Balls and boxes near enough to any
 * attitude: a box's spin is measured with its mean moment of inertia. */
static double twice_energy(const peer_body *b, const double v[6]) {
    const double size =
        b->radius > 0
            ? 0.4 * b->radius * b->radius
            : 2. / 9 *
                  (b->half[0] * b->half[0] + b->half[1] * b->half[1] + b->half[2] * b->half[2]);
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += b->mass * (v[k] * v[k] + size * v[3 + k] * v[3 + k]);
    return sum;
}

static double distance(const peer_scene *s, const double (*v)[6], const double (*w)[6]) {
    double sum = 0;
    for (int i = 0; i < s->bodies; i++) {
        double d[6];
        for (int k = 0; k < 6; k++)
            d[k] = v[i][k] - w[i][k];
        sum += twice_energy(&s->body[i], d);
    }
    return sqrt(sum);
}

/* Steps until the velocities change, then until the impact is over, and `wait` more, in a world
 * that has its memory by then, as in any step but the first. Each is timed by the clock that is
 * quickest to read. */
static void run_impact(const char *name, const peer_engine *e, const peer_scene *s, int wait,
                       const double (*after)[6]) {
    trial_state before = {{0}}, rest = {{0}}, x, v = {{0}};
    double least = INFINITY;
    for (int i = 0; i < s->bodies; i++)
        memcpy(before[i], s->body[i].velocity, sizeof before[i]);
    const double speed = distance(s, (const double(*)[6])before, (const double(*)[6])rest);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        void *world = e->open(s);
        if (!world) return;
        e->step(world);
        e->step(world);
        e->again(world);
        double spent = 0;
        int steps = 0, left = -1;
        while (left != 0 && steps < UNTIL_TOUCH) {
            const double from = imp_nanoseconds(CLOCK_MONOTONIC);
            e->step(world);
            spent += imp_nanoseconds(CLOCK_MONOTONIC) - from;
            steps++;
            trial_read(e, world, s->bodies, x, v);
            const double change = distance(s, (const double(*)[6])v, (const double(*)[6])before);
            if (left > 0)
                left--;
            else if (left < 0 && !(change <= grazing * speed))
                left = e->settle + wait;
        }
        e->close(world);
        least = fmin(least, spent / steps);
    }
    trial_row("scenes", name, e, least, distance(s, (const double(*)[6])v, after) / speed);
}

/* Friction stops the slip of a ball, mu (1 + e) |v_n| permitting, with 2/7 of it. */
static void ball(const char *name, const peer_engine *engine, double mu, double e, double vx,
                 double gap) {
    const peer_scene s = scene_ball(mu, e, vx, gap);
    const double push = fmin(mu * (1 + e), 2. / 7 * vx), r = s.body[0].radius;
    run_impact(name, engine, &s, gap > 0 ? 10 : 0,
               (const trial_state){{vx - push, 0, e, 0, push / (0.4 * r), 0}});
}

/* v <- the velocities after the corner has struck with e = 0, by the only solution of Coulomb's
 * law. */
static bool certified(const peer_body *b, const double corner[3], double mu, double v[6]) {
    imp_body body = {.inv_mass = 1 / b->mass};
    imp_contact contact = {.a = IMP_GROUND, .b = 0, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
    imp_coulomb_set set = {0};
    double W[9], q[3], inverse[9];
    for (int k = 0; k < 3; k++) {
        const double y = b->half[(k + 1) % 3], z = b->half[(k + 2) % 3];
        body.inv_inertia[4 * k] = 3 / (b->mass * (y * y + z * z));
    }
    memcpy(body.orientation, b->attitude, sizeof body.orientation);
    memcpy(body.velocity, b->velocity, sizeof body.velocity);
    memcpy(body.spin, b->velocity + 3, sizeof body.spin);
    memcpy(contact.point, corner, sizeof contact.point);
    if (imp_delassus_dense(1, &body, 1, &contact, W, q) != IMP_OK) return false;
    const double packed[6] = {W[0], W[1], W[2], W[4], W[5], W[8]};
    if (imp_coulomb_enumerate(packed, q, mu, &set) != IMP_OK || set.count != 1) return false;
    const double *p = set.solution[0].p, push[3] = {p[1], p[2], p[0]};
    imp_body_inv_inertia_world(&body, inverse);
    memcpy(v, b->velocity, 6 * sizeof *v);
    for (int k = 0; k < 3; k++) {
        v[k] += push[k] / b->mass;
        for (int i = 0; i < 3; i++)
            v[3 + k] += inverse[3 * k + i] * (corner[(i + 1) % 3] * push[(i + 2) % 3] -
                                              corner[(i + 2) % 3] * push[(i + 1) % 3]);
    }
    return true;
}

static void box_on_corner(const peer_engine *engine) {
    const peer_scene s = scene_corner();
    double corner[3] = {0};
    trial_state after = {{0}};
    scene_lowest_corner(&s.body[0], corner);
    if (certified(&s.body[0], corner, s.mu, after[0]))
        run_impact("box on a corner, e = 0", engine, &s, 0, (const double(*)[6])after);
}

/* Five equal balls in a row that touch, the first coming in: the last leaves with its speed. */
static void cradle(const peer_engine *engine) {
    const peer_scene s = scene_cradle();
    trial_state after = {{0}};
    after[4][0] = 1;
    run_impact("cradle of five, touching", engine, &s, 0, (const double(*)[6])after);
}

/* A flat box slides until friction has stopped it, 30 degrees off the axes: after v^2 / (2 mu
 * g). */
static void sliding(const peer_engine *engine) {
    const peer_scene s = scene_sliding();
    const double *before = s.body[0].velocity,
                 way = (before[0] * before[0] + before[1] * before[1]) / (2 * s.mu * -s.gravity[2]),
                 speed = hypot(before[0], before[1]);
    trial_state x = {{0}}, v = {{0}};
    const double ns = trial_run(engine, &s, 1000, x, v);
    if (ns > 0)
        trial_row("scenes", "box sliding to rest", engine, ns,
                  hypot(x[0][0] - before[0] / speed * way, x[0][1] - before[1] / speed * way) /
                      way);
}

/* Ten cubes on top of each other stay where they are for 1 s; the error is how far one has moved,
 * in edges. */
static void stack(const peer_engine *engine) {
    const peer_scene s = scene_stack();
    trial_state x = {{0}}, v = {{0}};
    double worst = 0;
    const double ns = trial_run(engine, &s, 200, x, v);
    for (int i = 0; i < s.bodies; i++) {
        const double *from = s.body[i].position;
        const double moved =
            hypot(hypot(x[i][0] - from[0], x[i][1] - from[1]), x[i][2] - from[2]) / 0.2;
        worst = imp_worse(worst, moved);
    }
    if (ns > 0) trial_row("scenes", "stack of ten, 1 s", engine, ns, worst);
}

/* Does it simulate at all? After n steps a ball has fallen by g h^2 n (n + 1) / 2, within 10 %. */
static bool falls(const peer_engine *engine) {
    enum { STEPS = 100 };
    const double g = 9.81, h = 1e-3, gap = 1, way = g * h * h * STEPS * (STEPS + 1) / 2;
    peer_scene s = scene_ball(0, 0, 0, gap);
    s.body[0].velocity[2] = 0;
    s.gravity[2] = -g;
    s.h = h;
    trial_state x = {{0}}, v = {{0}};
    (void)trial_run(engine, &s, STEPS, x, v);
    return fabs(s.body[0].position[2] - x[0][2] - way) <= 0.1 * way;
}

/* Where the bodies are of an engine that does not: without it what ought to rest would be right. */
static void read_nothing(void *world, int body, double position[3], double velocity[6]) {
    (void)world, (void)body;
    for (int k = 0; k < 3; k++)
        position[k] = velocity[k] = velocity[3 + k] = NAN;
}

static const char *engine_at(int k) {
    return peer_engines[k].name;
}

static const char *settings_at(int k) {
    return peer_engines[k].settings;
}

static const usage about = {
    .program = "peers",
    .arguments = "",
    .text =
        "Puts scenes with known outcomes to the physics engine that this program is linked "
        "with. Rows on standard output:\n"
        "question, case, solver, ns (of a step, the least of some runs), error, percent failed, "
        "and a remark. Outcomes are\n"
        "closed forms, but for the box on its corner: Coulomb's law there, its only solution by "
        "the enumeration with proof.\n"
        "Impacts: the error is of all velocities after, in the mass norm, relative to the speed "
        "before. Exit 2: bad use.\n",
    .name = engine_at,
    .title = settings_at,
};

int main(int argc, char **argv) {
    usage_answer(&about, argc, argv);
    for (const peer_engine *each = peer_engines; each->name; each++) {
        peer_engine engine = *each, *e = &engine;
        printf("# %s: %s\n", e->name, e->settings);
        if (!falls(e)) e->read = read_nothing;
        ball("ball, e = 0.5", e, 0, 0.5, 0, -scene_depth);
        ball("ball, e = 0.5, from a gap", e, 0, 0.5, 0, 5.5e-5);
        ball("ball, e = 0.5, slides", e, 0.2, 0.5, 3, -scene_depth);
        ball("ball, e = 0, sticks", e, 0.5, 0, 1, -scene_depth);
        box_on_corner(e);
        cradle(e);
        sliding(e);
        stack(e);
        argued(e);
    }
    return 0;
}
