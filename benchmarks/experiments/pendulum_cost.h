/* pendulum_cost.h - what one impact of a triple pendulum costs, and how right its sphere is
 * afterwards: by compliant contact with any integrator, and by PLUS (Uchida, Sherman, Delp 2015,
 * example 4). The impact alone is integrated by the method that is asked about, from the touch to
 * the end of the contact; the flight after it accurately. */
#ifndef PENDULUM_COST_H
#define PENDULUM_COST_H

#include "benchmarks/experiments/course.h"

/* An integrator of Fig. 15b. */
typedef struct pendulum_method {
    const char *name;
    const gsl_odeiv2_step_type *const *stepper;
    double tightest;       /* the accuracy at which a search begins */
    const char *published; /* μs at 1 % error, the authors' program; NULL: not run there */
} pendulum_method;

enum { PENDULUM_METHODS = 4 };
extern const pendulum_method pendulum_methods[PENDULUM_METHODS]; /* Merson's first */

/* m, the sphere's height 0.1 s after the touch; NaN when a run fails: with a coarse accuracy it
 * may. */
double pendulum_height(course *c, const gsl_odeiv2_step_type *stepper, double accuracy);

/* The same with PLUS for the impact. */
double pendulum_height_plus(course *c);

/* The loosest accuracy from which on all tighter ones keep to the error `most` of the height
 * `reference`, by quarter decades, and the error there; NaN: none. */
double pendulum_loosest(course *c, const pendulum_method *method, double reference, double most,
                        double *error);

/* s, least CPU time of the impact alone; NaN when it fails. */
double pendulum_time(course *c, const pendulum_method *method, double accuracy, long *evaluations);

/* The same by PLUS: the contact problem from the state, its solution, the new velocity; *solver,
 * s: the solution alone. One contact. */
double pendulum_time_plus(course *c, double *solver);

#endif
