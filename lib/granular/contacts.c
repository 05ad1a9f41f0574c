/* contacts.c - from candidates to the contacts of a step (Preclik 2017, eq. 5: u_n + xi/dt >= 0), in blocks by colour.
 */
#include "granular/granular_internal.h"

#include <math.h>
#include <string.h>

/* Gap and normal from a to b of a candidate; false: surely no contact. */
static bool touch(const imp_granular *g, pair c, double reach, double shape_reach, double n[3], double *gap) {
    const place *b = &g->place[c.b];
    if (c.a < 0) {
        *gap = imp_shape_gap(&g->shape[-1 - c.a], b->x, b->radius, n);
        return *gap < shape_reach;
    }
    const place *a = &g->place[c.a];
    const double x = b->x[0] - a->x[0], y = b->x[1] - a->x[1], z = b->x[2] - a->x[2];
    const double sum = a->radius + b->radius, square = x * x + y * y + z * z;
    if (!(square < (sum + reach) * (sum + reach))) return false;
    const double distance = sqrt(square);
    *gap = distance - sum;
    n[0] = distance > 0 ? x / distance : 0;
    n[1] = distance > 0 ? y / distance : 0;
    n[2] = distance > 0 ? z / distance : 1;
    return true;
}

/* Is it a contact: does its gap, less the approach of this step, fall below the margin? */
static bool is_contact(const imp_granular *g, const body *a, const body *b, const double n[3], double gap) {
    if (gap < g->set.margin) return true;
    if (!g->set.look_ahead) return false;
    const double un = (b->v[0] - a->v[0]) * n[0] + (b->v[1] - a->v[1]) * n[1] + (b->v[2] - a->v[2]) * n[2];
    return gap + g->set.step * un < g->set.margin;
}

static void count_contact(tally *t, double gap) {
    t->contacts++;
    t->touching += gap < 0;
    t->close += gap < 0.5e-6;
    if (gap < t->deepest) t->deepest = gap;
}

static void pad(const imp_granular *g, int k, block *last, int from) {
    const int idle = static_body(g, k, g->shapes);
    for (int l = from; l < LANES; l++) {
        for (int x = 0; x < 3; x++)
            last->n[x][l] = last->p[x][l] = 0;
        last->bias[l] = 0;
        last->a[l] = last->b[l] = idle;
        last->slot[l] = -1;
    }
}

static void detect_slab(void *context, int k) {
    imp_granular *g = context;
    slab *s = &g->slab[k];
    const double reach = imp_granular_pair_reach(g), shape_reach = imp_granular_shape_reach(g),
                 per_step = 1 / g->set.step, first_guess = g->set.blend > 0 ? g->set.warm / g->set.blend : g->set.warm;
    s->tally = (tally){.deepest = 0};
    for (int c = 0; c < COLOURS; c++) {
        const int width = c == PAIR_COLOURS - 1 ? 1 : LANES;
        block *at = s->block + s->block_start[c];
        int lane = 0;
        s->count[c] = 0;
        for (int i = s->start[c]; i < s->start[c + 1]; i++) {
            const pair r = s->pair[i];
            const int a = r.a < 0 ? static_body(g, k, -1 - r.a) : r.a;
            double n[3], gap;
            if (!touch(g, r, reach, shape_reach, n, &gap) || !is_contact(g, &g->body[a], &g->body[r.b], n, gap)) {
                s->live[i] = 0;
                continue;
            }
            const double factor = s->live[i] ? first_guess : 0;
            for (int x = 0; x < 3; x++) {
                at->n[x][lane] = n[x];
                at->p[x][lane] = factor > 0 ? factor * s->impulse[i][x] : 0;
            }
            at->bias[lane] = gap * per_step * (gap < 0 ? g->set.erp : 1);
            at->a[lane] = a;
            at->b[lane] = r.b;
            at->slot[lane] = i;
            s->live[i] = 1;
            s->count[c]++;
            count_contact(&s->tally, gap);
            if (++lane == width) {
                if (width < LANES) pad(g, k, at, lane);
                lane = 0;
                at++;
            }
        }
        if (lane > 0) pad(g, k, at, lane);
    }
}

void imp_granular_detect(imp_granular *g) {
    imp_granular_parallel(g->set.threads, 0, 1, g->slabs, detect_slab, g);
}

int imp_granular_contacts(const imp_granular *g, imp_granular_contact *contacts, int room) {
    int found = 0;
    if (!g->listed) return 0;
    for (int k = 0; k < g->slabs; k++) {
        const slab *s = &g->slab[k];
        for (int i = 0; i < s->pairs; i++) {
            if (!s->live[i]) continue;
            if (found++ >= room) continue;
            imp_granular_contact *c = &contacts[found - 1];
            c->a = s->pair[i].a;
            c->b = s->pair[i].b;
            touch(g, s->pair[i], INFINITY, INFINITY, c->normal, &c->gap);
            memcpy(c->impulse, s->impulse[i], sizeof c->impulse);
        }
    }
    return found;
}
