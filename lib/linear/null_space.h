/* null_space.h - what linear equations C x = c leave free: orthonormal bases, island by island.
 *
 * Equations that share a coordinate form an island; each has a dense QR factorisation of C' with
 * column pivoting (LAPACK dgeqp3) of its own. Every equation is scaled to unit length first, so
 * that neither its unit nor the order of the equations decides which of them depend on others. */
#ifndef IMP_NULL_SPACE_H
#define IMP_NULL_SPACE_H

#include "base/status.h"
#include "linear/sparse.h"

typedef struct imp_null_space imp_null_space;

/* An equation depends on the others where less than IMP_DEPENDENT of its length is orthogonal to
 * theirs, and is independent above IMP_INDEPENDENT; between the two double does not tell. */
#define IMP_DEPENDENT   1e-12
#define IMP_INDEPENDENT 1e-9

/* *made <- of C, given as C' (n x m): column k holds equation k. IMP_OK, IMP_NOT_CERTIFIED (*row
 * neither depends on the others nor is independent), IMP_NOT_FINITE (an equation, or its length),
 * IMP_NO_MEMORY; *made NULL then. Thread-safe. */
imp_status imp_null_space_new(const imp_sparse *Ct, imp_null_space **made, int *row);
void imp_null_space_free(imp_null_space *space);

/* How many equations are independent of each other. */
int imp_null_space_rank(const imp_null_space *space);

/* What N'x is off by, relative to |x|, of the island whose equations are closest to dependent. */
double imp_null_space_rounding(const imp_null_space *space);

/* *Y (left x k) <- N'X for X (n x k), N (n x left) an orthonormal basis of C x = 0. Coordinates
 * without an equation come first, in their order. What C' takes of a column is taken off first, so
 * that Y is right beside itself; what of an island is within rounding of the parts of what is left
 * is 0. IMP_OK, IMP_NO_MEMORY; *Y empty then.
 * Thread-safe. */
imp_status imp_null_space_project(const imp_null_space *space, const imp_sparse *X, imp_sparse *Y);

/* x (n) and lambda (m, may be NULL) <- x - C'lambda = h, C x = c, for h (n) and c (m), of which
 * NULL is 0: of what C' and x leave of h and c the same equations are solved again, which makes
 * each of them right beside its own parts, however far apart those of others are. Of dependent
 * equations lambda has the least sum |C_i|^2 lambda_i^2, and c is what they can be. x may be h.
 * work (4n + 4m). Thread-safe. */
void imp_null_space_solve(const imp_null_space *space, const double *h, const double *c, double *x,
                          double *lambda, double *work);

/* x (n) <- N N'x, the part of x that the equations leave. work (4n + 4m). Thread-safe. */
void imp_null_space_keep(const imp_null_space *space, double *x, double *work);

/* x (n) <- the shortest x with C x = c (m). size (m): how large the numbers were that c is a
 * difference of. IMP_OK, IMP_NO_SOLUTION (*row contradicts the others by more than 1e-12 of the
 * sizes of its island). work (4n + 4m). Thread-safe. */
imp_status imp_null_space_particular(const imp_null_space *space, const double *c,
                                     const double *size, double *x, int *row, double *work);

/* most (n) <- of each coordinate the largest |x| of its island, beside which x of
 * imp_null_space_particular is right; 0 where no equation holds it. */
void imp_null_space_largest(const imp_null_space *space, const double *x, double *most);

#endif
