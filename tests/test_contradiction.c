/* test_contradiction.c - a body between two walls that close: no impulses stop both, friction or
 * not, and `auto` says so. Where the walls are a little out of parallel friction may let the body
 * escape, and nothing is denied; nor of bodies that nothing drives, however jammed. */
#include "blocks/moreau.h"
#include "cone/contradiction_internal.h"
#include "cone/convex_active.h"
#include "contact/frame.h"
#include "generators/gen_jam.h"
#include "impact.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

enum { N = 6 };

/* Contacts of a point of 1 kg with two walls, the second at `angle` to the first. Rows of the
 * Jacobian are the axes n, t, o of each. */
static void walls(double angle, double scale, double W[N * N]) {
    const double c = cos(angle), s = sin(angle);
    const double J[N][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-c, s, 0}, {s, c, 0}, {0, 0, -1}};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            W[i * N + j] = scale * (J[i][0] * J[j][0] + J[i][1] * J[j][1] + J[i][2] * J[j][2]);
}

static bool denied(double angle, double scale, double mu, double first, double second) {
    const double q[N] = {first, 0.1, 0, second, 0.2, 0}, friction[2] = {mu, mu};
    double W[N * N];
    walls(angle, scale, W);
    const imp_operator op = imp_operator_dense(2, W);
    return imp_contradiction(&(imp_problem){.nc = 2, .W = &op, .q = q, .mu = friction}, NULL) ==
           IMP_NO_SOLUTION;
}

static void test_shown(void) {
    static const double scales[] = {1e-290, 1, 1e290};
    for (int k = 0; k < 3; k++) {
        ok(denied(0, scales[k], 0, -1, -1) && denied(0, scales[k], 2, -1, -1),
           "walls that close on a body of %g kg, friction or not", 1 / scales[k]);
        ok(denied(0, scales[k], 0.5, -1, 0.5), "  though one goes away more slowly");
        ok(!denied(0, scales[k], 0.5, -1, 1), "  but not as fast as the other comes");
        ok(!denied(0, scales[k], 0.5, -1, 2), "  or faster");
    }
    ok(denied(1e-7, 1, 0, -1, -1), "1e-7 out of parallel: 1e14 kg m/s without friction");
    ok(!denied(1e-7, 1, 1, -1, -1), "  and 1e7 with it");
    ok(!denied(1e-4, 1, 0, -1, -1), "1e-4 out of parallel: 1e8 without friction");
}

/* The impulses that prove it: those of the walls, the largest of them 1, and none of others. */
static void test_proof(void) {
    enum { ROWS = 9 };
    const double q[ROWS] = {-1, 0, 0, -1, 0.1, 0, -3, 0.2, 0}, mu[3] = {0.5, 0.5, 0.5};
    double two[N * N], W[ROWS * ROWS] = {[0] = 1, [10] = 1, [20] = 1}, z[3] = {7, 7, 7};
    walls(0, 1, two);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            W[(i + 3) * ROWS + j + 3] = two[i * N + j];
    const imp_operator op = imp_operator_dense(3, W);
    imp_problem problem = {.nc = 3, .W = &op, .q = q, .mu = mu};
    ok(imp_contradiction(&problem, z) == IMP_NO_SOLUTION && z[0] == 0 && fmin(z[1], z[2]) > 0.999 &&
           fmax(z[1], z[2]) == 1,
       "what proves it: %g %g %g", z[0], z[1], z[2]);
    const double apart[ROWS] = {-1, 0, 0, -1, 0.1, 0, 3, 0.2, 0};
    problem.q = apart;
    ok(imp_contradiction(&problem, z) == IMP_NOT_CONVERGED && z[0] == 0 && z[1] == 0 && z[2] == 0,
       "  and nothing where nothing does");
    const double gap[3] = {0, 2, 0.5}, deep[3] = {0, -4, 0};
    const double closing[ROWS] = {-1, 0, 0, -1, 0.1, 0, -1, 0.2, 0};
    problem.q = closing;
    problem.gap = gap;
    ok(imp_contradiction(&problem, z) == IMP_NOT_CONVERGED, "  nor where gaps let it through");
    problem.q = apart;
    problem.gap = deep;
    ok(imp_contradiction(&problem, z) == IMP_NO_SOLUTION && z[0] == 0 && z[1] > 0 && z[2] > 0,
       "  and an overlap may exclude it");
    problem.mu = NULL;
    ok(imp_contradiction(&problem, z) == IMP_BAD_ARGUMENT, "  no problem without friction's mu");
}

/* Contacts whose tangents move 1e9 times as easily as their normals: a body with a light rotor. */
static void test_light_tangents(void) {
    static const double light = 0x1p30;
    double W[N * N];
    const double q[N] = {-1, 0, 0, 0.5, 0, 0}, mu[2] = {0, 0};
    walls(1e-7, 1, W);
    for (int i = 0; i < N; i++)
        if (i % 3 != 0) W[i * N + i] *= light;
    const imp_operator op = imp_operator_dense(2, W);
    ok(imp_contradiction(&(imp_problem){.nc = 2, .W = &op, .q = q, .mu = mu}, NULL) ==
           IMP_NO_SOLUTION,
       "1e-7 out of parallel, and tangents %g times lighter", light);
}

/* A body of 1 kg on the ground, on which one of 1e9 kg falls: the impulses are its momentum. */
static void test_heavy(void) {
    static const double heavy = 1e9, q[N] = {0, 0, 0, -1, 0, 0}, mu[2] = {0, 0};
    double W[N * N] = {0};
    for (int i = 0; i < N; i++) {
        W[i * N + i] = i < 3 ? 1 : 1 + 1 / heavy;
        W[i * N + (i + 3) % N] = -1;
    }
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    ok(imp_contradiction(&problem, NULL) == IMP_NOT_CONVERGED, "a mass of %g kg is no wall", heavy);
    double p[N];
    ok(imp_solve(&imp_model_frictionless, &problem, NULL, p, NULL) == IMP_OK, "  and stops");
    is_near(p[3], heavy, 0, 1e-6, "  by its momentum");
}

/* Beside them bodies that touch nothing else, more than one island may have contacts. */
static void test_islands(void) {
    enum { OTHERS = IMP_CONVEX_DENSE, NC = OTHERS + 2, ROWS = 3 * NC };
    double two[N * N], *W = calloc((size_t)ROWS * ROWS + ROWS + NC, sizeof *W);
    if (!W) abort();
    double *q = W + (size_t)ROWS * ROWS, *mu = q + ROWS;
    walls(0, 1, two);
    for (size_t i = 0; i < ROWS; i++)
        W[i * ROWS + i] = 1;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            W[(ROWS - N + i) * ROWS + ROWS - N + j] = two[i * N + j];
    for (size_t i = 0; i < NC; i++)
        q[3 * i] = -1;
    const imp_operator op = imp_operator_dense(NC, W);
    ok(imp_contradiction(&(imp_problem){.nc = NC, .W = &op, .q = q, .mu = mu}, NULL) ==
           IMP_NO_SOLUTION,
       "walls that close, among %d other contacts", OTHERS);
    q[ROWS - 3] = 2;
    ok(imp_contradiction(&(imp_problem){.nc = NC, .W = &op, .q = q, .mu = mu}, NULL) ==
           IMP_NOT_CONVERGED,
       "  and one that goes away faster");
    free(W);
}

/* A body that nothing moves, and what comes to it or goes. */
static void test_immovable(void) {
    const double W[9] = {0}, mu = 0.5;
    const imp_operator op = imp_operator_dense(1, W);
    for (int k = -1; k < 2; k++) {
        const double q[3] = {k, 1, 0};
        ok((imp_contradiction(&(imp_problem){.nc = 1, .W = &op, .q = q, .mu = &mu}, NULL) ==
            IMP_NO_SOLUTION) == (k < 0),
           "immovable, approach at %d m/s", -k);
    }
}

static void test_recorded(void) {
    const double q[N] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.5, 0.5};
    double W[N * N];
    walls(0, 1, W);
    imp_operator op = imp_operator_dense(2, W);
    op.as_given = true;
    ok(imp_contradiction(&(imp_problem){.nc = 2, .W = &op, .q = q, .mu = mu}, NULL) ==
           IMP_NOT_CONVERGED,
       "of a recorded W nothing is claimed");
}

static void test_models(void) {
    static const imp_model *const models[2] = {&imp_model_auto, &imp_model_moreau};
    const double q[N] = {-1, 0.1, 0, -0.5, 0.2, 0}, mu[2] = {0.5, 0.5}, e[2] = {0.5, 0.7};
    double W[N * N], p[N];
    walls(0, 1, W);
    const imp_operator op = imp_operator_dense(2, W);
    for (size_t m = 0; m < 2; m++)
        for (int bounces = 0; bounces < 2; bounces++) {
            const imp_problem problem = {
                .nc = 2, .W = &op, .q = q, .mu = mu, .e = bounces ? e : NULL};
            const imp_status status = imp_solve(models[m], &problem, NULL, p, NULL);
            ok(status == IMP_NO_SOLUTION, "%s, e %s 0: %s", models[m]->name, bounces ? ">" : "=",
               imp_status_text(status));
        }
}

/* What closes by 1e-9 to 1e-7 of its slip drives impulses up until rounding of them would hide it;
 * from a guess as large it is hidden at once. */
static void test_hidden(void) {
    enum { CASES = 60 };
    static const imp_model *const models[2] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb};
    imp_blocks_settings settings = imp_blocks_presets;
    settings.start = 1;
    settings.max_sweeps = 1000;
    int denied_by[2] = {0, 0}, found[2] = {0, 0};
    for (int k = 0; k < CASES; k++) {
        const double closing = pow(10, -9 + 2.0 * k / CASES), large = k % 2 ? 1e6 : 0,
                     slides[N] = {-closing, 1, 0.3 * (k % 7), -closing, -0.5, 0.2},
                     sticks[N] = {-closing, 1, 0.1, -closing, 1, -0.1},
                     mu[2] = {k % 2 ? 0.3 : 0.1 * (k % 4), 0.3};
        double W[N * N];
        walls(0, 1, W);
        const imp_operator op = imp_operator_dense(2, W);
        const imp_problem problem = {.nc = 2, .W = &op, .q = k % 2 ? sticks : slides, .mu = mu};
        for (int m = 0; m < 2; m++) {
            double p[N] = {large, 0, 0, large, 0, 0};
            const imp_status status = imp_solve(models[m], &problem, &settings, p, NULL);
            denied_by[m] += status == IMP_NO_SOLUTION;
            found[m] += status == IMP_OK;
        }
    }
    ok(denied_by[0] == CASES, "walls that close slowly: auto says so, %d of %d", denied_by[0],
       CASES);
    ok(found[0] == 0 && found[1] == 0, "  and no answer is ok: %d, by sweeps %d", found[0],
       found[1]);
}

/* Row of the Jacobian of test_beside_a_fall: axis r of contact i, over what the point between the
 * walls moves by. */
static void middle_row(int i, int r, double row[3]) {
    static const double J[N][3] = {{1, 0, 0},  {0, 1, 0}, {0, 0, 1},
                                   {-1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    for (int k = 0; k < 3; k++)
        row[k] = i < 2 ? J[3 * i + r][k] : k == r ? (r == 0 ? 0.1 : 1) : 0;
}

/* Two walls that close on a point of 1 kg, and others that fall on it, each on its own way: a tenth
 * of their impulses, and all their friction, is the point's. W (3n x 3n), q (3n) <- of n contacts.
 */
static void walls_beside_a_fall(int n, double closing, double slip, double *W, double *q) {
    for (int i = 0; i < 3 * n; i++) {
        double a[3], b[3];
        middle_row(i / 3, i % 3, a);
        for (int j = 0; j < 3 * n; j++) {
            middle_row(j / 3, j % 3, b);
            const bool own = i == j && i >= N && i % 3 == 0;
            W[i * 3 * n + j] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + (own ? 1 : 0);
        }
        q[i] = i % 3 == 0 ? (i < N ? -closing : -1) : i < N ? slip : 0;
    }
}

/* What closes slowly is no less contradictory in the midst of what falls, and of more contacts than
 * are all asked. From a guess as large rounding would hide it at once, and the work of the fall the
 * rest. */
static void test_beside_a_fall(void) {
    enum { MOST = IMP_CONVEX_DENSE + 2 };
    static const imp_model *const models[2] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb};
    static const int falls[2] = {30, IMP_CONVEX_DENSE}, cases[2] = {20, 4};
    double *W = calloc(9 * (size_t)MOST * MOST + 7 * (size_t)MOST, sizeof *W);
    if (!W) abort();
    double *q = W + 9 * (size_t)MOST * MOST, *p = q + 3 * MOST, *mu = p + 3 * MOST;
    imp_blocks_settings settings = imp_blocks_presets;
    settings.start = 1;
    settings.max_sweeps = 300;
    for (int i = 0; i < MOST; i++)
        mu[i] = 0.3;
    for (int k = 0; k < 2; k++) {
        int shown = 0, found = 0, without = 0;
        const int n = 2 + falls[k];
        const imp_operator op = imp_operator_dense(n, W);
        const imp_problem problem = {.nc = n, .W = &op, .q = q, .mu = mu};
        for (int c = 0; c < cases[k]; c++) {
            walls_beside_a_fall(n, pow(10, -8.5 + 0.5 * c / cases[k]), c % 2, W, q);
            shown += imp_contradiction(&problem, NULL) == IMP_NO_SOLUTION;
            for (int m = 0; m < 2; m++) {
                memset(p, 0, 3 * (size_t)n * sizeof *p);
                p[0] = p[3] = c % 4 < 2 ? 3e6 : 1e7;
                const imp_status status = imp_solve(models[m], &problem, &settings, p, NULL);
                found += status == IMP_OK;
                without += status == IMP_NO_SOLUTION;
            }
        }
        ok(shown == (k == 0 ? cases[k] : 0),
           "walls that close slowly beside a fall, %d contacts: %d", n, shown);
        ok(found == 0, "  no answer is ok: %d of %d", found, 2 * cases[k]);
        ok(without == cases[k], "  auto says so: %d of %d", without, cases[k]);
    }
    free(W);
}

/* Walls between which a point moves along: what its approaches are off by is no contradiction to an
 * answer that may leave as much, whatever else is fast or pressed. */
static void test_off(void) {
    static const double angles[2] = {0, 1e-13}, off = 1e-10;
    const double mu[2] = {0.3, 0.3}, p[N] = {300, 0, 0, 300, 0, 0};
    double W[N * N];
    for (int k = 0; k < 2; k++) {
        imp_status found[2];
        for (int c = 0; c < 2; c++) {
            const double q[N] = {-1, 0, 0, c ? 1 - 1e-9 : 1 - 1e-12, 0, 0};
            walls(angles[k], 1, W);
            const imp_operator op = imp_operator_dense(2, W);
            const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
            found[c] = imp_contradiction_beside(&problem, p, off, NULL);
        }
        ok(found[0] == IMP_NOT_CONVERGED && found[1] == IMP_NO_SOLUTION,
           "approaches %g out of parallel, off by 1e-12: %s; by 1e-9: %s", angles[k],
           imp_status_text(found[0]), imp_status_text(found[1]));
    }
}

/* A chain of more contacts than the system of those that are asked has numbers. */
static void test_long_chain(void) {
    enum { MANY = 200000 };
    int *start = malloc((MANY + 1) * sizeof *start), *column = malloc(3 * MANY * sizeof *column);
    double *block = calloc(27 * (size_t)MANY, sizeof *block),
           *q = calloc(7 * (size_t)MANY, sizeof *q), *p = q + 3 * MANY, *mu = p + 3 * MANY;
    if (!start || !column || !block || !q) abort();
    int count = 0;
    for (int i = 0; i < MANY; i++) {
        start[i] = count;
        for (int j = i - 1; j <= i + 1; j++) {
            if (j < 0 || j == MANY) continue;
            for (int r = 0; r < 3; r++)
                block[9 * (size_t)count + 4 * (size_t)r] = i == j ? 2 : r == 0 ? -1 : 0;
            column[count++] = j;
        }
        q[3 * i] = -1;
        p[3 * i] = i;
    }
    start[MANY] = count;
    const imp_blocks blocks = {.nc = MANY, .start = start, .column = column, .block = block};
    const imp_operator op = imp_operator_blocks(&blocks);
    const imp_problem problem = {.nc = MANY, .W = &op, .q = q, .mu = mu};
    const imp_status status = imp_contradiction_beside(&problem, p, -1, NULL);
    ok(status == IMP_NOT_CONVERGED, "a chain of %d: %s", MANY, imp_status_text(status));
    free(start);
    free(column);
    free(block);
    free(q);
}

/* A wedge of walls at an angle lets the body out, however slowly they close beside what falls. */
static void test_way_out(void) {
    enum { CONTACTS = 3, ROWS = 3 * CONTACTS };
    static const double angle = 1e-4, mu[CONTACTS] = {0, 0, 0};
    double two[N * N], W[ROWS * ROWS] = {0}, p[ROWS];
    walls(angle, 1, two);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            W[i * ROWS + j] = two[i * N + j];
    for (int i = N; i < ROWS; i++)
        W[i * ROWS + i] = 1;
    W[0 * ROWS + N] = W[N * ROWS + 0] = 0.25;
    W[3 * ROWS + N] = W[N * ROWS + 3] = -0.25 * cos(angle);
    const double q[ROWS] = {-1e-8, 0, 0, -1e-8, 0, 0, -1, 0, 0};
    const imp_operator op = imp_operator_dense(CONTACTS, W);
    const imp_problem problem = {.nc = CONTACTS, .W = &op, .q = q, .mu = mu};
    ok(imp_contradiction(&problem, NULL) == IMP_NOT_CONVERGED, "a way out is none");
    const imp_status status = imp_solve(&imp_model_auto, &problem, NULL, p, NULL);
    ok(status == IMP_OK, "  and auto finds it: %s", imp_status_text(status));
}

/* After a phase that has no answer the last one may well look for its own in vain, another reason
 * than the first's. */
static void test_first_phase(void) {
    const double W[N * N] = {1,    0.3, 0, -1,  -0.2, 0,    0.3, 1,    0,    -0.3, 0.4, 0,
                             0,    0,   1, 0,   0,    -0.5, -1,  -0.3, 0,    1,    0.2, 0,
                             -0.2, 0.4, 0, 0.2, 1,    0,    0,   0,    -0.5, 0,    0,   1},
                       q[N] = {-1, 1, 0.3, -0.1, 0.5, 0.2}, mu[2] = {0, 0.1}, e[2] = {0.1, 0.9};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e};
    double p[N];
    ok(imp_solve(&imp_model_auto, &problem, NULL, p, NULL) == IMP_NO_SOLUTION,
       "the first phase says why");
}

/* Balls at rest, jammed between walls and on the ground, that one of them hits: the walls' impulses
 * may be any, and of bodies that nothing drives none contradict. */
static void test_jams(void) {
    enum { DRAWS = 60 };
    static gen_jam g;
    int denied_of = 0, solved = 0;
    for (uint64_t k = 0; k < DRAWS; k++) {
        gen_stream s = gen_seed(1931, k);
        gen_jam_of(&s, 1 + (int)(k % GEN_JAM_ROWS), 2 + (int)(k % 3), (double)(k % 2), 0.3, &g);
        double p[3 * GEN_JAM_CONTACTS];
        const imp_operator op = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = g.mu};
        denied_of += imp_contradiction(&problem, NULL) != IMP_NOT_CONVERGED;
        solved += imp_solve(&imp_model_auto, &problem, NULL, p, NULL) == IMP_OK;
    }
    ok(denied_of == 0, "jams that are hit: denied %d of %d", denied_of, DRAWS);
    ok(solved >= DRAWS - 3, "  and solved by auto, but for some that take long: %d", solved);
}

/* Walls that close on a body of any shape, in frames of their own: rounding of W resists a little,
 * and hides nothing. */
static void test_rounded(void) {
    enum { DRAWS = 200 };
    int shown = 0, without = 0;
    for (uint64_t k = 0; k < DRAWS; k++) {
        gen_stream s = gen_seed(1932, k);
        const double friction[2] = {0.3, 0.5}, closing = gen_power10(&s, -6, 0);
        double R[9], axes[9], W[N * N], q[N], p[N];
        imp_body body = {.inv_mass = gen_power10(&s, -2, 2), .orientation = {1}};
        imp_contact contact[2];
        gen_rotation(&s, R);
        gen_rotation(&s, axes);
        for (int m = 0; m < 3; m++) {
            const double about = body.inv_mass * gen_power10(&s, 0, 2);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    body.inv_inertia[3 * i + j] += axes[3 * m + i] * about * axes[3 * m + j];
            body.position[m] = gen_uniform(&s, -1, 1);
        }
        for (int w = 0; w < 2; w++) {
            double normal[3];
            for (int i = 0; i < 3; i++)
                normal[i] = w ? -R[i] : R[i];
            contact[w] = (imp_contact){.a = IMP_GROUND, .b = 0};
            for (int i = 0; i < 3; i++)
                contact[w].point[i] = 0.3 - 0.5 * normal[i];
            (void)imp_frame_from_normal(normal, contact[w].frame);
        }
        if (imp_delassus_dense(1, &body, 2, contact, W, q) != IMP_OK) abort();
        q[0] = -closing, q[1] = 1;
        q[3] = -closing * gen_uniform(&s, 0, 1), q[4] = -0.5;
        const imp_operator op = imp_operator_dense(2, W);
        const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = friction};
        shown += imp_contradiction(&problem, NULL) == IMP_NO_SOLUTION;
        without += imp_solve(&imp_model_auto, &problem, NULL, p, NULL) == IMP_NO_SOLUTION;
    }
    ok(shown == DRAWS && without == DRAWS, "walls by bodies: %d of %d, auto %d", shown, DRAWS,
       without);
}

int main(void) {
    test_shown();
    test_rounded();
    test_jams();
    test_proof();
    test_light_tangents();
    test_heavy();
    test_islands();
    test_immovable();
    test_recorded();
    test_models();
    test_hidden();
    test_beside_a_fall();
    test_off();
    test_long_chain();
    test_way_out();
    test_first_phase();
    return tap_done();
}
