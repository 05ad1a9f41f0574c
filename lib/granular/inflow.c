/* inflow.c - a plane that pushes layer after layer of spheres into the room (Preclik, Eibl, Ruede
 * 2017, section 4.3).
 */
#include "granular/flow.h"

#include <math.h>
#include <stdlib.h>

/* Uniform in [-1, 1), a function of seed, particle and component alone (the finaliser of
 * SplitMix64, Steele, Lea, Flood 2014). */
static double draw(uint64_t seed, int64_t id, int component) {
    uint64_t z = seed + 0x9e3779b97f4a7c15u * (2 * (uint64_t)id + (uint64_t)component + 1);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
}

void imp_inflow_disturb(const imp_inflow *inflow, int64_t id, double velocity[3]) {
    velocity[0] = inflow->speed;
    velocity[1] = inflow->disturbance * draw(inflow->seed, id, 0);
    velocity[2] = inflow->disturbance * draw(inflow->seed, id, 1);
}

/* Shoemake 1992, "Uniform random rotations"; numbers that no disturbance uses. */
void imp_inflow_orient(const imp_inflow *inflow, int64_t id, double orientation[4]) {
    const double pi = 3.14159265358979323846;
    const uint64_t seed = ~inflow->seed;
    const double share = 0.5 * (draw(seed, 2 * id, 0) + 1), a = pi * draw(seed, 2 * id, 1),
                 b = pi * draw(seed, 2 * id + 1, 0);
    orientation[0] = sqrt(share) * cos(a);
    orientation[1] = sqrt(1 - share) * sin(b);
    orientation[2] = sqrt(1 - share) * cos(b);
    orientation[3] = sqrt(share) * sin(a);
}

int imp_granular_feed(imp_granular *g) {
    const imp_inflow *in = &g->inflow;
    if (in->plane < 0) return 0;
    imp_shape *plane = &g->walls.at[in->plane];
    const double travel = (double)g->now.plane_steps * g->set.step * plane->velocity[0];
    if (travel < in->advance * (1 - 1e-9)) {
        /* the travel is a whole number of steps but for rounding */
        plane->point[0] = g->home + travel;
        return 0;
    }
    const int n = in->ny * in->nz;
    imp_sphere *layer = malloc((size_t)n * sizeof *layer);
    if (!layer) return -1;
    g->now.plane_steps = 0;
    plane->point[0] = g->home;
    for (int i = 0; i < n; i++) {
        const int iy = i / in->nz, iz = i % in->nz;
        layer[i] = (imp_sphere){.radius = in->radius, .density = in->density};
        layer[i].position[0] = g->home + in->radius;
        layer[i].position[1] = in->first[0] + in->spacing * iy;
        layer[i].position[2] = in->first[1] + in->spacing * iz;
        imp_inflow_disturb(in, g->now.next_id + i, layer[i].velocity);
        layer[i].offset = in->offset;
        if (in->offset > 0) imp_inflow_orient(in, g->now.next_id + i, layer[i].orientation);
    }
    const imp_status status = imp_granular_add(g, n, layer);
    free(layer);
    if (status == IMP_OK && g->halo) g->halo->claim(g->halo->self, g, g->bodies.count - n);
    return status == IMP_OK ? n : -1;
}
