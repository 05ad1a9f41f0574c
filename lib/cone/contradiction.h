/* contradiction.h - approaches that no impulses stop, with friction or without. */
#ifndef IMP_CONTRADICTION_H
#define IMP_CONTRADICTION_H

#include "contact/problem.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* Why a problem without restitution may have no answer with u_n >= -gap (0 where it has none).
 * IMP_NO_SOLUTION: normal impulses z >= 0 exist that move next to nothing and yet do work on q_n +
 * gap, as on a body between two walls that close. Every p of the friction cones that lets nothing
 * through has (W z)'p >= -(q_n + gap)'z > 0, and so its normal impulses would have to be 1e14 times
 * as large as what stops the contacts that z presses, the mean of them that z is. What other
 * contacts do counts for nothing but that z does more work than it would on approaches of 1e-12 of
 * the fastest: walls may close slowly in the midst of a heap that falls. That is of the numbers as
 * they are; others, within their rounding, may have an answer.
 * IMP_NOT_CONVERGED: that is not shown, W is recorded, or the contacts that it takes are coupled to
 * more than 256. z (nc, N s; NULL: not wanted) <- the impulses that prove it, the largest of them
 * 1; else 0. IMP_NO_MEMORY, or what imp_problem_check_vectors says: z is 0, or as it was.
 * Thread-safe. */
imp_status imp_contradiction(const imp_problem *problem, double *z);

IMP_PUBLIC_END

#endif
