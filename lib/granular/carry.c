/* carry.c - impulses across a new neighbour list: set aside under the particles' new numbers, found by scanning a row.
 */
#include "granular/granular_internal.h"

#include <limits.h>
#include <string.h>

/* The owner, the other side (or -1 - shape) of an old candidate under the new numbers; false: a particle has left. */
static bool renumber(const imp_granular *g, pair old, pair *new, bool *turned) {
    const int b = g->target[old.b], a = old.a < 0 ? old.a : g->target[old.a];
    if (b < 0 || (old.a >= 0 && a < 0)) return false;
    *turned = a > b; /* the impulse acts on the larger number */
    *new = a < 0 ? (pair){b, a} : a < b ? (pair){a, b} : (pair){b, a};
    return true;
}

bool imp_granular_carry(imp_granular *g, int slabs) {
    carry *c = &g->carry;
    pair new;
    bool turned;
    if (!imp_granular_grow(&c->start, &c->particles_room, g->count + 1, sizeof *c->start)) return false;
    memset(c->start, 0, (size_t)(g->count + 1) * sizeof *c->start);
    for (int k = 0; k < slabs; k++) {
        const slab *s = &g->slab[k];
        for (int i = 0; i < s->pairs; i++)
            if (s->live[i] && renumber(g, s->pair[i], &new, &turned)) c->start[new.a + 1]++;
    }
    for (int i = 0; i < g->count; i++)
        c->start[i + 1] += c->start[i];
    const int total = c->start[g->count];
    int other_room = c->room;
    if (!imp_granular_grow(&c->other, &other_room, total, sizeof *c->other) ||
        !imp_granular_grow(&c->p, &c->room, total, sizeof *c->p))
        return false;
    for (int k = 0; k < slabs; k++) {
        const slab *s = &g->slab[k];
        for (int i = 0, contact = -1; i < s->pairs; i++) {
            contact += s->live[i];
            if (!s->live[i] || !renumber(g, s->pair[i], &new, &turned)) continue;
            const int at = c->start[new.a]++;
            double *p = c->p[at];
            c->other[at] = new.b;
            imp_granular_impulse(s, contact, p);
            for (int x = 0; turned && x < 3; x++)
                p[x] = -p[x];
        }
    }
    memmove(c->start + 1, c->start, (size_t)g->count * sizeof *c->start);
    c->start[0] = 0;
    return true;
}

int imp_granular_carried(const imp_granular *g, int i, int other) {
    const carry *c = &g->carry;
    for (int k = c->start[i]; k < c->start[i + 1]; k++)
        if (c->other[k] == other) return k;
    return -1;
}
