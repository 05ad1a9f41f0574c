/* metric.c - the gate's metrics: every solver on fixed random problems and on the papers' cases. */
#include "benchmarks/metrics/metric.h"

#include "benchmarks/experiments/one.h"
#include "compliant/merson.h"
#include "scene/impact.h"
#include "tests/gen.h"
#include "tests/gen_impacts.h"
#include "tests/gen_uchida.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const metric_allowance metric_allowances[METRIC_KINDS] = {
    {"accuracy", 1.5, 2e-16, "the same bits are expected; half as much again for another libm"},
    {"work", 1.01, 0, "counts are exact; 1 % for another rounding of libm"},
    {"instructions", 1.03, 0, "3 % for the startup of the C library"},
};

static void blemish(double *p, int n, bool worse) {
    for (int i = 0; i < n && worse; i++)
        p[i] *= 1 + 1e-6;
}

/* What a solver of one contact did over the first `count` problems of a class. */
typedef struct tally {
    double worst;  /* certificate residual */
    double effort; /* sum of info.iterations */
} tally;

static tally one_contact_tally(const imp_model *model, gen_class class, int count, bool worse) {
    tally t = {0, 0};
    for (int k = 0; k < count; k++) {
        const gen_problem g = gen_make(class, (uint64_t)k);
        const one_contact c = {
            .W = {g.W[0], g.W[1], g.W[2], g.W[3], g.W[4], g.W[5]}, .q = {g.q[0], g.q[1], g.q[2]}, .mu = g.mu};
        const double W[9] = {g.W[0], g.W[1], g.W[2], g.W[1], g.W[3], g.W[4], g.W[2], g.W[4], g.W[5]};
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {1, &op, g.q, &g.mu, NULL};
        double p[3];
        imp_info info = {0};
        if (imp_solve(model, &problem, NULL, p, &info) != IMP_OK) continue;
        blemish(p, 3, worse);
        t.worst = fmax(t.worst, one_certify(&c, 0, model->law, p).worst);
        t.effort += (worse ? 2 : 1) * info.iterations;
    }
    return t;
}

static double maxdiss_residual(bool worse) {
    return one_contact_tally(&imp_model_maxdiss, GEN_SPD_8, 5000, worse).worst;
}

static double maxdiss_steps(bool worse) {
    return one_contact_tally(&imp_model_maxdiss, GEN_SPEED_BOX, 5000, worse).effort;
}

static double coulomb_residual(bool worse) {
    return one_contact_tally(&imp_model_coulomb, GEN_SPD_8, 5000, worse).worst;
}

static double darboux_residual(bool worse) {
    return one_contact_tally(&imp_model_darboux_stronge, GEN_FREE_BOX_5, 500, worse).worst;
}

static double darboux_steps(bool worse) {
    return one_contact_tally(&imp_model_darboux_stronge, GEN_FREE_BOX_5, 5000, worse).effort;
}

/* PLUS on the brick at three directions steps: intervals. */
static double plus_intervals(bool worse) {
    static const double theta[3] = {0.01, 0.15, 0.25}, v[3] = {-5, 0, -5.74};
    const uchida_scene s = uchida_vertex(0.325, 0.373, v);
    const imp_operator W = imp_operator_dense(1, s.W);
    const imp_problem problem = {1, &W, s.q, s.mu, s.e};
    int intervals = 0;
    for (int k = 0; k < 3; k++) {
        imp_plus_settings settings = imp_plus_settings_default();
        imp_info info = {0};
        double p[3];
        settings.theta_max = theta[k];
        imp_solve(&imp_model_plus, &problem, &settings, p, &info);
        intervals += (worse ? 2 : 1) * info.intervals;
    }
    return intervals;
}

static double plus_cone(bool worse) {
    double worst = 0;
    for (uint64_t k = 0; k < 200; k++) {
        const gen_many g = gen_bodies(k, 1 + (int)(k % 4));
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {g.nc, &W, g.q, g.mu, NULL};
        double p[3 * GEN_MOST_CONTACTS];
        imp_certificate certificate;
        if (imp_solve(&imp_model_plus, &problem, NULL, p, NULL) != IMP_OK) continue;
        for (int i = 0; i < g.nc && worse; i++)
            p[3 * i + 1] *= 1 + 1e-6;
        imp_certify(&problem, &imp_law_event, NULL, p, &certificate);
        worst = fmax(worst, certificate.worst);
    }
    return worst;
}

/* Several contacts: effort to 1e-10, counted over 300 problems of 2 to 8 contacts; unsolved ones count 1e4 each. */
static double many_effort(const imp_model *model, bool worse) {
    double effort = 0;
    for (uint64_t k = 0; k < 300; k++) {
        const gen_many g = gen_bodies(k, 2 + (int)(k % 7));
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {g.nc, &W, g.q, g.mu, NULL};
        double p[3 * GEN_MOST_CONTACTS];
        imp_info info = {0};
        const imp_status status = imp_solve(model, &problem, NULL, p, &info);
        effort += (worse ? 2 : 1) * (status == IMP_OK ? info.iterations : 1e4);
    }
    return effort;
}

static double auto_sweeps(bool worse) {
    return many_effort(&imp_model_auto, worse);
}

static double anitescu_pivots(bool worse) {
    return many_effort(&imp_model_anitescu, worse);
}

/* Force evaluations of one compliant scene from its first touch on, by Merson's method. */
static double evaluations_of(const scene *s, double accuracy) {
    compliant_settings settings = s->run;
    compliant_result result;
    scene_moment moment;
    scene_outcome outcome;
    double evaluations = INFINITY;
    settings.stepper = compliant_step_merson;
    settings.accuracy = accuracy;
    settings.history = false;
    if (scene_touch(s, &moment) != IMP_OK) return INFINITY;
    if (scene_outcome_init(&outcome, &moment) == IMP_OK) {
        if (scene_compliant(s, &moment, &settings, &outcome, &result) == IMP_OK)
            evaluations = (double)result.contact_evaluations;
        compliant_result_clear(&result);
        scene_outcome_clear(&outcome);
    }
    scene_moment_clear(&moment);
    return evaluations;
}

/* The compliant brick at accuracy 1e-5, all its friction coefficients. */
static double compliant_evaluations(bool worse) {
    scene_file file;
    imp_error error;
    double sum = 0;
    if (scene_open("benchmarks/scenes/brick-point.json", &file, &error) != IMP_OK) return INFINITY;
    for (int variant = 0; variant < file.variants; variant++) {
        scene s;
        if (scene_build(&file, variant, &s, &error) != IMP_OK)
            sum = INFINITY;
        else {
            sum += evaluations_of(&s, worse ? 1e-6 : 1e-5);
            scene_clear(&s);
        }
    }
    scene_close(&file);
    return sum;
}

/* Kernels whose instructions are counted: a fixed number of solves, and nothing else worth counting. */
static double run_maxdiss(bool worse) {
    double sum = 0, p[3];
    for (uint64_t k = 0; k < (worse ? 4000 : 2000); k++) {
        const gen_problem g = gen_make(GEN_SPEED_BOX, k);
        imp_maxdiss(g.W, g.q, g.mu, 0, p, NULL);
        sum += p[0];
    }
    return sum;
}

/* Columns of problems for the batch solver, which is told how many lanes to use: valgrind knows no AVX-512. */
enum { BATCH = 2000 };

typedef struct batch {
    double W[6][BATCH], q[3][BATCH], mu[BATCH], e[BATCH], p[3][BATCH], residual[BATCH];
    imp_status status[BATCH];
    imp_batch_columns columns;
} batch;

static void batch_put(batch *b, int i, const gen_problem *g) {
    for (int k = 0; k < 6; k++)
        b->W[k][i] = g->W[k];
    for (int k = 0; k < 3; k++)
        b->q[k][i] = g->q[k];
    b->mu[i] = g->mu;
    b->e[i] = g->e;
}

static batch *batch_room(void) {
    static batch b;
    b.columns = (imp_batch_columns){.mu = b.mu, .e = b.e, .residual = b.residual, .status = b.status};
    for (int k = 0; k < 6; k++)
        b.columns.W[k] = b.W[k];
    for (int k = 0; k < 3; k++) {
        b.columns.q[k] = b.q[k];
        b.columns.p[k] = b.p[k];
    }
    return &b;
}

static const batch *batch_of(gen_class class) {
    batch *b = batch_room();
    b->columns.e = NULL;
    for (int i = 0; i < BATCH; i++) {
        const gen_problem g = gen_make(class, (uint64_t)i);
        batch_put(b, i, &g);
    }
    return b;
}

static const batch *batch_of_impacts(void) {
    batch *b = batch_room();
    for (int i = 0; i < BATCH; i++) {
        const gen_problem g = gen_impact(GEN_IMPACT_BODY, (uint64_t)i);
        batch_put(b, i, &g);
    }
    return b;
}

static double worst_of_batch(const batch *b, imp_status status, bool worse) {
    double worst = status == IMP_OK ? 0 : INFINITY;
    for (int i = 0; i < BATCH; i++)
        worst = fmax(worst, b->status[i] == IMP_OK ? b->residual[i] : INFINITY);
    return worse ? worst + 1e-6 : worst;
}

static double batch_residual(bool worse) {
    const batch *b = batch_of(GEN_SPD_8);
    return worst_of_batch(b, imp_maxdiss_batch(&b->columns, BATCH, NULL), worse);
}

static double darboux_batch_residual(bool worse) {
    const batch *b = batch_of_impacts();
    return worst_of_batch(b, imp_darboux_batch(&b->columns, IMP_STRONGE, BATCH, NULL), worse);
}

static double run_batch(int lanes, bool worse) {
    const batch *b = batch_of(GEN_SPEED_BOX);
    const imp_batch_settings settings = {.lanes = imp_batch_lanes(lanes), .threads = 1};
    for (int k = 0; k < (worse ? 40 : 20); k++)
        (void)imp_maxdiss_batch(&b->columns, BATCH, &settings);
    return b->p[0][0];
}

static double run_batch_plain(bool worse) {
    return run_batch(1, worse);
}

static double run_batch_avx2(bool worse) {
    return run_batch(4, worse);
}

static double run_darboux_batch(bool worse) {
    const batch *b = batch_of_impacts();
    const imp_batch_settings settings = {.lanes = imp_batch_lanes(4), .threads = 1};
    for (int k = 0; k < (worse ? 4 : 2); k++)
        (void)imp_darboux_batch(&b->columns, IMP_STRONGE, BATCH, &settings);
    return b->p[0][0];
}

static double run_coulomb(bool worse) {
    double sum = 0;
    for (uint64_t k = 0; k < (worse ? 2000 : 1000); k++) {
        const gen_problem g = gen_make(GEN_SPEED_BOX, k);
        imp_coulomb_set set;
        if (imp_coulomb_enumerate(g.W, g.q, g.mu, &set) == IMP_OK) sum += set.solution[0].energy;
    }
    return sum;
}

static double run_darboux(bool worse) {
    double sum = 0, p[3];
    for (uint64_t k = 0; k < (worse ? 600 : 300); k++) {
        const gen_problem g = gen_impact(GEN_IMPACT_BODY, k);
        imp_darboux(g.W, g.q, g.mu, g.e, IMP_STRONGE, p, NULL, NULL);
        sum += p[0];
    }
    return sum;
}

static double run_plus(bool worse) {
    double sum = 0;
    for (int k = 0; k < (worse ? 200 : 100); k++)
        sum += plus_intervals(false);
    return sum;
}

static double run_auto(bool worse) {
    double sum = 0;
    for (uint64_t k = 0; k < (worse ? 60 : 30); k++) {
        const gen_many g = gen_bodies(k, 8);
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {g.nc, &W, g.q, g.mu, NULL};
        double p[3 * GEN_MOST_CONTACTS];
        imp_model_auto.solve(&problem, &(imp_blocks_settings){.tolerance = 1e-8, .max_sweeps = 1e4}, p, NULL,
                             &(imp_info){0});
        sum += p[0];
    }
    return sum;
}

const metric metrics[] = {{"maxdiss/spd-8/residual", METRIC_ACCURACY, maxdiss_residual},
                          {"maxdiss-batch/spd-8/residual", METRIC_ACCURACY, batch_residual},
                          {"coulomb/spd-8/residual", METRIC_ACCURACY, coulomb_residual},
                          {"darboux-stronge/free-box-5/residual", METRIC_ACCURACY, darboux_residual},
                          {"darboux-batch/body/residual", METRIC_ACCURACY, darboux_batch_residual},
                          {"plus/bodies/residual", METRIC_ACCURACY, plus_cone},
                          {"maxdiss/speed-box/steps", METRIC_WORK, maxdiss_steps},
                          {"darboux-stronge/free-box-5/steps", METRIC_WORK, darboux_steps},
                          {"plus/brick/intervals", METRIC_WORK, plus_intervals},
                          {"auto/bodies/sweeps", METRIC_WORK, auto_sweeps},
                          {"anitescu/bodies/pivots", METRIC_WORK, anitescu_pivots},
                          {"compliant/brick/evaluations", METRIC_WORK, compliant_evaluations},
                          {"maxdiss/speed-box/2000", METRIC_INSTRUCTIONS, run_maxdiss},
                          {"maxdiss-batch/speed-box/plain/40000", METRIC_INSTRUCTIONS, run_batch_plain},
                          {"maxdiss-batch/speed-box/avx2/40000", METRIC_INSTRUCTIONS, run_batch_avx2},
                          {"coulomb/speed-box/1000", METRIC_INSTRUCTIONS, run_coulomb},
                          {"darboux-stronge/body/300", METRIC_INSTRUCTIONS, run_darboux},
                          {"darboux-batch/body/avx2/4000", METRIC_INSTRUCTIONS, run_darboux_batch},
                          {"plus/brick/100", METRIC_INSTRUCTIONS, run_plus},
                          {"auto/bodies-8/30", METRIC_INSTRUCTIONS, run_auto},
                          {0}};
