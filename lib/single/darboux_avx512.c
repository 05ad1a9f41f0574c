/* darboux_avx512.c - the batch kernel, 8 collisions at once by AVX-512; the Makefile compiles it
 * for such a CPU. */
#include "single/darboux_chunk.h"

const imp_batch_kernel imp_darboux_kernel_avx512 = IMP_BATCH_KERNEL(8);
