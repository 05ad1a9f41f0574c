/* convex_newton.h - the Newton systems of the interior point: [[W + B, -W E, 1], [-E'W, -D, 0],
 * [1', 0, -d]].
 *
 * E picks normal components, 1 sums them; B is block diagonal, D diagonal, both positive:
 * quasi-definite, so that the factors exist without pivoting. Unknowns: impulses (3n), multipliers
 * of the gaps (n), multiplier of the sum. */
#ifndef IMP_CONVEX_NEWTON_H
#define IMP_CONVEX_NEWTON_H

#include "cone/convex_newton_sparse.h"

typedef struct convex_newton convex_newton;

/* With bodies, large islands have sparse systems in their coordinates; without (NULL), on W where
 * it is mostly zero. Small ones have dense systems. NULL without memory. */
convex_newton *imp_convex_newton_new(const convex_island *island, convex_bodies *bodies);
void imp_convex_newton_free(convex_newton *newton);

/* B (9n), D (n + 1), its last entry d. False where the matrix is numerically singular. */
bool imp_convex_newton_factor(convex_newton *newton, const double *B, const double *D);

/* r (4n + 1) <- the solution, refined against the exact system. */
void imp_convex_newton_solve(convex_newton *newton, double *r);

#endif
