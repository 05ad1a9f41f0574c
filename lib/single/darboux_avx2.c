/* darboux_avx2.c - the batch kernel, 4 collisions at once by AVX2; the Makefile compiles it for such a CPU. */
#if defined(__AVX2__) && defined(__FMA__)
#include "single/darboux_chunk.h"

const imp_batch_kernel imp_darboux_kernel_avx2 = {LANES, solve_chunk};
#else
#include "single/darboux_batch.h"

const imp_batch_kernel imp_darboux_kernel_avx2 = {0, NULL};
#endif
