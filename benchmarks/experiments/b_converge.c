/* b_converge.c - residual against sweeps on five kinds of problems: plain sweeps, symmetric sweeps,
 * Jacobi, auto. */
#include "base/worse.h"
#include "generators/piles.h"
#include "benchmarks/harness/report.h"
#include "impact.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 16, METHODS = 4, CONTACTS = 150 };

static const double asked = 1e-12; /* the error at which a solve ends */

static const char *const methods[METHODS] = {"gauss-seidel", "symmetric", "jacobi", "auto"};

/* The larger natural-map error after so many sweeps (auto: their equivalent in work). */
static double error_after(const imp_problem *problem, int method, double sweeps, double *p) {
    imp_blocks_settings s = imp_blocks_presets;
    double field, scale_free;
    s.tolerance = asked;
    s.max_sweeps = sweeps;
    s.symmetric = method == 1;
    s.parts = method == 2 ? 1e9 : 1;
    s.blend = 0.25; /* 0.75 diverges where a body has many contacts */
    const imp_model *model = method == 3 ? &imp_model_auto : &imp_model_gauss_seidel_coulomb;
    if (imp_solve(model, problem, &s, p, NULL) < 0) return NAN;
    imp_natural_error(problem, p, &field, &scale_free);
    return imp_worse(field, scale_free);
}

/* Where all methods are after the last of the sweeps; counts who has got there. */
static void end_row(report *r, pile_kind kind, int contacts, const double last[METHODS],
                    int solved[METHODS]) {
    for (int m = 0; m < METHODS; m++)
        solved[m] += last[m] <= asked;
    report_at_most(
        r, OWN_BOUND,
        report_text(r, "%s: error of auto after the work of 100 000 sweeps", pile_name(kind)),
        asked, last[METHODS - 1],
        report_text(r, "%d contacts; plain sweeps %.1e, symmetric %.1e, Jacobi %.1e", contacts,
                    last[0], last[1], last[2]));
}

static void one_kind(report *r, report_rows *table, pile_kind kind, int solved[METHODS]) {
    imp_fclib global;
    imp_fclib_posed posed = {0};
    if (pile_make(kind, 7, CONTACTS, &global) != IMP_OK) return;
    const bool stated = imp_fclib_pose(&global, &posed) == IMP_OK;
    double *p = malloc(3 * (size_t)global.nc * sizeof *p), last[METHODS] = {0};
    if (stated && p) {
        for (int m = 0; m < METHODS; m++)
            for (int k = 0; k < POINTS; k++) {
                const double sweeps = floor(pow(10, 5.0 * k / (POINTS - 1)) + 0.5);
                last[m] = error_after(&posed.problem, m, sweeps, p);
                report_cells(table, IMP_TEXT(pile_name(kind)), IMP_TEXT(methods[m]),
                             IMP_NUMBER(sweeps), IMP_NUMBER(last[m]));
            }
        end_row(r, kind, global.nc, last, solved);
    }
    free(p);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&global);
}

static void run(report *r) {
    report_rows *table = report_table(r, "b_converge", "kind\tmethod\tsweeps:6\terror:4");
    int solved[METHODS] = {0};
    for (int kind = 0; kind < PILE_KINDS; kind++)
        one_kind(r, table, (pile_kind)kind, solved);
    bool alone = true; /* each of the others gets there on some, or it is not itself */
    for (int m = 0; m < METHODS - 1; m++)
        alone = alone && solved[m] > 0 && solved[m] < PILE_KINDS;
    report_judge(r, OWN_BOUND, "problems solved to 1e-12 by then: auto; plain, symmetric, Jacobi",
                 "all; some, not all",
                 report_text(r, "%d; %d, %d, %d", solved[3], solved[0], solved[1], solved[2]), "",
                 solved[3] == PILE_KINDS && alone, NULL);
    report_figure(
        r, "b_converge",
        "auto alone gets to 1e-12 on every problem within the work of 100 000 sweeps; before it "
        "is there others can be ahead of it, as plain sweeps on the spheres. The larger of both "
        "natural-map errors against sweeps, for spheres in layers, a wall in running bond, a bin "
        "of mixed bodies, a hit chain of spheres and stacked tables. auto counts its "
        "factorisations as the sweeps they cost.");
}

const experiment experiment_b_converge = {
    "B-Converge", "Residual against sweeps, five kinds of problems",
    "Gauss-Seidel is quick to a few digits and slow from there on; a number of sweeps says nothing "
    "without a residual.",
    run};
