/* null_space_internal.h - the islands of a set of equations and their factors. */
#ifndef IMP_NULL_SPACE_INTERNAL_H
#define IMP_NULL_SPACE_INTERNAL_H

#include "linear/null_space.h"

#include <stddef.h>

/* n coordinates and m equations of unit length, C' = Q_1 L Z', with Q_1 the first `rank` columns of
 * Q; the others span what is left. */
typedef struct imp_null_island {
    int n, m, rank;
    const int *coordinate; /* (n) ascending */
    const int *row;        /* (m) ascending */
    double *Q;             /* (n x n) orthogonal, column-major as all here */
    double *Z;             /* (m x rank) orthonormal columns */
    double *L;             /* (rank x rank) lower triangle */
    double rounding;       /* of what Q leaves of a vector, relative to its length */
    int first;             /* number of the first coordinate that it leaves */
} imp_null_island;

struct imp_null_space {
    int n, m, islands, loose, left, rank;
    imp_null_island *island;
    int *of;         /* (n) island of a coordinate, -1: none; the next two lie behind it */
    int *place;      /* (n) its place there, or its number among those without */
    int *list;       /* (n + m) the islands' coordinates and equations */
    double *length;  /* (m) of the equations as given; 0: it holds no coordinate */
    imp_sparse unit; /* (n x m) C', each column of unit length */
};

/* Where entry (row, column) of a matrix of `rows` rows is kept. */
static inline size_t imp_null_at(int rows, int row, int column) {
    return (size_t)rows * (size_t)column + (size_t)row;
}

/* of, place, list, length and the islands' sizes of a set of n coordinates and m equations.
 * IMP_OK or IMP_NO_MEMORY. */
imp_status imp_null_space_islands(imp_null_space *s, const imp_sparse *Ct);

#endif
