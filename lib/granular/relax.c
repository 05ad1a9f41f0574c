/* relax.c - the order of relaxation: octets by colours, colours by bricks, bricks by parities,
 * sweep after sweep. */
#include "granular/relax.h"
#include "granular/work.h"

#include <string.h>

/* One kernel over all bricks, colour by colour. */
typedef struct pass {
    relaxation *of;
    imp_relax_kernel *kernel;
    work what;
    bool backward; /* last colour first */
} pass;

static pass pass_for(relaxation *of, work what) {
    const bool simd = of->set->simd && imp_relax_avx512 && imp_has_avx512();
    pass one = {.of = of, .kernel = simd ? imp_relax_avx512 : imp_relax_plain, .what = what};
    if (of->bodies->top) one.kernel = imp_relax_offcentre;
    return one;
}

/* The octets of the last colour of pairs share particles: they go one by one. */
static double run_colour(const pass *one, brick_contacts *c, int colour) {
    const relaxation *of = one->of;
    const int n = octets_of(c, colour);
    octet *first = c->octet + c->octet_start[colour];
    double worst = 0;
    if (width_of(colour) > 1) return one->kernel(of->bodies, of->set->law, one->what, first, n);
    for (int i = 0; i < n; i++) {
        const double change = one->kernel(of->bodies, of->set->law, one->what,
                                          first + (one->backward ? n - 1 - i : i), 1);
        worst = change > worst ? change : worst;
    }
    return worst;
}

static void run_brick(void *context, int k) {
    const pass *one = context;
    brick_contacts *c = &one->of->contacts[k];
    double worst = 0;
    for (int i = 0; i < COLOURS; i++) {
        const int colour = one->backward ? COLOURS - 1 - i : i;
        if (c->count[colour] == 0) continue;
        const double change = run_colour(one, c, colour);
        worst = change > worst ? change : worst;
    }
    c->found.residual = worst;
}

/* v <- before + blend (v - before), where the owner of a particle has what all its copies
 * changed. */
static void damp(const relaxation *r) {
    body *b = r->bodies->body;
    if (r->halo) r->halo->add_up(r->halo->self, b, r->before);
    for (int i = 0; i < r->bodies->count; i++)
        for (int x = 0; x < 3; x++) {
            b[i].v[x] = r->before[i].v[x] + r->set->blend * (b[i].v[x] - r->before[i].v[x]);
            b[i].q[x] = r->before[i].q[x] + r->set->blend * (b[i].q[x] - r->before[i].q[x]);
        }
    if (r->halo) r->halo->spread(r->halo->self, b);
}

static void run(pass one) {
    const relaxation *r = one.of;
    const bool damped = r->set->blend > 0;
    if (damped && r->bodies->count > 0)
        memcpy(r->before, r->bodies->body, (size_t)r->bodies->count * sizeof *r->before);
    for (int i = 0; i < PARITIES; i++) {
        const int p = one.backward ? PARITIES - 1 - i : i;
        imp_parallel(r->set->threads, r->list->parity[p], r->list->parity[p + 1], run_brick, &one);
        if (r->halo && !damped) r->halo->swap(r->halo->self, r->bodies->body, p, one.backward);
    }
    if (damped) damp(r);
}

/* The bricks of layer x, parity by parity; those of a parity stand by layers. */
static void run_layer(pass *one, int x) {
    const int *parity = one->of->list->parity;
    const int odd = x & 1, layers = (one->of->cells->bricks[0] + 1 - odd) / 2;
    for (int p = 4 * odd; p < 4 * odd + 4; p++) {
        const int n = (parity[p + 1] - parity[p]) / layers, first = parity[p] + x / 2 * n;
        for (int k = first; k < first + n; k++)
            run_brick(one, k);
    }
}

/* What is to be done with all contacts. */
typedef struct course {
    bool warm; /* first */
    int done;  /* sweeps before these */
    int sweeps;
    bool look; /* last */
} course;

/* One pass after the other. */
static void run_through(relaxation *r, course c) {
    if (c.warm) run(pass_for(r, WARM));
    for (int i = c.done; i < c.done + c.sweeps; i++) {
        pass one = pass_for(r, RELAX);
        one.backward = r->set->symmetric && i % 2;
        run(one);
    }
    pass last = pass_for(r, LOOK);
    if (c.look) imp_parallel(r->set->threads, 0, r->list->bricks, run_brick, &last);
}

/* Half a pass, over the even or the odd layers of bricks along x, needs of the half before it only
 * the neighbours of its layer, so one thread runs all passes over a window of layers that moves
 * along, which stays in the cache; the order in which two neighbours are visited, and so every bit,
 * is that of one pass after the other. */
static void run_window(relaxation *r, course c) {
    const int layers = r->cells->bricks[0], first = 2 * c.warm, last = first + 2 * c.sweeps,
              halves = last + 2 * c.look;
    pass warm = pass_for(r, WARM), relax = pass_for(r, RELAX), look = pass_for(r, LOOK);
    for (int front = 0; front < layers + halves; front += 2)
        for (int half = 0; half < halves; half++)
            if (front >= half && front - half < layers)
                run_layer(half < first ? &warm : half < last ? &relax : &look, front - half);
}

static void run_course(relaxation *r, course c) {
    const imp_granular_settings *set = r->set;
    const bool alone = set->threads == 1 && !r->halo && !(set->blend > 0);
    if (alone && !set->symmetric)
        run_window(r, c);
    else
        run_through(r, c);
}

/* The largest of all contacts, after they were looked at. */
static double residual_of(const relaxation *r) {
    double worst = 0;
    for (int k = 0; k < r->list->bricks; k++)
        if (r->contacts[k].found.residual > worst) worst = r->contacts[k].found.residual;
    imp_halo_reduce(r->halo, 1, &worst, 0, NULL);
    return worst;
}

int imp_relax_solve(relaxation *r, double scale, double *residual) {
    enum {
        LOOK_EVERY = 4
    }; /* sweeps between two looks at the residual, which costs most of a
                                sweep */
    const imp_granular_settings *set = r->set;
    int sweeps = set->sweeps;
    run_course(r, (course){set->warm > 0, 0, sweeps, true});
    *residual = residual_of(r);
    while (set->tolerance > 0 && !(*residual <= set->tolerance * scale) &&
           sweeps < set->most_sweeps) {
        const int left = set->most_sweeps - sweeps, more = left < LOOK_EVERY ? left : LOOK_EVERY;
        run_course(r, (course){false, sweeps, more, true});
        sweeps += more;
        *residual = residual_of(r);
    }
    return sweeps;
}

/* No contact of the brick is to be pushed apart any more. */
static void release_brick(void *context, int k) {
    const relaxation *r = context;
    brick_contacts *c = &r->contacts[k];
    for (int colour = 0; colour < COLOURS; colour++)
        for (int i = 0; i < octets_of(c, colour); i++) {
            double *bias = c->octet[c->octet_start[colour] + i].bias;
            for (int l = 0; l < WIDTH; l++)
                bias[l] = bias[l] < 0 ? 0 : bias[l];
        }
}

void imp_relax_release(relaxation *r) {
    imp_parallel(r->set->threads, 0, r->list->bricks, release_brick, r);
    run_course(r, (course){false, 0, r->set->split, false});
}
