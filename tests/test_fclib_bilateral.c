/* test_fclib_bilateral.c - FCLIB files with bilateral constraints, global (G, b) and local (V, R,
 * s): what they leave of W and q, against elimination and closed forms, and what is refused. */
#include "fclib_constraints.h"
#include "linear/dense.h"

/* u = H'v + w of M v = H r + G l + f, G'v + b = 0, the first m rows of G by elimination. */
static void by_elimination(const imp_fclib *p, int m, const double *r, double *u) {
    enum { SIZE = DOF + MOST };
    double A[SIZE * SIZE] = {0}, x[SIZE];
    const int n = DOF + m;
    memcpy(x, p->f, DOF * sizeof *x);
    imp_sparse_multiply(&p->H, r, x);
    for (int i = 0; i < DOF; i++)
        A[i * n + i] = p->M.value[i];
    for (int j = 0; j < m; j++) {
        x[DOF + j] = -p->b[j];
        for (int k = p->G.start[j]; k < p->G.start[j + 1]; k++) {
            A[(DOF + j) * n + p->G.row[k]] = -p->G.value[k];
            A[p->G.row[k] * n + DOF + j] = p->G.value[k];
        }
    }
    if (!imp_eliminate(n, A, NULL, x)) abort();
    memcpy(u, p->w, ROWS * sizeof *u);
    imp_sparse_multiply_transposed(&p->H, x, u);
}

static void test_elimination(void) {
    double worst = 0;
    int good = 0;
    for (uint64_t k = 0; k < 30; k++) {
        const bool redundant = k % 2;
        const int m = 3 + (int)(k % 4);
        imp_fclib written = made(k, m, redundant), global, local;
        imp_fclib_posed posed, again;
        write_file(scratch_path("global.hdf5"), &written);
        if (read_posed(scratch_path("global.hdf5"), &global, &posed) != IMP_OK) continue;
        imp_fclib_local(&global, &local);
        write_file(scratch_path("local.hdf5"), &local);
        imp_fclib_clear(&local);
        if (read_posed(scratch_path("local.hdf5"), &local, &again) != IMP_OK) continue;
        gen_stream s = gen_seed(906, k);
        double r[ROWS], u[ROWS], want[ROWS];
        for (int i = 0; i < ROWS; i++)
            r[i] = gen_normal(&s);
        by_elimination(&written, redundant ? m - 1 : m, r, want);
        for (int form = 0; form < 2; form++) {
            const imp_problem *it = form ? &again.problem : &posed.problem;
            imp_operator_apply(it->W, r, it->q, u);
            for (int i = 0; i < ROWS; i++)
                worst = tap_worst(worst, fabs(u[i] - want[i]) / (1 + fabs(want[i])));
        }
        good += global.bilateral == m && local.bilateral == m;
        imp_fclib_posed_clear(&posed);
        imp_fclib_posed_clear(&again);
        imp_fclib_clear(&global);
        imp_fclib_clear(&local);
        imp_fclib_clear(&written);
    }
    note("off by %.1e", worst);
    ok(good == 30, "both forms are written, read and posed");
    ok(worst < 1e-11, "u = W r + q of what the constraints leave, redundant ones too");
}

/* A light mass held between heavy ones: what its contact sees of W is theirs, against the closed
 * form, where the three are one mass. */
static void test_spread(void) {
    double worst = 0, kept = 0;
    for (int decade = 0; decade <= 8; decade++) {
        const double heavy = pow(10, decade), total = 2 * heavy + 1;
        int row[12], column[12];
        double value[12], r[3] = {heavy, 0.3 * heavy, -0.2 * heavy}, u[3], l[6], error = INFINITY;
        imp_fclib p = {.nc = 1, .dof = 9, .bilateral = 6}, local;
        imp_fclib_posed posed;
        for (int i = 0; i < 9; i++) {
            row[i] = column[i] = i;
            value[i] = i / 3 == 1 ? 1 : heavy;
        }
        imp_sparse_from_triplets(9, 9, 9, row, column, value, &p.M);
        for (int k = 0; k < 12; k++) { /* v_1 - v_0, v_2 - v_1 */
            column[k] = k % 6;
            row[k] = k % 6 + (k < 6 ? 0 : 3);
            value[k] = k < 6 ? -1 : 1;
        }
        imp_sparse_from_triplets(9, 6, 12, row, column, value, &p.G);
        for (int k = 0; k < 3; k++) {
            row[k] = 3 + k;
            column[k] = k;
            value[k] = 1;
        }
        imp_sparse_from_triplets(9, 3, 3, row, column, value, &p.H);
        p.f = calloc(9, sizeof *p.f);
        p.w = calloc(3, sizeof *p.w);
        p.b = calloc(6, sizeof *p.b);
        p.mu = calloc(1, sizeof *p.mu);
        p.f[0] = -heavy;
        p.f[7] = heavy / 3;
        if (imp_fclib_pose(&p, &posed) == IMP_OK && imp_fclib_local(&p, &local) == IMP_OK) {
            imp_operator_apply(posed.problem.W, r, posed.problem.q, u);
            for (int k = 0; k < 3; k++)
                worst = tap_worst(worst, fabs(u[k] - (r[k] + p.f[k] + p.f[6 + k]) / total));
            (void)imp_fclib_constrain(&p, &local, r, l, NULL, &error);
            imp_fclib_clear(&local);
            imp_fclib_posed_clear(&posed);
        } else {
            worst = INFINITY;
        }
        kept = tap_worst(kept, error);
        imp_fclib_clear(&p);
    }
    note("off by %.1e, kept to %.1e", worst, kept);
    ok(worst < 1e-14 && kept < 1e-14, "masses up to 1e8 apart that move as one");
}

/* Rows that together hold a contact leave it nothing, not rounding, in both forms. */
static void test_held(void) {
    int nothing = 0, taken = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        gen_stream s = gen_seed(908, seed);
        imp_fclib p = made(seed, 4, false), local;
        imp_fclib_posed posed[2];
        int contact;
        for (int j = 0; j < 4; j++) { /* a mixture of u_n, u_t, u_o of contact 0, and of row 3 */
            const double of_row = gen_normal(&s);
            double *G = p.G.value + p.G.start[j], *last = p.G.value + p.G.start[3];
            p.b[j] = 0;
            for (int i = 0; i < DOF; i++)
                G[i] = j < 3 ? of_row * last[i] : last[i];
            for (int k = 0; k < 3; k++) {
                const double of = gen_normal(&s);
                G[k] -= of;
                G[3 + k] += of;
            }
        }
        if (imp_fclib_local(&p, &local) != IMP_OK || imp_fclib_pose(&p, &posed[0]) != IMP_OK ||
            imp_fclib_pose(&local, &posed[1]) != IMP_OK)
            abort();
        for (int form = 0; form < 2; form++) {
            double W[ROWS * ROWS], most = 0;
            imp_operator_write(posed[form].problem.W, W);
            for (int k = 0; k < 3 * ROWS; k++)
                most = fmax(most, fabs(W[k]));
            nothing += most == 0;
            taken += imp_problem_check(&posed[form].problem, &contact) == IMP_OK;
            imp_fclib_posed_clear(&posed[form]);
        }
        imp_fclib_clear(&local);
        imp_fclib_clear(&p);
    }
    ok(taken == 400, "%d of 400 with a contact that is held are problems", taken);
    ok(nothing == 400, "which moves it in none: %d", nothing);
}

static void test_refusals(void) {
    imp_fclib_posed posed;
    imp_fclib contradict = made(1, 4, true), near = made(1, 4, true), crooked;
    contradict.b[3] += 1e-3;
    ok(imp_fclib_pose(&contradict, &posed) == IMP_NO_SOLUTION, "rows that contradict");
    imp_fclib_local(&near, &crooked);
    near.G.value[near.G.start[3]] += 1e-10;
    ok(imp_fclib_pose(&near, &posed) == IMP_NOT_CERTIFIED, "rows that almost depend");
    for (int k = crooked.R.start[3]; k < crooked.R.start[4]; k++)
        if (crooked.R.row[k] == 3) crooked.R.value[k] *= 1 + 1e-10;
    ok(imp_fclib_pose(&crooked, &posed) == IMP_NOT_CERTIFIED, "and in R, by their squares");
    imp_fclib_clear(&crooked);
    imp_fclib_clear(&near);
    near = made(1, 4, false);
    imp_fclib_local(&near, &crooked);
    crooked.R.value[1] *= 1.001;
    ok(imp_fclib_pose(&crooked, &posed) == IMP_UNSUPPORTED, "an asymmetric R");
    for (int k = 0; k < crooked.R.start[4]; k++)
        crooked.R.value[k] *= -1;
    ok(imp_fclib_pose(&crooked, &posed) == IMP_NOT_POSITIVE, "a negative R");
    imp_fclib_clear(&crooked);
    imp_fclib_local(&near, &crooked);
    for (int k = crooked.R.start[1]; k < crooked.R.start[2]; k++)
        if (crooked.R.row[k] == 1) crooked.R.value[k] = 0;
    ok(imp_fclib_pose(&crooked, &posed) == IMP_NOT_POSITIVE, "a row of R without its diagonal");
    for (int k = 0; k < crooked.R.start[4]; k++)
        crooked.R.value[k] = 0;
    memset(crooked.s, 0, 4 * sizeof *crooked.s);
    ok(imp_fclib_pose(&crooked, &posed) == IMP_NOT_POSITIVE, "a V that R knows nothing of");
    imp_fclib_clear(&crooked);
    imp_fclib_clear(&near);
    near = made(1, 1, false);
    int row[DOF + 1] = {0}, column[DOF + 1] = {1};
    double value[DOF + 1] = {0};
    for (int i = 0; i < DOF; i++) {
        row[i + 1] = column[i + 1] = i;
        value[i + 1] = near.M.value[i];
    }
    imp_sparse_clear(&near.M);
    imp_sparse_from_triplets(DOF, DOF, DOF + 1, row, column, value, &near.M);
    near.M.value[near.M.start[1]] = 0.25;
    ok(imp_fclib_pose(&near, &posed) == IMP_NOT_SYMMETRIC,
       "an asymmetric M, though one row's R is symmetric");
    near.M.value[near.M.start[1]] = 1e-6 * near.M.value[0];
    ok(imp_fclib_pose(&near, &posed) == IMP_NOT_SYMMETRIC, "by a millionth, too");
    near.M.value[near.M.start[1]] = 0;
    ok(imp_fclib_pose(&near, &posed) == IMP_OK, "and without what makes it so it is taken");
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&near);
    imp_fclib_clear(&contradict);
}

/* Rows that are a thousandth apart are kept to rounding in the local form, too, whose R has the
 * square of it. */
static void test_near(void) {
    double worst = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        gen_stream s = gen_seed(907, seed);
        imp_fclib p = made(seed, 4, false), local;
        double r[ROWS], l[MOST], error = INFINITY, *G = p.G.value;
        for (int i = 0; i < DOF; i++)
            G[DOF + i] = G[i] + 1e-3 * G[DOF + i];
        for (int i = 0; i < ROWS; i++)
            r[i] = gen_normal(&s);
        if (imp_fclib_local(&p, &local) != IMP_OK ||
            imp_fclib_constrain(&local, &local, r, l, NULL, &error) != IMP_OK)
            abort();
        worst = tap_worst(worst, error);
        imp_fclib_clear(&local);
        imp_fclib_clear(&p);
    }
    ok(worst < 2e-15, "rows a thousandth apart: %.1e", worst);
}

int main(void) {
    test_near();
    test_elimination();
    test_spread();
    test_held();
    test_refusals();
    return tap_done();
}
