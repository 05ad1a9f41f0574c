/* quasi_definite_plan.h - which columns of a sparse factor are eliminated together, and in what
 * order. */
#ifndef IMP_QUASI_DEFINITE_PLAN_H
#define IMP_QUASI_DEFINITE_PLAN_H

#include <stdbool.h>
#include <stddef.h>

/* A front is a run of columns of the permuted matrix with (nearly) the same rows below: its part of
 * L is a dense panel of width + height rows and width columns, its Schur complement a dense matrix
 * of height rows, for its parent. Fronts are in postorder: the complements a front needs are the
 * last that were made. */
typedef struct quasi_definite_plan {
    int n, fronts;
    int *order, *place; /* (n) old number of a new row, and its inverse */
    int *first;         /* (fronts + 1) first column */
    int *children;      /* (fronts) how many */
    size_t *below;      /* (fronts + 1) where the rows below begin in `row` */
    int *row;           /* ascending within a front */
    size_t *panel;      /* (fronts + 1) where the panels begin in L, column-major */
    size_t stack;       /* doubles: the most of complements at a time */
    /* doubles: for the largest of a panel's products with D, width times height */
    size_t work;
} quasi_definite_plan;

/* False without memory; imp_quasi_definite_unplan either way. Pattern as in quasi_definite.h. */
bool imp_quasi_definite_make_plan(int n, const int *start, const int *row,
                                  quasi_definite_plan *plan);
void imp_quasi_definite_unplan(quasi_definite_plan *plan);

#endif
