/* metric.c - the gate's table: every solver on fixed random problems and on the papers' cases. */
#include "benchmarks/metrics/metric_parts.h"

#include <stdio.h>

const metric_allowance metric_allowances[METRIC_KINDS] = {
    {"accuracy", 1.5, 2e-16, "the same bits are expected; half as much again for another libm"},
    {"work", 1.01, 0, "counts are exact; 1 % for another rounding of libm"},
    {"instructions", 1.03, 0, "3 % for the startup of the C library"},
};

static const struct {
    const char *name;
    metric_kind kind;
    double (*measure)(bool worse);
} listed[] = {
    {"maxdiss/spd-8/residual", METRIC_ACCURACY, metric_maxdiss_residual},
    {"maxdiss-batch/spd-8/residual", METRIC_ACCURACY, metric_batch_residual},
    {"coulomb/spd-8/residual", METRIC_ACCURACY, metric_coulomb_residual},
    {"coulomb-batch/spd-8/residual", METRIC_ACCURACY, metric_coulomb_batch_residual},
    {"darboux-stronge/free-box-5/residual", METRIC_ACCURACY, metric_darboux_residual},
    {"darboux-batch/body/residual", METRIC_ACCURACY, metric_darboux_batch_residual},
    {"darboux/reference/error", METRIC_ACCURACY, metric_darboux_error},
    {"planar-stronge/residual", METRIC_ACCURACY, metric_planar_residual},
    {"plus/bodies/residual", METRIC_ACCURACY, metric_plus_residual},
    {"auto/bodies/natural-error", METRIC_ACCURACY, metric_auto_error},
    {"drumwright/bodies/residual", METRIC_ACCURACY, metric_drumwright_residual},
    {"maxdiss/speed-box/steps", METRIC_WORK, metric_maxdiss_steps},
    {"coulomb-batch/spd-8/left", METRIC_WORK, metric_coulomb_batch_left},
    {"darboux-stronge/free-box-5/steps", METRIC_WORK, metric_darboux_steps},
    {"darboux/reference/steps", METRIC_WORK, metric_darboux_reference_steps},
    {"plus/brick/intervals", METRIC_WORK, metric_plus_intervals},
    {"plus/bodies/intervals", METRIC_WORK, metric_plus_bodies_intervals},
    {"auto/bodies/sweeps", METRIC_WORK, metric_auto_sweeps},
    {"gauss-seidel-coulomb/bodies/sweeps", METRIC_WORK, metric_coulomb_sweeps},
    {"gauss-seidel-maxdiss/bodies/sweeps", METRIC_WORK, metric_maxdiss_sweeps},
    {"drumwright/bodies/steps", METRIC_WORK, metric_drumwright_steps},
    {"anitescu/bodies/pivots", METRIC_WORK, metric_anitescu_pivots},
    {"compliant/brick/merson/evaluations", METRIC_WORK, metric_compliant_evaluations},
    {"compliant/brick/dormand-prince-8/evaluations", METRIC_WORK, metric_compliant_eighth},
    {"compliant/pendulum/merson/evaluations", METRIC_WORK, metric_pendulum_evaluations},
    {"granular/box/sweeps", METRIC_WORK, metric_granular_sweeps},
    {"step/cube-slides/error", METRIC_ACCURACY, metric_step_slide},
    {"step/cube-tumbles/energy-gain", METRIC_ACCURACY, metric_step_energy},
    {"step/cube-tumbles/iterations", METRIC_WORK, metric_step_iterations},
    {"maxdiss/speed-box/2000", METRIC_INSTRUCTIONS, metric_run_maxdiss},
    {"maxdiss-batch/speed-box/plain/40000", METRIC_INSTRUCTIONS, metric_run_batch_plain},
    {"maxdiss-batch/speed-box/avx2/40000", METRIC_INSTRUCTIONS, metric_run_batch_avx2},
    {"coulomb/speed-box/1000", METRIC_INSTRUCTIONS, metric_run_coulomb},
    {"coulomb-batch/speed-box/avx2/40000", METRIC_INSTRUCTIONS, metric_run_coulomb_batch},
    {"darboux-stronge/body/1000", METRIC_INSTRUCTIONS, metric_run_darboux},
    {"darboux-batch/body/avx2/4000", METRIC_INSTRUCTIONS, metric_run_darboux_batch},
    {"plus/brick/100", METRIC_INSTRUCTIONS, metric_run_plus},
    {"plus/four-points/300", METRIC_INSTRUCTIONS, metric_run_plus_redundant},
    {"auto/bodies-8/30", METRIC_INSTRUCTIONS, metric_run_auto},
    {"gauss-seidel-coulomb/bodies-8/sweeps-50/20", METRIC_INSTRUCTIONS, metric_run_sweeps},
    {"drumwright/bodies-8/10", METRIC_INSTRUCTIONS, metric_run_drumwright},
    {"anitescu/bodies-8/10", METRIC_INSTRUCTIONS, metric_run_anitescu},
    {"compliant/brick/merson", METRIC_INSTRUCTIONS, metric_run_compliant},
    {"compliant/cradle-64", METRIC_INSTRUCTIONS, metric_run_cradle},
    {"granular/box/steps-60", METRIC_INSTRUCTIONS, metric_run_granular},
    {"step/cube-tumbles/steps-200", METRIC_INSTRUCTIONS, metric_run_step}};

enum { LISTED = sizeof listed / sizeof *listed, MOST_MODELS = 64, EACH = 4, NAME = 64 };

static const struct {
    const char *what;
    metric_kind kind;
    double (*measure)(const imp_model *model, bool worse);
} of_model[EACH] = {{"residual", METRIC_ACCURACY, metric_model_residual},
                    {"unsolved", METRIC_WORK, metric_model_unsolved},
                    {"work", METRIC_WORK, metric_model_work},
                    {"solve", METRIC_INSTRUCTIONS, metric_run_model}};

const metric *metric_table(void) {
    static metric table[LISTED + EACH * MOST_MODELS + 1];
    static char names[EACH * MOST_MODELS][NAME];
    int count = 0;
    if (table[0].name) return table;
    for (int i = 0; i < LISTED; i++)
        table[i] = (metric){listed[i].name, listed[i].kind, listed[i].measure, NULL, NULL};
    for (const imp_model *const *m = imp_models; *m && count < EACH * MOST_MODELS; m++)
        for (int k = 0; k < EACH; k++, count++) {
            snprintf(names[count], NAME, "models/%s/%s", (*m)->name, of_model[k].what);
            table[LISTED + count] =
                (metric){names[count], of_model[k].kind, NULL, *m, of_model[k].measure};
        }
    return table;
}

double metric_measure(const metric *m, bool worse) {
    return m->model ? m->measure_model(m->model, worse) : m->measure(worse);
}
