/* fronts.h - sparse factors by fronts, dense matrices in a tree: the walk over them, which
 * symmetric and other factors share. Internal.
 *
 * A front gathers the entries of its columns and its children's Schur complements, eliminates its
 * columns densely and hands on what is left of its rows. */
#ifndef IMP_FRONTS_H
#define IMP_FRONTS_H

#include "linear/quasi_definite_plan.h"

typedef struct fronts {
    quasi_definite_plan plan;
    const int *start, *row; /* the matrix */
    double *L;              /* panels */
    double *stack, *work, *y;
    int *local; /* (n) of a row: its place in the front at hand */
    /* (fronts + n) those whose complements are on the stack; room for a child's places */
    int *open;
} fronts;

/* One front: its rows are the columns it eliminates, then those below. */
typedef struct front {
    int number, begin, width, height, rows;
    const int *below;
    double *panel; /* (rows x width) */
    double *left;  /* (height x height) the Schur complement */
} front;

/* What a factor does with a front; it begins with its fronts, which all are given. */
typedef struct fronts_kind {
    /* The entries of its columns into the panel, and of its rows beside them; 0 before. */
    void (*gather_matrix)(fronts *q, const double *value, const front *a);
    /* Adds a child's complement, place (child's height) its rows here. */
    void (*gather_child)(fronts *q, const front *a, const front *child, const int *place);
    bool (*eliminate)(fronts *q, const front *a);
    /* y: of its columns; below (height) <- what they take from those below, and those. */
    void (*forward)(fronts *q, const front *a, double *y, double *below);
    void (*backward)(fronts *q, const front *a, double *y, const double *below);
} fronts_kind;

/* The pattern as in quasi_definite.h. False without memory; imp_fronts_close is due all the
 * same. */
bool imp_fronts_open(fronts *q, int n, const int *start, const int *row);
void imp_fronts_close(fronts *q);

/* value (start[n]): false where a front cannot be eliminated. */
bool imp_fronts_factor(fronts *q, const fronts_kind *kind, const double *value);

/* b (n) <- the solution. */
void imp_fronts_solve(fronts *q, const fronts_kind *kind, double *b);

#endif
