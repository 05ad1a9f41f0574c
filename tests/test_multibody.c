/* test_multibody.c - the dynamics of trees against differenced energies, Lagrange's equations, and
 * the eight-joint arm.
 */
#include "generators/gen_tree.h"
#include "impact.h"
#include "multibody/tree.h"
#include "base/vec3.h"
#include "tap.h"

static const double gravity[3] = {0, 0, -9.81};

static double kinetic(imp_tree *tree, const double *q, const double *v) {
    imp_tree_place(tree, q, v);
    return imp_tree_kinetic(tree);
}

/* Kinetic energy from positions alone: every link's points at +- h along the motion, no velocity
 * formula used. Three orthogonal pairs of mass points per axis stand for the inertia: sum over
 * links of the momenta of finite motion. */
static double kinetic_by_differences(imp_tree *tree, const double *q, const double *v) {
    const double h = 1e-4;
    double energy = 0, ahead[64], behind[64];
    memcpy(ahead, q, (size_t)imp_tree_nq(tree) * sizeof *q);
    memcpy(behind, q, (size_t)imp_tree_nq(tree) * sizeof *q);
    imp_tree_advance(tree, h, v, ahead);
    imp_tree_advance(tree, -h, v, behind);
    for (int i = 0; i < imp_tree_links(tree); i++) {
        const imp_link *l = imp_tree_link(tree, i);
        /* second moments of mass about the centre, sum m x x' = tr(I)/2 - I, as velocity of the
         * rotation matrix */
        double com[2][3], R[2][9], rate[3], spin[9], S[9];
        for (int k = 0; k < 2; k++) {
            imp_tree_place(tree, k ? ahead : behind, NULL);
            memcpy(com[k], imp_tree_state(tree, i)->com, sizeof com[k]);
            memcpy(R[k], imp_tree_state(tree, i)->rotation, sizeof R[k]);
        }
        for (int k = 0; k < 3; k++)
            rate[k] = (com[1][k] - com[0][k]) / (2 * h);
        const double half = 0.5 * (l->inertia[0] + l->inertia[4] + l->inertia[8]);
        for (int k = 0; k < 9; k++) {
            spin[k] = (R[1][k] - R[0][k]) / (2 * h);
            S[k] = (k % 4 == 0 ? half : 0) - l->inertia[k];
        }
        energy += 0.5 * l->mass * dot3(rate, rate);
        for (int a = 0; a < 3; a++) /* 1/2 tr(R' S R'^T) */
            for (int b = 0; b < 3; b++)
                for (int c = 0; c < 3; c++)
                    energy += 0.5 * spin[3 * a + b] * S[3 * b + c] * spin[3 * a + c];
    }
    return energy;
}

static void test_mass_matrix(void) {
    double worst_polar = 0, worst_energy = 0, worst_solve = 0, worst_factor = 0;
    for (uint64_t k = 0; k < 50; k++) {
        gen_stream s = gen_seed(501, k);
        imp_tree *tree = gen_tree(&s, k % 2 == 0);
        const int nv = imp_tree_nv(tree);
        double q[64] = {0}, v[64] = {0}, H[64 * 64], x[64], Hx[64];
        gen_tree_state(&s, tree, q, v);
        imp_tree_place(tree, q, v);
        imp_tree_mass_matrix(tree, H);
        /* H from T, which is quadratic in v: H_ij = T(e_i + e_j) - T(e_i) - T(e_j) */
        for (int i = 0; i < nv; i++)
            for (int j = 0; j < nv; j++) {
                double e[64] = {0}, ei[64] = {0}, ej[64] = {0};
                e[i] += 1, e[j] += 1, ei[i] = 1, ej[j] = 1;
                const double want =
                    kinetic(tree, q, e) - kinetic(tree, q, ei) - kinetic(tree, q, ej);
                worst_polar = tap_worst(worst_polar, fabs(H[i * nv + j] - want));
            }
        double energy = 0;
        for (int i = 0; i < nv; i++)
            for (int j = 0; j < nv; j++)
                energy += 0.5 * v[i] * H[i * nv + j] * v[j];
        const double slow = kinetic_by_differences(tree, q, v);
        worst_energy = tap_worst(worst_energy, fabs(energy - slow) / energy);
        imp_tree_place(tree, q, v);
        if (imp_tree_factor(tree) != IMP_OK) worst_factor = 1;
        memcpy(x, v, sizeof x);
        imp_tree_solve(tree, x);
        for (int i = 0; i < nv; i++) {
            Hx[i] = 0;
            for (int j = 0; j < nv; j++)
                Hx[i] += H[i * nv + j] * x[j];
            worst_solve = tap_worst(worst_solve, fabs(Hx[i] - v[i]));
        }
        imp_tree_free(tree);
    }
    ok(worst_factor == 0, "H of random trees factorises");
    ok(worst_polar < 1e-12, "H is the form of the kinetic energy: %.1e", worst_polar);
    ok(worst_energy < 1e-5, "the kinetic energy is that of positions differenced in time: %.1e",
       worst_energy);
    ok(worst_solve < 1e-11, "H H^-1 v = v: %.1e", worst_solve);
}

/* Lagrange: bias_i = sum_jk (dH_ij/dq_k - 1/2 dH_jk/dq_i) v_j v_k + dV/dq_i, by central
 * differences. */
static void test_bias_lagrange(void) {
    double worst = 0;
    for (uint64_t n = 0; n < 20; n++) {
        gen_stream s = gen_seed(502, n);
        imp_tree *tree = gen_tree(&s, 0);
        const int nv = imp_tree_nv(tree);
        const double h = 1e-4;
        double q[16], v[16], bias[16], dH[16][256], dV[16], H[2][256], V[2];
        gen_tree_state(&s, tree, q, v);
        for (int k = 0; k < nv; k++) {
            for (int side = 0; side < 2; side++) {
                double moved[16];
                memcpy(moved, q, sizeof moved);
                moved[k] += side ? h : -h;
                imp_tree_place(tree, moved, NULL);
                imp_tree_mass_matrix(tree, H[side]);
                V[side] = imp_tree_potential(tree, gravity);
            }
            for (int i = 0; i < nv * nv; i++)
                dH[k][i] = (H[1][i] - H[0][i]) / (2 * h);
            dV[k] = (V[1] - V[0]) / (2 * h);
        }
        imp_tree_place(tree, q, v);
        imp_tree_inverse_dynamics(tree, gravity, NULL, bias);
        for (int i = 0; i < nv; i++) {
            double want = dV[i];
            for (int j = 0; j < nv; j++)
                for (int k = 0; k < nv; k++)
                    want += (dH[k][i * nv + j] - 0.5 * dH[i][j * nv + k]) * v[j] * v[k];
            worst = tap_worst(worst, fabs(bias[i] - want) / (1 + fabs(want)));
        }
        imp_tree_free(tree);
    }
    ok(worst < 1e-6, "bias of jointed trees is Lagrange's: %.1e", worst);
}

/* With free links v is not the rate of coordinates; the power theorem holds: v' tau = d/dt (T + V)
 * along the motion. */
static void test_power(void) {
    double worst = 0, worst_linear = 0;
    for (uint64_t n = 0; n < 50; n++) {
        gen_stream s = gen_seed(503, n);
        imp_tree *tree = gen_tree(&s, 1);
        const int nv = imp_tree_nv(tree), nq = imp_tree_nq(tree);
        const double h = 2e-5;
        double q[32], v[32], rate[32], tau[32], bias[32], H[32 * 32], energy[2], power = 0;
        gen_tree_state(&s, tree, q, v);
        for (int i = 0; i < nv; i++)
            rate[i] = gen_uniform(&s, -2, 2);
        imp_tree_place(tree, q, v);
        imp_tree_inverse_dynamics(tree, gravity, rate, tau);
        imp_tree_inverse_dynamics(tree, gravity, NULL, bias);
        imp_tree_mass_matrix(tree, H);
        for (int i = 0; i < nv; i++) {
            power += v[i] * tau[i];
            double want = bias[i];
            for (int j = 0; j < nv; j++)
                want += H[i * nv + j] * rate[j];
            worst_linear = tap_worst(worst_linear, fabs(tau[i] - want) / (1 + fabs(want)));
        }
        for (int side = 0; side < 2; side++) {
            const double t = side ? h : -h;
            double moved[32], faster[32], mean[32];
            memcpy(moved, q, (size_t)nq * sizeof *q);
            for (int i = 0; i < nv; i++) {
                mean[i] = v[i] + 0.5 * t * rate[i];
                faster[i] = v[i] + t * rate[i];
            }
            imp_tree_advance(tree, t, mean, moved);
            imp_tree_place(tree, moved, faster);
            energy[side] = imp_tree_kinetic(tree) + imp_tree_potential(tree, gravity);
        }
        worst =
            tap_worst(worst, fabs(power - (energy[1] - energy[0]) / (2 * h)) / (1 + fabs(power)));
        imp_tree_free(tree);
    }
    ok(worst_linear < 1e-11, "inverse dynamics is H v' + bias: %.1e", worst_linear);
    ok(worst < 1e-6, "the power of tau is the rate of energy, free links included: %.1e", worst);
}

/* Drumwright and Shell (2010), the arm of Figs. 8 and 9 with the project's data: gravity torques
 * and diag H. */
static void test_arm(void) {
    enum { X, Y, Z };
    static const struct {
        int parent, axis;
        double offset[3], mass, com, inertia[3];
    } row[8] = {{-1, Y, {0, 0, 0}, .30, .02, {2e-4, 2.5e-4, 2.5e-4}},
                {0, Z, {.04, 0, 0}, .30, .02, {2e-4, 2.5e-4, 2.5e-4}},
                {1, X, {.04, 0, 0}, .50, .07, {3e-4, 1e-3, 1e-3}},
                {2, Z, {.16, 0, 0}, .25, .02, {1.2e-4, 1.5e-4, 1.5e-4}},
                {3, X, {.04, 0, 0}, .35, .06, {1.5e-4, 5e-4, 5e-4}},
                {4, Y, {.14, 0, 0}, .20, .03, {1e-4, 1.2e-4, 1.2e-4}},
                {5, Z, {.06, .02, 0}, .05, .03, {5e-6, 2e-5, 2e-5}},
                {5, Z, {.06, -.02, 0}, .05, .03, {5e-6, 2e-5, 2e-5}}};
    static const double start[8] = {-.4, 1.3, 0, 1.5, 0, 0, .2, -.2};
    static const double torque[8] = {-.3237, -1.0265, .9819, -.1394, 0, -.1350, -.0008, -.0030};
    static const double diagonal[8] = {1.09e-2, 6.71e-2, 2.07e-2, 2.06e-2,
                                       3.29e-4, 1.14e-3, 6.5e-5,  6.5e-5};
    imp_link links[8];
    for (int i = 0; i < 8; i++) {
        links[i] = (imp_link){.parent = row[i].parent, .joint = IMP_REVOLUTE, .mass = row[i].mass};
        memcpy(links[i].offset, row[i].offset, sizeof row[i].offset);
        links[i].turn[0] = 1;
        links[i].axis[row[i].axis] = 1;
        links[i].com[0] = row[i].com;
        for (int k = 0; k < 3; k++)
            links[i].inertia[4 * k] = row[i].inertia[k];
    }
    imp_tree *arm = imp_tree_new(8, links, NULL);
    double tau[8], H[64], straight[8] = {0};
    imp_tree_place(arm, start, NULL);
    imp_tree_inverse_dynamics(arm, gravity, NULL, tau);
    imp_tree_mass_matrix(arm, H);
    bool torques = true, masses = true;
    for (int i = 0; i < 8; i++) { /* the printed digits */
        torques = torques && fabs(tau[i] - torque[i]) <= 0.5001e-4;
        const double last = pow(10, floor(log10(diagonal[i])) - (i < 6 ? 2 : 1));
        masses = masses && fabs(H[9 * i] - diagonal[i]) <= 0.5001 * last;
        note("joint %d: torque %.6f, H %.6e", i + 1, tau[i], H[9 * i]);
    }
    ok(torques, "gravity torques of the arm at its start");
    ok(masses, "diagonal of H of the arm at its start");
    imp_tree_place(arm, straight, NULL);
    imp_tree_inverse_dynamics(arm, gravity, NULL, tau);
    is_near(fabs(tau[0]), 4.16, 0.005, 0, "the largest gravity torque, arm straight");
    is_near(imp_tree_potential(arm, gravity), 0, 1e-15, 0, "no height, no potential energy");
    imp_tree_free(arm);
}

static void test_turned_ball(void) {
    imp_status status;
    const imp_link ball = {.parent = IMP_GROUND,
                           .joint = IMP_FREE,
                           .mass = 1,
                           .inertia = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
    double turned[7] = {1, 2, 3, 0.1, 0.2, 0.3, 0.4};
    imp_tree *tree = imp_tree_new(1, &ball, &status);
    imp_tree_place(tree, turned, NULL);
    ok(imp_tree_factor(tree) == IMP_OK &&
           memcmp(imp_tree_state(tree, 0)->inertia, ball.inertia, sizeof ball.inertia) == 0,
       "a ball that has turned has its own moments of inertia");
    turned[4] = NAN;
    imp_tree_place(tree, turned, NULL);
    ok(imp_tree_factor(tree) == IMP_NOT_FINITE, "a ball, no place");
    imp_tree_free(tree);
}

static void test_errors(void) {
    imp_link l = {
        .parent = IMP_GROUND, .joint = IMP_REVOLUTE, .turn = {1}, .axis = {0, 0, 1}, .mass = 1};
    imp_status status;
    double q = 0;
    imp_tree *tree = imp_tree_new(1, &l, &status);
    imp_tree_place(tree, &q, NULL);
    ok(status == IMP_OK && imp_tree_factor(tree) == IMP_NOT_POSITIVE, "a joint that moves no mass");
    imp_tree_free(tree);
    for (int free = 0; free < 2; free++)
        for (int k = 0; k < 2; k++) {
            imp_link body = {.parent = IMP_GROUND,
                             .joint = free ? IMP_FREE : IMP_REVOLUTE,
                             .turn = {1},
                             .axis = {0, 0, 1},
                             .mass = 1,
                             .com = {k ? 1e200 : 0, 0, 0},
                             .inertia = {1, 0, 0, 0, 2, 0, 0, 0, 2}};
            double place[7] = {0, 0, 0, k ? 1 : NAN};
            if (!free) place[0] = k ? 0 : NAN;
            tree = imp_tree_new(1, &body, &status);
            imp_tree_place(tree, place, NULL);
            ok(imp_tree_factor(tree) == IMP_NOT_FINITE, "%s, %s", free ? "free" : "revolute",
               k ? "what it moves is beyond double" : "no place");
            imp_tree_free(tree);
        }
    l.mass = -1;
    ok(!imp_tree_new(1, &l, &status) && status == IMP_BAD_ARGUMENT, "negative mass");
    l.mass = NAN;
    ok(!imp_tree_new(1, &l, &status) && status == IMP_NOT_FINITE, "mass not a number");
    for (int k = 0; k < 5; k++) {
        imp_link wrong = {.parent = IMP_GROUND,
                          .joint = IMP_FREE,
                          .mass = 1,
                          .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        static const char *const name[5] = {"offset", "turn", "axis", "centre", "inertia"};
        double *const of[5] = {wrong.offset, wrong.turn, wrong.axis, wrong.com, wrong.inertia};
        of[k][2] = INFINITY;
        ok(!imp_tree_new(1, &wrong, &status) && status == IMP_NOT_FINITE, "%s not finite", name[k]);
    }
    l.mass = 1, l.axis[2] = 2;
    ok(!imp_tree_new(1, &l, &status) && status == IMP_BAD_ARGUMENT, "axis not of unit length");
    l.axis[2] = 1, l.parent = 0;
    ok(!imp_tree_new(1, &l, &status) && status == IMP_BAD_ARGUMENT,
       "a link that is its own parent");
    l.parent = IMP_GROUND, l.joint = IMP_FREE;
    imp_link two[2] = {l, l};
    two[1].parent = 0;
    ok(!imp_tree_new(2, two, &status) && status == IMP_BAD_ARGUMENT, "a free link on another");
    ok(!imp_tree_new(0, two, &status) && status == IMP_BAD_ARGUMENT, "no link");
    imp_tree_free(NULL);
}

/* Parts, one after another and whatever the numbering, do what the whole tree does. */
static void test_parts(void) {
    double worst = 0;
    int parts = 0;
    for (uint64_t n = 0; n < 60; n++) {
        gen_stream s = gen_seed(505, n);
        imp_tree *tree = gen_tree(&s, n % 2 == 0);
        imp_link link[3 * 32];
        int nl = 0;
        /* three copies, the last two with their links in turn: two parts that are one range */
        for (int i = 0; i < imp_tree_links(tree); i++)
            link[nl++] = *imp_tree_link(tree, i);
        const int single = nl;
        for (int i = 0; i < single; i++)
            for (int copy = 0; copy < 2; copy++) {
                link[nl] = link[i];
                if (link[i].parent != IMP_GROUND)
                    link[nl].parent = single + 2 * link[i].parent + copy;
                nl++;
            }
        imp_tree *all = imp_tree_new(nl, link, NULL);
        const int nv = imp_tree_nv(all), nq = imp_tree_nq(all);
        double q[3 * 64], v[3 * 64], rate[2][3 * 64], tau[2][3 * 64], x[2][3 * 64];
        gen_tree_state(&s, all, q, v);
        for (int i = 0; i < nv; i++)
            x[0][i] = x[1][i] = gen_uniform(&s, -1, 1);
        imp_tree_place(all, q, v);
        imp_tree_rate(all, q, v, rate[0]);
        imp_tree_inverse_dynamics(all, gravity, NULL, tau[0]);
        ok(imp_tree_factor(all) == IMP_OK, "factorised");
        imp_tree_solve(all, x[0]);
        imp_tree_place(all, q, NULL); /* what the parts have to do again */
        int links = 0;
        for (int k = imp_tree_parts(all) - 1; k >= 0; k--) {
            const imp_tree_part part = imp_tree_part_at(all, k);
            links += part.link_end - part.link;
            for (int i = part.link; i < part.link_end; i++)
                links += imp_tree_part_of(all, i) == k ? 0 : 1000;
            imp_tree_part_place(all, k, q, v);
            imp_tree_part_rate(all, k, q, v, rate[1]);
            imp_tree_part_inverse_dynamics(all, k, gravity, NULL, tau[1]);
            if (imp_tree_part_factor(all, k) != IMP_OK) links += 1000;
            imp_tree_part_solve(all, k, x[1]);
        }
        parts += imp_tree_parts(all);
        if (links != nl) worst = INFINITY;
        for (int i = 0; i < nq; i++)
            worst = tap_worst(worst, fabs(rate[0][i] - rate[1][i]));
        for (int i = 0; i < nv; i++)
            worst =
                tap_worst(worst, tap_worst(fabs(tau[0][i] - tau[1][i]), fabs(x[0][i] - x[1][i])));
        imp_tree_free(all);
        imp_tree_free(tree);
    }
    ok(worst == 0 && parts >= 2 * 60, "%d parts of 60 forests: off by %g", parts, worst);
    const imp_link rod = {.parent = IMP_GROUND,
                          .joint = IMP_REVOLUTE,
                          .turn = {1},
                          .axis = {0, 0, 1},
                          .mass = 2,
                          .inertia = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
    imp_tree *wheel = imp_tree_new(1, &rod, NULL);
    double angle = 0.3, x = 1;
    imp_tree_place(wheel, &angle, NULL);
    ok(imp_tree_factor(wheel) == IMP_OK, "a wheel on a fixed axle");
    imp_tree_solve(wheel, &x);
    is_near(x, 10, 1e-12, 0, "turns");
    imp_tree_free(wheel);
}

int main(void) {
    test_mass_matrix();
    test_bias_lagrange();
    test_power();
    test_parts();
    test_arm();
    test_turned_ball();
    test_errors();
    return tap_done();
}
