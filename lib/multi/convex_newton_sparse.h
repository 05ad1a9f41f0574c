/* convex_newton_sparse.h - sparse quasi-definite factors of the Newton systems in the bodies' coordinates. */
#ifndef IMP_CONVEX_NEWTON_SPARSE_H
#define IMP_CONVEX_NEWTON_SPARSE_H

#include "multi/convex_island.h"

typedef struct convex_sparse convex_sparse;

convex_sparse *convex_sparse_new(const convex_island *island, const imp_sparse *M, const imp_sparse *H);
void convex_sparse_free(convex_sparse *sparse);
bool convex_sparse_factor(convex_sparse *sparse, const double *B, const double *D, double shift);
void convex_sparse_solve(convex_sparse *sparse, double *r);

#endif
