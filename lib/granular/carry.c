/* carry.c - impulses across a new neighbour list: set aside under the particles' new numbers, found
 * by scanning a row.
 */
#include "granular/list.h"
#include "granular/work.h"

#include <string.h>

bool imp_carry_add(carry *c, int a, int b, const double p[3]) {
    const bool turned = a > b;
    if (!imp_grow(&c->item, &c->room, c->n + 1, sizeof *c->item)) return false;
    carried *one = &c->item[c->n++];
    *one = a < 0 || turned ? (carried){.owner = b, .other = a} : (carried){.owner = a, .other = b};
    for (int x = 0; x < 3; x++)
        one->p[x] = turned ? -p[x] : p[x];
    return true;
}

bool imp_carry_rows(carry *c, int particles) {
    if (!imp_grow(&c->start, &c->start_room, particles + 1, sizeof *c->start) ||
        !imp_grow(&c->row, &c->row_room, c->n, sizeof *c->row))
        return false;
    memset(c->start, 0, (size_t)(particles + 1) * sizeof *c->start);
    for (int k = 0; k < c->n; k++)
        c->start[c->item[k].owner + 1]++;
    for (int i = 0; i < particles; i++)
        c->start[i + 1] += c->start[i];
    for (int k = 0; k < c->n; k++)
        c->row[c->start[c->item[k].owner]++] = k;
    memmove(c->start + 1, c->start, (size_t)particles * sizeof *c->start);
    c->start[0] = 0;
    return true;
}

bool imp_carry_list(list *l, const int *target, int particles) {
    double p[3];
    l->carry.n = 0;
    for (int k = 0; k < l->bricks; k++) {
        const candidates *c = &l->brick[k];
        for (int i = 0, at = -1; i < c->pairs; i++) {
            at += c->live[i];
            if (!c->live[i]) continue;
            const pair old = c->pair[i];
            const int a = old.a < 0 ? old.a : target[old.a], b = target[old.b];
            if (b < 0 || (old.a >= 0 && a < 0)) continue;
            impulse_get(c, at, p);
            if (!imp_carry_add(&l->carry, a, b, p)) return false;
        }
    }
    return imp_carry_rows(&l->carry, particles);
}

int imp_carried(const carry *c, int i, int other) {
    for (int k = c->start[i]; k < c->start[i + 1]; k++)
        if (c->item[c->row[k]].other == other) return c->row[k];
    return -1;
}
