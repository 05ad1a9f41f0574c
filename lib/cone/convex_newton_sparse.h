/* convex_newton_sparse.h - sparse quasi-definite factors of the Newton systems of
 * convex_newton.h. */
#ifndef IMP_CONVEX_NEWTON_SPARSE_H
#define IMP_CONVEX_NEWTON_SPARSE_H

#include "cone/convex_island.h"

typedef struct convex_sparse convex_sparse;

/* With M and H in the bodies' coordinates, without (NULL) on the block rows of W. NULL without
 * memory. */
convex_sparse *imp_convex_sparse_new(const convex_island *island, const imp_sparse *M,
                                     const imp_sparse *H);
void imp_convex_sparse_free(convex_sparse *sparse);

/* B (9n), D (n + 1); `shift` is added to the positive and taken from the negative diagonal. */
bool imp_convex_sparse_factor(convex_sparse *sparse, const double *B, const double *D,
                              double shift);

/* r (4n + 1) <- the solution of the shifted system. */
void imp_convex_sparse_solve(convex_sparse *sparse, double *r);

#endif
