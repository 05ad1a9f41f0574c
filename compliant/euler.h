/* euler.h - Euler's methods with variable step, as GSL step types for the compliant motion.
 *
 * Source: Uchida, Sherman, Delp (2015), section 4d: implicit and semi-explicit first-order Euler
 * integrators beside error-controlled Runge-Kutta. The implicit one is GSL's rk1imp, Newton's
 * method with the Jacobian below; both estimate their error by a step twice as long. */
#ifndef COMPLIANT_EULER_H
#define COMPLIANT_EULER_H

#include <gsl/gsl_odeiv2.h>

/* Semi-explicit (symplectic) Euler: velocities by the forces at the start, then positions by the
 * new velocities. A step is two of half the length; its distance from one whole step is the error,
 * which is not used to improve the result (Hairer, Norsett, Wanner 2008, section II.4). Springs,
 * impulses and energies go with the slope at the start. Two force evaluations a step; the
 * system's params are a compliant_ode. */
extern const gsl_odeiv2_step_type *const compliant_step_semi_explicit;

/* The Jacobian of compliant_ode_slope under GSL's contract, by one-sided differences, towards
 * where the state goes, as at a touch forces begin there: an evaluation for each of positions,
 * velocities and springs, and one more. dfdt is zero: parts asleep touch nothing. */
int compliant_ode_jacobian(double t, const double y[], double *dfdy, double dfdt[], void *params);

#endif
