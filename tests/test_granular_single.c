/* Flows swept in single precision: the same bits on any threads, lanes and ranks and from a
 * checkpoint, in any unit of length; near the flow in double precision, and its own where nothing
 * meets; momentum; what it is not for. */
#include "granular_ranks.h"
#include "scratch.h"
#include "tap.h"

#include <unistd.h>

static imp_granular_settings single(void) {
    imp_granular_settings set = imp_granular_settings_default();
    set.single_precision = true;
    return set;
}

static uint64_t bits_after(imp_granular_settings set, double share, int steps) {
    return box_bits_after(set, (const int[3]){7, 5, 5}, share, 877, steps);
}

static void test_same_bits(void) {
    for (int kind = 0; kind < 3; kind++) {
        imp_granular_settings set = single(), in_double;
        if (kind == 1) set.bricks[0] = 3, set.bricks[1] = 2, set.bricks[2] = 4;
        if (kind == 2) set.bricks[0] = 4, set.symmetric = true, set.split = 2;
        const double share = kind ? 0.7 : 0;
        const uint64_t one = bits_after(set, share, 120);
        in_double = set;
        in_double.single_precision = false;
        ok(one != 0 && one != bits_after(set, share, 119) &&
               one != bits_after(in_double, share, 120),
           "%s: bits tell steps apart, and from double precision",
           kind == 0   ? "equal spheres"
           : kind == 1 ? "unequal ones in bricks"
                       : "split and symmetrically swept");
        set.threads = 2;
        ok(bits_after(set, share, 120) == one, "  the same on two threads");
        set.threads = 3;
        set.simd = false;
        ok(bits_after(set, share, 120) == one, "  the same on three, without SIMD");
        set.law = IMP_GRANULAR_COULOMB;
        ok(bits_after(set, share, 120) == one, "  the same by Coulomb's law");
    }
}

/* A flow on ranks, gathered on the first. */
typedef struct trial {
    imp_granular_settings set;
    int grid[3];
    imp_granular *start, *end;
    imp_status status;
} trial;

static void run(const imp_transport *t, void *context) {
    trial *of = context;
    imp_status status;
    imp_granular *part = imp_granular_part(of->start, t, of->grid, &status),
                 *whole = t->rank == 0 ? box_flow(&of->set, 6, 4, 4, 0.2, 911) : NULL;
    if (!part) abort();
    for (int i = 0; i < 60; i++)
        if (imp_granular_step(part, NULL) != IMP_OK) abort();
    status = imp_granular_gather(part, whole);
    if (t->rank == 0) of->end = whole, of->status = status;
    imp_granular_free(part);
}

static void test_ranks(void) {
    static const int grids[][3] = {{2, 1, 1}, {3, 1, 2}};
    for (int k = 0; k < 2; k++) {
        trial of = {.set = single()};
        imp_status status;
        of.set.bricks[0] = 3, of.set.bricks[1] = of.set.bricks[2] = 2;
        of.set.step = 4e-5;
        of.set.symmetric = k == 1;
        memcpy(of.grid, grids[k], sizeof of.grid);
        of.start = box_flow(&of.set, 6, 4, 4, 0.2, 911);
        box_run(of.start, 40, &status);
        ranks_run(of.grid[0] * of.grid[1] * of.grid[2], -1, 0, run, &of);
        box_run(of.start, 60, &status);
        ok(of.end && of.status == IMP_OK && box_bits(of.end) == box_bits(of.start),
           "%d x %d x %d ranks: the bits of the whole flow", of.grid[0], of.grid[1], of.grid[2]);
        imp_granular_free(of.start);
        imp_granular_free(of.end);
    }
}

static void test_checkpoint(void) {
    imp_granular_settings set = single(), other;
    imp_status status, went[3];
    const char *path = scratch_path("single.check"), *why = "";
    imp_granular *whole = box_flow(&set, 7, 5, 5, 0.3, 877),
                 *part = box_flow(&set, 7, 5, 5, 0.3, 877);
    FILE *out = fopen(path, "wb");
    box_run(whole, 90, &went[0]);
    if (!out || imp_granular_save(whole, out) != IMP_OK || fclose(out) != 0) abort();
    box_run(whole, 50, &went[1]);
    const imp_status loaded = box_load(part, path, &why);
    box_run(part, 50, &went[2]);
    ok(loaded == IMP_OK && went[0] == IMP_OK && went[1] == IMP_OK && went[2] == IMP_OK &&
           box_bits(part) == box_bits(whole),
       "a checkpoint goes on with the bits");
    imp_granular_free(part);
    other = set;
    other.single_precision = false;
    part = box_flow(&other, 7, 5, 5, 0.3, 877);
    status = box_load(part, path, &why);
    ok(status == IMP_BAD_ARGUMENT && strstr(why, "$.single_precision"),
       "and not in double precision (%s)", why);
    imp_granular_free(part);
    imp_granular_free(whole);
}

enum { N = 6 * 4 * 4 };

/* Spheres of `length` metres for each that box_flow has, as fast, in a gravity that makes them
 * fall as far: end <- by ids. */
static bool scaled(double length, int steps, imp_sphere end[N]) {
    imp_granular_settings set = single();
    imp_shape shape[5];
    imp_sphere s[N];
    imp_status status;
    imp_granular *g = box_flow(&set, 6, 4, 4, 0.5, 919);
    imp_granular_spheres(g, s, N);
    imp_granular_free(g);
    set.step *= length;
    set.margin *= length;
    set.skin *= length;
    for (int x = 0; x < 3; x++) {
        set.gravity[x] /= length;
        set.high[x] *= length;
    }
    const int shapes = packing_walls(&set, shape);
    g = imp_granular_new(&set, shapes, shape, NULL, &status);
    for (int i = 0; i < N; i++) {
        s[i].radius *= length;
        for (int x = 0; x < 3; x++) {
            s[i].position[x] *= length;
            s[i].spin[x] /= length;
        }
    }
    if (!g || imp_granular_add(g, N, s) != IMP_OK) return false;
    box_run(g, steps, &status);
    imp_granular_spheres(g, s, N);
    for (int i = 0; i < N; i++)
        end[s[i].id] = s[i];
    imp_granular_free(g);
    return status == IMP_OK;
}

/* Single precision has 38 decades either way, of which masses alone would take these. */
static void test_lengths(void) {
    static const double length[] = {0x1p-20, 0x1p-10, 0x1p10, 0x1p20};
    imp_sphere own[N], other[N];
    const bool good = scaled(1, 80, own);
    for (int k = 0; k < 4; k++) {
        int differ = 0;
        const bool ran = scaled(length[k], 80, other);
        for (int i = 0; i < N; i++)
            for (int x = 0; x < 3; x++)
                differ += other[i].velocity[x] != own[i].velocity[x] ||
                          other[i].position[x] != own[i].position[x] * length[k];
        ok(good && ran && differ == 0, "lengths times %g: the same velocities (%d differ)",
           length[k], differ);
    }
}

/* The two precisions side by side, as long as rounding has not grown; spheres that meet nothing go
 * the same way. */
static void test_near_double(void) {
    static imp_sphere end[2][N + 1];
    double worst = 0;
    for (int k = 0; k < 2; k++) {
        imp_granular_settings set = single();
        set.single_precision = k == 0;
        imp_status status;
        imp_granular *g = box_flow(&set, 6, 4, 4, 0.2, 911);
        imp_sphere alone = {.position = {3e-3, 2e-3, 15e-3},
                            .velocity = {0.1 / 3, -0.2 / 3, 1 / 3.0},
                            .spin = {1 / 7.0, 100 / 7.0, 3 / 7.0},
                            .radius = 0.4e-3,
                            .density = 2650};
        imp_granular_add(g, 1, &alone);
        const imp_granular_report r = box_run(g, 60, &status);
        ok(status == IMP_OK && r.loaded > 5, "%s precision runs (%d loaded contacts)",
           k ? "double" : "single", r.loaded);
        for (int i = 0; i < imp_granular_count(g); i++) {
            const imp_sphere s = imp_granular_sphere(g, i);
            end[k][s.id] = s;
        }
        imp_granular_free(g);
    }
    for (int i = 0; i < N; i++)
        for (int x = 0; x < 3; x++)
            worst = tap_worst(worst,
                              fabs(end[0][i].velocity[x] - end[1][i].velocity[x]) +
                                  end[0][i].radius * fabs(end[0][i].spin[x] - end[1][i].spin[x]));
    /* 6e-8 of half a metre per second, in each of 600 sweeps */
    ok(worst > 0 && worst < 2e-5, "after 60 steps velocities are %.2g m/s apart", worst);
    ok(memcmp(&end[0][N], &end[1][N], sizeof end[0][N]) == 0,
       "a sphere that meets nothing has the same bits");
}

/* A cloud without walls and gravity, which collapses. */
static void test_momentum(void) {
    imp_granular_settings set = single();
    imp_status status;
    imp_sphere s[N];
    double before[3] = {0}, after[3] = {0}, size = 0;
    memset(set.gravity, 0, sizeof set.gravity);
    imp_granular *g = box_flow(&set, 6, 4, 4, 0.2, 911);
    imp_granular_spheres(g, s, N);
    imp_granular_free(g);
    g = imp_granular_new(&set, 0, NULL, NULL, &status);
    for (int i = 0; i < N; i++)
        for (int x = 0; x < 3; x++) {
            s[i].velocity[x] -= 300 * (s[i].position[x] - 2e-3);
            before[x] += box_mass(&s[i]) * s[i].velocity[x];
            size += box_mass(&s[i]) * fabs(s[i].velocity[x]);
        }
    imp_granular_add(g, N, s);
    const imp_granular_report r = box_run(g, 100, &status);
    imp_granular_spheres(g, s, N);
    for (int i = 0; i < N; i++)
        for (int x = 0; x < 3; x++)
            after[x] += box_mass(&s[i]) * s[i].velocity[x];
    double off = 0;
    for (int x = 0; x < 3; x++)
        off = tap_worst(off, fabs(after[x] - before[x]) / size);
    ok(status == IMP_OK && r.loaded > 20 && off < 1e-6,
       "momentum is kept to %.1g of what moves (%d loaded contacts)", off, r.loaded);
    imp_granular_free(g);
}

/* Sweeps come as far as single precision goes, and not further. */
static void test_tolerance(void) {
    for (int k = 0; k < 2; k++) {
        imp_granular_settings set = single();
        imp_status status;
        set.tolerance = k ? 1e-9 : 0.1;
        set.most_sweeps = 300;
        imp_granular *g = box_flow(&set, 6, 4, 4, 0.2, 911);
        const imp_granular_report r = box_run(g, 40, &status);
        ok(k ? status == IMP_NOT_CONVERGED && r.residual > 1e-9
             : status == IMP_OK && r.residual <= 0.1,
           "a tolerance of %g is %s (%g after %d sweeps)", set.tolerance,
           k ? "out of reach" : "met", r.residual, r.sweeps);
        imp_granular_free(g);
    }
}

/* Two that overlap are pushed apart, and stop where the step is split. */
static void test_split(void) {
    for (int split = 0; split < 4; split += 3) {
        imp_granular_settings set = single();
        imp_status status;
        set.gravity[2] = 0;
        set.split = split;
        imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
        imp_sphere s = {.position = {0.05, 0.05, 0.05}, .radius = 1e-3, .density = 2650};
        imp_granular_add(g, 1, &s);
        s.position[0] += 1.99e-3;
        imp_granular_add(g, 1, &s);
        box_run(g, 1, &status);
        const double apart =
            imp_granular_sphere(g, 1).velocity[0] - imp_granular_sphere(g, 0).velocity[0];
        ok(status == IMP_OK && fabs(apart - (split ? 0 : 0.8)) < 1e-6,
           "pushed apart, %ssplit: they part at %.2g m/s", split ? "" : "not ", apart);
        imp_granular_free(g);
    }
}

static void test_refusals(void) {
    imp_status status;
    imp_granular_settings set = single();
    set.blend = 0.75;
    imp_granular_free(imp_granular_new(&set, 0, NULL, NULL, &status));
    ok(status == IMP_BAD_ARGUMENT, "not for damped sweeps");
    for (int law = IMP_GRANULAR_MAXDISS_GENERAL; law <= IMP_GRANULAR_COULOMB_GENERAL; law++) {
        set = single();
        set.law = (imp_granular_law)law;
        imp_granular_free(imp_granular_new(&set, 0, NULL, NULL, &status));
        ok(status == IMP_BAD_ARGUMENT, "nor for the general law %d", law);
    }
    set = single();
    imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
    imp_sphere s = {.position = {0.05, 0.05, 0.05}, .radius = 1e-3, .density = 2650};
    s.offset = 1e-4;
    ok(imp_granular_add(g, 1, &s) == IMP_BAD_ARGUMENT && imp_granular_count(g) == 0,
       "nor for spheres off their centre");
    imp_granular_free(g);
    imp_inflow inflow;
    set.high[0] = 0.01, set.high[1] = 0.005, set.high[2] = 0.02;
    g = box_channel(&set, 0.4, 5, 3, &inflow);
    const imp_shape push = imp_granular_shape(g, 0);
    imp_granular_free(g);
    inflow.offset = 1e-4;
    g = imp_granular_new(&set, 1, &push, &inflow, &status);
    ok(!g && status == IMP_BAD_ARGUMENT, "nor where such come in");
    imp_granular_free(g);
}

int main(void) {
    alarm(120); /* what never ends, ends here */
    test_same_bits();
    test_ranks();
    test_checkpoint();
    test_lengths();
    test_near_double();
    test_momentum();
    test_tolerance();
    test_split();
    test_refusals();
    return tap_done();
}
