/* test_blocks_forms.c - block solvers on one W in several forms, and weighted Jacobi. */
#include "benchmarks/harness/natural_error.h"
#include "generators/piles.h"
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

/* *G <- that of f by columns, all three of a contact with its rows. */
static bool by_columns(const imp_factored *f, imp_sparse *G) {
    const int count = f->start[f->nc];
    int *row = malloc(3 * (size_t)count * sizeof *row),
        *column = malloc(3 * (size_t)count * sizeof *column);
    double *value = malloc(3 * (size_t)count * sizeof *value);
    for (int c = 0, k = 0; row && column && value && c < f->nc; c++)
        for (; k < f->start[c + 1]; k++)
            for (int r = 0; r < 3; r++) {
                row[3 * k + r] = f->row[k];
                column[3 * k + r] = 3 * c + r;
                value[3 * k + r] = f->G[3 * k + r];
            }
    const bool good =
        row && column && value &&
        imp_sparse_from_triplets(f->rows, 3 * f->nc, 3 * count, row, column, value, G) == IMP_OK;
    free(row);
    free(column);
    free(value);
    return good;
}

/* A pile of bodies as blocks and matrix-free: one sweep and many do the same, whole and in
 * parts; so do the columns of G. */
static void test_forms(void) {
    imp_fclib pile;
    imp_fclib_posed posed;
    const bool made =
        pile_make(PILE_WALL, 3, 60, &pile) == IMP_OK && imp_fclib_pose(&pile, &posed) == IMP_OK;
    ok(made, "a wall of bricks is posed");
    if (!made) return;
    const imp_operator free_of_blocks = imp_operator_factored(posed.factored);
    const imp_operator blocks = imp_operator_blocks(posed.blocks);
    imp_sparse unit, G;
    const bool factors =
        imp_sparse_unit(posed.factored->rows, &unit) == IMP_OK && by_columns(posed.factored, &G);
    ok(factors, "its G by columns");
    if (!factors) return;
    const imp_assembled assembled = {*posed.blocks, &unit, &G, &G};
    const imp_operator columns = imp_operator_assembled(&assembled);
    const size_t n = 3 * (size_t)pile.nc;
    double *p = calloc(2 * n, sizeof *p), *other = p + n;
    static const double parts[] = {1, 4, 1e9};
    for (int k = 0; k < 6; k++) {
        imp_blocks_settings s = imp_blocks_presets;
        imp_problem problem = posed.problem;
        s.parts = parts[k / 2];
        s.symmetric = k % 2;
        s.blend = 0.3;
        s.max_sweeps = 7;
        problem.W = &free_of_blocks;
        (void)imp_solve(&imp_model_gauss_seidel_coulomb, &problem, &s, p, NULL);
        /* parts follow the bodies, where they are known */
        problem.W = k == 2 || k == 3 ? &posed.W : &blocks;
        (void)imp_solve(&imp_model_gauss_seidel_coulomb, &problem, &s, other, NULL);
        is_vec(p, other, (int)n, 1e-10, 1e-9, "%g parts, %s: blocks and bodies do the same",
               s.parts, s.symmetric ? "symmetric" : "forward");
        problem.W = &columns;
        (void)imp_solve(&imp_model_gauss_seidel_coulomb, &problem, &s, other, NULL);
        is_vec(p, other, (int)n, 1e-10, 1e-9, "and so do the columns of G");
        problem.W = &posed.W;
        if (s.parts > 4) continue; /* Jacobi needs a damping of one over the contacts of a brick */
        s.max_sweeps = 20000;
        s.tolerance = 1e-6;
        const imp_status status = imp_solve(&imp_model_gauss_seidel_coulomb, &problem, &s, p, NULL);
        ok(status == IMP_OK && natural_error(&problem, p) <= 1.001e-6, "and arrive at a solution");
    }
    imp_blocks_settings s = imp_blocks_presets;
    s.tolerance = 1e-8;
    imp_problem problem = posed.problem;
    problem.W = &free_of_blocks;
    ok(imp_solve(&imp_model_auto, &problem, &s, p, NULL) == IMP_OK &&
           natural_error(&problem, p) <= 1.001e-8,
       "auto without blocks");
    imp_sparse_clear(&unit);
    imp_sparse_clear(&G);
    free(p);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&pile);
}

/* Weighted Jacobi from its definition: every contact solved by itself from the same velocities,
 * then damped. */
static void test_jacobi(void) {
    const gen_many g = gen_bodies(91, 6);
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
    imp_blocks_settings s = imp_blocks_presets, one = imp_blocks_presets;
    double p[18], want[18], u[18], before[18] = {0};
    s.parts = 6;
    s.blend = 0.4;
    for (int sweep = 1; sweep <= 3; sweep++) {
        imp_operator_apply(&W, before, g.q, u);
        for (int c = 0; c < 6; c++) {
            double A[9], v[3], alone[3];
            for (int r = 0; r < 3; r++) {
                v[r] = u[3 * c + r];
                for (int k = 0; k < 3; k++) {
                    A[3 * r + k] = g.W[(3 * c + r) * 18 + 3 * c + k];
                    v[r] -= A[3 * r + k] * before[3 * c + k];
                }
            }
            const imp_operator own = imp_operator_dense(1, A);
            imp_solve(&imp_model_gauss_seidel_coulomb,
                      &(imp_problem){.nc = 1, .W = &own, .q = v, .mu = g.mu + c}, &one, alone,
                      NULL);
            for (int r = 0; r < 3; r++)
                want[3 * c + r] = before[3 * c + r] + 0.4 * (alone[r] - before[3 * c + r]);
        }
        s.max_sweeps = sweep;
        (void)imp_solve(&imp_model_gauss_seidel_coulomb, &problem, &s, p, NULL);
        memcpy(before, want, sizeof before);
    }
    is_vec(p, want, 18, 1e-12, 1e-12, "three sweeps of weighted Jacobi");
}

/* A column of 200 cubes, which bends: its slowest mode is 10^9 times as soft as W's diagonal:
 * over bodies, and by the columns of G. */
static void test_column(void) {
    enum { CUBES = 200, NC = 4 * CUBES };
    static imp_body cube[CUBES];
    static imp_contact contact[NC];
    static double q[3 * NC], mu[NC], p[3 * NC];
    for (int i = 0; i < CUBES; i++) {
        cube[i] = (imp_body){.inv_mass = 1,
                             .inv_inertia = {6, 0, 0, 0, 6, 0, 0, 0, 6},
                             .position = {0, 0, 0.5 + i},
                             .orientation = {1},
                             .velocity = {0, 0, -0.1}};
        for (int c = 4 * i; c < 4 * i + 4; c++) {
            contact[c] = (imp_contact){.a = i > 0 ? i - 1 : IMP_GROUND,
                                       .b = i,
                                       .point = {c % 2 ? 0.5 : -0.5, c / 2 % 2 ? 0.5 : -0.5, i},
                                       .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
            mu[c] = 0.5;
        }
    }
    imp_factored *W = NULL;
    bool good = imp_delassus_factored(CUBES, cube, NC, contact, &W, q) == IMP_OK;
    const imp_operator over_bodies = good ? imp_operator_factored(W) : (imp_operator){0};
    imp_sparse unit, G;
    imp_blocks *blocks = good ? imp_blocks_of(&over_bodies) : NULL;
    good = blocks && imp_sparse_unit(W->rows, &unit) == IMP_OK && by_columns(W, &G);
    if (!good) exit(1);
    const imp_assembled assembled = {*blocks, &unit, &G, &G};
    const imp_operator columns = imp_operator_assembled(&assembled);
    imp_blocks_settings settings = imp_blocks_presets;
    settings.max_sweeps = 4000;
    for (int form = 0; form < 2; form++) {
        const imp_problem problem = {
            .nc = NC, .W = form ? &columns : &over_bodies, .q = q, .mu = mu};
        imp_blocks_report report = {0};
        imp_info info = {0};
        const imp_status status = imp_blocks_auto(&problem, &settings, p, &report, &info);
        const double error = status == IMP_OK ? natural_error(&problem, p) : INFINITY;
        ok(error <= 1.001 * settings.tolerance && report.factorisations > 0,
           "a column of 200 cubes to 1e-10: %g, %d factorisations", error, report.factorisations);
    }
    imp_sparse_clear(&unit);
    imp_sparse_clear(&G);
    imp_blocks_free(blocks);
    imp_factored_free(W);
}

int main(void) {
    test_forms();
    test_jacobi();
    test_column();
    return tap_done();
}
