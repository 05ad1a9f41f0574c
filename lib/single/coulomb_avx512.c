/* coulomb_avx512.c - the batch kernel, 8 problems at once by AVX-512; the Makefile compiles it for such a CPU. */
#ifdef __AVX512F__
#include "single/coulomb_lanes.h"

const imp_batch_kernel imp_coulomb_kernel_avx512 = {LANES, solve_chunk};
#else
#include "single/coulomb_batch.h"

const imp_batch_kernel imp_coulomb_kernel_avx512 = {0, NULL};
#endif
