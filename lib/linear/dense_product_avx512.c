/* dense_product_avx512.c - the dense product by vectors of 8; the Makefile compiles it for such a
 * CPU. */
#ifdef __AVX512F__
#include "linear/dense_product_lanes.h"

imp_dense_product *const imp_dense_product_avx512 = product;
#else
#include "linear/dense_product.h"

imp_dense_product *const imp_dense_product_avx512 = NULL;
#endif
