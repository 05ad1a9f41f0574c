/* dense_product.h - the product of dense matrices, with the same bits on every machine. */
#ifndef IMP_DENSE_PRODUCT_H
#define IMP_DENSE_PRODUCT_H

#include <stddef.h>

enum { IMP_DENSE_DEEP = 64 }; /* products that are summed before they are subtracted */

/* Numbers of work that a product with so many rows wants. */
size_t imp_dense_product_room(size_t rows);

/* C (m x n) -= A (m x k) B (k x n). A and C by columns that are a_step and c_step apart; B's entry
 * (i, j) stands at i b_row + j b_column. work: imp_dense_product_room(m). */
void imp_dense_subtract(int m, int n, int k, const double *A, int a_step, const double *B,
                        int b_row, int b_column, double *C, int c_step, double *work);

/* The same by vectors of one width, for any CPU or for those that have them; NULL: this build has
 * no such one. */
typedef void imp_dense_product(int m, int n, int k, const double *A, int a_step, const double *B,
                               int b_row, int b_column, double *C, int c_step, double *work);
extern imp_dense_product *const imp_dense_product_plain, *const imp_dense_product_avx2,
                                                             *const imp_dense_product_avx512;

#endif
