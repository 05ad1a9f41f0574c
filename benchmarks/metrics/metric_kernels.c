/* metric_kernels.c - what valgrind counts the instructions of: a fixed number of solves, nothing
 * else worth counting.
 */
#include "benchmarks/harness/box_of_spheres.h"
#include "benchmarks/harness/cradle.h"
#include "benchmarks/metrics/metric_parts.h"

#include "impact.h"
#include "generators/gen.h"
#include "generators/gen_impacts.h"
#include "generators/gen_uchida.h"

#include <math.h>

/* Each problem is solved ten times, so that what is counted is not the making of problems. What a
 * run gives is a number, or NAN where one is not solved. */
enum { TIMES = 10 };

double metric_run_maxdiss(bool worse) {
    double sum = 0, p[3];
    for (uint64_t k = 0; k < 200; k++) {
        const gen_problem g = gen_make(GEN_SPEED_BOX, k);
        for (int n = 0; n < (worse ? 2 * TIMES : TIMES); n++) {
            sum += imp_maxdiss(g.W, g.q, g.mu, 0, p, NULL) == IMP_OK ? p[0] : NAN;
        }
    }
    return sum;
}

double metric_run_coulomb(bool worse) {
    double sum = 0;
    for (uint64_t k = 0; k < 100; k++) {
        const gen_problem g = gen_make(GEN_SPEED_BOX, k);
        for (int n = 0; n < (worse ? 2 * TIMES : TIMES); n++) {
            imp_coulomb_set set;
            const imp_status status = imp_coulomb_enumerate(g.W, g.q, g.mu, &set);
            sum += status == IMP_OK ? set.solution[0].energy : NAN;
        }
    }
    return sum;
}

double metric_run_darboux(bool worse) {
    double sum = 0, p[3];
    for (uint64_t k = 0; k < 100; k++) {
        const gen_problem g = gen_impact(GEN_IMPACT_BODY, k);
        for (int n = 0; n < (worse ? 2 * TIMES : TIMES); n++) {
            const imp_status status = imp_darboux(g.W, g.q, g.mu, g.e, IMP_STRONGE, p, NULL, NULL);
            sum += status == IMP_OK ? p[0] : NAN;
        }
    }
    return sum;
}

double metric_run_plus(bool worse) {
    double sum = 0;
    for (int k = 0; k < (worse ? 200 : 100); k++)
        sum += metric_plus_intervals(false);
    return sum;
}

/* A brick on its four vertices: twelve equations of which six are independent, and impulses that
 * leave the cones. */
double metric_run_plus_redundant(bool worse) {
    static const double half[3] = {0.3, 0.4, 0.2};
    imp_plus_settings settings = imp_plus_settings_default();
    settings.theta_max = 0.15;
    double sum = 0;
    for (uint64_t k = 0; k < (worse ? 600 : 300); k++) {
        const uchida_scene s = uchida_moving(half, k);
        const imp_operator W = imp_operator_dense(s.nc, s.W);
        const imp_problem problem = {.nc = s.nc, .W = &W, .q = s.q, .mu = s.mu, .e = s.e};
        double p[UCHIDA_ROWS] = {0};
        const imp_status status = imp_solve(&imp_model_plus, &problem, &settings, p, NULL);
        sum += status == IMP_OK ? p[0] : NAN;
    }
    return sum;
}

/* Problems of eight contacts by one model; `unfinished`: it need not converge. */
static double run_many(const imp_model *model, const void *settings, bool unfinished, int problems,
                       bool worse) {
    double sum = 0;
    for (uint64_t k = 0; k < (uint64_t)(worse ? 2 * problems : problems); k++) {
        const gen_many g = gen_bodies(k, 8);
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
        double p[3 * GEN_MOST_CONTACTS] = {0};
        const imp_status status = imp_solve(model, &problem, settings, p, NULL);
        sum += status == IMP_OK || (unfinished && status == IMP_NOT_CONVERGED) ? p[0] : NAN;
    }
    return sum;
}

double metric_run_auto(bool worse) {
    imp_blocks_settings settings = imp_blocks_presets;
    settings.tolerance = 1e-8;
    return run_many(&imp_model_auto, &settings, false, 30, worse);
}

/* Fifty sweeps, whatever they reach. */
double metric_run_sweeps(bool worse) {
    imp_blocks_settings settings = imp_blocks_presets;
    settings.tolerance = 1e-15;
    settings.max_sweeps = 50;
    return run_many(&imp_model_gauss_seidel_coulomb, &settings, true, 20, worse);
}

double metric_run_drumwright(bool worse) {
    return run_many(&imp_model_drumwright, NULL, false, 10, worse);
}

double metric_run_anitescu(bool worse) {
    return run_many(&imp_model_anitescu, NULL, false, 10, worse);
}

double metric_run_compliant(bool worse) {
    return metric_compliant_evaluations(worse);
}

/* Sixty-four balls, touching: what the wave has not reached sleeps, and what it has left. */
double metric_run_cradle(bool worse) {
    cradle c;
    const bool good = cradle_make(&c, worse ? 100 : 64, 0, 1) && cradle_run(&c) == IMP_OK;
    cradle_clear(&c);
    return good ? c.momentum : (double)NAN;
}

/* Sixty steps of ten sweeps, on the path without AVX-512. */
double metric_run_granular(bool worse) {
    imp_granular_settings settings = imp_granular_settings_default();
    settings.step = 1e-4;
    settings.sweeps = worse ? 20 : 10;
    settings.simd = false;
    imp_granular *flow = box_of_spheres(&settings, BOX_SIDE);
    int done = 0;
    while (flow && done < 60 && imp_granular_step(flow, NULL) >= 0)
        done++;
    imp_granular_free(flow);
    return done == 60 ? 0 : (double)NAN;
}
