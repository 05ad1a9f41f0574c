/* convex_newton_sparse.h - sparse quasi-definite factors of the Newton systems of
 * convex_newton.h. */
#ifndef IMP_CONVEX_NEWTON_SPARSE_H
#define IMP_CONVEX_NEWTON_SPARSE_H

#include "cone/convex_island.h"
#include "linear/sparse.h"

/* M and H of W = H' M^-1 H of the whole problem, and room to number those of an island. */
typedef struct convex_bodies {
    const imp_sparse *M, *H;
    int *number;   /* (rows of M) of the rows of an island; between calls -1 everywhere */
    int *row;      /* (rows of M) by their numbers */
    int *stack;    /* (rows of M) scratch */
    int *exponent; /* (rows of M) of the masses and moments on its diagonal */
} convex_bodies;

/* M and H must outlive it. False without memory; imp_convex_bodies_close is due all the same. */
bool imp_convex_bodies_open(convex_bodies *bodies, const imp_sparse *M, const imp_sparse *H);
void imp_convex_bodies_close(convex_bodies *bodies);

typedef struct convex_sparse convex_sparse;

/* With bodies in their coordinates, without (NULL) on the block rows of W. NULL without memory. */
convex_sparse *imp_convex_sparse_new(const convex_island *island, convex_bodies *bodies);
void imp_convex_sparse_free(convex_sparse *sparse);

/* B (9n), D (n + 1); `shift` is added to the positive and taken from the negative diagonal. */
bool imp_convex_sparse_factor(convex_sparse *sparse, const double *B, const double *D,
                              double shift);

/* r (4n + 1) <- the solution of the shifted system. */
void imp_convex_sparse_solve(convex_sparse *sparse, double *r);

#endif
