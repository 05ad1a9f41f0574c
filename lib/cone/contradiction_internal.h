/* contradiction_internal.h - approaches that contradict each other, beside impulses at hand.
 * Internal. */
#ifndef IMP_CONTRADICTION_INTERNAL_H
#define IMP_CONTRADICTION_INTERNAL_H

#include "contact/problem.h"

/* imp_contradiction beside impulses p (3nc, N s; NULL: none). Approaches that contradict each other
 * drive impulses up: of an island of more than 256 contacts those are asked that p presses most.
 * off >= 0: p is taken for an answer that may leave such a share of approaches; IMP_NO_SOLUTION
 * needs z that do more work than that share of its terms, and is said also where p has less than
 * half of the (W z)'p that every answer has, of normals and the friction that they bear. Below 0: p
 * is none. */
imp_status imp_contradiction_beside(const imp_problem *problem, const double *p, double off,
                                    double *z);

#endif
