/* contacts.c - from candidates to the contacts of a step (Preclik 2017, eq. 5: u_n + xi/dt >= 0), in blocks by colour.
 *
 * The candidates of a colour go through in runs; what touches is collected in rows as long as a run and moved from
 * there into blocks, LANES at a time. */
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
    const double sum = b->radius + a->radius, square = x * x + y * y + z * z, most = sum + reach;
    if (!(square < most * most)) return false;
    const double distance = sqrt(square), per = 1 / distance;
    *gap = distance - sum;
    n[0] = distance > 0 ? x * per : 0;
    n[1] = distance > 0 ? y * per : 0;
    n[2] = distance > 0 ? z * per : 1;
    return true;
}

bool imp_granular_approach(const imp_granular *g, int a, int b, const double n[3], double gap) {
    const double *va = g->body[a].v, *vb = g->body[b].v;
    const double un = (vb[0] - va[0]) * n[0] + (vb[1] - va[1]) * n[1] + (vb[2] - va[2]) * n[2];
    return g->set.look_ahead && gap + g->set.step * un < g->set.margin;
}

void imp_granular_find_plain(const imp_granular *g, slab *s, const search *how, int begin, int end, touching *t) {
    for (int i = begin; i < end; i++) {
        const pair r = s->pair[i];
        const int a = r.a < 0 ? how->shape_body - 1 - r.a : r.a, at = t->count;
        const bool lived = s->live[i];
        double n[3], gap = 0;
        s->live[i] = touch(g, r, how->reach, how->shape_reach, n, &gap) &&
                     (gap < g->set.margin || imp_granular_approach(g, a, r.b, n, gap));
        for (int x = 0; s->live[i] && x < 3; x++) {
            t->n[x][at] = n[x];
            t->p[x][at] = lived ? how->warm * s->impulse[(size_t)x * s->impulse_room + t->old] : 0;
        }
        t->gap[at] = gap;
        t->a[at] = a;
        t->b[at] = r.b;
        t->count += s->live[i];
        t->old += lived;
    }
}

/* Counts in step with each other, so that the compiler can take several gaps at once. */
static void count(tally *t, const double *gap, int n) {
    double deepest = t->deepest;
    int overlap = 0, close = 0;
    for (int l = 0; l < n; l++) {
        overlap += gap[l] < 0;
        close += gap[l] < 0.5e-6;
        deepest = gap[l] < deepest ? gap[l] : deepest;
    }
    t->contacts += n;
    t->touching += overlap;
    t->close += close;
    t->deepest = deepest;
}

/* The first n <= LANES of those that touch into a block, the other lanes to idle bodies. */
static void fill(const imp_granular *g, slab *s, const touching *t, int from, int n, int idle, block *to) {
    const double per_step = 1 / g->set.step, erp = g->set.erp;
    for (int x = 0; x < 3; x++) {
        memcpy(to->n[x], t->n[x] + from, sizeof to->n[x]);
        memcpy(to->p[x], t->p[x] + from, sizeof to->p[x]);
    }
    for (int l = 0; l < LANES; l++) {
        const double gap = t->gap[from + l];
        to->bias[l] = gap * per_step * (gap < 0 ? erp : 1);
    }
    memcpy(to->a, t->a + from, sizeof to->a);
    memcpy(to->b, t->b + from, sizeof to->b);
    for (int l = n; l < LANES; l++) {
        for (int x = 0; x < 3; x++)
            to->n[x][l] = to->p[x][l] = 0;
        to->bias[l] = 0;
        to->a[l] = to->b[l] = idle;
    }
    count(&s->tally, t->gap + from, n);
}

/* Moves what has come together into blocks of `width`, a last one that is not full only at the end of a colour. Returns
 * how many blocks. */
static int pack(const imp_granular *g, slab *s, touching *t, int width, bool last, int idle, block *to) {
    int from = 0, blocks = 0;
    for (; t->count - from >= width; from += width)
        fill(g, s, t, from, width, idle, to + blocks++);
    const int rest = t->count - from;
    t->count = 0;
    if (last && rest > 0) fill(g, s, t, from, rest, idle, to + blocks++);
    if (last || rest == 0 || from == 0) {
        t->count = last ? 0 : rest;
        return blocks;
    }
    for (int l = 0; l < rest; l++) {
        for (int x = 0; x < 3; x++) {
            t->n[x][l] = t->n[x][from + l];
            t->p[x][l] = t->p[x][from + l];
        }
        t->gap[l] = t->gap[from + l];
        t->a[l] = t->a[from + l];
        t->b[l] = t->b[from + l];
    }
    t->count = rest;
    return blocks;
}

static void detect_slab(void *context, int k) {
    imp_granular *g = context;
    slab *s = &g->slab[k];
    const bool simd = g->set.simd && imp_granular_has_avx512();
    const int idle = static_body(g, k, g->shapes);
    const search how = {imp_granular_pair_reach(g), imp_granular_shape_reach(g),
                        g->set.blend > 0 ? g->set.warm / g->set.blend : g->set.warm, static_body(g, k, 0)};
    touching t;
    int blocks = 0;
    s->tally = (tally){.deepest = 0};
    t.count = t.old = 0;
    memset(t.gap, 0, sizeof t.gap); /* blocks are made from whole vectors of it, also behind the last contact */
    for (int c = 0; c < COLOURS; c++) {
        const int width = c == PAIR_COLOURS - 1 ? 1 : LANES, before = s->tally.contacts;
        s->block_start[c] = blocks;
        if (!imp_granular_grow(&s->block, &s->block_room, blocks + s->start[c + 1] - s->start[c], sizeof *s->block)) {
            s->failed = true;
            return;
        }
        for (int i = s->start[c]; i < s->start[c + 1]; i += RUN) {
            const int end = s->start[c + 1] - i < RUN ? s->start[c + 1] : i + RUN;
            (simd && c < PAIR_COLOURS ? imp_granular_find_avx512 : imp_granular_find_plain)(g, s, &how, i, end, &t);
            blocks += pack(g, s, &t, width, end == s->start[c + 1], idle, s->block + blocks);
        }
        s->count[c] = s->tally.contacts - before;
    }
    /* Their impulses replace the old ones at the end of the step. */
    s->failed = !imp_granular_reserve_impulses(s, s->tally.contacts);
}

bool imp_granular_reserve_impulses(slab *s, int contacts) {
    return imp_granular_grow(&s->impulse, &s->impulse_room, contacts + LANES, 3 * sizeof *s->impulse);
}

bool imp_granular_detect(imp_granular *g) {
    imp_granular_parallel(g, 0, 1, g->slabs, detect_slab, g);
    for (int k = 0; k < g->slabs; k++)
        g->failed = g->failed || g->slab[k].failed;
    return !g->failed;
}

int imp_granular_contacts(const imp_granular *g, imp_granular_contact *contacts, int room) {
    int found = 0;
    if (!g->now.listed) return 0;
    for (int k = 0; k < g->slabs; k++) {
        const slab *s = &g->slab[k];
        for (int i = 0, at = 0; i < s->pairs; i++) {
            if (!s->live[i]) continue;
            if (found < room) {
                imp_granular_contact *c = &contacts[found];
                c->a = s->pair[i].a;
                c->b = s->pair[i].b;
                touch(g, s->pair[i], INFINITY, INFINITY, c->normal, &c->gap);
                imp_granular_impulse(s, at, c->impulse);
            }
            found++;
            at++;
        }
    }
    return found;
}
