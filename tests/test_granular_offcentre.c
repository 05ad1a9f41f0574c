/* One sphere with an off-centre mass against what mechanics says: inertia, free flight, rocking,
 * weight. */
#include "granular_offcentre.h"
#include "tap.h"

static const double g0 = 9.81;

/* What a sphere says it is as a rigid body, and that such a body can be: the principal moments are
 * sums of squares. */
static void test_inertia(void) {
    gen_stream draw = gen_seed(901, 0);
    double worst = 0, gap = INFINITY;
    for (int k = 0; k < 100; k++) {
        imp_sphere s = {.radius = gen_uniform(&draw, 0.5, 2), .density = gen_uniform(&draw, 1, 5)};
        s.offset = k == 0 ? 0 : s.radius * gen_uniform(&draw, 0, 0.99);
        random_turn(&draw, s.orientation);
        const imp_body b = imp_sphere_body(&s);
        double I[9], inverse[9], turn[9], heavy[3];
        inertia_of(&s, I);
        imp_body_inv_inertia_world(&b, inverse);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const double product = I[3 * i] * inverse[j] + I[3 * i + 1] * inverse[3 + j] +
                                       I[3 * i + 2] * inverse[6 + j];
                worst = tap_worst(worst, fabs(product - (i == j)));
            }
        rotation3(s.orientation, turn);
        for (int x = 0; x < 3; x++)
            heavy[x] = b.position[x] - s.offset * turn[3 * x + 2];
        worst = tap_worst(worst, norm3(heavy) + fabs(b.inv_mass * box_mass(&s) - 1));
        /* >= 0: half the second moment along z */
        gap = fmin(gap, 2 / b.inv_inertia[0] - 1 / b.inv_inertia[8]);
    }
    ok(worst < 1e-13, "inertia and centre of mass are those of a ball and a point (%.2g)", worst);
    ok(gap > 0, "and of a body that can be");
}

/* One sphere thrown into empty space, with gravity: the energy but for the fall, and the angular
 * momentum about the centre of mass, are kept; the centre of mass falls; the axis turns as a finer
 * integration of w' says. */
static void test_free_flight(void) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_status status;
    set.step = 1e-4;
    set.low[2] = -1;
    imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
    imp_sphere s = {
        .position = {0.05, 0.05, 0.05}, .radius = 1e-3, .density = 2650, .offset = 3e-4};
    const double spin[3] = {300, -80, 500}, turn[4] = {0.5, 0.5, -0.1, 0.7};
    memcpy(s.spin, spin, sizeof spin);
    memcpy(s.orientation, turn, sizeof turn);
    normalise4(s.orientation);
    imp_granular_add(g, 1, &s);
    double I[9], L[3], now[3], worst_L = 0, worst_energy = 0, worst_fall = 0;
    inertia_of(&s, I);
    apply3(I, s.spin, L);
    const imp_body start = imp_sphere_body(&s);
    const double turning = 0.5 * dot3(L, s.spin);
    for (int i = 1; i <= 2000; i++) {
        imp_granular_step(g, NULL);
        const imp_sphere one = imp_granular_sphere(g, 0);
        const imp_body b = imp_sphere_body(&one);
        inertia_of(&one, I);
        apply3(I, one.spin, now);
        worst_energy = tap_worst(worst_energy, fabs(0.5 * dot3(now, one.spin) / turning - 1));
        sub3(now, L, now);
        worst_L = tap_worst(worst_L, norm3(now) / norm3(L));
        for (int x = 0; x < 3; x++) { /* the scheme's fall: v first, then x */
            const double fall = x == 2 ? -g0 * set.step : 0, t = i * set.step;
            worst_fall = tap_worst(worst_fall, fabs(b.velocity[x] - start.velocity[x] - i * fall));
            worst_fall = tap_worst(worst_fall,
                                   fabs(b.position[x] - start.position[x] - start.velocity[x] * t -
                                        0.5 * i * (i + 1) * fall * set.step));
        }
    }
    ok(worst_L < 1e-12, "free flight keeps the angular momentum (%.2g, relative)", worst_L);
    ok(worst_energy < 1e-12, "and the energy of turning (%.2g)", worst_energy);
    ok(worst_fall < 1e-13, "the centre of mass falls as a point does (%.2g)", worst_fall);
    /* Euler's equations, w = I(q)^-1 L and q' = w q / 2, by Runge-Kutta 4 with a step 4 times
     * finer. */
    const imp_sphere end = imp_granular_sphere(g, 0);
    double q[4];
    memcpy(q, s.orientation, sizeof q);
    const double h = set.step / 4;
    for (int i = 0; i < 8000; i++) {
        double k[4][4], at[4];
        for (int stage = 0; stage < 4; stage++) {
            const double share = stage == 0 ? 0 : stage == 3 ? h : h / 2;
            imp_sphere turned = s;
            for (int c = 0; c < 4; c++)
                at[c] = q[c] + (stage ? share * k[stage - 1][c] : 0);
            memcpy(turned.orientation, at, sizeof at);
            normalise4(turned.orientation);
            const imp_body b = imp_sphere_body(&turned);
            double inverse[9], w[4] = {0};
            imp_body_inv_inertia_world(&b, inverse);
            apply3(inverse, L, w + 1);
            multiply4(w, at, k[stage]);
            for (int c = 0; c < 4; c++)
                k[stage][c] *= 0.5;
        }
        for (int c = 0; c < 4; c++)
            q[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
        normalise4(q);
    }
    double worst = 0;
    for (int c = 0; c < 4; c++)
        worst = tap_worst(worst, fabs(q[c] - end.orientation[c]));
    ok(worst < 1e-6, "after %g turns it stands as Euler's equations say (%.2g)",
       0.2 * norm3(spin) / 6.283, worst);
    imp_granular_free(g);
}

static imp_granular *on_plane(const imp_granular_settings *set, double tilt) {
    const imp_shape ground = {
        .kind = IMP_SHAPE_PLANE, .normal = {0, 0, 1}, .friction = set->friction};
    imp_sphere s = {
        .position = {0.05, 0.05, 1e-3}, .radius = 1e-3, .density = 2650, .offset = 3e-4};
    const double half = 0.5 * (3.14159265358979323846 + tilt); /* hanging, less or more */
    s.orientation[0] = cos(half);
    s.orientation[1] = sin(half);
    imp_status status;
    imp_granular *g = imp_granular_new(set, 1, &ground, NULL, &status);
    imp_granular_add(g, 1, &s);
    return g;
}

/* Hanging straight it rests; tilted it rocks as a physical pendulum on a rolling circle: for small
 * angles (I_t + m (R - e)^2) a'' = -m g e a. */
static void test_rocking(int coulomb) {
    imp_granular_settings set = law_settings(coulomb);
    imp_granular_report r;
    imp_status status;
    imp_granular *g = on_plane(&set, 0);
    r = box_run(g, 2000, &status);
    imp_sphere s = imp_granular_sphere(g, 0);
    const double m = box_mass(&s), weight = m * g0 * set.step, R = s.radius, e = s.offset;
    is_near(r.shape_impulse[0][2], weight, 0, 1e-9, "%s: hanging it rests, reaction equals weight",
            law_name(coulomb));
    ok(norm3(s.spin) * R < 1e-12 && fabs(s.position[2] - R) < 1e-12, "  and does not move");
    imp_granular_free(g);

    const double tilt = 0.02, share = e / R, I = (1 - share) * (0.4 + share) * m * R * R;
    const double period = 6.283185307179586 * sqrt((I + m * (R - e) * (R - e)) / (m * g0 * e));
    g = on_plane(&set, tilt);
    double last = 1, crossed[2] = {0}, sum = 0, slip = 0;
    int crossings = 0;
    for (int i = 1; crossings < 2 && i * set.step < 2 * period; i++) {
        imp_granular_step(g, &r);
        s = imp_granular_sphere(g, 0);
        const double now = s.spin[0];
        if (i > 10 && last * now < 0) crossed[crossings++] = (i - now / (now - last)) * set.step;
        last = now;
        sum += r.shape_impulse[0][2];
        slip = tap_worst(slip, fabs(s.velocity[1] + R * s.spin[0]) + fabs(s.velocity[2]));
    }
    is_near(crossed[1] - crossed[0], period / 2, 0, 2e-3,
            "  tilted it rocks with the period of a pendulum");
    is_near(sum / (crossed[1] / set.step), weight, 0, 2e-3, "  its mean reaction is its weight");
    /* u = 0 of the scheme is before the turn of the step: after it v of the centre has changed by e
     * w^2 dt */
    ok(slip < 1e-5, "  and it rolls (%.2g m/s)", slip);
    imp_granular_free(g);
}

/* Thrown into a groove it slides, tumbles, and comes to rest: the two sides carry its weight. */
static void test_settling(int coulomb) {
    imp_granular_settings set = law_settings(coulomb);
    imp_shape shape[3] = {
        {.kind = IMP_SHAPE_PLANE, .friction = 0.4, .normal = {0, 0.6, 0.8}, .point = {0, 0.05, 0}},
        {.kind = IMP_SHAPE_PLANE, .friction = 0.4, .normal = {0, -0.6, 0.8}, .point = {0, 0.05, 0}},
        {.kind = IMP_SHAPE_PLANE, .friction = 0.4, .normal = {-1, 0, 0}, .point = {0.052, 0, 0}}};
    imp_sphere s = {
        .position = {0.05, 0.05, 2e-3}, .spin = {50, 20, -40}, .radius = 1e-3, .density = 2650};
    imp_status status;
    s.offset = OFFCENTRE_SHARE * s.radius;
    imp_granular *g = imp_granular_new(&set, 3, shape, NULL, &status);
    imp_granular_add(g, 1, &s);
    double sum[3] = {0};
    enum { LAST = 5000 };
    box_run(g, 30000, &status);
    for (int i = 0; i < LAST; i++) {
        imp_granular_report r;
        imp_granular_step(g, &r);
        for (int k = 0; k < 3; k++)
            for (int x = 0; x < 3; x++)
                sum[x] += r.shape_impulse[k][x];
    }
    const double weight = LAST * box_mass(&s) * g0 * set.step;
    const double start = box_mass(&s) * g0 * 1e-3, left = energy_of(g);
    ok(left < 1e-6 * start, "%s: in a groove it comes to rest (%.2g of a fall)", law_name(coulomb),
       left / start);
    const double want[3] = {0, 0, weight};
    is_vec(sum, want, 3, 0, 1e-4, "  the two sides carry its weight");
    imp_granular_free(g);
}

/* Without an offset the orientation is nothing, and the flow is that of plain spheres. */
static void test_no_offset(void) {
    imp_granular_settings set = imp_granular_settings_default();
    uint64_t bits[2];
    int added = 0;
    for (int k = 0; k < 2; k++) {
        imp_granular *source = box_flow(&set, 5, 4, 4, 0.3, 941);
        imp_shape shape[5];
        imp_status status;
        const int shapes = packing_walls(&set, shape);
        imp_granular *g = imp_granular_new(&set, shapes, shape, NULL, &status);
        for (int i = 0; i < imp_granular_count(source); i++) {
            imp_sphere s = imp_granular_sphere(source, i);
            for (int c = 0; c < 4; c++)
                s.orientation[c] = k ? 0.5 : 0;
            added += imp_granular_add(g, 1, &s) == IMP_OK;
        }
        box_run(g, 300, &status);
        bits[k] = status == IMP_OK ? box_bits(g) : (uint64_t)k;
        imp_granular_free(source);
        imp_granular_free(g);
    }
    ok(added == 2 * 5 * 4 * 4 && bits[0] == bits[1],
       "without an offset an orientation changes no bit");
}

static void test_refusals(void) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_status status;
    imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
    imp_sphere s = {.radius = 1e-3, .density = 1, .offset = 1e-3};
    ok(imp_granular_add(g, 1, &s) == IMP_BAD_ARGUMENT,
       "a centre of mass on the surface is refused");
    s.offset = -1e-4;
    ok(imp_granular_add(g, 1, &s) == IMP_BAD_ARGUMENT, "a negative offset too");
    s.offset = NAN;
    ok(imp_granular_add(g, 1, &s) == IMP_NOT_FINITE, "NaN too");
    s.offset = 1e-4;
    s.orientation[2] = INFINITY;
    ok(imp_granular_add(g, 1, &s) == IMP_NOT_FINITE && imp_granular_count(g) == 0,
       "an infinite quaternion too");
    s.offset = 0;
    ok(imp_granular_add(g, 1, &s) == IMP_NOT_FINITE && imp_granular_count(g) == 0,
       "and of a sphere without an offset");
    imp_granular_free(g);
}

/* Random orientations are uniform: every direction of the axis, and every angle about it, has mean
 * 0. */
static void test_orient(void) {
    const imp_inflow inflow = {.seed = 5};
    double mean[9] = {0}, second[9] = {0}, R[9], unit = 0;
    enum { DRAWS = 20000 };
    for (int64_t id = 0; id < DRAWS; id++) {
        double turn[4];
        imp_inflow_orient(&inflow, id, turn);
        unit = tap_worst(unit, fabs(turn[0] * turn[0] + dot3(turn + 1, turn + 1) - 1));
        rotation3(turn, R);
        for (int i = 0; i < 9; i++) {
            mean[i] += R[i] / DRAWS;
            second[i] += R[i] * R[i] / DRAWS;
        }
    }
    double worst = 0, spread = 0;
    for (int i = 0; i < 9; i++) {
        worst = tap_worst(worst, fabs(mean[i]));
        spread = tap_worst(spread, fabs(second[i] - 1.0 / 3));
    }
    ok(unit < 1e-14 && worst < 0.02 && spread < 0.012,
       "orientations are uniform over rotations (%.2g, %.2g)", worst, spread);
}

int main(void) {
    test_inertia();
    test_free_flight();
    for (int coulomb = 0; coulomb < 2; coulomb++) {
        test_rocking(coulomb);
        test_settling(coulomb);
    }
    test_no_offset();
    test_refusals();
    test_orient();
    return tap_done();
}
