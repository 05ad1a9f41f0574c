/* merson.c - Runge-Kutta-Merson under GSL's contract for step types. */
#include "compliant/merson.h"

#include "compliant/step_type.h"

#include <stdlib.h>

/* The state, (6 dim): five slopes and a stage. */
static void *merson_alloc(size_t dim) {
    return malloc(6 * dim * sizeof(double));
}

static unsigned merson_order(void *state) {
    (void)state;
    return 4;
}

/* y (dim), yerr (dim) <- one step of length h from t; dydt_in may be NULL, and so may dydt_out. */
static int merson_apply(void *state, size_t dim, double t, double h, double y[], double yerr[],
                        const double dydt_in[], double dydt_out[],
                        const gsl_odeiv2_system *system) {
    /* row of the tableau: node, and the weights of the slopes so far */
    static const double node[5] = {0, 1.0 / 3, 1.0 / 3, 0.5, 1};
    static const double weight[5][4] = {
        {0}, {1.0 / 3}, {1.0 / 6, 1.0 / 6}, {1.0 / 8, 0, 3.0 / 8}, {1.0 / 2, 0, -3.0 / 2, 2}};
    static const double result[5] = {1.0 / 6, 0, 0, 2.0 / 3, 1.0 / 6};
    /* difference to the embedded formula: h/30 (2 k1 - 9 k3 + 8 k4 - k5) */
    static const double error[5] = {2.0 / 30, 0, -9.0 / 30, 8.0 / 30, -1.0 / 30};
    double *const slope = state, *const stage = slope + 5 * dim;
    for (int s = 0; s < 5; s++) {
        double *k = slope + (size_t)s * dim;
        if (s == 0 && dydt_in) {
            for (size_t i = 0; i < dim; i++)
                k[i] = dydt_in[i];
            continue;
        }
        for (size_t i = 0; i < dim; i++) {
            stage[i] = y[i];
            for (int j = 0; j < s; j++)
                stage[i] += h * weight[s][j] * slope[(size_t)j * dim + i];
        }
        const int status = GSL_ODEIV_FN_EVAL(system, t + node[s] * h, stage, k);
        if (status != GSL_SUCCESS) return status;
    }
    for (size_t i = 0; i < dim; i++) {
        double sum = 0, difference = 0;
        for (size_t s = 0; s < 5; s++) {
            sum += result[s] * slope[s * dim + i];
            difference += error[s] * slope[s * dim + i];
        }
        stage[i] = y[i] + h * sum;
        yerr[i] = h * difference;
    }
    if (dydt_out) {
        const int status = GSL_ODEIV_FN_EVAL(system, t + h, stage, dydt_out);
        if (status != GSL_SUCCESS) return status; /* y is untouched */
    }
    for (size_t i = 0; i < dim; i++)
        y[i] = stage[i];
    return GSL_SUCCESS;
}

static const gsl_odeiv2_step_type merson_type = {
    .name = "merson",
    .can_use_dydt_in = 1,
    .gives_exact_dydt_out = 1,
    .alloc = merson_alloc,
    .apply = merson_apply,
    .set_driver = step_set_driver,
    .reset = step_reset,
    .order = merson_order,
    .free = free,
};

const gsl_odeiv2_step_type *const compliant_step_merson = &merson_type;
