/* maxdiss_avx2.c - the batch kernel, 4 problems at once by AVX2; the Makefile compiles it for such
 * a CPU. */
#include "single/maxdiss_lanes.h"

const imp_batch_kernel imp_maxdiss_kernel_avx2 = IMP_BATCH_KERNEL(4);
