/* Flows swept in single precision where its range is short: masses apart on ranks, friction beyond
 * float, impulses whose squares underflow, masses next to its ends; and what shapes push, moving
 * and standing. */
#include "granular_ranks.h"
#include "tap.h"

#include <unistd.h>

enum { ROW = 64, N = 6 * 4 * 4 };

static imp_granular_settings with(bool single) {
    imp_granular_settings set = imp_granular_settings_default();
    set.single_precision = single;
    return set;
}

/* Spheres in a row that is `bent` by so much of their distance, without gravity, the first so many
 * times as heavy as the others. */
static imp_granular *row_of(imp_granular_settings *set, double bent, double heavy) {
    imp_status status;
    gen_stream draw = gen_seed(5, 0);
    memset(set->gravity, 0, sizeof set->gravity);
    set->high[0] = ROW * 1e-3;
    set->bricks[0] = 4, set->bricks[1] = set->bricks[2] = 1;
    for (int x = 1; x < 3; x++)
        set->low[x] = -2e-3, set->high[x] = 2e-3;
    imp_granular *g = imp_granular_new(set, 0, NULL, NULL, &status);
    for (int i = 0; g && i < ROW; i++) {
        imp_sphere s = {.radius = 0.499e-3, .density = i == 0 ? 2650 * heavy : 2650};
        s.position[0] = 1e-3 * (i + 0.5);
        for (int x = 1; x < 3; x++)
            s.position[x] = bent * 1e-3 * gen_uniform(&draw, -1, 1);
        s.velocity[0] = gen_uniform(&draw, -0.5, 0.5);
        if (imp_granular_add(g, 1, &s) != IMP_OK) abort();
    }
    return g;
}

/* A row on two ranks, gathered on the first. */
typedef struct trial {
    double bent, heavy;
    imp_granular *start, *end;
} trial;

static void run(const imp_transport *t, void *context) {
    trial *of = context;
    imp_granular_settings set = with(true);
    imp_status status;
    imp_granular *part = imp_granular_part(of->start, t, (const int[3]){2, 1, 1}, &status),
                 *whole = t->rank == 0 ? row_of(&set, of->bent, of->heavy) : NULL;
    if (!part) abort();
    box_run(part, 100, &status);
    if (imp_granular_gather(part, whole) != IMP_OK) abort();
    if (t->rank == 0) of->end = whole;
    imp_granular_free(part);
}

/* A rank that has the heavy sphere and one that has it not lose the same to underflow. */
static void test_ranks(void) {
    static const double cases[][2] = {{6e-17, 2}, {1e-12, 1e3}, {6e-17, 1e6}};
    for (int k = 0; k < 3; k++)
        for (int listed = 0; listed < 2; listed++) {
            trial of = {.bent = cases[k][0], .heavy = cases[k][1]};
            imp_granular_settings set = with(true);
            imp_status status;
            of.start = row_of(&set, of.bent, of.heavy);
            box_run(of.start, listed, &status);
            ranks_run(2, -1, 0, run, &of);
            const imp_granular_report r = box_run(of.start, 100, &status);
            ok(status == IMP_OK && r.contacts > 20 && box_bits(of.end) == box_bits(of.start),
               "masses %g apart, bent by %g, %slisted: the bits of the whole flow", of.heavy,
               of.bent, listed ? "" : "not ");
            imp_granular_free(of.start);
            imp_granular_free(of.end);
        }
}

/* What opens lets go, however small the square of what it held by friction. */
static void test_open(void) {
    int loaded[2];
    imp_status status[2];
    for (int single = 0; single < 2; single++) {
        imp_granular_settings set = with(single);
        imp_granular *g = row_of(&set, 6e-17, 1);
        loaded[single] = box_run(g, 100, &status[single]).loaded;
        imp_granular_free(g);
    }
    ok(status[0] == IMP_OK && status[1] == IMP_OK && loaded[1] <= loaded[0],
       "of a straight row %d contacts are loaded, in double %d", loaded[1], loaded[0]);
}

/* Friction beyond the largest float holds what is pressed, and nothing else. */
static void test_friction(void) {
    static const double mu[] = {1e30, 1e39, 1e300};
    double energy[3] = {0};
    int loaded[3];
    imp_status status[3];
    for (int k = 0; k < 3; k++) {
        imp_granular_settings set = with(true);
        set.friction = mu[k];
        imp_granular *g = box_flow(&set, 6, 4, 4, 0.2, 911);
        loaded[k] = box_run(g, 100, &status[k]).loaded;
        for (int i = 0; i < N; i++) {
            const imp_sphere s = imp_granular_sphere(g, i);
            for (int x = 0; x < 3; x++)
                energy[k] += box_mass(&s) * s.velocity[x] * s.velocity[x];
        }
        imp_granular_free(g);
    }
    for (int k = 1; k < 3; k++)
        ok(status[0] == IMP_OK && status[k] == IMP_OK && loaded[0] > 0 && loaded[k] == loaded[0] &&
               energy[k] == energy[0],
           "friction of %g is that of 1e30 (%d and %d loaded)", mu[k], loaded[k], loaded[0]);
}

/* A box of spheres with masses next to the ends of float: what shapes take, per mass. */
static double push_of_shapes(double density, bool simd) {
    imp_granular_settings set = with(true);
    imp_shape shape[5];
    imp_sphere s[N];
    imp_status status;
    double push = 0;
    imp_granular *g = box_flow(&set, 6, 4, 4, 0.5, 919);
    imp_granular_spheres(g, s, N);
    imp_granular_free(g);
    set.simd = simd;
    const int shapes = packing_walls(&set, shape);
    g = imp_granular_new(&set, shapes, shape, NULL, &status);
    for (int i = 0; i < N; i++)
        s[i].density = density;
    if (!g || imp_granular_add(g, N, s) != IMP_OK) abort();
    for (int i = 0; i < 80; i++) {
        const imp_granular_report r = box_run(g, 1, &status);
        for (int k = 0; k < shapes; k++)
            for (int x = 0; x < 3; x++)
                push += r.shape_impulse[k][x];
    }
    imp_granular_free(g);
    return push / density;
}

static void test_masses(void) {
    static const double times[] = {0x1p-110, 0x1p-100, 0x1p100, 0x1p150};
    const double own = push_of_shapes(0x1p10, true);
    for (int k = 0; k < 4; k++)
        for (int simd = 0; simd < 2; simd++)
            ok(own != 0 && push_of_shapes(0x1p10 * times[k], simd) == own,
               "masses times %g, %s SIMD: shapes take the same per mass", times[k],
               simd ? "with" : "without");
}

/* A channel whose plane pushes layers in. */
static void test_channel(void) {
    double push[2], deepest[2], contacts[2];
    int particles[2];
    for (int single = 0; single < 2; single++) {
        imp_granular_settings set = with(single);
        imp_inflow inflow;
        imp_status status = IMP_OK;
        set.high[0] = 0.01, set.high[1] = 0.005, set.high[2] = 0.004;
        imp_granular *g = box_channel(&set, 0.4, 5, 3, &inflow);
        push[single] = deepest[single] = contacts[single] = 0;
        for (int i = 0; i < 1500 && status == IMP_OK; i++) {
            const imp_granular_report r = box_run(g, 1, &status);
            push[single] += r.shape_impulse[0][0];
            deepest[single] = tap_worst(deepest[single], r.penetration);
            contacts[single] += r.contacts;
        }
        particles[single] = imp_granular_count(g);
        ok(status == IMP_OK && push[single] != 0, "a channel in %s precision: pushed by %.3g N s",
           single ? "single" : "double", push[single]);
        imp_granular_free(g);
    }
    ok(fabs(push[1] / push[0] - 1) < 0.1 && particles[1] == particles[0] &&
           fabs(contacts[1] / contacts[0] - 1) < 0.1,
       "by the same (1 %+.1e), with as many contacts (1 %+.1e)", push[1] / push[0] - 1,
       contacts[1] / contacts[0] - 1);
    ok(deepest[0] > 0 && deepest[1] < 3 * deepest[0] + 1e-9, "penetrations up to %.2g and %.2g m",
       deepest[0], deepest[1]);
}

/* Of what meets nothing not even a zero changes its sign. */
static void test_zeros(void) {
    imp_sphere end[2];
    imp_status went[2];
    for (int single = 0; single < 2; single++) {
        imp_granular_settings set = with(single);
        const imp_sphere s = {.position = {0.05, 0.05, 0.05},
                              .spin = {0, -0.0, 1e-50},
                              .radius = 1e-3,
                              .density = 2650};
        imp_status status;
        imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
        imp_granular_add(g, 1, &s);
        box_run(g, 3, &went[single]);
        end[single] = imp_granular_sphere(g, 0);
        imp_granular_free(g);
    }
    ok(went[0] == IMP_OK && went[1] == IMP_OK && memcmp(&end[0], &end[1], sizeof end[0]) == 0 &&
           signbit(end[1].spin[1]),
       "a sphere alone goes as in double precision, zeros with their signs");
}

int main(void) {
    alarm(120); /* what never ends, ends here */
    test_ranks();
    test_open();
    test_friction();
    test_masses();
    test_channel();
    test_zeros();
    return tap_done();
}
