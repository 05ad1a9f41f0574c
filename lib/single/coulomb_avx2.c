/* coulomb_avx2.c - the batch kernel, 4 problems at once by AVX2; the Makefile compiles it for such a CPU. */
#if defined(__AVX2__) && defined(__FMA__)
#include "single/coulomb_lanes.h"

const imp_batch_kernel imp_coulomb_kernel_avx2 = {LANES, solve_chunk};
#else
#include "single/coulomb_batch.h"

const imp_batch_kernel imp_coulomb_kernel_avx2 = {0, NULL};
#endif
