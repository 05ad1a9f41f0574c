/* granular_box.h - a box of tumbling spheres for the tests of granular flow. */
#ifndef GRANULAR_BOX_H
#define GRANULAR_BOX_H

#include "benchmarks/harness/packing.h"
#include "generators/gen.h"
#include "impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* nx x ny x nz spheres on a grid of 1 mm, radius 0.47 mm (the last share of it random), with random
 * velocities and spins. NULL: refused or no memory. */
static inline imp_granular *box_flow(imp_granular_settings *set, int nx, int ny, int nz,
                                     double share, uint64_t seed) {
    imp_shape shape[5];
    imp_status status;
    set->high[0] = nx * 1e-3;
    set->high[1] = ny * 1e-3;
    set->high[2] = (nz + 15) * 1e-3; /* room to jump */
    const int shapes = packing_walls(set, shape), n = nx * ny * nz;
    imp_granular *g = imp_granular_new(set, shapes, shape, NULL, &status);
    imp_sphere *s = calloc((size_t)n, sizeof *s);
    gen_stream draw = gen_seed(seed, 0);
    for (int i = 0; s && i < n; i++) {
        const int at[3] = {i / (ny * nz), i / nz % ny, i % nz};
        s[i].radius = 0.47e-3 * (1 - share * gen_uniform(&draw, 0, 1));
        s[i].density = 2650;
        for (int c = 0; c < 3; c++) {
            s[i].position[c] = 1e-3 * (at[c] + 0.5);
            s[i].velocity[c] = gen_uniform(&draw, -0.5, 0.5);
            s[i].spin[c] = gen_uniform(&draw, -200, 200);
        }
    }
    if (g && (!s || imp_granular_add(g, n, s) != IMP_OK)) {
        imp_granular_free(g);
        g = NULL;
    }
    free(s);
    return g;
}

/* A channel of the size of set->high, open at its far end: floor, ceiling, sides, a plane that
 * pushes layers of ny x nz spheres in at 1 m/s. */
static inline imp_granular *box_channel(imp_granular_settings *set, double friction, int ny, int nz,
                                        imp_inflow *inflow) {
    const double *high = set->high;
    const imp_shape shape[5] = {
        {.kind = IMP_SHAPE_PLANE, .normal = {1, 0, 0}, .velocity = {1, 0, 0}, .friction = friction},
        {.kind = IMP_SHAPE_PLANE, .normal = {0, 1, 0}, .friction = friction},
        {.kind = IMP_SHAPE_PLANE,
         .normal = {0, -1, 0},
         .point = {0, high[1], 0},
         .friction = friction},
        {.kind = IMP_SHAPE_PLANE, .normal = {0, 0, 1}, .friction = friction},
        {.kind = IMP_SHAPE_PLANE,
         .normal = {0, 0, -1},
         .point = {0, 0, high[2]},
         .friction = friction},
    };
    imp_status status;
    set->outlet = high[0];
    *inflow = (imp_inflow){.plane = 0,
                           .advance = 0.94e-3,
                           .ny = ny,
                           .nz = nz,
                           .first = {0.5e-3, 0.5e-3},
                           .spacing = 1e-3,
                           .radius = 0.47e-3,
                           .density = 2650,
                           .speed = 1,
                           .disturbance = 0.5,
                           .seed = 7};
    return imp_granular_new(set, 5, shape, inflow, &status);
}

static inline double box_mass(const imp_sphere *s) {
    return s->density * 4 / 3 * 3.14159265358979323846 * s->radius * s->radius * s->radius;
}

static inline double box_distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* A number that any other bit in positions, velocities, spins, ids or their order would change
 * (FNV-1a). */
static inline uint64_t box_bits(const imp_granular *g) {
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        double x[10];
        unsigned char bytes[sizeof x];
        memcpy(x, s.position, sizeof s.position);
        memcpy(x + 3, s.velocity, sizeof s.velocity);
        memcpy(x + 6, s.spin, sizeof s.spin);
        x[9] = (double)s.id;
        memcpy(bytes, x, sizeof x);
        for (size_t k = 0; k < sizeof x; k++)
            hash = (hash ^ bytes[k]) * 1099511628211u;
    }
    return hash;
}

/* Steps until the end or a failure; the last report. */
static inline imp_granular_report box_run(imp_granular *g, int steps, imp_status *worst) {
    imp_granular_report r = {0};
    *worst = IMP_OK;
    for (int i = 0; i < steps && *worst >= 0; i++) {
        const imp_status status = imp_granular_step(g, &r);
        if (status != IMP_OK && (status < 0 || *worst == IMP_OK)) *worst = status;
    }
    return r;
}

/* Those of nx x ny x nz spheres after so many steps; 0: refused, or a step failed. */
static inline uint64_t box_bits_after(imp_granular_settings set, const int n[3], double share,
                                      uint64_t seed, int steps) {
    imp_status status;
    imp_granular *g = box_flow(&set, n[0], n[1], n[2], share, seed);
    if (!g) return 0;
    box_run(g, steps, &status);
    const uint64_t bits = status == IMP_OK ? box_bits(g) : 0;
    imp_granular_free(g);
    return bits;
}

/* A checkpoint into a flow. */
static inline imp_status box_load(imp_granular *g, const char *path, const char **why) {
    FILE *in = fopen(path, "rb");
    if (!in) abort();
    const imp_status status = imp_granular_load(g, in, why);
    fclose(in);
    return status;
}

#endif
