/* drawn.c - scenes with an impact that are drawn. */
#include "benchmarks/experiments/drawn.h"

#include "base/vec3.h"
#include "generators/gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const drawn_names[DRAWN_KINDS] = {"corner", "arm",     "edge",   "face",
                                              "smooth", "elastic", "groove", "rack",
                                              "struck", "row",     "chain"};
const char *const drawn_words[DRAWN_KINDS] = {
    "a cuboid on a corner",         "the end of an arm",
    "a cuboid on an edge",          "a cuboid on a face",
    "a cuboid on a face, mu 0",     "a cuboid on a face, mu 0, e 1",
    "a ball into a groove",         "a ball on two balls",
    "a cuboid at rest, struck",     "a ball on a row of balls",
    "a ball on a row of balls, e 1"};
const int drawn_contacts[DRAWN_KINDS] = {1, 1, 2, 4, 4, 4, 2, 3, 5, 0, 0};

static const double STIFFNESS = 1e10;  /* Pa */
static const double TRANSITION = 0.01; /* m/s */
static const double FOOT = 0.02;       /* m, radius of a cuboid's corners */
static const double BALL = 0.1;        /* m, radius of a ball */

static json_t *vector(double x, double y, double z) {
    return json_pack("[f, f, f]", x, y, z);
}

static json_t *vector_of(const double x[3]) {
    return vector(x[0], x[1], x[2]);
}

static void direction(gen_stream *g, double d[3]) {
    for (int k = 0; k < 3; k++)
        d[k] = gen_normal(g);
    const double length = norm3(d);
    for (int k = 0; k < 3; k++)
        d[k] /= length;
}

/* A speed in any direction against the normal n. */
static json_t *approach(gen_stream *g, double speed, const double n[3]) {
    double d[3];
    direction(g, d);
    const double sign = dot3(d, n) > 0 ? -speed : speed;
    return vector(sign * d[0], sign * d[1], sign * d[2]);
}

static json_t *spin(gen_stream *g, double rate) {
    const double x = gen_normal(g), y = gen_normal(g), z = gen_normal(g);
    return vector(rate * x, rate * y, rate * z);
}

static double mass(gen_stream *g) {
    return gen_power10(g, -0.5, 0.5);
}

static double angle(gen_stream *g, double low, double high) {
    return gen_uniform(g, low, high) * acos(-1) / 180;
}

static json_t *material(gen_stream *g, drawn_kind kind, double speed) {
    const bool row = kind == DRAWN_ROW || kind == DRAWN_CHAIN,
               elastic = kind == DRAWN_ELASTIC || kind == DRAWN_CHAIN;
    const double dissipation = elastic ? 0 : gen_uniform(g, 0, 2) / speed,
                 most = row || elastic || kind == DRAWN_SMOOTH ? 0
                        : kind == DRAWN_RACK                   ? 0.5
                                                               : 1,
                 friction = gen_uniform(g, 0, most);
    return json_pack("{s:f, s:f, s:f}", "stiffness", STIFFNESS, "dissipation", dissipation,
                     "friction", friction);
}

static json_t *ball(double m, const double at[3], json_t *velocity, json_t *spins) {
    return json_pack("{s:f, s:f, s:o, s:o, s:o, s:[{s:f, s:[[i, i, i]]}]}", "mass", m, "ball", BALL,
                     "position", vector_of(at), "velocity", velocity, "spin", spins, "spheres",
                     "radius", BALL, "at", 0, 0, 0);
}

static json_t *still(void) {
    return vector(0, 0, 0);
}

/* On a corner, an edge or a face, about to leave the height at which it touches. */
static json_t *cuboid(gen_stream *g, drawn_kind kind, double speed) {
    static const double up[3] = {0, 0, 1};
    double sides[3];
    for (int k = 0; k < 3; k++)
        sides[k] = gen_uniform(g, 0.2, 1);
    json_t *velocity = approach(g, speed, up), *spins = spin(g, speed);
    json_t *body = json_pack("{s:i, s:o, s:i, s:o, s:o, s:[{s:f, s:s}]}", "mass", 1, "box",
                             vector_of(sides), "clearance", 0, "velocity", velocity, "spin", spins,
                             "spheres", "radius", FOOT, "at", "corners");
    const double turn = gen_uniform(g, 0, 360), tilt = gen_uniform(g, 10, 80),
                 lean = gen_uniform(g, 10, 80);
    json_t *turns = json_pack("[[s, f]]", "z", turn);
    if (kind == DRAWN_CORNER || kind == DRAWN_EDGE)
        (void)json_array_append_new(turns, json_pack("[s, f]", "x", tilt));
    if (kind == DRAWN_CORNER) (void)json_array_append_new(turns, json_pack("[s, f]", "y", lean));
    (void)json_object_set_new(body, "turns", turns);
    return json_pack("{s:o}", "cuboid", body);
}

static json_t *arm(gen_stream *g, double speed) {
    static const double up[3] = {0, 0, 1};
    double sides[3], axis[3], q[4], square = 0;
    for (int k = 0; k < 3; k++)
        sides[k] = gen_uniform(g, 0.2, 0.6);
    direction(g, axis);
    for (int k = 0; k < 4; k++) {
        q[k] = gen_normal(g);
        square += q[k] * q[k];
    }
    const double scale = 1 / sqrt(square), length = gen_uniform(g, 0.3, 1),
                 bend = gen_uniform(g, -60, 60), rate = speed * gen_normal(g), m = mass(g),
                 held = mass(g);
    json_t *velocity = approach(g, speed, up), *spins = spin(g, speed);
    json_t *body =
        json_pack("{s:f, s:o, s:[i, i, i], s:[f, f, f, f], s:o, s:o}", "mass", m, "box",
                  vector_of(sides), "position", 0, 0, 3, "orientation", scale * q[0], scale * q[1],
                  scale * q[2], scale * q[3], "velocity", velocity, "spin", spins);
    json_t *link =
        json_pack("{s:s, s:s, s:[i, i, f], s:o, s:f, s:f, s:f, s:[f, f, f], s:[i, i, f],"
                  " s:[{s:f, s:[[i, i, f]]}]}",
                  "joint", "revolute", "parent", "body", "at", 0, 0, -sides[2] / 2, "axis",
                  vector_of(axis), "angle", bend, "rate", rate, "mass", held, "box", 0.05, 0.05,
                  length, "com", 0, 0, -length / 2, "spheres", "radius", FOOT, "at", 0, 0, -length);
    return json_pack("{s:o, s:o}", "body", body, "arm", link);
}

/* Two planes through the origin, leaning by a and c. */
static json_t *groove(gen_stream *g, double speed, json_t **ground) {
    const double a = angle(g, 20, 70), c = angle(g, 20, 70);
    const double n[3] = {sin(a), 0, cos(a)}, m[3] = {-sin(c), 0, cos(c)};
    const double both[3] = {n[0] + m[0], 0, n[2] + m[2]}, det = n[0] * m[2] - n[2] * m[0];
    const double at[3] = {BALL * (m[2] - n[2]) / det, 0, BALL * (n[0] - m[0]) / det};
    *ground = json_pack("[{s:o}, {s:o}]", "normal", vector_of(n), "normal", vector_of(m));
    json_t *velocity = approach(g, speed, both), *spins = spin(g, speed / BALL);
    return json_pack("{s:o}", "ball", ball(1, at, velocity, spins));
}

static json_t *rack(gen_stream *g, double speed) {
    const double from = angle(g, -30, 30), at[3][3] = {{-sqrt(3) * BALL}, {0, BALL}, {0, -BALL}};
    json_t *velocity = vector(speed * cos(from), speed * sin(from), 0),
           *spins = spin(g, speed / BALL);
    const double first = mass(g), second = mass(g), third = mass(g);
    return json_pack("{s:o, s:o, s:o}", "cue", ball(first, at[0], velocity, spins), "left",
                     ball(second, at[1], still(), still()), "right",
                     ball(third, at[2], still(), still()));
}

/* The ball meets another that is welded into the top of the cuboid, and none of its corners. */
static json_t *struck(gen_stream *g, double speed) {
    double sides[3], n[3], at[3], corner;
    for (int k = 0; k < 3; k++)
        sides[k] = gen_uniform(g, 0.2, 1);
    const double x = sides[0] * gen_uniform(g, -0.5, 0.5), y = sides[1] * gen_uniform(g, -0.5, 0.5),
                 top = sides[2] / 2, place[3] = {x, y, 2 * top + FOOT};
    do {
        direction(g, n);
        n[2] = fabs(n[2]) + 0.5;
        const double length = norm3(n);
        for (int k = 0; k < 3; k++) {
            n[k] /= length;
            at[k] = place[k] + 2 * BALL * n[k];
        }
        corner =
            hypot(hypot(fabs(at[0]) - sides[0] / 2, fabs(at[1]) - sides[1] / 2), at[2] - place[2]);
    } while (corner < 1.1 * (BALL + FOOT));
    json_t *velocity = approach(g, speed, n), *spins = spin(g, speed / BALL);
    json_t *body =
        json_pack("{s:i, s:o, s:[i, i, f], s:[{s:f, s:s}, {s:f, s:[[f, f, f]]}]}", "mass", 1, "box",
                  vector_of(sides), "position", 0, 0, top + FOOT, "spheres", "radius", FOOT, "at",
                  "corners", "radius", BALL, "at", x, y, top);
    return json_pack("{s:o, s:o}", "cuboid", body, "ball", ball(mass(g), at, velocity, spins));
}

static json_t *row(gen_stream *g, double speed) {
    const int balls = 3 + (int)gen_uniform(g, 0, 3);
    json_t *bodies = json_object();
    for (int i = 0; i < balls; i++) {
        char name[24];
        const double at[3] = {2 * BALL * i, 0, 0};
        snprintf(name, sizeof name, "ball %d", i + 1);
        (void)json_object_set_new(
            bodies, name, ball(mass(g), at, i == 0 ? vector(speed, 0, 0) : still(), still()));
    }
    return bodies;
}

imp_status drawn_make(drawn_kind kind, uint64_t sample, uint64_t index, scene *s,
                      imp_error *error) {
    gen_stream g = gen_seed(7100 + 2 * (uint64_t)kind + 100 * sample, index);
    const bool balls = kind == DRAWN_RACK || kind == DRAWN_ROW || kind == DRAWN_CHAIN;
    const double speed = gen_uniform(&g, 0.5, 3);
    json_t *of = material(&g, kind, speed), *ground = json_pack("[{}]");
    json_t *bodies = kind == DRAWN_ARM      ? arm(&g, speed)
                     : kind == DRAWN_GROOVE ? (json_decref(ground), groove(&g, speed, &ground))
                     : kind == DRAWN_RACK   ? rack(&g, speed)
                     : kind == DRAWN_STRUCK ? struck(&g, speed)
                     : balls                ? row(&g, speed)
                                            : cuboid(&g, kind, speed);
    if (balls) (void)json_array_clear(ground);
    scene_file file = {.name = strdup(drawn_names[kind]),
                       .variants = 1,
                       .root = json_pack("{s:s, s:s, s:o, s:f, s:o, s:o, s:{s:i}}", "kind", "scene",
                                         "title", drawn_names[kind], "material", of, "transition",
                                         TRANSITION, "ground", ground, "bodies", bodies, "run",
                                         "until", 10)};
    const imp_status status =
        file.name && file.root
            ? scene_build(&file, 0, s, error)
            : imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", drawn_names[kind]);
    scene_close(&file);
    return status;
}
