/* relax.c - the order of relaxation: octets by colours, colours by bricks, bricks by parities,
 * sweep after sweep. */
#include "granular/relax.h"

#include "base/machine.h"
#include "granular/work.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { PATIENCE = 4096 }; /* looks at what another thread does before it may have the processor */

/* One kernel over all bricks, colour by colour. */
typedef struct pass {
    relaxation *of;
    imp_relax_kernel *kernel;
    work what;
    bool backward; /* last colour first */
} pass;

bool imp_relax_has_avx512vl(void) {
#if defined(__x86_64__) || defined(__i386__)
    return imp_machine_has(4) && imp_machine_has(8) && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

static imp_relax_kernel *widest(void) {
    if (imp_relax_avx512 && imp_machine_has(8)) return imp_relax_avx512;
    return imp_relax_avx2 && imp_machine_has(4) ? imp_relax_avx2 : imp_relax_plain;
}

static imp_relax_kernel *widest_single(void) {
    if (imp_relax_single_avx512vl && imp_relax_has_avx512vl()) return imp_relax_single_avx512vl;
    return imp_relax_single_avx2 && imp_machine_has(4) ? imp_relax_single_avx2
                                                       : imp_relax_single_plain;
}

static pass pass_for(relaxation *of, work what) {
    const bool simd = of->set->simd;
    pass one = {.of = of, .what = what};
    if (of->bodies->top)
        one.kernel = imp_relax_offcentre;
    else if (of->single)
        one.kernel = simd ? widest_single() : imp_relax_single_plain;
    else
        one.kernel = simd ? widest() : imp_relax_plain;
    return one;
}

/* The octets of the last colour of pairs share particles: they go one by one. */
static double run_colour(const pass *one, brick_contacts *c, int colour) {
    const int n = octets_of(c, colour), first = c->octet_start[colour];
    double worst = 0;
    if (width_of(colour) > 1) return one->kernel(one->of, one->what, c, first, n);
    for (int i = 0; i < n; i++) {
        const double change =
            one->kernel(one->of, one->what, c, first + (one->backward ? n - 1 - i : i), 1);
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
    const swept_bodies all = {r->bodies->body, r->single};
    if (damped && r->bodies->count > 0)
        memcpy(r->before, r->bodies->body, (size_t)r->bodies->count * sizeof *r->before);
    for (int i = 0; i < PARITIES; i++) {
        const int p = one.backward ? PARITIES - 1 - i : i;
        imp_parallel(r->set->threads, r->list->parity[p], r->list->parity[p + 1], run_brick, &one);
        if (r->halo && !damped) r->halo->swap(r->halo->self, &all, p, one.backward);
    }
    if (damped) damp(r);
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
    if (c.look) imp_list_each(r->list, r->set->threads, run_brick, &last);
}

/* How many halves of passes the first and the last layer of a share have done: each on a line of
 * the cache. */
typedef struct progress {
    _Alignas(64) atomic_int first;
    _Alignas(64) atomic_int last;
} progress;

/* A course by shares of layers. */
typedef struct window {
    pass warm, relax, look;
    int after_warm, after_relax, halves; /* which halves are of which pass */
    progress *progress;                  /* of each share */
} window;

/* The layers [begin, end) of one of the members of a team. */
typedef struct share {
    int member, members;
    int begin, end;
} share;

/* Until that layer has done so many halves. */
static void await(const atomic_int *done, int halves) {
    for (int spins = 1; atomic_load_explicit(done, memory_order_acquire) < halves; spins++)
        if (spins % PATIENCE == 0) sched_yield();
}

/* One half at layer x of the share. */
static void run_layer(window *w, const share *of, int half, int x) {
    const list *l = w->warm.of->list;
    progress *own = w->progress + of->member;
    const bool meets_last = x == of->begin && of->member > 0,
               meets_next = x == of->end - 1 && of->member < of->members - 1;
    pass *one = half < w->after_warm ? &w->warm : half < w->after_relax ? &w->relax : &w->look;
    if (meets_last) await(&own[-1].last, half);
    if (meets_next) await(&own[1].first, half);
    for (int j = x * l->per_layer; j < (x + 1) * l->per_layer; j++)
        run_brick(one, l->along[j]);
    if (x == of->begin) atomic_store_explicit(&own->first, half + 1, memory_order_release);
    if (x == of->end - 1) atomic_store_explicit(&own->last, half + 1, memory_order_release);
}

/* Half a pass, over the even or the odd layers of bricks along x, needs of the half before it only
 * the neighbours of its layer, so a thread runs all passes over a window of layers that moves
 * along, which stays in the cache; the order in which two neighbours are visited, and so every bit,
 * is that of one pass after the other. Two threads begin where their shares meet, or end there. */
static void run_share(void *context, int member, int members) {
    window *w = context;
    share of = {.member = member, .members = members};
    imp_list_share(w->warm.of->list, member, &of.members, &of.begin, &of.end);
    const bool down = member % 2 == 0 && of.members > 1;
    const int layers = of.end - of.begin, origin = down ? of.end - 1 : of.begin;
    for (int front = origin & 1; layers > 0 && front < layers + w->halves; front += 2)
        for (int half = 0; half < w->halves; half++)
            if (front >= half && front - half < layers)
                run_layer(w, &of, half, down ? origin - (front - half) : origin + (front - half));
}

static void run_window(relaxation *r, course c) {
    enum { MOST = 64 };
    progress of_share[MOST];
    window w = {.warm = pass_for(r, WARM),
                .relax = pass_for(r, RELAX),
                .look = pass_for(r, LOOK),
                .after_warm = 2 * c.warm,
                .progress = of_share};
    w.after_relax = w.after_warm + 2 * c.sweeps;
    w.halves = w.after_relax + 2 * c.look;
    for (int k = 0; k < MOST; k++) {
        atomic_init(&of_share[k].first, 0);
        atomic_init(&of_share[k].last, 0);
    }
    imp_team(r->set->threads < MOST ? r->set->threads : MOST, run_share, &w);
}

static void run_course(relaxation *r, course c) {
    const imp_granular_settings *set = r->set;
    if (r->list->shares > 0 && !r->halo && !(set->blend > 0) && !set->symmetric)
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

/* The bodies, with those of shapes and idle lanes, as single precision knows them. */
static void narrow(void *context, int begin, int end) {
    const relaxation *r = context;
    for (int i = begin; i < end; i++) {
        const body *from = &r->bodies->body[i];
        single_body *to = &r->single[i];
        for (int x = 0; x < 3; x++) {
            to->v[x] = (float)from->v[x];
            to->q[x] = (float)from->q[x];
        }
        to->inv_mass =
            i < r->bodies->count ? (float)(from->inv_mass * r->mass_unit) : (float)from->inv_mass;
        to->friction = (float)from->friction;
    }
}

/* What the sweeps changed, so that what met nothing keeps all its digits; the difference is one of
 * floats, before which gcc 12 cannot forget to round. */
static void add_changes(void *context, int begin, int end) {
    const relaxation *r = context;
    for (int i = begin; i < end; i++) {
        const single_body *from = &r->single[i];
        body *to = &r->bodies->body[i];
        for (int x = 0; x < 3; x++) {
            to->v[x] -= (double)((float)to->v[x] - from->v[x]);
            to->q[x] -= (double)((float)to->q[x] - from->q[x]);
        }
    }
}

static void begin_sweeps(relaxation *r) {
    const int statics = r->list->bricks * (r->walls + 1);
    if (r->single) imp_parallel_pieces(r->set->threads, r->bodies->count + statics, narrow, r);
}

static void end_sweeps(relaxation *r) {
    if (r->single) imp_parallel_pieces(r->set->threads, r->bodies->count, add_changes, r);
}

int imp_relax_solve(relaxation *r, double scale, double *residual) {
    enum {
        LOOK_EVERY = 4
    }; /* sweeps between two looks at the residual, which costs most of a
                                sweep */
    const imp_granular_settings *set = r->set;
    int sweeps = set->sweeps;
    begin_sweeps(r);
    run_course(r, (course){set->warm > 0, 0, sweeps, true});
    *residual = residual_of(r);
    while (set->tolerance > 0 && !(*residual <= set->tolerance * scale) &&
           sweeps < set->most_sweeps) {
        const int left = set->most_sweeps - sweeps, more = left < LOOK_EVERY ? left : LOOK_EVERY;
        run_course(r, (course){false, sweeps, more, true});
        sweeps += more;
        *residual = residual_of(r);
    }
    end_sweeps(r);
    return sweeps;
}

/* No contact of the brick is to be pushed apart any more. */
static void release_brick(void *context, int k) {
    const relaxation *r = context;
    brick_contacts *c = &r->contacts[k];
    for (int colour = 0; colour < COLOURS; colour++)
        for (int i = 0; i < octets_of(c, colour); i++) {
            const int at = c->octet_start[colour] + i;
            for (int l = 0; l < WIDTH; l++)
                if (r->single)
                    c->single[at].bias[l] = fmaxf(c->single[at].bias[l], 0);
                else
                    c->octet[at].bias[l] = fmax(c->octet[at].bias[l], 0);
        }
}

void imp_relax_release(relaxation *r) {
    imp_list_each(r->list, r->set->threads, release_brick, r);
    begin_sweeps(r);
    run_course(r, (course){false, 0, r->set->split, false});
    end_sweeps(r);
}
