/* impact.c - the scenes by our own time stepper: `auto` (Coulomb's law) to 1e-10, as preset, and to
 * 1e-3, both from the last step's impulses; and PLUS.
 *
 * It is told which points may touch: balls, the corners of boxes and the ends of capsules
 * against the ground, and in a tower the corners of each box against the one below. PLUS is for
 * impacts, and not asked for the tower. */
#include "benchmarks/peers/engines/engine.h"
#include "impact.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS = 8 };

typedef struct world {
    const peer_scene *scene;
    imp_world *world;
    imp_stepper *stepper;
    imp_step_settings settings;
    imp_shapes shapes;
    imp_guard guard[PEER_BODIES * CORNERS];
    imp_ball ball[PEER_BODIES];
    bool refused; /* a step was: nothing that is read is a number */
} world;

static imp_link link_of(const peer_body *b) {
    imp_link link = {.mass = b->mass};
    for (int k = 0; k < 3; k++) {
        const double y = b->half[(k + 1) % 3], z = b->half[(k + 2) % 3];
        link.inertia[4 * k] = b->length > 0 ? b->moment[k]
                                            : b->mass * (b->radius > 0 ? 0.4 * b->radius * b->radius
                                                                       : (y * y + z * z) / 3);
    }
    return link;
}

static void guard_add(world *w, const imp_guard *guard) {
    w->guard[w->shapes.guards++] = *guard;
}

static void shapes_of(world *w, const peer_scene *s) {
    for (int i = 0; i < s->bodies; i++) {
        const peer_body *b = &s->body[i];
        imp_guard guard = {.link = i,
                           .radius = b->radius,
                           .plane = IMP_GROUND,
                           .normal = {0, 0, 1},
                           .mu = s->mu,
                           .e = s->e};
        if (b->length > 0) { /* by the balls at its ends */
            for (int end = -1; end < 2 && s->ground; end += 2) {
                guard.centre[2] = end * b->length / 2;
                guard_add(w, &guard);
            }
            continue;
        }
        if (b->radius > 0) {
            w->ball[w->shapes.balls++] = (imp_ball){.link = i, .radius = b->radius, .mu = s->mu};
            if (s->ground) guard_add(w, &guard);
            continue;
        }
        if (s->tower && i > 0) {
            guard.plane = i - 1;
            guard.point[2] = s->body[i - 1].half[2];
        }
        for (int c = 0; c < (s->tower ? CORNERS / 2 : CORNERS); c++) {
            for (int k = 0; k < 3; k++)
                guard.centre[k] = (c >> k) % 2 ? b->half[k] : -b->half[k];
            guard_add(w, &guard);
        }
    }
    w->shapes.guard = w->guard;
    w->shapes.ball = w->ball;
    w->shapes.e = s->e;
    w->shapes.reach = 1e-5;
    w->shapes.ahead = 1;
}

static void finish(void *data) {
    world *w = data;
    imp_stepper_free(w->stepper);
    imp_world_free(w->world);
    imp_shapes_clear(&w->shapes);
    free(w);
}

/* The next step goes on from no impulses, either. */
static void again(void *data) {
    const world *w = data;
    for (int i = 0; i < w->scene->bodies; i++) {
        const peer_body *b = &w->scene->body[i];
        double *q = imp_world_q(w->world, i);
        memcpy(q, b->position, sizeof b->position);
        memcpy(q + 3, b->attitude, sizeof b->attitude);
        memcpy(imp_world_v(w->world, i), b->velocity, sizeof b->velocity);
    }
    for (int k = 0; k < 3 * w->stepper->problem.nc; k++)
        w->stepper->p[k] = 0;
    imp_world_place(w->world);
}

static void *open_with(const peer_scene *s, const imp_model *model, const imp_settings *own) {
    imp_link links[PEER_BODIES];
    double position[3 * PEER_BODIES];
    world *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->scene = s;
    for (int i = 0; i < s->bodies; i++) {
        links[i] = link_of(&s->body[i]);
        memcpy(position + 3 * i, s->body[i].position, 3 * sizeof *position);
    }
    shapes_of(w, s);
    w->world = imp_world_of_bodies(s->bodies, links, position, NULL);
    w->stepper = w->world ? imp_stepper_new(w->world) : NULL;
    w->settings = (imp_step_settings){.h = s->h,
                                      .gravity = {s->gravity[0], s->gravity[1], s->gravity[2]},
                                      .model = model,
                                      .own = own,
                                      .detect = imp_shapes_nearby,
                                      .detect_data = &w->shapes};
    if (!w->stepper) {
        finish(w);
        return NULL;
    }
    again(w);
    return w;
}

/* Engines go on from the last step's impulses; so does this. */
static void *open_to(const peer_scene *s, double tolerance, imp_settings *own) {
    imp_blocks_settings blocks = imp_blocks_presets;
    blocks.tolerance = tolerance;
    blocks.start = 1;
    memcpy(own, &blocks, sizeof blocks);
    return open_with(s, imp_model_find("auto"), own);
}

static void *open_auto(const peer_scene *s) {
    static imp_settings fine;
    return open_to(s, imp_blocks_presets.tolerance, &fine);
}

static void *open_rough(const peer_scene *s) {
    static imp_settings rough;
    return open_to(s, 1e-3, &rough);
}

static void *open_plus(const peer_scene *s) {
    return s->tower ? NULL : open_with(s, imp_model_find("plus"), NULL);
}

static void step(void *data) {
    world *w = data;
    if (imp_step(w->stepper, &w->settings) < 0) w->refused = true;
}

static void read(void *data, int body, double position[3], double velocity[6]) {
    const world *w = data;
    const double *x = imp_world_q(w->world, body), *v = imp_world_v(w->world, body),
                 spoilt = w->refused ? NAN : 0;
    for (int k = 0; k < 3; k++)
        position[k] = x[k] + spoilt;
    for (int k = 0; k < 6; k++)
        velocity[k] = v[k] + spoilt;
}

static const char told[] = "told which points may touch; goes on from the last step's impulses";

const peer_engine peer_engines[] = {
    {"impact, auto", told, 1, open_auto, again, step, read, finish, NULL},
    {"impact, auto to 1e-3", told, 1, open_rough, again, step, read, finish, NULL},
    {"impact, plus",
     "told which points may touch; its law is another than Coulomb's on the box's corner", 1,
     open_plus, again, step, read, finish, NULL},
    {0}};
