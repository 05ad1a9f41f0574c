/* setup.c - what makes a flow's set-up, by the keys of its parameters. */
#include "granular/setup.h"

#define OF_ANOTHER(key) "a checkpoint of another $." key ", expected that it was written with"
enum {
    OF_STEP,
    OF_GRAVITY,
    OF_FRICTION,
    OF_LAW,
    OF_SWEEPS,
    OF_SYMMETRIC,
    OF_SPLIT,
    OF_TOLERANCE,
    OF_MOST_SWEEPS,
    OF_ERP,
    OF_MARGIN,
    OF_LOOK_AHEAD,
    OF_WARM,
    OF_SKIN,
    OF_BOX,
    OF_OUTLET,
    OF_WALLS,
    OF_INFLOW,
    OF_SPHERES,
    OF_BRICKS,
    OF_BLEND,
    PARTS
};
_Static_assert((int)PARTS == (int)IMP_SETUP_PARTS, "the header knows them all");

static const char *const of_another[PARTS] = {
    OF_ANOTHER("step"),    OF_ANOTHER("gravity"),   OF_ANOTHER("friction"),
    OF_ANOTHER("law"),     OF_ANOTHER("sweeps"),    OF_ANOTHER("symmetric"),
    OF_ANOTHER("split"),   OF_ANOTHER("tolerance"), OF_ANOTHER("most_sweeps"),
    OF_ANOTHER("erp"),     OF_ANOTHER("margin"),    OF_ANOTHER("look_ahead"),
    OF_ANOTHER("warm"),    OF_ANOTHER("skin"),      OF_ANOTHER("box"),
    OF_ANOTHER("outlet"),  OF_ANOTHER("shapes"),    OF_ANOTHER("inflow"),
    OF_ANOTHER("spheres"), OF_ANOTHER("bricks"),    OF_ANOTHER("blend")};

static uint64_t mix_numbers(uint64_t hash, const double *x, int n) {
    return imp_hash(hash, x, (size_t)n * sizeof *x);
}

static uint64_t walls_of(const imp_granular *g) {
    const int64_t count = g->walls.n;
    uint64_t hash = imp_hash(IMP_HASH_SEED, &count, sizeof count);
    for (int i = 0; i < g->walls.n; i++) {
        const imp_shape *shape = &g->walls.at[i];
        const double *n = shape->normal, *v = shape->velocity;
        const double own[] = {shape->kind, shape->radius, shape->length, shape->friction,
                              n[0],        n[1],          n[2],          v[0],
                              v[1],        v[2]};
        hash = mix_numbers(hash, own, sizeof own / sizeof *own);
        if (v[0] == 0 && v[1] == 0 && v[2] == 0) hash = mix_numbers(hash, shape->point, 3);
    }
    return hash;
}

/* Of a flow without an inflow nothing of it, nor of the spheres that would come. */
static uint64_t inflow_of(const imp_granular *g) {
    const imp_inflow *in = &g->inflow;
    const double at[] = {in->plane,    g->home, in->advance, in->first[0],
                         in->first[1], in->ny,  in->nz};
    return in->plane < 0 ? IMP_HASH_SEED : mix_numbers(IMP_HASH_SEED, at, sizeof at / sizeof *at);
}

static uint64_t spheres_of(const imp_granular *g) {
    const imp_inflow *in = &g->inflow;
    const double own[] = {in->spacing, in->radius,      in->density,
                          in->speed,   in->disturbance, in->offset};
    return in->plane < 0 ? IMP_HASH_SEED
                         : imp_hash(mix_numbers(IMP_HASH_SEED, own, sizeof own / sizeof *own),
                                    &in->seed, sizeof in->seed);
}

void imp_setup(const imp_granular *g, uint64_t hash[IMP_SETUP_PARTS]) {
    const imp_granular_settings *s = &g->set;
    const double parts[PARTS][6] = {
        [OF_STEP] = {s->step},
        [OF_GRAVITY] = {s->gravity[0], s->gravity[1], s->gravity[2]},
        [OF_FRICTION] = {s->friction},
        [OF_LAW] = {s->law},
        [OF_SWEEPS] = {s->sweeps},
        [OF_SYMMETRIC] = {s->symmetric},
        [OF_SPLIT] = {s->split},
        [OF_TOLERANCE] = {s->tolerance},
        [OF_MOST_SWEEPS] = {s->most_sweeps},
        [OF_ERP] = {s->erp},
        [OF_MARGIN] = {s->margin},
        [OF_LOOK_AHEAD] = {s->look_ahead},
        [OF_WARM] = {s->warm},
        [OF_SKIN] = {s->skin},
        [OF_BOX] = {s->low[0], s->low[1], s->low[2], s->high[0], s->high[1], s->high[2]},
        [OF_OUTLET] = {s->outlet},
        [OF_BRICKS] = {s->bricks[0], s->bricks[1], s->bricks[2]},
        [OF_BLEND] = {s->blend}};
    for (int k = 0; k < PARTS; k++)
        hash[k] = mix_numbers(IMP_HASH_SEED, parts[k], 6);
    hash[OF_WALLS] = walls_of(g);
    hash[OF_INFLOW] = inflow_of(g);
    hash[OF_SPHERES] = spheres_of(g);
}

const char *imp_setup_other(int part) {
    return of_another[part];
}
