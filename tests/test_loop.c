/* test_loop.c - loops of trees: rows against differenced places, the eliminated motion against its
 * definition and against trees of the same mechanism, rolling, what is without rows. */
#include "loop_subject.h"

static const double gravity[3] = {0.3, -0.2, -9.81};

/* The tree at h along its motion, to second order. */
static void move(const closed *c, const double *rate, double h) {
    double q[MOST], v[MOST], mean[MOST];
    memcpy(q, c->q, sizeof q);
    for (int i = 0; i < imp_tree_nv(c->tree); i++) {
        mean[i] = c->v[i] + 0.5 * h * rate[i];
        v[i] = c->v[i] + h * rate[i];
    }
    imp_tree_advance(c->tree, h, mean, q);
    imp_tree_place(c->tree, q, v);
}

/* rate (nv) <- v' without the rows. */
static void free_rate(const closed *c, double *rate) {
    imp_tree_place(c->tree, c->q, c->v);
    imp_tree_factor(c->tree);
    imp_tree_inverse_dynamics(c->tree, gravity, NULL, rate);
    for (int i = 0; i < imp_tree_nv(c->tree); i++)
        rate[i] = -rate[i];
    imp_tree_solve(c->tree, rate);
}

/* x'H y of a tree where it stands, by its kinetic energy's matrix. */
static double product(imp_tree *tree, const double *x, const double *y) {
    static double H[MOST * MOST];
    const int nv = imp_tree_nv(tree);
    double sum = 0;
    imp_tree_mass_matrix(tree, H);
    for (int i = 0; i < nv; i++)
        for (int j = 0; j < nv; j++)
            sum += x[i] * H[i * nv + j] * y[j];
    return sum;
}

/* Along the motion with the rows' accelerations a joint stays as it is, to the third order; and
 * without them it does not. What the rows add does no work on motions that keep them. */
static void test_definition(void) {
    const double h = 1e-4;
    double worst = 0, least = INFINITY, turned = 0, first = 0;
    int held = 0;
    for (uint64_t k = 0; k < 100; k++) {
        closed c;
        if (!draw(k, &c)) continue;
        double rate[MOST], own[MOST], miss[3][9] = {{0}}, change = 0, without = 0;
        const int nv = imp_tree_nv(c.tree), rolls = k % 5 == IMP_LOOP_ROLLING;
        free_rate(&c, rate);
        memcpy(own, rate, sizeof own);
        held += imp_loops_factor(c.loops) == IMP_OK && imp_loops_rate(c.loops, rate) == IMP_OK;
        for (int pass = 0; pass < 2; pass++) {
            const double *a = pass ? own : rate;
            int count = 0;
            for (int i = -1; i < 2; i++) {
                move(&c, a, i * h);
                count = missed(&c, miss[i + 1]);
            }
            for (int i = 0; i < count; i++) {
                const double once = (miss[2][i] - miss[0][i]) / (2 * h),
                             twice = (miss[2][i] - 2 * miss[1][i] + miss[0][i]) / (h * h);
                if (pass == 0 && !rolls) first = tap_worst(first, fabs(once));
                double *to = pass ? &without : &change;
                *to = tap_worst(*to, fabs(rolls ? once : twice));
            }
        }
        worst = tap_worst(worst, change);
        least = isnan(without) ? 0 : fmin(least, without);
        gen_stream s = gen_seed(1802, k);
        double w[MOST], added[MOST];
        imp_tree_place(c.tree, c.q, c.v);
        imp_tree_factor(c.tree);
        imp_loops_factor(c.loops);
        for (int i = 0; i < nv; i++) {
            w[i] = gen_normal(&s);
            added[i] = rate[i] - own[i];
        }
        imp_loops_velocity(c.loops, w);
        turned = tap_worst(turned, fabs(product(c.tree, w, added)) /
                                       sqrt(product(c.tree, w, w) * product(c.tree, added, added)));
        release(&c);
    }
    ok(held == 100, "random loops of every kind: %d places and motions that keep them", held);
    ok(first < 1e-5 && worst < 1e-4, "their motion keeps them: differences %.1e, %.1e", first,
       worst);
    ok(least > 1e-2, "free motion does not: %.1e at least", least);
    ok(turned < 1e-11, "what the rows add does no work on what they leave: %.1e", turned);
}

/* Trees against their own joints as loops of free bodies: W and q of contacts, and the motion of
 * contacts under gravity, which differs by what the tree's coordinates do by themselves. */
static void test_maximal(void) {
    double off = 0, moves = 0;
    int solved = 0, rows = 0;
    for (uint64_t k = 0; k < 40; k++) {
        gen_stream s = gen_seed(1803, k);
        imp_tree *tree = gen_tree(&s, k % 2 == 0);
        double q[MOST], v[MOST], work[9 * CONTACTS * MOST], W[2][81] = {{0}}, u[2][9] = {{0}},
                                                            rate[MOST];
        imp_contact contact[CONTACTS];
        closed c;
        gen_tree_state(&s, tree, q, v);
        imp_tree_place(tree, q, v);
        draw_contacts(&s, imp_tree_links(tree), contact);
        if (loosen(tree, &c) &&
            imp_tree_delassus(tree, CONTACTS, contact, W[0], u[0], work) == IMP_OK &&
            imp_loops_delassus(c.loops, CONTACTS, contact, W[1], u[1], work) == IMP_OK)
            solved++;
        rows += imp_loops_rows(c.loops) - imp_loops_rank(c.loops);
        for (int i = 0; i < 81; i++)
            off = tap_worst(off, fabs(W[1][i] - W[0][i]) / (1 + fabs(W[0][i])));
        for (int i = 0; i < 9; i++)
            off = tap_worst(off, fabs(u[1][i] - u[0][i]) / (1 + fabs(u[0][i])));
        /* and so the links' velocities a moment later */
        closed copy = {.tree = tree};
        memcpy(copy.q, q, sizeof q);
        memcpy(copy.v, v, sizeof v);
        const double h = 1e-5;
        double later[2][MOST];
        for (int side = 0; side < 2; side++) {
            free_rate(&copy, rate);
            move(&copy, rate, side ? h : -h);
            for (int i = 0; i < imp_tree_links(tree); i++) {
                memcpy(later[side] + 6 * i, imp_tree_state(tree, i)->velocity, 3 * sizeof *v);
                memcpy(later[side] + 6 * i + 3, imp_tree_state(tree, i)->spin, 3 * sizeof *v);
            }
        }
        free_rate(&c, rate);
        imp_loops_factor(c.loops);
        imp_loops_rate(c.loops, rate);
        for (int i = 0; i < 6 * imp_tree_links(tree); i++)
            moves = tap_worst(moves, fabs(rate[i] - (later[1][i] - later[0][i]) / (2 * h)) /
                                         (1 + fabs(rate[i])));
        release(&c);
        imp_tree_free(tree);
    }
    ok(solved == 40 && rows == 0, "trees in free bodies and joints: %d, %d dependent rows", solved,
       rows);
    ok(off < 1e-10, "W and q are those of the tree: %.1e", off);
    ok(moves < 1e-6, "accelerations are the differences of the tree's velocities: %.1e", moves);
}

/* Without rows everything is as without loops, to the bit. */
static void test_none(void) {
    gen_stream s = gen_seed(1805, 0);
    imp_tree *tree = gen_tree(&s, true);
    imp_loops *none = imp_loops_new(tree, 0, NULL);
    imp_contact contact[CONTACTS];
    double q[MOST], v[MOST], same[2 * MOST], W[2][81], u[2][9], work[9 * CONTACTS * MOST];
    gen_tree_state(&s, tree, q, v);
    imp_tree_place(tree, q, v);
    draw_contacts(&s, imp_tree_links(tree), contact);
    imp_tree_delassus(tree, CONTACTS, contact, W[0], u[0], work);
    bool good = none && imp_loops_factor(none) == IMP_OK &&
                imp_loops_delassus(none, CONTACTS, contact, W[1], u[1], work) == IMP_OK;
    double off = 0;
    for (int i = 0; i < 81; i++)
        off = tap_worst(off, fabs(W[1][i] - W[0][i]));
    ok(good && off < 1e-13 && memcmp(u[0], u[1], sizeof u[0]) == 0,
       "no rows: the problem of the tree, W to %.1e", off);
    memcpy(same, q, sizeof q);
    memcpy(same + MOST, v, sizeof v);
    good = imp_loops_rate(none, same + MOST) == IMP_OK &&
           imp_loops_velocity(none, same + MOST) == IMP_OK &&
           imp_loops_project(none, same, same + MOST, NULL) == IMP_OK;
    ok(good && memcmp(same, q, (size_t)imp_tree_nq(tree) * sizeof *q) == 0 &&
           memcmp(same + MOST, v, (size_t)imp_tree_nv(tree) * sizeof *v) == 0,
       "and places and motions stay as they are");
    imp_loops_free(none);
    imp_tree_free(tree);
}

/* A solid ball that rolls down a slope: 5/7 of g sin, without slip. */
static void test_rolling(void) {
    const double slope = 0.4, down[3] = {9.81 * sin(slope), 0, -9.81 * cos(slope)},
                 up[3] = {0, 0, 1}, none[3] = {0};
    const imp_link ball = {.parent = IMP_GROUND,
                           .joint = IMP_FREE,
                           .turn = {1},
                           .mass = 2,
                           .inertia = {0.072, 0, 0, 0, 0.072, 0, 0, 0, 0.072}};
    imp_tree *tree = imp_tree_new(1, &ball, NULL);
    double q[7] = {0, 0, 0.3, 1, 0, 0, 0}, v[6] = {0.6, 0.3, 0, -1, 2, 0.7}, rate[6];
    imp_loop loop;
    imp_tree_place(tree, q, v);
    imp_status status =
        imp_loop_of(tree, IMP_LOOP_ROLLING, IMP_GROUND, 0, none, none, up, 0.3, &loop);
    imp_loops *loops = imp_loops_new(tree, 1, &loop);
    imp_loops_errors errors;
    imp_loops_judge(loops, &errors);
    imp_tree_factor(tree);
    imp_tree_inverse_dynamics(tree, down, NULL, rate);
    for (int i = 0; i < 6; i++)
        rate[i] = -rate[i];
    imp_tree_solve(tree, rate);
    if (status == IMP_OK) status = imp_loops_factor(loops);
    if (status == IMP_OK) status = imp_loops_rate(loops, rate);
    ok(status == IMP_OK && errors.velocity < 1e-15 && imp_loops_rank(loops) == 2 &&
           fabs(rate[0] - 5.0 / 7 * down[0]) < 1e-14 && fabs(rate[1]) < 1e-14 &&
           fabs(rate[4] - rate[0] / 0.3) < 1e-13,
       "a ball rolls down with 5/7 of g sin: %.17g", rate[0] / down[0]);
    imp_loops_free(loops);
    imp_tree_free(tree);
}

/* Two free bodies hinged at a point between them: what is no number is infinitely wrong. */
static void test_judged(void) {
    const imp_link body = {.parent = IMP_GROUND,
                           .joint = IMP_FREE,
                           .turn = {1},
                           .mass = 1,
                           .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                   bodies[2] = {body, body};
    const double between[3] = {0.5, 0, 0}, axis[3] = {0, 0, 1};
    imp_tree *tree = imp_tree_new(2, bodies, NULL);
    double q[14] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}, v[12] = {0};
    imp_loop loop;
    imp_loops_errors apart, holes[3];
    imp_tree_place(tree, q, v);
    (void)imp_loop_of(tree, IMP_LOOP_BALL, 0, 1, between, NULL, axis, 0, &loop);
    imp_loops *loops = imp_loops_new(tree, 1, &loop);
    q[7] = 5;
    v[1] = 3;
    imp_tree_place(tree, q, v);
    imp_loops_judge(loops, &apart);
    ok(apart.position == 4 && apart.velocity == 1, "4 m apart, and one moves alone");
    for (int k = 0; k < 3; k++) {
        v[1] = k == 0 ? NAN : k == 1 ? INFINITY : 3;
        q[7] = k == 2 ? NAN : 5;
        imp_tree_place(tree, q, v);
        imp_loops_judge(loops, &holes[k]);
    }
    ok(imp_loops_factor(loops) == IMP_NOT_FINITE, "whose rows are no rounding");
    ok(holes[0].velocity == INFINITY && holes[1].velocity == INFINITY && holes[0].position == 4,
       "a velocity that is no number: %g and %g", holes[0].velocity, holes[1].velocity);
    ok(holes[2].position == INFINITY, "a place that is none: %g", holes[2].position);
    imp_loops_free(loops);
    imp_tree_free(tree);
}

static void test_refusals(void) {
    gen_stream s = gen_seed(1807, 0);
    imp_tree *tree = gen_tree(&s, true);
    const double x[3] = {1, 0, 0}, none[3] = {0}, nan[3] = {NAN, 0, 0};
    imp_loop loop;
    ok(imp_loop_of(tree, IMP_LOOP_BALL, 3, 3, x, NULL, x, 0, &loop) == IMP_BAD_ARGUMENT &&
           imp_loop_of(tree, IMP_LOOP_BALL, 0, 99, x, NULL, x, 0, &loop) == IMP_BAD_ARGUMENT &&
           imp_loop_of(tree, IMP_LOOP_REVOLUTE, 0, 1, x, NULL, none, 0, &loop) ==
               IMP_BAD_ARGUMENT &&
           imp_loop_of(tree, IMP_LOOP_ROLLING, 0, 1, x, NULL, x, 0, &loop) == IMP_BAD_ARGUMENT &&
           imp_loop_of(tree, (imp_loop_kind)(IMP_LOOP_ROLLING + 1), 0, 1, x, NULL, x, 1, &loop) ==
               IMP_BAD_ARGUMENT &&
           imp_loop_of(tree, IMP_LOOP_WELD, 0, 1, nan, NULL, x, 0, &loop) == IMP_NOT_FINITE &&
           imp_loop_of(tree, IMP_LOOP_ROLLING, 0, 1, x, NULL, x, NAN, &loop) == IMP_NOT_FINITE,
       "kinds, links, directions, radii and numbers that are none are refused");
    ok(imp_loop_of(tree, IMP_LOOP_WELD, 0, 1, x, NULL, x, NAN, &loop) == IMP_OK,
       "a radius that nothing rolls with is not looked at");
    imp_tree_free(tree);
}

int main(void) {
    test_definition();
    test_maximal();
    test_none();
    test_rolling();
    test_judged();
    test_refusals();
    return tap_done();
}
