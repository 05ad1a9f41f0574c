/* maxdiss_batch.h - the kernels of batch maximum dissipation, one per instruction set. Internal to
 * lib/single. */
#ifndef IMP_MAXDISS_BATCH_H
#define IMP_MAXDISS_BATCH_H

#include "single/batch_kernel.h"

/* Problems a kernel takes at once; some 30 kB of intermediate values. */
enum { IMP_MAXDISS_CHUNK = 64 };

extern const imp_batch_kernel imp_maxdiss_kernel_plain, imp_maxdiss_kernel_avx2,
    imp_maxdiss_kernel_avx512;

#endif
