/* sparse.h - sparse matrices by compressed columns, and a block-sparse Delassus operator made from
 * one.
 *
 * Whether numbers are finite is not looked at here, but by imp_problem_check of the W and q that
 * are made of them. */
#ifndef IMP_SPARSE_H
#define IMP_SPARSE_H

#include "linear/operator.h"
#include "base/status.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* Compressed columns: column j holds entries start[j] .. start[j+1]-1, rows ascending, none twice.
 * Owns its arrays. */
typedef struct imp_sparse {
    int rows, columns; /* how many of each */
    int *start;        /* (columns + 1) */
    int *row;          /* (start[columns]) */
    double *value;     /* (start[columns]) */
} imp_sparse;

/* *matrix <- the sum of `count` triplets: value at row and column (count each). IMP_OK,
 * IMP_BAD_ARGUMENT (an index outside, a size < 0), IMP_NO_MEMORY; *matrix is empty then.
 * Thread-safe. */
imp_status imp_sparse_from_triplets(int rows, int columns, int count, const int *row,
                                    const int *column, const double *value, imp_sparse *matrix);

/* *transposed <- the transpose. IMP_OK, IMP_NO_MEMORY. Thread-safe. */
imp_status imp_sparse_transpose(const imp_sparse *matrix, imp_sparse *transposed);

/* *copy <- the same matrix in memory of its own. IMP_OK, IMP_NO_MEMORY. Thread-safe. */
imp_status imp_sparse_copy(const imp_sparse *matrix, imp_sparse *copy);

/* *unit (n x n) <- ones on the diagonal. IMP_OK, IMP_BAD_ARGUMENT (n < 0), IMP_NO_MEMORY.
 * Thread-safe. */
imp_status imp_sparse_unit(int n, imp_sparse *unit);

/* b (n) <- M^-1 b for a square M, by KLU. IMP_OK, IMP_NOT_POSITIVE (singular), IMP_NO_MEMORY.
 * Thread-safe. */
imp_status imp_sparse_solve(const imp_sparse *M, double *b);

/* y (rows) <- y + A x; y (columns) <- y + A'x. Thread-safe. */
void imp_sparse_multiply(const imp_sparse *A, const double *x, double *y);
void imp_sparse_multiply_transposed(const imp_sparse *A, const double *x, double *y);

/* The place in A->row and A->value of an entry that is there; each column's rows ascend. */
int imp_sparse_find(const imp_sparse *A, int row, int column);

/* Frees the arrays and empties the matrix; an empty one is fine. */
void imp_sparse_clear(imp_sparse *matrix);

/* Block rows of a sparse W (3nc x 3nc), in memory of their own: every 3 x 3 block with an entry,
 * and the diagonal. NULL without memory or when the size is no multiple of 3. Free with
 * imp_blocks_free. Thread-safe. */
imp_blocks *imp_blocks_new(const imp_sparse *W);
/* The blocks of any operator written out; NULL without memory or beyond what an int counts. */
imp_blocks *imp_blocks_of(const imp_operator *W);
void imp_blocks_free(imp_blocks *blocks);

/* W = H' M^-1 H as blocks together with the system in its own coordinates, M (dof x dof) symmetric
 * and H (dof x 3nc): whoever reads W takes the blocks, solvers may factorise systems of that size
 * instead, or take G (dof x 3nc), W = G'G, whose three columns of a contact have entries in the
 * same rows. */
typedef struct imp_assembled {
    imp_blocks blocks;       /* first, so that whoever reads blocks may read this */
    const imp_sparse *M, *H; /* of other owners */
    const imp_sparse *G;     /* L^-1 H of M = LL'; NULL: not known */
} imp_assembled;

/* It as an operator. Thread-safe; keeps a pointer to `assembled`. */
imp_operator imp_operator_assembled(const imp_assembled *assembled);

/* What an operator is assembled from; NULL where that is not known. Thread-safe. */
const imp_assembled *imp_operator_assembly(const imp_operator *W);

/* *W (n x n) <- the Delassus operator H' M^-1 H of a system in its own coordinates, M (dof x dof)
 * factorised sparsely by KLU, H (dof x n); and q (n) <- H' M^-1 f + w, unless f is NULL. IMP_OK,
 * IMP_BAD_ARGUMENT (other shapes), IMP_NOT_POSITIVE (M singular), IMP_NO_MEMORY; *W empty then.
 * Thread-safe. */
imp_status imp_sparse_delassus(const imp_sparse *M, const imp_sparse *H, const double *f,
                               const double *w, imp_sparse *W, double *q);

IMP_PUBLIC_END

#endif
