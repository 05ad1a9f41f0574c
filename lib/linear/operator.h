/* operator.h - the Delassus operator W: what solvers may ask of it, dense and block-sparse.
 *
 * u = W p + q for nc contacts, each with the frame (n, t, o): W is 3nc x 3nc in 1/kg. It is
 * symmetric positive semidefinite where it comes from mechanics; recorded problems may hold an
 * asymmetric one, which is used as given. */
#ifndef IMP_OPERATOR_H
#define IMP_OPERATOR_H

#include "base/public.h"
#include <stddef.h>

IMP_PUBLIC_BEGIN

typedef struct imp_operator imp_operator;

/* How one kind of operator answers. i, j are contacts. */
typedef struct imp_operator_kind {
    const char *name; /* "dense", ... */
    /* block (9, row-major, 1/kg) <- W_ij; zeros where i and j do not interact */
    void (*block)(const imp_operator *W, int i, int j, double block[9]);
    /* sum (3, m/s) <- sum over j != skip of W_ij p_j, and, unless NULL, size (3, m/s) <- the same
     * sum of absolute values, the scale against which rounding in `sum` is judged. p (3nc) N s.
     * skip = -1 skips nothing. */
    void (*row)(const imp_operator *W, int i, int skip, const double *p, double sum[3],
                double size[3]);
    /* Writes the contacts that row i of W has blocks with, ascending, i among them, to columns
     * (room for nc) and returns how many. */
    int (*columns)(const imp_operator *W, int i, int *columns);
} imp_operator_kind;

/* W. Small, and copied freely: what it reads stays where it is. */
struct imp_operator {
    int nc;                        /* number of contacts */
    const imp_operator_kind *kind; /* how it answers */
    const void *data;              /* what the kind reads; not owned, must outlive the operator */
    int as_given; /* recorded data: imp_problem_check demands neither symmetry nor positivity of it,
                     and models that rely on them answer IMP_UNSUPPORTED where they are missing */
};

/* Block-compressed rows: row i holds blocks start[i] .. start[i+1]-1, columns ascending, the
 * diagonal always present. */
typedef struct imp_blocks {
    int nc;              /* number of contacts */
    const int *start;    /* (nc + 1) first block of each row */
    const int *column;   /* (start[nc]) contact of each block */
    const double *block; /* (9 start[nc]) 1/kg, row-major 3 x 3 each */
} imp_blocks;

/* W (3nc x 3nc, row-major) as an operator. Thread-safe; keeps a pointer to W. */
imp_operator imp_operator_dense(int nc, const double *W);

/* Block-sparse W as an operator. Thread-safe; keeps a pointer to `blocks`. */
imp_operator imp_operator_blocks(const imp_blocks *blocks);

/* The kinds of imp_operator_reduced (factored.h) and imp_operator_assembled (sparse.h): blocks that
 * know the bodies behind them. */
extern const imp_operator_kind imp_operator_reduced_kind, imp_operator_assembled_kind;

/* The blocks of an operator that keeps them as such, for whoever reads all of them; NULL for other
 * kinds. */
const imp_blocks *imp_operator_stored(const imp_operator *W);

/* dense (3nc x 3nc row-major, 1/kg) <- W written out. Thread-safe. */
void imp_operator_write(const imp_operator *W, double *dense);

/* packed (nn, nt, no, tt, to, oo, 1/kg) <- the diagonal block W_ii, as solvers for one contact take
 * it; the mean of entries that mirror each other. Thread-safe. */
void imp_operator_packed(const imp_operator *W, int i, double packed[6]);

/* How far W is from symmetric: the largest |W_ij - W_ji|, entry by entry, relative to sqrt(W_ii
 * W_jj), and to the largest diagonal entry where that is 0. Infinite where an entry is no number,
 * NaN without memory. Thread-safe. */
double imp_operator_asymmetry(const imp_operator *W);

/* u (3nc) <- W p + q; q may be NULL for W p. u may be q, not overlap p. */
void imp_operator_apply(const imp_operator *W, const double *p, const double *q, double *u);

IMP_PUBLIC_END

#endif
