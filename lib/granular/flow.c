/* flow.c - a flow made, filled and read. */
#include "granular/flow.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A point that rests keeps its bytes, which checkpoints compare: -0 + dt 0 is +0. */
static void no_minus_zeros(imp_shape *s) {
    for (int c = 0; c < 3; c++) {
        s->point[c] += 0.0;
        s->normal[c] += 0.0;
        s->velocity[c] += 0.0;
    }
}

imp_granular *imp_granular_new(const imp_granular_settings *settings, int shapes,
                               const imp_shape *shape, const imp_inflow *inflow,
                               imp_status *status) {
    *status = imp_granular_check(settings, shapes, shape, inflow);
    if (*status != IMP_OK) return NULL;
    imp_granular *g = calloc(1, sizeof *g);
    *status = g ? IMP_OK : IMP_NO_MEMORY;
    if (!g) return NULL;
    g->set = *settings;
    g->most_pairs = INT_MAX;
    g->walls.n = shapes;
    if (shapes) memcpy(g->walls.at, shape, (size_t)shapes * sizeof *shape);
    for (int i = 0; i < shapes; i++)
        no_minus_zeros(&g->walls.at[i]);
    g->inflow.plane = -1;
    if (inflow) g->inflow = *inflow;
    if (g->inflow.plane >= 0) g->home = g->walls.at[g->inflow.plane].point[0];
    return g;
}

void imp_granular_free(imp_granular *g) {
    if (!g) return;
    imp_bodies_free(&g->bodies);
    imp_bodies_free(&g->spare);
    imp_cells_free(&g->cells);
    imp_list_free(&g->list);
    for (int k = 0; k < g->contacts_room; k++) {
        free(g->contacts[k].octet);
        free(g->contacts[k].single);
    }
    free(g->contacts);
    free(g->single);
    if (g->halo) g->halo->free(g->halo->self);
    free(g);
}

imp_status imp_granular_add(imp_granular *g, int n, const imp_sphere *spheres) {
    bodies *b = &g->bodies;
    bool tops = is_general(g->set.law);
    if (n < 0 || n > INT_MAX / 4 - b->count) return IMP_BAD_ARGUMENT;
    for (int i = 0; i < n; i++) {
        const imp_status status = imp_sphere_check(&spheres[i]);
        if (status != IMP_OK) return status;
        if (spheres[i].offset > 0 && g->set.single_precision) return IMP_BAD_ARGUMENT;
        tops = tops || spheres[i].offset > 0;
    }
    if (!imp_bodies_reserve(b, b->count + n, tops)) return IMP_NO_MEMORY;
    for (int i = 0; i < n; i++) {
        const particle one = imp_particle_of(&spheres[i], g->now.next_id++, g->set.friction);
        imp_bodies_put(b, b->count + i, &one);
    }
    /* The bodies of shapes stood where the new ones are now: the next list puts them back. */
    b->count += n;
    g->now.listed = false;
    return IMP_OK;
}

/* By the room of each array; what ranks need is their own. */
size_t imp_granular_bytes(const imp_granular *g) {
    const list *l = &g->list;
    const size_t body_size =
        sizeof(particle) - (g->bodies.top ? 0 : sizeof(top)) + sizeof(place) + 1;
    size_t bytes = sizeof *g + (size_t)(g->bodies.room + g->spare.room) * body_size +
                   (size_t)(g->cells.room + 3 * g->cells.sort_room) * sizeof *g->cells.start +
                   (size_t)l->taken_room * sizeof *l->taken +
                   (size_t)(l->along_room + l->border_room) * sizeof *l->along +
                   (size_t)l->carry.room * sizeof *l->carry.item +
                   (size_t)(l->carry.start_room + l->carry.row_room) * sizeof *l->carry.row +
                   (size_t)l->room * sizeof *l->brick +
                   (size_t)g->contacts_room * sizeof *g->contacts +
                   (size_t)g->single_room * sizeof *g->single;
    const size_t octet_size = g->set.single_precision ? sizeof(single_octet) : sizeof(octet);
    for (int k = 0; k < l->room; k++) {
        const candidates *c = &l->brick[k];
        bytes += (size_t)c->room *
                     (sizeof *c->pair + sizeof *c->live + sizeof *c->row + sizeof *c->colour) +
                 (size_t)c->impulse_room * 3 * sizeof *c->impulse;
    }
    for (int k = 0; k < g->contacts_room; k++)
        bytes += (size_t)g->contacts[k].room * octet_size;
    return bytes;
}

int imp_granular_count(const imp_granular *g) {
    return g->bodies.count;
}

double imp_granular_time(const imp_granular *g) {
    return g->now.time;
}

imp_granular_costs imp_granular_cost(const imp_granular *g) {
    imp_granular_costs costs = g->costs;
    costs.rebuilds = g->now.rebuilds;
    return costs;
}

imp_sphere imp_granular_sphere(const imp_granular *g, int i) {
    const particle one = imp_bodies_get(&g->bodies, i);
    return imp_particle_sphere(&one);
}

int imp_granular_spheres(const imp_granular *g, imp_sphere *spheres, int room) {
    for (int i = 0; i < room && i < g->bodies.count; i++)
        spheres[i] = imp_granular_sphere(g, i);
    return g->bodies.count;
}

imp_shape imp_granular_shape(const imp_granular *g, int i) {
    return g->walls.at[i];
}

int imp_granular_contacts(const imp_granular *g, imp_granular_contact *contacts, int room) {
    return g->now.listed ? imp_contacts_tell(&g->list, &g->bodies, &g->walls, contacts, room) : 0;
}
