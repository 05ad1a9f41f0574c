/* euler.c - semi-explicit Euler under GSL's contract for step types, and the Jacobian for the
 * implicit one. */
#include "compliant/euler.h"

#include "compliant/ode.h"
#include "compliant/step_type.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The state, (5 dim): two slopes, q' by the new velocities, the long step, the halfway state. */
static void *euler_alloc(size_t dim) {
    return malloc(5 * dim * sizeof(double));
}

static unsigned euler_order(void *state) {
    (void)state;
    return 1;
}

/* to (dim) <- one step of length h from `from` with its slope; drift (dim) is scratch. */
static void kick_and_drift(const compliant_ode *ode, double h, const double *from,
                           const double *slope, double *to, double *drift) {
    for (int i = ode->v; i < ode->dim; i++)
        to[i] = from[i] + h * slope[i];
    memcpy(to, from, (size_t)ode->v * sizeof *to);
    compliant_ode_drift(ode, to, drift);
    for (int i = 0; i < ode->v; i++)
        to[i] = from[i] + h * drift[i];
}

/* y (dim), yerr (dim) <- one step of length h from t; dydt_in may be NULL, and so may dydt_out. */
static int euler_apply(void *state, size_t dim, double t, double h, double y[], double yerr[],
                       const double dydt_in[], double dydt_out[], const gsl_odeiv2_system *system) {
    double *const slope = state, *const halfway = slope + dim, *const drift = slope + 2 * dim,
                  *const whole = slope + 3 * dim, *const middle = slope + 4 * dim;
    const compliant_ode *ode = system->params;
    int status = GSL_SUCCESS;
    if (dydt_in)
        memcpy(slope, dydt_in, dim * sizeof *slope);
    else
        status = GSL_ODEIV_FN_EVAL(system, t, y, slope);
    if (status != GSL_SUCCESS) return status;
    kick_and_drift(ode, h, y, slope, whole, drift);
    kick_and_drift(ode, 0.5 * h, y, slope, middle, drift);
    status = GSL_ODEIV_FN_EVAL(system, t + 0.5 * h, middle, halfway);
    if (status != GSL_SUCCESS) return status;
    kick_and_drift(ode, 0.5 * h, middle, halfway, slope, drift);
    if (dydt_out) {
        status = GSL_ODEIV_FN_EVAL(system, t + h, slope, dydt_out);
        if (status != GSL_SUCCESS) return status; /* y is untouched */
    }
    for (size_t i = 0; i < dim; i++)
        yerr[i] = slope[i] - whole[i];
    memcpy(y, slope, dim * sizeof *slope);
    return GSL_SUCCESS;
}

static const gsl_odeiv2_step_type euler_type = {
    .name = "semi-explicit-euler",
    .can_use_dydt_in = 1,
    .gives_exact_dydt_out = 1,
    .alloc = euler_alloc,
    .apply = euler_apply,
    .set_driver = step_set_driver,
    .reset = step_reset,
    .order = euler_order,
    .free = free,
};

const gsl_odeiv2_step_type *const compliant_step_semi_explicit = &euler_type;

int compliant_ode_jacobian(double t, const double y[], double *dfdy, double dfdt[], void *params) {
    compliant_ode *ode = params;
    const int dim = ode->dim;
    double *moved = ode->moved;
    memset(dfdy, 0, (size_t)dim * (size_t)dim * sizeof *dfdy);
    memcpy(moved, y, (size_t)dim * sizeof *moved);
    int status = compliant_ode_slope(t, y, dfdt, params);
    for (int j = 0; j < ode->impulse && status == GSL_SUCCESS; j++) {
        double *slope = dfdy + (size_t)j * (size_t)dim; /* a row now, a column below */
        moved[j] = y[j] + copysign(sqrt(DBL_EPSILON) * ode->unit[j], dfdt[j]);
        const double way = moved[j] - y[j];
        status = compliant_ode_slope(t, moved, slope, params);
        for (int i = 0; i < dim; i++)
            slope[i] = way != 0 ? (slope[i] - dfdt[i]) / way : 0;
        moved[j] = y[j];
    }
    for (int i = 0; i < dim; i++) {
        dfdt[i] = 0;
        for (int j = 0; j < i; j++) {
            double *lower = &dfdy[(size_t)i * (size_t)dim + (size_t)j],
                   *upper = &dfdy[(size_t)j * (size_t)dim + (size_t)i];
            const double swap = *lower;
            *lower = *upper;
            *upper = swap;
        }
    }
    return status;
}
