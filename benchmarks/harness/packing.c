/* packing.c - spheres fall into an open box and settle. */
#include "benchmarks/harness/packing.h"

#include "generators/gen.h"

#include <stdlib.h>

enum { SETTLE = 10000 }; /* steps of 10 us */

packing packing_new(int n, double wide, double high) {
    packing p = {n, wide, high, calloc((size_t)n + 1, sizeof(imp_sphere))};
    if (!p.sphere) p.n = 0;
    return p;
}

int packing_walls(const imp_granular_settings *settings, imp_shape shape[5]) {
    for (int i = 0; i < 5; i++) {
        const int axis = i == 0 ? 2 : (i - 1) / 2, far = i > 0 && i % 2 == 0;
        shape[i] = (imp_shape){.kind = IMP_SHAPE_PLANE, .friction = settings->friction};
        shape[i].normal[axis] = far ? -1 : 1;
        shape[i].point[axis] = far ? settings->high[axis] : settings->low[axis];
    }
    return 5;
}

imp_granular *packing_flow(const packing *p, const imp_granular_settings *settings) {
    imp_granular_settings set = *settings;
    imp_shape shape[5];
    imp_status status;
    set.high[0] = set.high[1] = p->wide;
    set.high[2] = p->high;
    imp_granular *g = imp_granular_new(&set, packing_walls(&set, shape), shape, NULL, &status);
    if (g && imp_granular_add(g, p->n, p->sphere) == IMP_OK) return g;
    imp_granular_free(g);
    return NULL;
}

packing packing_settle(int side) {
    const imp_granular_settings set = imp_granular_settings_default();
    packing p = packing_new(side * side * side, side * 1e-3, (side + 15) * 1e-3);
    gen_stream draw = gen_seed(991, 0);
    for (int i = 0; i < p.n; i++) {
        const int at[3] = {i / (side * side), i / side % side, i % side};
        p.sphere[i] = (imp_sphere){.radius = 0.47e-3, .density = 2650};
        for (int c = 0; c < 3; c++) {
            p.sphere[i].position[c] = 1e-3 * (at[c] + 0.5);
            p.sphere[i].velocity[c] = gen_uniform(&draw, -0.5, 0.5);
        }
    }
    imp_granular *g = p.n ? packing_flow(&p, &set) : NULL;
    bool good = g != NULL;
    for (int i = 0; good && i < SETTLE; i++)
        good = imp_granular_step(g, NULL) == IMP_OK;
    for (int i = 0; good && i < p.n; i++)
        p.sphere[i] = imp_granular_sphere(g, i);
    imp_granular_free(g);
    if (!good) p.n = 0;
    return p;
}
