/* dense_product.c - the product with the widest vectors that this CPU has, and with those that
 * every one has. */
#include "linear/dense_product_lanes.h"

#include "base/machine.h"

imp_dense_product *const imp_dense_product_plain = product;

size_t imp_dense_product_room(size_t rows) {
    enum { TALLEST = 16 };
    return (rows + TALLEST) * IMP_DENSE_DEEP;
}

void imp_dense_subtract(int m, int n, int k, const double *A, int a_step, const double *B,
                        int b_row, int b_column, double *C, int c_step, double *work) {
    imp_dense_product *by = imp_dense_product_plain;
    if (imp_dense_product_avx512 && imp_machine_has(8))
        by = imp_dense_product_avx512;
    else if (imp_dense_product_avx2 && imp_machine_has(4))
        by = imp_dense_product_avx2;
    by(m, n, k, A, a_step, B, b_row, b_column, C, c_step, work);
}
