/* test_restitution_held.c - restitution of what friction holds, what rests, what falls straight. */
#include "impact.h"
#include "linear/factored.h"
#include "tap.h"

/* The velocity along `axis` of the point r of a body at the origin, per its velocity and spin. */
static void point_row(const double r[3], const double axis[3], double row[6]) {
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        row[k] = axis[k];
        row[3 + k] = r[a] * axis[b] - r[b] * axis[a];
    }
}

/* A cube of 1 kg that turns between two walls, each of which has four of its corners: friction
 * holds it, and what sweeps leave of its motion is no approach to separate. */
static void test_held(void) {
    enum { CORNERS = 8, N = 3 * CORNERS };
    double J[N][6], W[N * N], q[N], p[N], mu[CORNERS], e[CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        const double side = i % 2 ? 1 : -1, r[3] = {side, i & 2 ? 1 : -1, i & 4 ? 1 : -1},
                     axes[3][3] = {{-side, 0, 0}, {0, 1, 0}, {0, 0, -side}};
        for (int k = 0; k < 3; k++)
            point_row(r, axes[k], J[3 * i + k]);
        mu[i] = 2;
        e[i] = 0.5;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            W[i * N + j] = 0;
            for (int k = 0; k < 6; k++)
                W[i * N + j] += J[i][k] * J[j][k] / (k < 3 ? 1 : 2 / 3.0);
        }
    const imp_operator by = imp_operator_dense(CORNERS, W);
    const imp_problem problem = {.nc = CORNERS, .W = &by, .q = q, .mu = mu, .e = e};
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < N; i++)
            q[i] = J[i][3] + s * J[i][4] - 2 * s * J[i][5];
        const imp_status status = imp_solve(&imp_model_auto, &problem, NULL, p, NULL);
        ok(status == IMP_OK, "held between walls, spin 1 %d %d: %s", s, -2 * s,
           imp_status_text(status));
    }
}

/* One contact whose W has rank 2 and that friction holds: neither is what compression leaves of
 * it. */
static void test_one_held(void) {
    const double W[9] = {0.9337801492985593, 0.6507688768074308, 1.2529677065615972,
                         0.6507688768074308, 0.4535330198862458, 0.8732166642090031,
                         1.2529677065615972, 0.8732166642090031, 1.6812609208554425},
                 q[3] = {-0.5956595574467805, -0.41512630317897853, -0.7992697102041887}, mu = 2,
                 e = 1;
    imp_factored *G;
    double p[3];
    if (!ok(imp_factored_root(W, &G) == IMP_OK, "a W of rank 2 has a root")) return;
    const imp_operator by = imp_operator_factored(G);
    const imp_problem problem = {.nc = 1, .W = &by, .q = q, .mu = &mu, .e = &e};
    const imp_status status = imp_solve(&imp_model_auto, &problem, NULL, p, NULL);
    ok(status == IMP_OK, "one held contact: %s", imp_status_text(status));
    imp_factored_free(G);
}

/* A contact that rests, of which maximum dissipation asks more than no impulse. */
static void test_resting(void) {
    static const double W[9] = {9, -9, 0, -9, 10, 0, 0, 0, 1}, q[3] = {0, -4, -1}, mu = 4;
    static const double stuck[3] = {4, 4, 1};
    const imp_operator by = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &by, .q = q, .mu = &mu};
    double p[3] = {0};
    const imp_status status = imp_solve(&imp_model_gauss_seidel_maxdiss, &problem, NULL, p, NULL);
    ok(status == IMP_OK, "at rest, driven in by friction: %s", imp_status_text(status));
    is_vec(p, stuck, 3, 1e-12, 0, "  sticks");
}

/* Balls that fall straight, up is anywhere: what couples their directions is rounding, and all that
 * there is of their slip. */
static void test_turned_balls(void) {
    static const double mu = 0.6, e = 0.3;
    static const char *const names[] = {"auto", "moreau", "gauss-seidel-coulomb"};
    for (int m = 0; m < 3; m++) {
        const imp_model *model = imp_model_find(names[m]);
        int solved = 0;
        double off = 0;
        for (int i = 0; i < 100; i++) {
            const double n[3] = {sin(i), cos(3 * i), sin(7 * i + 1)};
            imp_body ball = {.inv_mass = 0.4, .inv_inertia = {3, 0, 0, 0, 3, 0, 0, 0, 3}};
            imp_contact at = {.a = IMP_GROUND, .b = 0};
            double W[9], q[3], p[3];
            ball.orientation[0] = 1;
            (void)imp_frame_from_normal(n, at.frame);
            for (int k = 0; k < 3; k++) {
                ball.velocity[k] = -at.frame[k];
                at.point[k] = -0.7 * at.frame[k];
            }
            (void)imp_delassus_dense(1, &ball, 1, &at, W, q);
            const imp_operator by = imp_operator_dense(1, W);
            const imp_problem problem = {.nc = 1, .W = &by, .q = q, .mu = &mu, .e = &e};
            solved += imp_solve(model, &problem, NULL, p, NULL) == IMP_OK;
            off = tap_worst(off, fabs(p[0] / (1.3 * 2.5) - 1));
        }
        ok(solved == 100 && off < 1e-14, "%s: %d of 100 balls that fall straight, %.1e off",
           names[m], solved, off);
    }
}

/* Towers of smooth cubes that fall on the ground and each other, in whole numbers: what sweeps of
 * the compression leave of an approach, some 1e-10 m/s, is none that the end has to stop. */
static void test_towers(void) {
    enum { CUBES = 4, CORNERS = 4, NC = CUBES * CORNERS, TOWERS = 100 };
    const double mu[NC] = {0};
    double q[3 * NC], p[3 * NC], e[NC];
    imp_body cube[CUBES] = {{0}};
    imp_contact corner[NC] = {{0}};
    int solved = 0;
    for (int i = 0; i < NC; i++) {
        const int k = i % CORNERS, level = i / CORNERS;
        corner[i] = (imp_contact){.a = level > 0 ? level - 1 : IMP_GROUND,
                                  .b = level,
                                  .point = {k < 2 ? 1 : -1, k % 3 ? -1 : 1, 2 * level}};
        (void)imp_frame_from_normal((const double[]){0, 0, 1}, corner[i].frame);
        e[i] = 0.5;
    }
    for (int tower = 0; tower < TOWERS; tower++) {
        unsigned draw = (unsigned)tower * 2654435761u;
        for (int i = 0; i < CUBES; i++, draw >>= 4) {
            const double mass = 1 << (draw & 3);
            cube[i] = (imp_body){.inv_mass = 1 / mass,
                                 .inv_inertia = {[0] = 2, [4] = 2, [8] = 2},
                                 .position = {0, 0, 2 * i + 1},
                                 .velocity = {0, 0, -(double)(draw >> 2 & 3)},
                                 .orientation = {1}};
        }
        imp_factored *G;
        if (imp_delassus_factored(CUBES, cube, NC, corner, &G, q) != IMP_OK) continue;
        const imp_operator by = imp_operator_factored(G);
        const imp_problem problem = {.nc = NC, .W = &by, .q = q, .mu = mu, .e = e};
        solved += imp_solve(&imp_model_gauss_seidel_coulomb, &problem, NULL, p, NULL) == IMP_OK;
        imp_factored_free(G);
    }
    ok(solved == TOWERS, "%d of %d towers of cubes that fall", solved, TOWERS);
}

int main(void) {
    test_held();
    test_one_held();
    test_resting();
    test_turned_balls();
    test_towers();
    return tap_done();
}
