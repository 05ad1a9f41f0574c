/* impact_compare.h - two answers to one impact: how far apart, and how far they may be. */
#ifndef IMPACT_COMPARE_H
#define IMPACT_COMPARE_H

#include "single/darboux.h"
#include "generators/gen.h"

#include <stdbool.h>

typedef struct impact_answer {
    double p[3], u[3]; /* N s, m/s */
    double work[2];    /* J, compression and decompression */
} impact_answer;

/* The library's answer; its status. steps and path may be NULL. */
imp_status impact_by_library(const gen_problem *problem, imp_darboux_law law, impact_answer *answer,
                             int *steps);

/* The oracle's answer (quadrature along the hodograph); false when it fails. */
bool impact_by_hodograph(const gen_problem *problem, imp_darboux_law law, impact_answer *answer,
                         int *compressions);

/* The largest of |du|/(|q| + |u|), |dp|/|p|, (|dW_c| + |dW_d|)/(|W_c| + |W_d|), relative to b. */
double impact_distance(const double q[3], const impact_answer *a, const impact_answer *b);

/* The same of answers known by their impulses: the larger of |dp|/|p| and |W dp| over the terms of
 * W p + q, |q_i| + sum_k sqrt(W_ii W_kk) |p_k|. They may cancel, and a velocity found from an
 * impulse is no better than their rounding. */
double impact_impulse_distance(const gen_problem *problem, const double a[3], const double b[3]);

/* Energy that an impulse adds, p.(q + W p / 2), of the energy at stake and of its own terms, which
 * may cancel: negative when it takes some away. */
double impact_gain(const gen_problem *problem, const double p[3]);

/* Relative change of the answer per relative change of one datum (W, q, e), the largest over the
 * data and over changes of 1e-15, 1e-12 and 1e-9: how much of a distance is the problem's own. A
 * change of mu is one of W and q: the units of tangential impulse hold it.
 * By the oracle; slow, and given up as soon as it is known to be above `enough`. */
double impact_condition(const gen_problem *problem, imp_darboux_law law, double enough);

/* Kinetic energy that the impulse could take away, J: 1/2 q' W^-1 q. */
double impact_energy_at_stake(const gen_problem *problem);

#endif
