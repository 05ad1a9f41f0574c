/* flow_start.c - a granular flow made of its parameters. */
#include "io/flow_file.h"

#include <stdlib.h>

/* Of a radius: less is rounding of what stands at a shape, as walls at the edge of the grid do. */
static const double touch = 1e-9;

/* Spheres on the grid of the fill where no shape is touched. */
static imp_status fill(const imp_flow *f, imp_granular *g) {
    double n[3], first[3], normal[3];
    const double total = imp_flow_fit(f, n, first);
    if (total > IMP_FLOW_SPHERES) return IMP_BAD_ARGUMENT;
    const int ny = (int)n[1], nz = (int)n[2];
    int count = 0;
    imp_sphere *spheres = malloc(((size_t)total + 1) * sizeof *spheres);
    if (!spheres) return IMP_NO_MEMORY;
    for (int i = 0; i < (int)total; i++) {
        const int at[3] = {i / (ny * nz), i / nz % ny, i % nz};
        imp_sphere *s = &spheres[count];
        bool clear = true;
        *s = (imp_sphere){
            .radius = f->inflow.radius, .density = f->inflow.density, .offset = f->inflow.offset};
        for (int x = 0; x < 3; x++)
            s->position[x] = first[x] + at[x] * f->inflow.spacing;
        for (int k = 0; k < f->shapes; k++)
            clear = clear && imp_shape_gap(&f->shape[k], s->position, s->radius, normal) >=
                                 -touch * s->radius;
        if (!clear) continue;
        imp_inflow_disturb(&f->inflow, count, s->velocity);
        if (s->offset > 0) imp_inflow_orient(&f->inflow, count, s->orientation);
        count++;
    }
    const imp_status status = imp_granular_add(g, count, spheres);
    free(spheres);
    return status;
}

imp_granular *imp_flow_start(const imp_flow *f, bool empty, imp_status *status) {
    imp_granular *g = imp_granular_new(&f->settings, f->shapes, f->shape, &f->inflow, status);
    if (!g || empty || !f->fill) return g;
    *status = fill(f, g);
    if (*status == IMP_OK) return g;
    imp_granular_free(g);
    return NULL;
}
