/* test_multibody.c - trees of rigid bodies against free-body formulas, Lagrange's equations by differences, and the
 * eight-joint arm. */
#include "gen.h"
#include "impact.h"
#include "multibody/tree.h"
#include "multibody/vec3.h"
#include "tap.h"

static const double gravity[3] = {0, 0, -9.81};

static void random_unit(gen_stream *s, double *x, int n) {
    double square = 0;
    for (int i = 0; i < n; i++) {
        x[i] = gen_normal(s);
        square += x[i] * x[i];
    }
    for (int i = 0; i < n; i++)
        x[i] /= sqrt(square);
}

/* A link with the inertia of a random box, turned: it obeys the triangle inequality. */
static imp_link random_link(gen_stream *s, int parent, imp_joint joint) {
    imp_link l = {.parent = parent, .joint = joint, .mass = gen_uniform(s, 0.2, 3)};
    random_unit(s, l.turn, 4);
    random_unit(s, l.axis, 3);
    double turn[9], side[3];
    gen_rotation(s, turn);
    for (int i = 0; i < 3; i++) {
        l.offset[i] = gen_uniform(s, -1, 1);
        l.com[i] = gen_uniform(s, -0.5, 0.5);
        side[i] = gen_uniform(s, 0.1, 1);
    }
    const double x = side[0] * side[0], y = side[1] * side[1], z = side[2] * side[2], m = l.mass / 12;
    const double box[9] = {m * (y + z), 0, 0, 0, m * (x + z), 0, 0, 0, m * (x + y)};
    congruent3(turn, box, l.inertia);
    return l;
}

static void random_state(gen_stream *s, const imp_tree *tree, double *q, double *v) {
    for (int i = 0; i < imp_tree_nq(tree); i++)
        q[i] = gen_uniform(s, -2, 2);
    for (int i = 0; i < imp_tree_nv(tree); i++)
        v[i] = gen_uniform(s, -3, 3);
    for (int i = 0; i < imp_tree_links(tree); i++)
        if (imp_tree_link(tree, i)->joint == IMP_FREE) random_unit(s, q + imp_tree_link(tree, i)->q_at + 3, 4);
}

static double kinetic(imp_tree *tree, const double *q, const double *v) {
    imp_tree_place(tree, q, v);
    return imp_tree_kinetic(tree);
}

/* Kinetic energy from positions alone: every link's points at +- h along the motion, no velocity formula used. Three
 * orthogonal pairs of mass points per axis stand for the inertia: sum over links of the momenta of finite motion. */
static double kinetic_by_differences(imp_tree *tree, const double *q, const double *v) {
    const double h = 1e-4;
    double energy = 0, ahead[64], behind[64];
    memcpy(ahead, q, (size_t)imp_tree_nq(tree) * sizeof *q);
    memcpy(behind, q, (size_t)imp_tree_nq(tree) * sizeof *q);
    imp_tree_advance(tree, h, v, ahead);
    imp_tree_advance(tree, -h, v, behind);
    for (int i = 0; i < imp_tree_links(tree); i++) {
        const imp_link *l = imp_tree_link(tree, i);
        /* second moments of mass about the centre, sum m x x' = tr(I)/2 - I, as velocity of the rotation matrix */
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

/* A random forest: revolute chains with branches, a slider and welds, and a free body that carries some. */
static imp_tree *random_tree(gen_stream *s, int with_free) {
    const imp_joint second = with_free ? IMP_FREE : IMP_REVOLUTE;
    const imp_link links[] = {
        random_link(s, IMP_GROUND, IMP_REVOLUTE), random_link(s, IMP_GROUND, second), random_link(s, 0, IMP_REVOLUTE),
        random_link(s, 1, IMP_REVOLUTE),          random_link(s, 2, IMP_WELD),        random_link(s, 4, IMP_REVOLUTE),
        random_link(s, 0, IMP_PRISMATIC),         random_link(s, 3, IMP_WELD)};
    return imp_tree_new(8, links, NULL);
}

static void test_mass_matrix(void) {
    double worst_polar = 0, worst_energy = 0, worst_solve = 0, worst_factor = 0;
    for (uint64_t k = 0; k < 50; k++) {
        gen_stream s = gen_seed(501, k);
        imp_tree *tree = random_tree(&s, k % 2 == 0);
        const int nv = imp_tree_nv(tree);
        double q[64] = {0}, v[64] = {0}, H[64 * 64], x[64], Hx[64];
        random_state(&s, tree, q, v);
        imp_tree_place(tree, q, v);
        imp_tree_mass_matrix(tree, H);
        /* H from T, which is quadratic in v: H_ij = T(e_i + e_j) - T(e_i) - T(e_j) */
        for (int i = 0; i < nv; i++)
            for (int j = 0; j < nv; j++) {
                double e[64] = {0}, ei[64] = {0}, ej[64] = {0};
                e[i] += 1, e[j] += 1, ei[i] = 1, ej[j] = 1;
                const double want = kinetic(tree, q, e) - kinetic(tree, q, ei) - kinetic(tree, q, ej);
                worst_polar = fmax(worst_polar, fabs(H[i * nv + j] - want));
            }
        double energy = 0;
        for (int i = 0; i < nv; i++)
            for (int j = 0; j < nv; j++)
                energy += 0.5 * v[i] * H[i * nv + j] * v[j];
        const double slow = kinetic_by_differences(tree, q, v);
        worst_energy = fmax(worst_energy, fabs(energy - slow) / energy);
        imp_tree_place(tree, q, v);
        if (imp_tree_factor(tree) != IMP_OK) worst_factor = 1;
        memcpy(x, v, sizeof x);
        imp_tree_solve(tree, x);
        for (int i = 0; i < nv; i++) {
            Hx[i] = 0;
            for (int j = 0; j < nv; j++)
                Hx[i] += H[i * nv + j] * x[j];
            worst_solve = fmax(worst_solve, fabs(Hx[i] - v[i]));
        }
        imp_tree_free(tree);
    }
    ok(worst_factor == 0, "H of random trees factorises");
    ok(worst_polar < 1e-12, "H is the form of the kinetic energy: %.1e", worst_polar);
    ok(worst_energy < 1e-5, "the kinetic energy is that of positions differenced in time: %.1e", worst_energy);
    ok(worst_solve < 1e-11, "H H^-1 v = v: %.1e", worst_solve);
}

/* Lagrange: bias_i = sum_jk (dH_ij/dq_k - 1/2 dH_jk/dq_i) v_j v_k + dV/dq_i, by central differences. */
static void test_bias_lagrange(void) {
    double worst = 0;
    for (uint64_t n = 0; n < 20; n++) {
        gen_stream s = gen_seed(502, n);
        imp_tree *tree = random_tree(&s, 0);
        const int nv = imp_tree_nv(tree);
        const double h = 1e-4;
        double q[16], v[16], bias[16], dH[16][256], dV[16], H[2][256], V[2];
        random_state(&s, tree, q, v);
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
            worst = fmax(worst, fabs(bias[i] - want) / (1 + fabs(want)));
        }
        imp_tree_free(tree);
    }
    ok(worst < 1e-6, "bias of jointed trees is Lagrange's: %.1e", worst);
}

/* With free links v is not the rate of coordinates; the power theorem holds: v' tau = d/dt (T + V) along the motion. */
static void test_power(void) {
    double worst = 0, worst_linear = 0;
    for (uint64_t n = 0; n < 50; n++) {
        gen_stream s = gen_seed(503, n);
        imp_tree *tree = random_tree(&s, 1);
        const int nv = imp_tree_nv(tree), nq = imp_tree_nq(tree);
        const double h = 2e-5;
        double q[32], v[32], rate[32], tau[32], bias[32], H[32 * 32], energy[2], power = 0;
        random_state(&s, tree, q, v);
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
            worst_linear = fmax(worst_linear, fabs(tau[i] - want) / (1 + fabs(want)));
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
        worst = fmax(worst, fabs(power - (energy[1] - energy[0]) / (2 * h)) / (1 + fabs(power)));
        imp_tree_free(tree);
    }
    ok(worst_linear < 1e-11, "inverse dynamics is H v' + bias: %.1e", worst_linear);
    ok(worst < 1e-6, "the power of tau is the rate of energy, free links included: %.1e", worst);
}

static void test_free_bodies(void) {
    double worst_W = 0, worst_q = 0, worst_bias = 0, worst_v = 0;
    for (uint64_t n = 0; n < 50; n++) {
        gen_stream s = gen_seed(504, n);
        imp_link links[3];
        imp_body bodies[3];
        double q[21], v[18];
        for (int i = 0; i < 3; i++) { /* origin at the centre of mass, as imp_body has it */
            links[i] = random_link(&s, IMP_GROUND, IMP_FREE);
            memset(links[i].com, 0, sizeof links[i].com);
        }
        imp_tree *tree = imp_tree_new(3, links, NULL);
        random_state(&s, tree, q, v);
        imp_tree_place(tree, q, v);
        double bias[18];
        imp_tree_inverse_dynamics(tree, gravity, NULL, bias);
        for (int i = 0; i < 3; i++) {
            imp_body *b = &bodies[i];
            const double *I = links[i].inertia;
            const double det = I[0] * (I[4] * I[8] - I[5] * I[7]) - I[1] * (I[3] * I[8] - I[5] * I[6]) +
                               I[2] * (I[3] * I[7] - I[4] * I[6]);
            const double inverse[9] = {(I[4] * I[8] - I[5] * I[7]) / det, (I[2] * I[7] - I[1] * I[8]) / det,
                                       (I[1] * I[5] - I[2] * I[4]) / det, (I[5] * I[6] - I[3] * I[8]) / det,
                                       (I[0] * I[8] - I[2] * I[6]) / det, (I[2] * I[3] - I[0] * I[5]) / det,
                                       (I[3] * I[7] - I[4] * I[6]) / det, (I[1] * I[6] - I[0] * I[7]) / det,
                                       (I[0] * I[4] - I[1] * I[3]) / det};
            *b = (imp_body){.inv_mass = 1 / links[i].mass};
            memcpy(b->inv_inertia, inverse, sizeof inverse);
            memcpy(b->position, q + 7 * i, sizeof b->position);
            memcpy(b->orientation, q + 7 * i + 3, sizeof b->orientation);
            memcpy(b->velocity, v + 6 * i, sizeof b->velocity);
            memcpy(b->spin, v + 6 * i + 3, sizeof b->spin);
            double R[9], inertia[9], momentum[3], gyro[3];
            rotation3(b->orientation, R);
            congruent3(R, I, inertia);
            apply3(inertia, b->spin, momentum);
            cross3(b->spin, momentum, gyro);
            for (int k = 0; k < 3; k++) {
                worst_bias = fmax(worst_bias, fabs(bias[6 * i + k] + links[i].mass * gravity[k]));
                worst_bias = fmax(worst_bias, fabs(bias[6 * i + 3 + k] - gyro[k]));
            }
        }
        imp_contact contacts[3] = {{.a = IMP_GROUND, .b = 0}, {.a = 0, .b = 1}, {.a = 2, .b = 1}};
        for (int i = 0; i < 3; i++) {
            double normal[3];
            for (int k = 0; k < 3; k++)
                contacts[i].point[k] = gen_uniform(&s, -2, 2);
            random_unit(&s, normal, 3);
            imp_frame_from_normal(normal, contacts[i].frame);
        }
        double W[81], u[9], wantW[81], wantq[9], work[9 * 18], p[9], after[9], again[81];
        imp_status status = imp_tree_delassus(tree, 3, contacts, W, u, work);
        if (status != IMP_OK || imp_delassus_dense(3, bodies, 3, contacts, wantW, wantq) != IMP_OK) worst_W = 1;
        for (int i = 0; i < 81; i++)
            worst_W = fmax(worst_W, fabs(W[i] - wantW[i]) / (1 + fabs(wantW[i])));
        for (int i = 0; i < 9; i++) {
            worst_q = fmax(worst_q, fabs(u[i] - wantq[i]));
            p[i] = gen_uniform(&s, -1, 1);
        }
        imp_tree_impulse(tree, 3, contacts, p, v, work);
        imp_tree_place(tree, q, v);
        imp_tree_delassus(tree, 3, contacts, again, after, work);
        for (int i = 0; i < 9; i++) {
            double want = u[i];
            for (int j = 0; j < 9; j++)
                want += W[9 * i + j] * p[j];
            worst_v = fmax(worst_v, fabs(after[i] - want));
        }
        imp_tree_free(tree);
    }
    ok(worst_W < 1e-11 && worst_q < 1e-12, "free bodies give lib/contact's W and q: %.1e, %.1e", worst_W, worst_q);
    ok(worst_bias < 1e-11, "bias of free bodies is -m g and spin x I spin: %.1e", worst_bias);
    ok(worst_v < 1e-11, "an impulse changes the contact velocities by W p: %.1e", worst_v);
}

/* The contact problem of a tree against its definition: J by differences of positions, H^-1 by solving. */
static void test_tree_contacts(void) {
    double worst_q = 0, worst_W = 0, worst_u = 0;
    for (uint64_t n = 0; n < 20; n++) {
        gen_stream s = gen_seed(505, n);
        imp_tree *tree = random_tree(&s, 1);
        const int nv = imp_tree_nv(tree);
        const double h = 1e-5;
        double q[32], v[32], W[36], u[6], work[6 * 32], J[6][32];
        random_state(&s, tree, q, v);
        imp_contact c[2] = {{.a = IMP_GROUND, .b = 5}, {.a = 6, .b = 7}};
        double local[2][2][3]; /* the contact point in the frames of its two links */
        imp_tree_place(tree, q, v);
        for (int i = 0; i < 2; i++) {
            double normal[3];
            for (int k = 0; k < 3; k++)
                c[i].point[k] = gen_uniform(&s, -1, 1);
            random_unit(&s, normal, 3);
            imp_frame_from_normal(normal, c[i].frame);
            for (int side = 0; side < 2; side++) {
                const int link = side ? c[i].b : c[i].a;
                double arm[3];
                memcpy(local[i][side], c[i].point, sizeof arm);
                if (link == IMP_GROUND) continue;
                sub3(c[i].point, imp_tree_state(tree, link)->origin, arm);
                apply3_transposed(imp_tree_state(tree, link)->rotation, arm, local[i][side]);
            }
        }
        imp_tree_delassus(tree, 2, c, W, u, work);
        for (int k = 0; k < nv; k++) {
            double e[32] = {0}, at[2][2][2][3];
            e[k] = 1;
            for (int t = 0; t < 2; t++) {
                double moved[32];
                memcpy(moved, q, sizeof moved);
                imp_tree_advance(tree, t ? h : -h, e, moved);
                imp_tree_place(tree, moved, NULL);
                for (int i = 0; i < 2; i++)
                    for (int side = 0; side < 2; side++)
                        imp_tree_point(tree, side ? c[i].b : c[i].a, local[i][side], at[t][i][side]);
            }
            for (int i = 0; i < 2; i++)
                for (int r = 0; r < 3; r++) {
                    double rate[3];
                    for (int x = 0; x < 3; x++)
                        rate[x] = (at[1][i][1][x] - at[1][i][0][x] - at[0][i][1][x] + at[0][i][0][x]) / (2 * h);
                    J[3 * i + r][k] = dot3(c[i].frame + 3 * r, rate);
                }
        }
        imp_tree_place(tree, q, v);
        imp_tree_factor(tree);
        for (int i = 0; i < 6; i++) {
            double x[32], want = 0;
            memcpy(x, J[i], sizeof x);
            imp_tree_solve(tree, x);
            for (int k = 0; k < nv; k++)
                want += J[i][k] * v[k];
            worst_q = fmax(worst_q, fabs(u[i] - want) / (1 + fabs(want)));
            for (int j = 0; j < 6; j++) {
                double sum = 0;
                for (int k = 0; k < nv; k++)
                    sum += J[j][k] * x[k];
                worst_W = fmax(worst_W, fabs(W[6 * i + j] - sum) / (1 + fabs(sum)));
            }
        }
        for (int i = 0; i < 2; i++) {
            double va[3], vb[3];
            imp_tree_point_velocity(tree, c[i].a, c[i].point, va);
            imp_tree_point_velocity(tree, c[i].b, c[i].point, vb);
            sub3(vb, va, vb);
            for (int r = 0; r < 3; r++)
                worst_u = fmax(worst_u, fabs(dot3(c[i].frame + 3 * r, vb) - u[3 * i + r]));
        }
        imp_tree_free(tree);
    }
    ok(worst_q < 1e-8 && worst_W < 1e-8, "W and q of a tree follow from differenced positions: %.1e, %.1e", worst_W,
       worst_q);
    ok(worst_u < 1e-12, "q is the difference of the point velocities: %.1e", worst_u);
}

/* Drumwright and Shell (2010), the arm of Figs. 8 and 9 with the project's data: gravity torques and diag H. */
static void test_arm(void) {
    enum { X, Y, Z };
    static const struct {
        int parent, axis;
        double offset[3], mass, com, inertia[3];
    } row[8] = {
        {-1, Y, {0, 0, 0}, .30, .02, {2e-4, 2.5e-4, 2.5e-4}}, {0, Z, {.04, 0, 0}, .30, .02, {2e-4, 2.5e-4, 2.5e-4}},
        {1, X, {.04, 0, 0}, .50, .07, {3e-4, 1e-3, 1e-3}},    {2, Z, {.16, 0, 0}, .25, .02, {1.2e-4, 1.5e-4, 1.5e-4}},
        {3, X, {.04, 0, 0}, .35, .06, {1.5e-4, 5e-4, 5e-4}},  {4, Y, {.14, 0, 0}, .20, .03, {1e-4, 1.2e-4, 1.2e-4}},
        {5, Z, {.06, .02, 0}, .05, .03, {5e-6, 2e-5, 2e-5}},  {5, Z, {.06, -.02, 0}, .05, .03, {5e-6, 2e-5, 2e-5}}};
    static const double start[8] = {-.4, 1.3, 0, 1.5, 0, 0, .2, -.2};
    static const double torque[8] = {-.3237, -1.0265, .9819, -.1394, 0, -.1350, -.0008, -.0030};
    static const double diagonal[8] = {1.09e-2, 6.71e-2, 2.07e-2, 2.06e-2, 3.29e-4, 1.14e-3, 6.5e-5, 6.5e-5};
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

static void test_errors(void) {
    imp_link l = {.parent = IMP_GROUND, .joint = IMP_REVOLUTE, .turn = {1}, .axis = {0, 0, 1}, .mass = 1};
    imp_status status;
    double q = 0;
    imp_tree *tree = imp_tree_new(1, &l, &status);
    imp_tree_place(tree, &q, NULL);
    ok(status == IMP_OK && imp_tree_factor(tree) == IMP_NOT_POSITIVE, "a joint that moves no mass");
    imp_tree_free(tree);
    l.mass = -1;
    ok(!imp_tree_new(1, &l, &status) && status == IMP_BAD_ARGUMENT, "negative mass");
    l.mass = NAN;
    ok(!imp_tree_new(1, &l, &status) && status == IMP_NOT_FINITE, "mass not a number");
    l.mass = 1, l.axis[2] = 2;
    ok(!imp_tree_new(1, &l, &status) && status == IMP_BAD_ARGUMENT, "axis not of unit length");
    l.axis[2] = 1, l.parent = 0;
    ok(!imp_tree_new(1, &l, &status) && status == IMP_BAD_ARGUMENT, "a link that is its own parent");
    l.parent = IMP_GROUND, l.joint = IMP_FREE;
    imp_link two[2] = {l, l};
    two[1].parent = 0;
    ok(!imp_tree_new(2, two, &status) && status == IMP_BAD_ARGUMENT, "a free link on another");
    ok(!imp_tree_new(0, two, &status) && status == IMP_BAD_ARGUMENT, "no link");
    imp_tree_free(NULL);
}

int main(void) {
    test_mass_matrix();
    test_bias_lagrange();
    test_power();
    test_free_bodies();
    test_tree_contacts();
    test_arm();
    test_errors();
    return tap_done();
}
