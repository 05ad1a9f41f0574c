/* test_compliant_missed.c - compliant runs with long steps: what is met between the ends of one,
 * what comes back after it was let go, what is stored there, and planes given by a far point. */
#include "base/vec3.h"
#include "compliant/run.h"
#include "tap.h"

static const double none[3] = {0, 0, 0}, fall = 9.81, down[3] = {0, 0, -9.81};

enum { MOST = 4 };

/* Bodies, one sphere each, and at most one plane. */
typedef struct world {
    int n;
    imp_link links[MOST];
    compliant_sphere spheres[MOST];
    compliant_plane plane;
    bool walled;
    double q[7 * MOST], v[6 * MOST]; /* in the order of the links */
    int nq, nv;
} world;

static void add_ball(world *w, double mass, double radius, double stiffness, const double at[3],
                     const double velocity[3]) {
    const double I = 0.4 * mass * radius * radius;
    w->links[w->n] = (imp_link){.parent = IMP_GROUND,
                                .joint = IMP_FREE,
                                .mass = mass,
                                .inertia = {I, 0, 0, 0, I, 0, 0, 0, I}};
    w->spheres[w->n] =
        (compliant_sphere){.link = w->n, .radius = radius, .material = {.stiffness = stiffness}};
    memcpy(w->q + w->nq, at, 3 * sizeof *at);
    memcpy(w->v + w->nv, velocity, 3 * sizeof *velocity);
    w->q[w->nq + 3] = 1;
    w->n++;
    w->nq += 7;
    w->nv += 6;
}

/* One that is held. */
static void add_peg(world *w, double radius, double stiffness, const double at[3]) {
    const imp_link held = {.parent = IMP_GROUND,
                           .joint = IMP_WELD,
                           .turn = {1},
                           .mass = 1,
                           .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    w->links[w->n] = held;
    memcpy(w->links[w->n].offset, at, 3 * sizeof *at);
    w->spheres[w->n] =
        (compliant_sphere){.link = w->n, .radius = radius, .material = {.stiffness = stiffness}};
    w->n++;
}

/* Clear *r. */
static imp_status go_to(const world *w, const double gravity[3], double accuracy, double apart,
                        double until, compliant_result *r) {
    compliant_system system;
    imp_tree *tree = imp_tree_new(w->n, w->links, NULL);
    compliant_system_init(&system, tree, gravity, w->n, w->spheres, w->walled, &w->plane, 0.01);
    compliant_settings set = compliant_settings_default();
    set.accuracy = accuracy;
    set.until = until;
    set.apart = apart;
    set.history = false;
    const imp_status status = compliant_run(&system, &set, w->q, w->v, r);
    compliant_system_clear(&system);
    imp_tree_free(tree);
    return status;
}

static imp_status go(const world *w, const double gravity[3], double apart, double until,
                     compliant_result *r) {
    return go_to(w, gravity, 1e-10, apart, until, r);
}

/* Two balls a micrometre apart fall onto a peg, which one of them hits, from any height. */
static void test_falling_pair(void) {
    const double radii[] = {0.01, 0.02, 0.03, 0.05, 0.1};
    int met = 0;
    long tried = 0;
    double worst = 0;
    for (int k = 0; k < 40; k++) {
        const double radius = radii[k / 8], height = 1 + k % 8,
                     until = 1.3 * sqrt(2 * height / fall);
        world w = {0};
        compliant_result r;
        add_peg(&w, radius, 1e10, none);
        add_ball(&w, 1, radius, 1e10, (double[3]){0, 0, 2 * radius + height}, none);
        add_ball(&w, 1, radius, 1e10, (double[3]){2 * radius + 1e-6, 0, 2 * radius + height}, none);
        met += go(&w, down, 1e-3, until, &r) == IMP_OK && r.nspells > 0;
        tried += r.steps + r.rejected;
        worst = tap_worst(worst, fabs(r.first_touch - sqrt(2 * height / fall)));
        compliant_result_clear(&r);
    }
    ok(tried < 40 * 150, "%ld steps for the next", tried);
    ok(met == 40 && worst < 1e-11, "balls that fall side by side onto a peg: %d of 40, to %.1e s",
       met, worst);
}

/* A ball thrown up falls back onto a peg while a soft heavy one presses slowly on the ground. */
static void test_thrown_up(void) {
    const double up[] = {0.3, 0.7, 1.5}, radius[] = {0.02, 0.1}, weight = 1;
    const compliant_material soft = {.stiffness = 1, .spring = 100 * 0.3 * 0.3};
    int met = 0;
    for (int k = 0; k < 12; k++) {
        const double R = radius[k % 2], start = 2 * R + 1e-3, accuracy = k < 6 ? 1e-10 : 1e-6;
        world w = {.walled = true, .plane = {{0, 0, 0}, {0, 0, 1}, soft}};
        compliant_result r;
        add_ball(&w, 100, 1, 1, (double[3]){0, 0, 1}, (double[3]){0, 0, -0.5});
        w.spheres[0].material = soft;
        add_peg(&w, R, 1e6, (double[3]){5, 0, 800});
        add_ball(&w, 1, R, 1e6, (double[3]){5, 0, 800 + start}, (double[3]){0, 0, up[k / 2 % 3]});
        const imp_status status = go_to(&w, (double[3]){0, 0, -weight}, accuracy, -1, 20, &r);
        met += status == IMP_OK && r.nspells > 2 && r.y[7 + 2] > 800;
        compliant_result_clear(&r);
    }
    ok(met == 12, "thrown up beside what presses long, a ball comes back to a peg: %d of 12", met);
}

/* A rod that spins in free flight meets a peg beside it, before it has gone half round. */
static void test_spinning_rod(void) {
    const double spin = 100, thin = 0.02, peg = 0.05, beside = 0.9;
    world w = {0};
    compliant_result r;
    add_ball(&w, 1, 1, 1e9, none, none);
    w.v[5] = spin;
    w.spheres[0].half[0] = 1;
    w.spheres[0].half[1] = w.spheres[0].half[2] = thin;
    w.spheres[0].radius = 1e-3;
    add_peg(&w, peg, 1e9, (double[3]){0, beside, 0});
    const imp_status status = go(&w, none, 1e-3, 2, &r);
    ok(status == IMP_OK && r.nspells > 0, "a rod that spins meets a peg: %s, %d",
       imp_status_text(status), r.nspells);
    is_near(r.first_touch, acos((thin + 1e-3 + peg) / beside) / spin, 1e-10, 0, "in time");
    compliant_result_clear(&r);
}

/* A thousand metres down to a plane are flown in few steps. */
static void test_far_fall(void) {
    world w = {.walled = true, .plane = {{0, 0, 0}, {0, 0, 1}, {.stiffness = 1e9}}};
    compliant_result r;
    add_ball(&w, 1, 1e-3, 1e9, (double[3]){0, 0, 1000}, none);
    const imp_status status = go(&w, down, 1e-3, 20, &r);
    ok(status == IMP_OK && r.nspells == 1 && r.steps + r.rejected < 2000,
       "a fall of 1e6 radii: %ld steps", r.steps + r.rejected);
    is_near(r.first_touch, sqrt(2 * (1000 - 1e-3) / fall), 1e-9, 0, "to its touch");
    compliant_result_clear(&r);
}

/* A pendulum whose lowest place is in a wall of much dissipation: let go as it eases, it comes back
 * before it has left. The run waits for it. */
static void test_let_go(void) {
    const double hidden = 0.03, angle = 2 * asin(hidden);
    world w = {.n = 1, .walled = true};
    compliant_result r, whole;
    w.links[0] = (imp_link){.parent = IMP_GROUND,
                            .joint = IMP_REVOLUTE,
                            .turn = {1},
                            .axis = {0, 1, 0},
                            .mass = 1,
                            .com = {0, 0, -1},
                            .inertia = {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3}};
    const compliant_material soft = {.stiffness = 1e4, .dissipation = 10};
    w.spheres[0] =
        (compliant_sphere){.radius = 0.1 + hidden, .centre = {0, 0, -1}, .material = soft};
    w.plane = (compliant_plane){{0.1, 0, 0}, {-1, 0, 0}, soft};
    w.q[0] = angle;
    w.v[0] = -3;
    const bool good = go(&w, down, 1e-3, 1.5, &r) == IMP_OK;
    ok(good && r.end == COMPLIANT_APART && r.nspells == 2,
       "let go in a wall, and pressed again: %d", r.nspells);
    ok(go(&w, down, -1, r.time, &whole) == IMP_OK && whole.nspells == 2, "as without an end");
    is_vec(r.y + r.layout.impulse, whole.y + whole.layout.impulse, 3, 1e-9, 0, "and as hard");
    compliant_result_clear(&r);
    compliant_result_clear(&whole);
}

/* What is stored where a pair is let go, and what is not, adds up. */
static void test_energies(void) {
    const double dissipation[] = {0, 0.2, 2, 20};
    double worst = 0;
    for (int k = 0; k < 16; k++) {
        const compliant_material m = {.stiffness = 1e6, .dissipation = dissipation[k / 2 % 4]};
        world w = {.walled = true, .plane = {{0, 0, 1}, {0, 0, -1}, m}};
        compliant_result r;
        const double start = k < 8 ? 0.85 : 0.901; /* that one overlaps */
        add_ball(&w, 1, 0.1, 1e6, (double[3]){0, 0, start}, (double[3]){0, 0, 3});
        w.spheres[0].material = m;
        const bool good = go(&w, down, k % 2 ? 1e-3 : -1, 0.3, &r) == IMP_OK && r.nspells == 1;
        const double *y = r.y, end = good ? r.kinetic + r.potential + r.elastic +
                                                y[r.layout.damped] + y[r.layout.rubbed]
                                          : NAN;
        worst = tap_worst(worst, fabs(end - r.energy0) / 4.5);
        compliant_result_clear(&r);
    }
    ok(worst < 1e-10, "energies add up, however much is left of a push that ends (%.1e)", worst);
}

/* A plane is the same one by any of its points. */
static void test_far_point(void) {
    const double normal[3] = {0.6, 0, 0.8}, along[3] = {0.8, 0, -0.6};
    double first[3] = {0};
    for (int decade = -1; decade <= 12; decade += decade < 0 ? 4 : 3) {
        const double far = decade < 0 ? 0 : pow(10, decade);
        const compliant_material m = {1e7, 0.1, 0.3, 0.3, 0, 0, 0};
        world w = {.walled = true, .plane = {{0}, {0.6, 0, 0.8}, m}};
        compliant_result r;
        double at[3], velocity[3];
        for (int k = 0; k < 3; k++) {
            w.plane.point[k] = far * along[k];
            at[k] = 0.101 * normal[k];
            velocity[k] = 0.3 * along[k] - normal[k];
        }
        add_ball(&w, 1, 0.1, 1e7, at, velocity);
        w.spheres[0].material = m;
        const bool good = go(&w, none, 1e-3, 1, &r) == IMP_OK && r.nspells == 1;
        const double *impulse = good ? r.y + r.layout.impulse : none;
        if (decade < 0)
            memcpy(first, impulse, sizeof first);
        else
            is_vec(impulse, first, 3, 1e-12, 0, "by a point 1e%d m along a plane", decade);
        ok(r.steps < 100, "%ld steps", r.steps);
        compliant_result_clear(&r);
    }
}

int main(void) {
    test_falling_pair();
    test_thrown_up();
    test_spinning_rod();
    test_far_fall();
    test_let_go();
    test_energies();
    test_far_point();
    return tap_done();
}
