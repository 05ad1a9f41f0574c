/* contradiction_internal.h - approaches that contradict each other, beside impulses at hand.
 * Internal. */
#ifndef IMP_CONTRADICTION_INTERNAL_H
#define IMP_CONTRADICTION_INTERNAL_H

#include "contact/problem.h"

#include <stdbool.h>

/* imp_contradiction beside impulses p (3nc, N s; NULL: none). Approaches that contradict each other
 * drive impulses up: of an island of more than 256 contacts those are asked that p presses most.
 * `answers`: p is taken for an answer, but for rounding; IMP_NO_SOLUTION also where it has less
 * than half of the (W z)'p that every answer has, of normals and the friction that they bear. */
imp_status imp_contradiction_beside(const imp_problem *problem, const double *p, bool answers,
                                    double *z);

#endif
