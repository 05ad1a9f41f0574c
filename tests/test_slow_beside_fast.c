/* test_slow_beside_fast.c - what is slow, or hardly moved, beside what is fast: a ball that grazes
 * a stack at rest, pebbles on a boulder, a light ball between heavy ones, a row at rest. What is
 * little beside the fastest is all that decides there. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

enum { BODIES = 5, CONTACTS = 9, ROWS = 3 * CONTACTS };

typedef struct scene {
    int nb, nc;
    imp_body body[BODIES];
    imp_contact contact[CONTACTS];
} scene;

static const double up[3] = {0, 0, 1}, aside[3] = {1, 0, 0};

/* A ball of that mass and radius, kg and m, at (x, 0, z); which it is. */
static int add_ball(scene *s, double mass, double radius, double x, double z,
                    const double velocity[3]) {
    imp_body *b = &s->body[s->nb];
    *b = (imp_body){.inv_mass = 1 / mass, .position = {x, 0, z}, .orientation = {1}};
    for (int r = 0; r < 3; r++) {
        b->inv_inertia[4 * r] = 2.5 / (mass * radius * radius);
        b->velocity[r] = velocity[r];
    }
    return s->nb++;
}

static void touch(scene *s, int a, int b, double x, double y, double z, const double normal[3]) {
    imp_contact *c = &s->contact[s->nc++];
    *c = (imp_contact){.a = a, .b = b, .point = {x, y, z}};
    imp_frame_from_normal(normal, c->frame);
}

/* p (ROWS) <- the answer. */
static imp_status solve(const scene *s, const imp_model *model, double friction, double bounce,
                        double *p) {
    double W[ROWS * ROWS], q[ROWS], mu[CONTACTS], e[CONTACTS];
    for (int i = 0; i < s->nc; i++) {
        mu[i] = friction;
        e[i] = bounce;
    }
    if (imp_delassus_dense(s->nb, s->body, s->nc, s->contact, W, q) != IMP_OK) abort();
    const imp_operator op = imp_operator_dense(s->nc, W);
    const imp_problem problem = {.nc = s->nc, .W = &op, .q = q, .mu = mu, .e = e};
    return imp_solve_certified(model, &problem, NULL, p, NULL, NULL, NULL);
}

/* Upwards from the ground, each on the one below. */
static scene column(int nb, const double *mass, const double *radius, const double (*velocity)[3]) {
    scene s = {0};
    double z = 0;
    for (int i = 0; i < nb; i++) {
        add_ball(&s, mass[i], radius[i], 0, z + radius[i], velocity[i]);
        touch(&s, i == 0 ? IMP_GROUND : i - 1, i, 0, 0, z, up);
        z += 2 * radius[i];
    }
    return s;
}

static const imp_model *const relatives[] = {&imp_model_newton, &imp_model_poisson,
                                             &imp_model_single_phase};

/* All below is stopped by what the ball weighs at 7e-10 m/s, though it slides at 0.5 m/s. */
static void test_grazed(void) {
    static const double mass[] = {60, 2, 1.7e-3}, radius[] = {0.5, 0.25, 0.25},
                        velocity[][3] = {{0}, {0}, {-0.5, 0, -7e-10}};
    const scene s = column(3, mass, radius, velocity);
    for (int m = 0; m < 3; m++) {
        double p[ROWS];
        const imp_status status = solve(&s, relatives[m], 1, 0, p);
        ok(status == IMP_OK && p[0] > 1.1e-12 && tap_near(p[3], p[0], 0, 1e-9) &&
               tap_near(p[6], p[0], 0, 1e-9),
           "%s: a stack that a ball grazes passes on what little that is: %s", relatives[m]->name,
           imp_status_text(status));
    }
}

/* Pebbles, 1e-2 to 1e2 kg, on a box of 1 to 1e9 kg on its four corners: some at rest, some fall,
 * slowly or fast, or slide. */
static scene pebbles(gen_stream *g) {
    const double M = pow(10, gen_uniform(g, 0, 9));
    scene s = {.nb = 1};
    s.body[0] = (imp_body){.inv_mass = 1 / M, .position = {0, 0, 1}, .orientation = {1}};
    const double moment[3] = {5 * M / 3, 5 * M / 3, 8 * M / 3}; /* of 4 x 4 x 2 m */
    for (int r = 0; r < 3; r++)
        s.body[0].inv_inertia[4 * r] = 1 / moment[r];
    for (int i = 0; i < 4; i++)
        touch(&s, IMP_GROUND, 0, i % 2 ? 2 : -2, i / 2 ? 2 : -2, 0, up);
    for (int j = 0; j < 3; j++) {
        double velocity[3];
        for (int r = 0; r < 3; r++) {
            const double size = pow(10, gen_uniform(g, -10, 0));
            velocity[r] = gen_uniform(g, 0, 1) < 0.5 ? 0 : -size;
        }
        const double m = pow(10, gen_uniform(g, -2, 2));
        touch(&s, 0, add_ball(&s, m, 0.25, j - 1, 2.25, velocity), j - 1, 0, 2, up);
    }
    return s;
}

static void test_pebbles(void) {
    const int n = tap_many(200, 5000);
    for (int m = 0; m < 3; m++) {
        gen_stream g = gen_seed(931, 0);
        int solved = 0;
        for (int k = 0; k < n; k++) {
            const scene s = pebbles(&g);
            double p[ROWS];
            solved += solve(&s, relatives[m], k % 2 ? 0.3 : 1, k % 3 / 2., p) == IMP_OK;
        }
        ok(25 * (n - solved) <= n, "%s: of %d boulders with pebbles on them %d solved",
           relatives[m]->name, n, solved);
    }
}

/* A ball of 4e-5 kg between heavy ones goes on from the compression at 1e-13 of what each of these
 * gives it, and by that some 1e-6 m/s. */
static void test_between(void) {
    static const double mass[] = {1187.6256572377172, 684.1209466523961, 3.80051957703103e-05,
                                  0.5985856039834511, 18663.48163541033},
                        radius[] = {1, 0.25, 0.25, 0.5, 0.25},
                        velocity[][3] = {{0, 0, 1},
                                         {0, 0, 2.8705095538229104e-09},
                                         {0},
                                         {0, 0, 3.913154689544104e-06},
                                         {0, 1, 0}};
    static const imp_model *const models[] = {&imp_model_frictionless, &imp_model_anitescu};
    const scene s = column(5, mass, radius, velocity);
    for (int m = 0; m < 2; m++) {
        double p[ROWS];
        const imp_status status = solve(&s, models[m], m ? 0.1 : 0, 0.5, p);
        ok(status == IMP_OK, "%s: a light ball between heavy ones: %s", models[m]->name,
           imp_status_text(status));
    }
}

/* Balls of 2e-3 to 1e4 kg in a row on the ground; what falls is slow, what comes from the side is
 * 1e-6 of that. A polish brings the norm down and products of large multipliers up. */
static void test_row(void) {
    static const double mass[] = {9958.401573307421, 1.4203294138020477, 7.009377937940556,
                                  0.0022345766707901303, 175.60943752590325},
                        velocity[][3] = {{0},
                                         {-6.113444486125079e-10, 0, -0.00046364087439346483},
                                         {0},
                                         {0},
                                         {-2.410731251844742e-09, 0, 0}};
    scene s = {0};
    for (int i = 0; i < BODIES; i++) {
        add_ball(&s, mass[i], 1, 2 * i, 1, velocity[i]);
        touch(&s, IMP_GROUND, i, 2 * i, 0, 0, up);
        if (i > 0) touch(&s, i - 1, i, 2 * i - 1, 0, 1, aside);
    }
    double p[ROWS];
    const imp_status status = solve(&s, &imp_model_drumwright, 0.1, 0, p);
    ok(status == IMP_OK, "drumwright: slow beside what falls: %s", imp_status_text(status));
}

int main(void) {
    test_grazed();
    test_pebbles();
    test_between();
    test_row();
    return tap_done();
}
