/* blocks_lone.c - `auto` on a contact by itself: all its solutions by enumeration. */
#include "base/length.h"
#include "blocks/blocks_internal.h"
#include "single/single.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Is W a ball's, to rounding: what pushes along the normal moves nothing else, and the tangents
 * move alike? */
static bool is_round(const double W[6]) {
    const double rounding = 8 * DBL_EPSILON * fmin(W[0], W[3]);
    return fabs(W[1]) + fabs(W[2]) + fabs(W[4]) + fabs(W[3] - W[5]) <= rounding && rounding > 0;
}

/* p (3) <- the only solution where the data show it: of a contact that friction cannot wedge shut,
 * mu |W_n,to| < W_nn, nothing where it opens, else what stops the approach, without friction or of
 * a ball, and the friction that stops a ball's slip or is at its limit against it. */
static bool plain(const double W[6], const double q[3], double mu, double p[3]) {
    p[0] = p[1] = p[2] = 0;
    if (!(mu * (fabs(W[1]) + fabs(W[2])) < W[0])) return false;
    if (q[0] >= 0) return true;
    p[0] = -q[0] / W[0];
    if (mu == 0) return true;
    if (!is_round(W)) return false;
    /* couplings that are rounding are all that moves the tangents of a ball that falls straight */
    const double t = q[1] + W[1] * p[0], o = q[2] + W[2] * p[0], slip = imp_length(t, o),
                 limit = W[3] * (mu * p[0]), per = slip > limit ? limit / slip / W[3] : 1 / W[3];
    p[1] = -per * t;
    p[2] = -per * o;
    return true;
}

/* Is `found` the answer of the only contact? Then p (3) and what is reported are. */
static bool accepted(const imp_problem *problem, const imp_blocks_settings *settings,
                     const double W[6], const double found[3], double *p, imp_blocks_report *report,
                     imp_info *info) {
    const bool both = imp_blocks_field_too(problem, settings);
    double field = 0, scale_free;
    imp_natural_error(problem, found, both || report ? &field : NULL, &scale_free);
    const double error = both ? fmax(field, scale_free) : scale_free;
    /* what rounding leaves of the velocities of an impulse that W's condition makes large */
    const double push = (W[0] + W[3] + W[5]) / 3 * imp_length3(found),
                 rounding = imp_velocity_rounding(push) / imp_length3(problem->q);
    if (!(imp_blocks_told(error, settings, problem->mu[0], rounding) <= settings->tolerance))
        return false;
    memcpy(p, found, 3 * sizeof *p);
    info->residual = error;
    if (report) *report = (imp_blocks_report){0, 0, field, scale_free};
    return true;
}

/* Is a recorded block symmetric, to rounding of its rows and columns? */
static bool is_symmetric(const imp_operator *W) {
    double B[9];
    W->kind->block(W, 0, 0, B);
    for (int r = 1; r < 3; r++)
        for (int c = 0; c < r; c++)
            if (!(fabs(B[3 * r + c] - B[3 * c + r]) <=
                  8 * DBL_EPSILON * sqrt(fabs(B[4 * r])) * sqrt(fabs(B[4 * c]))))
                return false;
    return true;
}

bool imp_blocks_lone(const imp_problem *problem, const imp_blocks_settings *settings, double *p,
                     imp_blocks_report *report, imp_info *info) {
    double W[6], found[3];
    imp_coulomb_set set;
    if (problem->W->as_given && !is_symmetric(problem->W)) return false;
    imp_operator_packed(problem->W, 0, W);
    if (plain(W, problem->q, problem->mu[0], found))
        return accepted(problem, settings, W, found, p, report, info);
    if (imp_operator_singular(problem->W, 3)) return false; /* rounding would hold what jams */
    if (imp_coulomb_enumerate(W, problem->q, problem->mu[0], &set) != IMP_OK) return false;
    for (int k = 0; k < set.count; k++)
        if (accepted(problem, settings, W, set.solution[k].p, p, report, info)) return true;
    return false;
}
