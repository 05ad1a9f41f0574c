/* darboux_batch.h - the kernels of the batch Darboux-Keller process, one per instruction set.
 * Internal to lib/single.
 */
#ifndef IMP_DARBOUX_BATCH_H
#define IMP_DARBOUX_BATCH_H

#include "single/batch_kernel.h"

/* Problems a kernel takes at once: so many that few lanes idle while the last of them end; some 100
 * kB of state. */
enum { IMP_DARBOUX_CHUNK = 256 };

/* Their variant is an imp_darboux_law. */
extern const imp_batch_kernel imp_darboux_kernel_plain, imp_darboux_kernel_avx2,
    imp_darboux_kernel_avx512;

#endif
