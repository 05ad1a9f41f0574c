/* calibrate.h - a law's own restitution, from one experiment that is the same for all laws.
 *
 * The experiment: the pair of surfaces that closes fastest in a scene meets head on, at that speed,
 * with nothing that turns and no friction, a mass of 1 kg against the ground (neither mass nor
 * stiffness matters to the outcome). It is run with compliant contact, Hunt and Crossley's
 * dissipation as in the scene. A law's own e is the one with which its answer to this impact leaves
 * at the speed of the run. Newton's, Poisson's and Stronge's definitions mean the same there, so
 * that laws with different e afterwards are laws in which e depends on the speed (PLUS). */
#ifndef SCENE_CALIBRATE_H
#define SCENE_CALIBRATE_H

#include "scene/impact.h"

typedef struct scene_experiment {
    double speed;      /* m/s, of approach; 0: nothing closes */
    double rebound;    /* speed after / speed before, of the compliant run ... */
    compliant_end end; /* ... and how that ended */
} scene_experiment;

/* Runs the experiment of the moment. Statuses of compliant_run. */
imp_status scene_experiment_run(const scene *s, const scene_moment *moment,
                                scene_experiment *experiment);

/* *e <- the restitution with which the model answers the experiment as it was measured, by
 * bisection; *off <- how far its rebound is then from the measured one (a law may not reach it:
 * PLUS below its capture speed). IMP_OK, IMP_UNSUPPORTED (the model knows no restitution, or
 * nothing closes), statuses of imp_solve. */
imp_status scene_calibrate(const scene_experiment *experiment, const imp_model *model,
                           const imp_settings *settings, double *e, double *off);

#endif
