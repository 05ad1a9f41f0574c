/* dense_product_avx2.c - the dense product by vectors of 4; the Makefile compiles it for such a
 * CPU. */
#ifdef __AVX2__
#include "linear/dense_product_lanes.h"

imp_dense_product *const imp_dense_product_avx2 = product;
#else
#include "linear/dense_product.h"

imp_dense_product *const imp_dense_product_avx2 = NULL;
#endif
