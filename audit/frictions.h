/* frictions.h - is an answer right by friction that is not Coulomb's? */
#ifndef AUDIT_FRICTIONS_H
#define AUDIT_FRICTIONS_H

#include "contact/problem.h"

#include <stdbool.h>

/* Of contacts that end at u_n = -e q_n, or part: */
typedef struct audit_frictions {
    bool before;      /* all friction, against the slip before the impact */
    bool by_tangents; /* that of each tangent bounded by mu p_n by itself, and against its slip */
} audit_frictions;

/* By which does every contact of p (3nc, N s) end, to this tolerance of its velocities, and at
 * least one as Coulomb's law does not? */
audit_frictions audit_other_frictions(const imp_problem *problem, const double *p,
                                      double tolerance);

#endif
