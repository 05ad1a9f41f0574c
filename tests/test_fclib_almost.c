/* test_fclib_almost.c - global FCLIB files of constraints that almost depend on each other: what is
 * written of them. */
#include "fclib_constraints.h"

enum { CONSTRAINTS = 3 };

/* The last row differs from the first by so much. */
static imp_fclib almost(uint64_t index, double by) {
    imp_fclib p = made(index, CONSTRAINTS, false);
    const size_t last = CONSTRAINTS - 1;
    for (size_t i = 0; i < DOF; i++)
        p.G.value[DOF * last + i] = p.G.value[i] + by * p.G.value[DOF * last + i];
    p.b[last] = p.b[0] + by * p.b[last];
    return p;
}

/* A local form has the square of the rows, of which as much is lost to rounding: it is written
 * where it is a problem. */
static void test_local_form(void) {
    static const double far = 1e-4, near = 1e-6;
    bool said;
    imp_fclib p = almost(1, far);
    write_file(scratch_path("far.hdf5"), &p);
    imp_fclib_clear(&p);
    ok(said_by("convert far.hdf5 far-local.hdf5", "", &said) == 0 && !said &&
           said_by("solve --model auto -o far-solved.hdf5 far-local.hdf5", "", &said) == 0,
       "rows that differ by %g: the local form is written, and solved", far);
    p = almost(1, near);
    write_file(scratch_path("near.hdf5"), &p);
    imp_fclib_clear(&p);
    ok(said_by("solve --model auto -o near-solved.hdf5 near.hdf5", "", &said) == 0 && !said,
       "by %g: they are solved", near);
    ok(said_by("convert near.hdf5 near-local.hdf5",
               "impact: near.hdf5: local form: /fclib_local/R: rows that contradict each other",
               &said) == 2 &&
           said && access(scratch_path("near-local.hdf5"), F_OK) != 0,
       "and the local form is refused and not written");
}

static double largest(int n, const double *x) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = tap_worst(most, fabs(x[i]));
    return most;
}

/* Impulses of such rows are large, and cancel; the velocities that are written keep the rows, and u
 * is theirs, as if there were none. */
static void test_motion(void) {
    enum { DRAWS = 10 };
    double rows_off = 0, u_off = 0, momentum_off = 0;
    for (uint64_t k = 0; k < DRAWS; k++) {
        imp_fclib p = almost(k, 1e-8);
        double v[DOF], u[ROWS], l[CONSTRAINTS], rows[CONSTRAINTS], own[ROWS], left[DOF];
        p.solution = malloc(ROWS * sizeof *p.solution);
        for (int i = 0; i < ROWS; i++)
            p.solution[i] = i % 3 ? 0.125 : 1;
        write_file(scratch_path("motion.hdf5"), &p);
        read_solution(scratch_path("motion.hdf5"), "v", DOF, v);
        read_solution(scratch_path("motion.hdf5"), "u", ROWS, u);
        read_solution(scratch_path("motion.hdf5"), "l", CONSTRAINTS, l);
        memcpy(rows, p.b, sizeof rows);
        memcpy(own, p.w, sizeof own);
        imp_sparse_multiply_transposed(&p.G, v, rows);
        imp_sparse_multiply_transposed(&p.H, v, own);
        memcpy(left, p.f, sizeof left);
        imp_sparse_multiply(&p.H, p.solution, left);
        imp_sparse_multiply(&p.G, l, left);
        for (int i = 0; i < DOF; i++)
            left[i] -= p.M.value[i] * v[i];
        for (int i = 0; i < ROWS; i++)
            own[i] -= u[i];
        rows_off = tap_worst(rows_off, largest(CONSTRAINTS, rows));
        u_off = tap_worst(u_off, largest(ROWS, own));
        momentum_off = tap_worst(momentum_off, largest(DOF, left) / largest(CONSTRAINTS, l));
        imp_fclib_clear(&p);
    }
    note("rows %.1e, u %.1e, momentum %.1e", rows_off, u_off, momentum_off);
    ok(rows_off < 1e-14, "G'v + b = 0 of what is written");
    ok(u_off < 1e-14, "u = H'v + w");
    ok(momentum_off < 1e-14, "M v = H r + G l + f, beside l");
}

int main(void) {
    test_motion();
    test_local_form();
    return tap_done();
}
