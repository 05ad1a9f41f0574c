/* darboux_avx512.c - the batch kernel, 8 collisions at once by AVX-512; the Makefile compiles it for such a CPU. */
#ifdef __AVX512F__
#include "single/darboux_chunk.h"

const imp_batch_kernel imp_darboux_kernel_avx512 = {LANES, solve_chunk};
#else
#include "single/darboux_batch.h"

const imp_batch_kernel imp_darboux_kernel_avx512 = {0, NULL};
#endif
