/* bench_granular.c - cost of a granular step: dense packings of 1e3, 1e4 and 1e5 spheres in a box,
 * with and without SIMD, on one and two threads, in double and in single precision, with other
 * settings of the sweeps. LIGGGHTS on such a packing is one of `make bench-peers`. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/bench.h"
#include "benchmarks/harness/packing.h"
#include "base/hash.h"
#include "impact.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5, WARM_UP = 100, SMALL = 10, TILES = 3 };

typedef struct variant {
    const char *name;
    int threads;
    bool simd, single, symmetric;
    int split;
    int like; /* the row in whose bits it must end; -1: none */
} variant;

static const variant variants[] = {
    {"SIMD/threads:1", 1, true, false, false, 0, -1},
    {"single/SIMD/threads:1", 1, true, true, false, 0, -1},
    {"SIMD/threads:2", 2, true, false, false, 0, 0},
    {"scalar/threads:1", 1, false, false, false, 0, 0},
    {"scalar/threads:2", 2, false, false, false, 0, 0},
    {"single/SIMD/threads:2", 2, true, true, false, 0, 1},
    {"single/scalar/threads:1", 1, false, true, false, 0, 1},
    {"symmetric/threads:1", 1, true, false, true, 0, -1},
    {"split/threads:1", 1, true, false, false, 4, -1},
};
enum { VARIANTS = sizeof variants / sizeof *variants, OF_EVERY_SIZE = 2 };

/* What is measured of a variant; times in s. */
typedef struct outcome {
    imp_granular *flow;
    double cpu[REPEATS], real[REPEATS], list, detect, sweep, move, penetration;
    imp_granular_report report;
    uint64_t bits;
} outcome;

static imp_granular *make(const packing *p, const variant *v) {
    imp_granular_settings set = imp_granular_settings_default();
    set.threads = v->threads;
    set.simd = v->simd;
    set.symmetric = v->symmetric;
    set.split = v->split;
    set.single_precision = v->single;
    return packing_flow(p, &set);
}

/* A packing many times side by side: nothing of it reaches beyond its walls. */
static packing tile(const packing *p) {
    packing all = packing_new(TILES * TILES * p->n, TILES * p->wide, p->high);
    for (int i = 0; all.sphere && i < all.n; i++) {
        const int t = i / p->n, across = t / TILES, along = t % TILES;
        all.sphere[i] = p->sphere[i % p->n];
        all.sphere[i].position[0] += across * p->wide;
        all.sphere[i].position[1] += along * p->wide;
    }
    if (!all.sphere) all.n = 0;
    return all;
}

static uint64_t bits(const imp_granular *g) {
    uint64_t hash = IMP_HASH_SEED;
    for (int i = 0; i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        hash = imp_hash(hash, s.position, sizeof s.position);
        hash = imp_hash(hash, s.velocity, sizeof s.velocity);
        hash = imp_hash(hash, s.spin, sizeof s.spin);
    }
    return hash;
}

static bool advance(outcome *o, int steps) {
    for (int i = 0; i < steps; i++) {
        if (imp_granular_step(o->flow, &o->report) != IMP_OK) return false;
        o->penetration = fmax(o->penetration, o->report.penetration);
    }
    return true;
}

static bool measure(outcome *o, int steps, int repeat) {
    const imp_granular_costs from = imp_granular_cost(o->flow);
    const clock_t begin = clock();
    const bool good = advance(o, steps);
    o->cpu[repeat] = (double)(clock() - begin) / CLOCKS_PER_SEC / steps;
    const imp_granular_costs to = imp_granular_cost(o->flow);
    const double list = to.list - from.list, detect = to.detect - from.detect,
                 sweep = to.sweep - from.sweep, move = to.move - from.move,
                 real = (list + detect + sweep + move) / steps;
    o->real[repeat] = real;
    for (int r = 0; r < repeat; r++)
        if (o->real[r] <= real) return good;
    o->list = list / steps, o->detect = detect / steps, o->sweep = sweep / steps,
    o->move = move / steps;
    return good;
}

static void show(bench *b, const variant *v, outcome *o) {
    const double n = o->report.particles, per_item = 1e9 / n;
    char name[64];
    gsl_sort(o->cpu, 1, REPEATS);
    gsl_sort(o->real, 1, REPEATS);
    const bench_timing t = {per_item * o->cpu[REPEATS / 2], per_item * o->cpu[0],
                            per_item * o->cpu[REPEATS - 1], per_item * o->real[REPEATS / 2],
                            (double)imp_granular_cost(o->flow).particle_steps};
    snprintf(name, sizeof name, "%s/spheres:%.0f", v->name, n);
    bench_row(
        b, name, &t, o->report.residual,
        (const double[]){o->report.contacts / n, 1e3 * o->list, 1e3 * o->detect, 1e3 * o->sweep,
                         1e3 * o->move, 1e-6 * o->report.contacts * o->report.sweeps / o->sweep,
                         1e-3 * (double)imp_granular_bytes(o->flow) / n, 1e6 * o->penetration});
}

/* Rows of one packing; the first of them in *first. */
static bool run(bench *b, const packing *p, int rows, outcome *first) {
    static outcome o[VARIANTS];
    if (p->n <= 0) return false;
    const int steps = p->n > 50000 ? 20 : 1000000 / p->n;
    bool good = true;
    memset(o, 0, sizeof o);
    for (int k = 0; good && k < rows; k++) {
        o[k].flow = make(p, &variants[k]);
        good = o[k].flow && advance(&o[k], WARM_UP);
        o[k].penetration = 0;
    }
    for (int r = 0; good && r < REPEATS; r++)
        for (int k = 0; good && k < rows; k++)
            good = measure(&o[k], steps, r);
    for (int k = 0; good && k < rows; k++) {
        show(b, &variants[k], &o[k]);
        o[k].bits = bits(o[k].flow);
        if (variants[k].like >= 0 && o[k].bits != o[variants[k].like].bits) {
            printf("# %s differs in bits\n", variants[k].name);
            good = false;
        }
    }
    for (int k = 0; k < rows; k++) {
        imp_granular_free(o[k].flow);
        o[k].flow = NULL;
    }
    *first = o[0];
    return good;
}

static const usage about = {
    .program = "bench_granular",
    .arguments = "[SIDE]",
    .most = 1,
    .text =
        "What a granular step costs: dense packings of spheres in a box, with and without SIMD, on "
        "one and two threads, in\n"
        "double and (rows `single`) in single precision, with other settings of the sweeps. SIDE^3 "
        "spheres (22: 10648) of\n"
        "radius 0.47 mm settle for 0.1 s (time step 10 us, 10 sweeps, margin 5 um); the largest "
        "packing is that one laid 3 x 3\n"
        "times side by side, the smallest has 10^3. Every row takes the same steps from the same "
        "state, rows of a packing in turns; "
        "an item is a\n"
        "particle-step, cpu counts all threads, real is the clock's. The error is the residual at "
        "the end of the last step\n"
        "over |g| dt. Mrelax/s are one-contact solutions by the clock of the sweeps, with the pass "
        "for the first guess and\n"
        "the one for the residual in it; kB what the flow has allocated per sphere; um the deepest "
        "penetration within the\n"
        "steps. Exit 1: rows of one packing that differ in threads and SIMD only do not end in the "
        "same bits; 2: bad use.\n",
    .environment = BENCH_ENVIRONMENT,
};

int main(int argc, char **argv) {
    usage_answer(&about, argc, argv);
    const int side = argc > 1 ? (int)usage_whole(&about, "SIDE", argv[1], 2, 100) : 22;
    bench b = bench_begin("granular");
    packing size[3] = {packing_settle(SMALL), packing_settle(side), {0}};
    static outcome first[3];
    double x[3], y[3];
    size[2] = tile(&size[1]);
    bench_table(&b, "what does a particle-step cost (real: 200 ns are 5e6 a second)",
                (const char *const[]){"contacts", "list ms", "find ms", "sweep ms", "move ms",
                                      "Mrelax/s", "kB", "um", NULL});
    bool good = true;
    for (int k = 0; good && k < 3; k++) {
        good = run(&b, &size[k], k == 1 ? VARIANTS : OF_EVERY_SIZE, &first[k]);
        x[k] = size[k].n;
        y[k] = first[k].real[0];
    }
    if (good) bench_exponent(&b, "time of a step by spheres", 3, x, y);
    for (int k = 0; k < 3; k++)
        free(size[k].sphere);
    if (!good) fprintf(stderr, "bench_granular: the flow failed\n");
    return good ? bench_end(&b) : 1;
}
