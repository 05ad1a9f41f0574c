/* setup.c - what makes a flow's set-up, by the keys of its parameters. */
#include "granular/setup.h"

#define OF_ANOTHER(key) "a checkpoint of another $." key ", expected that it was written with"
static const char *const of_another[IMP_SETUP_PARTS] = {
    OF_ANOTHER("step"),        OF_ANOTHER("gravity"),
    OF_ANOTHER("friction"),    OF_ANOTHER("law"),
    OF_ANOTHER("sweeps"),      OF_ANOTHER("symmetric"),
    OF_ANOTHER("split"),       OF_ANOTHER("tolerance"),
    OF_ANOTHER("most_sweeps"), OF_ANOTHER("erp"),
    OF_ANOTHER("margin"),      OF_ANOTHER("look_ahead"),
    OF_ANOTHER("warm"),        OF_ANOTHER("skin"),
    OF_ANOTHER("box"),         OF_ANOTHER("outlet"),
    OF_ANOTHER("shapes"),      OF_ANOTHER("inflow"),
    OF_ANOTHER("spheres"),     OF_ANOTHER("bricks"),
    OF_ANOTHER("blend"),       OF_ANOTHER("single_precision")};

/* Of these: more than numbers alone. */
enum { SHAPES = 16, INFLOW, SPHERES };

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
    const double parts[IMP_SETUP_PARTS][6] = {
        {s->step},
        {s->gravity[0], s->gravity[1], s->gravity[2]},
        {s->friction},
        {s->law},
        {s->sweeps},
        {s->symmetric},
        {s->split},
        {s->tolerance},
        {s->most_sweeps},
        {s->erp},
        {s->margin},
        {s->look_ahead},
        {s->warm},
        {s->skin},
        {s->low[0], s->low[1], s->low[2], s->high[0], s->high[1], s->high[2]},
        {s->outlet},
        [SPHERES + 1] = {s->bricks[0], s->bricks[1], s->bricks[2]},
        {s->blend},
        {s->single_precision}};
    for (int k = 0; k < IMP_SETUP_PARTS; k++)
        hash[k] = mix_numbers(IMP_HASH_SEED, parts[k], 6);
    hash[SHAPES] = walls_of(g);
    hash[INFLOW] = inflow_of(g);
    hash[SPHERES] = spheres_of(g);
}

const char *imp_setup_other(int part) {
    return of_another[part];
}
