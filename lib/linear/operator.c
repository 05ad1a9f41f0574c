/* operator.c - the dense and the block-sparse Delassus operator. */
#include "linear/operator.h"

#include "base/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* sum += B p and size += |B| |p| for one 3 x 3 block whose rows are `stride` apart. */
static void block_multiply(const double *B, size_t stride, const double p[3], double sum[3],
                           double *size) {
    const double p0 = p[0], p1 = p[1], p2 = p[2];
    for (int r = 0; r < 3; r++, B += stride) {
        const double x = B[0] * p0, y = B[1] * p1, z = B[2] * p2;
        sum[r] += x + y + z;
        if (size) size[r] += fabs(x) + fabs(y) + fabs(z);
    }
}

static void clear(double sum[3], double *size) {
    memset(sum, 0, 3 * sizeof *sum);
    if (size) memset(size, 0, 3 * sizeof *size);
}

static void dense_block(const imp_operator *W, int i, int j, double block[9]) {
    const size_t n = 3 * (size_t)W->nc;
    const double *B = (const double *)W->data + 3 * (size_t)i * n + 3 * (size_t)j;
    for (int r = 0; r < 3; r++)
        memcpy(block + 3 * r, B + (size_t)r * n, 3 * sizeof *block);
}

static void dense_row(const imp_operator *W, int i, int skip, const double *p, double sum[3],
                      double size[3]) {
    const size_t n = 3 * (size_t)W->nc;
    const double *B = (const double *)W->data + 3 * (size_t)i * n;
    clear(sum, size);
    for (int j = 0; j < W->nc; j++)
        if (j != skip) block_multiply(B + 3 * (size_t)j, n, p + 3 * (size_t)j, sum, size);
}

static void blocks_block(const imp_operator *W, int i, int j, double block[9]) {
    const imp_blocks *b = W->data;
    int k = b->start[i], end = b->start[i + 1];
    while (end - k > 1) { /* columns ascend */
        const int middle = k + (end - k) / 2;
        if (b->column[middle] <= j)
            k = middle;
        else
            end = middle;
    }
    if (k < end && b->column[k] == j)
        memcpy(block, b->block + 9 * (size_t)k, 9 * sizeof *block);
    else
        memset(block, 0, 9 * sizeof *block);
}

static void blocks_row(const imp_operator *W, int i, int skip, const double *p, double sum[3],
                       double size[3]) {
    const imp_blocks *b = W->data;
    clear(sum, size);
    for (int k = b->start[i]; k < b->start[i + 1]; k++)
        if (b->column[k] != skip)
            block_multiply(b->block + 9 * (size_t)k, 3, p + 3 * (size_t)b->column[k], sum, size);
}

static int dense_columns(const imp_operator *W, int i, int *columns) {
    (void)i;
    for (int j = 0; j < W->nc; j++)
        columns[j] = j;
    return W->nc;
}

static int blocks_columns(const imp_operator *W, int i, int *columns) {
    const imp_blocks *b = W->data;
    for (int k = b->start[i]; k < b->start[i + 1]; k++)
        *columns++ = b->column[k];
    return b->start[i + 1] - b->start[i];
}

static const imp_operator_kind dense_kind = {"dense", dense_block, dense_row, dense_columns};
static const imp_operator_kind blocks_kind = {"block-sparse", blocks_block, blocks_row,
                                              blocks_columns};
const imp_operator_kind imp_operator_reduced_kind = {"reduced", blocks_block, blocks_row,
                                                     blocks_columns};
const imp_operator_kind imp_operator_assembled_kind = {"assembled", blocks_block, blocks_row,
                                                       blocks_columns};

imp_operator imp_operator_dense(int nc, const double *W) {
    return (imp_operator){nc, &dense_kind, W, 0};
}

imp_operator imp_operator_blocks(const imp_blocks *blocks) {
    return (imp_operator){blocks->nc, &blocks_kind, blocks, 0};
}

const imp_blocks *imp_operator_stored(const imp_operator *W) {
    return W->kind->columns == blocks_columns ? W->data : NULL;
}

void imp_operator_write(const imp_operator *W, double *dense) {
    const size_t rows = 3 * (size_t)W->nc;
    if (W->kind == &dense_kind) {
        memcpy(dense, W->data, rows * rows * sizeof *dense);
        return;
    }
    for (int i = 0; i < W->nc; i++)
        for (int j = 0; j < W->nc; j++) {
            double B[9];
            W->kind->block(W, i, j, B);
            for (size_t r = 0; r < 3; r++)
                memcpy(dense + (3 * (size_t)i + r) * rows + 3 * (size_t)j, B + 3 * r,
                       3 * sizeof *B);
        }
}

void imp_operator_packed(const imp_operator *W, int i, double packed[6]) {
    double B[9];
    W->kind->block(W, i, i, B);
    pack3(B, packed);
}

/* The largest |B - C'| of two mirror blocks, relative to their rows' own diagonal entries. */
static double block_asymmetry(const double B[9], const double C[9], const double *d,
                              const double *e, double most) {
    double worst = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const double off = fabs(B[3 * r + c] - C[3 * c + r]),
                         size = sqrt(fabs(d[r])) * sqrt(fabs(e[c]));
            if (off == 0) continue;
            const double part = off / (size > 0 ? size : most);
            worst = isnan(part) ? INFINITY : fmax(worst, part);
        }
    return worst;
}

double imp_operator_asymmetry(const imp_operator *W) {
    const size_t nc = (size_t)W->nc;
    double *diagonal = calloc(3 * nc, sizeof *diagonal), worst = 0, most = 0;
    int *columns = malloc(nc * sizeof *columns);
    for (int i = 0; diagonal && i < W->nc; i++) {
        double B[9] = {0};
        W->kind->block(W, i, i, B);
        for (int r = 0; r < 3; r++) {
            diagonal[3 * i + r] = B[4 * r];
            most = fmax(most, fabs(B[4 * r]));
        }
    }
    for (int i = 0; diagonal && columns && i < W->nc; i++) {
        const int count = W->kind->columns(W, i, columns);
        for (int k = 0; k < count; k++) {
            double B[9] = {0}, C[9] = {0};
            W->kind->block(W, i, columns[k], B);
            W->kind->block(W, columns[k], i, C);
            worst = fmax(worst,
                         block_asymmetry(B, C, diagonal + 3 * i, diagonal + 3 * columns[k], most));
        }
    }
    const int good = diagonal && columns;
    free(diagonal);
    free(columns);
    return good ? worst : NAN;
}

void imp_operator_apply(const imp_operator *W, const double *p, const double *q, double *u) {
    for (int i = 0; i < W->nc; i++) {
        double ui[3];
        W->kind->row(W, i, -1, p, ui, NULL);
        for (int r = 0; r < 3; r++)
            u[3 * (size_t)i + (size_t)r] = q ? ui[r] + q[3 * (size_t)i + (size_t)r] : ui[r];
    }
}
