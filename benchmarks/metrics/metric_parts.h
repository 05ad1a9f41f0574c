/* metric_parts.h - what the rows of the table in metric.c are measured by. */
#ifndef METRIC_PARTS_H
#define METRIC_PARTS_H

#include "benchmarks/metrics/metric.h"

/* metric_one.c */
double metric_maxdiss_residual(bool worse), metric_maxdiss_steps(bool worse),
    metric_coulomb_residual(bool worse), metric_darboux_residual(bool worse),
    metric_darboux_steps(bool worse), metric_darboux_error(bool worse),
    metric_darboux_reference_steps(bool worse), metric_planar_residual(bool worse),
    metric_plus_intervals(bool worse), metric_compliant_evaluations(bool worse),
    metric_compliant_eighth(bool worse), metric_pendulum_evaluations(bool worse);

/* metric_many.c */
double metric_plus_residual(bool worse), metric_auto_error(bool worse),
    metric_drumwright_residual(bool worse), metric_auto_sweeps(bool worse),
    metric_coulomb_sweeps(bool worse), metric_maxdiss_sweeps(bool worse),
    metric_drumwright_steps(bool worse), metric_anitescu_pivots(bool worse),
    metric_plus_bodies_intervals(bool worse), metric_granular_sweeps(bool worse);

enum { BOX_SIDE = 6 }; /* of the box of spheres, in spheres */

/* metric_batch.c */
double metric_batch_residual(bool worse), metric_coulomb_batch_residual(bool worse),
    metric_coulomb_batch_left(bool worse), metric_darboux_batch_residual(bool worse),
    metric_run_batch_plain(bool worse), metric_run_batch_avx2(bool worse),
    metric_run_coulomb_batch(bool worse), metric_run_darboux_batch(bool worse);

/* metric_models.c */
double metric_model_residual(const imp_model *model, bool worse),
    metric_model_unsolved(const imp_model *model, bool worse),
    metric_model_work(const imp_model *model, bool worse),
    metric_run_model(const imp_model *model, bool worse);

/* metric_step.c */
double metric_step_slide(bool worse), metric_step_energy(bool worse),
    metric_step_iterations(bool worse), metric_run_step(bool worse);

/* metric_kernels.c */
double metric_run_maxdiss(bool worse), metric_run_coulomb(bool worse),
    metric_run_darboux(bool worse), metric_run_plus(bool worse),
    metric_run_plus_redundant(bool worse), metric_run_auto(bool worse),
    metric_run_sweeps(bool worse), metric_run_drumwright(bool worse),
    metric_run_anitescu(bool worse), metric_run_compliant(bool worse),
    metric_run_cradle(bool worse), metric_run_granular(bool worse);

#endif
