/* step.c - one time step: inflow, list, gravity, contacts, sweeps, motion (Preclik, Eibl, Ruede
 * 2017, section 3). */
#include "granular/flow.h"
#include "base/clock.h"
#include "granular/work.h"
#include "base/vec3.h"

static void kick(void *context, int begin, int end) {
    imp_granular *g = context;
    for (int i = begin; i < end; i++)
        for (int x = 0; x < 3; x++)
            g->bodies.body[i].v[x] += g->set.step * g->set.gravity[x];
}

static void move_bodies(void *context, int begin, int end) {
    imp_granular *g = context;
    imp_bodies_move(&g->bodies, g->set.step, begin, end);
}

static void move_shapes(imp_granular *g) {
    for (int i = 0; i < g->walls.n; i++)
        for (int x = 0; x < 3; x++)
            g->walls.at[i].point[x] += g->set.step * g->walls.at[i].velocity[x];
    g->now.shape_moved += g->set.step * imp_granular_shape_speed(g);
    g->now.plane_steps++;
}

/* Everything but the sweeps between two lists. */
static imp_status prepare(imp_granular *g, imp_granular_report *r) {
    g->gone[LEAVES] = g->gone[LOST] = 0;
    r->inserted = imp_granular_feed(g);
    if (r->inserted < 0) {
        g->failed = true;
        return IMP_NO_MEMORY;
    }
    r->rebuilt = imp_granular_list_is_old(g);
    if (r->rebuilt && !imp_granular_list(g)) return g->failed ? IMP_NO_MEMORY : IMP_NOT_FINITE;
    r->deleted = g->gone[LEAVES];
    r->lost = g->gone[LOST];
    return IMP_OK;
}

static double mass_unit(const imp_granular *g) {
    int exponent = 0; /* C leaves that of infinity open */
    if (!g->set.single_precision) return 0;
    (void)frexp(g->cells.lightest, &exponent);
    return ldexp(1, -exponent);
}

static touch_search search_of(imp_granular *g) {
    return (touch_search){
        &g->set, &g->bodies, &g->walls, &g->list, g->contacts, imp_granular_reach(g), mass_unit(g)};
}

static bool detect(imp_granular *g) {
    touch_search all = search_of(g);
    imp_parallel_pieces(g->set.threads, g->bodies.count, kick, g);
    g->failed = !imp_contacts_find(&all);
    return !g->failed;
}

/* What residuals are told over, m/s: the speed that gravity gives in a step, without gravity the
 * largest there is, of particles, of shapes and of what is pushed out. */
static double scale_of(const imp_granular *g) {
    const double fall = g->set.step * norm3(g->set.gravity);
    double deepest = 0;
    if (fall > 0) return fall;
    for (int k = 0; k < g->list.bricks; k++)
        deepest = fmax(deepest, g->contacts[k].found.penetration);
    imp_halo_reduce(g->halo, 1, &deepest, 0, NULL);
    return fmax(fmax(g->now.motion.fastest, imp_granular_shape_speed(g)),
                g->set.erp * deepest / g->set.step);
}

/* Moves everything; false: it is not finite any more. */
static bool move(imp_granular *g, relaxation *sweeps) {
    touch_search all = search_of(g);
    motion *m = &g->now.motion;
    imp_parallel_pieces(g->set.threads, g->bodies.count, move_bodies, g);
    if (g->set.split > 0) imp_relax_release(sweeps);
    imp_contacts_keep(&all);
    for (int x = 0; x < 3; x++)
        m->drift[x] += g->set.step * m->drift_speed[x];
    move_shapes(g);
    g->now.time = (double)++g->now.steps * g->set.step;
    return imp_motion_measure(m, &g->bodies, g->set.threads, NULL, g->halo);
}

/* The numbers of all parts. */
static void reduce(const imp_granular *g, imp_granular_report *r) {
    int *const counts[] = {&r->particles, &r->contacts, &r->touching, &r->close,
                           &r->loaded,    &r->deleted,  &r->lost};
    enum { COUNTS = sizeof counts / sizeof *counts };
    int64_t sum[COUNTS];
    for (int k = 0; k < COUNTS; k++)
        sum[k] = *counts[k];
    imp_halo_reduce(g->halo, 1, &r->penetration, COUNTS, sum);
    for (int k = 0; k < COUNTS; k++)
        *counts[k] = (int)sum[k];
}

/* Adds the time since *begin to a cost, and starts again. */
static void account(double *cost, double *begin) {
    const double now = imp_seconds(CLOCK_MONOTONIC);
    *cost += now - *begin;
    *begin = now;
}

imp_status imp_granular_step(imp_granular *g, imp_granular_report *report) {
    imp_granular_report r = {0};
    double residual, begin = imp_seconds(CLOCK_MONOTONIC);
    if (g->failed) return IMP_NO_MEMORY;
    const imp_status status = prepare(g, &r);
    account(&g->costs.list, &begin);
    if (status != IMP_OK) return status;
    if (!detect(g)) return IMP_NO_MEMORY;
    const double scale = scale_of(g);
    account(&g->costs.detect, &begin);
    relaxation sweeps = {&g->set, &g->bodies, &g->list,     g->contacts, g->spare.body,
                         g->halo, g->walls.n, mass_unit(g), g->single};
    r.sweeps = imp_relax_solve(&sweeps, scale, &residual);
    r.residual = residual > 0 ? residual / scale : 0;
    account(&g->costs.sweep, &begin);
    const bool finite = move(g, &sweeps);
    account(&g->costs.move, &begin);
    if (!finite) return IMP_NOT_FINITE;
    imp_contacts_report(g->contacts, &g->list, &r);
    r.particles = imp_bodies_own(&g->bodies);
    reduce(g, &r);
    r.fastest = g->now.motion.fastest;
    g->costs.steps++;
    g->costs.particle_steps += r.particles;
    g->costs.relaxations += (long long)r.contacts * r.sweeps;
    if (report) *report = r;
    return g->set.tolerance > 0 && !(r.residual <= g->set.tolerance) ? IMP_NOT_CONVERGED : IMP_OK;
}
