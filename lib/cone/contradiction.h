/* contradiction.h - approaches that no impulses stop, with friction or without. */
#ifndef IMP_CONTRADICTION_H
#define IMP_CONTRADICTION_H

#include "contact/problem.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* Why a problem without restitution may have no answer. IMP_NO_SOLUTION: normal impulses z >= 0
 * exist that move next to nothing and yet do work on q, as on a body between two walls that close.
 * Every p of the friction cones with u_n >= 0 has (W z)'p >= -q_n'z > 0, and so its normal
 * impulses would have to be 1e6 times as large as what stops each contact by itself.
 * IMP_NOT_CONVERGED: that is not shown, or W is recorded, or more than 256 contacts are coupled.
 * z (nc, N s; NULL: not wanted) <- the impulses that prove it, the largest of them 1; else 0.
 * IMP_NO_MEMORY, or what imp_problem_check_vectors says: z is 0, or as it was. Thread-safe. */
imp_status imp_contradiction(const imp_problem *problem, double *z);

IMP_PUBLIC_END

#endif
