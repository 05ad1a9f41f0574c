/* triplets.h - the entries of a sparse matrix while they are collected, in any order (sparse.c).
 * Internal. */
#ifndef IMP_TRIPLETS_H
#define IMP_TRIPLETS_H

#include "linear/sparse.h"

#include <stdbool.h>

/* {0}: none yet. */
typedef struct imp_triplets {
    int count, room;
    int *row, *column; /* (room) */
    double *value;     /* (room) */
    bool lacked;       /* memory, or an int to count them; imp_triplets_end says it */
} imp_triplets;

/* Room for one more at least; false, and t->lacked, where there is none. */
bool imp_triplets_grow(imp_triplets *t);

static inline void imp_triplets_add(imp_triplets *t, int row, int column, double value) {
    if (t->count == t->room && !imp_triplets_grow(t)) return;
    t->row[t->count] = row;
    t->column[t->count] = column;
    t->value[t->count++] = value;
}

/* *matrix (rows x columns) <- the sums of what was added in each place, empty on an error; frees
 * the triplets. IMP_OK, IMP_NO_MEMORY. */
imp_status imp_triplets_end(imp_triplets *t, int rows, int columns, imp_sparse *matrix);

#endif
