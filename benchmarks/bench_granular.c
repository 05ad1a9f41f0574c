/* bench_granular.c - cost of a granular step: a dense packing of spheres in a box, with and without SIMD, on one and
 * two threads.
 *
 *     bench_granular [SIDE]
 *
 * CPU ms is the time of all threads, which other programs on the machine disturb less than the clock.
 * SIDE^3 spheres (22: 10648) of radius 0.47 mm settle for 0.1 s (time step 10 us, 10 sweeps, margin 5 um, double
 * precision); then each row takes the same steps from the same state, in turns: the least of the repeats, by the clock.
 * relaxations/s counts one-contact solutions over the time of the sweeps with their residual; bits says whether the end
 * state is that of the first row. */
#include "impact.h"
#include "tests/gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { REPEATS = 5, STEPS = 100, SETTLE = 10000 };

typedef struct variant {
    const char *name;
    int threads;
    bool simd;
} variant;

static const variant variants[] = {
    {"SIMD, 1 thread", 1, true},
    {"SIMD, 2 threads", 2, true},
    {"scalar, 1 thread", 1, false},
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

typedef struct outcome {
    double list, detect, sweep, move, total, cpu; /* s per step */
    double particles, contacts, relaxations;      /* per step */
    uint64_t bits;
} outcome;

/* The same steps from the state in `checkpoint`; false: something failed. */
static bool run(const imp_granular_settings *set, const variant *v, int side, FILE *checkpoint, outcome *best) {
    imp_granular *g = make(set, v, side);
    const char *why = "no memory";
    imp_status status = IMP_OK;
    imp_granular_report report = {0};
    rewind(checkpoint);
    bool good = g && imp_granular_load(g, checkpoint, &why) == IMP_OK;
    const clock_t begin = clock();
    for (int i = 0; good && i < STEPS && status == IMP_OK; i++)
        status = imp_granular_step(g, &report);
    const double cpu = (double)(clock() - begin) / CLOCKS_PER_SEC;
    good = good && status == IMP_OK;
    if (good) {
        const imp_granular_costs c = imp_granular_cost(g);
        const double total = c.list + c.detect + c.sweep + c.move;
        if (!(best->total <= total / STEPS))
            *best = (outcome){.list = c.list / STEPS,
                              .detect = c.detect / STEPS,
                              .sweep = c.sweep / STEPS,
                              .move = c.move / STEPS,
                              .total = total / STEPS,
                              .cpu = cpu / STEPS,
                              .particles = (double)c.particle_steps / STEPS,
                              .contacts = report.contacts,
                              .relaxations = (double)c.relaxations / STEPS,
                              .bits = bits(g)};
    }
    imp_granular_free(g);
    return good;
}

int main(int argc, char **argv) {
    const int side = argc > 1 ? atoi(argv[1]) : 22;
    const imp_granular_settings set = imp_granular_settings_default();
    outcome best[VARIANTS];
    imp_granular_report report = {0};
    FILE *checkpoint = tmpfile();
    if (side < 2 || side > 200 || !checkpoint) {
        fprintf(stderr, "bench_granular: SIDE from 2 to 200, and room for a temporary file\n");
        return 2;
    }
    imp_granular *g = make(&set, &variants[0], side);
    bool good = g && fill(g, side);
    for (int i = 0; good && i < SETTLE; i++)
        good = imp_granular_step(g, &report) == IMP_OK;
    good = good && imp_granular_save(g, checkpoint) == IMP_OK && fflush(checkpoint) == 0;
    imp_granular_free(g);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    for (int k = 0; k < VARIANTS; k++)
        best[k] = (outcome){.total = INFINITY};
    for (int r = 0; good && r < REPEATS; r++)
        for (int k = 0; good && k < VARIANTS; k++)
            good = run(&set, &variants[k], side, checkpoint, &best[k]);
    fclose(checkpoint);
    if (!good) {
        fprintf(stderr, "bench_granular: the flow failed\n");
        return 1;
    }
    printf("%.0f spheres, %.2f contacts each, deepest penetration %.2g um, %.2f kB per sphere with the program\n",
           best[0].particles, best[0].contacts / best[0].particles, 1e6 * report.penetration,
           (double)usage.ru_maxrss / best[0].particles);
    printf("%-17s %8s %8s %8s %8s %8s %8s %12s %12s %5s\n", "variant", "list ms", "find ms", "sweep ms", "move ms",
           "step ms", "CPU ms", "part.steps/s", "relaxations/s", "bits");
    for (int k = 0; k < VARIANTS; k++) {
        const outcome *o = &best[k];
        printf("%-17s %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %12.3g %12.3g %5s\n", variants[k].name, 1e3 * o->list,
               1e3 * o->detect, 1e3 * o->sweep, 1e3 * o->move, 1e3 * o->total, 1e3 * o->cpu, o->particles / o->total,
               o->relaxations / o->sweep, o->bits == best[0].bits ? "same" : "differ");
    }
    return 0;
}
