/* particles.c - the arrays of a flow: made, grown, filled, read. */
#include "granular/granular_internal.h"
#include "granular/ranks/ranks_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

bool imp_granular_grow(void *array, int *room, int need, size_t size) {
    if (need <= *room) return true;
    const int wanted = need > INT_MAX / 2 ? need : need + need / 8 + 16;
    const size_t bytes = ((size_t)wanted * size + 63) / 64 * 64;
    void *old, *more = aligned_alloc(64, bytes);
    if (!more) return false;
    memcpy(&old, array, sizeof old);
    if (old) memcpy(more, old, (size_t)*room * size);
    free(old);
    memcpy(array, &more, sizeof more);
    *room = wanted;
    return true; /* cppcheck-suppress memleak ; *array has it */
}

bool imp_granular_reserve(imp_granular *g, int n) {
    if (n <= g->room) return true;
    const struct {
        void *array;
        size_t size;
    } arrays[] = {{&g->body, sizeof *g->body},
                  {&g->place, sizeof *g->place},
                  {&g->reference, sizeof *g->reference},
                  {&g->id, sizeof *g->id},
                  {&g->own, sizeof *g->own},
                  {&g->mask, sizeof *g->mask},
                  {&g->key, sizeof *g->key},
                  {&g->order, sizeof *g->order},
                  {&g->target, sizeof *g->target},
                  {&g->body_spare, sizeof *g->body_spare},
                  {&g->place_spare, sizeof *g->place_spare},
                  {&g->id_spare, sizeof *g->id_spare}};
    int room = g->room;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        room = g->room;
        if (!imp_granular_grow(arrays[k].array, &room, n, arrays[k].size)) return false;
    }
    g->room = room;
    return !g->top || imp_granular_reserve_tops(g, n);
}

imp_granular_settings imp_granular_settings_default(void) {
    return (imp_granular_settings){
        .step = 1e-5,
        .gravity = {0, 0, -9.81},
        .friction = 0.4,
        .erp = 0.8,
        .margin = 5e-6,
        .look_ahead = true,
        .warm = 0.9,
        .sweeps = 10,
        .most_sweeps = 1000,
        .skin = 1.8e-4,
        .high = {0.1, 0.1, 0.1},
        .outlet = INFINITY,
        .threads = 1,
        .simd = true,
        .law = IMP_GRANULAR_MAXDISS,
    };
}

static bool all_finite(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static imp_status check_settings(const imp_granular_settings *s) {
    if (!all_finite(s->gravity, 3) || !all_finite(s->low, 3) || !all_finite(s->high, 3) || isnan(s->outlet))
        return IMP_NOT_FINITE;
    for (int i = 0; i < 3; i++)
        if (!(s->low[i] < s->high[i])) return IMP_BAD_ARGUMENT;
    const bool numbers = s->step > 0 && isfinite(s->step) && s->friction >= 0 && isfinite(s->friction) && s->erp >= 0 &&
                         s->erp <= 1 && s->margin >= 0 && isfinite(s->margin) && s->warm >= 0 && s->warm <= 1 &&
                         s->blend >= 0 && s->blend <= 1 && s->tolerance >= 0 && isfinite(s->tolerance) && s->skin > 0 &&
                         isfinite(s->skin);
    const bool counts = s->sweeps >= 0 && s->most_sweeps >= s->sweeps && s->split >= 0 && s->threads > 0 &&
                        s->threads <= IMP_THREADS_MOST && s->bricks[0] >= 0 && s->bricks[1] >= 0 && s->bricks[2] >= 0;
    return numbers && counts ? IMP_OK : IMP_BAD_ARGUMENT;
}

static imp_status check_shape(const imp_shape *s) {
    if (!all_finite(s->point, 3) || !all_finite(s->normal, 3) || !all_finite(s->velocity, 3) || !isfinite(s->friction))
        return IMP_NOT_FINITE;
    if (s->friction < 0) return IMP_BAD_ARGUMENT;
    if (s->kind == IMP_SHAPE_OBSTACLE)
        return s->radius > 0 && isfinite(s->radius) && s->length >= 0 && isfinite(s->length) ? IMP_OK
                                                                                             : IMP_BAD_ARGUMENT;
    const double length = sqrt(s->normal[0] * s->normal[0] + s->normal[1] * s->normal[1] + s->normal[2] * s->normal[2]);
    return fabs(length - 1) <= 1e-9 ? IMP_OK : IMP_BAD_ARGUMENT;
}

static imp_status check_inflow(const imp_inflow *in, int shapes, const imp_shape *shape) {
    if (!in || in->plane < 0) return IMP_OK;
    const double numbers[] = {in->advance, in->first[0], in->first[1],    in->spacing, in->radius,
                              in->density, in->speed,    in->disturbance, in->offset};
    if (!all_finite(numbers, sizeof numbers / sizeof *numbers)) return IMP_NOT_FINITE;
    const bool good = in->plane < shapes && shape[in->plane].kind == IMP_SHAPE_PLANE &&
                      shape[in->plane].velocity[0] > 0 && in->advance > 0 && in->ny > 0 && in->nz > 0 &&
                      in->ny <= INT_MAX / in->nz / 4 && in->spacing > 0 && in->radius > 0 && in->density > 0 &&
                      in->offset >= 0 && in->offset < in->radius;
    return good ? IMP_OK : IMP_BAD_ARGUMENT;
}

imp_granular *imp_granular_new(const imp_granular_settings *settings, int shapes, const imp_shape *shape,
                               const imp_inflow *inflow, imp_status *status) {
    *status = shapes < 0 || shapes > IMP_SHAPES ? IMP_BAD_ARGUMENT : check_settings(settings);
    for (int i = 0; i < shapes && *status == IMP_OK; i++)
        *status = check_shape(&shape[i]);
    if (*status == IMP_OK) *status = check_inflow(inflow, shapes, shape);
    if (*status != IMP_OK) return NULL;
    imp_granular *g = calloc(1, sizeof *g);
    *status = g ? IMP_OK : IMP_NO_MEMORY;
    if (!g) return NULL;
    g->set = *settings;
    g->most_pairs = INT_MAX;
    g->shapes = shapes;
    if (shapes) memcpy(g->shape, shape, (size_t)shapes * sizeof *shape);
    g->inflow.plane = -1;
    if (inflow) g->inflow = *inflow;
    if (g->inflow.plane >= 0) g->shape_home = shape[g->inflow.plane].point[0];
    return g;
}

void imp_granular_free(imp_granular *g) {
    if (!g) return;
    for (int k = 0; k < g->slab_room; k++) {
        slab *s = &g->slab[k];
        free(s->pair);
        free(s->impulse);
        free(s->live);
        free(s->row);
        free(s->colour);
        free(s->block);
    }
    void *const arrays[] = {g->slab,      g->body,  g->place,      g->reference,   g->id,          g->mask,     g->own,
                            g->key,       g->order, g->target,     g->body_spare,  g->place_spare, g->id_spare, g->top,
                            g->top_spare, g->chunk, g->cell_start, g->carry.start, g->carry.other, g->carry.p};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
    imp_granular_spread_free(g->spread);
    free(g);
}

imp_status imp_granular_add(imp_granular *g, int n, const imp_sphere *spheres) {
    bool offcentre = g->top;
    if (n < 0 || n > INT_MAX / 4 - g->count) return IMP_BAD_ARGUMENT;
    for (int i = 0; i < n; i++) {
        const imp_sphere *s = &spheres[i];
        if (!all_finite(s->position, 3) || !all_finite(s->velocity, 3) || !all_finite(s->spin, 3) ||
            !isfinite(s->radius) || !isfinite(s->density) || !isfinite(s->offset) || !all_finite(s->orientation, 4))
            return IMP_NOT_FINITE;
        if (!(s->radius > 0 && s->density > 0 && s->offset >= 0 && s->offset < s->radius)) return IMP_BAD_ARGUMENT;
        offcentre = offcentre || s->offset > 0;
    }
    if (!imp_granular_reserve(g, g->count + n)) return IMP_NO_MEMORY;
    if (offcentre && !imp_granular_reserve_tops(g, g->count + n)) return IMP_NO_MEMORY;
    for (int i = 0; i < n; i++) {
        const imp_sphere *s = &spheres[i];
        const int k = g->count + i;
        const double mass = s->density * 4 / 3 * pi * s->radius * s->radius * s->radius;
        g->body[k] = (body){.inv_mass = 1 / mass, .friction = g->set.friction};
        g->place[k] = (place){.radius = s->radius};
        if (offcentre) g->top[k] = imp_granular_top_of(s);
        for (int c = 0; c < 3; c++) {
            g->place[k].x[c] = s->position[c];
            g->body[k].v[c] = s->velocity[c];
            g->body[k].q[c] = s->radius * s->spin[c];
        }
        g->reference[k] = g->place[k];
        g->own[k] = 1;
        g->id[k] = g->now.next_id++;
    }
    /* The bodies of shapes stood where the new ones are now: the next list puts them back. */
    g->count += n;
    g->now.listed = false;
    return IMP_OK;
}

/* By the room of each array; what threads and ranks need is their own. */
size_t imp_granular_bytes(const imp_granular *g) {
    const size_t particle = sizeof *g->body + 2 * sizeof *g->place + sizeof *g->id + sizeof *g->mask +
                            3 * sizeof *g->key + sizeof *g->own + sizeof *g->body_spare + sizeof *g->place_spare +
                            sizeof *g->id_spare;
    size_t bytes = sizeof *g + (size_t)g->room * particle + (size_t)g->slab_room * sizeof *g->slab +
                   (size_t)(g->top_room + g->top_spare_room) * sizeof *g->top +
                   (size_t)g->cell_room * sizeof *g->cell_start + (size_t)g->carry.room * sizeof *g->carry.p +
                   (size_t)(g->carry.room + g->carry.particles_room) * sizeof *g->carry.other;
    for (int k = 0; k < g->slab_room; k++) {
        const slab *s = &g->slab[k];
        bytes += (size_t)s->room * (sizeof *s->pair + sizeof *s->live + sizeof *s->row + sizeof *s->colour) +
                 (size_t)s->impulse_room * 3 * sizeof *s->impulse + (size_t)s->block_room * sizeof *s->block;
    }
    return bytes;
}

int imp_granular_count(const imp_granular *g) {
    return g->count;
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
    const place *x = &g->place[i];
    const body *b = &g->body[i];
    imp_sphere s = {.radius = x->radius, .id = g->id[i], .orientation = {1}};
    s.density = 1 / (b->inv_mass * 4 / 3 * pi * x->radius * x->radius * x->radius);
    for (int c = 0; c < 3; c++) {
        s.position[c] = x->x[c];
        s.velocity[c] = b->v[c];
        s.spin[c] = b->q[c] / x->radius;
    }
    if (g->top) {
        s.offset = g->top[i].offset;
        memcpy(s.orientation, g->top[i].turn, sizeof s.orientation);
    }
    return s;
}

imp_shape imp_granular_shape(const imp_granular *g, int i) {
    return g->shape[i];
}
