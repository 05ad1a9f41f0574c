/* step_type.h - what GSL's contract for step types asks besides the step, of types whose state is
 * scratch alone: there is nothing to reset, and nothing to learn of the driver. */
#ifndef COMPLIANT_STEP_TYPE_H
#define COMPLIANT_STEP_TYPE_H

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

static inline int step_reset(void *state, size_t dim) {
    (void)state, (void)dim;
    return GSL_SUCCESS;
}

static inline int step_set_driver(void *state, const gsl_odeiv2_driver *driver) {
    (void)state, (void)driver;
    return GSL_SUCCESS;
}

#endif
