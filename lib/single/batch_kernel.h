/* batch_kernel.h - what the batch solvers share: kernels for several instruction sets, and how
 * columns are led through them (batch.c). Internal to lib/single. */
#ifndef IMP_BATCH_KERNEL_H
#define IMP_BATCH_KERNEL_H

#include "single/batch.h"

#include <stdbool.h>
#include <stdint.h>

/* problems of a chunk, at most */
enum { IMP_BATCH_MOST = 256, IMP_BATCH_WORDS = IMP_BATCH_MOST / 64 };

typedef struct imp_batch_kernel {
    int lanes; /* 0: this build has no such kernel */
    /* Writes p and residual of the chunk of problems from `first` on where the answer is beyond
     * doubt, and sets the bits of the others: number first + i is bit i % 64 of left[i / 64], all
     * zero before. `variant` is the method's own. */
    void (*solve)(const imp_batch_columns *columns, size_t first, int variant, uint64_t *left);
} imp_batch_kernel;

/* Of one problem: its solutions, the one for imp_batch_columns.p first. */
typedef struct imp_batch_answer {
    double p[IMP_COULOMB_MOST][3];
    imp_coulomb_brief brief; /* count alone, but for Coulomb's law */
} imp_batch_answer;

typedef struct imp_batch_method {
    const imp_batch_kernel *plain, *avx2, *avx512;
    size_t chunk; /* problems a kernel takes at once: a multiple of 64 */
    /* One problem, for what the kernels leave. */
    imp_status (*solve_one)(const double W[6], const double q[3], double mu, double e, int variant,
                            imp_batch_answer *);
    const imp_law *const *laws; /* of each variant, what its certificate checks */
    bool enumerates;            /* it fills imp_batch_columns.all; the others take none */
} imp_batch_method;

/* The widest kernel of at most that many lanes that this machine has. */
const imp_batch_kernel *imp_batch_kernel_of(const imp_batch_method *method, int most);

/* The documented behaviour of the imp_..._batch. */
imp_status imp_batch_run(const imp_batch_method *method, int variant,
                         const imp_batch_columns *columns, size_t n,
                         const imp_batch_settings *settings);

#endif
