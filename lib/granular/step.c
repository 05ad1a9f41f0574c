/* step.c - one time step: inflow, list, gravity, contacts, sweeps, motion (Preclik, Eibl, Ruede 2017, section 3). */
#include "granular/granular_internal.h"
#include "granular/ranks/ranks_internal.h"

#include <math.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int chunk_end(const imp_granular *g, int k) {
    return g->count - k * CHUNK < CHUNK ? g->count : (k + 1) * CHUNK;
}

static void kick_chunk(void *context, int k) {
    imp_granular *g = context;
    for (int i = k * CHUNK; i < chunk_end(g, k); i++)
        for (int x = 0; x < 3; x++)
            g->body[i].v[x] += g->set.step * g->set.gravity[x];
}

static void move_chunk(void *context, int k) {
    imp_granular *g = context;
    if (g->top) {
        imp_granular_turn(g, k * CHUNK, chunk_end(g, k));
        return;
    }
    for (int i = k * CHUNK; i < chunk_end(g, k); i++)
        for (int x = 0; x < 3; x++)
            g->place[i].x[x] += g->set.step * g->body[i].v[x];
}

/* The impulses of a block are kept for the next step, those of a shape also in its account; idle lanes have none. Where
 * sweeps are damped, the bodies have got the share `blend` of what the block holds. */
static void keep(slab *s, const block *k, int at, double blend, double *account) {
    for (int l = 0; l < LANES; l++)
        s->tally.loaded += k->p[0][l] * k->n[0][l] + k->p[1][l] * k->n[1][l] + k->p[2][l] * k->n[2][l] > 0;
    for (int x = 0; x < 3; x++) {
        double *kept = s->impulse + (size_t)x * s->impulse_room + at;
        for (int l = 0; l < LANES; l++)
            kept[l] = blend * k->p[x][l];
        for (int l = 0; account && l < LANES; l++)
            account[x] += kept[l];
    }
}

static void keep_slab(void *context, int k) {
    imp_granular *g = context;
    slab *s = &g->slab[k];
    int kept = 0;
    for (int c = 0; c < COLOURS; c++) {
        const int width = c == PAIR_COLOURS - 1 ? 1 : LANES, blocks = (s->count[c] + width - 1) / width;
        const double blend = g->set.blend > 0 ? g->set.blend : 1;
        double *account = c < PAIR_COLOURS ? NULL : s->tally.shape_impulse[c - PAIR_COLOURS];
        for (int i = 0; i < blocks; i++)
            keep(s, &s->block[s->block_start[c] + i], kept + i * width, blend, account);
        kept += s->count[c];
    }
}

static void sum_up(const imp_granular *g, imp_granular_report *r) {
    for (int k = 0; k < g->slabs; k++) {
        const tally *t = &g->slab[k].tally;
        r->contacts += t->contacts;
        r->touching += t->touching;
        r->close += t->close;
        r->loaded += t->loaded;
        if (-t->deepest > r->penetration) r->penetration = -t->deepest;
        for (int i = 0; i < g->shapes; i++)
            for (int x = 0; x < 3; x++)
                r->shape_impulse[i][x] += t->shape_impulse[i][x];
    }
}

static void move_shapes(imp_granular *g) {
    double farthest = 0;
    for (int i = 0; i < g->shapes; i++) {
        const double *v = g->shape[i].velocity;
        for (int x = 0; x < 3; x++)
            g->shape[i].point[x] += g->set.step * v[x];
        farthest = fmax(farthest, g->set.step * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    g->now.shape_moved += farthest;
    g->now.plane_steps++;
}

/* Everything but the sweeps between two lists. */
static bool prepare(imp_granular *g, imp_granular_report *r) {
    const double begin = seconds();
    r->inserted = imp_granular_feed(g);
    if (r->inserted < 0) {
        g->failed = true;
        return false;
    }
    g->deleted = g->lost = 0;
    if (imp_granular_list_is_old(g)) {
        if (!imp_granular_list(g)) return false;
        r->rebuilt = true;
    }
    r->deleted = g->deleted;
    r->lost = g->lost;
    g->costs.list += seconds() - begin;
    return true;
}

static bool move(imp_granular *g) {
    const double begin = seconds();
    const int chunks = (g->count + CHUNK - 1) / CHUNK;
    imp_granular_parallel(g, 0, 1, chunks, move_chunk, g);
    if (g->set.split > 0) imp_granular_release(g);
    imp_granular_parallel(g, 0, 1, g->slabs, keep_slab, g);
    for (int x = 0; x < 3; x++)
        g->now.drift[x] += g->set.step * g->now.drift_speed[x];
    move_shapes(g);
    const bool good = imp_granular_measure(g);
    g->now.time = (double)++g->now.steps * g->set.step;
    g->costs.move += seconds() - begin;
    return good;
}

imp_status imp_granular_step(imp_granular *g, imp_granular_report *report) {
    imp_granular_report r = {0};
    double residual;
    const double *a = g->set.gravity, fall = g->set.step * sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    if (g->failed) return IMP_NO_MEMORY;
    if (!prepare(g, &r)) return g->failed ? IMP_NO_MEMORY : IMP_NOT_FINITE;
    const double scale = fall > 0 ? fall : g->now.fastest;
    double begin = seconds();
    imp_granular_parallel(g, 0, 1, (g->count + CHUNK - 1) / CHUNK, kick_chunk, g);
    if (!imp_granular_detect(g)) return IMP_NO_MEMORY;
    g->costs.detect += seconds() - begin;
    begin = seconds();
    r.sweeps = imp_granular_solve(g, scale, &residual);
    g->costs.sweep += seconds() - begin;
    r.residual = residual > 0 ? residual / scale : 0;
    if (!move(g)) return g->failed ? IMP_NO_MEMORY : IMP_NOT_FINITE;
    sum_up(g, &r);
    r.particles = g->count;
    imp_granular_reduce_report(g, &r);
    r.fastest = g->now.fastest;
    g->costs.steps++;
    g->costs.particle_steps += r.particles;
    g->costs.relaxations += (long long)r.contacts * r.sweeps;
    if (report) *report = r;
    return g->set.tolerance > 0 && !(r.residual <= g->set.tolerance) ? IMP_NOT_CONVERGED : IMP_OK;
}
