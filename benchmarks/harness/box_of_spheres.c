/* box_of_spheres.c - spheres thrown about in an open box. */
#include "benchmarks/harness/box_of_spheres.h"

#include "benchmarks/harness/packing.h"
#include "generators/gen.h"

#include <string.h>

imp_granular *box_of_spheres(const imp_granular_settings *settings, int side) {
    imp_granular_settings set = *settings;
    imp_shape shape[5];
    imp_status status;
    const double edge = side * 1e-3, high[3] = {edge, edge, 2 * edge};
    memset(set.low, 0, sizeof set.low);
    memcpy(set.high, high, sizeof set.high);
    imp_granular *flow = imp_granular_new(&set, packing_walls(&set, shape), shape, NULL, &status);
    gen_stream draw = gen_seed(512, 0);
    for (int i = 0; flow && i < side * side * side; i++) {
        const int at[3] = {i / (side * side), i / side % side, i % side};
        imp_sphere s = {.radius = 0.47e-3, .density = 2650};
        for (int c = 0; c < 3; c++) {
            s.position[c] = 1e-3 * (at[c] + 0.5);
            s.velocity[c] = gen_uniform(&draw, -0.3, 0.3);
        }
        if (imp_granular_add(flow, 1, &s) != IMP_OK) {
            imp_granular_free(flow);
            flow = NULL;
        }
    }
    return flow;
}
