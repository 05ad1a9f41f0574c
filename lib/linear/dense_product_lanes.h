/* dense_product_lanes.h - the product of dense_product.h by tiles that stay in registers, for the
 * widest vectors that the file including it is compiled for. Every entry is summed in the same
 * order with each width. Internal to lib/linear. */
#ifndef IMP_DENSE_PRODUCT_LANES_H
#define IMP_DENSE_PRODUCT_LANES_H

#include "linear/dense_product.h"

#include <string.h>

#if defined(__AVX512F__)
enum { LANES = 8, WIDE = 8 };
#elif defined(__AVX2__)
enum { LANES = 4, WIDE = 4 };
#else
enum { LANES = 2, WIDE = 4 };
#endif
enum { TALL = 2 * LANES }; /* a tile is TALL x WIDE */

typedef double lanes __attribute__((vector_size(8 * LANES)));

/* A (rows x k) of the tile from row `first` on, its columns side by side, 0 beyond the last row. */
static void pack_rows(int m, int k, const double *A, size_t step, double *to) {
    for (int first = 0; first < m; first += TALL)
        for (int l = 0; l < k; l++, to += TALL) {
            const double *from = A + (size_t)l * step + (size_t)first;
            if (m - first >= TALL) {
                memcpy(to, from, TALL * sizeof *to);
                continue;
            }
            for (int i = 0; i < TALL; i++)
                to[i] = first + i < m ? from[i] : 0;
        }
}

static void pack_columns(int n, int k, const double *B, size_t row, size_t column, double *to) {
    for (int l = 0; l < k; l++, to += WIDE)
        for (int j = 0; j < WIDE; j++)
            to[j] = j < n ? B[(size_t)l * row + (size_t)j * column] : 0;
}

static lanes load(const double *from) {
    lanes x;
    memcpy(&x, from, sizeof x);
    return x;
}

static void store(double *to, lanes x) {
    memcpy(to, &x, sizeof x);
}

/* C (height x width, columns c_step apart) -= the product of a packed tile of A and one of B. */
static void multiply(int k, const double *A, const double *B, int height, int width, double *C,
                     size_t c_step) {
    lanes low[WIDE] = {{0}}, high[WIDE] = {{0}};
    for (int l = 0; l < k; l++, A += TALL, B += WIDE) {
        const lanes a = load(A), b = load(A + LANES);
        for (int j = 0; j < WIDE; j++) {
            low[j] += a * B[j];
            high[j] += b * B[j];
        }
    }
    if (height == TALL && width == WIDE) {
        for (int j = 0; j < WIDE; j++, C += c_step) {
            store(C, load(C) - low[j]);
            store(C + LANES, load(C + LANES) - high[j]);
        }
        return;
    }
    double sum[WIDE][TALL];
    for (int j = 0; j < WIDE; j++) {
        store(sum[j], low[j]);
        store(sum[j] + LANES, high[j]);
    }
    for (int j = 0; j < width; j++, C += c_step)
        for (int i = 0; i < height; i++)
            C[i] -= sum[j][i];
}

static void product(int m, int n, int k, const double *A, int a_step, const double *B, int b_row,
                    int b_column, double *C, int c_step, double *work) {
    for (int deep = 0; deep < k; deep += IMP_DENSE_DEEP) {
        const int depth = k - deep < IMP_DENSE_DEEP ? k - deep : IMP_DENSE_DEEP;
        double tile[WIDE * IMP_DENSE_DEEP];
        pack_rows(m, depth, A + (size_t)deep * (size_t)a_step, (size_t)a_step, work);
        for (int j = 0; j < n; j += WIDE) {
            const int width = n - j < WIDE ? n - j : WIDE;
            pack_columns(width, depth,
                         B + (size_t)deep * (size_t)b_row + (size_t)j * (size_t)b_column,
                         (size_t)b_row, (size_t)b_column, tile);
            for (int i = 0; i < m; i += TALL)
                multiply(depth, work + (size_t)i * (size_t)depth, tile, m - i < TALL ? m - i : TALL,
                         width, C + (size_t)j * (size_t)c_step + (size_t)i, (size_t)c_step);
        }
    }
}

#endif
