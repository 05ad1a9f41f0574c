/* dense_product.c - a product by tiles that stay in registers. */
#include "linear/dense_product.h"

#include <string.h>

enum { TALL = 4, WIDE = 4, DEEP = 64 }; /* of a tile; of what is multiplied at a time */

typedef double lanes __attribute__((vector_size(16)));

size_t imp_dense_product_room(size_t rows) {
    return (rows + TALL) * DEEP + 2 * TALL;
}

/* A (rows x k) of the tile from row `first` on, its columns side by side, 0 beyond the last row. */
static void pack_rows(int m, int k, const double *A, size_t step, double *to) {
    for (int first = 0; first < m; first += TALL)
        for (int l = 0; l < k; l++, to += TALL)
            for (int i = 0; i < TALL; i++)
                to[i] = first + i < m ? A[(size_t)l * step + (size_t)(first + i)] : 0;
}

static void pack_columns(int n, int k, const double *B, size_t row, size_t column, double *to) {
    for (int l = 0; l < k; l++, to += WIDE)
        for (int j = 0; j < WIDE; j++)
            to[j] = j < n ? B[(size_t)l * row + (size_t)j * column] : 0;
}

/* sum (WIDE x TALL) <- the product of a packed tile of A and one of B. */
static void multiply(int k, const double *A, const double *B, double sum[WIDE * TALL]) {
    lanes s[WIDE][TALL / 2] = {{{0}}};
    for (int l = 0; l < k; l++, A += TALL, B += WIDE) {
        lanes a[TALL / 2];
        memcpy(a, A, sizeof a);
        for (int j = 0; j < WIDE; j++)
            for (int i = 0; i < TALL / 2; i++)
                s[j][i] += a[i] * B[j];
    }
    memcpy(sum, s, sizeof s);
}

void imp_dense_subtract(int m, int n, int k, const double *A, int a_step, const double *B,
                        int b_row, int b_column, double *C, int c_step, double *work) {
    for (int deep = 0; deep < k; deep += DEEP) {
        const int depth = k - deep < DEEP ? k - deep : DEEP;
        double tile[WIDE * DEEP];
        pack_rows(m, depth, A + (size_t)deep * (size_t)a_step, (size_t)a_step, work);
        for (int j = 0; j < n; j += WIDE) {
            const int width = n - j < WIDE ? n - j : WIDE;
            pack_columns(width, depth,
                         B + (size_t)deep * (size_t)b_row + (size_t)j * (size_t)b_column,
                         (size_t)b_row, (size_t)b_column, tile);
            for (int i = 0; i < m; i += TALL) {
                const int height = m - i < TALL ? m - i : TALL;
                double sum[WIDE * TALL], *to = C + (size_t)j * (size_t)c_step + i;
                multiply(depth, work + (size_t)i * (size_t)depth, tile, sum);
                for (int c = 0; c < width; c++)
                    for (int r = 0; r < height; r++)
                        to[(size_t)c * (size_t)c_step + (size_t)r] -= sum[c * TALL + r];
            }
        }
    }
}
