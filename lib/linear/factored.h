/* factored.h - a Delassus operator over bodies: W = G'G, never written out.
 *
 * W = H' M^-1 H with M = L L' gives G = L^-1 H: column (c, r) is what a unit impulse along axis r
 * of contact c gives the bodies, in coordinates in which their kinetic energy is half a sum of
 * squares. A contact touches the coordinates of its two bodies, so G takes memory proportional to
 * the contacts however many of them share a body. Whether H and G are finite is not looked at here,
 * but by imp_problem_check. */
#ifndef IMP_FACTORED_H
#define IMP_FACTORED_H

#include "linear/operator.h"
#include "linear/sparse.h"
#include "base/status.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* G by the columns of its contacts. */
typedef struct imp_factored {
    int nc, rows; /* contacts, coordinates */
    int *start;   /* (nc + 1) contact c has entries start[c] .. start[c+1]-1 */
    int *row;     /* (start[nc]) the coordinate of each, ascending within a contact */
    /* (3 start[nc]) 1/sqrt(kg): that row of G in the columns n, t, o of the contact */
    double *G;
    /* (rows + 1), (start[nc]): which contacts touch a coordinate, ascending */
    int *first, *contact;
    int *entry; /* (start[nc]) and by which of their entries */
} imp_factored;

enum { IMP_FACTORED_MOST = 64 }; /* coordinates of one body, or of bodies that M couples */

/* *made <- G of M (dof x dof) and H (dof x 3nc). IMP_OK, IMP_BAD_ARGUMENT (other shapes),
 * IMP_UNSUPPORTED (M_ij and M_ji differ by more than 1e-12 of sqrt(M_ii M_jj), or more than
 * IMP_FACTORED_MOST coordinates are coupled), IMP_NOT_POSITIVE (M), IMP_NO_MEMORY; *made NULL then.
 * Free with imp_factored_free. Thread-safe. */
imp_status imp_factored_new(const imp_sparse *M, const imp_sparse *H, imp_factored **made);

/* *made <- of G (rows x 3nc) itself, the rows of each column ascending. IMP_OK, IMP_BAD_ARGUMENT
 * (columns that are no contacts), IMP_NO_MEMORY; *made NULL then. Thread-safe. */
imp_status imp_factored_of(const imp_sparse *G, imp_factored **made);

/* *made <- of one contact whose W (symmetric, 1/kg) is singular: the rows of Cholesky's
 * factorisation with pivots, W = G'G to 1e-10 of its trace. IMP_OK, IMP_NOT_POSITIVE (W has a
 * negative eigenvalue beyond that), IMP_NO_MEMORY; *made NULL then. Thread-safe. */
imp_status imp_factored_root(const double W[9], imp_factored **made);
void imp_factored_free(imp_factored *factored);

/* W = G'G as an operator. Thread-safe; keeps a pointer to `factored`. */
imp_operator imp_operator_factored(const imp_factored *factored);

/* Would its blocks, written out, be far more than its contacts, so that it is better left as it is?
 * Thread-safe. */
int imp_factored_many(const imp_factored *factored);

/* W as blocks together with its factor: whoever reads all of W takes the blocks, solvers may take
 * the factor. */
typedef struct imp_reduced {
    imp_blocks blocks;            /* first, so that whoever reads blocks may read this */
    const imp_factored *factored; /* its G */
} imp_reduced;

/* It as an operator. Thread-safe; keeps a pointer to `reduced`. */
imp_operator imp_operator_reduced(const imp_reduced *reduced);

/* The factor of an operator of either kind; NULL where there is none. Thread-safe. */
const imp_factored *imp_operator_factor(const imp_operator *W);

/* Is what stands in the first n rows and columns (2 or 3) of a contact's block of W = G'G singular,
 * but for rounding? Thread-safe. */
int imp_block_singular(const double block[9], int n);

/* Do the bodies leave a lone contact fewer than its first n directions (2 or 3)? 0 of several
 * contacts and of operators whose G is not known. Thread-safe. */
int imp_operator_singular(const imp_operator *W, int n);

IMP_PUBLIC_END

#endif
