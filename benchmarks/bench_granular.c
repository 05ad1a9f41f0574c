/* bench_granular.c - what a granular step costs: a dense packing of spheres in a box, by variant and by particles.
 *
 *     bench_granular [SIDE]
 *
 * SIDE^3 spheres (22: 10648) of radius 0.47 mm settle for 0.04 s (time step 10 us, 10 sweeps, margin 5 um, double
 * precision); then each row takes the same steps from the same state, in turns. The error is the residual of the last
 * step: of what ten sweeps leave, not of rounding. Mrelax/s counts one-contact solutions over the time of the sweeps
 * with their residual, by the clock; bits: 1 where the end state is that of the first row. */
#include "benchmarks/harness/bench.h"
#include "impact.h"
#include "tests/gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { REPEATS = 5, STEPS = 100, SETTLE = 4000 };

typedef struct variant {
    const char *name;
    int threads;
    bool simd;
} variant;

static const variant variants[] = {
    {"simd/threads:1", 1, true},
    {"simd/threads:2", 2, true},
    {"scalar/threads:1", 1, false},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static imp_granular *make(const imp_granular_settings *base, const variant *v, int side) {
    imp_granular_settings set = *base;
    imp_shape shape[5];
    imp_status status;
    set.threads = v->threads;
    set.simd = v->simd;
    for (int c = 0; c < 3; c++)
        set.high[c] = (side + (c == 2 ? 15 : 0)) * 1e-3;
    for (int i = 0; i < 5; i++) {
        const int axis = i == 0 ? 2 : (i - 1) / 2, far = i > 0 && i % 2 == 0;
        shape[i] = (imp_shape){.kind = IMP_SHAPE_PLANE, .friction = set.friction};
        shape[i].normal[axis] = far ? -1 : 1;
        shape[i].point[axis] = far ? set.high[axis] : 0;
    }
    return imp_granular_new(&set, 5, shape, NULL, &status);
}

static bool fill(imp_granular *g, int side) {
    gen_stream draw = gen_seed(991, 0);
    for (int i = 0; i < side * side * side; i++) {
        const int at[3] = {i / (side * side), i / side % side, i % side};
        imp_sphere s = {.radius = 0.47e-3, .density = 2650};
        for (int c = 0; c < 3; c++) {
            s.position[c] = 1e-3 * (at[c] + 0.5);
            s.velocity[c] = gen_uniform(&draw, -0.5, 0.5);
        }
        if (imp_granular_add(g, 1, &s) != IMP_OK) return false;
    }
    return true;
}

static uint64_t bits(const imp_granular *g) {
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        unsigned char bytes[2 * sizeof s.position];
        memcpy(bytes, s.position, sizeof s.position);
        memcpy(bytes + sizeof s.position, s.velocity, sizeof s.velocity);
        for (size_t k = 0; k < sizeof bytes; k++)
            hash = (hash ^ bytes[k]) * 1099511628211u;
    }
    return hash;
}

/* Over the repeats, per particle and step. */
typedef struct outcome {
    double cpu[REPEATS], real[REPEATS]; /* ns */
    double list, detect, sweep, move;   /* s per step, the least */
    double particles, contacts, relaxations, residual;
    uint64_t bits;
} outcome;

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The same steps from the state in `checkpoint`; false: something failed. */
static bool run(const imp_granular_settings *set, const variant *v, int side, FILE *checkpoint, int repeat,
                outcome *o) {
    imp_granular *g = make(set, v, side);
    const char *why = "no memory";
    imp_granular_report report = {0};
    rewind(checkpoint);
    bool good = g && imp_granular_load(g, checkpoint, &why) == IMP_OK;
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), real = seconds(CLOCK_MONOTONIC);
    for (int i = 0; good && i < STEPS; i++)
        good = imp_granular_step(g, &report) == IMP_OK;
    if (good) {
        const imp_granular_costs c = imp_granular_cost(g);
        const double per = 1e9 / (double)c.particle_steps;
        o->cpu[repeat] = per * (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
        o->real[repeat] = per * (seconds(CLOCK_MONOTONIC) - real);
        o->list = fmin(o->list, c.list / STEPS);
        o->detect = fmin(o->detect, c.detect / STEPS);
        o->sweep = fmin(o->sweep, c.sweep / STEPS);
        o->move = fmin(o->move, c.move / STEPS);
        o->particles = (double)c.particle_steps / STEPS;
        o->contacts = report.contacts;
        o->relaxations = (double)c.relaxations / STEPS;
        o->residual = report.residual;
        o->bits = bits(g);
    }
    imp_granular_free(g);
    return good;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double print_row(bench *b, const char *name, outcome *o, const outcome *first) {
    qsort(o->cpu, REPEATS, sizeof *o->cpu, compare);
    qsort(o->real, REPEATS, sizeof *o->real, compare);
    const bench_timing t = {.cpu = o->cpu[REPEATS / 2],
                            .least = o->cpu[0],
                            .most = o->cpu[REPEATS - 1],
                            .real = o->real[REPEATS / 2],
                            .items = o->particles * STEPS * REPEATS};
    bench_row(b, name, &t, o->residual,
              (const double[]){o->particles, o->contacts / o->particles, 1e6 * o->list, 1e6 * o->detect, 1e6 * o->sweep,
                               1e6 * o->move, 1e-6 * o->relaxations / o->sweep, o->bits == first->bits});
    return t.cpu * o->particles;
}

/* A settled box, and its variants in turns. The cost of a step of the first variant in ns; NAN: the flow failed. */
static double box_of(bench *b, const char *prefix, int side, int settle, int count) {
    const imp_granular_settings set = imp_granular_settings_default();
    outcome o[VARIANTS];
    FILE *checkpoint = tmpfile();
    imp_granular *g = make(&set, &variants[0], side);
    bool good = checkpoint && g && fill(g, side);
    for (int i = 0; good && i < settle; i++)
        good = imp_granular_step(g, NULL) == IMP_OK;
    good = good && imp_granular_save(g, checkpoint) == IMP_OK && fflush(checkpoint) == 0;
    imp_granular_free(g);
    for (int k = 0; k < count; k++)
        o[k] = (outcome){.list = INFINITY, .detect = INFINITY, .sweep = INFINITY, .move = INFINITY};
    for (int r = 0; good && r < REPEATS; r++)
        for (int k = 0; good && k < count; k++)
            good = run(&set, &variants[k], side, checkpoint, r, &o[k]);
    if (checkpoint) fclose(checkpoint);
    double cost = NAN;
    for (int k = 0; good && k < count; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s/%s", prefix, variants[k].name);
        const double ns = print_row(b, name, &o[k], &o[0]);
        if (k == 0) cost = ns;
    }
    return cost;
}

int main(int argc, char **argv) {
    static const int sides[] = {6, 9, 13, 18};
    const int side = argc > 1 ? atoi(argv[1]) : 22;
    double particles[4], cost[4];
    if (side < 2 || side > 200) {
        fprintf(stderr, "bench_granular: SIDE from 2 to 200\n");
        return 2;
    }
    const char *const counters[] = {"particles", "contacts/", "list us", "find us", "sweep us",
                                    "move us",   "Mrelax/s",  "bits",    NULL};
    bench b = bench_begin("granular");
    bench_table(&b, "a settled box of spheres: ns a particle and step; error: the residual after ten sweeps", counters);
    bool good = !isnan(box_of(&b, "box", side, SETTLE, VARIANTS));
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("# %.2f kB a sphere with the program\n", (double)usage.ru_maxrss / (side * side * side));
    if (argc == 1) {
        bench_table(&b, "the same by particles, one thread, settled for an eighth of the time", counters);
        for (int i = 0; i < 4; i++) {
            char name[32];
            snprintf(name, sizeof name, "box/side:%d", sides[i]);
            cost[i] = box_of(&b, name, sides[i], SETTLE / 8, 1);
            particles[i] = pow(sides[i], 3);
            good = good && !isnan(cost[i]);
        }
        bench_exponent(&b, "cost of a step against particles", 4, particles, cost);
    }
    if (!good) fprintf(stderr, "bench_granular: the flow failed\n");
    return good ? bench_end(&b) : 1;
}
