/* test_multibody_contact.c - contact problems of trees against free bodies and against differenced
 * positions. */
#include "contact/frame.h"
#include "generators/gen_tree.h"
#include "base/vec3.h"
#include "tap.h"

static const double gravity[3] = {0, 0, -9.81};

static void test_free_bodies(void) {
    double worst_W = 0, worst_q = 0, worst_bias = 0, worst_v = 0;
    for (uint64_t n = 0; n < 50; n++) {
        gen_stream s = gen_seed(504, n);
        imp_link links[3];
        imp_body bodies[3];
        double q[21], v[18];
        for (int i = 0; i < 3; i++) { /* origin at the centre of mass, as imp_body has it */
            links[i] = gen_link(&s, IMP_GROUND, IMP_FREE);
            memset(links[i].com, 0, sizeof links[i].com);
        }
        imp_tree *tree = imp_tree_new(3, links, NULL);
        gen_tree_state(&s, tree, q, v);
        imp_tree_place(tree, q, v);
        double bias[18];
        imp_tree_inverse_dynamics(tree, gravity, NULL, bias);
        for (int i = 0; i < 3; i++) {
            imp_body *b = &bodies[i];
            const double *I = links[i].inertia;
            const double det = I[0] * (I[4] * I[8] - I[5] * I[7]) -
                               I[1] * (I[3] * I[8] - I[5] * I[6]) +
                               I[2] * (I[3] * I[7] - I[4] * I[6]);
            const double inverse[9] = {
                (I[4] * I[8] - I[5] * I[7]) / det, (I[2] * I[7] - I[1] * I[8]) / det,
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
                worst_bias =
                    tap_worst(worst_bias, fabs(bias[6 * i + k] + links[i].mass * gravity[k]));
                worst_bias = tap_worst(worst_bias, fabs(bias[6 * i + 3 + k] - gyro[k]));
            }
        }
        imp_contact contacts[3] = {{.a = IMP_GROUND, .b = 0}, {.a = 0, .b = 1}, {.a = 2, .b = 1}};
        for (int i = 0; i < 3; i++) {
            double normal[3];
            for (int k = 0; k < 3; k++)
                contacts[i].point[k] = gen_uniform(&s, -2, 2);
            gen_unit(&s, normal, 3);
            imp_frame_from_normal(normal, contacts[i].frame);
        }
        double W[81], u[9], wantW[81], wantq[9], work[9 * 18], p[9], after[9], again[81];
        imp_status status = imp_tree_delassus(tree, 3, contacts, W, u, work);
        if (status != IMP_OK || imp_delassus_dense(3, bodies, 3, contacts, wantW, wantq) != IMP_OK)
            worst_W = 1;
        for (int i = 0; i < 81; i++)
            worst_W = tap_worst(worst_W, fabs(W[i] - wantW[i]) / (1 + fabs(wantW[i])));
        for (int i = 0; i < 9; i++) {
            worst_q = tap_worst(worst_q, fabs(u[i] - wantq[i]));
            p[i] = gen_uniform(&s, -1, 1);
        }
        imp_tree_impulse(tree, 3, contacts, p, v, work);
        imp_tree_place(tree, q, v);
        imp_tree_delassus(tree, 3, contacts, again, after, work);
        for (int i = 0; i < 9; i++) {
            double want = u[i];
            for (int j = 0; j < 9; j++)
                want += W[9 * i + j] * p[j];
            worst_v = tap_worst(worst_v, fabs(after[i] - want));
        }
        imp_tree_free(tree);
    }
    ok(worst_W < 1e-11 && worst_q < 1e-12, "free bodies give lib/contact's W and q: %.1e, %.1e",
       worst_W, worst_q);
    ok(worst_bias < 1e-11, "bias of free bodies is -m g and spin x I spin: %.1e", worst_bias);
    ok(worst_v < 1e-11, "an impulse changes the contact velocities by W p: %.1e", worst_v);
}

/* The contact problem of a tree against its definition: J by differences of positions, H^-1 by
 * solving. */
static void test_tree_contacts(void) {
    double worst_q = 0, worst_W = 0, worst_u = 0;
    for (uint64_t n = 0; n < 20; n++) {
        gen_stream s = gen_seed(505, n);
        imp_tree *tree = gen_tree(&s, 1);
        const int nv = imp_tree_nv(tree);
        const double h = 1e-5;
        double q[32], v[32], W[36], u[6], work[6 * 32], J[6][32];
        gen_tree_state(&s, tree, q, v);
        imp_contact c[2] = {{.a = IMP_GROUND, .b = 5}, {.a = 6, .b = 7}};
        double local[2][2][3]; /* the contact point in the frames of its two links */
        imp_tree_place(tree, q, v);
        for (int i = 0; i < 2; i++) {
            double normal[3];
            for (int k = 0; k < 3; k++)
                c[i].point[k] = gen_uniform(&s, -1, 1);
            gen_unit(&s, normal, 3);
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
                        imp_tree_point(tree, side ? c[i].b : c[i].a, local[i][side],
                                       at[t][i][side]);
            }
            for (int i = 0; i < 2; i++)
                for (int r = 0; r < 3; r++) {
                    double rate[3];
                    for (int x = 0; x < 3; x++)
                        rate[x] =
                            (at[1][i][1][x] - at[1][i][0][x] - at[0][i][1][x] + at[0][i][0][x]) /
                            (2 * h);
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
            worst_q = tap_worst(worst_q, fabs(u[i] - want) / (1 + fabs(want)));
            for (int j = 0; j < 6; j++) {
                double sum = 0;
                for (int k = 0; k < nv; k++)
                    sum += J[j][k] * x[k];
                worst_W = tap_worst(worst_W, fabs(W[6 * i + j] - sum) / (1 + fabs(sum)));
            }
        }
        for (int i = 0; i < 2; i++) {
            double va[3], vb[3];
            imp_tree_point_velocity(tree, c[i].a, c[i].point, va);
            imp_tree_point_velocity(tree, c[i].b, c[i].point, vb);
            sub3(vb, va, vb);
            for (int r = 0; r < 3; r++)
                worst_u = tap_worst(worst_u, fabs(dot3(c[i].frame + 3 * r, vb) - u[3 * i + r]));
        }
        imp_tree_free(tree);
    }
    ok(worst_q < 1e-8 && worst_W < 1e-8,
       "W and q of a tree follow from differenced positions: %.1e, %.1e", worst_W, worst_q);
    ok(worst_u < 1e-12, "q is the difference of the point velocities: %.1e", worst_u);
}

int main(void) {
    test_free_bodies();
    test_tree_contacts();
    return tap_done();
}
