/* test_swing.c - links that hang on each other in the time stepper: their energy does not drift, a
 * mechanism that touches nothing keeps its momenta, and steps tend to the equations of motion. */
#include "generators/gen.h"
#include "base/vec3.h"
#include "impact.h"
#include "step_bodies.h"
#include "tap.h"

enum { MOST = 3, NQ = 10, NV = 8 };

/* Links, and where they begin. */
typedef struct mechanism {
    const char *name;
    int nl;
    imp_link link[MOST];
    double q[NQ], v[NV], gravity[3], force[NV];
} mechanism;

static imp_link jointed(int parent, imp_joint joint, const double axis[3]) {
    imp_link l = solid(1, 0.1, 0.12, 0.05);
    const double turn[4] = {0.8, 0.48, 0, 0.36}, offset[3] = {0.2, 0.1, -0.8},
                 com[3] = {0.1, 0.05, -0.5};
    l.parent = parent;
    l.joint = joint;
    memcpy(l.axis, axis, sizeof l.axis);
    memcpy(l.turn, turn, sizeof turn);
    memcpy(l.com, com, sizeof com);
    if (parent != IMP_GROUND) memcpy(l.offset, offset, sizeof offset);
    return l;
}

static mechanism arm(void) {
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    return (mechanism){.name = "an arm of three revolutes",
                       .nl = 3,
                       .link = {jointed(IMP_GROUND, IMP_REVOLUTE, x), jointed(0, IMP_REVOLUTE, y),
                                jointed(1, IMP_REVOLUTE, z)},
                       .q = {1, 0.6, 0.3},
                       .v = {3, -2, 4},
                       .gravity = {0, 0, -g}};
}

/* The slider is held by gravity alone. */
static mechanism slider(void) {
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    return (mechanism){.name = "a slider between revolutes",
                       .nl = 3,
                       .link = {jointed(IMP_GROUND, IMP_REVOLUTE, y), jointed(0, IMP_PRISMATIC, x),
                                jointed(1, IMP_REVOLUTE, y)},
                       .q = {0.2, 0.1, 0.3},
                       .v = {1, 0.5, 3},
                       .gravity = {0, 0, -g}};
}

static mechanism afloat(void) {
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    mechanism m = {
        .name = "a free body with two swings",
        .nl = 3,
        .link = {solid(2, 1, 2, 2.7), jointed(0, IMP_REVOLUTE, x), jointed(0, IMP_REVOLUTE, y)},
        .q = {1, 2, 3, 1},
        .v = {1, -2, 0.5, 1.5, 5, 2, 3, 0.3}};
    m.link[0].parent = IMP_GROUND;
    m.link[0].joint = IMP_FREE;
    m.link[0].com[0] = 0.3;
    return m;
}

static mechanism top(void) {
    const double y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    mechanism m = {
        .name = "a top", .nl = 3, .q = {0, 0.5, 0}, .v = {0, 0, 20}, .gravity = {0, 0, -g}};
    for (int i = 0; i < 3; i++) {
        m.link[i] = (imp_link){.parent = i - 1, .joint = IMP_REVOLUTE, .turn = {1}};
        memcpy(m.link[i].axis, i == 1 ? y : z, sizeof y);
    }
    m.link[2].mass = 1;
    m.link[2].com[2] = 0.1;
    for (int i = 0; i < 9; i += 4)
        m.link[2].inertia[i] = 0.01;
    return m;
}

/* Of which slow iterations find v* that are none. */
static mechanism crumb(void) {
    const double x[3] = {1, 0, 0};
    mechanism m = {.name = "a crumb that swings on a slab",
                   .nl = 2,
                   .link = {solid(0.4, 17, 12, 9), jointed(0, IMP_REVOLUTE, x)},
                   .q = {1, 2, 3, 1},
                   .v = {2, -2.7, 1.7, -0.3, -0.9, 0.7, 1}};
    m.link[0].parent = IMP_GROUND;
    m.link[0].joint = IMP_FREE;
    m.link[0].com[0] = 7;
    m.link[1].mass = 8e-6;
    for (int k = 0; k < 9; k++)
        m.link[1].inertia[k] *= 1e-8;
    for (int k = 0; k < 3; k++)
        m.link[1].com[k] *= 0.02, m.link[1].offset[k] *= 0.01;
    return m;
}

static imp_stepper *begin(const mechanism *m) {
    imp_status status;
    imp_tree *tree = imp_tree_new(m->nl, m->link, &status);
    imp_world *w = tree ? imp_world_new(1, &tree) : NULL;
    imp_stepper *s = w ? imp_stepper_new(w) : NULL;
    ok(s != NULL, "%s: made", m->name);
    if (!s) exit(1);
    memcpy(w->q, m->q, (size_t)w->nq * sizeof *w->q);
    memcpy(w->v, m->v, (size_t)w->nv * sizeof *w->v);
    imp_world_place(w);
    return s;
}

static void end(imp_stepper *s) {
    imp_world *w = s->world;
    imp_stepper_free(s);
    imp_world_free(w);
}

static imp_step_settings by(const mechanism *m, double h) {
    imp_step_settings settings = {.h = h};
    memcpy(settings.gravity, m->gravity, sizeof settings.gravity);
    settings.force = m->force;
    return settings;
}

static void centre_of(const imp_tree *tree, double centre[3]) {
    double mass = 0;
    for (int i = 0; i < imp_tree_links(tree); i++)
        mass += imp_tree_link(tree, i)->mass;
    memset(centre, 0, 3 * sizeof *centre);
    for (int i = 0; i < imp_tree_links(tree); i++)
        add3(imp_tree_link(tree, i)->mass / mass, imp_tree_state(tree, i)->com, centre);
}

/* Of all links: total[0] linear, total[1] about their centre of mass. */
static void momenta(const imp_tree *tree, double total[2][3]) {
    double centre[3];
    centre_of(tree, centre);
    memset(total, 0, 2 * sizeof *total);
    for (int i = 0; i < imp_tree_links(tree); i++) {
        const imp_link_state *s = imp_tree_state(tree, i);
        double velocity[3], part[3], arm[3];
        imp_tree_point_velocity(tree, i, s->com, velocity);
        for (int k = 0; k < 3; k++)
            velocity[k] *= imp_tree_link(tree, i)->mass;
        add3(1, velocity, total[0]);
        sub3(s->com, centre, arm);
        add_cross3(arm, velocity, total[1]);
        apply3(s->inertia, s->spin, part);
        add3(1, part, total[1]);
    }
}

/* The energy wanders by less than `bound` (J) as long as `steps` go on. */
static void test_energy(const mechanism *m, double h, int steps, double bound) {
    imp_stepper *s = begin(m);
    const imp_tree *tree = s->world->tree[0];
    const imp_step_settings settings = by(m, h);
    const double energy = imp_tree_kinetic(tree) + imp_tree_potential(tree, m->gravity);
    double worst = 0, before[2][3], after[2][3];
    bool good = true;
    momenta(tree, before);
    for (int k = 0; k < steps; k++) {
        good = good && imp_step(s, &settings) == IMP_OK;
        worst = tap_worst(
            worst, fabs(imp_tree_kinetic(tree) + imp_tree_potential(tree, m->gravity) - energy));
    }
    ok(good, "%s: %d steps of %g s", m->name, steps, h);
    ok(worst < bound, "%s: the energy wanders by %.2g J", m->name, worst);
    momenta(tree, after);
    if (m->gravity[2] == 0 && m->nl == 3) {
        is_vec(after[0], before[0], 3, 0, 1e-11, "%s: the momentum is kept", m->name);
        is_vec(after[1], before[1], 3, 0, 1e-10, "%s: so is the angular momentum", m->name);
    }
    end(s);
}

/* Its fall changes nothing of the angular momentum about its centre. */
static void test_fall(mechanism m) {
    m.gravity[1] = 3, m.gravity[2] = -g;
    imp_stepper *s = begin(&m);
    const imp_tree *tree = s->world->tree[0];
    const imp_step_settings settings = by(&m, 0.01);
    double total[2][2][3];
    momenta(tree, total[0]);
    for (int k = 0; k < 1000; k++)
        imp_step(s, &settings);
    momenta(tree, total[1]);
    is_vec(total[1][1], total[0][1], 3, 0, 1e-10, "%s: as it falls, too", m.name);
    is_near(total[1][0][2] - total[0][0][2], -4 * g * 10, 0, 1e-12, "%s: m g t", m.name);
    end(s);
}

/* rate (nq + nv) of y = (q, v). */
static void rate_of(imp_tree *tree, const mechanism *m, const double *y, double *rate) {
    const int nq = imp_tree_nq(tree), nv = imp_tree_nv(tree);
    imp_tree_place(tree, y, y + nq);
    imp_tree_rate(tree, y, y + nq, rate);
    imp_tree_inverse_dynamics(tree, m->gravity, NULL, rate + nq);
    imp_tree_factor(tree);
    for (int i = 0; i < nv; i++)
        rate[nq + i] = m->force[i] - rate[nq + i];
    imp_tree_solve(tree, rate + nq);
}

/* y <- y after 0.5 s, by the classical Runge-Kutta method. */
static void integrate(imp_tree *tree, const mechanism *m, double *y) {
    const int n = imp_tree_nq(tree) + imp_tree_nv(tree), steps = 2000;
    const double h = 0.5 / steps, at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    for (int k = 0; k < steps; k++) {
        double from[NQ + NV], rate[NQ + NV] = {0}, sum[NQ + NV] = {0};
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < n; i++)
                from[i] = y[i] + h * at[stage] * rate[i];
            rate_of(tree, m, from, rate);
            for (int i = 0; i < n; i++)
                sum[i] += weight[stage] * rate[i];
        }
        for (int i = 0; i < n; i++)
            y[i] += h / 6 * sum[i];
    }
}

/* Half the step, half of what is missing of the equations of motion. */
static void test_order(const mechanism *m) {
    imp_stepper *s = begin(m);
    imp_world *w = s->world;
    double y[NQ + NV], error[2];
    const int n = w->nq + w->nv;
    memcpy(y, m->q, (size_t)w->nq * sizeof *y);
    memcpy(y + w->nq, m->v, (size_t)w->nv * sizeof *y);
    integrate(w->tree[0], m, y);
    for (int fine = 0; fine < 2; fine++) {
        const int steps = fine ? 4096 : 2048;
        const imp_step_settings settings = by(m, 0.5 / steps);
        memcpy(w->q, m->q, (size_t)w->nq * sizeof *y);
        memcpy(w->v, m->v, (size_t)w->nv * sizeof *y);
        int by_rates = 0;
        for (int k = 0; k < steps; k++) {
            imp_step(s, &settings);
            by_rates += s->by_rates;
        }
        ok(by_rates == 0, "%s: v* is found", m->name);
        error[fine] = 0;
        for (int i = 0; i < n; i++)
            error[fine] =
                tap_worst(error[fine], fabs((i < w->nq ? w->q[i] : w->v[i - w->nq]) - y[i]));
    }
    ok(error[0] < 0.03, "%s: steps of 1/4096 s are %.2g off at 0.5 s", m->name, error[0]);
    is_near(error[0] / error[1], 2, 0.1, 0, "%s: half the step, half of it", m->name);
    end(s);
}

/* Where links swing by some rad in a step, and where it is asked for, they go by the rates of its
 * beginning. */
static void test_by_rates(mechanism m, double faster, bool asked) {
    for (int i = 0; i < 3; i++)
        m.v[i] *= faster;
    imp_stepper *s = begin(&m);
    imp_world *w = s->world;
    imp_step_settings settings = by(&m, 0.02);
    settings.explicit_bias = asked;
    double y[NQ + NV], rate[NQ + NV];
    memcpy(y, m.q, (size_t)w->nq * sizeof *y);
    memcpy(y + w->nq, m.v, (size_t)w->nv * sizeof *y);
    rate_of(w->tree[0], &m, y, rate);
    for (int i = 0; i < w->nv; i++)
        y[w->nq + i] += settings.h * rate[w->nq + i];
    ok(imp_step(s, &settings) == IMP_OK && s->by_rates == !asked, "%s, %g times as fast", m.name,
       faster);
    is_vec(w->v, y + w->nq, w->nv, 0, 1e-12, "%s: by the rates of the beginning", m.name);
    end(s);
}

static void test_not_finite(mechanism m) {
    imp_stepper *s = begin(&m);
    imp_step_settings settings = by(&m, 0.01);
    const double force[NV] = {0, NAN};
    settings.force = force;
    ok(imp_step(s, &settings) == IMP_NOT_FINITE && s->world->v[0] == m.v[0],
       "a couple that is no number: not-finite, the world as it was");
    end(s);
}

/* How fast the whole goes makes no difference to what it does, and its centre goes straight. */
static void test_carried_along(mechanism m) {
    double inner[2][NV + 3], centre[2][3];
    const int steps = 500;
    for (int fast = 0; fast < 2; fast++) {
        if (fast) m.v[0] += 300, m.v[2] -= 100;
        imp_stepper *s = begin(&m);
        const imp_world *w = s->world;
        const imp_step_settings settings = by(&m, 0.01);
        double total[2][3];
        centre_of(w->tree[0], centre[1]);
        for (int k = 0; k < steps; k++)
            imp_step(s, &settings);
        centre_of(w->tree[0], centre[0]);
        momenta(w->tree[0], total);
        add3(steps * settings.h / 4, total[0], centre[1]);
        is_vec(centre[0], centre[1], 3, 0, 1e-12, "%s: its centre goes straight", m.name);
        memcpy(inner[fast], w->q + 3, 6 * sizeof *w->q);
        memcpy(inner[fast] + 6, w->v + 3, 5 * sizeof *w->v);
        end(s);
    }
    is_vec(inner[1], inner[0], 11, 0, 1e-9, "%s: at 300 m/s what it did at none", m.name);
}

/* The swings of a free body touch, wherever they are: they may not approach along x. */
static imp_status touching(void *pushes, const imp_world *w, double h, imp_nearby_list *list) {
    (void)pushes, (void)h;
    imp_nearby one = {.contact = {.a = 1, .b = 2, .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, .mu = 0.4};
    memcpy(one.contact.point, imp_tree_state(w->tree[0], 0)->com, sizeof one.contact.point);
    return imp_nearby_add(list, &one) ? IMP_OK : IMP_NO_MEMORY;
}

/* What its parts do to each other changes nothing of what it has: contacts, and friction of joints
 * (N m). */
static void test_within(mechanism m, const char *by_what, bool contact, double friction) {
    imp_stepper *s = begin(&m);
    const imp_tree *tree = s->world->tree[0];
    imp_step_settings settings = by(&m, 0.01);
    const double mu_c[NV] = {[6] = friction, [7] = friction}, mu_v[NV] = {0};
    double total[2][2][3], most = 0;
    settings.model = imp_model_find("auto");
    settings.detect = contact ? touching : NULL;
    settings.mu_c = mu_c;
    settings.mu_v = mu_v;
    momenta(tree, total[0]);
    for (int k = 0; k < 300; k++) {
        imp_step(s, &settings);
        most = tap_worst(most, contact ? imp_stepper_normal(s) : fabs(s->rubbed));
    }
    momenta(tree, total[1]);
    ok(most > 0.01, "%s: %s act, by up to %.2g", m.name, by_what, most);
    is_vec(total[1][0], total[0][0], 3, 0, 1e-12, "and the momentum is kept");
    is_vec(total[1][1], total[0][1], 3, 0, 1e-12, "and the angular momentum");
    end(s);
}

/* Chains of equal thin rods, turned at random: steps of a twentieth of a radian gain no multiple
 * of their energy, whichever way v* is found. */
static void test_chains(void) {
    enum { LINKS = 6, CHAINS = 40 };
    double worst = 0;
    for (uint64_t seed = 0; seed < CHAINS; seed++) {
        gen_stream draw = gen_seed(1203, seed);
        imp_link links[LINKS] = {0};
        const bool afloat = seed % 2;
        for (int i = 0; i < LINKS; i++) {
            links[i] = (imp_link){.parent = i ? i - 1 : IMP_GROUND,
                                  .joint = i == 0 && afloat ? IMP_FREE : IMP_REVOLUTE,
                                  .offset = {i ? 1 : 0},
                                  .turn = {1},
                                  .mass = 1,
                                  .com = {0.5},
                                  .inertia = {0.01, 0, 0, 0, 0.083, 0, 0, 0, 0.083}};
            links[i].axis[(int)gen_uniform(&draw, 0, 3)] = 1;
        }
        imp_status status;
        imp_tree *tree = imp_tree_new(LINKS, links, &status);
        imp_world *w = imp_world_new(1, &tree);
        for (int i = afloat ? 3 : 0; i < w->nv; i++)
            w->v[i] = gen_uniform(&draw, -5, 5);
        imp_world_place(w);
        const double energy = imp_world_kinetic(w);
        imp_stepper *s = imp_stepper_new(w);
        const imp_step_settings settings = {.h = 0.01, .model = &imp_model_auto};
        for (int k = 0; k < 20 && imp_step(s, &settings) == IMP_OK; k++)
            worst = fmax(worst, imp_world_kinetic(w) / energy);
        imp_stepper_free(s);
        imp_world_free(w);
    }
    ok(worst < 2, "chains of six rods: their energy is at most %.3g times what it was", worst);
}

int main(void) {
    test_chains();
    const mechanism all[4] = {arm(), slider(), afloat(), top()}, small = crumb();
    /* J; by the forces of each step's beginning: some or all that a double holds */
    test_energy(&all[0], 1e-3, 20000, 0.5);
    test_energy(&all[1], 1e-3, 2000, 0.5);
    test_energy(&all[2], 1e-2, 2000, 2);
    test_energy(&all[3], 1e-2, 1000, 0.02);
    mechanism quick = afloat();
    quick.name = "four times as fast";
    for (int i = 3; i < 6; i++)
        quick.v[i] *= 4;
    test_energy(&quick, 1e-2, 5000, 20);
    quick = afloat();
    quick.name = "twenty times as fast, a radian in a step";
    for (int i = 3; i < 8; i++)
        quick.v[i] *= 20;
    test_energy(&quick, 1e-2, 1, 2000);
    test_energy(&small, 1e-2, 300, 0.5);
    for (int i = 0; i < 4; i++) {
        mechanism driven = all[i];
        for (int k = 0; k < 3; k++)
            driven.force[k] = (i == 3 ? 0.01 : 1) * (3 - k); /* the top is light */
        test_order(&driven);
    }
    test_by_rates(arm(), 100, false);
    test_by_rates(arm(), 1, true);
    test_not_finite(arm());
    test_carried_along(afloat());
    test_fall(afloat());
    test_within(afloat(), "contacts", true, 0);
    test_within(afloat(), "its joints", false, 0.3);
    return tap_done();
}
