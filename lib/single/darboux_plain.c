/* darboux_plain.c - the batch kernel one collision at a time, for any CPU. */
#define IMP_ONE_LANE
#include "single/darboux_chunk.h"

const imp_batch_kernel imp_darboux_kernel_plain = IMP_BATCH_KERNEL(1);
