/* maxdiss_batch.h - what the batch solver asks of its kernels, one per instruction set. Internal to lib/single. */
#ifndef IMP_MAXDISS_BATCH_H
#define IMP_MAXDISS_BATCH_H

#include "single/batch.h"

#include <stdint.h>

enum { IMP_BATCH_CHUNK = 64 }; /* problems a kernel takes at once; some 30 kB of intermediate values */

typedef struct imp_maxdiss_kernel {
    int lanes; /* 0: this build has no such kernel */
    /* Writes p and residual of problems first .. first + IMP_BATCH_CHUNK - 1 where the answer is beyond doubt and
     * returns the others, bit i for number first + i. */
    uint64_t (*solve)(const imp_maxdiss_columns *columns, size_t first);
} imp_maxdiss_kernel;

extern const imp_maxdiss_kernel imp_maxdiss_kernel_plain, imp_maxdiss_kernel_avx2, imp_maxdiss_kernel_avx512;

#endif
