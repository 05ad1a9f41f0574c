/* metric_many.c - several contacts: residuals, sweeps, pivots, interior-point steps; sweeps of a
 * granular flow. */
#include "benchmarks/harness/box_of_spheres.h"
#include "benchmarks/metrics/metric_parts.h"
#include "base/worse.h"

#include "impact.h"
#include "generators/gen.h"

#include <math.h>

enum { PROBLEMS = 300, UNSOLVED = 10000 };

/* What a model did over problems of 2 to 8 contacts of bodies at random. */
typedef struct tally {
    double residual; /* the worst of its certificate, of what it solved */
    double natural;  /* the worst error of the natural map, of what it solved */
    double effort;   /* sum of iterations and intervals; an unsolved problem counts UNSOLVED */
} tally;

static tally many(const imp_model *model, const imp_law *law, const void *settings, int problems,
                  bool worse) {
    tally t = {0, 0, 0};
    for (uint64_t k = 0; k < (uint64_t)problems; k++) {
        const gen_many g = gen_bodies(k, 2 + (int)(k % 7));
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
        double p[3 * GEN_MOST_CONTACTS], field, scale_free;
        imp_info info = {0};
        imp_certificate c;
        imp_path path = {0};
        const bool solved =
            imp_solve_certified(model, &problem, settings, p, &path, NULL, &info) == IMP_OK;
        t.effort += (worse ? 2 : 1) * (solved ? info.iterations + info.intervals : UNSOLVED);
        for (int i = 0; i < g.nc && worse; i++)
            p[3 * i + 1] *= 1 + 1e-6;
        if (solved)
            t.residual = imp_worse(
                t.residual,
                imp_certify(&problem, law, NULL, p, &path, &c) == IMP_OK ? c.worst : INFINITY);
        imp_path_clear(&path);
        if (!solved) continue;
        imp_natural_error(&problem, p, &field, &scale_free);
        t.natural = imp_worse(t.natural, scale_free);
    }
    return t;
}

double metric_plus_residual(bool worse) {
    return many(&imp_model_plus, &imp_law_plus, NULL, PROBLEMS, worse).residual;
}

double metric_plus_bodies_intervals(bool worse) {
    return many(&imp_model_plus, &imp_law_plus, NULL, PROBLEMS, worse).effort;
}

double metric_auto_error(bool worse) {
    return many(&imp_model_auto, imp_model_auto.law, NULL, PROBLEMS, worse).natural;
}

double metric_auto_sweeps(bool worse) {
    return many(&imp_model_auto, imp_model_auto.law, NULL, PROBLEMS, worse).effort;
}

/* Plain sweeps are slow to the last digits: to 1e-6. */
static double sweeps(const imp_model *model, bool worse) {
    imp_blocks_settings settings = imp_blocks_presets;
    settings.tolerance = 1e-6;
    settings.max_sweeps = UNSOLVED;
    return many(model, model->law, &settings, PROBLEMS, worse).effort;
}

double metric_coulomb_sweeps(bool worse) {
    return sweeps(&imp_model_gauss_seidel_coulomb, worse);
}

double metric_maxdiss_sweeps(bool worse) {
    return sweeps(&imp_model_gauss_seidel_maxdiss, worse);
}

double metric_drumwright_residual(bool worse) {
    return many(&imp_model_drumwright, &imp_law_convex, NULL, PROBLEMS / 3, worse).residual;
}

double metric_drumwright_steps(bool worse) {
    return many(&imp_model_drumwright, &imp_law_convex, NULL, PROBLEMS, worse).effort;
}

double metric_anitescu_pivots(bool worse) {
    return many(&imp_model_anitescu, imp_model_anitescu.law, NULL, PROBLEMS, worse).effort;
}

/* A box of spheres that fall, collide and settle: sweeps of 400 steps, each to a residual of
 * 0.01. */
double metric_granular_sweeps(bool worse) {
    imp_granular_settings settings = imp_granular_settings_default();
    settings.step = 1e-4;
    settings.tolerance = 0.01;
    settings.sweeps = 1;
    settings.most_sweeps = 2000;
    imp_granular *flow = box_of_spheres(&settings, BOX_SIDE);
    double sweeps = 0;
    for (int k = 0; flow && k < 400; k++) {
        imp_granular_report report;
        if (imp_granular_step(flow, &report) < 0) sweeps = INFINITY;
        sweeps += report.sweeps;
    }
    sweeps = flow ? sweeps : INFINITY;
    imp_granular_free(flow);
    return worse ? 2 * sweeps : sweeps;
}
