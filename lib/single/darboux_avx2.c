/* darboux_avx2.c - the batch kernel, 4 collisions at once by AVX2; the Makefile compiles it for
 * such a CPU. */
#include "single/darboux_chunk.h"

const imp_batch_kernel imp_darboux_kernel_avx2 = IMP_BATCH_KERNEL(4);
