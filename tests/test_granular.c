/* Granular flow against what mechanics says: weight, rolling, momentum, energy. */
#include "benchmarks/harness/packing.h"
#include "granular_box.h"
#include "tap.h"

static const double g0 = 9.81;

/* One sphere of 1 mm on the plane z = 0, moving along x. */
static imp_granular *sphere_on_plane(const imp_granular_settings *set, double height,
                                     double speed) {
    const imp_shape ground = {
        .kind = IMP_SHAPE_PLANE, .normal = {0, 0, 1}, .friction = set->friction};
    const imp_sphere s = {.position = {0.05, 0.05, height},
                          .velocity = {speed, 0, 0},
                          .radius = 1e-3,
                          .density = 2650};
    imp_status status;
    imp_granular *g = imp_granular_new(set, 1, &ground, NULL, &status);
    if (g && imp_granular_add(g, 1, &s) == IMP_OK) return g;
    imp_granular_free(g);
    return NULL;
}

/* It is pushed out of the ground at first, jumps, comes back and rests. */
static void test_weight(void) {
    static const double erps[] = {0, 0.5, 1}, sinks[] = {0, 1e-7, 1e-6};
    for (int i = 0; i < 9; i++) {
        imp_granular_settings set = imp_granular_settings_default();
        imp_granular_report r;
        imp_status status;
        const double erp = set.erp = erps[i / 3], sink = sinks[i % 3];
        imp_granular *g = sphere_on_plane(&set, 1e-3 - sink, 0);
        imp_granular_step(g, &r);
        const imp_sphere s = imp_granular_sphere(g, 0);
        const double m = box_mass(&s), weight = m * g0 * set.step;
        is_near(r.shape_impulse[0][2], weight + m * erp * sink / set.step, 0, 1e-9,
                "erp %g, sunk by %g m: the first reaction", erp, sink);
        is_near(r.penetration, sink, 1e-15, 0, "  it sees the penetration");
        ok(r.contacts == 1 && r.close == 1 && r.touching == (sink > 0), "  one contact, %s",
           sink > 0 ? "sunk" : "at 0");
        r = box_run(g, 3000, &status);
        is_near(r.shape_impulse[0][2], weight, 0, 1e-9, "  later it rests: reaction equals weight");
        is_near(imp_granular_sphere(g, 0).position[2] - 1e-3, erp > 0 ? 0 : -sink, 1e-12, 0,
                "  where it should");
        imp_granular_free(g);
    }
}

static void test_rolling(void) {
    imp_granular_settings set = imp_granular_settings_default();
    const double v0 = 0.2, mu = set.friction = 0.3, until = 2 * v0 / (7 * mu * g0);
    imp_granular *g = sphere_on_plane(&set, 1e-3, v0);
    double worst = 0, slip_end = NAN;
    for (int i = 1; i * set.step < 1.5 * until; i++) {
        imp_granular_step(g, NULL);
        const imp_sphere s = imp_granular_sphere(g, 0);
        const double slip = s.velocity[0] - s.radius * s.spin[1], t = i * set.step;
        if (t < until - set.step)
            worst = tap_worst(worst, fabs(s.velocity[0] - (v0 - mu * g0 * t)));
        if (isnan(slip_end) && fabs(slip) < 1e-12) slip_end = t;
    }
    const imp_sphere s = imp_granular_sphere(g, 0);
    is_near(worst, 0, 1e-12, 0, "sliding: v = v0 - mu g t");
    is_near(slip_end, until, set.step, 0, "it ends at t = 2 v0 / (7 mu g), to a step");
    is_near(s.velocity[0], 5.0 / 7 * v0, 0, 1e-12, "rolling: v = 5/7 v0");
    is_near(s.spin[1] * s.radius, s.velocity[0], 0, 1e-12, "rolling: no slip");
    imp_granular_free(g);
}

/* A sphere and a plane that close a gap within the step: as it falls, as it starts to fall, as the
 * plane comes. */
static void test_look_ahead(void) {
    static const struct {
        double gap, speed, plane, gravity;
        const char *who;
    } cases[] = {{7e-6, -1, 0, 9.81, "a sphere that falls"},
                 {5e-10, 0, 0, 9.81, "one that starts to"},
                 {7e-6, 0, 1, 0, "one that rests before a plane"}};
    for (int k = 0; k < 6; k++) {
        imp_granular_settings set = imp_granular_settings_default();
        const bool ahead = k % 2;
        const double gap = cases[k / 2].gap, fall = -cases[k / 2].gravity * set.step;
        const imp_shape plane = {
            .kind = IMP_SHAPE_PLANE, .normal = {0, 0, 1}, .velocity = {0, 0, cases[k / 2].plane}};
        const imp_sphere s = {.position = {0.05, 0.05, 1e-3 + gap},
                              .velocity = {0, 0, cases[k / 2].speed},
                              .radius = 1e-3,
                              .density = 2650};
        imp_status status;
        set.look_ahead = ahead;
        set.margin = 0;
        set.gravity[2] = -cases[k / 2].gravity;
        imp_granular *g = imp_granular_new(&set, 1, &plane, NULL, &status);
        imp_granular_add(g, 1, &s);
        imp_granular_step(g, NULL);
        const double end =
            imp_granular_sphere(g, 0).position[2] - 1e-3 - imp_granular_shape(g, 0).point[2];
        const double approach = cases[k / 2].speed + fall - cases[k / 2].plane;
        is_near(end, ahead ? 0 : gap + set.step * approach, 1e-17, 0, "%s: %s", cases[k / 2].who,
                ahead ? "looking ahead they end at their touch"
                      : "without looking ahead it sinks in by the rest");
        imp_granular_free(g);
    }
}

/* A packing that settled fills its open box: all of it inside, the lowest on the floor, as high as
 * its volume says. */
static void test_packing(void) {
    packing p = packing_settle(3);
    double out = 0, lowest = INFINITY, highest = 0;
    for (int i = 0; i < p.n; i++) {
        const imp_sphere *s = &p.sphere[i];
        for (int c = 0; c < 2; c++)
            out = tap_worst(out,
                            fmax(s->radius - s->position[c], s->position[c] + s->radius - p.wide));
        lowest = fmin(lowest, s->position[2] - s->radius);
        highest = fmax(highest, s->position[2] + s->radius);
    }
    ok(p.n == 27 && out < 1e-8, "27 spheres settled between their walls (%.1e m beyond)", out);
    ok(fabs(lowest) < 1e-8 && highest > 2e-3 && highest < 5e-3, "on their floor, %.2g mm high",
       1e3 * highest);
    free(p.sphere);
}

static void momentum(const imp_granular *g, double sum[3], double *mass) {
    sum[0] = sum[1] = sum[2] = *mass = 0;
    for (int i = 0; i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        const double m = box_mass(&s);
        *mass += m;
        for (int x = 0; x < 3; x++)
            sum[x] += m * s.velocity[x];
    }
}

static void test_momentum(void) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_granular *g = box_flow(&set, 5, 5, 8, 0.3, 821);
    double before[3], after[3], mass, worst = 0, down = 0, weight = 1;
    enum { STEPS = 12000, LAST = 2000 };
    momentum(g, before, &mass);
    for (int i = 0; i < STEPS; i++) {
        imp_granular_report r;
        double sum[3] = {0};
        imp_granular_step(g, &r);
        momentum(g, after, &mass);
        weight = mass * g0 * set.step;
        for (int k = 0; k < 5; k++)
            for (int x = 0; x < 3; x++)
                sum[x] += r.shape_impulse[k][x];
        for (int x = 0; x < 3; x++)
            worst = tap_worst(worst, fabs(after[x] - before[x] - sum[x] + (x == 2 ? weight : 0)) /
                                         (mass * 0.5));
        if (i >= STEPS - LAST) down += sum[2];
        memcpy(before, after, sizeof before);
    }
    ok(worst < 1e-14, "momentum changes by the walls' impulses and the weight, every step (%.2g)",
       worst);
    is_near(down / LAST, weight, 0, 0.01,
            "the forces of the walls on a settled packing sum to its weight");
    imp_granular_free(g);
}

static double kinetic(const imp_granular *g, double fall) {
    double sum = 0;
    for (int i = 0; i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        double v[3] = {s.velocity[0], s.velocity[1], s.velocity[2] - fall}, square = 0;
        for (int x = 0; x < 3; x++)
            square += v[x] * v[x] + 0.4 * s.radius * s.radius * s.spin[x] * s.spin[x];
        sum += 0.5 * box_mass(&s) * square;
    }
    return sum;
}

/* Without push-out, started cold and solved to 1e-8: contacts take energy, never give any. */
static void test_energy(void) {
    imp_granular_settings set = imp_granular_settings_default();
    set.erp = 0;
    set.warm = 0;
    set.tolerance = 1e-8;
    set.most_sweeps = 100000;
    set.step = 1e-4;
    imp_granular *g = box_flow(&set, 4, 4, 5, 0.3, 831);
    double worst = -INFINITY;
    imp_status end = IMP_OK;
    long loaded = 0;
    for (int i = 0; i < 300 && end == IMP_OK; i++) {
        imp_granular_report r;
        const double free_energy = kinetic(g, g0 * set.step);
        end = imp_granular_step(g, &r);
        worst = tap_worst(worst, (kinetic(g, 0) - free_energy) / free_energy);
        loaded += r.loaded;
    }
    ok(end == IMP_OK && loaded > 3000 && worst <= 1e-12,
       "no step of 300 gains energy (largest change %.2g, %ld contacts)", worst, loaded);
    imp_granular_free(g);
}

/* Two spheres so fast that a step takes them farther than the skin asked for: they are seen ahead
 * all the same, and the step ends at their touch. */
static void test_fast(void) {
    imp_granular_settings set = imp_granular_settings_default();
    const double speed = 20, gap = 3e-4;
    const imp_sphere two[2] = {{.position = {0.05, 0.05, 0.05},
                                .velocity = {speed, 0, 0},
                                .radius = 1e-3,
                                .density = 2650},
                               {.position = {0.052 + gap, 0.05, 0.05},
                                .velocity = {-speed, 0, 0},
                                .radius = 1e-3,
                                .density = 2650}};
    imp_status status;
    memset(set.gravity, 0, sizeof set.gravity);
    imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
    const bool good =
        g && imp_granular_add(g, 2, two) == IMP_OK && imp_granular_step(g, NULL) == IMP_OK;
    const double apart =
        good ? fabs(imp_granular_sphere(g, 0).position[0] - imp_granular_sphere(g, 1).position[0])
             : INFINITY;
    ok(gap > set.skin && 2 * speed * set.step > gap, "farther than the skin in a step");
    is_near(apart, 2e-3, 1e-15, 0, "  they end at their touch");
    imp_granular_free(g);
}

/* Two spheres in one place have no direction of their own: they part along z, the one with the
 * lesser number downwards, by what the error reduction asks for. */
static void test_one_place(void) {
    for (int simd = 0; simd < 2; simd++) {
        imp_granular_settings set = imp_granular_settings_default();
        const imp_sphere s = {.position = {0.05, 0.05, 0.05}, .radius = 1e-3, .density = 2650},
                         two[2] = {s, s};
        imp_status status;
        imp_granular_report r;
        set.simd = simd;
        memset(set.gravity, 0, sizeof set.gravity);
        imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
        const bool good =
            g && imp_granular_add(g, 2, two) == IMP_OK && imp_granular_step(g, &r) == IMP_OK;
        const double half = 0.5 * set.erp * 2e-3 / set.step; /* m/s, of each */
        double off = good && r.contacts == 1 ? fabs(r.penetration - 2e-3) / 2e-3 : INFINITY;
        for (int i = 0; i < 2 && off < 1; i++) {
            const imp_sphere now = imp_granular_sphere(g, i);
            const double want[3] = {0, 0, now.id == 0 ? -half : half};
            for (int x = 0; x < 3; x++)
                off = tap_worst(off, fabs(now.velocity[x] - want[x]) / half);
        }
        ok(off < 1e-12, "two spheres in one place part along z%s (%.1g)", simd ? ", in lanes" : "",
           off);
        imp_granular_free(g);
    }
}

/* Two spheres that overlap and rest, without gravity: what pushes them apart moves them, and stays
 * with them or not. */
static void test_split(void) {
    for (int split = 0; split < 2; split++) {
        imp_granular_settings set = imp_granular_settings_default();
        imp_status status;
        set.gravity[2] = 0;
        set.split = split;
        imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
        imp_sphere s[2] = {{.position = {0.05, 0.05, 0.05}, .radius = 1e-3, .density = 2650}};
        s[1] = s[0];
        s[1].position[2] += 2e-3 - 1e-6;
        imp_granular_add(g, 2, s);
        imp_granular_step(g, NULL);
        const imp_sphere a = imp_granular_sphere(g, 0), b = imp_granular_sphere(g, 1);
        is_near(box_distance(a.position, b.position), 2e-3 - 1e-6 * (1 - set.erp), 1e-15, 0,
                "overlap is reduced by erp, split %d", split);
        /* Places are rounded to 7e-18 m, which is 7e-13 m/s in a step. */
        is_near(fabs(b.velocity[2] - a.velocity[2]), split ? 0 : set.erp * 1e-6 / set.step, 2e-12,
                0, split ? "  and the spheres rest" : "  and the spheres fly on");
        imp_granular_free(g);
    }
}

static void test_refusals(void) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_status status;
    const imp_shape slanted = {.kind = IMP_SHAPE_PLANE, .normal = {0, 0, 1.001}};
    set.step = 0;
    ok(!imp_granular_new(&set, 0, NULL, NULL, &status) && status == IMP_BAD_ARGUMENT,
       "a step of 0 is refused");
    set = imp_granular_settings_default();
    set.gravity[1] = NAN;
    ok(!imp_granular_new(&set, 0, NULL, NULL, &status) && status == IMP_NOT_FINITE,
       "NaN is refused");
    set = imp_granular_settings_default();
    ok(!imp_granular_new(&set, 1, &slanted, NULL, &status) && status == IMP_BAD_ARGUMENT,
       "a normal of length 1.001 too");
    imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
    imp_sphere s = {.radius = 1e-3, .density = 0};
    ok(imp_granular_add(g, 1, &s) == IMP_BAD_ARGUMENT && imp_granular_count(g) == 0,
       "a sphere without mass too");
    ok(imp_granular_step(g, NULL) == IMP_OK, "an empty flow takes a step");
    s.density = 1;
    s.velocity[0] = 1e308;
    ok(imp_granular_add(g, 1, &s) == IMP_OK && imp_granular_step(g, NULL) == IMP_NOT_FINITE,
       "a velocity that overflows is a status");
    imp_granular_free(g);
    imp_granular_free(NULL);
}

int main(void) {
    test_weight();
    test_rolling();
    test_look_ahead();
    test_packing();
    test_momentum();
    test_energy();
    test_fast();
    test_one_place();
    test_split();
    test_refusals();
    return tap_done();
}
