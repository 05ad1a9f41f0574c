/* start.c - a flow at its beginning: from its parameters, or where a checkpoint left it; and what
 * its first step makes of them. */
#include "cli/cli.h"

#include <math.h>

/* The key of `spheres` by which a sphere is not one of those parameters; NULL: it is one. A flow
 * keeps its mass, so the density comes back but for rounding. */
static const char *differs(const imp_inflow *of, const imp_sphere *s) {
    const bool same = fabs(s->density - of->density) <= 1e-12 * of->density;
    if (s->radius != of->radius) return "radius";
    if (s->offset != of->offset) return "offset";
    return same ? NULL : "density";
}

/* A checkpoint of a flow without an inflow says nothing of `spheres` but by those it has. */
static const char *other_spheres(const imp_flow *flow, const imp_granular *g) {
    const char *key = NULL;
    for (int i = 0; !key && i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        key = differs(&flow->inflow, &s);
    }
    return key;
}

static imp_status resume(const imp_flow *flow, imp_granular *g, const char *path,
                         imp_error *error) {
    imp_input input;
    const char *why, *key;
    imp_status status = imp_input_open(&input, path, error);
    if (status != IMP_OK) return status;
    status = imp_granular_load(g, input.file, &why);
    if (status != IMP_OK)
        imp_error_set(error, status, "%s: %s", input.name, why);
    else if ((key = other_spheres(flow, g)) != NULL)
        status = imp_error_set(
            error, IMP_BAD_ARGUMENT,
            "%s: a checkpoint of another $.spheres.%s, expected that it was written with",
            input.name, key);
    imp_input_close(&input);
    return status;
}

/* A normal that points out of the room, or none of the keys that bring spheres: the run would end
 * well, with nothing in it. */
static void tell_empty(const imp_flow *flow, const char *file, const imp_granular *g) {
    if (imp_granular_count(g) > 0) return;
    if (flow->fill)
        warn_of("%s: $.fill: no sphere, each would touch a shape: normals point into the room",
                file);
    else if (flow->inflow.plane < 0)
        warn_of("%s: no sphere, neither $.fill nor $.inflow", file);
}

imp_granular *flow_start(const imp_flow *flow, const char *file, const char *checkpoint) {
    imp_status status;
    imp_error error;
    imp_granular *g = imp_flow_start(flow, checkpoint != NULL, &status);
    if (!g) {
        complain_of("%s: no flow can be made: %s", file, imp_status_text(status));
    } else if (checkpoint && resume(flow, g, checkpoint, &error) != IMP_OK) {
        imp_error said;
        imp_error_set(&said, error.status, "--resume %s", error.text);
        complain(&said);
        imp_granular_free(g);
        g = NULL;
    } else if (!checkpoint) {
        tell_empty(flow, file, g);
    }
    return g;
}

void flow_tell_bricks(const char *file, const imp_flow *flow, const imp_granular *g) {
    const int *asked = flow->settings.bricks;
    int made[3];
    imp_granular_bricks(g, made);
    if (asked[0] <= made[0] && asked[1] <= made[1] && asked[2] <= made[2]) return;
    warn_of("%s: $.bricks: %d x %d x %d, of which %d x %d x %d have a grid cell each and are made",
            file, asked[0], asked[1], asked[2], made[0], made[1], made[2]);
}
