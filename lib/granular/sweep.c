/* sweep.c - Gauss-Seidel over blocks of contacts with the closed one-contact solution, and its residual.
 *
 * With n the normal from a to b, q = R w the spin in m/s and a_n = 1/m_a + 1/m_b, the contact velocity is
 * u = v_b - v_a + n x (q_a + q_b), u_n is that of v alone, and the diagonal block of W is a_n (n n' + 7/2 (E - n n')):
 * the normal and the tangential problem part, and the least energy over the disc |p_t| <= mu p_n is found by radial
 * projection (Preclik, Eibl, Ruede 2017, eq. 3 with A_nt = A_no = 0). The same point is the only solution of Coulomb's
 * law. */
#include "granular/granular_internal.h"
#include "granular/ranks/ranks_internal.h"

#include <math.h>

static const double KAPPA = 2.5, PER_TANGENT = 2.0 / 7; /* m R^2 / I of a ball, and 1 / (1 + KAPPA) */

static inline double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double contact(const body *a, const body *b, const double n[3], double bias, double p[3]) {
    const double q[3] = {b->q[0] + a->q[0], b->q[1] + a->q[1], b->q[2] + a->q[2]};
    const double v[3] = {b->v[0] - a->v[0], b->v[1] - a->v[1], b->v[2] - a->v[2]};
    const double an = b->inv_mass + a->inv_mass, per_n = 1 / an, per_t = per_n * PER_TANGENT;
    const double un = dot(v, n), before = dot(p, n), normal_part = before - un * per_t;
    const double trial = before - (un + bias) * per_n, pn = trial > 0 ? trial : 0;
    double turning[3], t[3];
    cross(n, q, turning);
    for (int x = 0; x < 3; x++)
        t[x] = (p[x] - (v[x] + turning[x]) * per_t) - normal_part * n[x];
    const double square = dot(t, t), limit = a->friction * pn;
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
    double c[3];
    cross(d, n, c);
    for (int x = 0; x < 3; x++) {
        const double turn = KAPPA * c[x];
        a->v[x] -= d[x] * a->inv_mass;
        a->q[x] += turn * a->inv_mass;
        b->v[x] += d[x] * b->inv_mass;
        b->q[x] += turn * b->inv_mass;
    }
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
    granular_kernel *kernel; /* NULL: the general solvers */
    granular_residual *residual;
    granular_top_kernel *tops; /* where there are off-centre spheres, instead of the others */
    bool backward;             /* last colour first */
} pass;

typedef enum work { WARM, RELAX, LOOK } work;

static pass pass_for(imp_granular *g, work what) {
    static granular_kernel *const kernels[2][2] = {{imp_granular_warm_plain, imp_granular_warm_avx512},
                                                   {imp_granular_relax_plain, imp_granular_relax_avx512}};
    static granular_top_kernel *const tops[] = {imp_granular_warm_tops, imp_granular_relax_tops,
                                                imp_granular_residual_tops};
    const bool simd = g->set.simd && imp_granular_has_avx512();
    const bool general = g->set.law == IMP_GRANULAR_MAXDISS_GENERAL || g->set.law == IMP_GRANULAR_COULOMB_GENERAL;
    pass one = {.g = g, .tops = g->top ? tops[what] : NULL};
    one.residual = simd ? imp_granular_residual_avx512 : imp_granular_residual_plain;
    if (what != LOOK && !(what == RELAX && general)) one.kernel = kernels[what][simd];
    return one;
}

static int blocks_in(const slab *s, int colour) {
    return colour == PAIR_COLOURS - 1 ? s->count[colour] : (s->count[colour] + LANES - 1) / LANES;
}

static void treat(const pass *of, block *blocks, int n) {
    if (of->tops)
        of->tops(of->g, blocks, n);
    else if (of->kernel)
        of->kernel(of->g->body, blocks, n);
    else
        imp_granular_relax_general(of->g->set.law, of->g->body, blocks, n);
}

/* The blocks of the last colour of pairs share particles: they go one by one. */
static void run_colour(const pass *of, slab *s, int c) {
    block *first = s->block + s->block_start[c];
    const int n = blocks_in(s, c);
    if (c != PAIR_COLOURS - 1)
        treat(of, first, n);
    else
        for (int i = 0; i < n; i++)
            treat(of, first + (of->backward ? n - 1 - i : i), 1);
}

static void run_slab(void *context, int k) {
    const pass *of = context;
    slab *s = &of->g->slab[k];
    for (int i = 0; i < COLOURS; i++) {
        const int c = of->backward ? COLOURS - 1 - i : i;
        if (s->count[c] > 0) run_colour(of, s, c);
    }
}

static void run(pass one) {
    imp_granular *g = one.g;
    if (g->set.blend > 0) imp_granular_blend_begin(g);
    for (int i = 0; i < PARITIES; i++) {
        const int p = one.backward ? PARITIES - 1 - i : i;
        imp_granular_parallel(g, g->parity[p], 1, g->parity[p + 1], run_slab, &one);
        if (g->spread && g->set.blend == 0) imp_granular_swap(g, p, one.backward);
    }
    if (g->set.blend > 0) imp_granular_blend_end(g);
}

/* The bricks of layer x, parity by parity; those of a parity stand by layers. */
static void run_layer(pass *one, int x) {
    const imp_granular *g = one->g;
    const int odd = x & 1, layers = (g->bricks[0] + 1 - odd) / 2;
    for (int p = 4 * odd; p < 4 * odd + 4; p++) {
        const int n = (g->parity[p + 1] - g->parity[p]) / layers, first = g->parity[p] + x / 2 * n;
        for (int k = first; k < first + n; k++)
            run_slab(one, k);
    }
}

/* `sweeps` sweeps, the first of them number `done`. Half a sweep, of the even or the odd layers of bricks along x,
 * needs of the half before it only the neighbours of its layer, so one thread runs all sweeps over a window of layers
 * that moves along, which stays in the cache; the order in which two neighbours are visited, and so every bit, is that
 * of one sweep after the other. */
static void sweep(imp_granular *g, int done, int sweeps) {
    pass one = pass_for(g, RELAX);
    if (g->set.threads > 1 || g->spread || g->set.blend > 0 || g->set.symmetric) {
        for (int i = done; i < done + sweeps; i++) {
            one.backward = g->set.symmetric && i % 2;
            run(one);
        }
        return;
    }
    for (int front = 0; front < g->bricks[0] + 2 * sweeps; front += 2)
        for (int half = 0; half < 2 * sweeps; half++)
            if (front >= half && front - half < g->bricks[0]) run_layer(&one, front - half);
}

static void residual_slab(void *context, int k) {
    const pass *of = context;
    slab *s = &of->g->slab[k];
    s->tally.residual = 0;
    for (int c = 0; c < COLOURS; c++) {
        if (s->count[c] == 0) continue;
        block *first = s->block + s->block_start[c];
        const double one =
            of->tops ? of->tops(of->g, first, blocks_in(s, c)) : of->residual(of->g->body, first, blocks_in(s, c));
        if (one > s->tally.residual) s->tally.residual = one;
    }
}

static double residual_of(imp_granular *g) {
    pass one = pass_for(g, LOOK);
    double worst = 0;
    imp_granular_parallel(g, 0, 1, g->slabs, residual_slab, &one);
    for (int k = 0; k < g->slabs; k++)
        if (g->slab[k].tally.residual > worst) worst = g->slab[k].tally.residual;
    imp_granular_reduce(g, 1, &worst, 0, NULL);
    return worst;
}

int imp_granular_solve(imp_granular *g, double scale, double *residual) {
    enum { LOOK_EVERY = 4 }; /* sweeps between two looks at the residual, which costs most of a sweep */
    int sweeps = g->set.sweeps;
    if (g->set.warm > 0) run(pass_for(g, WARM));
    sweep(g, 0, sweeps);
    *residual = residual_of(g);
    while (g->set.tolerance > 0 && !(*residual <= g->set.tolerance * scale) && sweeps < g->set.most_sweeps) {
        const int left = g->set.most_sweeps - sweeps, more = left < LOOK_EVERY ? left : LOOK_EVERY;
        sweep(g, sweeps, more);
        sweeps += more;
        *residual = residual_of(g);
    }
    return sweeps;
}

/* No contact is to be pushed apart any more. */
static void release_slab(void *context, int k) {
    slab *s = &((imp_granular *)context)->slab[k];
    for (int c = 0; c < COLOURS; c++)
        for (block *b = s->block + s->block_start[c]; b < s->block + s->block_start[c] + blocks_in(s, c); b++)
            for (int l = 0; l < LANES; l++)
                b->bias[l] = b->bias[l] < 0 ? 0 : b->bias[l];
}

void imp_granular_release(imp_granular *g) {
    imp_granular_parallel(g, 0, 1, g->slabs, release_slab, g);
    sweep(g, 0, g->set.split);
}
