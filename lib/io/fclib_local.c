/* fclib_local.c - FCLIB problems made and freed: the local form of a global one, and of any contact
 * problem. */
#include "io/fclib_bilateral.h"
#include "linear/triplets.h"

#include <stdbool.h>
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
    free(problem->title);
    free(problem->description);
    free(problem->math_info);
    *problem = (imp_fclib){0};
}

static double *copied(const double *x, int n) {
    double *copy = x ? malloc((size_t)n * sizeof *copy) : NULL;
    if (copy) memcpy(copy, x, (size_t)n * sizeof *copy);
    return copy;
}

/* *copy <- a text, which may be NULL; false: no memory. */
static bool copy_words(const char *words, char **copy) {
    *copy = words ? strdup(words) : NULL;
    return *copy || !words;
}

/* Columns `from` on of A (rows x columns), as many as `part` has; rows from `first` on. */
static imp_status cut(const imp_sparse *A, int first, int rows, int from, int columns,
                      imp_sparse *part) {
    imp_triplets entries = {0};
    for (int j = 0; j < columns; j++)
        for (int k = A->start[from + j]; k < A->start[from + j + 1]; k++) {
            const int row = A->row[k] - first;
            if (row >= 0 && row < rows) imp_triplets_add(&entries, row, j, A->value[k]);
        }
    return imp_triplets_end(&entries, rows, columns, part);
}

/* *both <- the columns of A, then those of B. */
static imp_status beside(const imp_sparse *A, const imp_sparse *B, imp_sparse *both) {
    imp_triplets entries = {0};
    for (int j = 0; j < A->columns + B->columns; j++) {
        const imp_sparse *from = j < A->columns ? A : B;
        const int column = j < A->columns ? j : j - A->columns;
        for (int k = from->start[column]; k < from->start[column + 1]; k++)
            imp_triplets_add(&entries, from->row[k], j, from->value[k]);
    }
    return imp_triplets_end(&entries, A->rows, A->columns + B->columns, both);
}

/* W, V, R, q and s of a global problem with constraints, which are contacts of another law: of (H
 * G) together. */
static imp_status constrained_local(const imp_fclib *problem, imp_fclib *local) {
    const int n = 3 * problem->nc, m = problem->bilateral;
    imp_sparse both = {0}, all = {0};
    double *w = malloc(2 * ((size_t)n + (size_t)m) * sizeof *w), *q = w + n + m;
    imp_status status = w ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK) status = beside(&problem->H, &problem->G, &both);
    if (status == IMP_OK) {
        memcpy(w, problem->w, (size_t)n * sizeof *w);
        memcpy(w + n, problem->b, (size_t)m * sizeof *w);
        status = imp_sparse_delassus(&problem->M, &both, problem->f, w, &all, q);
    }
    if (status == IMP_OK) {
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

static imp_status global_local(const imp_fclib *problem, imp_fclib *local) {
    imp_status status = imp_fclib_check_mass(&problem->M);
    if (status != IMP_OK) return status;
    status = problem->bilateral > 0
                 ? constrained_local(problem, local)
                 : imp_sparse_delassus(&problem->M, &problem->H, NULL, NULL, &local->W, NULL);
    return status == IMP_OK ? imp_fclib_free_velocity(problem, local->q) : status;
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
    imp_status status = IMP_NO_MEMORY;
    if (copy_words(problem->title, &local->title) &&
        copy_words(problem->description, &local->description) &&
        copy_words(problem->math_info, &local->math_info) && local->q && local->s && local->mu &&
        (!problem->guess || local->guess) && (!problem->solution || local->solution))
        status = problem->dof == 0 ? copy_local(problem, local) : global_local(problem, local);
    if (status != IMP_OK) imp_fclib_clear(local);
    return status;
}

/* *matrix <- the entries of W that are not zero. */
static imp_status entries_of(const imp_operator *W, imp_sparse *matrix) {
    imp_triplets entries = {0};
    int *columns = malloc((size_t)W->nc * sizeof *columns);
    entries.lacked = !columns;
    for (int i = 0; columns && i < W->nc; i++) {
        const int blocks = W->kind->columns(W, i, columns);
        for (int b = 0; b < blocks; b++) {
            double B[9];
            W->kind->block(W, i, columns[b], B);
            for (int k = 0; k < 9; k++)
                if (B[k] != 0)
                    imp_triplets_add(&entries, 3 * i + k / 3, 3 * columns[b] + k % 3, B[k]);
        }
    }
    free(columns);
    return imp_triplets_end(&entries, 3 * W->nc, 3 * W->nc, matrix);
}

imp_status imp_fclib_of(const imp_problem *problem, const double *guess, imp_fclib *made) {
    const int rows = 3 * problem->nc;
    imp_status status = IMP_NO_MEMORY;
    *made = (imp_fclib){.nc = problem->nc};
    made->q = copied(problem->q, rows);
    made->mu = copied(problem->mu, problem->nc);
    made->guess = copied(guess, rows);
    if (made->q && made->mu && (!guess || made->guess)) status = entries_of(problem->W, &made->W);
    if (status != IMP_OK) imp_fclib_clear(made);
    return status;
}
