/* metric_one.c - one contact, and the compliant runs it is compared with: residuals, steps, force
 * evaluations. */
#include "benchmarks/metrics/metric_parts.h"

#include "benchmarks/experiments/one.h"
#include "benchmarks/harness/impact_rows.h"
#include "base/worse.h"
#include "compliant/merson.h"
#include "scene/impact.h"
#include "generators/gen.h"
#include "generators/gen_impacts.h"
#include "generators/gen_uchida.h"

#include <math.h>

static void blemish(double *p, int n, bool worse) {
    for (int i = 0; i < n && worse; i++)
        p[i] *= 1 + 1e-6;
}

/* What a solver of one contact did over the first `count` problems of a class; infinite where it
 * does not solve one. */
typedef struct tally {
    double worst;  /* certificate residual */
    double effort; /* sum of info.iterations */
} tally;

static tally one_contact_tally(const imp_model *model, gen_class class, int count, bool worse) {
    tally t = {0, 0};
    for (int k = 0; k < count; k++) {
        const gen_problem g = gen_make(class, (uint64_t)k);
        const one_contact c = {.W = {g.W[0], g.W[1], g.W[2], g.W[3], g.W[4], g.W[5]},
                               .q = {g.q[0], g.q[1], g.q[2]},
                               .mu = g.mu};
        const double W[9] = {g.W[0], g.W[1], g.W[2], g.W[1], g.W[3],
                             g.W[4], g.W[2], g.W[4], g.W[5]};
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &op, .q = g.q, .mu = &g.mu};
        double p[3];
        imp_info info = {0};
        if (imp_solve(model, &problem, NULL, p, &info) != IMP_OK)
            return (tally){INFINITY, INFINITY};
        blemish(p, 3, worse);
        t.worst = imp_worse(t.worst, one_certify(&c, 0, model->law, p).worst);
        t.effort += (worse ? 2 : 1) * info.iterations;
    }
    return t;
}

double metric_maxdiss_residual(bool worse) {
    return one_contact_tally(&imp_model_maxdiss, GEN_SPD_8, 5000, worse).worst;
}

double metric_maxdiss_steps(bool worse) {
    return one_contact_tally(&imp_model_maxdiss, GEN_SPEED_BOX, 5000, worse).effort;
}

double metric_coulomb_residual(bool worse) {
    return one_contact_tally(&imp_model_coulomb, GEN_SPD_8, 5000, worse).worst;
}

/* The closed forms in the plane: residual of the spatial process' law. */
double metric_planar_residual(bool worse) {
    double worst = 0;
    for (uint64_t k = 0; k < 2000; k++) {
        const gen_problem g = gen_impact(GEN_IMPACT_PLANAR, k);
        gen_dense dense;
        imp_certificate c;
        double p[3];
        gen_dense_of(&g, &dense);
        if (imp_solve(&imp_model_planar_stronge, &dense.problem, NULL, p, NULL) != IMP_OK)
            return INFINITY;
        blemish(p, 3, worse);
        const bool known =
            imp_certify(&dense.problem, imp_model_planar_stronge.law, NULL, p, NULL, &c) == IMP_OK;
        worst = imp_worse(worst, known ? c.worst : INFINITY);
    }
    return worst;
}

double metric_darboux_residual(bool worse) {
    return one_contact_tally(&imp_model_darboux_stronge, GEN_FREE_BOX_5, 500, worse).worst;
}

double metric_darboux_steps(bool worse) {
    return one_contact_tally(&imp_model_darboux_stronge, GEN_FREE_BOX_5, 5000, worse).effort;
}

/* PLUS on the brick at three directions steps: intervals. */
double metric_plus_intervals(bool worse) {
    static const double theta[3] = {0.01, 0.15, 0.25}, v[3] = {-5, 0, -5.74};
    const uchida_scene s = uchida_vertex(0.325, 0.373, v);
    const imp_operator W = imp_operator_dense(1, s.W);
    const imp_problem problem = {.nc = 1, .W = &W, .q = s.q, .mu = s.mu, .e = s.e};
    int intervals = 0;
    for (int k = 0; k < 3; k++) {
        imp_plus_settings settings = imp_plus_settings_default();
        imp_info info = {0};
        double p[3];
        settings.theta_max = theta[k];
        if (imp_solve(&imp_model_plus, &problem, &settings, p, &info) != IMP_OK) return INFINITY;
        intervals += (worse ? 2 : 1) * info.intervals;
    }
    return intervals;
}

/* Darboux-Keller against the reference impacts: the worst distance over max(1, condition), and all
 * steps. */
static double reference(bool error, bool worse) {
    static impact_row rows[IMPACT_ROWS];
    const int count = impact_rows_read("reference/data/mirtich_darboux.tsv", rows, IMPACT_ROWS);
    double worst = count > 0 ? 0 : INFINITY, all = count > 0 ? 0 : INFINITY;
    for (int i = 0; i < count; i++) {
        impact_answer answer;
        int steps = 0;
        const bool solved =
            impact_by_library(&rows[i].problem, rows[i].law, &answer, &steps) == IMP_OK;
        const double off = impact_distance(rows[i].problem.q, &answer, &rows[i].answer) /
                           fmax(1, rows[i].condition);
        worst = imp_worse(worst, solved ? off : INFINITY);
        all += steps;
    }
    return error ? worst + (worse ? 1e-6 : 0) : (worse ? 2 : 1) * all;
}

double metric_darboux_error(bool worse) {
    return reference(true, worse);
}

double metric_darboux_reference_steps(bool worse) {
    return reference(false, worse);
}

/* Force evaluations of one compliant scene from its first touch on. */
static double evaluations_of(const scene *s, const gsl_odeiv2_step_type *stepper, double accuracy) {
    compliant_settings settings = s->run;
    compliant_result result;
    scene_moment moment;
    scene_outcome outcome;
    double evaluations = INFINITY;
    settings.stepper = stepper;
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

/* All variants of a scene. */
static double evaluations(const char *path, const gsl_odeiv2_step_type *stepper, double accuracy) {
    scene_file file;
    imp_error error;
    double sum = 0;
    if (scene_open(path, &file, &error) != IMP_OK) return INFINITY;
    for (int variant = 0; variant < file.variants; variant++) {
        scene s;
        if (scene_build(&file, variant, &s, &error) != IMP_OK)
            sum = INFINITY;
        else {
            sum += evaluations_of(&s, stepper, accuracy);
            scene_clear(&s);
        }
    }
    scene_close(&file);
    return sum;
}

double metric_compliant_evaluations(bool worse) {
    return evaluations("benchmarks/scenes/brick-point.json", compliant_step_merson,
                       worse ? 1e-6 : 1e-5);
}

double metric_compliant_eighth(bool worse) {
    return evaluations("benchmarks/scenes/brick-point.json", gsl_odeiv2_step_rk8pd,
                       worse ? 1e-10 : 1e-8);
}

double metric_pendulum_evaluations(bool worse) {
    return evaluations("benchmarks/scenes/pendulum.json", compliant_step_merson,
                       worse ? 1e-6 : 1e-5);
}
