/* spheres.c - spheres on a jittered grid above an open box. */
#include "benchmarks/experiments/spheres.h"

#include "multibody/vec3.h"

#include <stdint.h>
#include <stdlib.h>

const double spheres_radius = 0.04, spheres_gravity = 9.81;
const double spheres_mass = 1000 * 4 * 3.14159265358979323846 / 3 * 0.04 * 0.04 * 0.04; /* density 1000 kg/m^3 */

const spheres_design spheres_27 = {{3, 3}, 3, 27, 0.2, 0.17};
const spheres_design spheres_96 = {{4, 4}, 6, 96, 0.2, 0.22};
const spheres_design spheres_1001 = {{7, 7}, 21, 1001, 0.5, 0.4};

enum { WALLS = 5 };

/* A 64-bit linear congruential generator, uniform in [0, 1). */
static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static void build_box(const spheres_design *d, spheres *s) {
    for (int i = 0; i < d->count; i++) {
        for (int k = 0; k < WALLS; k++) {
            imp_guard *wall = &s->wall[WALLS * i + k];
            *wall = (imp_guard){.link = i, .radius = spheres_radius, .plane = IMP_GROUND, .mu = 0.2};
            if (k == 0) {
                wall->normal[2] = 1;
                continue;
            }
            const int axis = (k - 1) / 2, side = k % 2 ? 1 : -1;
            wall->normal[axis] = side;
            wall->point[axis] = -side * d->half_width;
        }
        s->ball[i] = (imp_ball){.link = i, .radius = spheres_radius};
    }
}

static imp_world *build_world(const spheres_design *d) {
    const size_t count = (size_t)d->count;
    imp_link *link = calloc(count, sizeof *link);
    double *position = malloc(3 * count * sizeof *position);
    imp_world *world = NULL;
    uint64_t state = 12345;
    const int per_layer = d->across[0] * d->across[1];
    for (int i = 0; link && position && i < d->count; i++) {
        const int layer = i / per_layer, k = i % per_layer;
        const double grid[3] = {0.1 * (k % d->across[0] - 0.5 * (d->across[0] - 1)),
                                0.1 * (k / d->across[0] - 0.5 * (d->across[1] - 1)), d->bottom + 0.1 * layer};
        for (int x = 0; x < 3; x++) {
            position[3 * i + x] = grid[x] + 0.01 * (uniform(&state) - 0.5);
            link[i].inertia[4 * x] = 0.4 * spheres_mass * spheres_radius * spheres_radius;
        }
        link[i].mass = spheres_mass;
    }
    if (link && position) world = imp_world_of_bodies(d->count, link, position, NULL);
    free(link);
    free(position);
    return world;
}

bool spheres_new(const spheres_design *d, const imp_model *model, double reach, double ahead, bool late, spheres *s) {
    *s = (spheres){.count = d->count,
                   .wall = calloc(WALLS * (size_t)d->count, sizeof *s->wall),
                   .ball = calloc((size_t)d->count, sizeof *s->ball),
                   .world = build_world(d)};
    s->stepper = s->world ? imp_stepper_new(s->world) : NULL;
    if (!s->stepper || !s->wall || !s->ball) return false;
    build_box(d, s);
    s->shapes = (imp_shapes){.guards = WALLS * d->count,
                             .guard = s->wall,
                             .balls = d->count,
                             .ball = s->ball,
                             .mu = 0.2,
                             .reach = reach,
                             .ahead = ahead};
    s->settings = (imp_step_settings){.h = 0.005,
                                      .gravity = {0, 0, -spheres_gravity},
                                      .model = model,
                                      .least_gap = -5e-4,
                                      .detect = imp_shapes_nearby,
                                      .late = late ? imp_shapes_late : NULL,
                                      .detect_data = &s->shapes};
    imp_world_place(s->world);
    return true;
}

void spheres_free(spheres *s) {
    imp_shapes_clear(&s->shapes);
    imp_stepper_free(s->stepper);
    imp_world_free(s->world);
    free(s->wall);
    free(s->ball);
}

double spheres_fastest(const spheres *s) {
    double fastest = 0;
    for (int i = 0; i < s->count; i++)
        fastest = fmax(fastest, norm3(imp_world_v(s->world, i)));
    return fastest;
}

double spheres_kinetic(const spheres *s) {
    return imp_world_kinetic(s->world) / spheres_mass;
}

double spheres_energy(const spheres *s) {
    return spheres_kinetic(s) + imp_world_potential(s->world, s->settings.gravity) / spheres_mass;
}
