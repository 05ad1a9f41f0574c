/* test_grip.c - tangential compliance with history: against closed forms of linear springs, in its
 * limits, and that no path creates energy. */
#include "base/vec3.h"
#include "compliant/merson.h"
#include "compliant/run.h"
#include "reference/oracle/oblique.h"
#include "generators/gen.h"
#include "single/darboux.h"
#include "tap.h"

/* A ball of 1 kg and radius 0.1 m that touches a plane, at 1 m/s into it. */
typedef struct impact {
    imp_tree *tree;
    compliant_system system;
    compliant_result r;
    double slip, mu;
} impact;

static const double far_from_turning = 1e9; /* kg m^2 */

/* Runs it with the given moment of inertia; the slip along x. */
static imp_status collide(impact *s, const compliant_material *m, double inertia, double slip,
                          const compliant_settings *set) {
    const double I = inertia, none[3] = {0}, q[7] = {0, 0, 0.1, 1}, v[6] = {slip, 0, -1};
    const imp_link link = {
        .parent = IMP_GROUND, .joint = IMP_FREE, .mass = 1, .inertia = {I, 0, 0, 0, I, 0, 0, 0, I}};
    const compliant_sphere sphere = {.radius = 0.1, .material = *m};
    const compliant_plane plane = {{0}, {0, 0, 1}, *m};
    s->tree = imp_tree_new(1, &link, NULL);
    s->slip = slip;
    s->mu = m->mu_dynamic;
    compliant_system_init(&s->system, s->tree, none, 1, &sphere, 1, &plane, 1e-4);
    return compliant_run(&s->system, set, q, v, &s->r);
}

static void clear(impact *s) {
    compliant_result_clear(&s->r);
    compliant_system_clear(&s->system);
    imp_tree_free(s->tree);
}

/* Linear springs k = 1e8 N/m (two of 2e8 in series) and k / give, nothing turns: f_n = k sin(w t) /
 * w, and the slip u and the spring z in pieces of closed form. */
typedef struct pieces {
    double w, along, give, mu; /* rad/s: normal, tangential */
    double start[4];           /* s, of each piece */
    double u[4], z[4];         /* m/s, m, there */
    bool slides[4];
    int count;
} pieces;

static const double SPRING = 2e8;

/* u, z at the time t, in piece k. */
static void follow(const pieces *x, int k, double t, double *u, double *z) {
    const double dt = t - x->start[k], c = cos(x->along * dt), s = sin(x->along * dt);
    const double side = x->z[k] < 0 || (x->z[k] == 0 && x->u[k] < 0) ? -1 : 1;
    if (x->slides[k]) {
        *u = x->u[k] - side * x->mu * (cos(x->w * x->start[k]) - cos(x->w * t));
        *z = side * x->mu * x->give * sin(x->w * t) / x->w;
    } else {
        *u = x->u[k] * c - x->along * x->z[k] * s;
        *z = x->z[k] * c + x->u[k] / x->along * s;
    }
}

/* Below 0 where piece k ends: the bound less the spring; the slip less the bound's growth. */
static double room(const pieces *x, int k, double t) {
    double u, z;
    follow(x, k, t, &u, &z);
    return x->slides[k] ? (z < 0 ? -u : u) - x->mu * x->give * cos(x->w * t)
                        : x->mu * x->give * sin(x->w * t) / x->w - fabs(z);
}

static pieces solve(double give, double mu, double slip) {
    pieces x = {.give = give, .mu = mu, .count = 1, .u = {slip}};
    x.w = sqrt(0.5 * SPRING);
    x.along = x.w / sqrt(give);
    x.slides[0] = fabs(slip) > mu * give;
    const double end = acos(-1) / x.w;
    for (int k = 0; k < 3; k++) {
        double low = x.start[k] + 1e-5 * end;
        while (low < end && room(&x, k, low) > 0)
            low += 1e-4 * end;
        if (!(low < end)) break;
        double high = low;
        low = fmax(x.start[k], low - 1e-4 * end);
        for (int i = 0; i < 100; i++) {
            const double half = 0.5 * (low + high);
            *(room(&x, k, half) > 0 ? &low : &high) = half;
        }
        follow(&x, k, high, &x.u[k + 1], &x.z[k + 1]);
        x.start[k + 1] = high;
        x.slides[k + 1] = !x.slides[k];
        x.count++;
    }
    return x;
}

static compliant_material linear_of(double give, double mu) {
    return (compliant_material){1e9, 0, mu, mu, 0, SPRING, give};
}

/* Every row of a run against the closed form; the largest difference, m/s. */
static double against_pieces(const impact *s, const pieces *x) {
    double worst = 0, u, z;
    for (int i = 0; i < s->r.history.rows; i++) {
        const double *row = compliant_history_row(&s->r.history, i), t = row[s->r.layout.time];
        if (t > s->r.last_end) break;
        int k = x->count - 1;
        while (k > 0 && t < x->start[k])
            k--;
        follow(x, k, t, &u, &z);
        worst = tap_worst(worst, fabs(row[s->r.layout.v] - u));
    }
    follow(x, x->count - 1, acos(-1) / x->w, &u, &z);
    return fmax(worst, fabs(s->r.y[s->r.layout.v] - u));
}

static void test_linear(void) {
    static const struct {
        double give, mu, slip;
        const char *what;
        int pieces;
    } row[] = {
        {1, 0.6, 0.5, "sticks throughout, comes back as it went", 1},
        {0.25, 2.5, 0.5, "sticks throughout, leaves as it came", 1},
        {0.6, 0.6, 0.3, "sticks, then slides", 2},
        {0.5, 0.3, -0.25, "slides, sticks, slides", 3},
        {1.2, 0.1, 2, "slides throughout", 1},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const compliant_material m = linear_of(row[i].give, row[i].mu);
        const pieces x = solve(row[i].give, row[i].mu, row[i].slip);
        compliant_settings set = compliant_settings_default();
        impact s;
        const imp_status status = collide(&s, &m, far_from_turning, row[i].slip, &set);
        ok(status == IMP_OK && x.count == row[i].pieces && s.r.nspells == 1, "linear springs: %s",
           row[i].what);
        const double worst = against_pieces(&s, &x), *p = s.r.y + s.r.layout.impulse;
        ok(worst < 2e-9, "the slip of every step as trigonometry has it: %.1e", worst);
        is_near(p[2], 2, 1e-9, 0, "the normal impulse is that of an elastic impact");
        is_near(p[0], s.r.y[s.r.layout.v] - row[i].slip, 1e-9, 0, "the tangential, of the slip");
        clear(&s);
    }
}

/* In the middle of a contact both springs hold energy, and friction has not had it. */
static void test_midway(void) {
    const compliant_material m = linear_of(0.6, 0.6);
    const pieces x = solve(0.6, 0.6, 0.3);
    compliant_settings set = compliant_settings_default();
    impact s;
    double u, z;
    set.until = 0.5 * x.start[1];
    follow(&x, 0, set.until, &u, &z);
    collide(&s, &m, far_from_turning, 0.3, &set);
    const double k = 0.5 * SPRING, depth = sin(x.w * set.until) / x.w;
    is_near(s.r.elastic, 0.5 * k * depth * depth + 0.5 * k / 0.6 * z * z, 1e-9, 0,
            "stored midway: 1/2 k x^2 + 1/2 k_t z^2");
    is_near(s.r.y[s.r.layout.rubbed], 0, 1e-9, 0, "nothing is lost while it sticks");
    clear(&s);
}

/* As accurate as asked for, and at the order of the method: events leave no kink in a step. */
static void test_tolerance(void) {
    const pieces x = solve(0.5, 0.3, -0.25);
    const compliant_material m = linear_of(0.5, 0.3);
    long steps[3];
    for (int k = 0; k < 3; k++) {
        compliant_settings set = compliant_settings_default();
        impact s;
        set.stepper = compliant_step_merson;
        set.accuracy = pow(10, -6 - 2 * k);
        collide(&s, &m, far_from_turning, -0.25, &set);
        const double worst = against_pieces(&s, &x);
        ok(worst < 20 * set.accuracy, "asked for %.0e: off by %.1e", set.accuracy, worst);
        steps[k] = s.r.steps + s.r.rejected;
        clear(&s);
    }
    const double growth = log((double)steps[2] / (double)steps[1]) / log(100);
    ok(growth > 0.14 && growth < 0.26, "steps like the accuracy to the power -%.2f, -1/5", growth);
}

/* Hertz: full slip is Coulomb's from end to end, and the spring makes no difference. */
static void test_slides(void) {
    const compliant_material m = {1e11, 0, 0.1, 0.1, 0, 0, 1.2};
    compliant_settings set = compliant_settings_default();
    impact s;
    collide(&s, &m, far_from_turning, 3, &set);
    is_near(s.r.y[s.r.layout.v], 3 - 0.1 * 2, 1e-9, 0, "full slip: u' = u - mu 2 v");
    double worst = 0;
    for (int i = 0; i < s.r.history.rows; i++) {
        const double *f = compliant_history_row(&s.r.history, i) + s.r.layout.force;
        worst = tap_worst(worst, fabs(f[0] + 0.1 * f[2]) / 1e5);
    }
    ok(worst < 1e-9, "f_t = mu f_n in every step: %.1e", worst);
    clear(&s);
}

/* Hertz and Mindlin: loading, easing, sliding and both ways back, a solid ball with dissipation
 * and none that turns, without. */
static void test_increments(void) {
    static const double slips[] = {0.02, 0.1, 0.2, 0.35, 0.6};
    for (int i = 0; i < 10; i++) {
        const bool turns = i % 2;
        const compliant_material m = {1e15, turns ? 0.3 : 0, 0.15, 0.15, 0, 0, turns ? 1.16 : 0.7};
        compliant_settings set = compliant_settings_default();
        impact s;
        collide(&s, &m, turns ? 0.4 * 0.01 : far_from_turning, slips[i / 2], &set);
        const compliant_law *law = &s.system.pairs[0].law;
        const oblique_impact by_steps = {law->stiffness, law->dissipation, law->mu_dynamic,
                                         law->give,      turns ? 3.5 : 1,  slips[i / 2]};
        const double u = oblique_increments(&by_steps, 400000),
                     ours = slips[i / 2] + (turns ? 3.5 : 1) * s.r.y[s.r.layout.impulse];
        is_near(ours, u, 2e-5, 0, "slip %.2f%s by increments: %.5f", slips[i / 2],
                turns ? ", a ball" : "", u);
        clear(&s);
    }
}

/* Stiff along its surfaces: Stribeck's friction without transition, and the rigid impact
 * process. */
static void test_limit(void) {
    static const double slips[] = {0.2, 0.9, 2.5}; /* sticks early, late, never */
    const double W[6] = {1, 0, 0, 3.5, 0, 3.5}, inertia = 0.4 * 0.01;
    for (int i = 0; i < 3; i++) {
        const double u[3] = {-1, slips[i], 0};
        double p[3], off[2];
        imp_darboux(W, u, 0.2, 1, IMP_NEWTON, p, NULL, NULL);
        for (int k = 0; k < 2; k++) {
            const compliant_material m = {1e15, 0, 0.2, 0.2, 0, 0, k ? 1e-4 : 1e-2};
            compliant_settings set = compliant_settings_default();
            impact s;
            collide(&s, &m, inertia, slips[i], &set);
            off[k] = fabs(s.r.y[s.r.layout.impulse] - p[1]);
            clear(&s);
        }
        ok(off[1] < 1e-3 && off[1] <= fmax(off[0], 1e-4),
           "slip %.1f: stiff along itself, the rigid impulse: %.1e, then %.1e", slips[i], off[0],
           off[1]);
    }
}

/* Loss of every row: never less than before. */
static double gain_of(const compliant_result *r) {
    double before = 0, worst = 0;
    for (int i = 0; i < r->history.rows; i++) {
        const double *row = compliant_history_row(&r->history, i);
        const double lost = row[r->layout.damped] + row[r->layout.rubbed];
        worst = tap_worst(worst, before - lost);
        before = lost;
    }
    return worst;
}

/* Bodies at random with two balls and the centre of mass elsewhere, spinning, on a plane. */
static void test_energy(void) {
    gen_stream stream = gen_seed(1414, 0);
    double worst = 0, off = 0, least = INFINITY;
    int slid = 0;
    for (int k = 0; k < 60; k++) {
        const imp_link link = {.parent = IMP_GROUND,
                               .joint = IMP_FREE,
                               .mass = 1,
                               .inertia = {0.01, 0, 0, 0, 0.02, 0, 0, 0, 0.015}};
        const double mu = gen_uniform(&stream, 0.05, 1), none[3] = {0};
        const compliant_material m = {
            1e9, k % 3 ? 0 : 0.1, mu, mu, 0, k % 2 ? 1e7 : 0, gen_uniform(&stream, 0.2, 2)};
        const compliant_sphere sphere[2] = {
            {.centre = {0.1, 0, -0.05}, .radius = 0.05, .material = m},
            {.centre = {-0.1, 0.03, -0.05}, .radius = 0.05, .material = m}};
        const compliant_plane plane = {{0}, {0, 0, 1}, m};
        double q[7] = {0, 0, 0.15, 1}, v[6];
        for (int i = 0; i < 6; i++)
            v[i] = (i < 3 ? 1 : 5) * gen_normal(&stream);
        v[2] = -2;
        imp_tree *tree = imp_tree_new(1, &link, NULL);
        compliant_system system;
        compliant_settings set = compliant_settings_default();
        compliant_result r;
        compliant_system_init(&system, tree, none, 2, sphere, 1, &plane, 1e-3);
        const imp_status status = compliant_run(&system, &set, q, v, &r);
        if (status != IMP_OK) ok(false, "body %d: %s", k, compliant_end_text(r.end));
        const double *y = r.y, lost = y[r.layout.damped] + y[r.layout.rubbed];
        worst = tap_worst(worst, gain_of(&r) / r.energy0);
        off = tap_worst(off, fabs(r.kinetic + r.elastic + lost - r.energy0) / r.energy0);
        least = fmin(least, lost);
        slid += y[r.layout.rubbed] > 1e-3;
        compliant_result_clear(&r);
        compliant_system_clear(&system);
        imp_tree_free(tree);
    }
    ok(worst < 1e-8, "what is lost never comes back: %.1e of the energy", worst);
    ok(off < 1e-7 && least >= 0, "kinetic + elastic + lost stays: %.1e", off);
    ok(slid > 40, "%d of 60 rub", slid);
}

/* What two balls hold turns with them: a rigid turn of both is no slip, and the plane of the
 * contact turns with it, about its normal, too. */
static void test_turn(void) {
    const imp_link ball = {.parent = IMP_GROUND,
                           .joint = IMP_FREE,
                           .mass = 1,
                           .inertia = {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3}};
    const imp_link links[2] = {ball, ball};
    const compliant_material m = {1e9, 0, 0.5, 0.5, 0, 0, 1.2};
    const compliant_sphere spheres[2] = {{.radius = 0.1, .material = m},
                                         {.link = 1, .radius = 0.2, .material = m}};
    const double none[3] = {0}, spin[3] = {1, -2, 0.7};
    const double q[14] = {0.1, 0.2, 0.3, 1, 0, 0, 0, 0.2, 0.4, 0.4, 1};
    double v[12] = {0};
    imp_tree *tree = imp_tree_new(2, links, NULL);
    compliant_system system;
    compliant_system_init(&system, tree, none, 2, spheres, 0, NULL, 0.01);
    for (int k = 0; k < 2; k++) {
        cross3(spin, q + 7 * k, v + 6 * k);
        memcpy(v + 6 * k + 3, spin, sizeof spin);
    }
    imp_tree_place(tree, q, v);
    const compliant_touch touch = compliant_look(&system, 0);
    ok(norm3(touch.slip) < 1e-14, "a rigid turn of two balls is no slip");
    is_vec(touch.turn, spin, 3, 1e-14, 0, "and turns the plane of the contact");
    const compliant_hold hold = {&system.pairs[0].law, 1e-3, {false, false}, &touch};
    double spring[3] = {0.3, -0.1, 0.2}, rate[3], turned[3];
    add3(-dot3(spring, touch.normal), touch.normal, spring);
    cross3(spin, spring, turned);
    compliant_grip_rate(&hold, spring, rate);
    is_vec(rate, turned, 3, 1e-14, 0, "with what they hold");
    compliant_system_clear(&system);
    imp_tree_free(tree);
}

static void test_law(void) {
    const compliant_material a = {1e9, 0, 0.5, 0.5, 0, 3e6, 1}, b = {1e9, 0, 0.5, 0.5, 0, 1e6, 2};
    const compliant_law law = compliant_law_of(&a, &b, 0.1, 0.01);
    is_near(law.stiffness, 0.75e6, 0, 1e-15, "two springs in series");
    is_near(law.give, 0.25 * 1 + 0.75 * 2, 0, 1e-15, "each gives by its share");
    is_near(compliant_stored(&law, 2e-3), 0.5 * 0.75e6 * 4e-6, 0, 1e-15, "1/2 k x^2");
    is_near(compliant_stored(&law, compliant_stopping_depth(&law, 2, 3)), 9, 0, 1e-14,
            "and the depth that stores 9 J");
    is_near(compliant_elastic(&law, compliant_resting_depth(&law, 5)), 5, 0, 1e-14,
            "and that of 5 N");
    compliant_material slippery = a;
    slippery.mu_static = slippery.mu_dynamic = 0;
    ok(compliant_law_of(&a, &slippery, 0.1, 0.01).give == 0, "nothing gives where nothing rubs");
}

/* Springs whose squares vanish still hold: a run of them fails, and does not go on without. */
static void test_stiff(void) {
    static const double gives[] = {1e-100, 1e-170, 1e-300};
    compliant_settings set = compliant_settings_default();
    set.max_steps = 1000;
    for (size_t i = 0; i < sizeof gives / sizeof *gives; i++) {
        const compliant_material m = {1e9, 0, 0.3, 0.3, 0, 0, gives[i]};
        impact s;
        const imp_status status = collide(&s, &m, far_from_turning, 1, &set);
        ok(status == IMP_NOT_CONVERGED && s.r.end != COMPLIANT_STIFF,
           "compliance %g: %s, status %d", gives[i], compliant_end_text(s.r.end), (int)status);
        clear(&s);
    }
}

int main(void) {
    test_law();
    test_stiff();
    test_turn();
    test_linear();
    test_midway();
    test_tolerance();
    test_slides();
    test_increments();
    test_limit();
    test_energy();
    return tap_done();
}
