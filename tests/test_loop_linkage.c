/* test_loop_linkage.c - a linkage as free bodies and as a chain that closes, against its closed
 * form; and the way back of loops that have drifted. */
#include "generators/gen_linkage.h"
#include "loop_subject.h"

/* The linkage in free bodies with its four joints, or hung from one end as a chain whose other end
 * meets the ground. */
static bool link_up(const gen_linkage *g, bool chain, closed *c) {
    static const double half[3] = {0.2, 0.55, 0.4}, z[3] = {0, 0, 1};
    imp_link link[3];
    imp_loop loop[4];
    imp_status status = IMP_OK;
    for (int i = 0; i < 3; i++) {
        const imp_body *b = &g->body[i];
        link[i] = (imp_link){.parent = IMP_GROUND, .joint = IMP_FREE, .mass = 1 / b->inv_mass};
        for (int k = 0; k < 3; k++)
            link[i].inertia[4 * k] = 1 / b->inv_inertia[4 * k];
        if (!chain) {
            memcpy(c->q + 7 * i, b->position, sizeof b->position);
            memcpy(c->q + 7 * i + 3, b->orientation, sizeof b->orientation);
            memcpy(c->v + 6 * i, b->velocity, sizeof b->velocity);
            memcpy(c->v + 6 * i + 3, b->spin, sizeof b->spin);
            continue;
        }
        /* its origin at the joint, as it stands */
        const int towards = i == 2 ? 1 : -1; /* the end of the rod that hangs */
        double R[9], own[9], end[3] = {towards * half[i], 0, 0}, at[3];
        const imp_body *parent = i ? &g->body[i - 1] : NULL;
        rotation3(b->orientation, R);
        apply3(R, end, at);
        add3(1, b->position, at);
        link[i].parent = i - 1;
        link[i].joint = IMP_REVOLUTE;
        link[i].com[0] = -end[0];
        memcpy(link[i].axis, z, sizeof z);
        memcpy(link[i].turn, b->orientation, sizeof b->orientation);
        memcpy(link[i].offset, at, sizeof at);
        if (parent) { /* in the parent's frame, whose origin is its own joint */
            rotation3(parent->orientation, own);
            double inverse[4] = {parent->orientation[0], -parent->orientation[1],
                                 -parent->orientation[2], -parent->orientation[3]},
                   arm[3];
            multiply4(inverse, b->orientation, link[i].turn);
            sub3(at, parent->position, arm);
            apply3_transposed(own, arm, link[i].offset);
            add3(1, link[i - 1].com, link[i].offset);
        }
        c->v[i] = g->rate * (g->turns[i] - (i ? g->turns[i - 1] : 0));
    }
    c->tree = imp_tree_new(3, link, &status);
    if (status != IMP_OK) return false;
    imp_tree_place(c->tree, c->q, c->v);
    int loops = 0;
    for (int k = chain ? 3 : 0; k < 4; k++) {
        const int body = k == 3 ? 2 : k == 0 ? 0 : k - 1, other = k == 0 || k == 3 ? IMP_GROUND : k;
        const double x[3] = {(k == 0 || k == 3 ? -1 : 1) * half[body] + link[body].com[0], 0, 0};
        status =
            imp_loop_of(c->tree, IMP_LOOP_REVOLUTE, body, other, x, NULL, z, 0, &loop[loops++]);
        if (status != IMP_OK) return false;
    }
    c->loops = imp_loops_new(c->tree, loops, loop);
    imp_tree_factor(c->tree);
    return imp_loops_factor(c->loops) == IMP_OK;
}

/* A planar loop turned in space, in both forms, against the closed form of its crank's motion; and
 * what any impulse leaves of the rows. */
static void test_linkage(void) {
    double form = 0, kept = 0, nearest = 0, before = 0;
    int solved = 0, ranks = 0, caught = 0;
    for (int k = 0; k < 120; k++) {
        const bool chain = k % 2;
        const int angle = k / 2;
        const gen_linkage g = gen_linkage_of(0.1 + 0.1 * angle);
        gen_stream s = gen_seed(1804, (uint64_t)k);
        double W[9], q[3], u[3], work[3 * MOST], p[3], v[MOST];
        imp_loops_errors errors;
        closed c = {0};
        if (!link_up(&g, chain, &c) ||
            imp_loops_delassus(c.loops, 1, &g.stop, W, q, work) != IMP_OK) {
            release(&c);
            continue;
        }
        solved++;
        imp_loops_judge(c.loops, &errors);
        before = tap_worst(before, fmax(errors.velocity, errors.position));
        ranks += imp_loops_rank(c.loops) == (chain ? 2 : 17);
        for (int i = 0; i < 9; i++)
            form = tap_worst(form, fabs(W[i] - g.jacobian[i / 3] * g.jacobian[i % 3] / g.inertia));
        for (int i = 0; i < 3; i++) {
            form = tap_worst(form, fabs(q[i] - g.jacobian[i] * g.rate));
            p[i] = gen_normal(&s);
        }
        memcpy(v, c.v, sizeof v);
        imp_tree_impulse(c.tree, 1, &g.stop, p, v, work);
        imp_tree_place(c.tree, c.q, v); /* which misses the rows: q is of what they leave of it */
        caught += imp_loops_delassus(c.loops, 1, &g.stop, W, q, work) != IMP_OK;
        caught += imp_loops_velocity(c.loops, v) != IMP_OK;
        imp_tree_place(c.tree, c.q, v);
        imp_tree_delassus(c.tree, 1, &g.stop, W, u, work);
        for (int i = 0; i < 3; i++)
            nearest = tap_worst(nearest, fabs(q[i] - u[i]));
        imp_loops_judge(c.loops, &errors);
        kept = tap_worst(kept, errors.velocity);
        release(&c);
    }
    ok(solved == 120 && ranks == 120, "a linkage at 60 places in two forms: %d, ranks %d", solved,
       ranks);
    ok(before < 1e-12, "which keep their joints: %.1e", before);
    ok(form < 1e-11, "W and q are those of the crank's angle: %.1e", form);
    ok(kept < 1e-12 && caught == 0, "velocities keep the rows after any impulse: %.1e", kept);
    ok(nearest < 1e-11, "and q is that of the nearest that does: %.1e", nearest);
}

/* A drifted place comes back by a move as large as the drift; what cannot close is refused. */
static void test_projection(void) {
    double left = 0, moved = 0, said = 0;
    int closed_again = 0, drawn = 0;
    for (uint64_t k = 0; k < 40; k++) {
        closed c;
        if (k % 5 == IMP_LOOP_ROLLING || !draw(k, &c)) continue;
        drawn++;
        gen_stream s = gen_seed(1806, k);
        double push[MOST], miss[9], drift, q[MOST], worst = 0;
        for (int i = 0; i < imp_tree_nv(c.tree); i++)
            push[i] = 1e-3 * gen_normal(&s);
        imp_tree_advance(c.tree, 1, push, c.q);
        memcpy(q, c.q, sizeof q);
        imp_tree_place(c.tree, c.q, c.v);
        const int count = missed(&c, miss);
        for (int i = 0; i < count; i++)
            worst = tap_worst(worst, fabs(miss[i]));
        closed_again += imp_loops_project(c.loops, c.q, c.v, &drift) == IMP_OK;
        said = tap_worst(said, fabs(drift / worst));
        missed(&c, miss);
        for (int i = 0; i < count; i++)
            left = tap_worst(left, fabs(miss[i]));
        for (int i = 0; i < imp_tree_nq(c.tree); i++)
            moved = tap_worst(moved, fabs(q[i] - c.q[i]));
        imp_loops_errors errors;
        imp_loops_judge(c.loops, &errors);
        left = tap_worst(left, errors.velocity);
        release(&c);
    }
    ok(drawn >= 25 && closed_again == drawn, "%d of %d drifted places close again", closed_again,
       drawn);
    ok(left < 1e-12, "what joint and velocity miss then: %.1e", left);
    ok(moved < 0.1 && said > 0.3 && said < 3, "by a move of %.2g at most; drift is said: %.2g",
       moved, said);
    /* two rods of 1 m on pivots 3 m apart */
    const imp_link rod = {.parent = IMP_GROUND,
                          .joint = IMP_REVOLUTE,
                          .turn = {1},
                          .axis = {0, 1, 0},
                          .mass = 1,
                          .inertia = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
    imp_link rods[2] = {rod, rod};
    rods[1].offset[0] = 3;
    imp_tree *tree = imp_tree_new(2, rods, NULL);
    const double tip[3] = {0, 0, 1};
    double q[2] = {0.1, -0.2}, v[2] = {1, 2};
    imp_loop loop;
    imp_tree_place(tree, q, v);
    imp_status status = imp_loop_of(tree, IMP_LOOP_BALL, 0, 1, tip, tip, NULL, 0, &loop);
    imp_loops *loops = imp_loops_new(tree, 1, &loop);
    if (status == IMP_OK) status = imp_loops_project(loops, q, v, NULL);
    ok((status == IMP_NOT_CONVERGED || status == IMP_NOT_CERTIFIED || status == IMP_NO_SOLUTION) &&
           q[0] == 0.1 && q[1] == -0.2 && v[0] == 1 && v[1] == 2,
       "what cannot close is refused, nothing is moved: %s", imp_status_text(status));
    imp_loops_free(loops);
    imp_tree_free(tree);
}

/* A chain of rods of 0.8, 1.1 and 0.4 lengths from a pivot 1.3 lengths off closes at the
 * origin by the point `far` (m) along its last rod. */
static imp_status close_chain(double length, double far, double *left) {
    static const double at[3] = {1.3, 0.8, 1.1};
    const double inertia = 0.1 * length * length;
    imp_link rods[3];
    for (int i = 0; i < 3; i++)
        rods[i] = (imp_link){.parent = i - 1,
                             .joint = IMP_REVOLUTE,
                             .offset = {at[i] * length},
                             .turn = {1},
                             .axis = {0, -1, 0},
                             .mass = 1,
                             .com = {0.2 * length},
                             .inertia = {inertia, 0, 0, 0, inertia, 0, 0, 0, inertia}};
    rods[0].parent = IMP_GROUND;
    imp_tree *tree = imp_tree_new(3, rods, NULL);
    const double tip[3] = {far, 0, 0}, pivot[3] = {0}, y[3] = {0, 1, 0};
    double q[3] = {1.75, 1.9, 0.7}, v[3] = {0};
    imp_loop loop;
    imp_loops_errors errors;
    imp_tree_place(tree, q, v);
    imp_status status =
        imp_loop_of(tree, IMP_LOOP_REVOLUTE, IMP_GROUND, 2, pivot, tip, y, 0, &loop);
    imp_loops *loops = imp_loops_new(tree, 1, &loop);
    if (status == IMP_OK) status = imp_loops_project(loops, q, v, NULL);
    imp_loops_judge(loops, &errors);
    *left = errors.position;
    imp_loops_free(loops);
    imp_tree_free(tree);
    return status;
}

/* Closing knows no unit of length; where numbers overflow nothing is said to be closed. */
static void test_units(void) {
    double left, worst = 0;
    int count = 0;
    for (int k = -60; k <= 60; k += 2) {
        count += close_chain(pow(10, k), 0.4 * pow(10, k), &left) == IMP_OK;
        worst = tap_worst(worst, left * pow(10, -k));
    }
    ok(count == 61 && worst < 1e-13, "a chain closes in all of %d units, to %.1e of its length",
       count, worst);
    ok(close_chain(1, 1e160, &left) < 0 && close_chain(1, 1e308, &left) < 0,
       "a joint so far off that its moves overflow is refused");
    ok(close_chain(1, 9, &left) != IMP_OK, "and one that is out of reach");
}

int main(void) {
    test_linkage();
    test_projection();
    test_units();
    return tap_done();
}
