/* sparse.c - compressed columns, their block rows, and W = H' M^-1 H by a sparse factorisation
 * (KLU). */
#include "linear/sparse.h"

#include "linear/triplets.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

int imp_sparse_find(const imp_sparse *A, int row, int column) {
    int low = A->start[column], high = A->start[column + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (A->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void imp_sparse_clear(imp_sparse *matrix) {
    free(matrix->start);
    free(matrix->row);
    free(matrix->value);
    *matrix = (imp_sparse){0};
}

static bool allocate(imp_sparse *matrix, int rows, int columns, int count) {
    *matrix = (imp_sparse){rows, columns, calloc((size_t)columns + 1, sizeof(int)),
                           malloc(((size_t)count + 1) * sizeof(int)),
                           malloc(((size_t)count + 1) * sizeof(double))};
    if (matrix->start && matrix->row && matrix->value) return true;
    imp_sparse_clear(matrix);
    return false;
}

/* Turns counts in start[1..] into row starts, then returns a copy that filling may advance. */
static int *running_starts(imp_sparse *matrix) {
    for (int j = 0; j < matrix->columns; j++)
        matrix->start[j + 1] += matrix->start[j];
    int *next = malloc(((size_t)matrix->columns + 1) * sizeof *next);
    if (next) memcpy(next, matrix->start, (size_t)matrix->columns * sizeof *next);
    return next;
}

imp_status imp_sparse_transpose(const imp_sparse *matrix, imp_sparse *transposed) {
    const int count = matrix->start[matrix->columns];
    if (!allocate(transposed, matrix->columns, matrix->rows, count)) return IMP_NO_MEMORY;
    for (int k = 0; k < count; k++)
        transposed->start[matrix->row[k] + 1]++;
    int *next = running_starts(transposed);
    if (!next) {
        imp_sparse_clear(transposed);
        return IMP_NO_MEMORY;
    }
    for (int j = 0; j < matrix->columns; j++)
        for (int k = matrix->start[j]; k < matrix->start[j + 1]; k++) {
            const int at = next[matrix->row[k]]++;
            transposed->row[at] = j;
            transposed->value[at] = matrix->value[k];
        }
    free(next);
    return IMP_OK;
}

imp_status imp_sparse_copy(const imp_sparse *matrix, imp_sparse *copy) {
    const int count = matrix->start[matrix->columns];
    if (!allocate(copy, matrix->rows, matrix->columns, count)) return IMP_NO_MEMORY;
    memcpy(copy->start, matrix->start, ((size_t)matrix->columns + 1) * sizeof *copy->start);
    memcpy(copy->row, matrix->row, (size_t)count * sizeof *copy->row);
    memcpy(copy->value, matrix->value, (size_t)count * sizeof *copy->value);
    return IMP_OK;
}

imp_status imp_sparse_unit(int n, imp_sparse *unit) {
    *unit = (imp_sparse){0};
    if (n < 0) return IMP_BAD_ARGUMENT;
    if (!allocate(unit, n, n, n)) return IMP_NO_MEMORY;
    for (int k = 0; k < n; k++) {
        unit->start[k + 1] = k + 1;
        unit->row[k] = k;
        unit->value[k] = 1;
    }
    return IMP_OK;
}

/* Adds up neighbours in a column whose rows are ascending but may repeat. */
static void merge_repeated(imp_sparse *matrix) {
    int kept = 0;
    for (int j = 0; j < matrix->columns; j++) {
        const int first = kept, end = matrix->start[j + 1];
        for (int k = matrix->start[j]; k < end; k++) {
            if (kept > first && matrix->row[kept - 1] == matrix->row[k]) {
                matrix->value[kept - 1] += matrix->value[k];
                continue;
            }
            matrix->row[kept] = matrix->row[k];
            matrix->value[kept++] = matrix->value[k];
        }
        matrix->start[j] = first;
    }
    matrix->start[matrix->columns] = kept;
}

imp_status imp_sparse_from_triplets(int rows, int columns, int count, const int *row,
                                    const int *column, const double *value, imp_sparse *matrix) {
    *matrix = (imp_sparse){0};
    if (rows < 0 || columns < 0 || count < 0) return IMP_BAD_ARGUMENT;
    for (int k = 0; k < count; k++)
        if (row[k] < 0 || row[k] >= rows || column[k] < 0 || column[k] >= columns)
            return IMP_BAD_ARGUMENT;
    imp_sparse by_row; /* sorted by row first: its transpose has ascending rows in every column */
    if (!allocate(&by_row, columns, rows, count)) return IMP_NO_MEMORY;
    for (int k = 0; k < count; k++)
        by_row.start[row[k] + 1]++;
    int *next = running_starts(&by_row);
    for (int k = 0; next && k < count; k++) {
        const int at = next[row[k]]++;
        by_row.row[at] = column[k];
        by_row.value[at] = value[k];
    }
    const imp_status status = next ? imp_sparse_transpose(&by_row, matrix) : IMP_NO_MEMORY;
    if (status == IMP_OK) merge_repeated(matrix);
    free(next);
    imp_sparse_clear(&by_row);
    return status;
}

bool imp_triplets_grow(imp_triplets *t) {
    if (t->lacked) return false;
    const int room = t->room > INT_MAX / 2 ? INT_MAX : 2 * t->room + 64;
    const size_t size = (size_t)room;
    int *row = realloc(t->row, size * sizeof *row);
    if (row) t->row = row;
    int *column = realloc(t->column, size * sizeof *column);
    if (column) t->column = column;
    double *value = realloc(t->value, size * sizeof *value);
    if (value) t->value = value;
    t->lacked = !row || !column || !value || room == t->room;
    if (!t->lacked) t->room = room;
    return !t->lacked;
}

imp_status imp_triplets_end(imp_triplets *t, int rows, int columns, imp_sparse *matrix) {
    *matrix = (imp_sparse){0};
    const imp_status status = t->lacked ? IMP_NO_MEMORY
                                        : imp_sparse_from_triplets(rows, columns, t->count, t->row,
                                                                   t->column, t->value, matrix);
    free(t->row);
    free(t->column);
    free(t->value);
    *t = (imp_triplets){0};
    return status;
}

void imp_sparse_multiply(const imp_sparse *A, const double *x, double *y) {
    for (int j = 0; j < A->columns; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            y[A->row[k]] += A->value[k] * x[j];
}

void imp_sparse_multiply_transposed(const imp_sparse *A, const double *x, double *y) {
    for (int j = 0; j < A->columns; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            y[j] += A->value[k] * x[A->row[k]];
}

/* list <- the block columns of block row i of W, itself among them, ascending, by merging those of
 * its three rows, which are columns of the transposed W and ascend; returns how many. */
static int block_columns(const imp_sparse *Wt, int i, int *list) {
    const int *end = Wt->start + 3 * i + 1;
    int at[3], count = 0;
    memcpy(at, Wt->start + 3 * i, sizeof at);
    for (bool own = false;;) {
        int next = own ? INT_MAX : i;
        for (int r = 0; r < 3; r++)
            if (at[r] < end[r] && Wt->row[at[r]] / 3 < next) next = Wt->row[at[r]] / 3;
        if (next == INT_MAX) return count;
        own = own || next == i;
        list[count++] = next;
        for (int r = 0; r < 3; r++)
            while (at[r] < end[r] && Wt->row[at[r]] / 3 == next)
                at[r]++;
    }
}

typedef struct block_store {
    imp_blocks blocks; /* first: its address is the store's */
    int *start, *column;
    double *block;
} block_store;

void imp_blocks_free(imp_blocks *blocks) {
    block_store *store = (block_store *)(void *)blocks;
    if (!store) return;
    free(store->start);
    free(store->column);
    free(store->block);
    free(store);
}

static bool fill_blocks(const imp_sparse *Wt, block_store *store, int *list) {
    const int nc = Wt->rows / 3;
    for (int i = 0; i < nc; i++) {
        const int count = block_columns(Wt, i, list);
        if (store->start[i] > INT_MAX - count) return false;
        store->start[i + 1] = store->start[i] + count;
    }
    const size_t total = (size_t)store->start[nc];
    store->column = malloc((total + 1) * sizeof *store->column);
    store->block = calloc(9 * total + 1, sizeof *store->block);
    if (!store->column || !store->block) return false;
    for (int i = 0; i < nc; i++) {
        int *columns = store->column + store->start[i];
        const int count = block_columns(Wt, i, columns);
        for (int b = 0; b < count; b++)
            list[columns[b]] = b; /* where each block column stands in this row */
        for (int r = 0; r < 3; r++)
            for (int k = Wt->start[3 * i + r]; k < Wt->start[3 * i + r + 1]; k++) {
                const size_t at = (size_t)store->start[i] + (size_t)list[Wt->row[k] / 3];
                store->block[9 * at + 3 * (size_t)r + (size_t)(Wt->row[k] % 3)] = Wt->value[k];
            }
    }
    return true;
}

imp_blocks *imp_blocks_new(const imp_sparse *W) {
    if (W->rows != W->columns || W->rows % 3 != 0) return NULL;
    const size_t nc = (size_t)W->rows / 3;
    imp_sparse Wt;
    if (imp_sparse_transpose(W, &Wt) != IMP_OK) return NULL;
    block_store *store = calloc(1, sizeof *store);
    int *list = malloc((nc + 1) * sizeof *list);
    if (store) store->start = calloc(nc + 1, sizeof *store->start);
    if (store && list && store->start && fill_blocks(&Wt, store, list))
        store->blocks = (imp_blocks){(int)nc, store->start, store->column, store->block};
    else {
        imp_blocks_free(store ? &store->blocks : NULL);
        store = NULL;
    }
    free(list);
    imp_sparse_clear(&Wt);
    return store ? &store->blocks : NULL;
}

imp_blocks *imp_blocks_of(const imp_operator *W) {
    const size_t nc = (size_t)W->nc;
    block_store *store = calloc(1, sizeof *store);
    int *list = malloc((nc + 1) * sizeof *list);
    double total = 0;
    bool good = store && list && (store->start = calloc(nc + 1, sizeof *store->start));
    for (int i = 0; good && i < W->nc; i++) {
        const int count = W->kind->columns(W, i, list);
        total += count;
        good = total < INT_MAX;
        store->start[i + 1] = good ? store->start[i] + count : 0;
    }
    good = good && (store->column = malloc((size_t)total * sizeof *store->column)) &&
           (store->block = malloc(9 * (size_t)total * sizeof *store->block));
    for (int i = 0; good && i < W->nc; i++) {
        (void)W->kind->columns(W, i, store->column + store->start[i]);
        for (int k = store->start[i]; k < store->start[i + 1]; k++)
            W->kind->block(W, i, store->column[k], store->block + 9 * (size_t)k);
    }
    free(list);
    if (good) {
        store->blocks = (imp_blocks){W->nc, store->start, store->column, store->block};
        return &store->blocks;
    }
    imp_blocks_free(store ? &store->blocks : NULL);
    return NULL;
}

/* A factorised square matrix; klu_solve works in room that comes with the numbers, so that it
 * cannot fail. */
typedef struct factor {
    klu_common common;
    klu_symbolic *order;
    klu_numeric *numbers;
} factor;

static imp_status factorise(const imp_sparse *M, factor *f) {
    *f = (factor){0};
    klu_defaults(&f->common);
    if (M->rows == 0) return IMP_OK; /* nothing to solve for, and KLU takes no such matrix */
    f->order = klu_analyze(M->rows, M->start, M->row, &f->common);
    f->numbers = f->order ? klu_factor(M->start, M->row, M->value, f->order, &f->common) : NULL;
    if (f->numbers) return IMP_OK;
    return f->common.status == KLU_SINGULAR ? IMP_NOT_POSITIVE : IMP_NO_MEMORY;
}

static void release(factor *f) {
    klu_free_numeric(&f->numbers, &f->common);
    klu_free_symbolic(&f->order, &f->common);
}

imp_status imp_sparse_solve(const imp_sparse *M, double *b) {
    factor f;
    const imp_status status = factorise(M, &f);
    if (status == IMP_OK) klu_solve(f.order, f.numbers, M->rows, 1, b, &f.common);
    release(&f);
    return status;
}

/* Column j of W: x <- M^-1 H_j, then H'x where H touches what x reaches. */
static void delassus_column(const imp_sparse *H, factor *f, int j, double *x, imp_triplets *W) {
    memset(x, 0, (size_t)H->rows * sizeof *x);
    for (int k = H->start[j]; k < H->start[j + 1]; k++)
        x[H->row[k]] = H->value[k];
    klu_solve(f->order, f->numbers, H->rows, 1, x, &f->common);
    for (int i = 0; i < H->columns; i++) {
        double sum = 0;
        bool touched = false;
        for (int k = H->start[i]; k < H->start[i + 1]; k++) {
            touched = touched || x[H->row[k]] != 0;
            sum += H->value[k] * x[H->row[k]];
        }
        if (touched) imp_triplets_add(W, i, j, sum);
    }
}

imp_status imp_sparse_delassus(const imp_sparse *M, const imp_sparse *H, const double *f,
                               const double *w, imp_sparse *W, double *q) {
    *W = (imp_sparse){0};
    if (M->rows != M->columns || M->rows != H->rows) return IMP_BAD_ARGUMENT;
    imp_triplets entries = {0};
    factor inverse;
    imp_status status = factorise(M, &inverse);
    double *x = malloc(((size_t)H->rows + 1) * sizeof *x);
    if (status == IMP_OK && !x) status = IMP_NO_MEMORY;
    for (int j = 0; j < H->columns && status == IMP_OK; j++)
        delassus_column(H, &inverse, j, x, &entries);
    if (status == IMP_OK) status = imp_triplets_end(&entries, H->columns, H->columns, W);
    if (status == IMP_OK && f) {
        memcpy(x, f, (size_t)H->rows * sizeof *x);
        memcpy(q, w, (size_t)H->columns * sizeof *q);
        klu_solve(inverse.order, inverse.numbers, H->rows, 1, x, &inverse.common);
        imp_sparse_multiply_transposed(H, x, q);
    }
    release(&inverse);
    free(x);
    return status;
}

imp_operator imp_operator_assembled(const imp_assembled *assembled) {
    return (imp_operator){assembled->blocks.nc, &imp_operator_assembled_kind, assembled, 0};
}

const imp_assembled *imp_operator_assembly(const imp_operator *W) {
    return W->kind == &imp_operator_assembled_kind ? W->data : NULL;
}
