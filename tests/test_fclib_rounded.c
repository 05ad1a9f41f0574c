/* test_fclib_rounded.c - FCLIB files whose numbers are known to rounding: an M that is symmetric
 * but for that, rows of constraints all of which is rounding, a lone contact of singular W. */
#include "fclib_constraints.h"
#include "linear/factored.h"
#include "linear/symmetric_part.h"

static imp_sparse sparse(int rows, int columns, const double *value) {
    int row[36], column[36], count = 0;
    double kept[36];
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            if (value[columns * i + j] == 0) continue;
            row[count] = i, column[count] = j;
            kept[count++] = value[columns * i + j];
        }
    imp_sparse made;
    if (imp_sparse_from_triplets(rows, columns, count, row, column, kept, &made) != IMP_OK) abort();
    return made;
}

/* One contact, W = diag(2, 3, last), q = (-1, 1, 0), mu 0.5, beside m constraints of R and s that
 * nothing couples with it. */
static imp_fclib lone(double last, int m, const double *R, const double *s) {
    const double W[9] = {2, 0, 0, 0, 3, 0, 0, 0, last}, q[3] = {-1, 1, 0}, none[9] = {0};
    imp_fclib p = {.nc = 1, .bilateral = m, .title = strdup("lone")};
    p.W = sparse(3, 3, W);
    p.q = malloc(sizeof q);
    p.mu = calloc(1, sizeof *p.mu);
    p.mu[0] = 0.5;
    memcpy(p.q, q, sizeof q);
    if (m == 0) return p;
    p.V = sparse(3, m, none);
    p.R = sparse(m, m, R);
    p.s = malloc((size_t)m * sizeof *s);
    memcpy(p.s, s, (size_t)m * sizeof *s);
    return p;
}

/* Impulses of constraints that are 0 but for rounding, and one that is wrong. */
static void test_rows(void) {
    static const double coupled[9] = {2, 1, 0, 1, 4, 1, 0, 1, 2},
                        apart[9] = {2, 0, 0, 0, 3, 0, 0, 0, 5}, s[2][3] = {{-2, -1, 0}, {-2, 0, 0}},
                        r[3] = {0.5, -0.25, 0};
    for (int k = 0; k < 2; k++) {
        imp_fclib p = lone(3, 3, k == 0 ? coupled : apart, s[k]);
        const double good[3] = {1, 1e-17, -3e-18}, bad[3] = {1, 1e-9, 0};
        double error, missed;
        const imp_status judged = imp_fclib_judge(&p, r, good, &error),
                         again = imp_fclib_judge(&p, r, bad, &missed);
        ok(judged == IMP_OK && error < 1e-14, "constraints %s: rounding misses nothing: %.1e",
           k == 0 ? "coupled" : "apart", error);
        ok(again == IMP_OK && missed > 1e-10, "and 1e-9 N s do: %.1e", missed);
        imp_fclib_clear(&p);
    }
}

/* A row all of whose parts are rounding, beside a contact that moves alone and beside a constraint
 * alone. */
static void test_beside(void) {
    static const double R[4] = {[0] = 2, [3] = 3}, r[3] = {0.5, -0.25, 0}, none[3] = {0};
    for (int k = 0; k < 2; k++) {
        const double s[2] = {0, k == 0 ? 0 : -3};
        const double good[2] = {1e-17, k}, bad[2] = {1e-9, k};
        imp_fclib p = lone(3, k + 1, R, s);
        if (k == 1) memset(p.q, 0, sizeof none);
        double error, missed;
        const imp_status judged = imp_fclib_judge(&p, k == 0 ? r : none, good, &error),
                         again = imp_fclib_judge(&p, k == 0 ? r : none, bad, &missed);
        ok(judged == IMP_OK && error < 1e-14, "a row of rounding beside a %s misses nothing: %.1e",
           k == 0 ? "contact" : "constraint", error);
        ok(again == IMP_OK && missed > 1e-10, "and 1e-9 N s do: %.1e", missed);
        imp_fclib_clear(&p);
    }
}

/* The inertia of a body that was turned by rounded numbers. */
static void test_mass(void) {
    for (int k = 0; k < 2; k++) {
        const double off = k == 0 ? 1e-16 : 1e-9;
        const double entries[36] = {[0] = 1,    [7] = 1,    [14] = 1,    [21] = 0.4,
                                    [22] = off, [28] = 0.4, [29] = -off, [35] = 0.4};
        const double along[18] = {[0] = 1, [4] = 1, [8] = 1, [10] = 0.5, [14] = 0.5};
        imp_sparse M = sparse(6, 6, entries), H = sparse(6, 3, along), part;
        imp_factored *made;
        const imp_status status = imp_factored_new(&M, &H, &made),
                         half = imp_sparse_symmetric_part(&M, &part);
        ok(k == 0 ? status == IMP_OK && half == IMP_OK
                  : status == IMP_UNSUPPORTED && half == IMP_NOT_SYMMETRIC,
           "entries of %.0e on one side: %s", off, imp_status_text(status));
        if (half == IMP_OK)
            ok(part.value[imp_sparse_find(&part, 4, 3)] == off / 2 &&
                   part.value[imp_sparse_find(&part, 3, 4)] == off / 2,
               "half of both is on either side");
        imp_factored_free(made);
        imp_sparse_clear(&M);
        imp_sparse_clear(&H);
        imp_sparse_clear(&part);
    }
}

/* What moves along two directions only is taken by every model that takes it from bodies. */
static void test_root(void) {
    static const char *const names[] = {"plus", "newton", "drumwright", "springs", "sequential"};
    imp_fclib p = lone(0, 0, NULL, NULL);
    imp_fclib_posed posed;
    if (imp_fclib_pose(&p, &posed) != IMP_OK) abort();
    for (int m = 0; m < 5; m++) {
        double impulse[3];
        const imp_status status =
            imp_solve(imp_model_find(names[m]), &posed.problem, NULL, impulse, NULL);
        ok(status == IMP_OK && fabs(impulse[0] - 0.5) < 1e-9 && fabs(impulse[1] + 0.25) < 1e-9,
           "%s: a lone contact of rank 2: %s", names[m], imp_status_text(status));
    }
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&p);
}

/* A body that constraints hold in every direction, pushed at its contact: no impulse is the answer,
 * by models that ask what rounding hides in W too. */
static void test_stopped(void) {
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    imp_fclib p = {.nc = 1, .dof = 3, .bilateral = 3, .title = strdup("stopped")};
    p.M = sparse(3, 3, unit);
    p.H = sparse(3, 3, unit);
    p.G = sparse(3, 3, unit);
    p.f = calloc(3, sizeof *p.f);
    p.w = calloc(3, sizeof *p.w);
    p.b = calloc(3, sizeof *p.b);
    p.mu = calloc(1, sizeof *p.mu);
    p.f[0] = -1;
    imp_fclib_posed posed;
    if (imp_fclib_pose(&p, &posed) != IMP_OK) abort();
    double impulse[3];
    const imp_status status =
        imp_solve(imp_model_find("plus"), &posed.problem, NULL, impulse, NULL);
    ok(imp_operator_singular(&posed.W, 3), "nothing moves, and W says so");
    ok(status == IMP_OK && impulse[0] == 0 && impulse[1] == 0 && impulse[2] == 0,
       "and no impulse is the answer: %s", imp_status_text(status));
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&p);
}

int main(void) {
    test_rows();
    test_beside();
    test_mass();
    test_root();
    test_stopped();
    return tap_done();
}
