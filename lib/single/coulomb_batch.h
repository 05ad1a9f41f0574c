/* coulomb_batch.h - the kernels of the batch Coulomb enumeration, one per instruction set. Internal to lib/single. */
#ifndef IMP_COULOMB_BATCH_H
#define IMP_COULOMB_BATCH_H

#include "single/batch_kernel.h"

enum { IMP_COULOMB_CHUNK = 64 }; /* problems a kernel takes at once; some 20 kB of intermediate values */

extern const imp_batch_kernel imp_coulomb_kernel_plain, imp_coulomb_kernel_avx2, imp_coulomb_kernel_avx512;

#endif
