/* test_convex_hard.c - QP1 on the random problems that were hardest to solve: almost no friction
 * beside much, multipliers in the thousands, a kappa far below the other impulses, masses a million
 * apart, contacts that all stick; phase I on what looks like a contradiction and is none, and on
 * what hardly looks like one and is.
 */
#include "generators/piles.h"
#include "generators/gen.h"
#include "impact.h"
#include "cone/convex_active.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

/* Solves and judges; u <- the velocities. */
static void test_problem(gen_many g, const char *what, double u[3 * GEN_MOST_CONTACTS]) {
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
    double y[3 * GEN_MOST_CONTACTS] = {0}, x[3 * GEN_MOST_CONTACTS] = {0};
    double kappa = 0, sum = 0, gap = 0, cone = 0, fastest = 0;
    imp_certificate c = {0};
    ok(imp_frictionless(&problem, y, NULL) == IMP_OK &&
           imp_solve_certified(&imp_model_drumwright, &problem, NULL, x, NULL, &c, NULL) == IMP_OK,
       "%s: solved", what);
    imp_operator_apply(&W, x, g.q, u);
    for (int i = 0; i < g.nc; i++) {
        kappa += y[3 * i];
        sum += x[3 * i];
        gap = tap_worst(gap, fmax(-u[3 * i], -x[3 * i]));
        cone = tap_worst(cone, hypot(x[3 * i + 1], x[3 * i + 2]) - g.mu[i] * x[3 * i]);
        fastest = fmax(fastest, fabs(g.q[3 * i]));
    }
    ok(gap < 1e-10 * fastest && cone < 1e-14 * kappa && sum < kappa * (1 + 1e-10),
       "within its constraints: gaps %.1e, cones %.1e, sum %.1e", gap / fastest, cone / kappa,
       sum / kappa - 1);
    ok(c.count > 0 && c.worst < 1e-9, "and of the least energy, by weak duality, to %.1e", c.worst);
}

/* Of generators/gen_bodies.c. */
static gen_many bodies(uint64_t index) {
    return gen_bodies(index, 1 + (int)(index % GEN_MOST_CONTACTS));
}

static gen_many loose(uint64_t class, uint64_t index, int most, double most_mu, double decades) {
    double e[GEN_MOST_CONTACTS];
    return gen_loose(class, index, most, most_mu, decades, e);
}

/* Walls on which the interior point, started at distance 1 of all cones, runs into their boundary
 * after 8 steps. */
static void test_wall(int contacts, uint64_t seed) {
    imp_fclib wall;
    imp_fclib_posed posed;
    if (pile_make(PILE_WALL, seed, contacts, &wall) != IMP_OK ||
        imp_fclib_pose(&wall, &posed) != IMP_OK) {
        ok(false, "no wall");
        return;
    }
    const int n = wall.nc;
    const double *mu = posed.problem.mu, *q = posed.problem.q;
    double *x = calloc(9 * (size_t)n, sizeof *x), *y = x + 3 * n, *u = y + 3 * n;
    const bool solved = imp_frictionless(&posed.problem, y, NULL) == IMP_OK &&
                        imp_solve(&imp_model_drumwright, &posed.problem, NULL, x, NULL) == IMP_OK;
    double energy[2] = {0}, kappa = 0, sum = 0, gap = 0, cone = 0, fastest = 0, largest = 0;
    for (int k = 0; k < 2; k++) {
        const double *p = k ? x : y;
        imp_operator_apply(posed.problem.W, p, q, u);
        for (int i = 0; i < 3 * n; i++)
            energy[k] += p[i] * (u[i] + q[i]) / 2;
    }
    for (int i = 0; i < n; i++) {
        kappa += y[3 * i];
        sum += x[3 * i];
        largest = fmax(largest, x[3 * i]);
        gap = tap_worst(gap, -u[3 * i]);
        cone =
            tap_worst(cone, fmax(-x[3 * i], hypot(x[3 * i + 1], x[3 * i + 2]) - mu[i] * x[3 * i]));
        fastest = fmax(fastest, fabs(q[3 * i]));
    }
    ok(solved && gap < 1e-8 * fastest && cone < 1e-12 * largest && sum < kappa * (1 + 1e-8),
       "a wall of %d contacts within its constraints: gaps %.1e, cones %.1e, sum %.1e", n,
       gap / fastest, cone / largest, sum / kappa - 1);
    ok(energy[1] <= energy[0] * (1 - 1e-12) && energy[0] < 0,
       "friction takes out energy beyond phase I: %.3g of %.3g J", energy[1] - energy[0],
       energy[0]);
    free(x);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&wall);
}

/* Too many contacts for a polish: what the interior point leaves of the product of a push and its
 * slip turns friction by the root of that. Heaps of the seeds 1 to `count`; at least `least` of
 * them are solved, and none is given up. */
static void test_heaps(pile_kind kind, int contacts, double tolerance, int count, int least) {
    imp_convex_settings settings;
    int solved = 0, given_up = 0, posed_of = 0;
    imp_model_presets(&imp_model_drumwright, &settings);
    settings.tolerance = tolerance;
    for (int seed = 1; seed <= count; seed++) {
        imp_fclib heap;
        imp_fclib_posed posed;
        if (pile_make(kind, (uint64_t)seed, contacts, &heap) != IMP_OK) break;
        double *x = calloc(3 * (size_t)heap.nc, sizeof *x);
        if (imp_fclib_pose(&heap, &posed) == IMP_OK) {
            imp_certificate c = {0};
            posed_of++;
            const imp_status status = imp_solve_certified(&imp_model_drumwright, &posed.problem,
                                                          &settings, x, NULL, &c, NULL);
            solved += status == IMP_OK && c.count > 0 && c.worst <= 10 * tolerance;
            given_up += status != IMP_OK && status != IMP_NOT_CERTIFIED;
            imp_fclib_posed_clear(&posed);
        }
        free(x);
        imp_fclib_clear(&heap);
    }
    ok(posed_of == count && solved >= least && given_up == 0,
       "%s of %d contacts to %.0e: %d of %d, %d given up", pile_name(kind), contacts, tolerance,
       solved, count, given_up);
}

/* A ball falls into the gap of two of 1 kg on the ground, and turns: what it does not move is at
 * rest but for rounding, of which nothing is left. */
static void test_pyramid(double mass, double spin, double mu, int contacts, double *u) {
    enum { BALLS = 3, CONTACTS = 5 };
    const double high = sqrt(3), half = high / 2;
    const double from[CONTACTS][3] = {{-1, 0, 0},
                                      {1, 0, 0},
                                      {-0.5, 0, 1 + half},
                                      {0.5, 0, 1 + half},
                                      {0, 0, 1}},
                 normal[CONTACTS][3] = {
                     {0, 0, 1}, {0, 0, 1}, {0.5, 0, half}, {-0.5, 0, half}, {1, 0, 0}};
    static const int a[CONTACTS] = {IMP_GROUND, IMP_GROUND, 0, 1, 0}, b[CONTACTS] = {0, 1, 2, 2, 1};
    gen_many g = {.nb = BALLS, .nc = contacts};
    for (int i = 0; i < BALLS; i++)
        g.body[i] = (imp_body){.inv_mass = 1,
                               .inv_inertia = {2.5, 0, 0, 0, 2.5, 0, 0, 0, 2.5},
                               .position = {i < 2 ? 2 * i - 1 : 0, 0, i < 2 ? 1 : 1 + high},
                               .orientation = {1, 0, 0, 0}};
    g.body[2].inv_mass /= mass;
    for (int k = 0; k < 9; k++)
        g.body[2].inv_inertia[k] /= mass;
    g.body[2].velocity[0] = 1;
    g.body[2].velocity[2] = -1;
    g.body[2].spin[1] = spin;
    for (int i = 0; i < contacts; i++) {
        g.contact[i] = (imp_contact){.a = a[i], .b = b[i]};
        memcpy(g.contact[i].point, from[i], sizeof g.contact[i].point);
        (void)imp_frame_from_normal(normal[i], g.contact[i].frame);
        g.mu[i] = mu;
    }
    const imp_status made = imp_delassus_dense(BALLS, g.body, contacts, g.contact, g.W, g.q);
    ok(made == IMP_OK, "three balls");
    test_problem(g, "a ball on two", u);
}

/* Boxes of 1 m on one another on the ground, four contacts between two; the topmost of mass times
 * 1 kg. Thrown apart, or all falling at 1 m/s. Returns the status of the frictionless impact, and
 * *off: the largest |min(p_n, u_n)|, in m/s of what the terms of u_n round. */
enum { BOXES = 3, CORNERS = 4 * BOXES };
static imp_status drop_boxes(gen_stream *s, int boxes, double mass, bool thrown, double *off,
                             double p[3 * CORNERS]) {
    imp_body body[BOXES] = {{0}};
    imp_contact contact[CORNERS];
    const double up[3] = {0, 0, 1}, mu[CORNERS] = {0};
    double W[9 * CORNERS * CORNERS], q[3 * CORNERS];
    for (int i = 0; i < boxes; i++) {
        const double m = i == boxes - 1 ? mass : 1;
        body[i] = (imp_body){.inv_mass = 1 / m, .orientation = {1, 0, 0, 0}};
        body[i].position[2] = 0.5 + i;
        body[i].velocity[2] = -1;
        for (int k = 0; k < 3; k++) {
            body[i].inv_inertia[4 * k] = 6 / m;
            if (thrown) body[i].velocity[k] = gen_uniform(s, -2, 2);
            if (thrown) body[i].spin[k] = gen_uniform(s, -2, 2);
        }
        for (int k = 4 * i; k < 4 * i + 4; k++) {
            contact[k] = (imp_contact){.a = i > 0 ? i - 1 : IMP_GROUND, .b = i};
            contact[k].point[0] = k % 2 ? 0.5 : -0.5;
            contact[k].point[1] = k / 2 % 2 ? 0.5 : -0.5;
            contact[k].point[2] = i;
            (void)imp_frame_from_normal(up, contact[k].frame);
        }
    }
    (void)imp_delassus_dense(boxes, body, 4 * boxes, contact, W, q);
    const imp_operator op = imp_operator_dense(4 * boxes, W);
    const imp_problem problem = {.nc = 4 * boxes, .W = &op, .q = q, .mu = mu};
    const imp_status status = imp_frictionless(&problem, p, NULL);
    *off = 0;
    for (int i = 0; i < 4 * boxes; i++) {
        double u = q[3 * i], terms = fabs(u);
        for (int j = 0; j < 12 * boxes; j++) {
            const double term = W[36 * boxes * i + j] * p[j];
            u += term;
            terms += fabs(term);
        }
        *off = tap_worst(*off, fabs(fmin(p[3 * i], u)) / terms);
    }
    return status;
}

/* A mass a million to a thousand million times another's is no wall: what it asks for is an impulse
 * as large. Of one whose reciprocal is beside 1 next to rounding nothing is denied either. */
static void test_heavy(void) {
    gen_stream s = gen_seed(19, 0);
    double p[3 * CORNERS], off, worst = 0;
    int solved = 0, denied = 0;
    for (int decade = 6; decade <= 8; decade++) {
        const double heavy = pow(10, decade);
        double levels[2] = {0};
        ok(drop_boxes(&s, 2, heavy, false, &off, p) == IMP_OK, "a box of %g kg on one of 1 kg",
           heavy);
        for (int i = 0; i < 8; i++)
            levels[i / 4] += p[3 * i];
        is_near(levels[1], heavy, 0, 1e-6, "  is stopped by its momentum");
        is_near(levels[0], heavy + 1, 0, 1e-6, "  and the other with it");
        for (int k = 0; k < 60; k++) {
            solved +=
                drop_boxes(&s, 2 + k % 2, heavy * gen_uniform(&s, 0.5, 2), true, &off, p) == IMP_OK;
            worst = tap_worst(worst, off);
        }
    }
    ok(solved == 180 && worst <= 1e-12, "180 stacks under boxes of 1e6 to 1e8 kg (%.1e)", worst);
    for (int k = 0; k < 60; k++)
        denied += drop_boxes(&s, 2 + k % 2, 1e11 * gen_uniform(&s, 0.5, 2), true, &off, p) ==
                  IMP_NO_SOLUTION;
    ok(denied == 0, "nor is an answer denied under 1e11 kg");
}

/* Every other contact drives one direction the one way, the rest the other way, at `speed`; the
 * last drives half another, at 1 m/s. All drive a third, of 1 / yield kg. */
static imp_status press(double speed, double yield) {
    enum { N = IMP_CONVEX_DENSE + 44 };
    double *W = calloc(9 * (size_t)N * N, sizeof *W), q[3 * N] = {0}, p[3 * N];
    static const double mu[N];
    for (int i = 0; i < N; i++) {
        const double x = i == N - 1 ? 0.5 : i % 2 ? 1 : -1;
        q[3 * i] = i == N - 1 ? -1 : -speed;
        for (int j = 0; j < N; j++) {
            const double other = j == N - 1 ? 0.5
                                 : j % 2    ? 1
                                            : -1,
                         both = i == N - 1 && j == N - 1 ? 0.75 : 0;
            W[3 * (size_t)i * 3 * N + 3 * (size_t)j] = x * other + both + yield;
        }
        for (int t = 1; t < 3; t++)
            W[(3 * (size_t)i + (size_t)t) * (3 * N + 1)] = 1;
    }
    const imp_operator op = imp_operator_dense(N, W);
    const imp_problem problem = {.nc = N, .W = &op, .q = q, .mu = mu};
    const imp_status status = imp_frictionless(&problem, p, NULL);
    free(W);
    return status;
}

/* None can stop, be what contradicts little beside other velocities; a large mass yields. */
static void test_large_contradiction(void) {
    for (int decade = 0; decade <= 4; decade++) {
        const imp_status status = press(pow(10, -decade), 0);
        ok(status == IMP_NO_SOLUTION, "many contacts that contradict each other by 1e-%d: %s",
           decade, imp_status_text(status));
    }
    for (int decade = 6; decade <= 11; decade++) {
        const imp_status status = press(1, pow(10, -decade));
        ok(status == IMP_OK || (decade > 6 && status == IMP_NOT_CONVERGED), "but for 1e%d kg: %s",
           decade, imp_status_text(status));
    }
}

/* Balls of 1 kg and 1 m that touch, in a cube on the ground and at rest but for one: few contacts
 * of many press, and of the others nothing may be left, not even rounding, which is all that moves
 * there. Of 24 such at least `least` are certified. */
static void test_struck(int least) {
    enum { SIDE = 3, BALLS = SIDE * SIDE * SIDE, TOUCHING = 3 * BALLS };
    imp_body body[BALLS];
    imp_contact contact[TOUCHING];
    double mu[TOUCHING], e[TOUCHING], p[3 * TOUCHING],
        *W = malloc(9 * sizeof *W * TOUCHING * TOUCHING), q[3 * TOUCHING];
    gen_stream s = gen_seed(32, 0);
    int solved = 0, nc = 0;
    for (int i = 0; i < BALLS; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE}, step[3] = {1, SIDE, 9};
        body[i] = (imp_body){.inv_mass = 1,
                             .inv_inertia = {10, 0, 0, 0, 10, 0, 0, 0, 10},
                             .position = {at[0], at[1], at[2] + 0.5},
                             .orientation = {1, 0, 0, 0}};
        for (int k = 0; k < 3; k++) {
            double normal[3] = {0};
            if (at[k] == 0 && k < 2) continue; /* below the lowest is the ground */
            contact[nc] = (imp_contact){.a = at[k] > 0 ? i - step[k] : IMP_GROUND, .b = i};
            memcpy(contact[nc].point, body[i].position, sizeof contact[nc].point);
            contact[nc].point[k] -= 0.5;
            normal[k] = 1;
            (void)imp_frame_from_normal(normal, contact[nc].frame);
            mu[nc++] = 0.5;
        }
    }
    for (int k = 0; W && k < 24; k++) {
        const int struck = (int)gen_uniform(&s, 0, BALLS);
        for (int i = 0; i < nc; i++)
            e[i] = k % 2 ? 0.5 : 0;
        for (int r = 0; r < 3; r++)
            body[struck].velocity[r] = gen_uniform(&s, -1, 1);
        (void)imp_delassus_dense(BALLS, body, nc, contact, W, q);
        memset(body[struck].velocity, 0, sizeof body[struck].velocity);
        const imp_operator op = imp_operator_dense(nc, W);
        const imp_problem problem = {.nc = nc, .W = &op, .q = q, .mu = mu, .e = e};
        imp_certificate c = {0};
        solved +=
            imp_solve_certified(&imp_model_drumwright, &problem, NULL, p, NULL, &c, NULL) == IMP_OK;
    }
    ok(solved >= least, "one of %d balls is struck, %d contacts: %d of 24", BALLS, nc, solved);
    free(W);
}

int main(void) {
    double u[3 * GEN_MOST_CONTACTS], rest = 0;
    test_problem(bodies(27684), "mu = 7e-6 beside mu = 1", u);
    test_problem(bodies(48754), "mu = 9e-4 and multipliers in the thousands", u);
    test_problem(bodies(64354), "kappa 4e-6 of an impulse across", u);
    test_problem(bodies(79394), "multipliers of ten thousand and hardly an interior", u);
    test_problem(bodies(93418), "two islands a thousand times apart", u);
    test_problem(loose(0x0d, 50431, 6, 1.5, 0),
                 "a sum of impulses whose rounding its multiplier magnifies", u);
    test_problem(loose(2, 52193, 8, 3, 6),
                 "masses a million apart: the corrector alone goes in a circle", u);
    test_problem(loose(12, 717949, 8, 3, 6), "the same on two contacts", u);
    test_problem(loose(12, 5213, 8, 3, 6), "a start that only far from the boundary leads on", u);
    test_problem(loose(12, 13302, 8, 3, 6), "pairs of which both are small, eight contacts", u);
    test_problem(loose(12, 16866, 8, 3, 6), "the same again", u);
    test_problem(loose(12, 16300, 8, 3, 6), "a polish that ends at 1e-11 beside pairs of 1e-6", u);
    test_problem(loose(1, 28573, 8, 3, 0), "seven contacts of eight stick", u);
    for (int i = 0; i < 24; i++)
        if (i / 3 != 4) rest = tap_worst(rest, fabs(u[i]));
    ok(rest < 1e-13, "and stand still, exactly (%.1e m/s)", rest);
    test_pyramid(1, 2, 2, 5, u);
    test_pyramid(1e-6, 0, 0.5, 4, u);
    test_wall(160, 48);
    test_wall(240, 9);
    test_heaps(PILE_CHAIN, 100, 1e-7, 24, 24);
    test_heaps(PILE_BOX, 150, 1e-10, 24, 0);
    test_struck(16);
    test_heavy();
    test_large_contradiction();
    return tap_done();
}
