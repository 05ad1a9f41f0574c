/* sweep.c - Gauss-Seidel over blocks of contacts with the closed one-contact solution, and its residual.
 *
 * With n the normal from a to b, q = R w the spin in m/s and a_n = 1/m_a + 1/m_b, the contact velocity is
 * u = v_b - v_a + n x (q_a + q_b) and the diagonal block of W is a_n (n n' + 7/2 (E - n n')): the normal and the
 * tangential problem part, and the least energy over the disc |p_t| <= mu p_n is found by radial projection (Preclik,
 * Eibl, Ruede 2017, eq. 3 with A_nt = A_no = 0). The same point is the only solution of Coulomb's law. */
#include "granular/granular_internal.h"

#include <math.h>

static const double KAPPA = 2.5, PER_TANGENT = 2.0 / 7; /* m R^2 / I of a ball, and 1 / (1 + KAPPA) */

static inline double contact(const body *a, const body *b, const double n[3], double bias, double p[3]) {
    const double q[3] = {a->q[0] + b->q[0], a->q[1] + b->q[1], a->q[2] + b->q[2]};
    const double u[3] = {b->v[0] - a->v[0] + (n[1] * q[2] - n[2] * q[1]),
                         b->v[1] - a->v[1] + (n[2] * q[0] - n[0] * q[2]),
                         b->v[2] - a->v[2] + (n[0] * q[1] - n[1] * q[0])};
    const double an = a->inv_mass + b->inv_mass, per_n = 1 / an, per_t = per_n * PER_TANGENT;
    const double un = u[0] * n[0] + u[1] * n[1] + u[2] * n[2], before = p[0] * n[0] + p[1] * n[1] + p[2] * n[2];
    const double trial = before - (un + bias) * per_n, pn = trial > 0 ? trial : 0;
    const double normal_part = before - un * per_t;
    double t[3];
    for (int x = 0; x < 3; x++)
        t[x] = (p[x] - u[x] * per_t) - normal_part * n[x];
    const double square = t[0] * t[0] + t[1] * t[1] + t[2] * t[2], limit = a->friction * pn;
    const double scale = square > limit * limit ? limit / sqrt(square) : 1;
    for (int x = 0; x < 3; x++)
        p[x] = scale * t[x] + pn * n[x];
    return an;
}

double imp_granular_touch(const body *a, const body *b, const double n[3], double bias, double p[3]) {
    return contact(a, b, n, bias, p);
}

/* Changes the velocities by the impulse d on b. */
static inline void push(body *a, body *b, const double n[3], const double d[3]) {
    const double c[3] = {n[1] * d[2] - n[2] * d[1], n[2] * d[0] - n[0] * d[2], n[0] * d[1] - n[1] * d[0]};
    const double ka = KAPPA * a->inv_mass, kb = KAPPA * b->inv_mass;
    for (int x = 0; x < 3; x++) {
        a->v[x] -= a->inv_mass * d[x];
        a->q[x] -= ka * c[x];
        b->v[x] += b->inv_mass * d[x];
        b->q[x] -= kb * c[x];
    }
}

static inline bool is_idle(const block *k, int l) {
    return k->slot[l] < 0;
}

void imp_granular_relax_plain(body *bodies, block *blocks, int n) {
    for (block *k = blocks; k < blocks + n; k++)
        for (int l = 0; l < LANES; l++) {
            if (is_idle(k, l)) continue;
            const double normal[3] = {k->n[0][l], k->n[1][l], k->n[2][l]};
            double p[3] = {k->p[0][l], k->p[1][l], k->p[2][l]}, d[3];
            contact(&bodies[k->a[l]], &bodies[k->b[l]], normal, k->bias[l], p);
            for (int x = 0; x < 3; x++) {
                d[x] = p[x] - k->p[x][l];
                k->p[x][l] = p[x];
            }
            push(&bodies[k->a[l]], &bodies[k->b[l]], normal, d);
        }
}

void imp_granular_warm_plain(body *bodies, block *blocks, int n) {
    for (const block *k = blocks; k < blocks + n; k++)
        for (int l = 0; l < LANES; l++) {
            if (is_idle(k, l)) continue;
            const double normal[3] = {k->n[0][l], k->n[1][l], k->n[2][l]};
            const double p[3] = {k->p[0][l], k->p[1][l], k->p[2][l]};
            push(&bodies[k->a[l]], &bodies[k->b[l]], normal, p);
        }
}

double imp_granular_residual_plain(const body *bodies, const block *blocks, int n) {
    double worst = 0;
    for (const block *k = blocks; k < blocks + n; k++)
        for (int l = 0; l < LANES; l++) {
            if (is_idle(k, l)) continue;
            const double normal[3] = {k->n[0][l], k->n[1][l], k->n[2][l]};
            double p[3] = {k->p[0][l], k->p[1][l], k->p[2][l]}, d[3];
            const double an = contact(&bodies[k->a[l]], &bodies[k->b[l]], normal, k->bias[l], p);
            for (int x = 0; x < 3; x++)
                d[x] = p[x] - k->p[x][l];
            const double change = an * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (change > worst) worst = change;
        }
    return worst;
}

/* What a pass over all slabs does: one kernel, colour by colour. */
typedef struct pass {
    imp_granular *g;
    granular_kernel *kernel;
    granular_residual *residual;
} pass;

static int blocks_in(const slab *s, int colour) {
    return colour == PAIR_COLOURS - 1 ? s->count[colour] : (s->count[colour] + LANES - 1) / LANES;
}

static void run_slab(void *context, int k) {
    const pass *of = context;
    imp_granular *g = of->g;
    slab *s = &g->slab[k];
    for (int c = 0; c < COLOURS; c++) {
        if (s->count[c] == 0) continue;
        if (of->kernel)
            of->kernel(g->body, s->block + s->block_start[c], blocks_in(s, c));
        else
            imp_granular_relax_general(g->set.law, g->body, s->block + s->block_start[c], blocks_in(s, c));
    }
}

static void run(imp_granular *g, granular_kernel *kernel) {
    pass one = {g, kernel, NULL};
    for (int parity = 0; parity < 2; parity++)
        imp_granular_parallel(g->set.threads, parity, 2, g->slabs, run_slab, &one);
}

/* `sweeps` sweeps. Half a sweep needs of the half before it only the neighbours of its slab, so one thread runs all
 * sweeps over a window of slabs that moves along, which stays in the cache; the order in which two neighbours are
 * visited, and so every bit, is that of one sweep after the other. */
static void run_sweeps(imp_granular *g, granular_kernel *kernel, int sweeps) {
    pass one = {g, kernel, NULL};
    if (g->set.threads > 1) {
        for (int i = 0; i < sweeps; i++)
            run(g, kernel);
        return;
    }
    for (int front = 0; front < g->slabs + 2 * sweeps; front += 2)
        for (int half = 0; half < 2 * sweeps; half++)
            if (front >= half && front - half < g->slabs) run_slab(&one, front - half);
}

static void residual_slab(void *context, int k) {
    const pass *of = context;
    slab *s = &of->g->slab[k];
    s->tally.residual = 0;
    for (int c = 0; c < COLOURS; c++) {
        if (s->count[c] == 0) continue;
        const double one = of->residual(of->g->body, s->block + s->block_start[c], blocks_in(s, c));
        if (one > s->tally.residual) s->tally.residual = one;
    }
}

static double residual_of(imp_granular *g, bool simd) {
    pass one = {g, NULL, simd ? imp_granular_residual_avx512 : imp_granular_residual_plain};
    double worst = 0;
    imp_granular_parallel(g->set.threads, 0, 1, g->slabs, residual_slab, &one);
    for (int k = 0; k < g->slabs; k++)
        if (g->slab[k].tally.residual > worst) worst = g->slab[k].tally.residual;
    return worst;
}

int imp_granular_solve(imp_granular *g, double scale, double *residual) {
    enum { LOOK_EVERY = 4 }; /* sweeps between two looks at the residual, which costs most of a sweep */
    const bool simd = g->set.simd && imp_granular_has_avx512();
    const bool general = g->set.law == IMP_GRANULAR_MAXDISS_GENERAL || g->set.law == IMP_GRANULAR_COULOMB_GENERAL;
    granular_kernel *kernel = general ? NULL : simd ? imp_granular_relax_avx512 : imp_granular_relax_plain;
    int sweeps = 0;
    if (g->set.warm > 0) run(g, simd ? imp_granular_warm_avx512 : imp_granular_warm_plain);
    run_sweeps(g, kernel, sweeps = g->set.sweeps);
    *residual = residual_of(g, simd);
    while (g->set.tolerance > 0 && !(*residual <= g->set.tolerance * scale) && sweeps < g->set.most_sweeps) {
        for (int i = 0; i < LOOK_EVERY && sweeps < g->set.most_sweeps; i++, sweeps++)
            run(g, kernel);
        *residual = residual_of(g, simd);
    }
    return sweeps;
}
