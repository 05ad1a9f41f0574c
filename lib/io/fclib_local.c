/* fclib_local.c - FCLIB problems made and freed: the local form of a global one, and of any contact
 * problem. */
#include "io/fclib.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void imp_fclib_clear(imp_fclib *problem) {
    imp_sparse_clear(&problem->W);
    imp_sparse_clear(&problem->M);
    imp_sparse_clear(&problem->H);
    imp_sparse_clear(&problem->V);
    imp_sparse_clear(&problem->R);
    imp_sparse_clear(&problem->G);
    double *vectors[] = {problem->q,     problem->f,        problem->w,
                         problem->s,     problem->b,        problem->mu,
                         problem->guess, problem->solution, problem->multipliers};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        free(vectors[i]);
    *problem = (imp_fclib){0};
}

static double *copied(const double *x, int n) {
    double *copy = x ? malloc((size_t)n * sizeof *copy) : NULL;
    if (copy) memcpy(copy, x, (size_t)n * sizeof *copy);
    return copy;
}

/* Columns `from` on of A (rows x columns), as many as `part` has; rows from `first` on. */
static imp_status cut(const imp_sparse *A, int first, int rows, int from, int columns,
                      imp_sparse *part) {
    const int begin = A->start[from], end = A->start[from + columns];
    int count = 0, *row = malloc((2 * (size_t)(end - begin) + 1) * sizeof *row),
        *column = row + (end - begin);
    double *value = malloc(((size_t)(end - begin) + 1) * sizeof *value);
    for (int j = from; row && value && j < from + columns; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            if (A->row[k] < first || A->row[k] >= first + rows) continue;
            row[count] = A->row[k] - first;
            column[count] = j - from;
            value[count++] = A->value[k];
        }
    const imp_status status =
        row && value ? imp_sparse_from_triplets(rows, columns, count, row, column, value, part)
                     : IMP_NO_MEMORY;
    free(row);
    free(value);
    return status;
}

/* *both <- the columns of A, then those of B. */
static imp_status beside(const imp_sparse *A, const imp_sparse *B, imp_sparse *both) {
    const int in_A = A->start[A->columns], in_B = B->start[B->columns];
    *both = (imp_sparse){A->rows, A->columns + B->columns,
                         malloc(((size_t)A->columns + (size_t)B->columns + 1) * sizeof(int)),
                         malloc(((size_t)in_A + (size_t)in_B + 1) * sizeof(int)),
                         malloc(((size_t)in_A + (size_t)in_B + 1) * sizeof(double))};
    if (!both->start || !both->row || !both->value) return IMP_NO_MEMORY;
    memcpy(both->start, A->start, ((size_t)A->columns + 1) * sizeof *both->start);
    for (int j = 0; j <= B->columns; j++)
        both->start[A->columns + j] = in_A + B->start[j];
    memcpy(both->row, A->row, (size_t)in_A * sizeof *both->row);
    memcpy(both->row + in_A, B->row, (size_t)in_B * sizeof *both->row);
    memcpy(both->value, A->value, (size_t)in_A * sizeof *both->value);
    memcpy(both->value + in_A, B->value, (size_t)in_B * sizeof *both->value);
    return IMP_OK;
}

/* W, V, R, q and s of a global problem with constraints, which are contacts of another law: of (H
 * G) together. */
static imp_status constrained_local(const imp_fclib *problem, imp_fclib *local) {
    const int n = 3 * problem->nc, m = problem->bilateral;
    imp_sparse both = {0}, all = {0};
    double *w = malloc(2 * ((size_t)n + (size_t)m) * sizeof *w), *q = w + n + m;
    imp_status status = w ? beside(&problem->H, &problem->G, &both) : IMP_NO_MEMORY;
    if (status == IMP_OK) {
        memcpy(w, problem->w, (size_t)n * sizeof *w);
        memcpy(w + n, problem->b, (size_t)m * sizeof *w);
        status = imp_sparse_delassus(&problem->M, &both, problem->f, w, &all, q);
    }
    if (status == IMP_OK) {
        memcpy(local->q, q, (size_t)n * sizeof *q);
        memcpy(local->s, q + n, (size_t)m * sizeof *q);
        status = cut(&all, 0, n, 0, n, &local->W);
    }
    if (status == IMP_OK) status = cut(&all, 0, n, n, m, &local->V);
    if (status == IMP_OK) status = cut(&all, n, m, n, m, &local->R);
    imp_sparse_clear(&both);
    imp_sparse_clear(&all);
    free(w);
    return status;
}

static imp_status copy_local(const imp_fclib *problem, imp_fclib *local) {
    imp_status status = imp_sparse_copy(&problem->W, &local->W);
    memcpy(local->q, problem->q, 3 * (size_t)problem->nc * sizeof *local->q);
    if (problem->bilateral == 0 || status != IMP_OK) return status;
    memcpy(local->s, problem->s, (size_t)problem->bilateral * sizeof *local->s);
    status = imp_sparse_copy(&problem->V, &local->V);
    return status == IMP_OK ? imp_sparse_copy(&problem->R, &local->R) : status;
}

imp_status imp_fclib_local(const imp_fclib *problem, imp_fclib *local) {
    const int rows = 3 * problem->nc;
    *local = (imp_fclib){.nc = problem->nc, .bilateral = problem->bilateral};
    local->q = malloc((size_t)rows * sizeof *local->q);
    local->s = malloc(((size_t)problem->bilateral + 1) * sizeof *local->s);
    local->mu = copied(problem->mu, problem->nc);
    local->guess = copied(problem->guess, rows);
    local->solution = copied(problem->solution, rows);
    memcpy(local->title, problem->title, sizeof local->title);
    memcpy(local->description, problem->description, sizeof local->description);
    imp_status status = IMP_NO_MEMORY;
    if (local->q && local->s && local->mu && (!problem->guess || local->guess) &&
        (!problem->solution || local->solution))
        status = problem->dof == 0 ? copy_local(problem, local)
                 : problem->bilateral > 0
                     ? constrained_local(problem, local)
                     : imp_sparse_delassus(&problem->M, &problem->H, problem->f, problem->w,
                                           &local->W, local->q);
    if (status != IMP_OK) imp_fclib_clear(local);
    return status;
}

/* The entries of W that are not zero, and how many: they fit the arrays when `row` is not NULL.
 * False without memory or when there are more than an int can count. */
static bool entries_of(const imp_operator *W, int *columns, int *count, int *row, int *column,
                       double *value) {
    *count = 0;
    for (int i = 0; i < W->nc; i++) {
        const int blocks = W->kind->columns(W, i, columns);
        for (int b = 0; b < blocks; b++) {
            double B[9];
            W->kind->block(W, i, columns[b], B);
            for (int k = 0; k < 9; k++) {
                if (B[k] == 0) continue;
                if (*count == INT_MAX) return false;
                if (row) {
                    row[*count] = 3 * i + k / 3;
                    column[*count] = 3 * columns[b] + k % 3;
                    value[*count] = B[k];
                }
                ++*count;
            }
        }
    }
    return true;
}

imp_status imp_fclib_of(const imp_problem *problem, const double *guess, imp_fclib *made) {
    const int rows = 3 * problem->nc;
    int count, *columns = malloc((size_t)problem->nc * sizeof *columns), *place = NULL;
    double *value = NULL;
    imp_status status = IMP_NO_MEMORY;
    *made = (imp_fclib){.nc = problem->nc};
    made->q = copied(problem->q, rows);
    made->mu = copied(problem->mu, problem->nc);
    made->guess = copied(guess, rows);
    if (columns && made->q && made->mu && (!guess || made->guess) &&
        entries_of(problem->W, columns, &count, NULL, NULL, NULL)) {
        place = malloc(2 * ((size_t)count + 1) * sizeof *place);
        value = malloc(((size_t)count + 1) * sizeof *value);
        if (place && value && entries_of(problem->W, columns, &count, place, place + count, value))
            status =
                imp_sparse_from_triplets(rows, rows, count, place, place + count, value, &made->W);
    }
    free(columns);
    free(place);
    free(value);
    if (status != IMP_OK) imp_fclib_clear(made);
    return status;
}
