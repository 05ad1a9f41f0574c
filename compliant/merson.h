/* merson.h - the Runge-Kutta-Merson method as a GSL step type: order 4 from five evaluations, with
 * an error estimate (Hairer, Norsett, Wanner 2008, table II.4.1), the integrator of Uchida,
 * Sherman, Delp (2015). */
#ifndef COMPLIANT_MERSON_H
#define COMPLIANT_MERSON_H

#include <gsl/gsl_odeiv2.h>

extern const gsl_odeiv2_step_type *const compliant_step_merson;

#endif
