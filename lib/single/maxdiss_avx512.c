/* maxdiss_avx512.c - the batch kernel, 8 problems at once by AVX-512; the Makefile compiles it for
 * such a CPU. */
#include "single/maxdiss_lanes.h"

const imp_batch_kernel imp_maxdiss_kernel_avx512 = IMP_BATCH_KERNEL(8);
