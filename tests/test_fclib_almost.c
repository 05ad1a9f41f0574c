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

int main(void) {
    test_local_form();
    return tap_done();
}
