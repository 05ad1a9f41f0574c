/* bench_granular.c - cost of a granular step: dense packings of 1e3, 1e4 and 1e5 spheres in a box, with and without
 * SIMD, on one and two threads, with other settings of the sweeps; beside LIGGGHTS where that is installed.
 *
 *     bench_granular [SIDE]
 *
 * SIDE^3 spheres (22: 10648) of radius 0.47 mm settle for 0.1 s (time step 10 us, 10 sweeps, margin 5 um, double
 * precision); the largest packing is that one laid 3 x 3 times side by side, the smallest has 10^3. Every row takes the
 * same steps from the same state, rows of a packing in turns; an item is a particle-step, cpu counts all threads, real
 * is the clock's. The error is the residual at the end of the last step over |g| dt. Mrelax/s are one-contact solutions
 * by the clock of the sweeps, with the pass for the first guess and the one for the residual in it; kB what the flow
 * has allocated per sphere; um the deepest penetration within the steps. Rows of one packing that differ in threads and
 * SIMD only must end in the same bits, or the program fails. */
#include "benchmarks/harness/bench.h"
#include "benchmarks/peers/liggghts.h"
#include "impact.h"
#include "tests/gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5, SETTLE = 10000, WARM_UP = 100, SMALL = 10, TILES = 3 };

typedef struct packing {
    int n;
    double wide, high; /* m */
    imp_sphere *sphere;
} packing;

typedef struct variant {
    const char *name;
    int threads;
    bool simd, symmetric, same; /* same: it must end in the bits of the first */
    int split;
} variant;

static const variant variants[] = {
    {"SIMD/threads:1", 1, true, false, true, 0},      {"SIMD/threads:2", 2, true, false, true, 0},
    {"scalar/threads:1", 1, false, false, true, 0},   {"scalar/threads:2", 2, false, false, true, 0},
    {"symmetric/threads:1", 1, true, true, false, 0}, {"split/threads:1", 1, true, false, false, 4},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* What is measured of a variant; times in s. */
typedef struct outcome {
    imp_granular *flow;
    double cpu[REPEATS], real[REPEATS], list, detect, sweep, move, penetration;
    imp_granular_report report;
    uint64_t bits;
} outcome;

static imp_granular *make(const packing *p, const variant *v) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_shape shape[5];
    imp_status status;
    set.threads = v->threads;
    set.simd = v->simd;
    set.symmetric = v->symmetric;
    set.split = v->split;
    set.high[0] = set.high[1] = p->wide;
    set.high[2] = p->high;
    for (int i = 0; i < 5; i++) {
        const int axis = i == 0 ? 2 : (i - 1) / 2, far = i > 0 && i % 2 == 0;
        shape[i] = (imp_shape){.kind = IMP_SHAPE_PLANE, .friction = set.friction};
        shape[i].normal[axis] = far ? -1 : 1;
        shape[i].point[axis] = far ? set.high[axis] : 0;
    }
    imp_granular *g = imp_granular_new(&set, 5, shape, NULL, &status);
    if (g && imp_granular_add(g, p->n, p->sphere) == IMP_OK) return g;
    imp_granular_free(g);
    return NULL;
}

static packing pack(int n, double wide, double high) {
    return (packing){n, wide, high, calloc((size_t)n + 1, sizeof(imp_sphere))};
}

/* side^3 spheres that fell from a grid, on which they tumbled. n = 0: it failed. */
static packing settle(int side) {
    packing p = pack(side * side * side, side * 1e-3, (side + 15) * 1e-3);
    gen_stream draw = gen_seed(991, 0);
    for (int i = 0; p.sphere && i < p.n; i++) {
        const int at[3] = {i / (side * side), i / side % side, i % side};
        p.sphere[i] = (imp_sphere){.radius = 0.47e-3, .density = 2650};
        for (int c = 0; c < 3; c++) {
            p.sphere[i].position[c] = 1e-3 * (at[c] + 0.5);
            p.sphere[i].velocity[c] = gen_uniform(&draw, -0.5, 0.5);
        }
    }
    imp_granular *g = p.sphere ? make(&p, &variants[0]) : NULL;
    bool good = g != NULL;
    for (int i = 0; good && i < SETTLE; i++)
        good = imp_granular_step(g, NULL) == IMP_OK;
    for (int i = 0; good && i < p.n; i++)
        p.sphere[i] = imp_granular_sphere(g, i);
    imp_granular_free(g);
    if (!good) p.n = 0;
    return p;
}

/* A packing many times side by side: nothing of it reaches beyond its walls. */
static packing tile(const packing *p) {
    packing all = pack(TILES * TILES * p->n, TILES * p->wide, p->high);
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
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        unsigned char bytes[3 * sizeof s.position];
        memcpy(bytes, s.position, sizeof s.position);
        memcpy(bytes + sizeof s.position, s.velocity, sizeof s.velocity);
        memcpy(bytes + 2 * sizeof s.position, s.spin, sizeof s.spin);
        for (size_t k = 0; k < sizeof bytes; k++)
            hash = (hash ^ bytes[k]) * 1099511628211u;
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
    const double list = to.list - from.list, detect = to.detect - from.detect, sweep = to.sweep - from.sweep,
                 move = to.move - from.move, real = (list + detect + sweep + move) / steps;
    o->real[repeat] = real;
    for (int r = 0; r < repeat; r++)
        if (o->real[r] <= real) return good;
    o->list = list / steps, o->detect = detect / steps, o->sweep = sweep / steps, o->move = move / steps;
    return good;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void show(bench *b, const variant *v, outcome *o) {
    const double n = o->report.particles, per_item = 1e9 / n;
    char name[64];
    qsort(o->cpu, REPEATS, sizeof *o->cpu, by_size);
    qsort(o->real, REPEATS, sizeof *o->real, by_size);
    const bench_timing t = {per_item * o->cpu[REPEATS / 2], per_item * o->cpu[0], per_item * o->cpu[REPEATS - 1],
                            per_item * o->real[0], (double)imp_granular_cost(o->flow).particle_steps};
    snprintf(name, sizeof name, "%s/spheres:%.0f", v->name, n);
    bench_row(b, name, &t, o->report.residual,
              (const double[]){o->report.contacts / n, 1e3 * o->list, 1e3 * o->detect, 1e3 * o->sweep, 1e3 * o->move,
                               1e-6 * o->report.contacts * o->report.sweeps / o->sweep,
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
        if (variants[k].same && o[k].bits != o[0].bits) {
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

static void show_soft(bench *b, const char *name, const packing *p, const liggghts *l, double ours) {
    const double ns = 1e9 * l->per_step / p->n, advance = l->step / l->per_step;
    const bench_timing t = {ns, ns, ns, ns, p->n};
    bench_row(b, name, &t, NAN,
              (const double[]){1e-9 * l->stiffness, 1e6 * l->step, 1e6 * l->penetration, advance, ours / advance});
}

/* Soft spheres need time steps that follow their stiffness, so what counts is simulated time per time. Overlap goes
 * with stiffness^(-2/3) under a given load (Hertz). */
static void beside_soft(bench *b, const packing *p, const outcome *own) {
    enum { LOAD = 2000, TIMED = 500 };
    const double dt = imp_granular_settings_default().step, ours = dt / own->real[0], soft = 5e6, quartz = 70e9;
    liggghts l;
    imp_granular *g = make(p, &variants[0]);
    bench_table(b, "beside LIGGGHTS, Hertz with history, on the same packing",
                (const char *const[]){"GPa", "dt us", "um", "sim. s/s", "ours/theirs", NULL});
    const double ns = 1e9 * own->real[0] / p->n;
    bench_row(b, "ours", &(bench_timing){ns, ns, ns, ns, p->n}, NAN,
              (const double[]){INFINITY, 1e6 * dt, 1e6 * own->penetration, ours, 1});
    if (g && liggghts_run(g, p->wide, soft, LOAD, TIMED, &l)) {
        const double equal = soft * pow(l.penetration / own->penetration, 1.5);
        show_soft(b, "liggghts/5 MPa", p, &l, ours);
        if (isfinite(equal) && liggghts_run(g, p->wide, equal, LOAD, TIMED, &l))
            show_soft(b, "liggghts/equal penetration", p, &l, ours);
        if (liggghts_run(g, p->wide, quartz, LOAD, TIMED, &l)) show_soft(b, "liggghts/quartz", p, &l, ours);
    } else {
        printf("# liggghts: not found (optional peer; Debian package liggghts)\n");
    }
    imp_granular_free(g);
}

int main(int argc, char **argv) {
    const int side = argc > 1 ? atoi(argv[1]) : 22;
    if (side < 2 || side > 100) {
        fprintf(stderr, "bench_granular: SIDE from 2 to 100\n");
        return 2;
    }
    bench b = bench_begin("granular");
    packing size[3] = {settle(SMALL), settle(side), {0}};
    static outcome first[3];
    double x[3], y[3];
    size[2] = tile(&size[1]);
    bench_table(
        &b, "what does a particle-step cost (real: 200 ns are 5e6 a second)",
        (const char *const[]){"contacts", "list ms", "find ms", "sweep ms", "move ms", "Mrelax/s", "kB", "um", NULL});
    bool good = true;
    for (int k = 0; good && k < 3; k++) {
        good = run(&b, &size[k], k == 1 ? VARIANTS : 1, &first[k]);
        x[k] = size[k].n;
        y[k] = first[k].real[0];
    }
    if (good) {
        bench_exponent(&b, "time of a step by spheres", 3, x, y);
        beside_soft(&b, &size[1], &first[1]);
    }
    for (int k = 0; k < 3; k++)
        free(size[k].sphere);
    if (!good) fprintf(stderr, "bench_granular: the flow failed\n");
    return good ? bench_end(&b) : 1;
}
