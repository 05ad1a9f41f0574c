/* test_loop_friction.c - friction of joints where loops hold: bounds that columns share, chains as
 * a tree and as free bodies, and a parallelogram that stops where a pendulum of its inertia
 * does. */
#include "base/vec3.h"
#include "generators/gen_tree.h"
#include "impact.h"
#include "linear/bounded.h"
#include "tap.h"

enum { MOST = 12, LINKS = 5 };

/* The largest fault of an answer against its definition, relative to the numbers in each slope. */
static double optimality(int n, const double *A, const double *c, const double *bound,
                         const double *x) {
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double slope = c[i], size = fabs(c[i]);
        for (int j = 0; j < n; j++) {
            slope += A[i * n + j] * x[j];
            size += fabs(A[i * n + j]) * bound[j];
        }
        const bool low = x[i] == -bound[i], high = x[i] == bound[i];
        const double fault = low && high ? 0 : low ? -slope : high ? slope : fabs(slope);
        if (!(fabs(x[i]) <= bound[i])) return INFINITY;
        worst = tap_worst(worst, fault / (size + 1e-300));
    }
    return worst;
}

/* A = Y Y', c = Y y, and how large the terms of each c are together. */
static void products(int n, int rank, double Y[MOST][MOST], const double y[MOST],
                     double A[MOST * MOST], double c[MOST], double size[MOST]) {
    for (int i = 0; i < n; i++) {
        c[i] = size[i] = 0;
        for (int r = 0; r < rank; r++)
            c[i] += Y[i][r] * y[r], size[i] += fabs(Y[i][r] * y[r]);
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int r = 0; r < rank; r++)
                sum += Y[i][r] * Y[j][r];
            A[i * n + j] = A[j * n + i] = sum;
        }
    }
}

static void test_bounded(void) {
    static double work[MOST * MOST + 4 * MOST];
    double worst = 0;
    int unsolved = 0, inside = 0, dependent = 0;
    for (uint64_t k = 0; k < 4000; k++) {
        gen_stream s = gen_seed(4100, k);
        const int n = 1 + (int)(k % MOST), rank = 1 + (int)(k / MOST % MOST);
        double Y[MOST][MOST], y[MOST], A[MOST * MOST], c[MOST], size[MOST], bound[MOST], x[MOST],
            slope[MOST];
        for (int r = 0; r < rank; r++) {
            y[r] = gen_normal(&s);
            for (int i = 0; i < n; i++)
                Y[i][r] =
                    i > 1 && k % 3 == 0 ? Y[i - 2][r] : gen_normal(&s); /* or the same again */
        }
        for (int i = 0; i < n; i++)
            bound[i] = gen_uniform(&s, 0, 1) < 0.1 ? 0 : gen_power10(&s, -1.5, 1);
        products(n, rank, Y, y, A, c, size);
        unsolved += imp_bounded_least(n, A, c, size, bound, x, slope, work, NULL) != IMP_OK;
        worst = tap_worst(worst, optimality(n, A, c, bound, x));
        dependent += rank < n || k % 3 == 0;
        for (int i = 0; i < n; i++) {
            inside += fabs(x[i]) < bound[i];
        }
    }
    ok(imp_bounded_workspace(MOST) <= sizeof work, "the workspace is what it says");
    ok(unsolved == 0 && inside > 4000 && dependent > 2000, "4000 solved, %d within bounds", inside);
    ok(worst <= 1e-13 && worst > 0, "each the least from the definition (%.1e)", worst);
}

static int whole(gen_stream *s, int low, int high) {
    return (int)floor(gen_uniform(s, low, high + 1));
}

/* Column i (rank) of small whole numbers: often one before it, turned round, or a sum of two. */
static void whole_column(gen_stream *s, int rank, double Y[MOST][MOST], int i) {
    const int how = whole(s, 0, 4), turn = whole(s, 0, 1) ? 1 : -1;
    for (int r = 0; r < rank; r++)
        Y[i][r] = i > 0 && how == 0   ? turn * Y[i - 1][r]
                  : i > 1 && how == 1 ? turn * (Y[0][r] + Y[i - 1][r])
                                      : whole(s, -3, 3);
}

/* Columns that are the same, opposite or sums of others, exactly or nearly: many least x, on
 * corners and edges of the box and where no bound holds. `apart`: by how much they differ. */
static void test_dependent(double apart, double most) {
    static double work[MOST * MOST + 4 * MOST];
    double worst = 0;
    int unsolved = 0, rounds = 0;
    const int count = tap_many(20000, 200000);
    for (int k = 0; k < count; k++) {
        gen_stream s = gen_seed(4102, (uint64_t)k);
        const int n = 2 + k % 6, rank = whole(&s, 1, 6);
        double Y[MOST][MOST], y[MOST], A[MOST * MOST], c[MOST], size[MOST], bound[MOST], x[MOST],
            slope[MOST];
        for (int r = 0; r < rank; r++)
            y[r] = whole(&s, -3, 3);
        for (int i = 0; i < n; i++) {
            whole_column(&s, rank, Y, i);
            bound[i] = whole(&s, 0, 3) / 3.0;
        }
        for (int i = 0; i < n; i++)
            for (int r = 0; r < rank; r++)
                Y[i][r] += apart * gen_uniform(&s, -1, 1);
        products(n, rank, Y, y, A, c, size);
        int took;
        unsolved += imp_bounded_least(n, A, c, size, bound, x, slope, work, &took) != IMP_OK;
        worst = tap_worst(worst, optimality(n, A, c, bound, x));
        rounds = took > rounds ? took : rounds;
    }
    ok(unsolved == 0 && rounds <= 20, "columns %g apart: %d solved, in %d rounds at most", apart,
       count, rounds);
    ok(worst <= most, "each the least from the definition (%.1e)", worst);
}

/* A chain of bodies with random joint axes: a tree, or free bodies joined. */
typedef struct chain {
    imp_tree *tree;
    imp_loops *loops;
    double q[7 * LINKS], v[6 * LINKS], bound[7 * LINKS], x[7 * LINKS];
} chain;

static imp_link random_link(gen_stream *s, int parent) {
    imp_link l = {.parent = parent, .joint = IMP_REVOLUTE, .turn = {1}, .mass = 1};
    gen_unit(s, l.axis, 3);
    for (int k = 0; k < 3; k++) {
        l.offset[k] = gen_uniform(s, -1, 1);
        l.com[k] = gen_uniform(s, -0.5, 0.5);
        l.inertia[4 * k] = gen_uniform(s, 0.1, 0.15);
    }
    return l;
}

static void draw(uint64_t k, chain *tree, chain *bodies) {
    gen_stream s = gen_seed(4101, k);
    imp_link link[LINKS], loose[LINKS];
    imp_loop loop[LINKS];
    *tree = *bodies = (chain){0};
    for (int i = 0; i < LINKS; i++) {
        link[i] = loose[i] = random_link(&s, i - 1);
        loose[i].joint = IMP_FREE;
        loose[i].parent = IMP_GROUND;
        tree->q[i] = gen_uniform(&s, -2, 2);
        tree->v[i] = gen_normal(&s);
        tree->bound[i] = i % 4 == 3 ? 0 : gen_power10(&s, -2, 0.5);
        bodies->bound[6 * LINKS + i] = tree->bound[i];
    }
    tree->tree = imp_tree_new(LINKS, link, NULL);
    bodies->tree = imp_tree_new(LINKS, loose, NULL);
    imp_tree_place(tree->tree, tree->q, tree->v);
    for (int i = 0; i < LINKS; i++) {
        const imp_link_state *at = imp_tree_state(tree->tree, i);
        memcpy(bodies->q + 7 * i, at->origin, sizeof at->origin);
        quaternion3(at->rotation, bodies->q + 7 * i + 3);
        memcpy(bodies->v + 6 * i, at->velocity, sizeof at->velocity);
        memcpy(bodies->v + 6 * i + 3, at->spin, sizeof at->spin);
    }
    imp_tree_place(bodies->tree, bodies->q, bodies->v);
    for (int i = 0; i < LINKS; i++) {
        static const double origin[3];
        double axis[3]; /* in the parent's frame */
        const double *world = imp_tree_state(tree->tree, i)->axis;
        if (i > 0)
            apply3_transposed(imp_tree_state(tree->tree, i - 1)->rotation, world, axis);
        else
            memcpy(axis, world, sizeof axis);
        imp_loop_of(bodies->tree, IMP_LOOP_REVOLUTE, i - 1, i, link[i].offset, origin, axis, 0,
                    &loop[i]);
    }
    bodies->loops = imp_loops_new(bodies->tree, LINKS, loop);
    tree->loops = imp_loops_new(tree->tree, 0, NULL);
}

static void release(chain *c) {
    imp_loops_free(c->loops);
    imp_tree_free(c->tree);
}

/* The same friction three ways: by the inertia of the tree, of the tree without loops, of joined
 * bodies. */
static void test_forms(void) {
    static double work[1000];
    double off[2] = {0}, kept = 0, impulse = 0, gained = -INFINITY;
    int stuck = 0, unsolved = 0;
    for (uint64_t k = 0; k < 500; k++) {
        chain tree, bodies;
        double H[LINKS * LINKS], x[LINKS], v[LINKS];
        imp_loops_errors missed;
        draw(k, &tree, &bodies);
        imp_tree_mass_matrix(tree.tree, H);
        unsolved += imp_joint_friction(LINKS, H, tree.v, tree.bound, x, v, work, NULL) != IMP_OK;
        for (int f = 0; f < 2; f++) {
            chain *c = f ? &bodies : &tree;
            unsolved += imp_tree_factor(c->tree) != IMP_OK || imp_loops_factor(c->loops) != IMP_OK;
            const double before = imp_tree_kinetic(c->tree);
            unsolved += imp_loops_friction(c->loops, c->bound, c->v, c->x) != IMP_OK;
            imp_tree_place(c->tree, c->q, c->v);
            gained = tap_worst(gained, imp_tree_kinetic(c->tree) / before - 1);
            imp_loops_judge(c->loops, &missed);
            kept = tap_worst(kept, missed.velocity);
        }
        for (int i = 0; i < LINKS; i++) {
            off[0] = tap_worst(off[0], fabs(tree.v[i] - v[i]));
            impulse = tap_worst(impulse, fabs(tree.x[i] - x[i]));
            impulse = tap_worst(impulse, fabs(bodies.x[6 * LINKS + i] - x[i]));
            stuck += v[i] == 0;
        }
        imp_tree_place(tree.tree, tree.q, v);
        for (int i = 0; i < 6 * LINKS; i++) {
            const imp_link_state *at = imp_tree_state(tree.tree, i / 6);
            const double wanted = i % 6 < 3 ? at->velocity[i % 6] : at->spin[i % 6 - 3];
            off[1] = tap_worst(off[1], fabs(bodies.v[i] - wanted));
        }
        release(&tree);
        release(&bodies);
    }
    ok(unsolved == 0 && stuck > 300, "500 chains, %d joints stuck", stuck);
    ok(off[0] < 1e-11, "a tree without loops as its inertia says: %.1e", off[0]);
    ok(off[1] < 1e-10 && impulse < 1e-10, "joined bodies as the tree: %.1e, impulses %.1e", off[1],
       impulse);
    ok(kept < 1e-12, "the rows are kept to %.1e of the velocities", kept);
    ok(gained <= 1e-14, "and friction never adds energy (%.1e)", gained);
}

/* A parallelogram of cranks of 0.6 m, its coupler not turning: inertia 0.69 kg m^2 about a pivot,
 * all four pins at the crank's rate. */
static imp_world *parallelogram(imp_loops **loops) {
    const imp_link link[3] = {{IMP_GROUND,
                               IMP_REVOLUTE,
                               {0},
                               {1},
                               {0, 1, 0},
                               2,
                               {0.3},
                               {.01, 0, 0, 0, .06, 0, 0, 0, .06},
                               0,
                               0},
                              {0,
                               IMP_REVOLUTE,
                               {0.6},
                               {1},
                               {0, 1, 0},
                               1,
                               {0.25, 0, 0.1},
                               {.02, 0, 0, 0, .02, 0, 0, 0, .02},
                               0,
                               0},
                              {IMP_GROUND,
                               IMP_REVOLUTE,
                               {0.5},
                               {1},
                               {0, 1, 0},
                               1,
                               {0.2},
                               {.01, 0, 0, 0, .05, 0, 0, 0, .05},
                               0,
                               0}};
    static const double end[3] = {0.5}, meets[3] = {0.6}, axis[3] = {0, 1};
    const double angle = acos(0);
    imp_tree *tree = imp_tree_new(3, link, NULL);
    imp_world *world = imp_world_new(1, &tree);
    imp_loop loop;
    for (int i = 0; i < 3; i++)
        world->q[i] = i == 1 ? -angle : angle;
    imp_world_place(world);
    imp_loop_of(tree, IMP_LOOP_REVOLUTE, 1, 2, end, meets, axis, 0, &loop);
    *loops = imp_loops_new(tree, 1, &loop);
    return world;
}

/* Until it rests, or so many steps were made. */
typedef struct stopped {
    double angle, rubbed, drift;
    int steps;
    bool good;
} stopped;

static stopped run(double h, int most, double rate, double g, const double *mu_c,
                   const double *mu_v, bool explicit_friction) {
    imp_loops *loops;
    imp_world *world = parallelogram(&loops);
    imp_stepper *stepper = imp_stepper_new(world);
    const imp_step_settings settings = {.h = h,
                                        .gravity = {-g},
                                        .mu_c = mu_c,
                                        .mu_v = mu_v,
                                        .explicit_friction = explicit_friction,
                                        .loops = loops};
    stopped s = {.good = true};
    const double before = world->q[0];
    for (int i = 0; i < 3; i++)
        world->v[i] = i == 1 ? -rate : rate;
    for (; s.steps < most && (g > 0 || s.steps == 0 || world->v[0] > 1e-12); s.steps++) {
        s.good = imp_step(stepper, &settings) == IMP_OK && s.good;
        s.rubbed += stepper->rubbed;
        s.drift = tap_worst(s.drift, stepper->drift);
    }
    s.angle = world->q[0] - before;
    imp_stepper_free(stepper);
    imp_loops_free(loops);
    imp_world_free(world);
    return s;
}

static void test_parallelogram(void) {
    static const double mu_c[4] = {0.75, 0.25, 0.25, 0.25}, none[4], mu_v[4] = {0.1, 0.1, 0.1, 0.1},
                        I = 0.69, rate = 3;
    const double angle = I * rate * rate / 3, energy = I * rate * rate / 2;
    for (int e = 0; e < 2; e++) {
        const stopped a = run(4e-3, 10000, rate, 0, mu_c, none, e),
                      b = run(2e-3, e ? (int)(I * rate / 1.5 / 2e-3) : 10000, rate, 0, mu_c, none,
                              e);
        ok(a.good && b.good && fabs(b.angle - angle) < 0.004 &&
               (e || fabs((a.angle - angle) / (b.angle - angle) - 2) < 0.15),
           "%s: stops after %.6f rad, in closed form %.6f", e ? "explicit" : "QP4", b.angle, angle);
        ok(fabs(b.rubbed - energy) < 2e-2, "friction takes %.4f J of %.4f", b.rubbed, energy);
    }
    const stopped viscous = run(1e-3, 1000, rate, 0, none, mu_v, false);
    ok(viscous.good && fabs(viscous.angle - rate * I / 0.4 * (1 - exp(-0.4 / I))) < 1e-3,
       "viscous: %.6f rad in a second", viscous.angle);
    /* Hanging, a side load of 1.4 kg m g against the 1.5 N m of the four pins together. */
    const stopped held = run(1e-3, 100, 0, 1.07, mu_c, none, false),
                  moved = run(1e-3, 100, 0, 1.08, mu_c, none, false);
    ok(held.good && fabs(held.angle) < 1e-13 && moved.good && moved.angle > 1e-9,
       "the pins hold what they can together: %.1e, and no more: %.1e", held.angle, moved.angle);
}

/* Friction that is no number is not none. */
static void test_no_number(void) {
    const double whole[4] = {0.1, 0.1, 0.1, 0.1};
    for (int k = 0; k < 8; k++) {
        double holed[4] = {0.1, 0.1, 0.1, 0.1};
        holed[k / 2] = k < 6 ? NAN : INFINITY;
        imp_loops *loops;
        imp_world *world = parallelogram(&loops);
        imp_stepper *stepper = imp_stepper_new(world);
        const imp_step_settings settings = {.h = 1e-3,
                                            .mu_c = k % 2 ? holed : whole,
                                            .mu_v = k % 2 ? whole : holed,
                                            .loops = loops};
        world->v[0] = 1;
        ok(imp_step(stepper, &settings) == IMP_NOT_FINITE && world->v[0] == 1,
           "friction %d of joint %d is no number", k % 2, k / 2);
        imp_stepper_free(stepper);
        imp_loops_free(loops);
        imp_world_free(world);
    }
}

int main(void) {
    test_no_number();
    test_bounded();
    test_dependent(0, 1e-14);
    test_dependent(1e-3, 1e-10);
    test_dependent(1e-6, 1e-10);
    test_dependent(1e-8, 1e-10);
    test_forms();
    test_parallelogram();
    return tap_done();
}
